/*
 * test_fanout.c - one update, many watchers: what is shared, what a slow one
 * costs, and whose turn it is.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "tests/support/heap.h"

/* So many more watchers of bob's room, who all came at once. */
static void watchers(struct table *t, struct rig_peer **out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = rig_guest(&t->r, "w");
		strcpy(out[i]->room_id, t->bob->room_id);
	}
	rig_hold(&t->r);
	rig_send(t->ada, "reset", RIG_NONE);
	for (size_t i = 0; i < n; i++) {
		rig_send(out[i], "subscribe", RIG_NONE);
	}
	rig_release(&t->r);
	for (size_t i = 0; i < n; i++) {
		rig_forget(out[i]);
	}
	rig_forget(t->ada);
	rig_forget(t->bob);
}

/* ---- sharing ---- */

TABLE_TEST(test_an_update_is_encoded_once_for_all, t)
{
	struct rig_peer *w[50];
	watchers(t, w, 50);
	uint64_t encoded = server_counters(t->r.server)->updates_encoded;
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_int_equal(server_counters(t->r.server)->updates_encoded, encoded + 1);
	for (size_t i = 0; i < 50; i++) {
		assert_string_equal(rig_heard(w[i]), "room.update");
	}
}

/* One request and one turn of the loop, and nothing is written yet. */
static void say_only(struct table *t, const char *word)
{
	struct buf bytes = {.max = 1024};
	rig_compose(t->bob, &bytes, "react", "'word':'%s'", word);
	rig_step(&t->r, &(struct event){.kind = EVENT_BYTES,
					.conn = t->bob->id,
					.bytes = buf_slice(&bytes)});
	buf_finish(&bytes);
	struct clocks now = {.wall_ms = t->r.wall_ms, .mono_ms = t->r.mono_ms};
	server_turn(t->r.server, now, &t->r.fx);
}

static size_t write_to(struct table *t, size_t most)
{
	struct conn_id id;
	size_t n = 0;
	while (n < most && server_next_output(t->r.server, &id)) {
		rig_deliver(rig_peer_of(&t->r, id));
		n++;
	}
	return n;
}

/* A change during a large fan-out reaches the peers that were served before it, with no other event. */
TABLE_TEST(test_what_is_published_while_an_update_goes_round_reaches_everybody, t)
{
	enum { WATCHERS = OUTPUT_TURN + 100 };
	struct rig_peer *w[WATCHERS];
	watchers(t, w, WATCHERS);
	say_only(t, "one");
	assert_int_equal(write_to(t, 10), 10);
	say_only(t, "two");
	(void)write_to(t, SIZE_MAX);
	for (size_t i = 0; i < WATCHERS; i++) {
		rig_read(w[i]);
		assert_int_equal(rig_count(w[i], "room.reaction"), 2);
	}
	rig_settle(&t->r);
}

TABLE_TEST(test_newcomers_at_once_share_one_full_update, t)
{
	struct rig_peer *w[20];
	for (size_t i = 0; i < 20; i++) {
		w[i] = rig_guest(&t->r, "w");
	}
	uint64_t fulls = server_counters(t->r.server)->full_updates;
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	for (size_t i = 0; i < 20; i++) {
		rig_send(w[i], "subscribe", RIG_NONE);
	}
	rig_release(&t->r);
	assert_int_equal(server_counters(t->r.server)->full_updates, fulls + 1);
	for (size_t i = 0; i < 20; i++) {
		assert_string_equal(rig_heard(w[i]), "answer room.you room.update");
	}
}

TABLE_TEST(test_everything_for_one_peer_leaves_in_one_write, t)
{
	size_t ada = t->ada->writes;
	size_t bob = t->bob->writes;
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_heard(t->bob), "room.you room.update");
	assert_int_equal(t->ada->writes, ada + 1);
	assert_int_equal(t->bob->writes, bob + 1);
}

