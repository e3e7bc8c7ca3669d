/*
 * fingerprint.c - see fingerprint.h.
 */
#include "proto/keys/fingerprint.h"

#include <string.h>

static const char fingerprint_alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* What a character of base64 stands for; -1: it is none. */
static int fingerprint_sextet(char c)
{
	const char *at = memchr(fingerprint_alphabet, c, sizeof(fingerprint_alphabet) - 1);
	return at == NULL ? -1 : (int)(at - fingerprint_alphabet);
}

/* @unused  how many values the last character takes for one and the same digest: one spelling leaves those bits 0. */
static bool fingerprint_has_form(struct slice text, size_t chars, int unused)
{
	int last = -1;
	if (text.len != chars || !slice_starts(text, SLICE(FINGERPRINT_PREFIX))) {
		return false;
	}
	for (size_t i = sizeof(FINGERPRINT_PREFIX) - 1; i < text.len; i++) {
		last = fingerprint_sextet(text.data[i]);
		if (last < 0) {
			return false;
		}
	}
	return last % unused == 0;
}

bool fingerprint_is_formed(struct slice text)
{
	return fingerprint_has_form(text, FINGERPRINT_CHARS, 4); /* 258 bits */
}

bool fingerprint_is_pin(struct slice text)
{
	return fingerprint_is_formed(text) ||
	       fingerprint_has_form(text, FINGERPRINT_SHORT_CHARS, 16); /* 132 bits */
}

struct fingerprint fingerprint_shorten(const struct fingerprint *of)
{
	struct fingerprint to = {""};
	enum { LAST = FINGERPRINT_SHORT_CHARS - 1 };
	if (!fingerprint_is_formed(slice_str(of->text))) {
		return *of;
	}
	memcpy(to.text, of->text, FINGERPRINT_SHORT_CHARS);
	to.text[LAST] = fingerprint_alphabet[fingerprint_sextet(to.text[LAST]) / 16 * 16];
	return to;
}

bool fingerprint_pins(const struct fingerprint *pin, const struct fingerprint *certificate)
{
	struct fingerprint its = *certificate;
	if (strlen(pin->text) == FINGERPRINT_SHORT_CHARS) {
		its = fingerprint_shorten(certificate);
	}
	return pin->text[0] != '\0' && strcmp(pin->text, its.text) == 0;
}

bool fingerprint_hex(const struct fingerprint *of, char out[FINGERPRINT_HEX_CHARS + 1])
{
	static const char digits[] = "0123456789ABCDEF";
	const char *next = of->text + sizeof(FINGERPRINT_PREFIX) - 1;
	unsigned bits = 0; /* the last `held` of them are not written yet */
	int held = 0;
	size_t n = 0;
	out[0] = '\0';
	if (!fingerprint_is_formed(slice_str(of->text))) {
		return false;
	}
	while (n < FINGERPRINT_HEX_CHARS) {
		if (held < 8) {
			bits = bits << 6 | (unsigned)fingerprint_sextet(*next++);
			held += 6;
			continue;
		}
		held -= 8;
		out[n++] = digits[bits >> (held + 4) & 15];
		out[n++] = digits[bits >> held & 15];
		out[n++] = ':';
	}
	out[FINGERPRINT_HEX_CHARS] = '\0';
	return true;
}
