/*
 * redis_args.c - see redis_args.h.
 */
#include "store/redis/link/redis_args.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"
#include "store/items.h"

#define ARGS_TAG_BYTES (3 + DECIMAL_BYTES_MAX) /* "{b4095}" */

void redis_args_clear(struct redis_args *a)
{
	arena_reset(&a->arena);
	a->n = 0;
	a->error = OK;
}

void redis_args_finish(struct redis_args *a)
{
	arena_finish(&a->arena);
	free(a->at);
	*a = (struct redis_args){.n = 0};
}

void redis_args_add(struct redis_args *a, struct slice word)
{
	if (a->n == a->capacity) {
		size_t capacity = a->capacity == 0 ? 64 : 2 * a->capacity;
		struct slice *at = realloc(a->at, capacity * sizeof(*at));
		if (at == NULL) {
			a->error = ERR_NOMEM;
			return;
		}
		a->at = at;
		a->capacity = capacity;
	}
	a->at[a->n++] = word;
}

/* A word of so many bytes, to be filled in; NULL: memory is out. */
static char *args_make(struct redis_args *a, size_t len)
{
	char *bytes = arena_alloc(&a->arena, len + 1);
	if (bytes == NULL) {
		a->error = ERR_NOMEM;
		return NULL;
	}
	redis_args_add(a, slice_of(bytes, len));
	return bytes;
}

void redis_args_copy(struct redis_args *a, struct slice word)
{
	char *bytes = args_make(a, word.len);
	if (bytes != NULL && word.len > 0) {
		memcpy(bytes, word.data, word.len);
	}
}

void redis_args_number(struct redis_args *a, int64_t number)
{
	char text[24];
	size_t len = format_to(text, sizeof(text), "%lld", (long long)number);
	redis_args_copy(a, slice_of(text, len));
}

void redis_args_count(struct redis_args *a, size_t at, size_t n)
{
	redis_args_number(a, (int64_t)n);
	if (a->error == OK) {
		a->at[at] = a->at[--a->n];
	}
}

void redis_args_u64(struct redis_args *a, uint64_t number)
{
	unsigned char bytes[8];
	key_put_u64(bytes, number);
	redis_args_copy(a, slice_of(bytes, sizeof(bytes)));
}

static size_t args_tag(unsigned scope, char out[ARGS_TAG_BYTES])
{
	size_t len = 0;
	out[len++] = '{';
	out[len++] = scope == ITEM_SCOPE_DIRECTORY ? 'd' : 'b';
	len += scope == ITEM_SCOPE_DIRECTORY ? 0 : decimal_write(scope, out + len);
	out[len++] = '}';
	return len;
}

void redis_args_tag(struct redis_args *a, unsigned scope)
{
	char tag[ARGS_TAG_BYTES];
	size_t len = args_tag(scope, tag);
	redis_args_copy(a, slice_of(tag, len));
}

void redis_args_key(struct redis_args *a, unsigned scope, const char *name, struct slice rest)
{
	char tag[ARGS_TAG_BYTES];
	size_t tag_len = args_tag(scope, tag);
	size_t name_len = strlen(name);
	char *bytes = args_make(a, tag_len + name_len + rest.len);
	if (bytes == NULL) {
		return;
	}
	memcpy(bytes, tag, tag_len);
	memcpy(bytes + tag_len, name, name_len);
	if (rest.len > 0) {
		memcpy(bytes + tag_len + name_len, rest.data, rest.len);
	}
}

void redis_args_bound(struct redis_args *a, char sign, struct slice text)
{
	char *bytes = args_make(a, 1 + text.len);
	if (bytes == NULL) {
		return;
	}
	bytes[0] = sign;
	if (text.len > 0) {
		memcpy(bytes + 1, text.data, text.len);
	}
}

void redis_args_end(struct redis_args *a, struct slice prefix)
{
	size_t len = prefix.len;
	while (len > 0 && (unsigned char)prefix.data[len - 1] == 0xff) {
		len--;
	}
	if (len == 0) {
		redis_args_add(a, SLICE("+"));
		return;
	}
	char *bytes = args_make(a, 1 + len);
	if (bytes != NULL) {
		bytes[0] = '(';
		memcpy(bytes + 1, prefix.data, len);
		bytes[len] = (char)((unsigned char)bytes[len] + 1);
	}
}
