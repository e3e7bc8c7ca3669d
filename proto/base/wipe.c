/*
 * wipe.c - see wipe.h.
 */
#include "proto/base/wipe.h"

#include <sodium.h>

void wipe(void *at, size_t len)
{
	if (len > 0) {
		sodium_memzero(at, len);
	}
}
