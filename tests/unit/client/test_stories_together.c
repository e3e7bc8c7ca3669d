/*
 * test_stories_together.c - stories that are open together, as a client has them: what is known of them, in words, and what
 * keys in the list of stories ask for.
 */
#include "tests/unit/client/together.h"
#include "tests/unit/client/tui_kit.h"

#include "client/acts/story_words.h"
#include "client/model/room/room_status.h"

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
	assert_words("5 to 13", &text); /* fewer than the quorum */
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

/* ---- keys ---- */

TOGETHER_TEST(test_digits_vote_on_the_story_in_focus, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	tui_set_now(t, A_NOW);
	assert_nothing(type(t, a, "5")); /* at the table, where nothing is voted on */
	assert_message(t, a, " No story at the table. S lists the open ones");
	(void)type(t, a, "S");
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

TOGETHER_TEST(test_tab_goes_to_the_next_story_without_a_vote, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_TAB));
	assert_request(type(t, a, "2"), METHOD_ROOM_VOTE, "story_id", a->stories[2].story_id.data,
		       NULL);
	s->a.r.room.policy.open_stories = false;
	assert_nothing(tui_take_key(t, &a->r, TUI_KEY_TAB));
	assert_message(t, a, " Stories are voted on one at a time here: press P");
	tui_destroy(t);
}

TOGETHER_TEST(test_a_host_reveals_and_settles_from_the_list, s)
{
	struct tui *t = open_tui();
	struct a_room *a = &s->a;
	(void)type(t, a, "S");
	assert_request(type(t, a, "R"), METHOD_ROOM_SET_REVEALED, "is_revealed", "true", "story_id",
		       a->stories[0].story_id.data, NULL);
	(void)tui_take_key(t, &a->r, TUI_KEY_DOWN);
	assert_request(type(t, a, "R"), METHOD_ROOM_SET_REVEALED, "is_revealed", "false", NULL);
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Settle every story on which the votes agree within one card? y / n");
	assert_request(type(t, a, "y"), METHOD_ROUND_SETTLE_AGREED, NULL);
	s->a.members[0].is_host = s->a.r.you.is_host = false;
	assert_nothing(type(t, a, "="));
	assert_message(t, a, " Only a host can do that here (Ada)");
	tui_destroy(t);
}
