/*
 * slice.h - a pointer to borrowed bytes, and their number.
 *
 * Bytes from outside are never NUL-terminated and may have any value. A slice owns nothing: the
 * function that returns it documents how long it is valid. data may be NULL only if len is 0.
 */
#ifndef PROTO_BASE_SLICE_H
#define PROTO_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
	const char *data;
	size_t len;
};

/* An array of slices, as a decoded list of strings. */
struct slices {
	struct slice *items;
	size_t n;
};

/* For string literals only: the terminator is not part of the slice. */
#define SLICE(literal) ((struct slice){"" literal, sizeof(literal) - 1})
/* The same as an initialiser in a static table. */
#define SLICE_INIT(literal) {"" literal, sizeof(literal) - 1}

static inline struct slice slice_of(const void *data, size_t len)
{
	return (struct slice){data, len};
}

static inline struct slice slice_str(const char *text)
{
	return (struct slice){text, text == NULL ? 0 : strlen(text)};
}

static inline bool slice_eq(struct slice a, struct slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool slice_starts(struct slice s, struct slice prefix)
{
	return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.data, prefix.data, prefix.len) == 0);
}

/* Compare by bytes; if one is a prefix of the other, the shorter comes first. */
static inline int slice_cmp(struct slice a, struct slice b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n == 0 ? 0 : memcmp(a.data, b.data, n);
	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

#endif
