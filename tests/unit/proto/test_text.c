/*
 * test_text.c - what people may write, what is made of the rest, and how wide it is.
 */
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "proto/base/limits.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"
#include "tests/support/lines_of_text.h"
#include "tests/support/test.h"

#define TEXT(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

static const struct {
	struct slice in, want;
} clean_rows[] = {
	{TEXT(""), TEXT("")},
	{TEXT("Ada"), TEXT("Ada")},
	{TEXT("  Ada  Lovelace "), TEXT("Ada Lovelace")},
	{TEXT("   "), TEXT("")},
	{TEXT("~!@#$%^&*()"), TEXT("~!@#$%^&*()")},
	{TEXT("\xe2\x88\x9e"), TEXT("\xe2\x88\x9e")},
	{TEXT("\xc2\xbd"), TEXT("\xc2\xbd")},
	{TEXT("e\xcc\x81"), TEXT("\xc3\xa9")}, /* e + acute */
	{TEXT("\xc3\xa9"), TEXT("\xc3\xa9")},
	{TEXT("e\xcc\xa3\xcc\x82"), TEXT("\xe1\xbb\x87")},	  /* Vietnamese, from three */
	{TEXT("e\xcc\x82\xcc\xa3"), TEXT("\xe1\xbb\x87")},	  /* marks in the other order */
	{TEXT("q\xcc\x87\xcc\xa3"), TEXT("q\xcc\xa3\xcc\x87")},	  /* marks are ordered */
	{TEXT("\xe1\x84\x80\xe1\x85\xa1"), TEXT("\xea\xb0\x80")}, /* Hangul from its parts */
	{TEXT("\xe2\x84\xab"), TEXT("\xc3\x85")},		  /* Angstrom sign */
	{TEXT("a\xc2\xa0\xc2\xa0z"), TEXT("a z")},		  /* no-break spaces */
	{TEXT("a\xe3\x80\x80z"), TEXT("a z")},			  /* ideographic space */
	{TEXT("\xe2\x80\x83z\xe2\x80\xaf"), TEXT("z")},
	{TEXT("\xe6\x97\xa5\xe6\x9c\xac"), TEXT("\xe6\x97\xa5\xe6\x9c\xac")},
	{TEXT("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"), TEXT("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d")},
	{TEXT("\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7"),
	 TEXT("\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7")},
	{TEXT("\xf0\x9f\x98\x80"), TEXT("\xf0\x9f\x98\x80")},
	{TEXT("\xe2\x9d\xa4\xef\xb8\x8f"),
	 TEXT("\xe2\x9d\xa4\xef\xb8\x8f")}, /* heart, emoji form */
	{TEXT("z\xcc\x81\xcc\x82"), TEXT("\xc5\xba\xcc\x82")},
	{TEXT(" 👨\xe2\x80\x8d👩\xe2\x80\x8d👧  Lovelace"),
	 TEXT("👨\xe2\x80\x8d👩\xe2\x80\x8d👧 Lovelace")}, /* joined emoji */
	{TEXT("👩🏽\xe2\x80\x8d❤\xef\xb8\x8f\xe2\x80\x8d💋\xe2\x80\x8d👨🏿"),
	 TEXT("👩🏽\xe2\x80\x8d❤\xef\xb8\x8f\xe2\x80\x8d💋\xe2\x80\x8d👨🏿")},
};

