/*
 * clipboard.c - OSC 52; see clipboard.h.
 */
#include "client/tui/curses/clipboard.h"

#include <string.h>

#include <sodium.h>

bool clipboard_is_likely(const char *term)
{
	static const char *const old[] = {"linux", "dumb", "vt", "ansi", "cons", "sun", "unknown"};
	bool is_old = term == NULL || term[0] == '\0';
	for (size_t i = 0; i < sizeof(old) / sizeof(old[0]) && !is_old; i++) {
		is_old = strncmp(term, old[i], strlen(old[i])) == 0;
	}
	return !is_old;
}

void clipboard_put(struct buf *out, struct slice text)
{
	char base64[sodium_base64_ENCODED_LEN(CLIPBOARD_TEXT_BYTES_MAX,
					      sodium_base64_VARIANT_ORIGINAL)];
	if (text.len > CLIPBOARD_TEXT_BYTES_MAX) {
		return;
	}
	(void)sodium_bin2base64(base64, sizeof(base64), (const unsigned char *)text.data, text.len,
				sodium_base64_VARIANT_ORIGINAL);
	(void)buf_append_slice(out, SLICE("\033]52;c;"));
	(void)buf_append_slice(out, slice_str(base64));
	(void)buf_append_slice(out, SLICE("\a"));
}
