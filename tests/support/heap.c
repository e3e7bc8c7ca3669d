/*
 * heap.c - the wrappers that heap.h describes; see --wrap in ld(1).
 */
#include "tests/support/heap.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t max);

/* Atomic, because code under test may have threads of its own. */
static _Atomic size_t calls_left = SIZE_MAX; /* until the one that fails; SIZE_MAX: none will */
static _Atomic bool fails_onwards;
static _Atomic bool failed;
static _Atomic bool paused;
static _Atomic size_t calls;

void heap_fail_nth(size_t nth, bool onwards)
{
	calls_left = nth;
	fails_onwards = onwards;
	failed = false;
}

void heap_fail_never(void)
{
	calls_left = SIZE_MAX;
}

bool heap_has_failed(void)
{
	return failed;
}

void heap_pause(bool is_paused)
{
	paused = is_paused;
}

size_t heap_calls(void)
{
	return calls;
}

size_t heap_bytes(void)
{
	struct mallinfo2 all = mallinfo2();
	return all.uordblks + all.hblkhd;
}

static bool heap_refuses(void)
{
	if (paused) {
		return false;
	}
	calls++;
	size_t left = calls_left;
	while (left > 0 && left != SIZE_MAX) {
		if (atomic_compare_exchange_weak(&calls_left, &left, left - 1)) {
			return false;
		}
	}
	if (left == SIZE_MAX) {
		return false;
	}
	failed = true;
	if (!fails_onwards) {
		calls_left = SIZE_MAX;
	}
	return true;
}

void *__wrap_malloc(size_t size)
{
	return heap_refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return heap_refuses() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return heap_refuses() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = __wrap_malloc(size);
	return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *__wrap_strndup(const char *text, size_t max)
{
	size_t len = strnlen(text, max);
	char *copy = __wrap_malloc(len + 1);
	if (copy != NULL) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}
