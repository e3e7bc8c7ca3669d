/*
 * format.h - printf's formatting into memory, and nothing else of stdio.
 *
 * The pure layers may format text, but not print: format.c is the only one of their
 * files that includes <stdio.h>.
 */
#ifndef PROTO_BASE_FORMAT_H
#define PROTO_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* At most cap bytes with the terminator (cap > 0); longer text is cut at a UTF-8 boundary. Returns the length written. */
size_t format_to(char *out, size_t cap, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t format_to_v(char *out, size_t cap, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

/* How long the whole text would be, without the terminator. */
size_t format_length_v(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
