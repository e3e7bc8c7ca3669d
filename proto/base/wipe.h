/*
 * wipe.h - clear memory that held secrets.
 *
 * Buffers and arenas (buf.h, arena.h) wipe their own memory, so a key or a passcode is gone from
 * the process when the request that contained it is finished. Code that copies a secret elsewhere
 * wipes the copy before it frees the memory.
 */
#ifndef PROTO_BASE_WIPE_H
#define PROTO_BASE_WIPE_H

#include <stddef.h>

/* Set memory to 0; unlike memset(), never removed by the compiler. */
void wipe(void *at, size_t len);

#endif
