/*
 * stored_value.h - how an item's value is stored in the database of any engine.
 *
 *   checksum   8 bytes, the first half of BLAKE2b-128 over key, listing, version and value
 *   listing    1 byte: STORED_VALUE_UNLISTED if no index lists the item, otherwise 00
 *   version    7 bytes, big-endian
 *   value      the MessagePack map
 *
 * File system and engine have no checksums of their own: a flipped bit would otherwise be served
 * as a vote. The key is included, so a value under a wrong key is detected as well.
 *
 * The listing byte allows to overwrite an item that no index lists by another such item without
 * reading it. Its two values differ in several bits, so that no single flip turns one into the
 * other.
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

/*
 * Append head and value to out, which keeps ERR_NOMEM. version: at most STORED_VALUE_VERSION_MAX
 * (asserted).
 */
void stored_value_seal(struct slice item_key, uint64_t version, bool is_listed, struct slice value,
		   struct buf *out);

/*
 * Verify a stored value and return its parts, which point into `stored`. ERR_CORRUPT: the
 * checksum is wrong.
 */
NODISCARD enum err stored_value_open(struct slice item_key, struct slice stored, uint64_t *version,
				 struct slice *value);

/*
 * Read only the version, without verifying the checksum, which takes time in proportion to the
 * value. Sufficient to compare with the version of an item that was opened: if a bit of it has
 * flipped they differ, and opening the item then detects that. ERR_CORRUPT: there is no version.
 */
NODISCARD enum err stored_value_version(struct slice stored, uint64_t *version);

/*
 * Return whether the listing byte says that no index lists the item. The checksum is not
 * verified.
 */
bool stored_value_is_unlisted(struct slice stored);

#endif
