/*
 * test_tui_play.c - keys and commands of a round in, wishes out: the reveal,
 * time, and what members signal each other.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/tui/actions/action_table.h"

/* ---- rounds ---- */

REVEALED_TEST(test_equals_takes_the_suggestion_or_asks_for_a_value)
{
	assert_string_equal(a->r.room.result.suggestion.data, "5");
	assert_request(type(t, a, "="), METHOD_ROUND_SETTLE, "estimate", "5", NULL);
	assert_request(enter(t, a, ":settle 13"), METHOD_ROUND_SETTLE, "estimate", "13", NULL);
	a->r.room.result.suggestion = (struct slice){0};
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle on:");
	assert_request(enter(t, a, "5"), METHOD_ROUND_SETTLE, "estimate", "5", NULL);
	assert_refused(t, a, ":settle much too long", "An estimate has up to 8 characters");
}

REVEALED_TEST(test_a_settled_round_is_settled_anew_by_typing)
{
	a->r.room.outcome = slice_str("8");
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle on: 8");
	(void)tui_take_key(t, &a->r, TUI_KEY_BACKSPACE);
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROUND_SETTLE, "estimate",
		       "(nil)", NULL);
}

/* The ASCII labels of cards are drawn, offered and taken; what is sent is the card. */
REVEALED_TEST(test_where_signs_are_ascii_so_are_cards_that_are_typed)
{
	a_room_deck(a, "½ 1 ∞");
	a->r.room.policy.vote_after_reveal = true;
	a->r.room.result.suggestion = (struct slice){0};
	assert_refused(t, a, ":vote oo", "No card oo here");
	(void)enter(t, a, ":set signs ascii");
	assert_request(enter(t, a, ":vote oo"), METHOD_ROOM_VOTE, "vote", "∞", NULL);
	assert_request(enter(t, a, ":vote 1/2"), METHOD_ROOM_VOTE, "vote", "½", NULL);
	assert_request(enter(t, a, ":settle oo"), METHOD_ROUND_SETTLE, "estimate", "∞", NULL);
	assert_nothing(type(t, a, "="));
	assert_below(t, a, " 1/2  1  oo");
	(void)type(t, a, "o");
	(void)tui_take_key(t, &a->r, TUI_KEY_TAB);
	assert_message(t, a, " Settle on: oo");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROUND_SETTLE, "estimate", "∞",
		       NULL);
	a_room_deck(a, "1 2");
	a->r.room.outcome = SLICE("½");
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle on: 1/2");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROUND_SETTLE, "estimate", "½",
		       NULL);
	a_room_deck(a, "1 oo ∞");
	assert_request(enter(t, a, ":settle oo"), METHOD_ROUND_SETTLE, "estimate", "oo", NULL);
}

HOST_TEST(test_where_signs_are_ascii_a_deck_stays_as_it_is)
{
	a_room_deck(a, "½ 1 ∞");
	(void)enter(t, a, ":set signs ascii");
	assert_nothing(type(t, a, "D"));
	assert_message(t, a, " Cards: 1/2 1 oo");
	(void)tui_take_key(t, &a->r, TUI_KEY_RIGHT);
	assert_request(enter(t, a, " 2"), METHOD_ROOM_SET_VALID_SIZES, "valid_sizes", "½ 1 ∞ 2",
		       NULL);
}

HOST_TEST(test_a_deck_takes_a_card_for_a_break_beside_its_own)
{
	assert_request(enter(t, a, ":deck tshirt coffee"), METHOD_ROOM_SET_VALID_SIZES,
		       "valid_sizes", "XS S M L XL XXL ? coffee", NULL);
	assert_request(enter(t, a, ":deck fist ? break"), METHOD_ROOM_SET_VALID_SIZES,
		       "valid_sizes", "0 1 2 3 4 5 ? break", NULL);
	assert_request(enter(t, a, ":deck yesno ? coffee"), METHOD_ROOM_SET_VALID_SIZES,
		       "valid_sizes", "yes no ? coffee", NULL);
	assert_request(enter(t, a, ":deck hours days coffee"), METHOD_ROOM_SET_VALID_SIZES,
		       "valid_sizes", "hours days coffee", NULL);
	a_room_deck(a, "1 2 ☕");
	(void)enter(t, a, ":set signs ascii");
	assert_nothing(type(t, a, "D"));
	assert_message(t, a, " Cards: 1 2 coffee");
}

REVEALED_TEST(test_voting_again_needs_open_cards)
{
	assert_request(type(t, a, "V"), METHOD_ROUND_AGAIN, NULL);
	init_session(a, false);
	assert_nothing(type(t, a, "V"));
	assert_message(t, a, " Reveal the votes first: press R");
}

