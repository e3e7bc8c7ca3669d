/*
 * generate.h - any record filled with values its rows allow, from a seed; and
 * whether two records say the same.
 */
#ifndef TESTS_UNIT_PROTO_GENERATE_H
#define TESTS_UNIT_PROTO_GENERATE_H

#include <string.h>

#include "proto/records/records.h"
#include "tests/support/test.h"

struct generator {
	uint64_t state;
	struct arena *arena;
};

static inline uint64_t generate_u64(struct generator *g)
{
	/* splitmix64 */
	uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t generate_below(struct generator *g, uint64_t end)
{
	return generate_u64(g) % end;
}

static inline void *generate_memory(struct generator *g, size_t len)
{
	void *p = arena_alloc(g->arena, len);
	assert_non_null(p);
	return p;
}

/* Between min and max, and often one of the two. */
static inline int64_t generate_int(struct generator *g, int64_t min, int64_t max)
{
	switch (generate_below(g, 4)) {
	case 0:
		return min;
	case 1:
		return max;
	default:
		return min + (int64_t)generate_below(g, (uint64_t)(max - min) + 1);
	}
}

static inline size_t generate_count(struct generator *g, const struct field *f, int64_t most)
{
	return (size_t)generate_int(g, f->min, f->max < most ? f->max : most);
}

/* UTF-8 of exactly len bytes, with all lengths of character in it. */
static inline struct slice generate_text(struct generator *g, size_t len)
{
	static const char *const wide[] = {"", "\x1f", "\xc2\x80", "\xe2\x88\x9e",
					   "\xf0\x9f\x98\x80"};
	char *text = generate_memory(g, len + 1);
	for (size_t at = 0; at < len;) {
		size_t n = 1 + generate_below(g, 4);
		if (n == 1 || n > len - at) {
			text[at++] = (char)('!' + generate_below(g, 94));
		} else {
			memcpy(text + at, wide[n], n);
			at += n;
		}
	}
	return slice_of(text, len);
}

/* Text as text_clean() leaves it, of one or two bytes a cell. */
static inline struct slice generate_clean(struct generator *g, const struct field *f)
{
	int64_t most = f->cells != 0 && (int64_t)f->cells < f->max ? (int64_t)f->cells : f->max;
	size_t cells = (size_t)generate_int(g, f->min, most < 600 ? most : 600), at = 0;
	char *text = generate_memory(g, 2 * cells + 1);
	for (size_t i = 0; i < cells; i++) {
		bool is_wide = at + 2 + (cells - i) <= (size_t)f->max && generate_below(g, 4) == 0;
		if (is_wide) {
			text[at++] = '\xc3'; /* e with an acute */
			text[at++] = '\xa9';
		} else {
			text[at++] = (char)('a' + generate_below(g, 26));
		}
	}
	return slice_of(text, at);
}

static inline struct slice generate_any(struct generator *g)
{
	static const struct slice values[] = {
		{"\x80", 1},
		{"\xc0", 1},
		{"\x82\xa1z\x01\xa1y\x92\xc2\xff", 9},
		{"\x81\xa1z\xcb\x3f\xe8\x00\x00\x00\x00\x00\x00", 12},
		{"\xcf\x7f\xff\xff\xff\xff\xff\xff\xff", 9},
		{"\xd3\x80\x00\x00\x00\x00\x00\x00\x00", 9},
	};
	return values[generate_below(g, sizeof(values) / sizeof(values[0]))];
}

static inline void generate_record(struct generator *g, const struct record *rec, void *out);

static inline void generate_value(struct generator *g, const struct field *f, char *member)
{
	switch (f->kind) {
	case FIELD_BOOL:
		*(bool *)member = generate_below(g, 2) == 1;
		return;
	case FIELD_INT:
		*(int64_t *)member = generate_int(g, f->min, f->max);
		return;
	case FIELD_NUM:
		*(double *)member = (double)generate_int(g, -100000, 100000) / 8;
		return;
	case FIELD_STR:
		if ((f->flags & FIELD_NIL) == 0 || generate_below(g, 3) > 0) {
			*(struct slice *)member = generate_text(g, generate_count(g, f, 600));
		}
		return;
	case FIELD_TEXT:
		if ((f->flags & FIELD_NIL) == 0 || generate_below(g, 3) > 0) {
			*(struct slice *)member = generate_clean(g, f);
		}
		return;
	case FIELD_ENUM:
		*(int *)member = (int)generate_int(g, f->min, f->max);
		return;
	case FIELD_STRS: {
		struct slices *strs = (struct slices *)member;
		strs->n = generate_count(g, f, 64);
		strs->items = generate_memory(g, strs->n * sizeof(*strs->items));
		for (size_t i = 0; i < strs->n; i++) {
			struct field each = {.min = 1, .max = 40, .cells = 10};
			strs->items[i] =
				f->cells != 0 ? generate_clean(g, &each)
					      : generate_text(g, generate_below(g, MAX_CARD_BYTES + 1));
		}
		return;
	}
	case FIELD_REC:
		generate_record(g, f->of, member);
		return;
	case FIELD_RECS: {
		size_t n = generate_count(g, f, 12);
		char *items = generate_memory(g, n * f->of->size);
		for (size_t i = 0; i < n; i++) {
			generate_record(g, f->of, items + i * f->of->size);
		}
		memcpy(member, &items, sizeof(items));
		memcpy(member + sizeof(items), &n, sizeof(n));
		return;
	}
	case FIELD_ANY:
		*(struct slice *)member = generate_any(g);
		return;
	}
}

static inline void generate_record(struct generator *g, const struct record *rec, void *out)
{
	memset(out, 0, rec->size);
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		char *member = (char *)out + f->offset;
		bool with = (f->flags & FIELD_REQ) != 0 || generate_below(g, 2) == 1;
		memcpy(member + f->size, &with, sizeof(with));
		if (with) {
			generate_value(g, f, member);
		}
	}
}

