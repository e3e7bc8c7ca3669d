/*
 * stored_value.h - how an item's value is stored in a database of any engine.
 *
 *   checksum   8 bytes, the first half of BLAKE2b-128 over key, listing, version and value
 *   listing    1 byte: STORED_VALUE_UNLISTED where no index lists the item, else 00
 *   version    7 bytes, big-endian
 *   value      the MessagePack map
 *
 * The file system and the engine have no checksums of their own: a flipped bit
 * would otherwise be served as a vote. The key is part of the sum, so a value under
 * the wrong key is found too.
 *
 * The listing is there so that an item which no index lists is overwritten by
 * another such without being read. Several bits apart, so that no single flip
 * makes one of the other.
 */
#ifndef STORE_STORED_VALUE_H
#define STORE_STORED_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

#define STORED_VALUE_HEAD_BYTES       16
#define STORED_VALUE_UNLISTED    0xa5
#define STORED_VALUE_VERSION_MAX (UINT64_MAX >> 8)

/* Append head and value to out, which keeps the error where memory is out. version: at most STORED_VALUE_VERSION_MAX (asserted). */
void stored_value_seal(struct slice item_key, uint64_t version, bool is_listed, struct slice value,
		   struct buf *out);

/* What is inside, pointing into `stored`; ERR_CORRUPT where the checksum does not hold. */
NODISCARD enum err stored_value_open(struct slice item_key, struct slice stored, uint64_t *version,
				 struct slice *value);

/*
 * Its version alone; the checksum is not verified, which costs as much as the value is long. Enough to compare with the version
 * of an item that was opened: where a bit of it has flipped they differ, and whoever opens the item then finds that.
 * ERR_CORRUPT where there is none.
 */
NODISCARD enum err stored_value_version(struct slice stored, uint64_t *version);

/* Whether it says that no index lists the item. Only this byte is read, the checksum is not verified. */
bool stored_value_is_unlisted(struct slice stored);

#endif
