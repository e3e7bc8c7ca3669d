/*
 * test_tui_seeing.c - what goes on is seen wherever one looks: the story's text, the
 * round below other views, what others did.
 */
#include "tests/unit/client/tui_kit.h"

static bool shows(struct tui *t, const struct a_room *a, int width, int height, const char *text)
{
	struct grid g = {0};
	grid_resize(&g, width, height);
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	char *dump = grid_dump(&g);
	bool is_there = strstr(dump, text) != NULL;
	free(dump);
	grid_finish(&g);
	return is_there;
}

/* How the first cell looks that shows this in the row. */
static enum style style_of(struct tui *t, const struct a_room *a, int y, const char *sign)
{
	struct grid g = {0};
	enum style style = STYLE_COUNT;
	grid_resize(&g, 80, 24);
	tui_follow(t, &a->r);
	tui_draw(t, &a->r, &g);
	for (int x = 79; x >= 0; x--) {
		const struct cell *c = &g.cells[(size_t)y * 80 + (size_t)x];
		style = strncmp(c->text, sign, strlen(sign)) == 0 ? (enum style)c->style : style;
	}
	grid_finish(&g);
	return style;
}

/* What lies open is the result: it can be read of members who are away, and shows who speaks first. */
REVEALED_TEST(test_open_cards_show_who_speaks_first_and_fade_for_nobody)
{
	enum { CARDS_Y = 5 };
	assert_int_equal(style_of(t, a, CARDS_Y, "8"), STYLE_WARN);
	assert_int_equal(style_of(t, a, CARDS_Y, "5"), STYLE_OWN);
	a->members[1].is_connected = false;
	a->members[2].is_connected = false;
	a->members[1].vote = SLICE("13");
	assert_int_equal(style_of(t, a, CARDS_Y, "8"), STYLE_WARN);
	assert_int_equal(style_of(t, a, CARDS_Y, "3"), STYLE_CARD_FACE);
}

VOTING_TEST(test_the_table_shows_link_and_description)
{
	a->stories[1].link = SLICE("https://example.org/2");
	a->stories[1].description = SLICE("First line.\nSecond line.");
	assert_row(t, a, 2, "   https://example.org/2");
	assert_row(t, a, 3, "   First line.");
	assert_row(t, a, 4, "   Second line.");
}

VOTING_TEST(test_v_shows_all_of_the_description)
{
	char text[2000] = "";
	for (int i = 0; i < 40; i++) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "Line %d\n", i);
	}
	a->stories[1].description = slice_str(text);
	assert_true(shows(t, a, 80, 24, "v to show all"));
	assert_false(shows(t, a, 80, 24, "Line 39"));
	assert_nothing(type(t, a, "v"));
	(void)shows(t, a, 80, 24, "");
	(void)tui_take_key(t, &a->r, TUI_KEY_END);
	assert_true(shows(t, a, 80, 24, "Line 39"));
	assert_nothing(type(t, a, "v"));
	assert_true(shows(t, a, 80, 24, "v to show all"));
}

VOTING_TEST(test_enter_in_the_list_opens_the_story_under_the_cursor)
{
	a->stories[2].description = SLICE("Which of the two?");
	(void)type(t, a, "Sj");
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_row(t, a, 0, " three");
	assert_true(shows(t, a, 80, 24, "Which of the two?"));
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_row(t, a, 4, " >  3  three");
}

MEMBER_TEST(test_v_without_a_story_says_so)
{
	assert_nothing(type(t, a, "v"));
	assert_message(t, a, " No story selected: press S");
}

static const char *const views[] = {"S", "h", "P", "o", "?", "v"};

VOTING_TEST(test_every_other_view_ends_with_a_line_of_the_round)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		(void)type(t, a, views[i]);
		char *row = row_from_below(t, a, 2);
		assert_string_equal(row, " 1 of 3 voted · waiting for Grace and Linus");
		free(row);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
}

VOTING_TEST(test_other_views_say_that_the_others_wait_for_us)
{
	a->r.you.vote = (struct slice){0};
	a->members[0].has_vote = false;
	a->members[1].has_vote = true;
	a->members[2].has_vote = true;
	(void)type(t, a, "S");
	char *row = row_from_below(t, a, 2);
	assert_string_equal(row, " 2 of 3 voted · waiting for you");
	free(row);
}

