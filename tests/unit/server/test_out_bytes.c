/*
 * test_out_bytes.c - what waits for connections: full updates are held once
 * however many are sent them, all send queues share one budget, and whoever asks
 * for much is read later.
 */
#include "tests/support/heap.h"
#include "tests/unit/server/crowd.h"

#define MEMBERS 600
#define ASKERS	300

static struct counters *counters(struct table *t)
{
	return server_counters(t->r.server);
}

/* The length of what room.get answers now. */
static size_t full_bytes(struct table *t)
{
	size_t before = t->bob->in.len;
	rig_must(t->bob, "get", RIG_NONE);
	return t->bob->in.len - before;
}

static struct rig_peer *asker(struct table *t)
{
	struct rig_peer *p = rig_guest(&t->r, "asker");
	rig_window(p, 0);
	return p;
}

static size_t open_peers(struct rig_peer *const *peers, size_t n)
{
	size_t open = 0;
	for (size_t i = 0; i < n; i++) {
		open += peers[i]->is_open;
	}
	return open;
}

/* ---- one frame for all ---- */

TABLE_TEST(test_a_full_room_that_300_ask_for_and_do_not_read_is_held_once, t)
{
	struct rig_peer *peers[ASKERS];
	rig_cut(crowd(t, MEMBERS));
	size_t full = full_bytes(t);
	for (size_t i = 0; i < ASKERS; i++) {
		peers[i] = asker(t);
	}
	size_t before = heap_bytes();
	for (size_t i = 0; i < ASKERS; i++) {
		rig_send(peers[i], "get", RIG_NONE);
	}
	assert_in_range(heap_bytes() - (before < heap_bytes() ? before : heap_bytes()), 0,
			2 * full + ASKERS * 1024);
	assert_in_range(counters(t)->out_bytes_now, full - 64, full + ASKERS * 512);
	for (size_t i = 0; i < ASKERS; i++) {
		rig_window(peers[i], RIG_UNBOUNDED);
		assert_string_equal(rig_outcome(peers[i], peers[i]->last_msgid), "ok");
	}
	assert_int_equal(counters(t)->out_bytes_now, 0);
}

TABLE_TEST(test_room_get_and_new_subscriptions_share_one_frame, t)
{
	struct rig_peer *peers[8];
	rig_cut(crowd(t, MEMBERS));
	size_t full = full_bytes(t);
	for (size_t i = 0; i < 8; i++) {
		peers[i] = asker(t);
	}
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	for (size_t i = 0; i < 8; i++) {
		rig_send(peers[i], i < 4 ? "subscribe" : "get", RIG_NONE);
	}
	rig_release(&t->r);
	assert_in_range(counters(t)->out_bytes_now, full - 64, 2 * full + 8 * 2048);
	for (size_t i = 0; i < 8; i++) {
		rig_window(peers[i], RIG_UNBOUNDED);
		assert_string_equal(rig_outcome(peers[i], peers[i]->last_msgid), "ok");
	}
	rig_assert_all_same(&t->r);
}

/* Whatever part of it a socket takes, every message comes whole and in order. */
TABLE_TEST(test_answers_that_quote_a_frame_come_in_order_byte_by_byte, t)
{
	struct buf bytes = {.max = 65536};
	rig_window(t->bob, 0);
	uint32_t first = rig_compose(t->bob, &bytes, "get", RIG_NONE);
	rig_compose(t->bob, &bytes, "server.ping", RIG_NONE);
	rig_compose(t->bob, &bytes, "get", RIG_NONE);
	rig_compose(t->bob, &bytes, "vote", "'vote':'5'");
	uint32_t last = rig_compose(t->bob, &bytes, "get", RIG_NONE);
	rig_bytes(t->bob, buf_slice(&bytes));
	buf_finish(&bytes);
	rig_must(t->ada, "set_title", "'title':'meanwhile'");
	while (counters(t)->out_bytes_now > 0 || t->bob->is_blocked) {
		rig_window(t->bob, 1);
	}
	rig_window(t->bob, RIG_UNBOUNDED);
	for (uint32_t i = first; i <= last; i++) {
		assert_string_equal(rig_outcome(t->bob, i), "ok");
	}
}

TABLE_TEST(test_an_answer_is_the_room_of_its_moment, t)
{
	bool is_refusal = false;
	struct rig_peer *p = asker(t);
	uint32_t before = rig_send(p, "get", RIG_NONE);
	rig_must(t->ada, "set_title", "'title':'Sprint 42'");
	uint32_t after = rig_send(p, "get", RIG_NONE);
	rig_window(p, RIG_UNBOUNDED);
	assert_non_null(strstr(rig_answer(p, before, &is_refusal), "'title':null"));
	assert_non_null(strstr(rig_answer(p, after, &is_refusal), "'title':'Sprint 42'"));
}

