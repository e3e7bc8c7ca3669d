/*
 * wipe.h - clearing memory that has held what only some may know.
 *
 * Buffers and arenas (buf.h, arena.h) clear what they held by themselves, so a key
 * or a passcode is gone from the process when the request that brought it is; what
 * copies one elsewhere wipes it before it gives the memory back.
 */
#ifndef PROTO_BASE_WIPE_H
#define PROTO_BASE_WIPE_H

#include <stddef.h>

/* As memset() to 0, and never left out, however dead the memory is afterwards. */
void wipe(void *at, size_t len);

#endif
