/*
 * record_pack.h - msgpack-c at work on our slices and bufs.
 *
 * What the packer returns may be dropped: the buffer has a sticky error.
 */
#ifndef PROTO_RECORDS_RECORD_PACK_H
#define PROTO_RECORDS_RECORD_PACK_H

#include <msgpack.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

/* The callback for msgpack_packer_init(), with a struct buf as its data. */
int record_pack_bytes(void *data, const char *bytes, size_t len);

/* For a packer as above; an error sticks to the buffer. */
void record_pack_text(msgpack_packer *p, struct slice text);

/*
 * Decode bytes that must be one whole, bounded value (frame_scan.h), and nothing behind it.
 *
 * @out  points into the zone and the bytes.
 * ERR_PROTO, ERR_NOMEM
 */
NODISCARD enum err record_unpack(struct msgpack_zone *zone, struct slice bytes, struct msgpack_object *out);

/* The same for bytes that frame_scan_value() has found to be one value. */
NODISCARD enum err record_unpack_scanned(struct msgpack_zone *zone, struct slice bytes, struct msgpack_object *out);

#endif
