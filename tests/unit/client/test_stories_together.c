/*
 * test_stories_together.c - stories that are open together, as a client has them: what is known of them, in words, and what
 * keys in the list of stories ask for.
 */
#include "tests/unit/client/together.h"
#include "tests/unit/client/tui_kit.h"

#include "client/acts/narrate.h"
#include "client/acts/story_words.h"
#include "client/model/room/room_status.h"
#include "client/tui/actions/line_commands.h"

/* ---- what is known ---- */

TOGETHER_TEST(test_stories_that_wait_for_a_vote_are_counted, s)
{
	size_t open;
	size_t voted;
	const struct replica *r = &s->a.r;
	replica_count_open(r, &open, &voted);
	assert_int_equal(open, 3);
	assert_int_equal(voted, 2);
	assert_false(replica_awaits_vote(r, &s->a.stories[0]));
	assert_true(replica_awaits_vote(r, &s->a.stories[2]));
	assert_false(replica_awaits_vote(r, &s->a.stories[3])); /* it is done */
	s->a.r.room.policy.open_stories = false;
	replica_count_open(r, &open, &voted);
	assert_int_equal(open, 0);
	assert_false(replica_awaits_vote(r, &s->a.stories[2]));
}

TOGETHER_TEST(test_a_prompt_says_on_how_many_stories_one_has_voted, s)
{
	char line[ROOM_STATUS_LINE_BYTES];
	struct room_status status;
	room_status_of(&s->a.r, NULL, NULL, &status);
	room_status_line(&status, "K7QX3M", line);
	assert_string_equal(line, "Sprint 42: 2 of 3, waiting for you");
	s->mine[1].story_id = SLICE("elsewhere");
	s->a.r.you.user_id = (struct slice){0}; /* as a stranger sees it, by the name */
	room_status_of(&s->a.r, "Grace", NULL, &status);
	room_status_line(&status, "K7QX3M", line);
	assert_string_equal(line, "Sprint 42: 1 of 3, waiting for you");
}

static void assert_words(const char *expected, struct buf *text)
{
	assert_int_equal(buf_append(text, "", 1), OK);
	assert_string_equal(text->data, expected);
	buf_clear(text);
}

TOGETHER_TEST(test_votes_are_told_in_words, s)
{
	struct buf text = {.max = 4096};
	story_votes_summary(&s->a.r, &s->votes[0], &text);
	assert_words("2 voted", &text);
	story_votes_summary(&s->a.r, &s->votes[1], &text);
	assert_words("5 to 13", &text);
	s->votes[1].result.suggestion = SLICE("5");
	s->votes[1].result.spread_steps = 1;
	story_votes_summary(&s->a.r, &s->votes[1], &text);
	assert_words("5, 2 of 3 needed", &text);
	s->a.r.room.policy.quorum = 2;
	story_votes_summary(&s->a.r, &s->votes[1], &text);
	assert_words("5, agreed", &text);
	s->votes[1].result = (struct room_result){.votes = 0};
	story_votes_summary(&s->a.r, &s->votes[1], &text);
	assert_words("no votes", &text);
	story_votes_lines(&s->a.r, &s->votes[1], &text);
	assert_words("5  you\n13  Grace\nGrace: two teams\n", &text);
	s->shown[0].username = s->shown[1].username = (struct slice){0};
	s->shown[0].user_id = s->shown[1].user_id = (struct slice){0};
	story_votes_lines(&s->a.r, &s->votes[1], &text);
	assert_words("5  1 vote\n13  1 vote\n", &text);
	story_voters_line(&s->a.r, &text);
	assert_words("you 2, Grace 1, Linus 0", &text);
	s->a.r.room.policy.hide_who_voted = true;
	story_voters_line(&s->a.r, &text);
	assert_words("", &text);
	buf_finish(&text);
}

/* ---- what is told in lines ---- */

/* The updates that these tests make of the room have arrived. */
static void assert_told(struct narrate *n, struct together *s, const char *expected)
{
	struct buf text = {.max = 65536};
	narrate_update(n, &s->a.r, &text);
	assert_words(expected, &text);
	buf_finish(&text);
}

