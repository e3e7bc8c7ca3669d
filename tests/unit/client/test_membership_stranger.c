/*
 * test_membership_stranger.c - a stranger's name goes out behind the subscription, without
 * waiting for its answer.
 */
#include "tests/unit/client/membership_kit.h"

/* A stranger called Ada, whose two requests are on their way; *key is the seat's. */
static void come_in_early(struct desk *d, char key[KEY_CHARS + 1])
{
	struct room_subscribe_params p;
	struct room_join_params join;
	membership_want_name(&d->a, "Ada", false, false);
	d->a.is_stranger = true;
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(p.with_user_key);
	assert_true(key_is_formed(p.user_key));
	memcpy(key, p.user_key.data, KEY_CHARS);
	key[KEY_CHARS] = '\0';
	expect(d, METHOD_ROOM_JOIN, &join);
	assert_true(slice_eq(join.username, SLICE("Ada")));
	expect_nothing(d);
}

DESK_TEST(test_a_strangers_name_goes_out_behind_the_subscription, d)
{
	char key[KEY_CHARS + 1];
	come_in_early(d, key);
	subscribed(d, KEY, 1);
	assert_int_equal(d->news, MEMBERSHIP_NEWS_SEAT);
	joined(d);
	assert_true((d->news & MEMBERSHIP_NEWS_JOINED) != 0);
	send_room(d, 1, 1);
	expect_nothing(d);
	assert_true(membership_is_settled(&d->a));
}

DESK_TEST(test_a_loss_on_the_way_in_leads_to_the_same_seat_by_the_same_act, d)
{
	struct room_subscribe_params p;
	struct room_join_params first;
	struct room_join_params again;
	membership_want_name(&d->a, "Ada", false, false);
	d->a.is_stranger = true;
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	struct slice key = p.user_key;
	expect(d, METHOD_ROOM_JOIN, &first);
	membership_answer(&d->a, METHOD_ROOM_SUBSCRIBE, ERR_CLOSED, NULL, NULL);
	membership_answer(&d->a, METHOD_ROOM_JOIN, ERR_CLOSED, NULL, NULL);
	membership_down(&d->a);
	membership_up(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(slice_eq(p.user_key, key));
	expect(d, METHOD_ROOM_JOIN, &again);
	assert_true(slice_eq(first.idempotency_key, again.idempotency_key));
}

/* It may come before the subscription's answer, which it then does not depend on, or behind it. */
TEST(test_an_early_refusal_is_asked_again_and_told_once)
{
	for (int is_first = 0; is_first < 2; is_first++) {
		struct desk d;
		struct room_join_params join;
		char key[KEY_CHARS + 1];
		desk_open(&d);
		come_in_early(&d, key);
		if (is_first) {
			refuse(&d, METHOD_ROOM_JOIN, FAULT_VALIDATION_ERROR);
			expect_nothing(&d);
		}
		subscribed(&d, KEY, 1);
		if (!is_first) {
			refuse(&d, METHOD_ROOM_JOIN, FAULT_VALIDATION_ERROR);
		}
		expect_nothing(&d);
		send_you(&d, NULL);
		send_room(&d, 1, 1);
		assert_int_equal(d.news & MEMBERSHIP_NEWS_REFUSED, 0);
		expect(&d, METHOD_ROOM_JOIN, &join);
		refuse(&d, METHOD_ROOM_JOIN, FAULT_VALIDATION_ERROR);
		assert_true((d.news & MEMBERSHIP_NEWS_REFUSED) != 0);
		expect_nothing(&d);
		desk_close(&d);
	}
}

DESK_TEST(test_a_subscription_that_has_to_wait_takes_the_name_along_each_time, d)
{
	struct room_subscribe_params p;
	struct room_join_params join;
	char key[KEY_CHARS + 1];
	come_in_early(d, key);
	refuse(d, METHOD_ROOM_SUBSCRIBE, FAULT_UNAVAILABLE);
	int64_t pause_ms = d->a.retry_ms;
	assert_true(pause_ms > 0);
	refuse(d, METHOD_ROOM_JOIN, FAULT_UNAUTHENTICATED);
	expect_nothing(d);
	assert_int_equal(d->a.retry_ms, pause_ms);
	assert_int_equal(d->a.fault.code, FAULT_UNAVAILABLE);
	assert_int_equal(d->news, 0);
	membership_retry(&d->a);
	expect(d, METHOD_ROOM_SUBSCRIBE, &p);
	assert_true(slice_eq(p.user_key, slice_str(key)));
	expect(d, METHOD_ROOM_JOIN, &join);
}

DESK_TEST(test_a_room_that_lets_nobody_in_says_so_once, d)
{
	char key[KEY_CHARS + 1];
	come_in_early(d, key);
	refuse(d, METHOD_ROOM_SUBSCRIBE, FAULT_ROOM_NOT_FOUND);
	assert_int_equal(d->news, MEMBERSHIP_NEWS_ENDED | MEMBERSHIP_NEWS_REFUSED);
	d->news = 0;
	refuse(d, METHOD_ROOM_JOIN, FAULT_UNAUTHENTICATED);
	assert_int_equal(d->news, 0);
	assert_int_equal(d->a.fault.code, FAULT_ROOM_NOT_FOUND);
	expect_nothing(d);
}

/* Whose seat may be there has perhaps its name: that is seen first. */
TEST(test_who_may_have_a_seat_and_who_has_no_name_wait_for_the_answer)
{
	for (int i = 0; i < 3; i++) {
		struct desk d;
		struct room_subscribe_params p;
		desk_open(&d);
		d.a.is_stranger = i != 0; /* logged in, or in other rooms before */
		if (i == 1) {
			strcpy(d.a.user_key, KEY2);
		}
		if (i != 2) {
			membership_want_name(&d.a, "Ada", false, false);
		}
		membership_up(&d.a);
		expect(&d, METHOD_ROOM_SUBSCRIBE, &p);
		assert_int_equal(p.with_user_key, i == 1);
		expect_nothing(&d);
		desk_close(&d);
	}
}
