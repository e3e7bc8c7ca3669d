/*
 * format.h - printf-style formatting into memory.
 *
 * The pure layers may format text but not print it: format.c is their only file that includes
 * <stdio.h>.
 */
#ifndef PROTO_BASE_FORMAT_H
#define PROTO_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/*
 * Write at most cap bytes including the terminator (cap > 0); longer text is truncated at a UTF-8
 * boundary. Returns the length written.
 */
size_t format_to(char *out, size_t cap, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t format_to_v(char *out, size_t cap, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

/* Return the length of the whole text, without the terminator. */
size_t format_length_v(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Return what goes before word i of n in a list such as "a, b and c", where `last` is " and ". */
static inline const char *format_between(size_t i, size_t n, const char *last)
{
	return i == 0 ? "" : i + 1 == n ? last : ", ";
}

#endif