TOGETHER_TEST(test_votes_on_open_stories_are_told_a_line_for_each_update, s)
{
	struct narrate n = {.tells_mine = true};
	struct replica *r = &s->a.r;
	s->a.stories[0].key = SLICE("PAY-1");
	s->a.stories[1].key = SLICE("PAY-2");
	assert_told(&n, s,
		    "Room K7QX3M: Sprint 42, round 1, cards 1 2 3 5 8 13 20 ? ∞\n"
		    "Stories: 4, 1 with an estimate, 3 open together\n"
		    "  Ada, host\n  Grace, away\n  Linus\n"
		    "You have voted on 2 of 3 stories; next: 3, Export as CSV.\n");
	assert_told(&n, s, "");
	/* A vote of another, and those of two at once. */
	s->votes[0].voted = 3;
	s->a.members[2].stories_voted = 1;
	assert_told(&n, s, "Linus voted on PAY-1 (3 of 3).\n");
	s->votes[2] = (struct story_votes){.story_id = s->a.stories[2].story_id, .voted = 2};
	s->voted[2] = &s->votes[2];
	r->story_votes.n = 3;
	s->a.members[1].stories_voted = 2;
	s->a.members[2].stories_voted = 2;
	assert_told(&n, s, "Grace and Linus voted on Export as CSV (2 of 3).\n");
	s->votes[2].voted = 1;
	s->a.members[2].stories_voted = 1;
	assert_told(&n, s, "Linus retracted votes on Export as CSV (1 of 3).\n");
	/* One's own is told as such. */
	s->votes[2].voted = 2;
	s->a.members[0].stories_voted = 3;
	struct own_vote mine = {.story_id = s->a.stories[2].story_id, .vote = SLICE("8")};
	void *own[] = {s->own[0], s->own[1], &mine};
	r->own_votes.items = own;
	r->own_votes.n = 3;
	assert_told(&n, s, "You voted 8 on Export as CSV.\nYou have voted on 3 of 3 stories.\n");
	mine.vote = SLICE("13");
	assert_told(&n, s, "You voted 13 on Export as CSV.\nYou have voted on 3 of 3 stories.\n");
	/* Who has voted is hidden: what there is. */
	r->room.policy.hide_who_voted = true;
	s->votes[2].voted = 3;
	assert_told(&n, s,
		    "Only the number of votes is shown now.\n"
		    "New votes on Export as CSV (3 of 3).\n");
	narrate_finish(&n);
}

TOGETHER_TEST(test_what_becomes_of_open_stories_is_told, s)
{
	struct narrate n = {.tells_mine = true};
	struct buf ignored = {.max = 65536};
	s->a.stories[0].key = SLICE("PAY-1");
	s->a.stories[1].key = SLICE("PAY-2");
	narrate_update(&n, &s->a.r, &ignored);
	buf_finish(&ignored);
	s->votes[0].revealed_at = A_NOW;
	s->votes[0].votes = s->shown;
	s->votes[0].votes_n = 2;
	s->votes[0].result = s->votes[1].result;
	assert_told(&n, s, "Revealed: PAY-1: 5 to 13.\n");
	struct round_vote later[] = {s->shown[0], s->shown[1]};
	later[1].vote = SLICE("8");
	s->votes[0].votes = later;
	s->votes[0].result.highest = SLICE("8");
	assert_told(&n, s, "Votes were changed on PAY-1: 5 to 8.\n");
	s->votes[1].revealed_at = 0;
	assert_told(&n, s, "Hidden again: PAY-2.\n");
	/* A settled story takes its votes along; they are not told as retracted. */
	s->a.r.own_votes.n = 0;
	s->a.r.story_votes.n = 0;
	for (size_t i = 0; i < 2; i++) {
		s->a.members[i].stories_voted = 0;
		s->a.stories[i].status = STORY_DONE;
		s->a.stories[i].estimate = SLICE("5");
	}
	assert_told(&n, s, "Settled: PAY-1 on 5, PAY-2 on 5.\n");
	narrate_finish(&n);
}

