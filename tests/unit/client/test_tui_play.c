/*
 * test_tui_play.c - keys and commands of a session in, wishes out: stories,
 * rounds, time, rules, signals, the lobby.
 */
#include "tests/unit/client/tui_kit.h"

#include "client/model/rounds.h"
#include "client/tui/actions.h"

#define A_NOW INT64_C(1700000000000)

static struct ask enter(struct tui *t, const struct a_room *a, const char *line)
{
	(void)type(t, a, line);
	return tui_take_key(t, &a->r, TUI_KEY_ENTER);
}

/* A host with two others and four stories, the second of which is voted on. */
static void init_session(struct a_room *a, bool is_revealed)
{
	a_room_init(a, "Sprint 42");
	a->r.is_revealed = is_revealed;
	a_room_seat(a, "me", IS_ME | IS_HOST, "5");
	a_room_seat(a, "Grace", 0, is_revealed ? "5" : NULL);
	a_room_seat(a, "Linus", 0, is_revealed ? "8" : NULL);
	(void)a_room_story(a, "one", STORY_DONE, "3");
	(void)a_room_story(a, "two", STORY_VOTING, NULL);
	(void)a_room_story(a, "three", STORY_TODO, NULL);
	(void)a_room_story(a, "four", STORY_SKIPPED, NULL);
	if (is_revealed) {
		a_room_reveal(a);
	}
}

static void init_guest(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_HOST, "5");
	a_room_seat(a, "me", IS_ME, "3");
	a_room_seat(a, "Linus", 0, NULL);
	(void)a_room_story(a, "one", STORY_VOTING, NULL);
}

/* ---- rounds ---- */

static void test_equals_takes_the_suggestion_or_asks_for_a_value(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	struct tui *t = open_tui();
	assert_string_equal(a.r.result.suggestion, "5");
	assert_asks(type(t, &a, "="), ASK_SETTLE, "5");
	assert_asks(enter(t, &a, ":settle 13"), ASK_SETTLE, "13");
	a.r.result.suggestion = NULL;
	assert_asks(type(t, &a, "="), ASK_NOTHING, NULL);
	assert_message(t, &a, " Settle on: 5");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_SETTLE, "5");
	assert_asks(enter(t, &a, ":settle much too long"), ASK_NOTHING, NULL);
	assert_message(t, &a, " A value has up to 8 cells");
	tui_destroy(t);
}

static void test_a_settled_round_is_settled_anew_by_typing(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	a.r.outcome = a_room_text("8");
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "="), ASK_NOTHING, NULL);
	assert_message(t, &a, " Settle on: 8");
	(void)tui_take_key(t, &a.r, TUI_KEY_BACKSPACE);
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_SETTLE, "");
	tui_destroy(t);
}

static void test_voting_again_needs_open_cards(void **state)
{
	(void)state;
	struct a_room a;
	struct tui *t = open_tui();
	init_session(&a, true);
	assert_asks(type(t, &a, "V"), ASK_AGAIN, NULL);
	init_session(&a, false);
	assert_asks(type(t, &a, "V"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Reveal the votes first: press R");
	tui_destroy(t);
}

static void test_next_goes_to_a_story_while_there_is_one(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "N"), ASK_NEXT_STORY, NULL);
	a.r.stories_n = 0;
	a.r.story_id = NULL;
	assert_asks(type(t, &a, "N"), ASK_RESET, NULL);
	tui_destroy(t);
}

static void test_undo_is_there_while_the_server_says_so(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "U"), ASK_NOTHING, NULL);
	assert_message(t, &a, " There is no reset to take back");
	a.r.can_undo = true;
	assert_asks(type(t, &a, "U"), ASK_UNDO_RESET, NULL);
	tui_destroy(t);
}

static void test_a_countdown_is_cancelled_by_its_token(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "c"), ASK_NOTHING, NULL);
	a.r.phase = REPLICA_COUNTDOWN;
	a.r.countdown_token = 7;
	struct ask ask = type(t, &a, "c");
	assert_asks(ask, ASK_CANCEL, NULL);
	assert_int_equal(ask.number, 7);
	tui_destroy(t);
}

