/*
 * memory.h - allocations of the client, none of which fails.
 *
 * A client without memory has nothing to save that the server does not have, so
 * it ends: the handler of main.c restores the terminal, says so in one line and
 * exits. Code that allocates through here has no error to carry. What the
 * libraries and proto report as ERR_NOMEM ends in memory_check().
 *
 * Threads: one thread.
 */
#ifndef CLIENT_MODEL_MEMORY_H
#define CLIENT_MODEL_MEMORY_H

#include <stddef.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

/* What ends the program, where it is out of `what`; it must not return, nor allocate. Without one the program aborts. */
void memory_set_end(void (*end)(const char *what));
/* Out of memory, or of something else that no client can do without: ends the program. */
_Noreturn void memory_is_out(void);
_Noreturn void memory_is_out_of(const char *what);

/* All results are never NULL; free() gives them back. */

/* Room for n things of that size each, all zero; for one byte where that is none. */
void *memory_new(size_t n, size_t size);
/* realloc() to n things of that size each; what is new is not set. */
void *memory_grow(void *block, size_t n, size_t size);
/* A copy that ends with NUL; of NULL it is "". */
char *memory_text(const char *text);
char *memory_text_of(struct slice text);

/* A copy with the arena's life. */
struct slice memory_copy(struct arena *arena, struct slice text);

/* The block, which somebody else has allocated; NULL ends the program. */
void *memory_have(void *block);
/* e, unless it is ERR_NOMEM, which ends the program. */
enum err memory_check(enum err e);

#endif