TOGETHER_TEST(test_votes_that_go_to_the_table_are_no_news, s)
{
	struct narrate n = {.tells_mine = true};
	struct buf ignored = {.max = 65536};
	narrate_update(&n, &s->a.r, &ignored);
	buf_finish(&ignored);
	s->a.r.own_votes.items = &s->own[1];
	s->a.r.own_votes.n = 1;
	s->a.r.story_votes.items = &s->voted[1];
	s->a.r.story_votes.n = 1;
	s->a.members[0].stories_voted = 1;
	s->a.members[1].stories_voted = 0;
	s->a.stories[0].status = STORY_VOTING;
	s->a.r.room.story_id = s->a.stories[0].story_id;
	s->a.r.room.round++;
	assert_told(&n, s, "Round 2 started.\nVoting on: Refund a split payment\n");
	s->a.r.own_votes.items = s->own;
	s->a.r.own_votes.n = 2;
	s->a.r.story_votes.items = s->voted;
	s->a.r.story_votes.n = 2;
	s->a.members[0].stories_voted = 2;
	s->a.members[1].stories_voted = 1;
	s->a.stories[0].status = STORY_TODO;
	s->a.r.room.story_id = (struct slice){0};
	s->a.r.room.round++;
	assert_told(&n, s, "Round 3 started.\n");
	narrate_finish(&n);
}

static struct act take_line(struct line_commands *c, struct together *s, const char *line,
			    struct buf *out)
{
	buf_clear(out);
	struct act act = line_commands_take_line(c, &s->a.r, slice_str(line), out);
	assert_int_equal(buf_append(out, "", 1), OK);
	return act;
}

TOGETHER_TEST(test_lines_vote_on_a_story_by_its_key, s)
{
	struct line_commands *c = line_commands_create(NULL, false, NULL);
	struct buf out = {.max = 65536};
	s->a.stories[2].key = SLICE("PAY-3");
	assert_request(take_line(c, s, "vote PAY-3 20", &out), METHOD_ROOM_VOTE, "vote", "20",
		       "story_id", s->a.stories[2].story_id.data, NULL);
	assert_request(take_line(c, s, "vote 3 5 two teams", &out), METHOD_ROOM_VOTE, "vote", "5",
		       "comment", "two teams", "story_id", s->a.stories[2].story_id.data, NULL);
	assert_request(take_line(c, s, "vote PAY-3 -", &out), METHOD_ROOM_VOTE, "story_id",
		       s->a.stories[2].story_id.data, NULL);
	assert_nothing(take_line(c, s, "5", &out));
	assert_string_equal(out.data, "No story at the table. Type vote, a story and a card.\n");
	assert_nothing(take_line(c, s, "unvoted", &out));
	assert_string_equal(out.data, "Next: 3, PAY-3 Export as CSV.\n");
	assert_nothing(take_line(c, s, "status", &out));
	assert_string_equal(out.data,
			    "Room K7QX3M: Sprint 42\n"
			    "3 stories are open together; each is revealed with 3 votes.\n"
			    "Votes: you 2, Grace 1, Linus 0.\n"
			    "You have voted on 2 of 3 stories; next: PAY-3 Export as CSV.\n");
	assert_nothing(take_line(c, s, "story 2", &out));
	assert_string_equal(out.data, "Story 2 of 4, 5 to 13, you 5: Login with a passkey\n"
				      "5  you\n13  Grace\nGrace: two teams\n");
	buf_clear(&out);
	line_commands_prompt(c, &s->a.r, &out);
	assert_words("Ada, voted on 2 of 3", &out);
	buf_finish(&out);
	line_commands_destroy(c);
}

TOGETHER_TEST(test_a_reveal_elsewhere_is_a_line_on_the_screen, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	assert_message(t, a, "");
	s->votes[0].revealed_at = A_NOW + 1;
	s->votes[0].result = s->votes[1].result;
	assert_message(t, a, " Refund a split payment revealed: 5 to 13");
	tui_destroy(t);
}

