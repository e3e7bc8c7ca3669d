/*
 * format.c - the only file of the pure layers that includes <stdio.h>.
 */
#include "proto/base/format.h"

#include <stdio.h>

#include "proto/base/assert.h"

/* Bytes of text[0..len) without the beginning of a character that the cut left behind. */
static size_t format_cut(const char *text, size_t len)
{
	size_t back = 1;
	while (back <= 3 && back <= len && ((unsigned char)text[len - back] & 0xc0) == 0x80) {
		back++;
	}
	if (back > len) {
		return len;
	}
	unsigned char lead = (unsigned char)text[len - back];
	size_t need = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	return need > back ? len - back : len;
}

size_t format_to_v(char *out, size_t cap, const char *format, va_list args)
{
	ASSERT(cap > 0);
	int n = vsnprintf(out, cap, format, args);
	if (n < 0) {
		out[0] = '\0';
		return 0;
	}
	size_t len = (size_t)n;
	if (len >= cap) {
		len = format_cut(out, cap - 1);
		out[len] = '\0';
	}
	return len;
}

size_t format_length_v(const char *format, va_list args)
{
	int n = vsnprintf(NULL, 0, format, args);
	return n < 0 ? 0 : (size_t)n;
}

size_t format_to(char *out, size_t cap, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	size_t len = format_to_v(out, cap, format, args);
	va_end(args);
	return len;
}
