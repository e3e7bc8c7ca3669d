/*
 * fuzz_text.c - any bytes as a name and as lines: what comes out is safe, fits, and stays as it is.
 */
#include <string.h>
#include <utf8proc.h>

#include "proto/base/assert.h"
#include "proto/deck.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"

#define FUZZ_BYTES_MAX 512

enum {
	FUZZ_ZWNJ = 0x200c,
	FUZZ_ZWJ = 0x200d,
	FUZZ_ALM = 0x61c,
	FUZZ_LRM = 0x200e,
	FUZZ_RLM = 0x200f
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Told again here, by code points and not by the tables of text.c. Joiners are looked at apart. */
static bool fuzz_is_forbidden(int32_t c)
{
	if (c == FUZZ_ZWNJ || c == FUZZ_ZWJ) {
		return false;
	}
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x34f || c == 0x61c ||
	       c == 0x115f || c == 0x1160 || c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0x2800 ||
	       c == 0x3164 || (c >= 0xd800 && c <= 0xf8ff) || c == 0xfeff || c == 0xffa0 ||
	       c == 0xffff || c == 0xfffe || c >= 0xe0000;
}

/* What a joiner may stand behind and before: an emoji, and in lines a letter of Arabic or a later block. */
static void fuzz_check_joiner(bool in_lines, int32_t before, int32_t c, int32_t next)
{
	bool is_emoji = c == FUZZ_ZWJ && next >= 0xa9 && before >= 0xa9;
	ASSERT(before != FUZZ_ZWJ && before != FUZZ_ZWNJ);
	ASSERT(is_emoji || (in_lines && before >= 0x300));
}

static int32_t fuzz_point(struct slice text, size_t *at)
{
	int32_t c = -1;
	if (*at < text.len) {
		*at += (size_t)utf8proc_iterate((const utf8proc_uint8_t *)text.data + *at,
						(utf8proc_ssize_t)(text.len - *at), &c);
	}
	return c;
}

static void fuzz_check_lines(struct slice text)
{
	size_t marks = 0;
	int32_t before = -1;
	ASSERT(utf8_is_valid(text));
	for (size_t at = 0; at < text.len;) {
		int32_t c = fuzz_point(text, &at);
		size_t behind = at;
		bool is_allowed = c == '\n' || c == '\t' || c == FUZZ_ALM || c == FUZZ_LRM ||
				  c == FUZZ_RLM || (c >= 0xe0100 && c <= 0xe01ef);
		ASSERT(is_allowed || !fuzz_is_forbidden(c));
		if (c == FUZZ_ZWNJ || c == FUZZ_ZWJ) {
			fuzz_check_joiner(true, before, c, fuzz_point(text, &behind));
		} else {
			marks = utf8proc_category(c) == UTF8PROC_CATEGORY_MN ? marks + 1 : 0;
		}
		ASSERT_CMP(marks, <=, 4);
		before = c;
	}
}

static void fuzz_check(struct slice text)
{
	ASSERT(utf8_is_valid(text));
	ASSERT(text.len == 0 || (text.data[0] != ' ' && text.data[text.len - 1] != ' '));
	bool was_space = false;
	size_t marks = 0;
	int32_t before = -1;
	for (size_t at = 0; at < text.len;) {
		int32_t c = fuzz_point(text, &at);
		size_t behind = at;
		if (c == FUZZ_ZWNJ || c == FUZZ_ZWJ) {
			fuzz_check_joiner(false, before, c, fuzz_point(text, &behind));
		}
		before = c;
		bool is_mark = utf8proc_category(c) == UTF8PROC_CATEGORY_MN;
		marks = is_mark ? marks + 1 : 0;
		/* Variation selectors from U+E0100 on are marks, and the only ones up there. */
		ASSERT(!fuzz_is_forbidden(c) || (c >= 0xe0100 && c <= 0xe01ef));
		ASSERT_CMP(marks, <=, 2);
		ASSERT(!(was_space && c == ' '));
		was_space = c == ' ';
	}
}

/* A second time changes nothing. */
static void fuzz_clean_again(struct slice text)
{
	char again[FUZZ_BYTES_MAX];
	size_t len = 0;
	int32_t bad;
	enum err e = text_clean(text, again, sizeof(again), &len, &bad);
	ASSERT_CMP(e, ==, OK);
	ASSERT(slice_eq(text, slice_of(again, len)));
	ASSERT_CMP(text_soften(text, again, sizeof(again)), ==, text.len);
	ASSERT(slice_eq(text, slice_of(again, text.len)));
}

static void fuzz_clean_lines_again(struct slice text)
{
	char again[FUZZ_BYTES_MAX];
	size_t len = 0;
	int32_t bad;
	enum err e = text_clean_lines(text, again, sizeof(again), &len, &bad);
	ASSERT_CMP(e, ==, OK);
	ASSERT(slice_eq(text, slice_of(again, len)));
	ASSERT_CMP(text_soften_lines(text, again, sizeof(again)), ==, text.len);
	ASSERT(slice_eq(text, slice_of(again, text.len)));
	struct slice trimmed = text_trim_lines(text);
	ASSERT(slice_eq(trimmed, text_trim_lines(trimmed)));
}

static void fuzz_measure(struct slice text)
{
	size_t cells = text_cells(text);
	ASSERT_CMP(text_fit(text, cells), ==, text.len);
	size_t bytes = text_fit(text, cells / 2);
	ASSERT_CMP(text_cells(slice_of(text.data, bytes)), <=, cells / 2);
	ASSERT(utf8_is_valid(slice_of(text.data, bytes)));
	double value;
	(void)card_number(text, &value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice in = slice_of(data, size);
	size_t cap =
		size == 0 ? 0 : (size_t)data[0] * 2; /* another room for the result each time */
	char out[FUZZ_BYTES_MAX];
	size_t len = 0;
	int32_t bad;
	if (text_clean(in, out, cap, &len, &bad) == OK) {
		ASSERT_CMP(len, <=, cap);
		fuzz_check(slice_of(out, len));
		fuzz_clean_again(slice_of(out, len));
		fuzz_measure(slice_of(out, len));
	}
	len = text_soften(in, out, cap);
	ASSERT_CMP(len, <=, cap);
	fuzz_check(slice_of(out, len));
	fuzz_clean_again(slice_of(out, len));
	fuzz_measure(slice_of(out, len));
	if (text_clean_lines(in, out, cap, &len, &bad) == OK) {
		ASSERT_CMP(len, <=, cap);
		fuzz_check_lines(slice_of(out, len));
		fuzz_clean_lines_again(slice_of(out, len));
		fuzz_measure(slice_of(out, len));
	}
	len = text_soften_lines(in, out, cap);
	ASSERT_CMP(len, <=, cap);
	fuzz_check_lines(slice_of(out, len));
	fuzz_clean_lines_again(slice_of(out, len));
	fuzz_measure(slice_of(out, len));
	return 0;
}