REVEALED_TEST(test_next_goes_to_a_story_while_there_is_one)
{
	assert_request(type(t, a, "N"), METHOD_STORY_NEXT, NULL);
	a->r.stories.n = 0;
	a->r.room.story_id = (struct slice){0};
	assert_request(type(t, a, "N"), METHOD_ROOM_RESET, NULL);
}

/* It opens at the last story, and when that is left. */
REVEALED_TEST(test_the_summary_opens_at_the_last_story)
{
	static const char table[] =
		" aye · Sprint 42 · K7QX3M                                       3 here · ● live";
	struct story_view *s = &a->stories[1]; /* the one that is voted on */
	a->stories[2].status = STORY_SKIPPED;
	a->r.room.policy.vote_after_reveal = true;
	assert_row(t, a, 0, table);
	s->status = STORY_DONE;
	s->estimate = SLICE("5");
	assert_row(t, a, 0, " Summary · Sprint 42");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_row(t, a, 0, table);
	assert_request(type(t, a, "N"), METHOD_STORY_NEXT, NULL);
	assert_row(t, a, 0, " Summary · Sprint 42");
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_ENTER);
	a->r.room.story_id = (struct slice){0};
	assert_request(type(t, a, "N"), METHOD_ROOM_RESET, NULL); /* quick votes go on */
	assert_row(t, a, 0, table);
}

/* Nothing is taken from the hands of those who type. */
VOTING_TEST(test_the_summary_waits_for_an_open_line)
{
	struct story_view *s = &a->stories[1];
	a->stories[2].status = STORY_SKIPPED;
	(void)type(t, a, ":");
	s->status = STORY_SKIPPED;
	assert_message(t, a, " :");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	(void)type(t, a, "Z");
	assert_row(t, a, 0, " Summary · Sprint 42");
	assert_string_equal(tui_wants(t, &a->r).request == NULL ? "" : "rounds", "rounds");
}

VOTING_TEST(test_undo_is_there_while_the_server_says_so)
{
	assert_nothing(type(t, a, "U"));
	assert_message(t, a, " No reset to undo");
	a->r.room.can_undo = true;
	assert_request(type(t, a, "U"), METHOD_ROUND_UNDO_RESET, NULL);
}

VOTING_TEST(test_a_countdown_is_cancelled_by_its_token)
{
	assert_nothing(type(t, a, "c"));
	a->r.room.phase = PHASE_COUNTDOWN;
	a->r.room.countdown.token = 7;
	struct act act = type(t, a, "c");
	assert_request(act, METHOD_REVEAL_CANCEL, "token", "7", NULL);
}

VOTING_TEST(test_arming_is_a_switch)
{
	struct act act = type(t, a, "A");
	assert_request(act, METHOD_REVEAL_ARM, "is_armed", "true", NULL);
	a->r.room.is_armed = true;
	act = type(t, a, "A");
	assert_request(act, METHOD_REVEAL_ARM, "is_armed", "false", NULL);
}

REVEALED_TEST(test_votes_change_after_the_reveal_where_the_policy_allows)
{
	assert_nothing(type(t, a, "8"));
	a->r.room.policy.vote_after_reveal = true;
	assert_request(type(t, a, "8"), METHOD_ROOM_VOTE, "vote", "8", NULL);
}

/* ---- time ---- */

VOTING_TEST(test_timers_are_typed_as_people_say_them)
{
	static const struct {
		const char *typed;
		int64_t seconds; /* -1: refused */
		bool reveals;
	} rows[] = {
		{":timer 5m", 300, false},    {":timer 90s", 90, false},
		{":timer 1:30", 90, false},   {":timer 5", 300, false},
		{":timer 1h", 3600, false},   {":timer 2m!", 120, true},
		{":timer 30s !", 30, true},   {":timer stop", 0, false},
		{":timer 2d!", 172800, true}, {":timer 90d", 7776000, false},
		{":timer 91d", -1, false},    {":timer soon", -1, false},
		{":timer 1:60", -1, false},   {":timer 5m!!", -1, false},
		{":timer -5", -1, false},     {":timer 9999999", -1, false},
		{":timer 0s", -1, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].seconds < 0) {
			assert_refused(t, a, rows[i].typed, "Enter 5m, 90s, 1:30, 5m! or stop");
			continue;
		}
		struct act act = enter(t, a, rows[i].typed);
		if (rows[i].seconds == 0) {
			assert_request(act, METHOD_TIMER_STOP, NULL);
		} else {
			assert_request(act, METHOD_TIMER_START, "reveal_at_zero",
				       rows[i].reveals ? "true" : "false", NULL);
			const struct timer_start_params *p = act.request->params;
			assert_int_equal(p->seconds, rows[i].seconds);
		}
	}
	/* The room's own time is offered first. */
	a->r.room.timer_seconds = 90;
	a->r.room.with_timer_seconds = true;
	(void)type(t, a, "t");
	assert_message(t, a, " Timer: 90s");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->r.room.timer.ends_at = A_NOW;
	(void)type(t, a, "t");
	assert_message(t, a, " Timer: stop");
}

