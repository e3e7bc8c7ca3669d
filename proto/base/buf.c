/*
 * buf.c - growing by doubling, never past the end that was set.
 */
#include "proto/base/buf.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/base/wipe.h"

#define BUF_BYTES_MIN 256

void buf_init(struct buf *b, size_t max_bytes)
{
	*b = (struct buf){.max = max_bytes};
}

void buf_finish(struct buf *b)
{
	wipe(b->data, b->len);
	free(b->data);
	*b = (struct buf){0};
}

void buf_clear(struct buf *b)
{
	wipe(b->data, b->len);
	b->len = 0;
	b->error = OK;
}

char *buf_reserve_slowly(struct buf *b, size_t len)
{
	if (b->error != OK) {
		return NULL;
	}
	if (len > b->max || b->len > b->max - len) {
		b->error = ERR_TOO_LARGE;
		return NULL;
	}
	size_t need = b->len + len;
	if (need > b->capacity || b->data == NULL) {
		size_t capacity = b->capacity < BUF_BYTES_MIN ? BUF_BYTES_MIN : b->capacity;
		while (capacity < need) {
			capacity = capacity > b->max / 2 ? b->max : capacity * 2;
		}
		capacity = capacity > b->max ? b->max : capacity;
		/* Not realloc(), which may leave a copy of the bytes where they were. */
		char *data = malloc(capacity == 0 ? 1 : capacity);
		if (data == NULL) {
			b->error = ERR_NOMEM;
			return NULL;
		}
		if (b->len > 0) {
			memcpy(data, b->data, b->len);
			wipe(b->data, b->len);
		}
		free(b->data);
		b->data = data;
		b->capacity = capacity;
	}
	return b->data + b->len;
}

enum err buf_append_slowly(struct buf *b, const void *data, size_t len)
{
	if (len == 0) {
		return b->error;
	}
	char *to = buf_reserve(b, len);
	if (to == NULL) {
		return b->error;
	}
	memcpy(to, data, len);
	b->len += len;
	return OK;
}

enum err buf_append_slice(struct buf *b, struct slice s)
{
	return buf_append(b, s.data, s.len);
}

enum err buf_printf(struct buf *b, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	size_t len = format_length_v(format, args);
	char *to = buf_reserve(b, len + 1);
	if (to != NULL) {
		b->len += format_to_v(to, len + 1, format, again);
	}
	va_end(again);
	va_end(args);
	return b->error;
}

void buf_drop(struct buf *b, size_t len)
{
	size_t n = len < b->len ? len : b->len;
	if (n == 0) {
		return;
	}
	b->len -= n;
	memmove(b->data, b->data + n, b->len);
	wipe(b->data + b->len, n);
}

char *buf_take(struct buf *b)
{
	char *data = b->len == 0 ? NULL : b->data;
	if (data == NULL) {
		free(b->data);
	}
	*b = (struct buf){.max = b->max};
	return data;
}
