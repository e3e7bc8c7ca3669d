/*
 * test_room_status.c - a room in a line for a prompt.
 */
#include "client/model/room/room_status.h"

#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"

struct status_test {
	struct a_room a;
	struct room_status is;
	char line[ROOM_STATUS_LINE_BYTES];
};

/* Ada sits here and follows the room; Grace has voted, Linus has not. */
static void open_status(struct status_test *t)
{
	memset(t, 0, sizeof(*t));
	a_room_init(&t->a, "Sprint 42");
	a_room_seat(&t->a, "Ada", IS_ME, NULL);
	a_room_seat(&t->a, "Grace", HAS_VOTED, NULL);
	a_room_seat(&t->a, "Linus", IS_VOTER, NULL);
	a_room_story(&t->a, "Refunds", STORY_VOTING, NULL);
	t->a.stories[0].key = SLICE("PAY-3");
	t->a.r.room.story_id = t->a.stories[0].story_id;
}

#define STATUS_TEST(name, t) TEST_OF(name, struct status_test, t, open_status(t), (void)(t))

static void look(struct status_test *t)
{
	room_status_of(&t->a.r, NULL, NULL, &t->is);
}

static void assert_words(struct status_test *t, const char *line, const char *words)
{
	room_status_line(&t->is, "K7QX3M", t->line);
	assert_string_equal(t->line, line);
	room_status_short(&t->is, t->line);
	assert_string_equal(t->line, words);
}

STATUS_TEST(test_a_round_that_waits_for_me_says_so, t)
{
	look(t);
	assert_words(t, "PAY-3: 1 of 3, waiting for you", "1 of 3, waiting for you");
	t->a.r.you.vote = SLICE("5");
	t->a.members[0].has_vote = true;
	look(t);
	assert_words(t, "PAY-3: 2 of 3", "2 of 3");
}

STATUS_TEST(test_it_is_about_the_key_the_title_the_room_or_its_code, t)
{
	t->a.stories[0].key = (struct slice){0};
	look(t);
	assert_words(t, "Refunds: 1 of 3, waiting for you", "1 of 3, waiting for you");
	t->a.r.room.story_id = (struct slice){0};
	look(t);
	assert_words(t, "Sprint 42: 1 of 3, waiting for you", "1 of 3, waiting for you");
	t->a.r.room.title = (struct slice){0};
	look(t);
	assert_words(t, "K7QX3M: 1 of 3, waiting for you", "1 of 3, waiting for you");
	t->a.r.room.title = SLICE("見積もりを印刷する見積もりを印刷する見積もりを印刷する");
	look(t);
	assert_words(t, "見積もりを印刷する見積もりを…: 1 of 3, waiting for you",
		     "1 of 3, waiting for you");
}

STATUS_TEST(test_open_cards_say_what_came_of_them, t)
{
	struct room_result result = {.votes = 1};
	t->a.r.room.is_revealed = true;
	t->a.r.room.result = result;
	t->a.r.room.with_result = true;
	look(t);
	assert_words(t, "PAY-3: revealed", "revealed");
	t->a.r.room.result.suggestion = SLICE("5");
	look(t);
	assert_words(t, "PAY-3: revealed, suggested 5", "revealed, suggested 5");
	t->a.r.room.outcome = SLICE("8");
	look(t);
	assert_words(t, "PAY-3: settled on 8", "settled on 8");
}

STATUS_TEST(test_who_only_watches_or_is_not_there_is_not_waited_for, t)
{
	t->a.members[0].role = ROLE_SPECTATOR;
	look(t);
	assert_words(t, "PAY-3: 1 of 2", "1 of 2");
	t->a.r.you = (struct room_you){0};
	look(t);
	assert_false(t->is.is_in);
	assert_words(t, "PAY-3: 1 of 2; you have no seat", "");
}

/* As a stranger to the server, which is how a prompt asks. */
STATUS_TEST(test_a_seat_is_found_by_its_name, t)
{
	t->a.r.you = (struct room_you){0};
	room_status_of(&t->a.r, "Linus", NULL, &t->is);
	assert_words(t, "PAY-3: 1 of 3, waiting for you", "1 of 3, waiting for you");
	room_status_of(&t->a.r, "Grace", NULL, &t->is);
	assert_words(t, "PAY-3: 1 of 3", "1 of 3");
	t->a.members[1].is_bot = true;
	room_status_of(&t->a.r, "Grace", NULL, &t->is);
	assert_false(t->is.is_in);
}

STATUS_TEST(test_where_voters_are_hidden_a_stranger_knows_of_itself_what_it_knew, t)
{
	struct room_status was = {.round = 1, .is_mine = true};
	t->a.r.you = (struct room_you){0};
	t->a.r.room.policy.hide_who_voted = true;
	t->a.members[1].has_vote = false;
	t->a.r.votes_n = 2;
	room_status_of(&t->a.r, "Linus", &was, &t->is);
	assert_words(t, "PAY-3: 2 of 3, waiting for you", "2 of 3, waiting for you");
	was.round = 7;
	room_status_of(&t->a.r, "Linus", &was, &t->is);
	assert_words(t, "PAY-3: 2 of 3", "2 of 3");
}

STATUS_TEST(test_the_lobby_is_said, t)
{
	t->a.members[0].is_waiting = true;
	look(t);
	assert_words(t, "PAY-3: in the lobby", "in the lobby");
}

STATUS_TEST(test_an_empty_room_has_nothing_to_say, t)
{
	t->a.r.users.n = 1;
	t->a.members[0].role = ROLE_SPECTATOR;
	look(t);
	assert_words(t, "PAY-3: no voters", "");
}

STATUS_TEST(test_who_leaves_is_waited_for_only_where_votes_stay, t)
{
	look(t);
	struct room_status before = t->is;
	room_status_leave(&t->is);
	assert_false(room_status_eq(&before, &t->is));
	assert_words(t, "PAY-3: 1 of 3; you have no seat", "");
	t->a.r.room.policy.keep_votes = true;
	t->a.members[0].is_connected = false;
	look(t);
	before = t->is;
	room_status_leave(&t->is);
	assert_true(room_status_eq(&before, &t->is));
	assert_words(t, "PAY-3: 1 of 3, waiting for you", "1 of 3, waiting for you");
}

/* What a server answers room.get of a stranger with a refusal, some of them as if there were no room. */
STATUS_TEST(test_rooms_that_refuse_strangers_are_known, t)
{
	struct policy_view *policy = &t->a.r.room.policy;
	bool *const closes[] = {&policy->has_passcode, &policy->lobby, &policy->locked};
	look(t);
	assert_false(t->is.is_closed);
	for (size_t i = 0; i < 3; i++) {
		*closes[i] = true;
		look(t);
		assert_true(t->is.is_closed);
		*closes[i] = false;
	}
}