VOTING_TEST(test_digits_vote_wherever_no_text_is_typed)
{
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		(void)type(t, a, views[i]);
		assert_request(type(t, a, "8"), METHOD_ROOM_VOTE, "vote", "8", NULL);
		(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	}
	(void)type(t, a, "w");
	assert_nothing(type(t, a, "8"));
}

/* ---- what others did ---- */

static void see(struct tui *t, const struct a_room *a, int64_t now_ms)
{
	tui_set_now(t, now_ms);
	(void)shows(t, a, 80, 24, "");
}

MEMBER_TEST(test_who_is_made_host_reads_by_whom)
{
	see(t, a, A_NOW);
	a->members[1].is_host = true;
	a->r.you.is_host = true;
	assert_message(t, a, " Ada made you a host");
}

static void done_by(struct a_room *a, const char *user_id)
{
	a->r.by_since = a->r.version++;
	(void)snprintf(a->r.by, sizeof(a->r.by), "%s", user_id);
}

static void leads(struct a_room *a, size_t member)
{
	a->members[0].is_host = false;
	a->members[member].is_host = true;
	a->r.room.host_user_id = a->members[member].user_id;
	a->r.you.is_host = replica_is_me(&a->r, &a->members[member]);
}

MEMBER_TEST(test_who_becomes_host_reads_who_has_gone)
{
	see(t, a, A_NOW);
	a->members[0].is_connected = false;
	leads(a, 1);
	assert_message(t, a, " Ada is away; you are host now");
	leads(a, 0);
	a->members[0].is_connected = true;
	see(t, a, A_NOW + 10000);
	see(t, a, A_NOW + 20000);
	a->members[0].username = (struct slice){0}; /* has left, and is connected still */
	leads(a, 1);
	done_by(a, "u00");
	assert_message(t, a, " Ada left; you are host now");
}

MEMBER_TEST(test_the_others_read_who_leads_in_whose_place)
{
	a_room_seat(a, "Linus", 0, NULL);
	see(t, a, A_NOW);
	a->members[0].is_connected = false;
	leads(a, 2);
	assert_message(t, a, " Ada is away; Linus is host now");
	see(t, a, A_NOW + 10000);
	a->members[0].is_connected = true;
	leads(a, 0);
	assert_message(t, a, " Ada is host now");
}

MEMBER_TEST(test_the_others_read_that_a_host_is_back)
{
	a_room_seat(a, "Linus", 0, NULL);
	a->members[0].is_connected = false;
	leads(a, 2);
	a->r.room.host_kept_for = a->members[0].user_id;
	see(t, a, A_NOW);
	a->members[0].is_connected = true;
	leads(a, 0);
	a->r.room.host_kept_for = (struct slice){0};
	assert_message(t, a, " Ada is back, and host");
}

MEMBER_TEST(test_of_messages_that_do_not_fit_the_newest_are_read)
{
	see(t, a, A_NOW);
	for (size_t i = 0; i < 3; i++) {
		a->members[0].is_connected = false;
		leads(a, 1);
		see(t, a, A_NOW);
		a->members[0].is_connected = true;
		leads(a, 0);
		see(t, a, A_NOW);
	}
	tui_take_reaction(t, &a->r, "u00", "tea?");
	assert_true(shows(t, a, 80, 24, "Ada: tea?"));
	assert_true(shows(t, a, 40, 12, "Ada: tea?"));
}

MEMBER_TEST(test_who_stood_in_reads_why_that_is_over)
{
	a->members[0].is_connected = false;
	leads(a, 1);
	a->r.room.host_kept_for = a->members[0].user_id;
	see(t, a, A_NOW);
	a->members[0].is_connected = true;
	leads(a, 0);
	a->r.room.host_kept_for = (struct slice){0};
	assert_message(t, a, " Ada is back, and host");
}