/* Votes of stories that were revealed go with their estimate, and come back when it is cleared. */
TOGETHER_TEST(test_a_reveal_is_told_once, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	assert_message(t, a, "");
	s->votes[0].revealed_at = A_NOW + 1;
	s->votes[0].result = s->votes[1].result;
	assert_message(t, a, " Refund a split payment revealed: 5 to 13");
	(void)type(t, a, "S");
	assert_message(t, a,
		       " Refund a split payment revealed: 5 to 13"); /* nobody reads so fast */
	(void)type(t, a, "=n");
	tui_set_now(t, A_NOW + 2000);
	(void)type(t, a, "Z");
	assert_message(t, a, "");
	a->r.story_votes.n = 0;
	assert_message(t, a, "");
	a->r.story_votes.n = 2;
	assert_message(t, a, "");
	tui_destroy(t);
}

TOGETHER_TEST(test_a_reveal_under_the_cursor_is_no_news, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	(void)type(t, a, "S");
	(void)tui_take_key(t, &a->r, TUI_KEY_HOME);
	assert_message(t, a, "");
	s->votes[0].revealed_at = A_NOW + 1;
	assert_message(t, a, "");
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	s->votes[0].revealed_at = A_NOW + 2;
	s->votes[0].result = s->votes[1].result;
	assert_message(t, a, " Refund a split payment revealed: 5 to 13");
	tui_destroy(t);
}

/* Stories that are revealed one after the other do not pile up. */
TOGETHER_TEST(test_news_is_gone_in_its_time_whatever_follows_it, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	assert_message(t, a, "");
	for (int i = 0; i < 12; i++) {
		char word[16];
		(void)snprintf(word, sizeof(word), "w%d", i);
		tui_set_now(t, A_NOW + i * INT64_C(2500));
		tui_take_reaction(t, &a->r, "u01", word);
	}
	assert_message(t, a, " Grace: w10   Grace: w11");
	for (int i = 0; i < 12; i++) {
		char word[16];
		(void)snprintf(word, sizeof(word), "v%d", i);
		tui_take_reaction(t, &a->r, "u01", word);
	}
	assert_message(
		t, a,
		" Grace: v4   Grace: v5   Grace: v6   Grace: v7   Grace: v8   Grace: v9   Grace:");
	tui_destroy(t);
}

/* What was answered meanwhile has been read in place of the news. */
TOGETHER_TEST(test_news_do_not_come_back_behind_an_answer, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	assert_message(t, a, "");
	s->votes[0].revealed_at = A_NOW + 1;
	s->votes[0].result = s->votes[1].result;
	assert_message(t, a, " Refund a split payment revealed: 5 to 13");
	tui_set_now(t, A_NOW + 1500);
	(void)type(t, a, "y");
	assert_message(t, a, " No action for that key. ? for help");
	(void)type(t, a, "m");
	tui_set_now(t, A_NOW + 3000);
	(void)type(t, a, "J");
	assert_message(t, a, " No action for that key. ? for help");
	(void)tui_take_key(t, &a->r, TUI_KEY_LEFT);
	assert_message(t, a, "");
	tui_destroy(t);
}

TOGETHER_TEST(test_a_story_says_how_long_it_waits_for_votes, s)
{
	struct buf text = {.max = 4096};
	s->a.stories[0].ends_at = A_NOW + 26 * INT64_C(3600000);
	s->a.stories[1].ends_at = s->a.stories[0].ends_at; /* it is revealed */
	story_ends_in(&s->a.r, &s->a.stories[0], A_NOW, false, &text);
	assert_words("1 d left", &text);
	story_ends_in(&s->a.r, &s->a.stories[0], A_NOW, true, &text);
	assert_words("1d", &text);
	story_ends_in(&s->a.r, &s->a.stories[0], 0, false, &text);
	story_ends_in(&s->a.r, &s->a.stories[1], A_NOW, false, &text);
	story_ends_in(&s->a.r, &s->a.stories[0], s->a.stories[0].ends_at, false, &text);
	assert_words("", &text);
	buf_finish(&text);
}

