/*
 * test_deck.c - decks, made-up decks, and the numbers on cards.
 */
#include <string.h>

#include "proto/base/limits.h"
#include "proto/deck.h"
#include "tests/support/heap.h"
#include "tests/support/test.h"

TEST(test_every_preset_is_a_deck_that_anyone_could_have_made)
{
	size_t decks = 0;
	for (const struct deck_row *row = deck_rows; row->name != NULL; row++, decks++) {
		struct arena arena = {0};
		struct fault f;
		struct slices cards, clean;
		assert_int_equal(deck_preset(slice_str(row->name), &arena, &cards, &f), OK);
		assert_int_equal(deck_clean(cards, &arena, &clean, &f), OK);
		assert_int_equal(cards.n, clean.n);
		for (size_t i = 0; i < cards.n; i++) {
			assert_true(slice_eq(cards.items[i], clean.items[i]));
			assert_int_equal(deck_find(cards, clean.items[i]), i);
		}
		arena_finish(&arena);
	}
	assert_int_equal(decks, 8);
}

TEST(test_the_default_deck_has_its_nine_cards)
{
	static const char *const want[] = {"1",	 "2",  "3", "5",	   "8",
					   "13", "20", "?", "\xe2\x88\x9e"};
	struct arena arena = {0};
	struct fault f;
	struct slices cards;
	assert_int_equal(deck_preset(SLICE(DECK_DEFAULT), &arena, &cards, &f), OK);
	assert_int_equal(cards.n, 9);
	for (size_t i = 0; i < cards.n; i++) {
		assert_true(slice_eq(cards.items[i], slice_str(want[i])));
	}
	assert_int_equal(deck_find(cards, SLICE("4")), -1);
	arena_finish(&arena);
}

TEST(test_an_unknown_deck_is_refused_with_the_names_there_are)
{
	struct arena arena = {0};
	struct fault f;
	struct slices cards;
	assert_int_equal(deck_preset(SLICE("tarot"), &arena, &cards, &f), ERR_INVALID);
	assert_int_equal(f.code, FAULT_VALIDATION_ERROR);
	assert_string_equal(f.field, "deck");
	assert_non_null(strstr(f.message, "guesstimator"));
	assert_non_null(strstr(f.message, "yesno"));
	arena_finish(&arena);
}

#define WIDE_8 "\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"

TEST(test_decks_that_are_none_are_refused_by_field)
{
	static const struct {
		const char *cards[4];
		size_t n;
		const char *field; /* NULL: is taken */
	} rows[] = {
		{{"1", "2"}, 2, NULL},
		{{"12345678", "2"}, 2, NULL},
		{{WIDE_8, "2"}, 2, NULL},
		{{" 1 ", "2"}, 2, NULL},
		{{"1"}, 1, "valid_sizes"},
		{{NULL}, 0, "valid_sizes"},
		{{"1", "1"}, 2, "valid_sizes[1]"},
		{{"1", " 1 "}, 2, "valid_sizes[1]"},
		{{"\xc3\xa9", "e\xcc\x81"}, 2, "valid_sizes[1]"},
		{{"123456789", "2"}, 2, "valid_sizes[0]"},
		{{"1", WIDE_8 "z"}, 2, "valid_sizes[1]"},
		{{"1", ""}, 2, "valid_sizes[1]"},
		{{"1", "   "}, 2, "valid_sizes[1]"},
		{{"1", "2", "a\nb"}, 3, "valid_sizes[2]"},
		{{"1", "\xe2\x80\xae"
		       "2"},
		 2,
		 "valid_sizes[1]"},
		{{"\xff", "2"}, 2, "valid_sizes[0]"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice items[4];
		for (size_t j = 0; j < rows[i].n; j++) {
			items[j] = slice_str(rows[i].cards[j]);
		}
		struct arena arena = {0};
		struct fault f = {.code = FAULT_NONE};
		struct slices cards = {.n = 77};
		enum err e = deck_clean((struct slices){items, rows[i].n}, &arena, &cards, &f);
		if (rows[i].field == NULL) {
			assert_int_equal(e, OK);
			assert_int_equal(cards.n, rows[i].n);
		} else {
			assert_int_equal(e, ERR_INVALID);
			assert_int_equal(f.code, FAULT_VALIDATION_ERROR);
			assert_string_equal(f.field, rows[i].field);
			assert_int_equal(cards.n, 77);
		}
		arena_finish(&arena);
	}
}

TEST(test_a_deck_has_at_most_thirty_two_cards)
{
	static char labels[MAX_CARDS_MAX + 1][2];
	struct slice items[MAX_CARDS_MAX + 1];
	for (size_t i = 0; i <= MAX_CARDS_MAX; i++) {
		labels[i][0] = (char)('A' + i);
		items[i] = slice_of(labels[i], 1);
	}
	struct arena arena = {0};
	struct fault f;
	struct slices cards;
	assert_int_equal(deck_clean((struct slices){items, MAX_CARDS_MAX}, &arena, &cards, &f), OK);
	assert_int_equal(deck_clean((struct slices){items, MAX_CARDS_MAX + 1}, &arena, &cards, &f),
			 ERR_INVALID);
	arena_finish(&arena);
}

TEST(test_cleaning_survives_each_failed_allocation)
{
	struct slice items[] = {SLICE("1"), SLICE("2")};
	struct arena arena = {0};
	struct fault f;
	struct slices cards;
	heap_fail_nth(0, true);
	enum err cleaned = deck_clean((struct slices){items, 2}, &arena, &cards, &f);
	enum err preset = deck_preset(SLICE("fist"), &arena, &cards, &f);
	heap_fail_never();
	assert_int_equal(cleaned, ERR_NOMEM);
	assert_int_equal(preset, ERR_NOMEM);
	arena_finish(&arena);
}

TEST(test_cards_have_the_numbers_they_show)
{
	static const struct {
		const char *card;
		double value;
	} rows[] = {
		{"0", 0},	   {"1", 1},	       {"13", 13},	   {"100", 100},
		{"0.5", 0.5},	   {"2.50", 2.5},      {"0.1", 0.1},	   {"1.25", 1.25},
		{"-1", -1},	   {"-0.5", -0.5},     {"007", 7},	   {"999999999", 999999999},
		{"\xc2\xbd", 0.5}, {"\xc2\xbc", 0.25}, {"\xc2\xbe", 0.75},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double value = -99;
		assert_true(card_number(slice_str(rows[i].card), &value));
		assert_true(value == rows[i].value);
	}
}

TEST(test_other_cards_have_no_number)
{
	static const char *const rows[] = {"",	   "?",		"\xe2\x88\x9e", "XL",
					   "1k",   "k1",	".5",		"5.",
					   ".",	   "-",		"--1",		"+1",
					   "1-",   "1,5",	"1.2.3",	"1e3",
					   "0x10", "inf",	"nan",		"1 ",
					   " 1",   "1\xc2\xbd", "1/2",		"1234567890",
					   "-.5",  "yes"};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double value = -99;
		if (card_number(slice_str(rows[i]), &value)) {
			fail_msg("%s has a number", rows[i]);
		}
		assert_true(value == -99);
	}
}