static inline void assert_same_text(struct slice a, struct slice b)
{
	assert_int_equal(a.data == NULL, b.data == NULL);
	assert_true(slice_eq(a, b));
}

static inline void assert_same_record(const struct record *rec, const void *a, const void *b);

static inline void assert_same_value(const struct field *f, const void *a, const void *b)
{
	switch (f->kind) {
	case FIELD_BOOL:
		assert_int_equal(*(const bool *)a, *(const bool *)b);
		return;
	case FIELD_INT:
		assert_true(*(const int64_t *)a == *(const int64_t *)b);
		return;
	case FIELD_ENUM:
		assert_int_equal(*(const int *)a, *(const int *)b);
		return;
	case FIELD_NUM:
		assert_memory_equal(a, b, sizeof(double));
		return;
	case FIELD_STR:
	case FIELD_TEXT:
	case FIELD_ANY:
		assert_same_text(*(const struct slice *)a, *(const struct slice *)b);
		return;
	case FIELD_STRS: {
		const struct slices *x = a, *y = b;
		assert_int_equal(x->n, y->n);
		for (size_t i = 0; i < x->n; i++) {
			assert_true(slice_eq(x->items[i], y->items[i]));
		}
		return;
	}
	case FIELD_REC:
		assert_same_record(f->of, a, b);
		return;
	case FIELD_RECS: {
		const char *x, *y;
		size_t n, m;
		memcpy(&x, a, sizeof(x));
		memcpy(&y, b, sizeof(y));
		memcpy(&n, (const char *)a + sizeof(x), sizeof(n));
		memcpy(&m, (const char *)b + sizeof(y), sizeof(m));
		assert_int_equal(n, m);
		for (size_t i = 0; i < n; i++) {
			assert_same_record(f->of, x + i * f->of->size, y + i * f->of->size);
		}
		return;
	}
	}
}

static inline void assert_same_record(const struct record *rec, const void *a, const void *b)
{
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		assert_int_equal(field_with(f, a), field_with(f, b));
		assert_same_value(f, field_member(f, a), field_member(f, b));
	}
}

#endif
