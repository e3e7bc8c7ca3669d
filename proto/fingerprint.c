/*
 * fingerprint.c - see fingerprint.h.
 */
#include "proto/fingerprint.h"

#include <string.h>

bool fingerprint_is_formed(struct slice text)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	if (text.len != FINGERPRINT_CHARS || !slice_starts(text, SLICE(FINGERPRINT_PREFIX))) {
		return false;
	}
	for (size_t i = sizeof(FINGERPRINT_PREFIX) - 1; i < text.len; i++) {
		if (memchr(alphabet, text.data[i], sizeof(alphabet) - 1) == NULL) {
			return false;
		}
	}
	return true;
}