static void test_arming_is_a_switch(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	struct ask ask = type(t, &a, "A");
	assert_asks(ask, ASK_ARM, NULL);
	assert_true(ask.is_on);
	a.r.is_armed = true;
	ask = type(t, &a, "A");
	assert_asks(ask, ASK_ARM, NULL);
	assert_false(ask.is_on);
	tui_destroy(t);
}

static void test_votes_change_after_the_reveal_where_the_policy_allows(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "8"), ASK_NOTHING, NULL);
	a.r.policy.vote_after_reveal = true;
	assert_asks(type(t, &a, "8"), ASK_VOTE, "8");
	tui_destroy(t);
}

/* ---- who may ---- */

static void test_the_policy_gives_everyone_what_it_says(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	a.members[2].has_vote = true;
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "R"), ASK_NOTHING, NULL);
	a.r.policy.everyone_reveals = true;
	assert_asks(type(t, &a, "R"), ASK_REVEAL, NULL);
	assert_asks(type(t, &a, "A"), ASK_ARM, NULL);
	assert_asks(type(t, &a, "t"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that here (Ada)");
	a.r.policy.everyone_resets = true;
	assert_asks(type(t, &a, "t"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Timer: 5m");
	tui_destroy(t);
}

static void test_what_is_not_everyone_s_is_refused_in_the_views_too(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	a.r.policy.everyone_edits_stories = false;
	struct tui *t = open_tui();
	(void)type(t, &a, "S");
	for (const char *key = "aeisdJK"; *key != '\0'; key++) {
		assert_asks(tui_take_key(t, &a.r, *key), ASK_NOTHING, NULL);
		assert_message(t, &a, " Only the host may do that here (Ada)");
	}
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that here (Ada)");
	(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
	(void)type(t, &a, "P");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that (Ada)");
	assert_asks(type(t, &a, "p"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only the host may do that (Ada)");
	tui_destroy(t);
}

/* ---- time ---- */

static void test_timers_are_typed_as_people_say_them(void **state)
{
	(void)state;
	static const struct {
		const char *typed;
		int64_t seconds; /* -1: refused */
		bool reveals;
	} rows[] = {
		{":timer 5m", 300, false},  {":timer 90s", 90, false},
		{":timer 1:30", 90, false}, {":timer 5", 300, false},
		{":timer 1h", 3600, false}, {":timer 2m!", 120, true},
		{":timer 30s !", 30, true}, {":timer stop", 0, false},
		{":timer 25h", -1, false},  {":timer soon", -1, false},
		{":timer 1:60", -1, false}, {":timer 5m!!", -1, false},
		{":timer -5", -1, false},   {":timer 9999999", -1, false},
		{":timer 0s", -1, false},
	};
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ask ask = enter(t, &a, rows[i].typed);
		if (rows[i].seconds < 0) {
			assert_asks(ask, ASK_NOTHING, NULL);
			assert_message(t, &a, " A timer is 5m, 90s, 1:30, 5m! or stop");
		} else {
			assert_asks(ask, ASK_TIMER, NULL);
			assert_int_equal(ask.number, rows[i].seconds);
			assert_int_equal(ask.is_on, rows[i].reveals);
		}
	}
	a.r.timer_ends_at = A_NOW;
	(void)type(t, &a, "t");
	assert_message(t, &a, " Timer: stop");
	tui_destroy(t);
}

static void test_time_wakes_the_screen_only_while_something_runs(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	a.r.timer_ends_at = A_NOW + 2400;
	assert_int_equal(tui_changes_in_ms(t, &a.r), -1); /* the time is not told yet */
	tui_set_now(t, A_NOW);
	assert_int_equal(tui_changes_in_ms(t, &a.r), 400);
	tui_set_now(t, A_NOW + 400);
	assert_int_equal(tui_changes_in_ms(t, &a.r), 1000);
	a.r.countdown_ends_at = A_NOW + 500;
	assert_int_equal(tui_changes_in_ms(t, &a.r), 100);
	tui_set_now(t, A_NOW + 2400);
	assert_int_equal(tui_changes_in_ms(t, &a.r), -1);
	a.r.timer_ends_at = 0;
	a.r.countdown_ends_at = 0;
	tui_take_reaction(t, &a.r, a.members[1].user_id, "+1");
	assert_message(t, &a, " Grace: +1");
	int64_t moment = tui_changes_in_ms(t, &a.r);
	assert_true(moment > 0);
	tui_set_now(t, A_NOW + 2400 + moment);
	assert_int_equal(tui_changes_in_ms(t, &a.r), -1);
	tui_destroy(t);
}

static void test_a_timer_that_ran_out_says_so_and_one_that_was_stopped_does_not(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	tui_set_now(t, A_NOW);
	a.r.timer_ends_at = A_NOW + 60000;
	assert_message(t, &a, "");
	a.r.timer_ends_at = 0;
	assert_message(t, &a, "");
	a.r.timer_ends_at = A_NOW + 1000;
	assert_message(t, &a, "");
	a.r.timer_ends_at = 0;
	assert_message(t, &a, " Time is up");
	tui_destroy(t);
}

static void test_a_command_names_its_story_by_number(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, ":select 3");
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_NOTHING, NULL); /* cards lie there: that is a question */
	ask = type(t, &a, "y");
	assert_asks(ask, ASK_SELECT_STORY, NULL);
	assert_string_equal(ask.id, a.r.stories[2].story_id);
	(void)type(t, &a, ":edit 2 A better title");
	ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_RENAME_STORY, "A better title");
	assert_string_equal(ask.id, a.r.stories[1].story_id);
	(void)type(t, &a, ":down 1");
	ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_MOVE_STORY, NULL);
	assert_string_equal(ask.other, a.r.stories[1].story_id);
	(void)type(t, &a, ":remove 99");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " There is no story 99");
	(void)type(t, &a, ":remove it");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Which story? Its number comes first");
	(void)type(t, &a, ":remove 2 now");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Only its number: remove 2");
	tui_destroy(t);
}