MEMBER_TEST(test_who_comes_back_as_host_reads_so_at_once)
{
	leads(a, 1);
	a->r.you.is_host_again = true;
	tui_set_now(t, A_NOW);
	assert_message(t, a, " You are host again");
	see(t, a, A_NOW + 10000);
	assert_message(t, a, "");
}

/* All see how long the room has no host, until there is one. */
MEMBER_TEST(test_who_follows_an_absent_host_is_told_with_seconds)
{
	a_room_seat(a, "Linus", 0, NULL);
	see(t, a, A_NOW);
	a->members[0].is_connected = false;
	a->r.room.next_host_user_id = a->members[2].user_id;
	a->r.room.next_host_at = A_NOW + 40500;
	assert_message(t, a, " Ada is away; Linus hosts in 41 s");
	assert_int_equal(tui_changes_in_ms(t, &a->r), 500);
	see(t, a, A_NOW + 10500);
	assert_message(t, a, " Ada is away; Linus hosts in 30 s");
	a->r.room.next_host_user_id = a->members[1].user_id;
	assert_message(t, a, " Ada is away; you host in 30 s");
	a->members[0].is_connected = true;
	assert_message(t, a, "");
}

/* How long one is away is told coarsely: an idle table is not drawn anew each second. */
MEMBER_TEST(test_a_member_who_is_away_costs_a_redraw_a_minute_at_most_later)
{
	struct user_view *linus = a_room_seat(a, "Linus", IS_AWAY, NULL);
	linus->away_since = A_NOW - 5000;
	a->members[1].has_vote = true; /* ours: nothing else is waited for */
	see(t, a, A_NOW);
	assert_true(shows(t, a, 80, 24, "1 away  Linus"));
	assert_false(shows(t, a, 80, 24, "1 away  Linus 10 s"));
	assert_int_equal(tui_changes_in_ms(t, &a->r), 5000);
	see(t, a, A_NOW + 5000);
	assert_true(shows(t, a, 80, 24, "1 away  Linus 10 s"));
	assert_true(shows(t, a, 40, 12, "1 away  Linus 10 s"));
	assert_int_equal(tui_changes_in_ms(t, &a->r), 10000);
	see(t, a, A_NOW + 12 * 60000);
	assert_true(shows(t, a, 80, 24, "1 away  Linus 12 min"));
	assert_int_equal(tui_changes_in_ms(t, &a->r), 55000);
	linus->away_since = 0;
	assert_true(shows(t, a, 80, 24, "1 away  Linus"));
	assert_false(shows(t, a, 80, 24, "Linus 12 min"));
}

MEMBER_TEST(test_a_refusal_says_when_there_is_a_host_again)
{
	a_room_seat(a, "Linus", 0, NULL);
	a->r.room.policy.who_reveals = WHO_MAY_HOST;
	see(t, a, A_NOW);
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Only a host can do that here (Ada)");
	a->members[0].is_connected = false;
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Only a host can do that here. Ada is away");
	a->r.room.next_host_user_id = a->members[2].user_id;
	a->r.room.next_host_at = A_NOW + 40000;
	assert_nothing(type(t, a, "R"));
	assert_message(t, a,
		       " Only a host can do that here. Ada is away; Linus becomes host in 40 s");
	a->r.room.next_host_user_id = a->members[1].user_id;
	tui_set_now(t, A_NOW + 10000);
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Only a host can do that here. Ada is away; you become host in 30 s");
	tui_set_now(t, 0); /* the server's time is not known yet */
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Only a host can do that here. Ada is away; you are the next host");
}

MEMBER_TEST(test_what_others_did_goes_after_four_seconds)
{
	a->r.room.policy.who_reveals = WHO_MAY_HOST;
	a->r.room.phase = PHASE_COUNTDOWN;
	see(t, a, A_NOW);
	a->r.room.phase = PHASE_VOTING;
	assert_message(t, a, " Ada stopped the countdown");
	tui_set_now(t, A_NOW + 3999);
	assert_message(t, a, " Ada stopped the countdown");
	tui_set_now(t, A_NOW + 4000);
	assert_message(t, a, "");
}

