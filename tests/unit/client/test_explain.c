/*
 * test_explain.c - refusals of the server, and of rows, in the words that were typed.
 */
#include <stdio.h>
#include <string.h>

#include "client/cli/output/explain.h"
#include "tests/support/test.h"

/* What is told of a fault to whoever typed this line, parted by "|". The message says less than the figures. */
static const char *bounded(const char *line, const char *field, enum fault_rule rule, int64_t least,
			   int64_t most, const char *unit, const char *message)
{
	static char text[512];
	static char out[EXPLAIN_BYTES_MAX];
	static struct slice cards[] = {{"1", 1}, {"2", 1}, {"\xe2\x88\x9e", 3}};
	static char program[] = "aye";
	char *argv[ARGS_WORDS_MAX] = {program};
	int argc = 1;
	char *rest = NULL;
	struct cli c = {.cards = {cards, 3}};
	struct fault f;
	struct errmsg why;
	size_t used = 0;
	(void)snprintf(text, sizeof(text), "%s", line);
	for (char *w = strtok_r(text, "|", &rest); w != NULL; w = strtok_r(NULL, "|", &rest)) {
		argv[argc++] = w;
	}
	assert_int_equal(options_parse(argc, argv, verbs_take, &c.args, &why), OK);
	c.verb = verbs_find(&c.args, &used);
	assert_non_null(c.verb);
	memmove(c.args.words, c.args.words + used, sizeof(c.args.words) - used * sizeof(char *));
	c.args.words_n -= used;
	(void)fault_field(&f, field, "%s", message);
	(void)fault_bounds(&f, rule, least, most, unit);
	explain(&c, &f, out);
	return out;
}

static const char *told(const char *line, const char *field, const char *message)
{
	return bounded(line, field, FAULT_RULE_NONE, 0, 0, "", message);
}

TEST(test_a_card_that_is_none_is_told_with_those_that_are)
{
	assert_string_equal(told("room|vote|K7QX3M|4", "vote", "is not a card of this room"),
			    "4 is not a card here; the cards are 1 2 \xe2\x88\x9e");
}

TEST(test_an_option_that_is_missing_is_told_with_what_it_takes)
{
	assert_string_equal(told("room|vote|K7QX3M|5", "story_id",
				 "is required: no story is at the table, and others are open"),
			    "--story STORY is required: no story is at the table, and others are "
			    "open");
}

TEST(test_a_deck_is_told_by_its_cards)
{
	assert_string_equal(told("room|create|--deck|1 1 2", "valid_sizes[1]", "is repeated"),
			    "--deck: 1 is repeated");
	assert_string_equal(told("room|deck|K7QX3M|1|2,3|3", "valid_sizes[3]", "is repeated"),
			    "3 is repeated");
	assert_string_equal(told("room|deck|K7QX3M|1|one two three four", "valid_sizes[4]",
				 "must be 1 to 8 columns wide"),
			    "four must be 1 to 8 columns wide");
	assert_string_equal(bounded("room|deck|K7QX3M|1", "valid_sizes", FAULT_RULE_COUNT, 2, 32,
				    "cards", "x"),
			    "1 card; use 2 to 32");
	assert_string_equal(
		bounded("new|--deck|0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 "
			"22 23 24 25 26 27 28 29 30 31 32",
			"valid_sizes", FAULT_RULE_COUNT, 2, 32, "cards", "x"),
		"--deck: 33 cards; use 2 to 32");
	assert_string_equal(told("new|--deck|tshrt", "deck", "is not one of tshirt, fist"),
			    "--deck: tshrt is not one of tshirt, fist");
	assert_string_equal(told("room|deck|K7QX3M|tshrt", "deck", "is not one of tshirt, fist"),
			    "tshrt is not one of tshirt, fist");
}

TEST(test_bounds_are_told_of_what_was_typed)
{
	assert_string_equal(bounded("invite|Payments|--uses|5000", "uses", FAULT_RULE_RANGE, 1,
				    1000, "", "x"),
			    "--uses must be 1 to 1000");
	assert_string_equal(bounded("invite|Payments|--uses|0", "uses", FAULT_RULE_RANGE, 1,
				    INT64_MAX, "", "x"),
			    "--uses must be at least 1");
}