/* ---- signals ---- */

static void test_a_nudge_rings_once_and_stays_until_one_votes(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	a.r.my_vote = NULL;
	struct tui *t = open_tui();
	assert_message(t, &a, "");
	assert_null(tui_take_notice(t, &a.r).text);
	tui_take_nudge(t, "Grace");
	assert_string_equal(tui_take_notice(t, &a.r).text, "Sprint 42: Grace waits for your vote");
	assert_null(tui_take_notice(t, &a.r).text);
	assert_message(t, &a, " Grace waits for your vote");
	(void)tui_take_key(t, &a.r, TUI_KEY_RIGHT);
	assert_message(t, &a, " Grace waits for your vote");
	a.r.my_vote = a_room_text("5");
	assert_message(t, &a, "");
	tui_destroy(t);
}

static void test_nudging_needs_somebody_who_is_waited_for(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "!"), ASK_NUDGE, NULL);
	a.members[1].has_vote = true;
	a.members[2].is_connected = false;
	assert_asks(type(t, &a, "!"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Everybody else has voted");
	a.r.my_vote = NULL; /* nobody rings themselves */
	a.members[0].has_vote = false;
	assert_asks(type(t, &a, "!"), ASK_NOTHING, NULL);
	tui_destroy(t);
}

static void test_a_refusal_is_gone_when_the_next_round_begins(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	struct tui *t = open_tui();
	assert_message(t, &a, "");
	(void)type(t, &a, "R");
	assert_message(t, &a, " The cards lie open already");
	a.r.is_revealed = false;
	a.r.round++;
	assert_message(t, &a, "");
	tui_destroy(t);
}

static void test_reactions_are_one_word(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	struct tui *t = open_tui();
	(void)type(t, &a, "e");
	assert_asks(enter(t, &a, "nice"), ASK_REACT, "nice");
	assert_asks(enter(t, &a, ":react two words"), ASK_NOTHING, NULL);
	assert_message(t, &a, " One word or emoji, up to 12 cells");
	assert_asks(enter(t, &a, ":react thirteencells"), ASK_NOTHING, NULL);
	tui_destroy(t);
}

static void test_a_note_goes_with_the_vote(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	a.r.my_note = a_room_text("was");
	struct tui *t = open_tui();
	(void)type(t, &a, "x");
	assert_message(t, &a, " Note on your vote: was");
	assert_asks(enter(t, &a, " big"), ASK_NOTE, "was big");
	a.r.my_vote = NULL;
	assert_asks(type(t, &a, "x"), ASK_NOTHING, NULL);
	assert_message(t, &a, " You have no card on the table");
	tui_destroy(t);
}

static void test_how_sure_one_is_is_asked_where_the_room_asks(void **state)
{
	(void)state;
	struct a_room a;
	init_guest(&a);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "f"), ASK_NOTHING, NULL);
	assert_message(t, &a, " This room does not ask how sure you are");
	a.r.policy.confidence = true;
	(void)type(t, &a, "f");
	struct ask ask = enter(t, &a, "2");
	assert_asks(ask, ASK_SURE, NULL);
	assert_int_equal(ask.number, 2);
	assert_asks(enter(t, &a, ":sure 4"), ASK_NOTHING, NULL);
	tui_destroy(t);
}