HOST_TEST(test_a_countdown_that_the_last_voter_began_by_only_watching_says_so)
{
	a->members[1].has_vote = true;
	see(t, a, A_NOW);
	a->members[2].role = ROLE_SPECTATOR;
	a->r.room.phase = PHASE_COUNTDOWN;
	assert_message(t, a, " All others voted; Linus is a spectator");
	see(t, a, A_NOW + 4000);
	a->members[2].role = ROLE_VOTER;
	assert_message(t, a, "");
}

MEMBER_TEST(test_who_only_watches_a_countdown_is_not_told_to_change_a_card)
{
	a->r.room.phase = PHASE_COUNTDOWN;
	a->r.room.policy.who_reveals = WHO_MAY_HOST;
	a->r.room.countdown.ends_at = A_NOW + 3000;
	tui_set_now(t, A_NOW);
	assert_true(shows(t, a, 80, 24, "Revealing in 3 · change while you can"));
	a->r.you.role = ROLE_SPECTATOR;
	assert_true(shows(t, a, 80, 24, "Revealing in 3"));
	assert_false(shows(t, a, 80, 24, "change while"));
}

MEMBER_TEST(test_where_all_may_stop_a_countdown_nobody_is_named)
{
	a->r.room.policy.who_reveals = WHO_MAY_EVERYONE;
	a->r.room.phase = PHASE_COUNTDOWN;
	see(t, a, A_NOW);
	a->r.room.phase = PHASE_VOTING;
	assert_message(t, a, " The countdown was stopped");
}

/* A change that the server says was somebody's. */
MEMBER_TEST(test_whose_deed_it_was_is_told_where_the_server_says_it)
{
	a->r.room.policy.who_reveals = WHO_MAY_EVERYONE;
	a->r.room.phase = PHASE_COUNTDOWN;
	see(t, a, A_NOW);
	a->r.room.phase = PHASE_VOTING;
	done_by(a, "u00");
	assert_message(t, a, " Ada stopped the countdown");
}

MEMBER_TEST(test_what_another_window_of_ours_did_is_no_news)
{
	a->r.room.phase = PHASE_COUNTDOWN;
	see(t, a, A_NOW);
	a->r.room.phase = PHASE_VOTING;
	done_by(a, a->r.you.user_id.data);
	assert_message(t, a, "");
}

MEMBER_TEST(test_other_rules_cards_and_titles_are_told)
{
	see(t, a, A_NOW);
	a->r.room.policy.lobby = true;
	assert_message(t, a, " Ada: Newcomers now wait in the lobby");
	see(t, a, A_NOW + 5000);
	a_room_deck(a, "S M L");
	assert_message(t, a, " Ada changed the deck");
	see(t, a, A_NOW + 10000);
	a->r.room.title = SLICE("Sprint 43");
	assert_message(t, a, " Ada: the room is called Sprint 43");
}

MEMBER_TEST(test_what_a_restart_of_the_server_brings_is_no_news)
{
	see(t, a, A_NOW);
	a->r.epoch++; /* it may be of before, or of long after */
	a->r.room.policy.lobby = true;
	a_room_deck(a, "S M L");
	a->r.room.title = SLICE("Sprint 43");
	a->r.room.round = 9;
	a->r.you.is_host = true;
	assert_message(t, a, "");
	see(t, a, A_NOW + 5000);
	a->r.room.title = SLICE("Sprint 44");
	assert_message(t, a, " Ada: the room is called Sprint 44");
	see(t, a, A_NOW + 10000);
	a->r.epoch++;
	a->r.room.round = 2;
	assert_message(t, a, "");
}

MEMBER_TEST(test_what_happened_while_the_connection_was_lost_is_no_news)
{
	see(t, a, A_NOW);
	tui_set_link(t, LINK_LOST);
	a->r.room.title = SLICE("Sprint 43");
	see(t, a, A_NOW + 1000);
	tui_set_link(t, LINK_LIVE);
	assert_message(t, a, "");
}

HOST_TEST(test_what_we_did_ourselves_is_not_told)
{
	see(t, a, A_NOW);
	(void)enter(t, a, ":rule lobby on");
	a->r.room.policy.lobby = true;
	assert_message(t, a, "");
}

