/*
 * fuzz_text.c - any bytes as a name: what comes out is safe, fits, and stays as it is.
 */
#include <string.h>
#include <utf8proc.h>

#include "proto/assert.h"
#include "proto/deck.h"
#include "proto/text.h"
#include "proto/utf8.h"

#define FUZZ_BYTES_MAX 512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Told again here, by code points and not by the tables of text.c. */
static bool fuzz_is_forbidden(int32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x34f || c == 0x61c ||
	       c == 0x115f || c == 0x1160 || c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0x2800 ||
	       c == 0x3164 || (c >= 0xd800 && c <= 0xf8ff) || c == 0xfeff || c == 0xffa0 ||
	       c == 0xffff || c == 0xfffe || c >= 0xe0000;
}

static void fuzz_check(struct slice text)
{
	ASSERT(utf8_is_valid(text));
	ASSERT(text.len == 0 || (text.data[0] != ' ' && text.data[text.len - 1] != ' '));
	bool was_space = false;
	size_t marks = 0;
	for (size_t at = 0; at < text.len;) {
		int32_t c;
		at += (size_t)utf8proc_iterate((const utf8proc_uint8_t *)text.data + at,
					       (utf8proc_ssize_t)(text.len - at), &c);
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
	return 0;
}