/* ---- stories ---- */

static void test_arrows_and_enter_choose_a_story(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, true);
	struct tui *t = open_tui();
	(void)type(t, &a, "S");
	(void)tui_take_key(t, &a.r, TUI_KEY_DOWN); /* from the one that is voted on */
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SELECT_STORY, "");
	assert_string_equal(ask.id, a.stories[2].story_id);
	assert_asks(type(t, &a, "R"), ASK_NOTHING, NULL); /* back at the table */
	assert_message(t, &a, " The cards lie open already");
	tui_destroy(t);
}

static void test_choosing_asks_where_votes_would_go_unseen(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Sj");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, " Take back 1 unseen vote? y / n");
	struct ask ask = type(t, &a, "y");
	assert_asks(ask, ASK_SELECT_STORY, NULL);
	assert_string_equal(ask.id, a.stories[2].story_id);
	assert_asks(enter(t, &a, ":quick"), ASK_NOTHING, NULL);
	ask = type(t, &a, "y");
	assert_asks(ask, ASK_SELECT_STORY, NULL);
	assert_string_equal(ask.id, "");
	tui_destroy(t);
}

static void test_stories_are_added_one_after_the_other(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Sa");
	struct ask ask = enter(t, &a, "PAY-1 Refund");
	assert_asks(ask, ASK_ADD_STORY, "PAY-1 Refund");
	assert_string_equal(ask.id, "");
	assert_message(t, &a, " New story:");
	assert_asks(enter(t, &a, "PAY-2"), ASK_ADD_STORY, "PAY-2");
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_NOTHING, NULL);
	assert_message(t, &a, "");
	(void)type(t, &a, "i");
	ask = enter(t, &a, "behind");
	assert_asks(ask, ASK_ADD_STORY, "behind");
	assert_string_equal(ask.id, a.stories[1].story_id);
	(void)tui_take_key(t, &a.r, TUI_KEY_ESCAPE);
	assert_asks(enter(t, &a, ":add from the table"), ASK_ADD_STORY, "from the table");
	assert_message(t, &a, "");
	tui_destroy(t);
}

static void test_stories_are_changed_moved_skipped_and_removed(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Se");
	assert_message(t, &a, " Title: two");
	struct ask ask = enter(t, &a, "!");
	assert_asks(ask, ASK_RENAME_STORY, "two!");
	assert_string_equal(ask.id, a.stories[1].story_id);
	ask = type(t, &a, "J");
	assert_asks(ask, ASK_MOVE_STORY, NULL);
	assert_string_equal(ask.id, a.stories[1].story_id);
	assert_string_equal(ask.other, a.stories[2].story_id);
	assert_false(ask.is_on);
	ask = type(t, &a, "K");
	assert_asks(ask, ASK_MOVE_STORY, NULL);
	assert_string_equal(ask.other, a.stories[0].story_id);
	assert_true(ask.is_on);
	ask = type(t, &a, "s");
	assert_asks(ask, ASK_MARK_STORY, "skipped");
	(void)tui_take_key(t, &a.r, TUI_KEY_END);
	assert_asks(type(t, &a, "s"), ASK_MARK_STORY, "todo");
	assert_asks(type(t, &a, "J"), ASK_NOTHING, NULL);
	ask = type(t, &a, "d");
	assert_asks(ask, ASK_REMOVE_STORY, NULL);
	assert_string_equal(ask.id, a.stories[3].story_id);
	assert_asks(type(t, &a, "u"), ASK_NOTHING, NULL);
	assert_message(t, &a, " No story was removed");
	a.r.stories_n = 3;
	a.r.removed_n = 1;
	ask = type(t, &a, "u");
	assert_asks(ask, ASK_RESTORE_STORY, NULL);
	assert_string_equal(ask.id, a.stories[3].story_id);
	tui_destroy(t);
}

