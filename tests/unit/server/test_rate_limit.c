/*
 * test_rate_limit.c - buckets against a plain model of tokens, and addresses that
 * are kept no longer than they owe something.
 */
#include <stdlib.h>

#include "server/core/conns/rate_limit.h"
#include "server/core/server_priv.h"
#include "tests/support/rig.h"
#include "tests/support/test.h"

static uint64_t dice;

static uint32_t roll(uint32_t sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(dice >> 33) % sides;
}

/* Tokens that were taken, in us of draining still to come. */
struct model {
	int64_t owed_us;
	int64_t at_us;
};

static bool model_take(struct model *m, int64_t now_us, int64_t cost_us, int64_t burst)
{
	int64_t passed = now_us - m->at_us;
	m->owed_us = m->owed_us > passed ? m->owed_us - passed : 0;
	m->at_us = now_us;
	if (m->owed_us + cost_us > burst * cost_us) {
		return false;
	}
	m->owed_us += cost_us;
	return true;
}

TEST(test_a_bucket_gives_what_a_plain_count_would)
{
	for (uint64_t seed = 1; seed <= 100; seed++) {
		dice = seed;
		print_message("seed %d\n", (int)seed);
		struct bucket b = {0};
		struct model m = {0};
		int64_t period_ms = (int64_t[]){1000, 60000}[roll(2)];
		int64_t rate = 1 + roll(3000);
		int64_t burst = 1 + roll(100);
		int64_t now = 1 + roll(100000);
		int64_t cost_us = period_ms * 1000 / rate;
		for (size_t i = 0; i < 2000; i++) {
			now += roll(5) == 0 ? roll((uint32_t)(2 * period_ms / rate) + 2) : 0;
			int64_t wait = bucket_wait_ms(&b, now, rate, period_ms, burst);
			bool gives = bucket_take(&b, now, rate, period_ms, burst);
			assert_int_equal(gives, model_take(&m, now * 1000, cost_us, burst));
			assert_int_equal(gives, wait == 0);
			assert_in_range(wait, 0, period_ms);
		}
	}
}

TEST(test_waiting_as_long_as_told_is_enough)
{
	struct bucket b = {0};
	int64_t now = 1000;
	while (bucket_take(&b, now, 7, 60000, 3)) {
	}
	int64_t wait = bucket_wait_ms(&b, now, 7, 60000, 3);
	assert_true(wait > 0);
	assert_false(bucket_take(&b, now + wait - 2, 7, 60000, 3));
	assert_true(bucket_take(&b, now + wait, 7, 60000, 3));
}

TEST(test_a_burst_is_given_at_once_and_then_the_rate)
{
	struct bucket b = {0};
	for (int i = 0; i < 60; i++) {
		assert_true(bucket_take(&b, 5000, 60, 60000, 60));
	}
	assert_false(bucket_take(&b, 5000, 60, 60000, 60));
	assert_false(bucket_take(&b, 5999, 60, 60000, 60));
	assert_true(bucket_take(&b, 6001, 60, 60000, 60));
	assert_false(bucket_take(&b, 6002, 60, 60000, 60));
}

TEST(test_odd_rates_do_not_break_it)
{
	struct bucket b = {0};
	assert_true(bucket_take(&b, 1000, 0, 1000, 1));
	assert_false(bucket_take(&b, 1999, 0, 1000, 1));
	b = (struct bucket){0};
	assert_true(bucket_take(&b, 1000, INT64_MAX / 2, 1000, 10));
	b = (struct bucket){0};
	assert_true(bucket_take(&b, 1000, 5, 1000, 0));
	assert_false(bucket_take(&b, 1000, 5, 1000, 0));
}

/* ---- addresses ---- */

static unsigned addresses(const struct rig *r)
{
	return HASH_COUNT(r->server->addresses);
}

TEST(test_an_address_is_forgotten_with_its_last_connection)
{
	struct rig r;
	rig_open(&r);
	struct rig_peer *a = rig_connect_as(&r, "a", PEER_NETWORK, 1, false);
	struct rig_peer *b = rig_connect_as(&r, "b", PEER_NETWORK, 1, false);
	rig_connect_as(&r, "c", PEER_NETWORK, 2, false);
	struct rig_peer *d = rig_connect_as(&r, "d", PEER_UNIX, 0, false);
	rig_connect_as(&r, "e", PEER_UNIX, 0, true);
	assert_int_equal(addresses(&r),
			 3); /* a user of the unix socket is one, but for the owner */
	rig_cut(a);
	assert_int_equal(addresses(&r), 3);
	rig_cut(b);
	assert_int_equal(addresses(&r), 2);
	rig_cut(d);
	assert_int_equal(addresses(&r), 1);
	rig_finish(&r);
}

TEST(test_an_address_that_owes_is_remembered_until_it_owes_nothing)
{
	struct rig r;
	rig_open(&r);
	struct rig_peer *a = rig_connect_as(&r, "a", PEER_NETWORK, 1, false);
	rig_hello(a);
	for (size_t i = 0; i < 30; i++) {
		rig_code(a, "room.get", "'room_id':'222222'");
	}
	rig_cut(a);
	assert_int_equal(addresses(&r), 1);
	rig_advance(&r, 50000);
	assert_int_equal(addresses(&r), 1);
	rig_advance(&r, 71000);
	assert_int_equal(addresses(&r), 0);
	rig_finish(&r);
}