MEMBER_TEST(test_an_answer_goes_after_four_seconds_and_hides_nothing_newer)
{
	see(t, a, A_NOW);
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Only a host can do that here (Ada)");
	tui_set_now(t, A_NOW + 1000);
	tui_take_reaction(t, &a->r, "u00", "hm");
	assert_message(t, a, " Ada: hm");
	tui_set_now(t, A_NOW + 2000);
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Only a host can do that here (Ada)");
	tui_set_now(t, A_NOW + 6000);
	assert_message(t, a, "");
}

HOST_TEST(test_the_round_says_how_long_it_waits_for_who_went_away)
{
	a->members[1].has_vote = true;
	see(t, a, A_NOW);
	a->members[2].is_connected = false;
	see(t, a, A_NOW);
	see(t, a, A_NOW + 13000);
	assert_true(shows(t, a, 80, 24, "2 of 2 voted"));
	assert_true(shows(t, a, 80, 24, "waiting 47 s for Linus"));
	tui_set_now(t, A_NOW + 60000);
	assert_false(shows(t, a, 80, 24, "waiting"));
}

/* ---- who speaks first ---- */

static void vote_all(struct a_room *a, const char *const votes[6])
{
	a_room_init(a, "Sprint 42");
	a->r.room.is_revealed = true;
	a_room_seat(a, "me", IS_ME, votes[0]);
	for (size_t i = 1; i < 6; i++) {
		a_room_seat(a, (const char *const[]){"", "Ada", "Ben", "Cy", "Di", "Ed"}[i], 0,
			    votes[i]);
	}
	a_room_reveal(a);
}

MEMBER_TEST(test_only_who_stands_apart_speaks_first)
{
	vote_all(a, (const char *const[6]){"5", "5", "5", "5", "5", "20"});
	assert_true(shows(t, a, 80, 24, "highest, speaks first"));
	assert_false(shows(t, a, 80, 24, "lowest"));
	assert_true(shows(t, a, 40, 12, "20 speaks first"));
}

MEMBER_TEST(test_nobody_without_a_name_is_asked_to_speak)
{
	vote_all(a, (const char *const[6]){"1", "5", "5", "5", "5", "20"});
	for (size_t i = 0; i < a->r.users.n; i++) {
		a->members[i].vote = (struct slice){0};
	}
	a->r.room.policy.anonymous = true;
	assert_true(shows(t, a, 80, 24, "lowest"));
	assert_true(shows(t, a, 80, 24, "highest"));
	assert_false(shows(t, a, 80, 24, "first"));
	assert_false(shows(t, a, 40, 12, "first"));
}

/* ---- a server that does not answer ---- */

static void see_waits(struct tui *t, const struct a_room *a, int64_t now_ms, int64_t waits_ms)
{
	tui_set_now(t, now_ms);
	tui_set_waits(t, waits_ms);
	(void)shows(t, a, 80, 24, "");
}

MEMBER_TEST(test_two_seconds_without_an_answer_are_said)
{
	see_waits(t, a, A_NOW, 0);
	a->r.pending_vote = "5";
	assert_int_equal(tui_changes_in_ms(t, &a->r), 2000);
	assert_true(shows(t, a, 80, 24, "● live"));
	see_waits(t, a, A_NOW + 3500, 3500);
	assert_true(shows(t, a, 80, 24, "○ no answer for 3 s"));
	assert_true(shows(t, a, 40, 12, "○ no answer for 3 s"));
	assert_message(t, a, " Your 5 is not confirmed yet");
	assert_int_equal(tui_changes_in_ms(t, &a->r), 500);
	(void)type(t, a, "S");
	assert_true(shows(t, a, 80, 24, "no answer for 3 s"));
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	see_waits(t, a, A_NOW + 4000, -1);
	a->r.pending_vote = NULL;
	assert_true(shows(t, a, 80, 24, "● live"));
	assert_message(t, a, "");
}

MEMBER_TEST(test_a_lost_connection_is_not_called_silent)
{
	see_waits(t, a, A_NOW + 5000, 5000);
	tui_set_link(t, LINK_LOST);
	assert_true(shows(t, a, 80, 24, "× lost"));
	assert_false(shows(t, a, 80, 24, "no answer"));
}