static void test_the_focus_stays_on_its_story_while_others_move(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "Sj");
	struct story third = a.stories[2];
	a.stories[2] = a.stories[0];
	a.stories[0] = third;
	struct ask ask = type(t, &a, "s");
	assert_string_equal(ask.id, third.story_id);
	a.stories[0] = a.stories[3]; /* and it is gone */
	a.r.stories_n = 3;
	ask = type(t, &a, "s");
	assert_asks(ask, ASK_MARK_STORY, NULL);
	assert_string_equal(ask.id, a.stories[0].story_id);
	tui_destroy(t);
}

/* ---- rules, the lobby, hosts ---- */

static void test_rules_are_switched_by_key_and_by_name(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "P");
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SET_SWITCH, "who_reveals");
	assert_true(ask.is_on);
	(void)type(t, &a, "jjj");
	ask = type(t, &a, " ");
	assert_asks(ask, ASK_SET_SWITCH, "auto_reveal");
	assert_false(ask.is_on);
	ask = enter(t, &a, ":rule lobby on");
	assert_asks(ask, ASK_SET_SWITCH, "lobby");
	assert_true(ask.is_on);
	ask = enter(t, &a, ":rule who_resets everyone");
	assert_asks(ask, ASK_SET_SWITCH, "who_resets");
	assert_true(ask.is_on);
	assert_asks(enter(t, &a, ":rule lobby perhaps"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Say on or off");
	assert_asks(enter(t, &a, ":rule silence on"), ASK_NOTHING, NULL);
	assert_message(t, &a, " There is no rule silence");
	(void)type(t, &a, ":rule lo");
	(void)tui_take_key(t, &a.r, TUI_KEY_TAB);
	assert_message(t, &a, " :rule lo");
	(void)type(t, &a, "b");
	(void)tui_take_key(t, &a.r, TUI_KEY_TAB);
	(void)type(t, &a, " of");
	(void)tui_take_key(t, &a.r, TUI_KEY_TAB);
	ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SET_SWITCH, "lobby");
	assert_false(ask.is_on);
	tui_destroy(t);
}

static void test_every_rule_is_a_field_that_the_server_takes(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)type(t, &a, "P");
	size_t seen = 0;
	for (size_t i = 0; i < 10; i++) {
		struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
		assert_int_equal(ask.kind, ASK_SET_SWITCH);
		assert_non_null(record_field(&record_policy_change, slice_str(ask.text)));
		seen++;
		(void)tui_take_key(t, &a.r, TUI_KEY_DOWN);
	}
	assert_int_equal(seen + 1, record_policy_change.n); /* and the passcode */
	tui_destroy(t);
}

