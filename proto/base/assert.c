/*
 * assert.c - ends the program when an assertion fails.
 *
 * The one place below main and the loops that writes to a descriptor: no caller is
 * left to report the failure.
 */
#include "proto/base/assert.h"

#include <stdlib.h>
#include <unistd.h>

#include "proto/base/format.h"

static _Noreturn void assert_end(const char *line, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDERR_FILENO, line, len);
		if (n <= 0) {
			break;
		}
		line += n;
		len -= (size_t)n;
	}
	abort();
}

_Noreturn void assert_failed(const char *file, int line, const char *claim)
{
	char text[512];
	size_t len = format_to(text, sizeof(text), "%s:%d: does not hold: %s\n", file, line, claim);
	assert_end(text, len);
}

_Noreturn void assert_cmp_failed(const char *file, int line, const char *claim, intmax_t a,
				 intmax_t b)
{
	char text[512];
	size_t len = format_to(text, sizeof(text), "%s:%d: does not hold: %s (%jd and %jd)\n", file,
			       line, claim, a, b);
	assert_end(text, len);
}