VOTING_TEST(test_a_break_is_of_minutes)
{
	static const char *const bad[] = {"x", "-1", "1441", "1.5"};
	assert_request(enter(t, a, ":pause 10"), METHOD_ROOM_PAUSE, "minutes", "10", NULL);
	assert_request(enter(t, a, ":pause 0"), METHOD_ROOM_PAUSE, "minutes", "0", NULL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char line[32];
		char why[80];
		(void)snprintf(line, sizeof(line), ":pause %s", bad[i]);
		(void)snprintf(why, sizeof(why), "%s is not a number of minutes from 0 to 1440",
			       bad[i]);
		assert_refused(t, a, line, why);
	}
	assert_nothing(enter(t, a, ":pause"));
	assert_message(t, a, " Break, in minutes:");
	a->r.you.is_host = false;
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_nothing(enter(t, a, ":pause 10"));
}

VOTING_TEST(test_a_break_counts_down_until_it_is_over)
{
	a->r.room.pause_ends_at = A_NOW + 61400;
	assert_message(t, a, "");
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1); /* the time is not told yet */
	tui_set_now(t, A_NOW);
	assert_message(t, a, " Break: 1:02");
	assert_int_equal(tui_changes_in_ms(t, &a->r), 400);
	(void)type(t, a, "S");
	assert_message(t, a, " Break: 1:02");
	tui_take_reaction(t, &a->r, a->members[1].user_id.data, "+1");
	assert_message(t, a, " Grace: +1");
	tui_set_now(t, A_NOW + 61399);
	assert_message(t, a, " Break: 0:01");
	assert_int_equal(tui_changes_in_ms(t, &a->r), 1);
	tui_set_now(t, A_NOW + 61400);
	assert_message(t, a, "");
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1);
}

VOTING_TEST(test_time_wakes_the_screen_only_while_something_runs)
{
	a->r.room.timer.ends_at = A_NOW + 2400;
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1); /* the time is not told yet */
	tui_set_now(t, A_NOW);
	assert_int_equal(tui_changes_in_ms(t, &a->r), 400);
	tui_set_now(t, A_NOW + 400);
	assert_int_equal(tui_changes_in_ms(t, &a->r), 1000);
	a->r.room.countdown.ends_at = A_NOW + 500;
	assert_int_equal(tui_changes_in_ms(t, &a->r), 100);
	tui_set_now(t, A_NOW + 2400);
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1);
	a->r.room.timer.ends_at = 0;
	a->r.room.countdown.ends_at = 0;
	tui_take_reaction(t, &a->r, a->members[1].user_id.data, "+1");
	assert_message(t, a, " Grace: +1");
	int64_t moment = tui_changes_in_ms(t, &a->r);
	assert_true(moment > 0);
	tui_set_now(t, A_NOW + 2400 + moment);
	assert_int_equal(tui_changes_in_ms(t, &a->r), -1);
}

VOTING_TEST(test_a_timer_that_ran_out_says_so_and_one_that_was_stopped_does_not)
{
	tui_set_now(t, A_NOW);
	a->r.room.timer.ends_at = A_NOW + 60000;
	assert_message(t, a, "");
	a->r.room.timer.ends_at = 0;
	assert_message(t, a, "");
	a->r.room.timer.ends_at = A_NOW + 1000;
	assert_message(t, a, "");
	a->r.room.timer.ends_at = 0;
	assert_message(t, a, " Time is up");
}

/* ---- signals ---- */

VOTING_TEST(test_a_nudge_rings_once_and_stays_until_one_votes)
{
	a->r.you.vote = (struct slice){0};
	assert_message(t, a, "");
	assert_null(tui_take_notice(t, &a->r, 0).text);
	tui_take_nudge(t, "Grace");
	assert_string_equal(tui_take_notice(t, &a->r, 0).text, "Sprint 42: Grace asks you to vote");
	assert_null(tui_take_notice(t, &a->r, 0).text);
	assert_message(t, a, " Grace asks you to vote");
	(void)tui_take_key(t, &a->r, TUI_KEY_RIGHT);
	assert_message(t, a, " Grace asks you to vote");
	a->r.you.vote = slice_str("5");
	assert_message(t, a, "");
}

