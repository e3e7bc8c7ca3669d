/*
 * record_pack.h - msgpack-c with slices and bufs.
 *
 * The packer's return values may be ignored: the buffer has a sticky error.
 */
#ifndef PROTO_RECORDS_RECORD_PACK_H
#define PROTO_RECORDS_RECORD_PACK_H

#include <msgpack.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

/* The callback for msgpack_packer_init(), with a struct buf as its data. */
int record_pack_bytes(void *data, const char *bytes, size_t len);

/* Pack a text; the packer must write to a struct buf, which keeps the error. */
void record_pack_text(msgpack_packer *p, struct slice text);

/*
 * Decode bytes that must be exactly one value within the limits (frame_scan.h).
 *
 * @out  points into the zone and the bytes; valid as long as both.
 *
 * ERR_PROTO  not such a value.
 * ERR_NOMEM  memory is out.
 */
NODISCARD enum err record_unpack(struct msgpack_zone *zone, struct slice bytes, struct msgpack_object *out);

/* The same for bytes that frame_scan_value() has already accepted as one value. */
NODISCARD enum err record_unpack_scanned(struct msgpack_zone *zone, struct slice bytes, struct msgpack_object *out);

#endif
