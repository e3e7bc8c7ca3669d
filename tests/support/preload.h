/*
 * preload.h - for shared objects that are preloaded into a server and take the place of functions of libc.
 * They define _GNU_SOURCE before they include anything.
 */
#ifndef TESTS_SUPPORT_PRELOAD_H
#define TESTS_SUPPORT_PRELOAD_H

#include <dlfcn.h>
#include <stddef.h>

/* `real` is the function that ours is called in place of. It is read from an object pointer, as POSIX has it for dlsym(). */
#define REAL(name)                                                 \
	static __typeof__(&name) real;                             \
	if (real == NULL) {                                        \
		*(void **)(void *)&real = dlsym(RTLD_NEXT, #name); \
	}

#endif