TABLE_TEST(test_updates_of_several_rooms_leave_in_one_write, t)
{
	rig_found(&t->r, t->ada, "");
	rig_must(t->bob, "room.subscribe", "'room_id':'%s'", t->r.room_id);
	rig_hold(&t->r);
	rig_must(t->bob, "server.ping", RIG_NONE);
	rig_send(t->ada, "set_title", "'title':'x'");
	strcpy(t->ada->room_id, t->bob->room_id);
	rig_send(t->ada, "set_title", "'title':'x'");
	size_t writes = t->bob->writes;
	rig_release(&t->r);
	assert_int_equal(t->bob->writes, writes + 1);
	assert_int_equal(rig_count(t->bob, "room.update"), 3);
}

/* Allocations of the server for one vote. */
static size_t cost_of_a_vote(struct table *t, const char *card)
{
	size_t before = heap_calls();
	rig_must(t->bob, "vote", "'vote':'%s'", card);
	return heap_calls() - before;
}

TABLE_TEST(test_a_delivery_allocates_nothing, t)
{
	struct rig_peer *w[300];
	watchers(t, w, 10);
	cost_of_a_vote(t, "1");
	size_t few = cost_of_a_vote(t, "2");
	watchers(t, w + 10, 290);
	cost_of_a_vote(t, "3");
	assert_int_equal(cost_of_a_vote(t, "5"), few);
	assert_in_range(few, 1, 40);
}

/* ---- partial writes ---- */

TABLE_TEST(test_a_socket_that_takes_one_byte_at_a_time_misses_nothing, t)
{
	rig_window(t->ada, 0);
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->bob, "vote", "'vote':'8'");
	uint32_t msgid = rig_send(t->ada, "get", RIG_NONE);
	for (size_t i = 0; i < 3000; i++) {
		rig_window(t->ada, 1);
		if (i == 40 || i == 700) {
			rig_must(t->bob, "vote", "'vote':'%s'", i == 40 ? "1" : "2");
		}
	}
	assert_false(t->ada->is_blocked);
	assert_string_equal(rig_outcome(t->ada, msgid), "ok");
	assert_int_equal(rig_count(t->ada, "room.update"), 4);
	rig_window(t->ada, RIG_UNBOUNDED);
	rig_assert_same(t->ada);
}

TABLE_TEST(test_a_write_may_end_at_any_byte, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	for (size_t at = 0; at < 1600; at += at < 64 ? 1 : 7) {
		rig_window(t->ada, at);
		rig_must(t->bob, "vote", "'vote':'%s'", at % 2 == 0 ? "5" : "8");
		rig_send(t->ada, "subscribe", RIG_NONE);
		rig_must(t->bob, "join", "'username':'bob %zu'", at);
		rig_window(t->ada, RIG_UNBOUNDED);
		rig_assert_same(t->ada);
		rig_forget(t->ada);
	}
	rig_assert_same(cy);
}

/* A peer half way through a full update is sent the rest of it first, whatever happened meanwhile. */
TABLE_TEST(test_a_full_update_that_is_half_sent_is_finished_first, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_window(cy, 300);
	rig_send(cy, "subscribe", RIG_NONE);
	assert_true(cy->is_blocked);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_send(t->ada, "reset", RIG_NONE);
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_window(cy, RIG_UNBOUNDED);
	assert_string_equal(rig_table(cy), "#2 hidden: ada host, bob voted, -");
	rig_assert_same(cy);
}

TABLE_TEST(test_a_member_kicked_half_way_through_an_update_is_sent_all_of_it, t)
{
	rig_window(t->bob, 20);
	rig_must(t->ada, "reset", RIG_NONE);
	assert_true(t->bob->is_blocked);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_window(t->bob, RIG_UNBOUNDED);
	assert_string_equal(rig_heard(t->bob), "room.update room.kicked");
	rig_copies_free(t->bob);
}

/* ---- slow readers ---- */

TABLE_TEST(test_a_blocked_reader_delays_nobody, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_window(t->ada, 0);
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob voted, cy");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
	rig_window(t->ada, RIG_UNBOUNDED);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted, cy");
}

