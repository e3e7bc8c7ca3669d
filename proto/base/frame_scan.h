/*
 * frame_scan.h - find the end of one MessagePack value in untrusted bytes.
 *
 * Reads only the headers of values, allocates nothing, never recurses. A count or length is
 * compared with the limits before it is used. Resumable: scanned bytes are not scanned again when
 * more arrive.
 *
 * Refused: the byte c1, and more depth, values or bytes than the limits allow. Extension types
 * have a length like any other value and are accepted here; record.h refuses them and names the
 * field. FRAME_NODES applies to messages up to FRAME_BYTES; a caller that allows more bytes (a
 * client, for messages of its server) allows more values in the same proportion.
 * Not here: checks of map keys and UTF-8, which record.h makes, because it can name the field.
 * Format: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
#ifndef PROTO_BASE_FRAME_SCAN_H
#define PROTO_BASE_FRAME_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"

struct frame_scan {
	size_t at;    /* bytes scanned so far; ends with a complete header or body */
	size_t nodes; /* values seen or announced */
	size_t depth;
	size_t deepest; /* most levels open at once, including empty ones */
	uint32_t left[MAX_FRAME_DEPTH]; /* values still missing at each level */
};

/* Prepare to scan a value from its first byte. */
void frame_scan_init(struct frame_scan *s);

/*
 * Continue the scan. `in` begins with the first byte of the value on each call.
 *
 * OK             the value is complete: it is the first s->at bytes.
 * ERR_MORE       the value is incomplete; call again with more bytes appended.
 * ERR_PROTO      not MessagePack, or a refused type.
 * ERR_TOO_LARGE  more than max_bytes, FRAME_DEPTH or FRAME_NODES.
 */
NODISCARD enum err frame_scan_value(struct frame_scan *s, struct slice in, size_t max_bytes);

/*
 * Return whether a map has this key at its top level, without decoding anything else.
 *
 * @map  as written by record_write(). If it is incomplete, keys after the cut are not found.
 */
bool frame_scan_map_has(struct slice map, struct slice key);

struct frame_scan_key {
	size_t map; /* number of the map that the key is in, in the order of the maps */
	struct slice text;
};

/*
 * List the keys of every map in a value, in order.
 *
 * @value  complete, with strings as keys; the scan ends at the first error.
 * @keys   receives at most cap keys, which point into the value.
 *
 * Returns the number of keys.
 */
size_t frame_scan_keys(struct slice value, struct frame_scan_key *keys, size_t cap);

#endif
