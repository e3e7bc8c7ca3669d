/*
 * test_tui_keys.c - the keys of cards: digits in a row, letters, and what says so.
 */
#include "tests/unit/client/tui_kit.h"

/* A key that comes that long after the one before. */
static struct act type_after(struct tui *t, const struct a_room *a, int64_t *now, int64_t ms,
			     int32_t key)
{
	*now += ms;
	tui_set_now(t, *now);
	return tui_take_key(t, &a->r, key);
}

static void assert_votes(struct act act, const char *card)
{
	assert_request(act, METHOD_ROOM_VOTE, "vote", card, NULL);
}

MEMBER_TEST(test_a_digit_soon_after_another_makes_the_card_of_both)
{
	int64_t now = A_NOW;
	assert_votes(type_after(t, a, &now, 5000, '1'), "1");
	assert_votes(type_after(t, a, &now, 700, '3'), "13");
	assert_votes(type_after(t, a, &now, 100, '2'), "2");
	assert_votes(type_after(t, a, &now, 100, '0'), "20");
	assert_votes(type_after(t, a, &now, 5000, '0'), "?");
}

MEMBER_TEST(test_a_digit_some_time_after_another_stands_alone)
{
	int64_t now = A_NOW;
	assert_votes(type_after(t, a, &now, 5000, '1'), "1");
	assert_votes(type_after(t, a, &now, 701, '3'), "3");
	assert_votes(type_after(t, a, &now, 5000, '2'), "2");
	assert_votes(type_after(t, a, &now, 701, '0'), "?");
}

MEMBER_TEST(test_digits_that_no_card_begins_with_stand_alone)
{
	int64_t now = A_NOW;
	assert_votes(type_after(t, a, &now, 5000, '5'), "5");
	assert_votes(type_after(t, a, &now, 10, '3'), "3");
	assert_votes(type_after(t, a, &now, 10, '1'), "1");
	assert_nothing(type_after(t, a, &now, 10, 'X'));
	assert_votes(type_after(t, a, &now, 10, '3'), "3");
}

MEMBER_TEST(test_every_card_of_a_long_deck_can_be_typed)
{
	int64_t now = A_NOW;
	char deck[200] = "100 ½";
	for (int i = 0; i <= 29; i++) {
		(void)snprintf(deck + strlen(deck), sizeof(deck) - strlen(deck), " %d", i + 3);
	}
	a_room_deck(a, deck);
	for (int i = 10; i <= 32; i++) {
		char label[12];
		(void)snprintf(label, sizeof(label), "%d", i);
		(void)type_after(t, a, &now, 5000, label[0]);
		assert_votes(type_after(t, a, &now, 200, label[1]), label);
	}
	(void)type_after(t, a, &now, 5000, '1');
	assert_votes(type_after(t, a, &now, 200, '0'), "10");
	assert_votes(type_after(t, a, &now, 200, '0'), "100");
}

MEMBER_TEST(test_letters_of_the_deck_win_over_actions_in_either_case)
{
	a_room_deck(a, "XS S M L XL XXL ?");
	assert_votes(type(t, a, "s"), "S");
	assert_votes(type(t, a, "S"), "S");
	assert_votes(type(t, a, "m"), "M");
	assert_votes(type(t, a, "l"), "L");
	assert_message(t, a, "");
	assert_request(enter(t, a, ":spectate"), METHOD_ROOM_JOIN, "role", "spectator", NULL);
	(void)enter(t, a, ":stories");
	assert_row(t, a, 0, " Stories");
}

MEMBER_TEST(test_who_only_watches_has_no_hand_whose_letters_could_win)
{
	a_room_deck(a, "XS S M L XL XXL ?");
	a->r.you.role = ROLE_SPECTATOR;
	assert_request(type(t, a, "s"), METHOD_ROOM_JOIN, "role", "voter", NULL);
}