TABLE_TEST(test_a_reader_that_falls_behind_gets_everything_once_and_goes_on, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_forget(cy);
	rig_window(cy, 0);
	for (size_t i = 0; i < 3000; i++) {
		rig_must(t->ada, "reset", RIG_NONE);
		rig_forget(t->ada);
		if (i % 1000 == 999) {
			rig_advance(&t->r, 1000);
		}
	}
	assert_true(cy->is_open);
	uint64_t fulls = server_counters(t->r.server)->full_updates;
	rig_window(cy, RIG_UNBOUNDED);
	assert_int_equal(server_counters(t->r.server)->full_updates, fulls + 1);
	assert_int_equal(rig_count(cy, "room.update"), 1);
	assert_string_equal(rig_table(cy), "#3001 hidden: ada host, bob, cy");
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_int_equal(server_counters(t->r.server)->full_updates, fulls + 1);
	assert_string_equal(rig_table(cy), "#3001 hidden: ada host, bob voted, cy");
}

TABLE_TEST(test_a_peer_that_takes_no_byte_for_a_minute_is_closed, t)
{
	rig_window(t->bob, 0);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_advance(&t->r, 59999);
	assert_true(t->bob->is_open);
	rig_advance(&t->r, 1);
	assert_false(t->bob->is_open);
	assert_string_equal(rig_table(t->ada), "#2 hidden: ada host, bob away");
	assert_int_equal(server_counters(t->r.server)->connections_stalled, 1);
	struct rig_peer *bob = rig_return(t->bob, true);
	assert_string_equal(rig_table(bob), "#2 hidden: ada host, bob");
}

TABLE_TEST(test_a_peer_that_takes_a_byte_a_minute_stays, t)
{
	rig_window(t->bob, 0);
	rig_must(t->ada, "reset", RIG_NONE);
	for (size_t i = 0; i < 20; i++) {
		rig_advance(&t->r, 59000);
		assert_true(t->bob->is_open);
		rig_window(t->bob, 1);
	}
	rig_window(t->bob, RIG_UNBOUNDED);
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
}

TABLE_TEST(test_an_idle_peer_is_never_stalled, t)
{
	rig_window(t->bob, 0);
	rig_advance(&t->r, 600000);
	assert_true(t->bob->is_open);
	rig_must(t->ada, "reset", RIG_NONE);
	rig_advance(&t->r, 59000);
	assert_true(t->bob->is_open);
	rig_window(t->bob, RIG_UNBOUNDED);
}

/* Words for one seat alone could pile up at a reader that never reads. */
TABLE_TEST(test_own_votes_do_not_pile_up_at_a_connection_that_never_reads, t)
{
	struct rig_peer *phone = rig_return(t->bob, false);
	rig_forget(phone);
	rig_window(phone, 0);
	size_t before = phone->in.len;
	for (size_t i = 0; i < 10000; i++) {
		rig_must(t->bob, "vote", "'vote':'%s'", i % 2 == 0 ? "5" : "8");
		rig_forget(t->bob);
		if (i % 2000 == 1999) {
			rig_advance(&t->r, 1000);
		}
	}
	rig_window(phone, RIG_UNBOUNDED);
	assert_in_range(phone->in.len - before, 1, 4096);
	assert_in_range(rig_count(phone, "room.you"), 1, 3);
	assert_string_equal(rig_self(phone), "bob voter =8");
}

/* Answers pile up until reading pauses; then the peer has to read first. */
TABLE_TEST(test_answers_to_a_peer_that_does_not_read_are_bounded, t)
{
	rig_window(t->bob, 0);
	size_t sent = 0;
	while (!t->bob->is_paused) {
		rig_send(t->bob, "get", RIG_NONE);
		sent++;
		assert_in_range(sent, 0, 4000);
	}
	rig_forget(t->bob);
	size_t before = t->bob->in.len;
	rig_window(t->bob, RIG_UNBOUNDED);
	assert_in_range(t->bob->in.len - before, MAX_OUT_BYTES, MAX_OUT_BYTES + 4096);
	assert_false(t->bob->is_paused);
	assert_string_equal(rig_code(t->bob, "server.ping", RIG_NONE), "ok");
}