TOGETHER_TEST(test_settling_all_that_agrees_says_how_many_and_what_is_left, s)
{
	struct slice ids[] = {s->a.stories[0].story_id, s->a.stories[2].story_id};
	struct round_settle_agreed_result done = {.settled = {ids, 2}};
	struct buf text = {.max = 4096};
	s->votes[0].revealed_at = A_NOW;
	story_settled_line(&s->a.r, &done, &text);
	assert_words("Settled 2 stories; 1 left to talk about", &text);
	s->a.stories[0].status = STORY_DONE; /* the update is there */
	done.settled.n = 1;
	story_settled_line(&s->a.r, &done, &text);
	assert_words("Settled 1 story; 1 left to talk about, 1 not revealed yet", &text);
	s->votes[1].revealed_at = 0;
	done.settled.n = 0;
	story_settled_line(&s->a.r, &done, &text);
	assert_words("No revealed story on which the votes agree; 2 not revealed yet", &text);
	s->a.stories[1].status = s->a.stories[2].status = STORY_DONE;
	done.settled.n = 2;
	story_settled_line(&s->a.r, &done, &text);
	assert_words("Settled 2 stories; none left", &text);
	done.settled.n = 0;
	story_settled_line(&s->a.r, &done, &text);
	assert_words("No open stories to settle", &text);
	buf_finish(&text);
}

TOGETHER_TEST(test_before_all_that_agrees_is_settled_it_is_named, s)
{
	struct buf text = {.max = 4096};
	assert_false(story_settle_question(&s->a.r, &text)); /* none agrees */
	for (size_t i = 0; i < 2; i++) {
		s->votes[i].revealed_at = A_NOW;
		s->votes[i].result = (struct room_result){.votes = 3,
							  .suggestion = SLICE("5"),
							  .with_spread_steps = true};
	}
	assert_true(story_settle_question(&s->a.r, &text));
	assert_words("Settle 2 stories: Refund a split payment, Login with a passkey?", &text);
	s->votes[0].result.votes = 2; /* of the quorum of 3 */
	assert_true(story_settle_question(&s->a.r, &text));
	assert_words("Settle Login with a passkey? 1 lacks a quorum", &text);
	s->votes[1].result.spread_steps = 2;
	assert_false(story_settle_question(&s->a.r, &text));
	story_settled_line(&s->a.r, &(struct round_settle_agreed_result){0}, &text);
	assert_words("No revealed story on which the votes agree; 1 left to talk about, 1 lacks a "
		     "quorum, 1 not revealed yet",
		     &text);
	buf_finish(&text);
}

/* ---- the screen ---- */

/* Each settled story counts as a round: what was done is still told when the room says so, why something was not, is not. */
TOGETHER_TEST(test_what_was_done_is_told_into_the_next_round, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	assert_message(t, a, "");
	tui_tell(t, "Settled 2 stories; none left");
	a->r.room.round += 2;
	assert_message(t, a, " Settled 2 stories; none left");
	a->r.room.policy.open_stories = false;
	(void)type(t, a, "=");
	assert_message(t, a, " Stories are voted on one at a time here: press P");
	a->r.room.round++;
	assert_message(t, a, "");
	tui_destroy(t);
}

/* Whoever votes in the list sees the end of the session as those at the table do. */
TOGETHER_TEST(test_the_summary_opens_over_the_list_and_goes_back_to_it, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	assert_message(t, a, "");
	for (size_t i = 0; i < 3; i++) {
		a->stories[i].status = STORY_DONE;
		a->stories[i].estimate = SLICE("5");
	}
	assert_row(t, a, 0, " Summary · Sprint 42");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_row(
		t, a, 0,
		" Stories                                              4 of 4 estimated · sum 23");
	assert_row(t, a, 21, " No stories left to do"); /* nobody is waited for */
	a->members[1].has_vote = true;			/* without a story */
	assert_row(t, a, 21, " 1 of 3 voted, 3 needed · waiting for you and Linus");
	tui_destroy(t);
}

/* Other stories are settled meanwhile, which counts rounds that this table has not seen. */
TOGETHER_TEST(test_a_quick_vote_beside_open_stories_has_no_number, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	a->r.room.round = 11;
	a->r.room.story_round = 2;
	a->members[2].has_vote = true;
	assert_row(t, a, 1, " Quick vote  3 of 4 stories to do");
	a->r.room.policy.open_stories = false;
	assert_row(t, a, 1, " Quick vote · round 11  3 of 4 stories to do");
	tui_destroy(t);
}