MEMBER_TEST(test_footer_and_help_say_what_the_letters_took)
{
	char *row = row_from_below(t, a, 0);
	assert_non_null(strstr(row, " 0-9 vote  "));
	assert_non_null(strstr(row, "S stories"));
	free(row);
	a_room_deck(a, "XS S M L XL XXL ?");
	row = row_from_below(t, a, 0);
	assert_non_null(strstr(row, " A-Z vote  "));
	assert_non_null(strstr(row, " :stories  "));
	free(row);
	struct grid g = {0};
	grid_resize(&g, 80, 24);
	(void)type(t, a, "?/spectate");
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	char *help = grid_dump(&g);
	assert_non_null(strstr(
		help,
		"\n  :spectate  Spectate, or vote again: your card returns in the same round\n"));
	free(help);
	grid_finish(&g);
}

HOST_TEST(test_help_begins_with_the_keys_of_the_view_it_was_opened_in)
{
	(void)a_room_story(a, "Refund", STORY_TODO, NULL);
	(void)type(t, a, "?");
	assert_row(t, a, 2, " Vote");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_row(t, a, 22, "");
	(void)type(t, a, "S?");
	assert_row(t, a, 2, " In the stories (S)");
	(void)type(t, a, "q");
	assert_row(
		t, a, 0,
		" Stories                                               0 of 1 estimated · sum 0");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "P?");
	assert_row(t, a, 2, " In the rules (P)");
}

/* To leave and to get help are the last two places, to the right of all that fits before them. */
HOST_TEST(test_a_footer_always_says_how_to_leave_and_to_get_help)
{
	static const char *const opens[] = {"", "S", "P", "h", "o"};
	(void)a_room_story(a, "Refund", STORY_TODO, NULL);
	for (size_t i = 0; i < sizeof(opens) / sizeof(opens[0]); i++) {
		(void)type(t, a, opens[i]);
		char *row = row_from_below(t, a, 0);
		const char *end = i == 0 ? "  q leave  ? help" : "  Esc back  ? help";
		assert_true(strlen(row) > strlen(end));
		assert_string_equal(row + strlen(row) - strlen(end), end);
		free(row);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
}

HOST_TEST(test_help_marks_what_only_hosts_may)
{
	(void)type(t, a, "?/reveal the cards");
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	assert_row(t, a, 2, " Run the vote");
	assert_row(t, a, 3, "  R        ★ Reveal the cards");
	a->r.room.policy.who_reveals = WHO_MAY_EVERYONE;
	assert_row(t, a, 3, "  R          Reveal the cards");
}

HOST_TEST(test_help_is_searched_by_command_and_key_too)
{
	(void)type(t, a, "?/unkick");
	assert_row(t, a, 3, "  :unkick  ★ Unban a member");
}

HOST_TEST(test_an_open_line_says_how_to_get_out)
{
	static const char *const lines[] = {"D", "t", ":", "eno such thing as this\r", "?/zz"};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		(void)type(t, a, lines[i]);
		char *row = row_from_below(t, a, 0);
		const char *end = i == 4 ? "  Esc show all" : "  Esc cancel";
		assert_string_equal(row + strlen(row) - strlen(end), end);
		free(row);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
}

HOST_TEST(test_the_line_of_cards_shows_the_decks_and_a_deck_that_is_none_is_told)
{
	(void)type(t, a, "D");
	assert_below(t, a, " guesstimator  fibonacci  modified  tshirt  powers  hours  fist  …");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " Cards: 1 2 3 5 8 13 20 ? ∞");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_refused(t, a, ":deck fibonnaci", "fibonnaci is not a deck; did you mean fibonacci?");
	assert_refused(t, a, ":deck zzz",
		       "zzz is not a deck: use cards split by spaces, or one of guesstimator, "
		       "fibonac…");
}

HOST_TEST(test_a_link_is_a_web_address)
{
	(void)a_room_story(a, "Refund", STORY_TODO, NULL);
	(void)type(t, a, "S");
	assert_refused(t, a, ":link 1 b",
		       "b is not a web address: it must start with http:// or https://");
	assert_request(enter(t, a, ":link 1 https://x.example"), METHOD_STORY_UPDATE, "link",
		       "https://x.example", NULL);
}