static const struct {
	struct slice in;
	int32_t bad;
} refused_rows[] = {
	{TEXT("a\nb"), '\n'},
	{TEXT("a\tb"), '\t'},
	{TEXT("\x1b[31m"), 0x1b},
	{TEXT("\x00"), 0},
	{TEXT("a\x7f"), 0x7f},
	{TEXT("\xc2\x85"), 0x85},
	{TEXT("\xc2\x9b"), 0x9b},
	{TEXT("\xff"), -1},
	{TEXT("a\xc3"), -1},
	{TEXT("\xc0\xaf"), -1},
	{TEXT("\xed\xa0\x80"), -1},
	{TEXT("\xf4\x90\x80\x80"), -1},
	{TEXT("a\xc2\xadz"), 0xad},
	{TEXT("a\xcd\x8fz"), 0x34f},
	{TEXT("a\xd8\x9cz"), 0x61c},
	{TEXT("\xe1\x85\x9f"), 0x115f},
	{TEXT("\xe1\x85\xa0"), 0x1160},
	{TEXT("\xe1\xa0\x8e"), 0x180e},
	{TEXT("a\xe2\x80\x8bz"), 0x200b},
	{TEXT("a\xe2\x80\x8cz"), 0x200c},
	{TEXT("a\xe2\x80\x8dz"), 0x200d},
	{TEXT("👨\xe2\x80\x8d"), 0x200d}, /* joins nothing */
	{TEXT("👨\xe2\x80\x8d\xe2\x80\x8d👩"), 0x200d},
	{TEXT("👨 \xe2\x80\x8d👩"), 0x200d},
	{TEXT("👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦\xe2\x80\x8d👦"), 0x200d},
	{TEXT("👨\xe2\x80\x8c👩"), 0x200c},
	{TEXT("ک\xe2\x80\x8cک"), 0x200c}, /* in lines it may stand there */
	{TEXT("a\xe2\x80\x8ez"), 0x200e},
	{TEXT("a\xe2\x80\x8fz"), 0x200f},
	{TEXT("a\xe2\x80\xa8z"), 0x2028},
	{TEXT("a\xe2\x80\xa9z"), 0x2029},
	{TEXT("\xe2\x80\xaa"), 0x202a},
	{TEXT("\xe2\x80\xab"), 0x202b},
	{TEXT("\xe2\x80\xac"), 0x202c},
	{TEXT("\xe2\x80\xad"), 0x202d},
	{TEXT("\xe2\x80\xae"), 0x202e},
	{TEXT("\xe2\x81\xa0"), 0x2060},
	{TEXT("\xe2\x81\xa4"), 0x2064},
	{TEXT("\xe2\x81\xa6"), 0x2066},
	{TEXT("\xe2\x81\xa7"), 0x2067},
	{TEXT("\xe2\x81\xa8"), 0x2068},
	{TEXT("\xe2\x81\xa9"), 0x2069},
	{TEXT("\xe2\xa0\x80"), 0x2800},
	{TEXT("\xe3\x85\xa4"), 0x3164},
	{TEXT("\xee\x80\x80"), 0xe000},
	{TEXT("\xef\xbb\xbfz"), 0xfeff},
	{TEXT("\xef\xbe\xa0"), 0xffa0},
	{TEXT("\xef\xbf\xbf"), 0xffff},
	{TEXT("\xef\xbf\xb9"), 0xfff9},
	{TEXT("\xcd\xb8"), 0x378},	      /* unassigned */
	{TEXT("\xf3\xa0\x80\x81"), 0xe0001},  /* tag */
	{TEXT("\xf3\xa0\x81\x81"), 0xe0041},  /* tag */
	{TEXT("\xf3\xb0\x80\x80"), 0xf0000},  /* private */
	{TEXT("\xf4\x8f\xbf\xbd"), 0x10fffd}, /* private */
	{TEXT("\xcc\x81"), 0x301},	      /* a mark on nothing */
	{TEXT("  \xcc\x81z"), 0x301},
	{TEXT("q\xcc\x81\xcc\x82\xcc\x83"), 0x303}, /* the third */
};

static void assert_clean(struct slice in, struct slice want)
{
	char out[256];
	size_t len = 0;
	int32_t bad = 0;
	assert_int_equal(text_clean(in, out, sizeof(out), &len, &bad), OK);
	assert_int_equal(len, want.len);
	assert_memory_equal(out, want.len == 0 ? out : want.data, len);
}

TEST(test_good_text_becomes_its_one_form_and_stays_it)
{
	for (size_t i = 0; i < sizeof(clean_rows) / sizeof(clean_rows[0]); i++) {
		assert_clean(clean_rows[i].in, clean_rows[i].want);
		assert_clean(clean_rows[i].want, clean_rows[i].want);
	}
}