/* ---- whose turn it is ---- */

/* The place in the order of writes of the first one to p at or behind `from`. */
static size_t place_of(const struct rig *r, const struct rig_peer *p, size_t from)
{
	size_t n = r->order.len / sizeof(uint32_t);
	for (size_t i = from; i < n; i++) {
		uint32_t slot;
		memcpy(&slot, r->order.data + i * sizeof(slot), sizeof(slot));
		if (slot == p->id.slot) {
			return i - from;
		}
	}
	return SIZE_MAX;
}

TABLE_TEST(test_a_small_room_waits_for_a_slice_of_a_large_one_at_most, t)
{
	struct rig_peer *w[600];
	watchers(t, w, 600);
	rig_found(&t->r, t->ada, "");
	struct rig_peer *small = rig_sit(&t->r, "small");
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_send(t->ada, "set_title", "'title':'x'");
	size_t from = t->r.order.len / sizeof(uint32_t);
	rig_release(&t->r);
	assert_int_equal(rig_count(small, "room.update"), 3);
	/* The two callers, a slice of the large room, then the small one. */
	assert_in_range(place_of(&t->r, small, from), 0, OUTPUT_SLICE + 2);
	assert_in_range(place_of(&t->r, w[599], from), 590, 610);
	assert_int_equal(server_output_turn(t->r.server), OUTPUT_TURN);
}

TABLE_TEST(test_turns_are_short_during_a_large_fan_out, t)
{
	struct rig_peer
		*w[OUTPUT_TURN]; /* with those who sit there already more than a turn takes */
	struct buf ask = {.max = 1024};
	struct event e = {.kind = EVENT_BYTES, .conn = t->bob->id};
	watchers(t, w, OUTPUT_TURN);
	assert_int_equal(server_output_turn(t->r.server), OUTPUT_TURN);
	rig_compose(t->bob, &ask, "react", "'word':'coffee'");
	e.bytes = buf_slice(&ask);
	rig_step(&t->r, &e);
	server_turn(t->r.server, e.now, &t->r.fx);
	assert_int_equal(server_output_turn(t->r.server), OUTPUT_SLICE);
	rig_settle(&t->r);
	assert_int_equal(server_output_turn(t->r.server), OUTPUT_TURN);
	buf_finish(&ask);
}

/* ---- anything goes ---- */

static uint64_t dice;

static uint32_t roll(uint32_t sides)
{
	dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(dice >> 33) % sides;
}

static void play(struct table *t, struct rig_peer **p, size_t n)
{
	static const char *const cards[] = {"'1'", "'5'", "'8'", "null"};
	struct rig_peer *one = p[roll((uint32_t)n)];
	switch (roll(8)) {
	case 0:
		rig_window(one, roll(400));
		break;
	case 1:
		rig_window(one, RIG_UNBOUNDED);
		break;
	case 2:
		rig_send(one, "subscribe", RIG_NONE);
		break;
	case 3:
		rig_send(t->ada, "set_revealed", "'is_revealed':%s",
			 roll(2) == 0 ? "true" : "false");
		break;
	case 4:
		rig_send(t->ada, "reset", RIG_NONE);
		break;
	default:
		rig_send(one, "vote", "'vote':%s", cards[roll(4)]);
		break;
	}
}

/* promise: full-is-safe */
TABLE_TEST(test_whatever_sockets_take_all_copies_end_up_the_same, t)
{
	struct rig_peer *p[6] = {t->ada, t->bob};
	for (size_t i = 2; i < 6; i++) {
		p[i] = rig_sit(&t->r, "p");
	}
	for (uint64_t seed = 1; seed <= 40; seed++) {
		dice = seed;
		print_message("seed %d\n", (int)seed);
		for (size_t i = 0; i < 200; i++) {
			play(t, p, 6);
		}
		for (size_t i = 0; i < 6; i++) {
			rig_window(p[i], RIG_UNBOUNDED);
			rig_forget(p[i]);
		}
		rig_assert_all_same(&t->r);
	}
}