HOST_TEST(test_any_beginning_of_one_command_is_that_command)
{
	assert_refused(t, a, ":res", "res could be reset, restore");
	(void)enter(t, a, ":pol");
	assert_row(t, a, 0, " Rules of this room");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)enter(t, a, ":rules");
	assert_row(t, a, 0, " Rules of this room");
}

TUI_TEST(test_who_only_watches_reads_how_to_vote, init_member(a), open_tui())
{
	struct grid g = {0};
	grid_resize(&g, 40, 12);
	a->r.you.role = ROLE_SPECTATOR;
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	char *dump = grid_dump(&g);
	assert_non_null(strstr(dump, "\n s vote  "));
	free(dump);
	grid_finish(&g);
}

HOST_TEST(test_lines_at_the_table_name_the_command_where_a_card_has_the_letter)
{
	a_room_deck(a, "R C U ?");
	a->members[1].has_vote = true;
	a->members[2].has_vote = true;
	a->r.you.vote = slice_str("R");
	char *dump = NULL;
	struct grid g = {0};
	grid_resize(&g, 80, 24);
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	dump = grid_dump(&g);
	assert_non_null(strstr(dump, "3 of 3 voted · :reveal to reveal"));
	free(dump);
	grid_finish(&g);
}

/* ---- lines ---- */

HOST_TEST(test_what_is_refused_stays_on_its_line_and_acts_as_no_key)
{
	assert_nothing(enter(t, a, ",hello there"));
	assert_message(t, a, " Word or emoji: hello there");
	assert_below(t, a, " One word or emoji, up to 12 characters");
	assert_nothing(type(t, a, "lol"));
	assert_message(t, a, " Word or emoji: hello therelol");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_nothing(enter(t, a, "tsoon"));
	assert_message(t, a, " Timer: soon");
	for (int i = 0; i < 4; i++) {
		(void)tui_take_key(t, &a->r, TUI_KEY_BACKSPACE);
	}
	assert_request(enter(t, a, "3"), METHOD_TIMER_START, "seconds", "180", NULL);
	assert_message(t, a, "");
	assert_refused(t, a, ":xyzzy", "No command xyzzy. ? for the list");
	assert_refused(t, a, ":vote 14", "No card 14 here");
}

/* Title, deck, description: whatever has a line, refused by its row or by the field. */
HOST_TEST(test_every_line_keeps_what_is_refused)
{
	char wide[300] = "";
	memset(wide, 'x', sizeof(wide) - 1);
	static const struct {
		const char *keys;
		const char *label;
	} lines[] = {{"e", " Title: "}, {"D", " Cards: "}, {"Sa", " New story: "}};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		(void)type(t, a, lines[i].keys);
		assert_nothing(enter(t, a, wide));
		char *row = row_from_below(t, a, 1);
		assert_ptr_equal(strstr(row, lines[i].label), row);
		assert_non_null(strstr(row, "xxxxxxx"));
		free(row);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
}

HOST_TEST(test_what_the_server_refused_opens_again_where_no_key_came_between)
{
	assert_request(enter(t, a, "eSprint 43"), METHOD_ROOM_SET_TITLE, NULL);
	tui_take_refusal(t, METHOD_TIMER_START);
	assert_message(t, a, "");
	assert_request(enter(t, a, "eSprint 43"), METHOD_ROOM_SET_TITLE, NULL);
	tui_take_refusal(t, METHOD_ROOM_SET_TITLE);
	tui_tell(t, "Too many requests");
	assert_message(t, a, " Title: Sprint 43");
	assert_below(t, a, " Too many requests");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_SET_TITLE, "title",
		       "Sprint 43", NULL);
	(void)type(t, a, "5");
	tui_take_refusal(t, METHOD_ROOM_SET_TITLE);
	assert_message(t, a, "");
}

