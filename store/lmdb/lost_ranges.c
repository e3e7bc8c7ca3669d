/*
 * lost_ranges.c - see lost_ranges.h.
 */
#include "store/lmdb/lost_ranges.h"

#include <stdlib.h>
#include <string.h>

#define LOST_RANGES_UNMERGED_MAX 1024

/* with_end: the key directly behind s, which is s and a byte 00. */
static bool lost_range_set(struct key *k, struct slice s, bool with_end)
{
	if (s.len + with_end > sizeof(k->bytes)) {
		return false;
	}
	memcpy(k->bytes, s.data == NULL ? "" : s.data, s.len);
	k->len = s.len;
	if (with_end) {
		k->bytes[k->len++] = 0;
	}
	return true;
}

static int lost_range_compare(const void *a, const void *b)
{
	const struct lost_range *x = a, *y = b;
	return slice_cmp(key_slice(&x->from), key_slice(&y->from));
}

enum err lost_ranges_merge(struct lost_ranges *r)
{
	size_t n = 0;
	if (r->n == 0) {
		return OK;
	}
	qsort(r->at, r->n, sizeof(*r->at), lost_range_compare);
	for (size_t i = 1; i < r->n; i++) {
		struct lost_range *last = &r->at[n];
		const struct lost_range *range = &r->at[i];
		if (last->has_end && slice_cmp(key_slice(&last->to), key_slice(&range->from)) < 0) {
			r->at[++n] = *range;
		} else if (last->has_end &&
			   (!range->has_end ||
			    slice_cmp(key_slice(&last->to), key_slice(&range->to)) < 0)) {
			last->has_end = range->has_end;
			last->to = range->to;
		}
	}
	r->n = n + 1;
	return r->n > LOST_RANGES_MAX ? ERR_CORRUPT : OK;
}

enum err lost_ranges_add(struct lost_ranges *r, struct slice from, struct slice to, bool with_to)
{
	if (r->n == LOST_RANGES_UNMERGED_MAX) {
		enum err e = lost_ranges_merge(r);
		if (e != OK) {
			return e;
		}
	}
	if (r->n == r->capacity) {
		size_t capacity = 16 + 2 * r->capacity;
		struct lost_range *at = realloc(r->at, capacity * sizeof(*at));
		if (at == NULL) {
			return ERR_NOMEM;
		}
		r->at = at;
		r->capacity = capacity;
	}
	struct lost_range *range = &r->at[r->n++];
	(void)lost_range_set(&range->from, from, false); /* a key of LMDB fits */
	range->has_end = to.len > 0 && lost_range_set(&range->to, to, with_to);
	return OK;
}

/* ---- as bytes: for each range its beginning and its end, each after its length; no end is an empty one ---- */

static void lost_range_write_key(struct buf *out, const struct key *k)
{
	unsigned char len[2] = {(unsigned char)(k->len >> 8), (unsigned char)(k->len & 0xff)};
	(void)buf_append(out, len, sizeof(len));
	(void)buf_append_slice(out, key_slice(k));
}

void lost_ranges_write(const struct lost_ranges *r, struct buf *out)
{
	static const struct key none;
	for (size_t i = 0; i < r->n; i++) {
		lost_range_write_key(out, &r->at[i].from);
		lost_range_write_key(out, r->at[i].has_end ? &r->at[i].to : &none);
	}
}

static bool lost_range_read_key(struct slice *in, struct slice *key)
{
	const unsigned char *at = (const unsigned char *)in->data;
	size_t len = in->len < 2 ? SIZE_MAX : (size_t)at[0] << 8 | at[1];
	if (in->len < 2 || len > KEY_BYTES_MAX || len > in->len - 2) {
		return false;
	}
	*key = slice_of(in->data + 2, len);
	*in = slice_of(in->data + 2 + len, in->len - 2 - len);
	return true;
}

enum err lost_ranges_read(struct lost_ranges *r, struct slice stored)
{
	while (stored.len > 0) {
		struct slice from, to;
		if (!lost_range_read_key(&stored, &from) || !lost_range_read_key(&stored, &to)) {
			return ERR_CORRUPT;
		}
		enum err e = lost_ranges_add(r, from, to, false);
		if (e != OK) {
			return e;
		}
	}
	return lost_ranges_merge(r);
}

/* ---- questions ---- */

bool lost_ranges_have(const struct lost_ranges *r, struct slice item_key)
{
	for (size_t i = 0; i < r->n; i++) {
		if (slice_cmp(key_slice(&r->at[i].from), item_key) <= 0 &&
		    (!r->at[i].has_end || slice_cmp(item_key, key_slice(&r->at[i].to)) < 0)) {
			return true;
		}
	}
	return false;
}

bool lost_ranges_meet(const struct lost_ranges *r, struct slice pk)
{
	struct key first, behind;
	if (r->n == 0) {
		return false;
	}
	key_of_item(&first, pk, SLICE(""));
	behind = first;
	behind.bytes[behind.len - 1] = 1; /* it was the 00 between PK and SK */
	for (size_t i = 0; i < r->n; i++) {
		const struct lost_range *range = &r->at[i];
		if (slice_cmp(key_slice(&range->from), key_slice(&behind)) < 0 &&
		    (!range->has_end || slice_cmp(key_slice(&range->to), key_slice(&first)) > 0)) {
			return true;
		}
	}
	return false;
}

bool lost_ranges_are_all(const struct lost_ranges *r)
{
	return r->n == 1 && r->at[0].from.len == 0 && !r->at[0].has_end;
}

void lost_ranges_finish(struct lost_ranges *r)
{
	free(r->at);
	*r = (struct lost_ranges){NULL, 0, 0};
}