/* promise: clean-text */
TEST(test_dangerous_text_is_refused_by_its_first_bad_character)
{
	for (size_t i = 0; i < sizeof(refused_rows) / sizeof(refused_rows[0]); i++) {
		char out[256];
		size_t len = 0;
		int32_t bad = -2;
		enum err e = text_clean(refused_rows[i].in, out, sizeof(out), &len, &bad);
		if (e != ERR_INVALID || bad != refused_rows[i].bad) {
			fail_msg("row %zu: error %d, U+%04X", i, e, (unsigned)bad);
		}
	}
}

TEST(test_dangerous_text_is_softened_into_clean_text)
{
	for (size_t i = 0; i < sizeof(refused_rows) / sizeof(refused_rows[0]); i++) {
		char out[256];
		size_t len = text_soften(refused_rows[i].in, out, sizeof(out));
		assert_clean(slice_of(out, len), slice_of(out, len));
	}
}

TEST(test_soft_text_is_what_it_says_here)
{
	static const struct {
		struct slice in, want;
	} rows[] = {
		{TEXT("Ada"), TEXT("Ada")},
		{TEXT("a\nb\tc\r\n"), TEXT("a b c")},
		{TEXT("\x1b[2J"), TEXT("\xef\xbf\xbd[2J")},
		{TEXT("a\xe2\x80\xae"
		      "b"),
		 TEXT("ab")},
		{TEXT("a\xff\xfe"), TEXT("a\xef\xbf\xbd\xef\xbf\xbd")},
		{TEXT("\xcc\x81z"), TEXT("z")},
		{TEXT("q\xcc\x81\xcc\x82\xcc\x83\xcc\x84z"), TEXT("q\xcc\x81\xcc\x82z")},
		{TEXT("\xcc\x81 z"), TEXT("z")},
		{TEXT("\xee\x80\x80"), TEXT("\xef\xbf\xbd")},
		{TEXT("\xe2\x80\x8b"), TEXT("")},
		{TEXT("a \xe2\x80\x8b b"), TEXT("a b")},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[64];
		size_t len = text_soften(rows[i].in, out, sizeof(out));
		if (!slice_eq(slice_of(out, len), rows[i].want)) {
			fail_msg("row %zu: %.*s", i, (int)len, out);
		}
	}
}

/* Any bytes at all: what comes out is clean, whatever the room for it. */
TEST(test_random_bytes_soften_into_clean_text)
{
	uint32_t seed = 1;
	static const int32_t nasty[] = {0x301,	0x200b, 0x202e, 0x1160,	 ' ',	 0x3000,
					0xa0,	'e',	0x323,	0x302,	 0x1100, 0x1161,
					0x11a8, 0xac00, 0x9,	0x10ffff};
	for (int round = 0; round < 3000; round++) {
		char in[200], out[200];
		size_t n = 0;
		while (n < sizeof(in) - 4) {
			seed = seed * 1664525 + 1013904223;
			uint32_t pick = seed >> 16;
			if (pick % 8 == 0) {
				in[n++] = (char)(pick >> 3);
			} else if (pick % 8 < 5) {
				n += (size_t)utf8proc_encode_char(nasty[(pick >> 3) % 16],
								  (utf8proc_uint8_t *)in + n);
			} else {
				n += (size_t)utf8proc_encode_char((int32_t)((pick >> 3) % 0x3000 +
									    1),
								  (utf8proc_uint8_t *)in + n);
			}
		}
		size_t len = text_soften(slice_of(in, n), out, (size_t)round % sizeof(out));
		assert_true(len <= (size_t)round % sizeof(out));
		assert_clean(slice_of(out, len), slice_of(out, len));
		size_t clean = 0;
		int32_t bad;
		if (text_clean(slice_of(in, n), out, sizeof(out), &clean, &bad) == OK) {
			assert_clean(slice_of(out, clean), slice_of(out, clean));
		}
	}
}

/* ---- lines ---- */

static const struct {
	const char *name;
	struct slice sent, stored;
} lines_rows[] = {
#define LINES_ROW(name, sent, stored, drawn) {name, TEXT(sent), TEXT(stored)},
	LINES_OF_TEXT(LINES_ROW)};