HOST_TEST(test_the_first_key_replaces_what_a_line_offers_and_the_cursor_keeps_it)
{
	assert_nothing(type(t, a, "t"));
	assert_message(t, a, " Timer: 5m");
	assert_below(t, a, " 5m  90s  1:30  · 5m! reveals at the end");
	(void)type(t, a, "1m");
	assert_message(t, a, " Timer: 1m");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "t");
	(void)tui_take_key(t, &a->r, TUI_KEY_LEFT);
	(void)type(t, a, "0");
	assert_message(t, a, " Timer: 50m");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "t");
	(void)tui_take_key(t, &a->r, TUI_KEY_BACKSPACE);
	assert_message(t, a, " Timer:");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "t");
	assert_nothing(tui_take_paste(t, &a->r, SLICE("2m")));
	assert_message(t, a, " Timer: 2m");
}

/* ---- questions ---- */

VOTING_TEST(test_a_question_says_what_will_happen)
{
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, " Continue with three? 1 vote was not revealed. y / n");
	(void)type(t, a, "n");
	a->members[1].has_vote = true;
	a->stories[2].title = SLICE("PAY-5 Refund what was paid in parts");
	(void)type(t, a, "N");
	assert_message(
		t, a, " Continue with PAY-5 Refund what was pa…? 2 votes were not revealed. y / n");
	(void)type(t, a, "n");
	a->stories[2].status = STORY_DONE;
	(void)type(t, a, "N");
	assert_message(t, a, " Start the next round? 2 votes were not revealed. y / n");
	(void)type(t, a, "n");
	(void)enter(t, a, ":select 4");
	assert_message(t, a, " Vote on four? 2 votes were not revealed. y / n");
	(void)type(t, a, "n");
	(void)enter(t, a, ":reset");
	assert_message(t, a, " Clear all votes? 2 votes were not revealed. y / n");
}

VOTING_TEST(test_who_has_a_card_on_the_table_is_asked_before_it_goes)
{
	(void)a;
	assert_nothing(type(t, a, "s"));
	assert_message(t, a, " Spectate? Your 5 returns if you vote again this round. y / n");
	a->r.room.is_revealed = true;
	assert_message(t, a, " Spectate? Your 5 stays in this result. y / n");
	a->r.room.is_revealed = false;
	a->r.pending_vote = "8";
	assert_message(t, a, " Spectate? Your 8 was not sent yet. y / n");
	a->r.pending_vote = NULL;
	assert_nothing(type(t, a, "n"));
	(void)type(t, a, "s");
	assert_request(type(t, a, "y"), METHOD_ROOM_JOIN, "role", "spectator", NULL);
	a->r.you.role = ROLE_SPECTATOR;
	a->r.you.vote = (struct slice){0};
	assert_request(type(t, a, "s"), METHOD_ROOM_JOIN, "role", "voter", NULL);
}

HOST_TEST(test_the_count_in_a_question_follows_the_room)
{
	(void)type(t, a, "R");
	assert_message(t, a, " 2 of 3 have not voted. Reveal? y / n");
	a->members[1].has_vote = true;
	assert_message(t, a, " 1 of 3 have not voted. Reveal? y / n");
	a->members[2].has_vote = true;
	assert_message(t, a, " Everyone has voted. Reveal? y / n");
	assert_request(type(t, a, "y"), METHOD_ROOM_SET_REVEALED, NULL);
}

HOST_TEST(test_nothing_is_turned_over_where_nobody_has_voted)
{
	a->members[0].has_vote = false;
	a->r.you.vote = (struct slice){0};
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Nobody has voted yet");
	a->members[2].has_vote = true;
	a->members[2].is_bot = true;
	(void)type(t, a, "R");
	assert_message(t, a, " 2 of 2 have not voted. Reveal? y / n");
}

REVEALED_TEST(test_equals_offers_no_value_where_none_is_suggested)
{
	a->r.room.result.suggestion = (struct slice){0};
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle on:");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->r.room.outcome = slice_str("8");
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle on: 8");
	assert_below(t, a, " 1  2  3  5  8  13  20  ?  ∞");
}

HOST_TEST(test_who_is_waited_for_comes_before_what_can_be_taken_back)
{
	a->members[0].has_vote = false;
	a->r.you.vote = (struct slice){0};
	a->r.room.can_undo = true;
	assert_row(t, a, 9,
		   " 0 of 3 voted · waiting for you, Grace and Linus · U to undo the reset");
}
