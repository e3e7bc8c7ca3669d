/*
 * utf8.c - a validator that gets over ASCII eight bytes at a time.
 */
#include "proto/text/utf8.h"

#include <stdint.h>
#include <string.h>

#define UTF8_HIGH_BITS UINT64_C(0x8080808080808080)

static size_t utf8_skip_ascii(const unsigned char *p, size_t at, size_t len)
{
	while (len - at >= sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, p + at, sizeof(word));
		if ((word & UTF8_HIGH_BITS) != 0) {
			break;
		}
		at += sizeof(word);
	}
	while (at < len && p[at] < 0x80) {
		at++;
	}
	return at;
}

/* Length of the character at p of `left` bytes, 0 where there is none. After the table of the
 * Unicode standard (3-7). */
static size_t utf8_char(const unsigned char *p, size_t left)
{
	unsigned char lead = p[0], low = 0x80, high = 0xbf;
	size_t need;
	if (lead >= 0xc2 && lead <= 0xdf) {
		need = 2;
	} else if (lead >= 0xe0 && lead <= 0xef) {
		need = 3;
		low = lead == 0xe0 ? 0xa0 : 0x80;
		high = lead == 0xed ? 0x9f : 0xbf;
	} else if (lead >= 0xf0 && lead <= 0xf4) {
		need = 4;
		low = lead == 0xf0 ? 0x90 : 0x80;
		high = lead == 0xf4 ? 0x8f : 0xbf;
	} else {
		return 0;
	}
	if (left < need || p[1] < low || p[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < need; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	return need;
}

bool utf8_is_valid(struct slice s)
{
	const unsigned char *p = (const unsigned char *)s.data;
	size_t at = 0;
	while ((at = utf8_skip_ascii(p, at, s.len)) < s.len) {
		size_t len = utf8_char(p + at, s.len - at);
		if (len == 0) {
			return false;
		}
		at += len;
	}
	return true;
}

size_t utf8_chars(struct slice s)
{
	size_t chars = 0;
	for (size_t i = 0; i < s.len; i++) {
		chars += ((unsigned char)s.data[i] & 0xc0) != 0x80;
	}
	return chars;
}
