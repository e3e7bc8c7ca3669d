/*
 * buf.h - a growing byte buffer with a maximum size.
 *
 * Errors are sticky: after the first failed append the buffer keeps its error and ignores all
 * further appends, so a writer checks for errors once, at the end.
 *
 * Memory is wiped when content is dropped, cleared, moved or finished.
 *
 * Life: buf_init() (or a zeroed struct with max set) .. buf_finish(), which accepts a zeroed
 * struct and leaves one.
 */
#ifndef PROTO_BASE_BUF_H
#define PROTO_BASE_BUF_H

#include <stddef.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

struct buf {
	char *data;
	size_t len;
	size_t capacity;
	size_t max; /* bytes; growing beyond it is ERR_TOO_LARGE */
	enum err error;
};

void buf_init(struct buf *b, size_t max_bytes);
void buf_finish(struct buf *b);

/* Discard content and error, keep the memory. */
void buf_clear(struct buf *b);

/* The slow path of buf_append(): no space, nothing to append, or an error. */
enum err buf_append_slowly(struct buf *b, const void *data, size_t len);

/*
 * Append len bytes. ERR_NOMEM and ERR_TOO_LARGE are also kept in b->error; nothing is appended
 * then. Inline, because messages consist of many small pieces.
 */
static inline enum err buf_append(struct buf *b, const void *data, size_t len)
{
	if (len == 0 || len > b->capacity - b->len || b->error != OK) {
		return buf_append_slowly(b, data, len);
	}
	memcpy(b->data + b->len, data, len);
	b->len += len;
	return OK;
}
enum err buf_append_slice(struct buf *b, struct slice s);
/* Append formatted text; needs space for one byte more than the text. */
enum err buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The slow path of buf_reserve(): no space, or an error. */
char *buf_reserve_slowly(struct buf *b, size_t len);

/*
 * Make space for len more bytes and return a pointer to it, or NULL with b->error set. Does not
 * change b->len.
 */
static inline char *buf_reserve(struct buf *b, size_t len)
{
	if (len >= b->capacity - b->len || b->error != OK) {
		return buf_reserve_slowly(b, len);
	}
	return b->data + b->len;
}

/* Drop the first len bytes. */
void buf_drop(struct buf *b, size_t len);

/*
 * Give the memory to the caller, who must free() it, and leave an empty buffer; NULL if nothing
 * was ever appended.
 */
char *buf_take(struct buf *b);

/* Valid until the next append, drop or finish. */
static inline struct slice buf_slice(const struct buf *b)
{
	return (struct slice){b->data, b->len};
}

#endif