static const struct {
	const char *name;
	struct slice sent;
	int32_t bad;
} lines_refused[] = {
#define LINES_REFUSED_ROW(name, sent, bad) {name, TEXT(sent), bad},
	LINES_OF_TEXT_REFUSED(LINES_REFUSED_ROW)};

static void assert_lines(const char *name, struct slice in, struct slice want)
{
	char out[256];
	size_t len = 0;
	int32_t bad = 0;
	enum err e = text_clean_lines(in, out, sizeof(out), &len, &bad);
	if (e != OK || !slice_eq(text_trim_lines(slice_of(out, len)), want)) {
		fail_msg("%s: error %d, U+%04X, \"%.*s\"", name, e, (unsigned)bad, (int)len, out);
	}
}

TEST(test_lines_stay_as_they_were_sent)
{
	assert_int_equal(sizeof(lines_rows) / sizeof(lines_rows[0]), 26);
	for (size_t i = 0; i < sizeof(lines_rows) / sizeof(lines_rows[0]); i++) {
		char out[256];
		assert_lines(lines_rows[i].name, lines_rows[i].sent, lines_rows[i].stored);
		assert_lines(lines_rows[i].name, lines_rows[i].stored, lines_rows[i].stored);
		size_t len = text_soften_lines(lines_rows[i].stored, out, sizeof(out));
		assert_true(slice_eq(slice_of(out, len), lines_rows[i].stored));
	}
}

TEST(test_dangerous_lines_are_refused_by_their_first_bad_character)
{
	for (size_t i = 0; i < sizeof(lines_refused) / sizeof(lines_refused[0]); i++) {
		char out[256];
		size_t len = 0;
		int32_t bad = -2;
		enum err e = text_clean_lines(lines_refused[i].sent, out, sizeof(out), &len, &bad);
		if (e != ERR_INVALID || bad != lines_refused[i].bad) {
			fail_msg("%s: error %d, U+%04X", lines_refused[i].name, e, (unsigned)bad);
		}
		len = text_soften_lines(lines_refused[i].sent, out, sizeof(out));
		assert_lines(lines_refused[i].name, slice_of(out, len),
			     text_trim_lines(slice_of(out, len)));
	}
}

/* Wherever it is cut, also between two emoji that are joined. */
TEST(test_lines_that_are_cut_are_clean)
{
	for (size_t i = 0; i < sizeof(lines_rows) / sizeof(lines_rows[0]); i++) {
		for (size_t cap = 0; cap < lines_rows[i].stored.len; cap++) {
			char out[256], again[256];
			size_t len = text_soften_lines(lines_rows[i].stored, out, cap);
			assert_true(len <= cap);
			assert_lines(lines_rows[i].name, slice_of(out, len),
				     text_trim_lines(slice_of(out, len)));
			len = text_soften(lines_rows[i].stored, out, cap);
			assert_clean(slice_of(out, len), slice_of(out, len));
			assert_int_equal(text_soften(slice_of(out, len), again, sizeof(again)),
					 len);
		}
	}
}

TEST(test_lines_that_do_not_fit_are_too_large)
{
	char out[8];
	size_t len;
	int32_t bad;
	assert_int_equal(text_clean_lines(SLICE("123456\n8"), out, 8, &len, &bad), OK);
	assert_int_equal(text_clean_lines(SLICE("12345678\n"), out, 8, &len, &bad), ERR_TOO_LARGE);
	assert_int_equal(text_clean_lines(SLICE("123456\n89"), out, 8, &len, &bad), ERR_TOO_LARGE);
	assert_int_equal(text_clean_lines(SLICE("12345\n\xc3\xa9z"), out, 8, &len, &bad),
			 ERR_TOO_LARGE);
}

