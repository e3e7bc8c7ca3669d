/*
 * sodium.c - the one function of libsodium that buffers and arenas need (proto/base/wipe.c).
 *
 * For `make musl`: Debian has libsodium for glibc only, and what these tests reach
 * needs no more of it.
 */
#include <sodium.h>

void sodium_memzero(void *const pnt, const size_t len)
{
	volatile unsigned char *at = pnt;
	for (size_t i = 0; i < len; i++) {
		at[i] = 0;
	}
}