TOGETHER_TEST(test_a_deadline_that_finds_nothing_to_reveal_is_not_shown, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	a->r.room.timer.ends_at = A_NOW + 26 * INT64_C(3600000);
	a->r.room.timer.reveal_at_zero = true;
	assert_row(
		t, a, 1,
		" Open stories: 3 of 4                                         reveal in 1 d 2 h");
	for (size_t i = 0; i < 3; i++) {
		a->stories[i].status = STORY_DONE;
	}
	(void)type(t, a, "q"); /* whatever closes the summary */
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_row(t, a, 1, " Quick vote  no stories left to do");
	a->members[2].has_vote = true;
	assert_row(
		t, a, 1,
		" Quick vote  no stories left to do                            reveal in 1 d 2 h");
	tui_destroy(t);
}

/* One that comes to the table leaves no cards there that were hidden again. */
TOGETHER_TEST(test_another_story_at_the_table_hides_no_cards, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	struct narrate n = {.tells_mine = true};
	struct buf ignored = {.max = 65536};
	tui_set_now(t, A_NOW);
	a->stories[0].status = STORY_VOTING;
	a->r.room.story_id = a->stories[0].story_id;
	a->r.room.is_revealed = true;
	narrate_update(&n, &a->r, &ignored);
	buf_finish(&ignored);
	assert_message(t, a, "");
	a->stories[0].status = STORY_TODO;
	a->stories[2].status = STORY_VOTING;
	a->r.room.story_id = a->stories[2].story_id;
	a->r.room.is_revealed = false;
	assert_told(&n, s, "Voting on: Export as CSV\n");
	assert_message(t, a, "");
	a->r.room.is_revealed = true;
	assert_message(t, a, "");
	a->r.room.is_revealed = false;
	assert_message(t, a, " The cards were hidden");
	narrate_finish(&n);
	tui_destroy(t);
}

/* ---- keys ---- */

TOGETHER_TEST(test_digits_vote_on_the_story_in_focus, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	assert_nothing(type(t, a, "5")); /* at the table, where nothing is voted on */
	assert_message(t, a, " No story at the table: press S to vote");
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_ENTER));
	assert_message(t, a, " No story at the table: press S to vote");
	(void)type(t, a, "S");
	(void)tui_take_key(t, &a->r, TUI_KEY_HOME);
	assert_request(type(t, a, "8"), METHOD_ROOM_VOTE, "vote", "8", "story_id",
		       a->stories[0].story_id.data, NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	assert_request(type(t, a, "1"), METHOD_ROOM_VOTE, "vote", "1", NULL);
	assert_request(type(t, a, "3"), METHOD_ROOM_VOTE, "vote", "13", "story_id",
		       a->stories[1].story_id.data, NULL);
	assert_request(type(t, a, "-"), METHOD_ROOM_VOTE, "story_id", a->stories[1].story_id.data,
		       NULL);
	assert_request(enter(t, a, ":vote-story 3 20"), METHOD_ROOM_VOTE, "vote", "20", "story_id",
		       a->stories[2].story_id.data, NULL);
	tui_destroy(t);
}

/* Comment and confidence go with the vote on the story in focus; so does the card that others are compared with. */
TOGETHER_TEST(test_keys_in_the_list_are_about_the_own_vote_on_the_story_in_focus, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	(void)tui_take_key(t, &a->r, TUI_KEY_HOME);
	assert_nothing(type(t, a, "x"));
	assert_message(t, a, " Comment:");
	(void)type(t, a, "two banks");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_VOTE, "vote", "5",
		       "comment", "two banks", "story_id", a->stories[0].story_id.data, NULL);
	s->mine[0].comment = SLICE("two banks");
	(void)type(t, a, "x");
	assert_message(t, a, " Comment: two banks");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_nothing(type(t, a, "f"));
	assert_message(t, a, " This room does not record confidence");
	a->r.room.policy.confidence = true;
	(void)type(t, a, "f");
	assert_message(t, a, " Confidence (1-3):");
	(void)type(t, a, "2");
	assert_request(tui_take_key(t, &a->r, TUI_KEY_ENTER), METHOD_ROOM_VOTE, "vote", "5",
		       "confidence", "2", "story_id", a->stories[0].story_id.data, NULL);
	a->r.room.group_id = SLICE("g_AAAAAAAAAA");
	assert_request(type(t, a, "F"), METHOD_GROUP_REFERENCES, "estimate", "5", NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	assert_nothing(type(t, a, "x"));
	assert_message(t, a, " You have not voted on Export as CSV yet");
	assert_nothing(type(t, a, "F"));
	assert_message(t, a, " Estimate:");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->stories[2].status = STORY_VOTING;
	a->r.room.story_id = a->stories[2].story_id;
	assert_nothing(type(t, a, "x"));
	assert_message(t, a, " Export as CSV is at the table: press Esc first");
	tui_destroy(t);
}

