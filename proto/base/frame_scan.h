/*
 * frame_scan.h - finding the end of one MessagePack value in untrusted bytes.
 *
 * Reads headers only, allocates nothing, recurses never. A claimed count or
 * length is compared with the limits before anything else happens. Resumable:
 * bytes that were scanned are not scanned again when more arrive.
 *
 * Refused: c1; more depth, values or bytes than the limits. Extension types have a
 * length like any other value and pass: record.h refuses them by the field they are in.
 * FRAME_NODES is for messages up to FRAME_BYTES; a caller that allows more bytes (a
 * client, for messages of its server) allows more values in the same proportion.
 * Not here: map keys and UTF-8, which record.h checks, since it can name the field.
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
	size_t at;    /* bytes scanned so far, all of them whole headers and bodies */
	size_t nodes; /* values seen or announced */
	size_t depth;
	size_t deepest; /* the most levels that were open at once, an empty one counted */
	uint32_t left[MAX_FRAME_DEPTH]; /* values still missing at each level */
};

/* Ready for the first byte of a value. */
void frame_scan_init(struct frame_scan *s);

/*
 * Continue through `in`, which begins with the value's first byte each time.
 *
 * OK             a whole value: it is the first s->at bytes.
 * ERR_MORE       the value continues; call again with more bytes behind these.
 * ERR_PROTO      not MessagePack, or a type that is refused.
 * ERR_TOO_LARGE  beyond max_bytes, FRAME_DEPTH or FRAME_NODES.
 */
NODISCARD enum err frame_scan_value(struct frame_scan *s, struct slice in, size_t max_bytes);

/*
 * Whether a map has that key at its top, without decoding anything else.
 *
 * @map  As record_write() makes it. What is not whole has no keys beyond its cut.
 */
bool frame_scan_map_has(struct slice map, struct slice key);

struct frame_scan_key {
	size_t map; /* which of the value's maps it is in */
	struct slice text;
};

/*
 * The keys of every map in a value, in order.
 *
 * @value  Whole, and with strings as keys; the scan ends at the first fault.
 * @keys   Gets at most cap of them; they point into the value.
 *
 * Returns how many there are.
 */
size_t frame_scan_keys(struct slice value, struct frame_scan_key *keys, size_t cap);

#endif