static void test_a_passcode_never_stands_on_the_screen(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(enter(t, &a, ":passcode sesame"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Passcode (hidden):");
	(void)type(t, &a, "open");
	assert_message(t, &a, " Passcode (hidden):");
	struct ask ask = tui_take_key(t, &a.r, TUI_KEY_ENTER);
	assert_asks(ask, ASK_SET_PASSCODE, "open");
	(void)tui_take_key(t, &a.r, TUI_KEY_RIGHT);
	assert_string_equal(ask.text, ""); /* nor stays in memory */
	tui_destroy(t);
}

static void test_the_only_one_who_waits_is_let_in_at_once(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "a"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Nobody waits in the lobby");
	a_room_seat(&a, "Zoe", IS_WAITING, NULL);
	assert_asks(type(t, &a, "a"), ASK_ADMIT, a.members[3].user_id);
	a_room_seat(&a, "Hal", IS_WAITING, NULL);
	assert_asks(type(t, &a, "a"), ASK_NOTHING, NULL);
	(void)tui_take_key(t, &a.r, TUI_KEY_DOWN);
	assert_asks(tui_take_key(t, &a.r, TUI_KEY_ENTER), ASK_ADMIT, a.members[4].user_id);
	assert_asks(enter(t, &a, ":admit Zoe"), ASK_ADMIT, a.members[3].user_id);
	assert_asks(enter(t, &a, ":reject Zoe"), ASK_NOTHING, NULL);
	assert_message(t, &a, " Turn Zoe away? y / n");
	assert_asks(type(t, &a, "y"), ASK_REJECT, a.members[3].user_id);
	tui_destroy(t);
}

static void test_hosts_are_made_and_unmade_by_name(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct tui *t = open_tui();
	(void)enter(t, &a, ":cohost Grace");
	assert_message(t, &a, " Make Grace host beside you? y / n");
	assert_asks(type(t, &a, "y"), ASK_SET_HOST, a.members[1].user_id);
	a.members[1].is_host = true;
	assert_asks(enter(t, &a, ":unhost Grace"), ASK_UNSET_HOST, a.members[1].user_id);
	tui_destroy(t);
}

/* ---- history ---- */

static void test_history_is_asked_for_page_by_page(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct past_round items[2] = {{.n = 9}, {.n = 8}};
	char cursor[] = "8";
	struct rounds rounds = {.items = items, .n = 2, .cursor = cursor};
	struct tui *t = open_tui();
	assert_asks(type(t, &a, "h"), ASK_HISTORY, "");
	assert_asks(type(t, &a, "j"), ASK_NOTHING, NULL);
	tui_set_rounds(t, &rounds);
	assert_asks(type(t, &a, "j"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "j"), ASK_HISTORY, "8");
	rounds.cursor = NULL;
	assert_asks(type(t, &a, "j"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "q"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "5"), ASK_VOTE, "5");
	tui_destroy(t);
}

/* What the screen wants once it is drawn in that size. */
static struct ask wants(struct tui *t, const struct a_room *a, int width, int height)
{
	struct grid g = {0};
	assert_int_equal(grid_resize(&g, width, height), OK);
	tui_draw(t, &a->r, &g);
	grid_finish(&g);
	return tui_wants(t, &a->r);
}

static void test_history_is_fetched_where_there_is_a_place_for_it(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	struct past_round items[2] = {{.n = 9}, {.n = 8}};
	struct rounds rounds = {.items = items, .n = 2};
	struct tui *t = open_tui();
	assert_asks(wants(t, &a, 80, 24), ASK_NOTHING, NULL);
	struct ask ask = wants(t, &a, 200, 60);
	assert_asks(ask, ASK_HISTORY, "");
	assert_true(ask.number > 20);
	assert_asks(wants(t, &a, 200, 60), ASK_NOTHING, NULL); /* it is on its way */
	assert_asks(type(t, &a, "h"), ASK_NOTHING, NULL);
	assert_asks(type(t, &a, "q"), ASK_NOTHING, NULL);
	tui_set_rounds(t, &rounds);
	assert_asks(wants(t, &a, 200, 60), ASK_NOTHING, NULL);
	a.r.round++; /* hidden cards bring no history */
	assert_asks(wants(t, &a, 200, 60), ASK_NOTHING, NULL);
	tui_destroy(t);
}

static void test_history_is_kept_fresh_after_each_reveal_and_settling(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	char cursor[] = "8";
	struct past_round items[2] = {{.n = 9}, {.n = 8}};
	struct rounds rounds = {.items = items, .n = 2};
	struct tui *t = open_tui();
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "");
	tui_set_rounds(t, &rounds);
	init_session(&a, true);
	struct ask ask = wants(t, &a, 120, 40);
	assert_asks(ask, ASK_HISTORY, "");
	assert_int_equal(ask.number, 3);
	tui_set_rounds(t, &rounds);
	a.r.outcome = a_room_text("5");
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "");
	tui_set_rounds(t, &rounds);
	assert_asks(wants(t, &a, 120, 40), ASK_NOTHING, NULL);
	tui_set_link(t, LINK_LOST);
	assert_asks(wants(t, &a, 120, 40), ASK_NOTHING, NULL);
	tui_set_link(t, LINK_LIVE);
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "");
	rounds.cursor = cursor; /* and what it lacks of what is shown */
	tui_set_rounds(t, &rounds);
	assert_asks(wants(t, &a, 120, 40), ASK_HISTORY, "8");
	tui_destroy(t);
}

