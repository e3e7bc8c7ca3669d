/*
 * envelope.h - how an item's value lies in a database, whichever engine's.
 *
 *   checksum   8 bytes, the first half of BLAKE2b-128 over key, version and value
 *   version    8 bytes, big-endian
 *   value      the MessagePack map
 *
 * The file system and the engine have no checksums of their own: a flipped bit
 * would otherwise be served as somebody's vote. The key is part of the sum, so
 * a value that ended under another key is found too.
 */
#ifndef STORE_ENVELOPE_H
#define STORE_ENVELOPE_H

#include <stdint.h>

#include "proto/buf.h"
#include "proto/err.h"
#include "proto/slice.h"

#define ENVELOPE_BYTES 16

/* Append the envelope to out, which keeps the error where memory is out. */
void envelope_seal(struct slice item_key, uint64_t version, struct slice value, struct buf *out);

/* What is inside, pointing into `stored`; ERR_CORRUPT where the checksum does not hold. */
NODISCARD enum err envelope_open(struct slice item_key, struct slice stored, uint64_t *version,
				 struct slice *value);

#endif