VOTING_TEST(test_a_card_that_a_new_deck_does_not_have_is_to_be_chosen_again)
{
	a->r.you.vote = slice_str("8");
	assert_message(t, a, "");
	a_room_deck(a, "1 2 3");
	a->r.you.is_withdrawn = true;
	assert_message(t, a, " Your card 8 is not in the new deck. Vote again");
	(void)type(t, a, "3");
	assert_message(t, a, ""); /* it is said once */
	a->r.you.vote = slice_str("3");
	a->r.you.is_withdrawn = false;
	a_room_reveal(a);
	a->r.room.result.withdrawn = 1;
	bool is_said = false;
	for (int y = 0; y < 23; y++) {
		char *row = row_from_below(t, a, 23 - y);
		is_said = is_said || strstr(row, "1 withdrawn") != NULL;
		free(row);
	}
	assert_true(is_said);
}

VOTING_TEST(test_nudging_needs_somebody_who_is_waited_for)
{
	assert_request(type(t, a, "!"), METHOD_ROOM_NUDGE, NULL);
	a->members[1].has_vote = true;
	a->members[2].is_connected =
		false; /* the server knows whether she is logged in elsewhere */
	assert_request(type(t, a, "!"), METHOD_ROOM_NUDGE, NULL);
	a->members[2].has_vote = true;
	assert_nothing(type(t, a, "!"));
	assert_message(t, a, " Everyone else has voted");
	a->r.you.vote = (struct slice){0}; /* nobody rings themselves */
	a->members[0].has_vote = false;
	assert_nothing(type(t, a, "!"));
}

REVEALED_TEST(test_a_refusal_is_gone_when_the_next_round_begins)
{
	assert_message(t, a, "");
	(void)type(t, a, "R");
	assert_message(t, a, " Already revealed");
	a->r.room.is_revealed = false;
	a->r.room.round++;
	assert_message(t, a, "");
}

GUEST_TEST(test_reactions_are_one_word)
{
	(void)type(t, a, ",");
	assert_request(enter(t, a, "nice"), METHOD_ROOM_REACT, "word", "nice", NULL);
	assert_refused(t, a, ":react two words", "One word or emoji, up to 12 characters");
	assert_nothing(enter(t, a, ":react thirteencells"));
}

GUEST_TEST(test_a_digit_alone_is_one_of_six_reactions)
{
	(void)type(t, a, ",");
	assert_below(t, a, " 1 👍  2 👎  3 🎉  4 😂  5 🤔  6 ☕");
	assert_request(type(t, a, "3"), METHOD_ROOM_REACT, "word", "🎉", NULL);
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", NULL);
	assert_request(enter(t, a, ",7"), METHOD_ROOM_REACT, "word", "7", NULL);
	assert_request(enter(t, a, ",top10"), METHOD_ROOM_REACT, "word", "top10", NULL);
	(void)enter(t, a, ":set signs ascii");
	(void)type(t, a, ",");
	assert_below(t, a, " 1 +1  2 -1  3 hooray  4 haha  5 hmm  6 coffee");
	assert_request(type(t, a, "6"), METHOD_ROOM_REACT, "word", "coffee", NULL);
}

GUEST_TEST(test_a_digit_alone_is_one_of_the_rooms_reactions)
{
	static struct slice words[] = {SLICE_INIT("ship"), SLICE_INIT("it")};
	a->r.room.reactions = (struct slices){words, 2};
	(void)type(t, a, ",");
	assert_below(t, a, " 1 ship  2 it");
	assert_request(type(t, a, "2"), METHOD_ROOM_REACT, "word", "it", NULL);
	assert_request(enter(t, a, ",3"), METHOD_ROOM_REACT, "word", "3", NULL);
	(void)enter(t, a, ":set signs ascii");
	assert_request(type(t, a, ",1"), METHOD_ROOM_REACT, "word", "ship", NULL);
}

GUEST_TEST(test_a_note_goes_with_the_vote)
{
	a->r.you.comment = slice_str("was");
	(void)type(t, a, "x");
	assert_message(t, a, " Comment: was");
	(void)tui_take_key(t, &a->r, TUI_KEY_END);
	assert_request(enter(t, a, " big"), METHOD_ROOM_VOTE, "comment", "was big", NULL);
	a->r.you.vote = (struct slice){0};
	assert_nothing(type(t, a, "x"));
	assert_message(t, a, " You have not voted yet");
}

GUEST_TEST(test_how_sure_one_is_is_asked_where_the_room_asks)
{
	assert_nothing(type(t, a, "f"));
	assert_message(t, a, " This room does not record confidence");
	a->r.room.policy.confidence = true;
	(void)type(t, a, "f");
	struct act act = enter(t, a, "2");
	assert_request(act, METHOD_ROOM_VOTE, "confidence", "2", "vote", "(absent)", NULL);
	assert_nothing(enter(t, a, ":sure 4"));
}