TEST(test_what_does_not_fit_is_too_large)
{
	char out[8];
	size_t len = 99;
	int32_t bad;
	assert_int_equal(text_clean(SLICE("12345678"), out, 8, &len, &bad), OK);
	assert_int_equal(len, 8);
	assert_int_equal(text_clean(SLICE("123456789"), out, 8, &len, &bad), ERR_TOO_LARGE);
	assert_int_equal(text_clean(SLICE("1234567\xc3\xa9"), out, 8, &len, &bad), ERR_TOO_LARGE);
	assert_int_equal(text_clean(SLICE("123456\xc3\xa9"), out, 8, &len, &bad), OK);
	assert_int_equal(text_clean(SLICE("1234567 8"), out, 8, &len, &bad), ERR_TOO_LARGE);
	assert_int_equal(text_clean(SLICE("1234567   "), out, 8, &len, &bad), OK);
	assert_int_equal(len, 7);
}

TEST(test_ten_megabytes_of_name_cost_nothing_but_time)
{
	size_t n = 10 << 20;
	char *name = malloc(n);
	assert_non_null(name);
	char out[64];
	size_t len;
	int32_t bad;
	memset(name, 'z', n);
	assert_int_equal(text_clean(slice_of(name, n), out, sizeof(out), &len, &bad),
			 ERR_TOO_LARGE);
	name[0] = '\xc3';
	name[1] = '\xa9';
	assert_int_equal(text_clean(slice_of(name, n), out, sizeof(out), &len, &bad),
			 ERR_TOO_LARGE);
	assert_int_equal(text_soften(slice_of(name, n), out, sizeof(out)), sizeof(out));
	free(name);
}

/* A paragraph without an end of line is as long as the notes of a story may be. */
TEST(test_the_longest_notes_may_be_one_line)
{
	static const char *const letters[] = {"z", "\xd0\xb6", "\xe8\xa8\x88"};
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		char in[MAX_STORY_DESCRIPTION_BYTES], out[MAX_STORY_DESCRIPTION_BYTES];
		size_t n = 0, len = 0, step = strlen(letters[i]);
		int32_t bad = 0;
		for (; n + step <= sizeof(in); n += step) {
			memcpy(in + n, letters[i], step);
		}
		assert_int_equal(text_clean(slice_of(in, n), out, sizeof(out), &len, &bad), OK);
		assert_int_equal(len, n);
		assert_int_equal(text_soften(slice_of(in, n), out, sizeof(out)), n);
		assert_memory_equal(in, out, n);
	}
}

TEST(test_widths_are_in_cells)
{
	static const struct {
		struct slice text;
		size_t cells, clusters;
	} rows[] = {
		{TEXT(""), 0, 0},
		{TEXT("Ada"), 3, 3},
		{TEXT("\xe2\x88\x9e"), 1, 1},
		{TEXT("\xc2\xbd"), 1, 1},
		{TEXT("\xe6\x97\xa5\xe6\x9c\xac"), 4, 2},	  /* CJK */
		{TEXT("\xea\xb0\x80"), 2, 1},			  /* Hangul */
		{TEXT("\xef\xbd\x81"), 2, 1},			  /* full width a */
		{TEXT("\xf0\x9f\x98\x80"), 2, 1},		  /* emoji */
		{TEXT("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd"), 2, 1}, /* thumb with a skin tone */
		{TEXT("q\xcc\xa3\xcc\x87"), 1, 1},		  /* marks take no room */
		{TEXT("\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa"), 2, 1}, /* a flag */
		{TEXT("a\xe6\x97\xa5z"), 4, 3},
		{TEXT("👨\xe2\x80\x8d👩\xe2\x80\x8d👧\xe2\x80\x8d👦"), 2, 1},
		{TEXT("می\xe2\x80\x8cخ"), 3, 3},
		{TEXT("a\xe2\x80\x8fz"), 2, 3}, /* a mark of direction takes no cell */
		{TEXT("a\tz"), 9, 3},		/* to the next multiple of eight */
		{TEXT("1234567\t\tz"), 17, 10},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (text_cells(rows[i].text) != rows[i].cells) {
			fail_msg("row %zu: %zu cells", i, text_cells(rows[i].text));
		}
		size_t n = 0, at = 0, cells, bytes = 0;
		size_t column = 0;
		for (struct slice one; (one = text_next(rows[i].text, &at, column, &cells)).len > 0;
		     n++) {
			assert_true(cells <= 2 || one.data[0] == '\t');
			column += cells;
			bytes += one.len;
		}
		assert_int_equal(n, rows[i].clusters);
		assert_int_equal(bytes, rows[i].text.len);
	}
}

