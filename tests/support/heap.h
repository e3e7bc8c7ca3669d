/*
 * heap.h - make the nth allocation of our code fail.
 *
 * Every test program is linked with --wrap for malloc, calloc, realloc,
 * strdup and strndup, so the code under test needs no hooks. What libraries allocate for
 * themselves is not touched. Leaks are the sanitizers' and valgrind's part.
 */
#ifndef TESTS_SUPPORT_HEAP_H
#define TESTS_SUPPORT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* The nth allocation from now fails (0: the next one), and with `onwards` all after it; heap_fail_never() ends it. */
void heap_fail_nth(size_t nth, bool onwards);
void heap_fail_never(void);
/* Whether an allocation was refused since heap_fail_nth(): false means the walk has passed the last one. */
bool heap_has_failed(void);

/* While paused, allocations neither fail nor count: for what the test itself needs. */
void heap_pause(bool is_paused);
/* Allocations so far that counted. */
size_t heap_calls(void);
/* Bytes that the whole process holds now, the test's own included; always 0 where a sanitizer keeps the heap. */
size_t heap_bytes(void);

#endif
