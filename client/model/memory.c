/*
 * memory.c - allocations that succeed or end the program; see memory.h.
 */
#include "client/model/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"

static void (*memory_end)(const char *what);

void memory_set_end(void (*end)(const char *what))
{
	memory_end = end;
}

_Noreturn void memory_is_out_of(const char *what)
{
	if (memory_end != NULL) {
		memory_end(what);
	}
	assert_failed(__FILE__, __LINE__, what);
}

_Noreturn void memory_is_out(void)
{
	memory_is_out_of("memory");
}

void *memory_have(void *block)
{
	if (block == NULL) {
		memory_is_out();
	}
	return block;
}

void *memory_new(size_t n, size_t size)
{
	return memory_have(calloc(n == 0 ? 1 : n, size == 0 ? 1 : size));
}

void *memory_grow(void *block, size_t n, size_t size)
{
	if (size > 0 && n > SIZE_MAX / size) {
		memory_is_out();
	}
	return memory_have(realloc(block, n * size == 0 ? 1 : n * size));
}

char *memory_text(const char *text)
{
	return memory_text_of(slice_str(text == NULL ? "" : text));
}

char *memory_text_of(struct slice text)
{
	char *copy = memory_new(text.len + 1, 1);
	if (text.len > 0) {
		memcpy(copy, text.data, text.len);
	}
	return copy;
}

struct slice memory_copy(struct arena *arena, struct slice text)
{
	bool ok = true;
	struct slice copy = arena_copy(arena, text, &ok);
	(void)memory_check(ok ? OK : ERR_NOMEM);
	return copy;
}

enum err memory_check(enum err e)
{
	if (e == ERR_NOMEM) {
		memory_is_out();
	}
	return e;
}
