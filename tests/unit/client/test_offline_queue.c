/*
 * test_offline_queue.c - what was asked for without a connection, and what becomes of it.
 */
#include <stdlib.h>

#include "client/model/room/offline_queue.h"
#include "client/tui/actions/line_commands.h"
#include "tests/support/test.h"
#include "tests/unit/client/a_room.h"
#include "tests/unit/client/act_kit.h"

static void init_host(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_ME | IS_HOST, NULL);
	a_room_seat(a, "Grace", 0, "5");
}

/* What that line asks for waits, if it is a request that may. */
static bool hold(struct offline_queue *q, const struct a_room *a, const char *line)
{
	struct buf out;
	struct line_commands *t = line_commands_create(NULL, false, NULL);
	buf_init(&out, 4096);
	struct act act = line_commands_take_line(t, &a->r, slice_str(line), &out);
	act = act.request == NULL ? line_commands_take_line(t, &a->r, SLICE("y"), &out) : act;
	bool is_held = act.request != NULL && offline_queue_may(act.request) &&
		       offline_queue_push(q, &a->r, act.request);
	line_commands_destroy(t);
	buf_finish(&out);
	return is_held;
}

/* title: the field of the next request, whose command is that; "": nothing waits any more. */
static void assert_next(struct offline_queue *q, const struct a_room *a, const char *command,
			const char *title, const char *told)
{
	struct buf out;
	buf_init(&out, 4096);
	struct act act = {.request = offline_queue_next(q, &a->r, tui_refuses, &out)};
	assert_string_equal(act.request == NULL ? "" : act.request->name, command);
	if (title != NULL) {
		assert_request(act, act.request->method, "title", title, NULL);
	}
	assert_int_equal(buf_append(&out, "", 1), OK);
	assert_string_equal(out.data, told);
	buf_finish(&out);
	request_free(act.request);
}

/* promise: sent-when-back */
TEST(test_what_waits_comes_out_in_its_order_and_once)
{
	struct a_room a;
	struct offline_queue q = {0};
	init_host(&a);
	assert_true(hold(&q, &a, "add A story"));
	assert_true(hold(&q, &a, "title Sprint 43"));
	assert_true(hold(&q, &a, "reveal"));
	assert_next(&q, &a, "add", "A story", "");
	assert_next(&q, &a, "title", "Sprint 43", "");
	assert_next(&q, &a, "reveal", NULL, "");
	assert_next(&q, &a, "", NULL, "");
}

TEST(test_what_belongs_to_a_round_is_dropped_with_it)
{
	struct a_room a;
	struct offline_queue q = {0};
	init_host(&a);
	(void)a_room_seat(&a, "Linus", 0, NULL); /* whom to ring */
	assert_true(hold(&q, &a, "reveal"));
	assert_true(hold(&q, &a, "next"));
	assert_true(hold(&q, &a, "nudge"));
	assert_true(hold(&q, &a, "title Sprint 43"));
	a.r.room.round++;
	assert_next(&q, &a, "title", "Sprint 43",
		    "Not sent (reveal): The next round has started.\n"
		    "Not sent (next): The next round has started.\n"
		    "Not sent (nudge): The next round has started.\n");
	assert_int_equal(q.n, 0);
}

TEST(test_what_is_not_allowed_any_more_is_dropped_with_the_reason)
{
	struct a_room a;
	struct offline_queue q = {0};
	init_host(&a);
	assert_true(hold(&q, &a, "reveal"));
	a.r.room.is_revealed = true;
	assert_next(&q, &a, "", NULL, "Not sent (reveal): Already revealed.\n");
}

TEST(test_what_is_about_a_story_is_dropped_with_it)
{
	struct a_room a;
	struct offline_queue q = {0};
	init_host(&a);
	(void)a_room_story(&a, "one", STORY_TODO, NULL);
	(void)a_room_story(&a, "two", STORY_TODO, NULL);
	assert_true(hold(&q, &a, "edit 1 uno"));
	assert_true(hold(&q, &a, "edit 2 due"));
	assert_true(hold(&q, &a, "skip 2"));
	a.r.stories.n = 1;
	assert_next(&q, &a, "edit", "uno", "");
	assert_next(&q, &a, "", NULL,
		    "Not sent (edit): Story not found.\n"
		    "Not sent (skip): Story not found.\n");
}

TEST(test_votes_secrets_and_questions_do_not_wait_here)
{
	static const enum method not_here[] = {METHOD_ROOM_VOTE,   METHOD_ROOM_JOIN,
					       METHOD_ROUND_LIST,  METHOD_ROOM_BARRED,
					       METHOD_ROOM_CREATE, METHOD_ROOM_CLAIM_HOST,
					       METHOD_MAP_SET};
	static const enum method here[] = {METHOD_STORY_NEXT, METHOD_ROOM_SET_POLICY,
					   METHOD_STORY_ADD};
	for (size_t i = 0; i < sizeof(not_here) / sizeof(not_here[0]); i++) {
		struct request *r = request_make(not_here[i]);
		assert_false(offline_queue_may(r));
		request_free(r);
	}
	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++) {
		struct request *r = request_make(here[i]);
		assert_true(offline_queue_may(r));
		request_free(r);
	}
	struct request *secret = request_make(METHOD_ROOM_SET_POLICY);
	request_text(secret, "policy.passcode", "sesame");
	assert_false(offline_queue_may(secret));
	request_free(secret);
}

static void assert_words(const struct offline_queue *q, size_t cap, const char *expected)
{
	char words[120];
	offline_queue_words(q, words, cap);
	assert_string_equal(words, expected);
}

TEST(test_what_waits_is_told_in_words_as_far_as_they_fit)
{
	struct a_room a;
	struct offline_queue q = {0};
	init_host(&a);
	assert_words(&q, 120, "");
	assert_true(hold(&q, &a, "reveal"));
	assert_words(&q, 120, "1 act waits for the connection: reveal");
	assert_true(hold(&q, &a, "next"));
	assert_true(hold(&q, &a, "add A story"));
	assert_words(&q, 120, "3 acts wait for the connection: reveal, next, add");
	assert_words(&q, 40, "3 acts wait for the connection: reveal,");
	assert_words(&q, 1, "");
	offline_queue_finish(&q);
}

TEST(test_no_more_than_a_few_wait)
{
	struct a_room a;
	struct offline_queue q = {0};
	init_host(&a);
	for (size_t i = 0; i < OFFLINE_QUEUE_MAX; i++) {
		assert_true(hold(&q, &a, "title again"));
	}
	assert_false(hold(&q, &a, "title again"));
	assert_int_equal(q.n, OFFLINE_QUEUE_MAX);
	offline_queue_finish(&q);
	assert_int_equal(q.n, 0);
}
