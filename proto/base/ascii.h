/*
 * ascii.h - the characters of ASCII, whatever the locale is, and texts that differ in their case.
 *
 * Names that people choose are compared by their folded forms (text.h), which know all of Unicode.
 */
#ifndef PROTO_BASE_ASCII_H
#define PROTO_BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool ascii_is_alnum(char c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Return whether the text begins so, in any case. */
static inline bool ascii_starts(struct slice text, struct slice beginning)
{
	size_t i = 0;
	while (i < beginning.len && i < text.len &&
	       ascii_lower(text.data[i]) == ascii_lower(beginning.data[i])) {
		i++;
	}
	return i == beginning.len;
}

/* Return whether the texts are equal but for case. */
static inline bool ascii_is_alike(struct slice a, struct slice b)
{
	return a.len == b.len && ascii_starts(a, b);
}

#endif
