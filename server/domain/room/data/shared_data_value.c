/*
 * shared_data_value.c - what a shared value may be, beyond what its row says: how
 * large, how deep, how much there is of them, and each key of a map once.
 *
 * Clients differ in which of two values under one key they would take, so one
 * value would not be the same for all. Keys are sorted to find out: however a
 * peer chooses them, that takes n log n comparisons.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/frame_scan.h"

/* Any order does where the same keys of a map come together. */
static int value_compare_keys(const void *a, const void *b)
{
	const struct frame_scan_key *left = a;
	const struct frame_scan_key *right = b;
	if (left->map != right->map) {
		return left->map < right->map ? -1 : 1;
	}
	if (left->text.len != right->text.len) {
		return left->text.len < right->text.len ? -1 : 1;
	}
	return memcmp(left->text.data, right->text.data, left->text.len);
}

static enum fault_code value_check_keys(struct room_call *c, struct slice value)
{
	size_t n = frame_scan_keys(value, NULL, 0);
	struct frame_scan_key *keys = n < 2 ? NULL : arena_alloc(c->arena, n * sizeof(*keys));
	if (n < 2) {
		return FAULT_NONE;
	}
	if (keys == NULL) {
		return room_out_of_memory(c);
	}
	(void)frame_scan_keys(value, keys, n);
	qsort(keys, n, sizeof(*keys), value_compare_keys);
	for (size_t i = 1; i < n; i++) {
		if (value_compare_keys(&keys[i - 1], &keys[i]) == 0) {
			return fault_field(c->fault, "value", "must not repeat a key");
		}
	}
	return FAULT_NONE;
}

enum fault_code room_data_check_value(const struct room *r, struct room_call *c,
				      const struct data_set *set, struct slice value,
				      size_t replaced)
{
	struct frame_scan scan;
	frame_scan_init(&scan);
	if (value.len > MAX_DATA_VALUE_BYTES) {
		(void)fault_set_field(c->fault, FAULT_TOO_LARGE, "value", "has at most %d bytes",
				      MAX_DATA_VALUE_BYTES);
		return fault_bounds(c->fault, FAULT_RULE_LENGTH, 0, MAX_DATA_VALUE_BYTES, "bytes");
	}
	if (frame_scan_value(&scan, value, MAX_FRAME_BYTES) != OK ||
	    scan.deepest > MAX_DATA_VALUE_DEPTH) {
		(void)fault_set_field(c->fault, FAULT_TOO_LARGE, "value",
				      "is at most %d levels deep", MAX_DATA_VALUE_DEPTH);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_DATA_VALUE_DEPTH, "levels");
	}
	enum fault_code f = value_check_keys(c, value);
	if (f != FAULT_NONE) {
		return f;
	}
	/* An entry that exists has room for as much as it holds; a new one counts with its id. */
	size_t more = value.len + (replaced == 0 ? DATA_ENTRY_BYTES + MAX_DATA_NAME_BYTES : 0);
	if (more > replaced && r->data.bytes + more > MAX_DATA_BYTES + replaced) {
		(void)fault_set_field(
			c->fault, FAULT_TOO_LARGE, "value",
			"does not fit; the shared data of a room has at most %d bytes",
			MAX_DATA_BYTES);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_DATA_BYTES, "bytes");
	}
	return set->kind != DATA_PRESENCE && more > replaced
		       ? room_check_growth(r, c, more - replaced)
		       : FAULT_NONE;
}