TABLE_TEST(test_a_full_update_that_is_asked_for_in_a_commit_that_fails_is_not_sent, t)
{
	struct rig_peer *p = rig_guest(&t->r, "asker");
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'never'");
	uint32_t asked = rig_send(p, "get", RIG_NONE);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(p, asked), "UNAVAILABLE");
	assert_int_equal(counters(t)->out_bytes_now, 0);
	assert_string_equal(rig_code(p, "get", RIG_NONE), "ok");
}

/* ---- one budget for all ---- */

static int lay_small_budget(void **state)
{
	struct table *t = scene_init(state, sizeof(*t));
	t->r.config.limits[LIMIT_OUT_BYTES_ALL] = 500000;
	return table_begin(t);
}

#define SMALL_BUDGET_TEST(name, t) TEST_IN(name, struct table, t, lay_small_budget, scene_clear)

/* The room changes between any two of them, so that each holds a frame of its own. */
SMALL_BUDGET_TEST(test_beyond_the_budget_a_peer_that_takes_nothing_ends_before_one_that_reads, t)
{
	struct rig_peer *idle[10];
	rig_cut(crowd(t, MEMBERS));
	size_t full = full_bytes(t);
	struct rig_peer *reader = asker(t);
	rig_send(reader, "get", RIG_NONE);
	for (size_t i = 0; i < 10; i++) {
		rig_must(t->ada, "set_title", "'title':'number %zu'", i);
		idle[i] = asker(t);
		rig_send(idle[i], "get", RIG_NONE);
		rig_advance(&t->r, 1000);
		rig_window(reader, 100);
		assert_in_range(counters(t)->out_bytes_now, 0, 8 * full + 10 * 512);
	}
	assert_true(reader->is_open);
	assert_true(counters(t)->connections_shed > 0);
	assert_int_equal(open_peers(idle, 10), 10 - counters(t)->connections_shed);
	assert_false(idle[0]->is_open);
	assert_true(idle[9]->is_open);
	assert_non_null(strstr(t->r.log.data, "event=shed"));
	rig_window(reader, RIG_UNBOUNDED);
	assert_string_equal(rig_outcome(reader, reader->last_msgid), "ok");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
}

/* A peer that has been sent whole messages so far is sent the reason. */
SMALL_BUDGET_TEST(test_a_peer_closed_for_the_budget_is_sent_why_where_possible, t)
{
	struct rig_peer *idle[10];
	rig_cut(crowd(t, MEMBERS));
	for (size_t i = 0; i < 10; i++) {
		rig_must(t->ada, "set_title", "'title':'number %zu'", i);
		idle[i] = asker(t);
		rig_send(idle[i], "get", RIG_NONE);
		rig_advance(&t->r, 1000);
		idle[i]->window = RIG_UNBOUNDED; /* it would read now, and has not said so */
	}
	assert_false(idle[0]->is_open);
	assert_string_equal(rig_heard(idle[0]), "server.closing");
}

/* ---- a peer that asks for much is read later ---- */

TABLE_TEST(test_a_peer_that_asks_for_much_is_read_later_and_refused_nothing, t)
{
	struct buf bytes = {.max = 262144};
	rig_cut(crowd(t, MEMBERS));
	size_t full = full_bytes(t);
	struct rig_peer *p = rig_guest(&t->r, "greedy");
	for (size_t i = 0; i < 1000; i++) {
		rig_compose(p, &bytes, "get", RIG_NONE);
	}
	size_t before = p->in.len;
	rig_bytes(p, buf_slice(&bytes));
	buf_finish(&bytes);
	size_t a_second = MAX_ANSWER_BYTES_PER_SECOND;
	size_t a_tick =
		a_second / 1000; /* what it is ahead by is looked at in whole milliseconds */
	assert_true(p->is_paused);
	assert_in_range(p->in.len - before, a_second, a_second + a_tick + full);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "ok");
	for (size_t s = 1; p->is_paused; s++) {
		rig_advance(&t->r, 1000);
		assert_in_range(p->in.len - before, 0, (s + 1) * a_second + 2 * full);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		assert_string_equal(rig_outcome(p, p->last_msgid - i), "ok");
	}
}

TABLE_TEST(test_full_updates_count_as_answers_do, t)
{
	rig_cut(crowd(t, MEMBERS));
	struct rig_peer *p = rig_guest(&t->r, "again");
	for (size_t i = 0; i < 200 && !p->is_paused; i++) {
		rig_send(p, "subscribe", RIG_NONE);
		rig_forget(p);
	}
	assert_true(p->is_paused);
	rig_advance(&t->r, 1000);
	assert_false(p->is_paused);
}

TABLE_TEST(test_the_owner_is_not_read_later, t)
{
	rig_cut(crowd(t, MEMBERS));
	struct rig_peer *p = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(p);
	for (size_t i = 0; i < 200; i++) {
		assert_string_equal(rig_code(p, "get", RIG_NONE), "ok");
	}
}
