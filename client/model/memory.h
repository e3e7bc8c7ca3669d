/*
 * memory.h - allocations of the client, which never fail.
 *
 * A client has nothing to save that the server does not have, so without memory it
 * ends: the handler of main.c restores the terminal, prints one line and exits.
 * Callers have no error to handle. ERR_NOMEM from libraries and proto is passed to
 * memory_check().
 *
 * Threads: one thread.
 */
#ifndef CLIENT_MODEL_MEMORY_H
#define CLIENT_MODEL_MEMORY_H

#include <stddef.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"

/*
 * Set the handler that ends the program when it is out of `what`; it must not return or allocate.
 * Default: abort.
 */
void memory_set_end(void (*end)(const char *what));
/* End the program: it is out of memory, or of another resource. */
_Noreturn void memory_is_out(void);
_Noreturn void memory_is_out_of(const char *what);

/* Results are never NULL, and are freed by free(). */

/* Allocate n zeroed elements of that size; at least one byte. */
void *memory_new(size_t n, size_t size);
/* realloc() to n elements of that size; new ones are uninitialised. */
void *memory_grow(void *block, size_t n, size_t size);
/* A NUL-terminated copy; "" for NULL. */
char *memory_text(const char *text);
char *memory_text_of(struct slice text);

/* A copy in the arena. */
struct slice memory_copy(struct arena *arena, struct slice text);

/* Return a block allocated elsewhere; NULL ends the program. */
void *memory_have(void *block);
/* Return e; ERR_NOMEM ends the program. */
enum err memory_check(enum err e);

#endif