/* Where the cursor is, and it stays there while others settle stories and one's own vote arrives. */
TOGETHER_TEST(test_the_list_begins_with_what_waits_for_a_vote, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	assert_row(t, a, 4, " >  3  Export as CSV");
	assert_request(type(t, a, "2"), METHOD_ROOM_VOTE, "vote", "2", "story_id",
		       a->stories[2].story_id.data, NULL);
	a->r.own_votes.n = 0;
	assert_row(t, a, 4, " >  3  Export as CSV");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->r.own_votes.n = 2;
	a->stories[2].status = STORY_DONE;
	a->stories[0].status = STORY_DONE;
	(void)type(t, a, "S"); /* all have the own vote: the first to do */
	assert_row(t, a, 3,
		   " >  2  Login with a passkey                                  [5]  5 to 13");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->stories[2].status = STORY_TODO;
	a->members[0].role = a->r.you.role = ROLE_SPECTATOR;
	(void)type(t, a, "S");
	assert_row(t, a, 3,
		   " >  2  Login with a passkey                                  [5]  5 to 13");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->r.room.policy.open_stories = false;
	(void)type(t, a, "S");
	assert_row(t, a, 3, " >  2  Login with a passkey");
	tui_destroy(t);
}

/* When a story was talked about and is settled, the way on leads to the next one. */
TOGETHER_TEST(test_the_list_begins_behind_a_settled_story_at_the_table, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	a->stories[0].status = STORY_VOTING;
	a->r.room.story_id = a->stories[0].story_id;
	a->r.room.is_revealed = true;
	a->r.room.with_result = true;
	a->r.room.result = s->votes[1].result;
	a->stories[2].status = STORY_DONE;
	(void)type(t, a, "S");
	assert_row(
		t, a, 2,
		" >▸ 1  Refund a split payment                                            voting");
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	a->stories[0].estimate = a->r.room.outcome = SLICE("5");
	(void)type(t, a, "S");
	assert_row(t, a, 3,
		   " >  2  Login with a passkey                                  [5]  5 to 13");
	tui_destroy(t);
}

/* Nothing is voted on by a digit that finds nothing to vote on, whatever is at the table. */
TOGETHER_TEST(test_a_digit_on_a_settled_story_says_that_it_is_settled, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	(void)tui_take_key(t, &a->r, TUI_KEY_END);
	assert_nothing(type(t, a, "5"));
	assert_message(t, a, " Ship it is settled on 8. V to vote on it again");
	a->stories[3].estimate = (struct slice){0};
	assert_nothing(type(t, a, "-"));
	assert_message(t, a, " Ship it is done. V to vote on it again");
	a->stories[3].status = STORY_SKIPPED;
	a->stories[3].key = SLICE("PAY-4");
	assert_nothing(type(t, a, "5"));
	assert_message(t, a, " PAY-4 is skipped. > to set it to do");
	a->members[0].is_host = a->r.you.is_host = false;
	a->stories[3].status = STORY_DONE;
	a->stories[0].status = STORY_VOTING;
	a->r.room.story_id = a->stories[0].story_id;
	assert_nothing(type(t, a, "5"));
	assert_message(t, a, " PAY-4 is done. Ask a host to vote on it again");
	(void)tui_take_key(t, &a->r, TUI_KEY_HOME);
	assert_request(type(t, a, "5"), METHOD_ROOM_VOTE, "vote", "5", "story_id", "(absent)",
		       NULL);
	tui_destroy(t);
}

