/*
 * test_explain.c - refusals of the server, and of rows, in the words that were typed.
 */
#include <stdio.h>
#include <string.h>

#include "client/cli/explain.h"
#include "tests/support/test.h"

/* What is told of a fault to whoever typed this line, parted by "|". */
static const char *told(const char *line, const char *field, const char *message)
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
	explain(&c, &f, out);
	return out;
}

TEST(test_a_card_that_is_none_is_told_with_those_that_are)
{
	assert_string_equal(told("room|vote|K7QX3M|4", "vote", "is none of the room's cards"),
			    "4 is no card here; the cards are 1 2 \xe2\x88\x9e");
}

TEST(test_a_deck_is_told_by_its_cards)
{
	assert_string_equal(told("room|create|--deck|1 1 2", "valid_sizes[1]", "is there twice"),
			    "--deck: 1 is there twice");
	assert_string_equal(told("room|deck|K7QX3M|1|2,3|3", "valid_sizes[3]", "is there twice"),
			    "3 is there twice");
	assert_string_equal(told("room|deck|K7QX3M|1|one two three four", "valid_sizes[4]",
				 "must be 1 to 8 cells wide"),
			    "four must be 1 to 8 cells wide");
	assert_string_equal(told("room|deck|K7QX3M|1", "valid_sizes", "must be 2 to 32 cards"),
			    "1 card; 2 to 32 are possible");
	assert_string_equal(
		told("new|--deck|0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 "
		     "22 23 24 25 26 27 28 29 30 31 32",
		     "valid_sizes", "must be 2 to 32 cards"),
		"--deck: 33 cards; 2 to 32 are possible");
	assert_string_equal(told("new|--deck|tshrt", "deck", "is none of tshirt, fist"),
			    "--deck: tshrt is none of tshirt, fist");
	assert_string_equal(told("room|deck|K7QX3M|tshrt", "deck", "is none of tshirt, fist"),
			    "tshrt is none of tshirt, fist");
}

TEST(test_a_team_is_told_by_our_words)
{
	assert_string_equal(told("team|show|g_K7QX3M7HQ2", "",
				 "you are in no such group; ask its group, or groups of others"),
			    "you are in no such team; ask its team, or teams of others");
	assert_string_equal(told("invite|Payments|--uses|5000", "uses", "must be 1 to 1000"),
			    "--uses must be 1 to 1000");
	assert_string_equal(told("new|--team|g_K7QX3M7HQ2", "", "you are in no such group"),
			    "you are in no such team");
	assert_string_equal(told("ask|Who is in the group?", "", "the group has gone"),
			    "the group has gone");
}

TEST(test_a_text_that_is_too_wide_is_told_with_both_widths)
{
	assert_string_equal(told("react|K7QX3M|way too long a word for it", "word",
				 "is wider than 12 cells"),
			    "\"way too long a word for it\" is 26 wide; at most 12");
	assert_string_equal(told("story|add|K7QX3M|T|--estimate|123456789", "estimate",
				 "is wider than 8 cells"),
			    "--estimate: 123456789 is 9 wide; at most 8");
}

TEST(test_the_words_of_the_wire_become_those_of_the_command_line)
{
	assert_string_equal(told("question|mine|--status|new", "status",
				 "must be OPEN, PARTIAL, CLOSED, EXPIRED or CANCELLED"),
			    "--status must be open, partial, closed, expired or cancelled");
	assert_string_equal(told("ask|Ship it today?|-o|yes", "options", "must be 2 to 10 strings"),
			    "--option: 1 given; 2 to 10 are possible");
	assert_string_equal(told("notify|off|s_1", "",
				 "you have no such one; see subscription.list"),
			    "you have no such one; see aye notify list");
	assert_string_equal(told("notify|on|--command|ada@example.org", "channel",
				 "is not possible: why"),
			    "--command: ada@example.org is not possible: why");
	assert_string_equal(told("ask|Ship it today?|--room|K7", "room_id",
				 "must be 6 to 16 bytes long"),
			    "--room: K7 is too short");
	assert_string_equal(told("new|--link-template|https://example.org/{key}", "link_template",
				 "is longer than 16 bytes"),
			    "--link-template: https://example.org/{key} is too long");
	assert_string_equal(told("data|get|K7QX3M|map|no notes", "name",
				 "the room has no map of that name"),
			    "\"no notes\": the room has no map of that name");
	assert_string_equal(told("data|insert|K7QX3M|list|agenda|before|x|1", "before",
				 "must be 2 to 64 bytes long"),
			    "x is too short");
	assert_string_equal(told("login|Ada", "user_name", "must be 1 to 2 cells"),
			    "Ada must be 1 to 2 cells");
}

TEST(test_of_a_long_text_its_beginning_is_repeated)
{
	assert_string_equal(told("ask|What do you think of this text, which goes on, and on, and "
				 "on, as if it had no end?",
				 "prompt", "must be 10 to 60 characters long"),
			    "\"What do you think of this text, which goes on, and on, and o...\" "
			    "must be 10 to 60 characters long");
}

TEST(test_options_are_called_as_they_were_typed)
{
	assert_string_equal(told("story|add|K7QX3M|T|--status|x", "status", "must be todo or done"),
			    "--status must be todo or done");
	assert_string_equal(told("room|vote|K7QX3M|1", "username", "required when not logged in"),
			    "--name: required when not logged in");
	assert_string_equal(told("room|vote|K7QX3M|1|--confidence|2", "confidence",
				 "is not asked for by the room's policy"),
			    "--confidence: 2 is not asked for by the room's policy");
	assert_string_equal(told("room|policy|K7QX3M|who_reveals=all", "policy.who_reveals",
				 "must be host or everyone"),
			    "who_reveals must be host or everyone");
}

TEST(test_a_fault_without_a_field_is_told_as_it_is)
{
	assert_string_equal(told("room|reset|K7QX3M", "", "only the host may do that"),
			    "only the host may do that");
}

TEST(test_what_comes_from_a_server_is_softened)
{
	const char *out = told("room|reset|K7QX3M", "a\x1b[2J", "b\x1b[2Jc");
	assert_null(strchr(out, 0x1b));
}