TEST(test_a_text_that_is_too_wide_is_told_with_both_widths)
{
	assert_string_equal(bounded("react|K7QX3M|way too long a word for it", "word",
				    FAULT_RULE_LENGTH, 0, 12, "cells", "x"),
			    "\"way too long a word for it\" is 26 wide; at most 12");
	assert_string_equal(bounded("story|add|K7QX3M|T|--estimate|123456789", "estimate",
				    FAULT_RULE_LENGTH, 0, 8, "cells", "x"),
			    "--estimate: 123456789 is 9 wide; at most 8");
}

TEST(test_the_words_of_the_wire_become_those_of_the_command_line)
{
	assert_string_equal(bounded("question|mine|--status|new", "status", FAULT_RULE_CHOICE, 0, 0,
				    "", "x"),
			    "--status must be open, partial, closed, expired or cancelled");
	assert_string_equal(bounded("ask|Ship it today?|-o|yes", "options", FAULT_RULE_COUNT, 2, 10,
				    "strings", "x"),
			    "--option: 1 given; use 2 to 10");
	assert_string_equal(told("notify|on|--command|ada@example.org", "channel",
				 "is not possible: why"),
			    "--command: ada@example.org is not possible: why");
	assert_string_equal(bounded("ask|Ship it today?|--room|K7", "room_id", FAULT_RULE_LENGTH, 6,
				    16, "bytes", "x"),
			    "--room: K7 is too short");
	assert_string_equal(bounded("new|--link-template|https://example.org/{key}",
				    "link_template", FAULT_RULE_LENGTH, 1, 16, "bytes", "x"),
			    "--link-template: https://example.org/{key} is too long");
	assert_string_equal(told("data|get|K7QX3M|map|no notes", "name", "is no map of this room"),
			    "\"no notes\" is no map of this room");
	assert_string_equal(bounded("data|insert|K7QX3M|list|agenda|before|x|1", "before",
				    FAULT_RULE_LENGTH, 2, 64, "bytes", "x"),
			    "x is too short");
	assert_string_equal(told("login|Ada", "user_name", "must be 1 to 2 cells"),
			    "Ada must be 1 to 2 cells");
}

TEST(test_of_a_long_text_its_beginning_is_repeated)
{
	assert_string_equal(
		bounded("ask|What do you think of this text, which goes on, and on, and "
			"on, as if it had no end?",
			"prompt", FAULT_RULE_LENGTH, 10, 60, "characters", "x"),
		"\"What do you think of this text, which goes on, and on, and o...\" "
		"must be 10 to 60 characters long");
}

TEST(test_options_are_called_as_they_were_typed)
{
	assert_string_equal(bounded("story|add|K7QX3M|T|--status|x", "status", FAULT_RULE_CHOICE, 0,
				    0, "", "x"),
			    "--status must be todo, done or skipped");
	assert_string_equal(told("room|vote|K7QX3M|1", "username", "required when not logged in"),
			    "--name: required when not logged in");
	assert_string_equal(told("room|vote|K7QX3M|1|--confidence|2", "confidence",
				 "is not recorded under this room's rules"),
			    "--confidence: 2 is not recorded under this room's rules");
	assert_string_equal(bounded("room|policy|K7QX3M|who_reveals=all", "policy.who_reveals",
				    FAULT_RULE_CHOICE, 0, 0, "", "must be host or everyone"),
			    "who_reveals must be host or everyone");
}

TEST(test_a_fault_without_a_field_is_told_as_it_is)
{
	assert_string_equal(told("room|reset|K7QX3M", "", "only a host can do that"),
			    "only a host can do that");
}

TEST(test_what_comes_from_a_server_is_softened)
{
	const char *out = told("room|reset|K7QX3M", "a\x1b[2J", "b\x1b[2Jc");
	assert_null(strchr(out, 0x1b));
}