/* The cards of the story at the table say nothing about others. */
TOGETHER_TEST(test_others_are_voted_on_while_the_table_is_revealed, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	a->stories[0].status = STORY_VOTING;
	a->r.room.story_id = a->stories[0].story_id;
	a->r.room.is_revealed = true;
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, "");
	assert_request(type(t, a, "8"), METHOD_ROOM_VOTE, "vote", "8", "story_id",
		       a->stories[2].story_id.data, NULL);
	a->members[0].role = a->r.you.role = ROLE_SPECTATOR;
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, " Spectators do not vote; become a voter first; press s");
	tui_destroy(t);
}

/* No card can be put down at the table, so its letters are keys; in the list it stands which digit is which card. */
TOGETHER_TEST(test_cards_with_letters_are_chosen_by_digits_in_the_list, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	a_room_deck(a, "XS S M L XL");
	(void)type(t, a, "S");
	assert_row(t, a, 4, " >  3  Export as CSV");
	assert_row(t, a, 20,
		   " │   XS    S     M     L     XL                                               "
		   "│");
	assert_row(
		t, a, 21,
		" └── 1 ─── 2 ─── 3 ─── 4 ─── 5 ───────────────────────────────────────────────┘");
	assert_request(type(t, a, "2"), METHOD_ROOM_VOTE, "vote", "S", "story_id",
		       a->stories[2].story_id.data, NULL);
	tui_destroy(t);
}

TOGETHER_TEST(test_reactions_are_sent_from_the_list, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	assert_nothing(type(t, a, ","));
	assert_request(type(t, a, "1"), METHOD_ROOM_REACT, NULL);
	tui_destroy(t);
}

/* For a host as for a member, at the table as in the list: the next story at the table is another command. */
TOGETHER_TEST(test_N_goes_to_the_next_story_without_a_vote, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	assert_nothing(type(t, a, "N"));
	assert_row(
		t, a, 0,
		" Stories                                  you 2 of 3 · 1 of 4 estimated · sum 8");
	assert_request(type(t, a, "2"), METHOD_ROOM_VOTE, "story_id", a->stories[2].story_id.data,
		       NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_HOME);
	assert_nothing(type(t, a, "N"));
	assert_request(type(t, a, "2"), METHOD_ROOM_VOTE, "story_id", a->stories[2].story_id.data,
		       NULL);
	assert_request(enter(t, a, ":next"), METHOD_STORY_NEXT, NULL);
	a->members[0].is_host = a->r.you.is_host = false;
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, "");
	assert_request(type(t, a, "2"), METHOD_ROOM_VOTE, "story_id", a->stories[2].story_id.data,
		       NULL);
	a->stories[2].status = STORY_SKIPPED;
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, " No open story without your vote");
	a->r.room.policy.open_stories = false;
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, " Only a host can do that here (Ada)");
	a->r.room.host_user_id = (struct slice){0};
	(void)tui_take_key(t, &a->r, TUI_KEY_ESCAPE);
	assert_nothing(type(t, a, "N"));
	assert_message(t, a, " Only a host can do that here; with the host key, press C");
	tui_destroy(t);
}

TOGETHER_TEST(test_a_host_reveals_and_settles_from_the_list, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	(void)tui_take_key(t, &a->r, TUI_KEY_HOME);
	assert_request(type(t, a, "R"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", "story_id",
		       a->stories[0].story_id.data, NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	s->votes[0].voted = 0;
	(void)tui_take_key(t, &a->r, TUI_KEY_UP);
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Nobody has voted on Refund a split payment yet");
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	assert_nothing(type(t, a, "R"));
	assert_message(t, a, " Hide the votes on Login with a passkey again? y / n");
	assert_request(type(t, a, "y"), METHOD_ROOM_SET_REVEALED, "is_revealed", "false", NULL);
	s->votes[1].result = (struct room_result){.votes = 3,
						  .suggestion = SLICE("5"),
						  .with_spread_steps = true};
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle Login with a passkey? y / n");
	assert_request(type(t, a, "y"), METHOD_ROUND_SETTLE_AGREED, NULL);
	s->votes[1].result.suggestion = (struct slice){0};
	assert_request(type(t, a, "="), METHOD_ROUND_SETTLE_AGREED, NULL); /* says what is left */
	s->a.members[0].is_host = s->a.r.you.is_host = false;
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Only a host can do that here (Ada)");
	tui_destroy(t);
}