static void test_news_in_front_do_not_move_the_round_that_is_looked_at(void **state)
{
	(void)state;
	struct a_room a;
	init_session(&a, false);
	a.r.stories_n = 0;
	struct past_round items[3] = {{.n = 9}, {.n = 8}};
	struct past_round more[3] = {{.n = 10}, {.n = 9}, {.n = 8}};
	struct rounds rounds = {.items = items, .n = 2};
	struct rounds later = {.items = more, .n = 3};
	struct tui *t = open_tui();
	(void)type(t, &a, "h");
	tui_set_rounds(t, &rounds);
	(void)type(t, &a, "j");
	tui_set_rounds(t, &later);
	assert_row(
		t, &a, 4,
		" >  8  Quick vote                                                          open");
	tui_destroy(t);
}

static void test_who_waits_in_the_lobby_may_take_a_name_and_leave(void **state)
{
	(void)state;
	struct a_room a = {.r = {.room_id = "K7QX3M", .i_am_waiting = true}};
	a.r.my_user_id = a_room_text("me");
	struct tui *t = open_tui();
	assert_message(t, &a, " Your name:");
	assert_asks(enter(t, &a, "Zoe"), ASK_JOIN, "Zoe");
	a.r.my_name = a_room_text("Zoe");
	assert_asks(type(t, &a, "5"), ASK_NOTHING, NULL);
	assert_message(t, &a, " You are in the lobby until a host admits you");
	assert_asks(type(t, &a, "q"), ASK_LEAVE, NULL);
	tui_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equals_takes_the_suggestion_or_asks_for_a_value),
		cmocka_unit_test(test_a_settled_round_is_settled_anew_by_typing),
		cmocka_unit_test(test_voting_again_needs_open_cards),
		cmocka_unit_test(test_next_goes_to_a_story_while_there_is_one),
		cmocka_unit_test(test_undo_is_there_while_the_server_says_so),
		cmocka_unit_test(test_a_countdown_is_cancelled_by_its_token),
		cmocka_unit_test(test_arming_is_a_switch),
		cmocka_unit_test(test_votes_change_after_the_reveal_where_the_policy_allows),
		cmocka_unit_test(test_the_policy_gives_everyone_what_it_says),
		cmocka_unit_test(test_what_is_not_everyone_s_is_refused_in_the_views_too),
		cmocka_unit_test(test_timers_are_typed_as_people_say_them),
		cmocka_unit_test(test_a_command_names_its_story_by_number),
		cmocka_unit_test(test_time_wakes_the_screen_only_while_something_runs),
		cmocka_unit_test(
			test_a_timer_that_ran_out_says_so_and_one_that_was_stopped_does_not),
		cmocka_unit_test(test_a_nudge_rings_once_and_stays_until_one_votes),
		cmocka_unit_test(test_nudging_needs_somebody_who_is_waited_for),
		cmocka_unit_test(test_a_refusal_is_gone_when_the_next_round_begins),
		cmocka_unit_test(test_reactions_are_one_word),
		cmocka_unit_test(test_a_note_goes_with_the_vote),
		cmocka_unit_test(test_how_sure_one_is_is_asked_where_the_room_asks),
		cmocka_unit_test(test_arrows_and_enter_choose_a_story),
		cmocka_unit_test(test_choosing_asks_where_votes_would_go_unseen),
		cmocka_unit_test(test_stories_are_added_one_after_the_other),
		cmocka_unit_test(test_stories_are_changed_moved_skipped_and_removed),
		cmocka_unit_test(test_the_focus_stays_on_its_story_while_others_move),
		cmocka_unit_test(test_rules_are_switched_by_key_and_by_name),
		cmocka_unit_test(test_every_rule_is_a_field_that_the_server_takes),
		cmocka_unit_test(test_a_passcode_never_stands_on_the_screen),
		cmocka_unit_test(test_the_only_one_who_waits_is_let_in_at_once),
		cmocka_unit_test(test_hosts_are_made_and_unmade_by_name),
		cmocka_unit_test(test_history_is_asked_for_page_by_page),
		cmocka_unit_test(test_history_is_fetched_where_there_is_a_place_for_it),
		cmocka_unit_test(test_history_is_kept_fresh_after_each_reveal_and_settling),
		cmocka_unit_test(test_news_in_front_do_not_move_the_round_that_is_looked_at),
		cmocka_unit_test(test_who_waits_in_the_lobby_may_take_a_name_and_leave),
	};
	return cmocka_run_group_tests_name("tui of play", tests, NULL, NULL);
}
