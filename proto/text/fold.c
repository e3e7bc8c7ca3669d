/*
 * fold.c - how names are compared (text.h): their folded form, and scripts that look alike.
 */
#include "proto/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum err text_fold(struct slice clean, char *out, size_t cap, size_t *len)
{
	utf8proc_uint8_t *folded = NULL;
	/* IGNORE: marks that draw nothing, such as variation selectors, tell no two names apart. */
	const utf8proc_option_t options = UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
					  UTF8PROC_IGNORE | UTF8PROC_STABLE;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)clean.data,
					  (utf8proc_ssize_t)clean.len, &folded, options);
	if (n < 0) {
		return n == UTF8PROC_ERROR_NOMEM ? ERR_NOMEM : ERR_INVALID;
	}
	enum err e = (size_t)n <= cap ? OK : ERR_TOO_LARGE;
	if (e == OK) {
		memcpy(out, folded, (size_t)n);
		*len = (size_t)n;
	}
	free(folded);
	return e;
}

/* ---- scripts ---- */

enum fold_script {
	FOLD_OTHER = 0,
	FOLD_LATIN = 1,
	FOLD_GREEK_OR_CYRILLIC = 2,
};

/* Blocks of letters that a folded name may have; libutf8proc has no table of scripts. */
static const struct {
	int32_t first, last;
	enum fold_script script;
} fold_scripts[] = {
	{'a', 'z', FOLD_LATIN},
	{0x00df, 0x00f6, FOLD_LATIN},
	{0x00f8, 0x02af, FOLD_LATIN},
	{0x0370, 0x03ff, FOLD_GREEK_OR_CYRILLIC},
	{0x0400, 0x052f, FOLD_GREEK_OR_CYRILLIC},
	{0x1c80, 0x1c8f, FOLD_GREEK_OR_CYRILLIC},
	{0x1d00, 0x1d25, FOLD_LATIN},
	{0x1d26, 0x1d2b, FOLD_GREEK_OR_CYRILLIC},
	{0x1d6b, 0x1d77, FOLD_LATIN},
	{0x1d79, 0x1d9a, FOLD_LATIN},
	{0x1e00, 0x1eff, FOLD_LATIN},
	{0x1f00, 0x1fff, FOLD_GREEK_OR_CYRILLIC},
	{0x2c60, 0x2c7f, FOLD_LATIN},
	{0x2de0, 0x2dff, FOLD_GREEK_OR_CYRILLIC},
	{0xa640, 0xa69f, FOLD_GREEK_OR_CYRILLIC},
	{0xa722, 0xa787, FOLD_LATIN},
	{0xa78b, 0xa7ff, FOLD_LATIN},
	{0xab30, 0xab64, FOLD_LATIN},
	{0xab65, 0xab65, FOLD_GREEK_OR_CYRILLIC},
};

static enum fold_script fold_script_of(int32_t c)
{
	for (size_t i = 0; i < sizeof(fold_scripts) / sizeof(fold_scripts[0]); i++) {
		if (c >= fold_scripts[i].first && c <= fold_scripts[i].last) {
			return fold_scripts[i].script;
		}
	}
	return FOLD_OTHER;
}

bool text_mixes_scripts(struct slice folded)
{
	unsigned seen = 0;
	for (size_t at = 0; at < folded.len;) {
		int32_t c;
		utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)folded.data + at,
						      (utf8proc_ssize_t)(folded.len - at), &c);
		if (n <= 0) {
			return false; /* no folded text */
		}
		at += (size_t)n;
		seen |= fold_script_of(c);
	}
	return seen == (FOLD_LATIN | FOLD_GREEK_OR_CYRILLIC);
}
