/*
 * test_offline_queue.c - what was asked for without a connection, and what becomes of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "client/tui/offline_queue.h"
#include "tests/support/heap.h"
#include "tests/unit/client/a_room.h"

static void init_host(struct a_room *a)
{
	a_room_init(a, "Sprint 42");
	a_room_seat(a, "Ada", IS_ME | IS_HOST, NULL);
	a_room_seat(a, "Grace", 0, "5");
}

static enum err hold(struct offline_queue *h, const struct a_room *a, enum ask_kind kind,
		     const char *text)
{
	struct ask ask = {.kind = kind, .text = text, .id = "", .other = ""};
	return offline_queue_push(h, &a->r, &ask);
}

static void assert_next(struct offline_queue *h, const struct a_room *a, enum ask_kind kind,
			const char *text, const char *told)
{
	struct buf out;
	buf_init(&out, 4096);
	struct ask ask = offline_queue_next(h, &a->r, &out);
	assert_int_equal(ask.kind, kind);
	if (text != NULL) {
		assert_string_equal(ask.text, text);
	}
	assert_int_equal(buf_append(&out, "", 1), OK);
	assert_string_equal(out.data, told);
	buf_finish(&out);
	offline_queue_free_ask(&ask);
}

static void test_what_waits_comes_out_in_its_order_and_once(void **state)
{
	(void)state;
	struct a_room a;
	struct offline_queue h = {0};
	init_host(&a);
	char title[] = "A story";
	assert_int_equal(hold(&h, &a, ASK_ADD_STORY, title), OK);
	title[0] = 'X'; /* the text was copied */
	assert_int_equal(hold(&h, &a, ASK_SET_TITLE, "Sprint 43"), OK);
	assert_int_equal(hold(&h, &a, ASK_REVEAL, ""), OK);
	assert_next(&h, &a, ASK_ADD_STORY, "A story", "");
	assert_next(&h, &a, ASK_SET_TITLE, "Sprint 43", "");
	assert_next(&h, &a, ASK_REVEAL, "", "");
	assert_next(&h, &a, ASK_NOTHING, NULL, "");
}

static void test_what_belongs_to_a_round_is_dropped_with_it(void **state)
{
	(void)state;
	struct a_room a;
	struct offline_queue h = {0};
	init_host(&a);
	assert_int_equal(hold(&h, &a, ASK_REVEAL, ""), OK);
	assert_int_equal(hold(&h, &a, ASK_NEXT_STORY, ""), OK);
	assert_int_equal(hold(&h, &a, ASK_NUDGE, ""), OK);
	assert_int_equal(hold(&h, &a, ASK_SET_TITLE, "Sprint 43"), OK);
	a.r.room.round++;
	assert_next(&h, &a, ASK_SET_TITLE, "Sprint 43",
		    "What waited was not done (reveal): Another round has begun.\n"
		    "What waited was not done (next): Another round has begun.\n"
		    "What waited was not done (nudge): Another round has begun.\n");
	assert_int_equal(h.n, 0);
}

static void test_what_is_not_allowed_any_more_is_dropped_with_the_reason(void **state)
{
	(void)state;
	struct a_room a;
	struct offline_queue h = {0};
	init_host(&a);
	assert_int_equal(hold(&h, &a, ASK_REVEAL, ""), OK);
	a.r.room.is_revealed = true;
	assert_next(&h, &a, ASK_NOTHING, NULL,
		    "What waited was not done (reveal): The cards lie open already.\n");
}

static void test_votes_secrets_and_questions_do_not_wait_here(void **state)
{
	(void)state;
	const enum ask_kind not_here[] = {ASK_NOTHING, ASK_LEAVE,	 ASK_VOTE,
					  ASK_RETRACT, ASK_JOIN,	 ASK_NOTE,
					  ASK_SURE,    ASK_SET_PASSCODE, ASK_HISTORY,
					  ASK_ENTER,   ASK_SAVE_SETTINGS};
	for (size_t i = 0; i < sizeof(not_here) / sizeof(not_here[0]); i++) {
		assert_false(offline_queue_may(not_here[i]));
	}
	assert_true(offline_queue_may(ASK_NEXT_STORY));
	assert_true(offline_queue_may(ASK_SET_SWITCH));
	assert_true(offline_queue_may(ASK_ADD_STORY));
}

static void assert_words(const struct offline_queue *h, size_t cap, const char *expected)
{
	char words[120];
	offline_queue_words(h, words, cap);
	assert_string_equal(words, expected);
}

static void test_what_waits_is_told_in_words_as_far_as_they_fit(void **state)
{
	(void)state;
	struct a_room a;
	struct offline_queue h = {0};
	init_host(&a);
	assert_words(&h, 120, "");
	assert_int_equal(hold(&h, &a, ASK_REVEAL, ""), OK);
	assert_words(&h, 120, "1 act waits for the connection: reveal");
	assert_int_equal(hold(&h, &a, ASK_NEXT_STORY, ""), OK);
	assert_int_equal(hold(&h, &a, ASK_ADD_STORY, "A story"), OK);
	assert_words(&h, 120, "3 acts wait for the connection: reveal, next, add");
	assert_words(&h, 40, "3 acts wait for the connection: reveal,");
	assert_words(&h, 1, "");
	offline_queue_finish(&h);
}

static void test_no_more_than_a_few_wait(void **state)
{
	(void)state;
	struct a_room a;
	struct offline_queue h = {0};
	init_host(&a);
	for (size_t i = 0; i < OFFLINE_QUEUE_MAX; i++) {
		assert_int_equal(hold(&h, &a, ASK_SET_TITLE, "again"), OK);
	}
	assert_int_equal(hold(&h, &a, ASK_SET_TITLE, "again"), ERR_BUSY);
	offline_queue_finish(&h);
	assert_int_equal(h.n, 0);
}

static void test_holding_survives_each_failed_allocation(void **state)
{
	(void)state;
	struct a_room a;
	struct offline_queue h = {0};
	init_host(&a);
	for (size_t nth = 0; nth < 8; nth++) {
		heap_fail_nth(nth, false);
		enum err e = hold(&h, &a, ASK_SET_TITLE, "again");
		heap_fail_never();
		if (e == OK) {
			assert_int_equal(h.n, 1);
			offline_queue_finish(&h);
			return;
		}
		assert_int_equal(e, ERR_NOMEM);
		assert_int_equal(h.n, 0);
	}
	fail_msg("still failing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_waits_comes_out_in_its_order_and_once),
		cmocka_unit_test(test_what_belongs_to_a_round_is_dropped_with_it),
		cmocka_unit_test(test_what_is_not_allowed_any_more_is_dropped_with_the_reason),
		cmocka_unit_test(test_votes_secrets_and_questions_do_not_wait_here),
		cmocka_unit_test(test_what_waits_is_told_in_words_as_far_as_they_fit),
		cmocka_unit_test(test_no_more_than_a_few_wait),
		cmocka_unit_test(test_holding_survives_each_failed_allocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