TEST(test_fitting_never_cuts_a_grapheme)
{
	static const struct {
		struct slice text;
		size_t cells, bytes;
	} rows[] = {
		{TEXT("Ada"), 0, 0},
		{TEXT("Ada"), 2, 2},
		{TEXT("Ada"), 3, 3},
		{TEXT("Ada"), 9, 3},
		{TEXT("\xe6\x97\xa5\xe6\x9c\xac"), 1, 0},
		{TEXT("\xe6\x97\xa5\xe6\x9c\xac"), 2, 3},
		{TEXT("\xe6\x97\xa5\xe6\x9c\xac"), 3, 3},
		{TEXT("\xe6\x97\xa5\xe6\x9c\xac"), 4, 6},
		{TEXT("q\xcc\xa3\xcc\x87z"), 1, 5},
		{TEXT("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbdz"), 2, 8},
		{TEXT("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbdz"), 3, 9},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(text_fit(rows[i].text, rows[i].cells), rows[i].bytes);
	}
}

/* Against libutf8proc's own decoder, on every pair of bytes and on the edges of the longer forms.
 */
TEST(test_utf8_is_valid_where_the_standard_says_so)
{
	static const unsigned char edges[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0,
					      0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5};
	const size_t n = sizeof(edges);
	for (size_t i = 0; i < n * n * n * n; i++) {
		unsigned char text[4] = {edges[i % n], edges[i / n % n], edges[i / n / n % n],
					 edges[i / n / n / n]};
		bool valid = true;
		for (utf8proc_ssize_t at = 0, one; at < 4 && valid; at += one) {
			int32_t c;
			one = utf8proc_iterate(text + at, 4 - at, &c);
			valid = one > 0;
		}
		assert_int_equal(utf8_is_valid(slice_of(text, 4)), valid);
	}
}

TEST(test_latin_letters_beside_cyrillic_or_greek_ones_are_a_mixture)
{
	static const struct {
		const char *name;
		bool is_mixed;
	} rows[] = {
		{"Ada", false},
		{"\xd0\x90\xd0\xb4\xd0\xb0", false}, /* all Cyrillic */
		{"\xd0\x90"
		 "da",
		 true}, /* Cyrillic A */
		{"\xce\x91"
		 "DA",
		 true}, /* Greek Alpha */
		{"A\xd0\xb4"
		 "a",
		 true},							     /* Cyrillic de */
		{"\xce\x9a\xcf\x89\xcf\x83\xcf\x84\xce\xb1\xcf\x82", false}, /* all Greek */
		{"\xe1\xbc\x80"
		 "da",
		 true},					/* polytonic */
		{"\xce\x91\xd0\x90", false},		/* no Latin letter */
		{"\xd0\x90 1 + 2_3", false},		/* digits and signs are nobody's */
		{"\xef\xbc\xa1\xd0\xb4\xd0\xb0", true}, /* full-width A */
		{"Stra\xc3\x9f"
		 "e \xc3\xa9\xc5\x82\xe1\xba\xa1",
		 false},				 /* all Latin */
		{"\xc3\xa9\xd0\xb0", true},		 /* Latin with a mark */
		{"\xe6\xbc\xa2\xe5\xad\x97 Ada", false}, /* other scripts mix */
		{"\xe2\xb7\xa0", false},		 /* a mark alone */
		{"Ad\xc9\x91", false},			 /* within one script */
		{"", false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char folded[256];
		size_t len = 0;
		assert_int_equal(text_fold(slice_str(rows[i].name), folded, sizeof(folded), &len),
				 OK);
		if (text_mixes_scripts(slice_of(folded, len)) != rows[i].is_mixed) {
			fail_msg("row %zu", i);
		}
	}
}
