/*
 * test_floods.c - much at once: messages in pieces and in piles, and more than
 * the rates allow.
 */
#include "tests/unit/server/table.h"

/* All other peers are as before: nothing was sent to them, and the next vote works. */
static void assert_unnoticed(struct table *t)
{
	assert_string_equal(rig_heard(t->ada), "");
	assert_string_equal(rig_heard(t->bob), "");
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_non_null(strstr(rig_table(t->ada), "bob voted"));
}

/* ---- pieces and piles ---- */

TABLE_TEST(test_bytes_that_arrive_one_by_one_make_the_same_messages, t)
{
	struct buf bytes = {.max = 65536};
	uint32_t vote = rig_compose(t->bob, &bytes, "vote", "'vote':'5'");
	uint32_t bad = rig_compose(t->bob, &bytes, "vote", "'vote':'x'");
	uint32_t ping = rig_compose(t->bob, &bytes, "server.ping", RIG_NONE);
	for (size_t i = 0; i < bytes.len; i++) {
		rig_bytes(t->bob, slice_of(bytes.data + i, 1));
	}
	buf_finish(&bytes);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
	assert_string_equal(rig_outcome(t->bob, bad), "VALIDATION_ERROR vote");
	assert_string_equal(rig_outcome(t->bob, ping), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_messages_may_be_cut_anywhere, t)
{
	struct buf bytes = {.max = 65536};
	rig_compose(t->bob, &bytes, "vote", "'vote':'5'");
	rig_compose(t->bob, &bytes, "vote", "'vote':'8'");
	for (size_t cut = 1; cut < bytes.len; cut++) {
		rig_bytes(t->bob, slice_of(bytes.data, cut));
		rig_bytes(t->bob, slice_of(bytes.data + cut, bytes.len - cut));
		assert_string_equal(rig_outcome(t->bob, t->bob->last_msgid - 1), "ok");
		assert_string_equal(rig_outcome(t->bob, t->bob->last_msgid), "ok");
		rig_forget(t->bob);
	}
	buf_finish(&bytes);
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

/* While the disk is slow, 64 requests are taken; the others wait, unread, and none is lost. */
/* promise: nothing-lost */
TABLE_TEST(test_reading_pauses_at_64_unanswered_requests_and_goes_on, t)
{
	struct buf bytes = {.max = 65536};
	enum { REQUESTS = 300 };
	for (int i = 0; i < REQUESTS; i++) {
		rig_compose(t->bob, &bytes, "vote", "'vote':'%s'", i % 2 == 0 ? "5" : "8");
	}
	uint64_t before = server_counters(t->r.server)->requests_total;
	rig_hold(&t->r);
	rig_bytes(t->bob, buf_slice(&bytes));
	buf_finish(&bytes);
	assert_true(t->bob->is_paused);
	assert_int_equal(server_counters(t->r.server)->requests_total, before + 64);
	rig_advance(&t->r, 60000);
	assert_true(t->bob->is_open);
	assert_int_equal(server_counters(t->r.server)->requests_total, before + 64);
	rig_release(&t->r);
	assert_false(t->bob->is_paused);
	for (uint32_t i = 0; i < REQUESTS; i++) {
		assert_string_equal(rig_outcome(t->bob, t->bob->last_msgid - REQUESTS + 1 + i),
				    "ok");
	}
	assert_string_equal(rig_self(t->bob), "bob voter =8");
}

TABLE_TEST(test_half_a_message_behind_a_pile_has_its_own_time, t)
{
	struct buf bytes = {.max = 65536};
	for (size_t i = 0; i < 100; i++) {
		rig_compose(t->bob, &bytes, "vote", "'vote':'5'");
	}
	rig_hold(&t->r);
	rig_bytes(t->bob, slice_of(bytes.data, bytes.len - 3));
	rig_advance(&t->r, 60000);
	rig_release(&t->r);
	rig_advance(&t->r, 9000);
	assert_true(t->bob->is_open);
	rig_bytes(t->bob, slice_of(bytes.data + bytes.len - 3, 3));
	buf_finish(&bytes);
	assert_string_equal(rig_outcome(t->bob, t->bob->last_msgid), "ok");
}

/* What is read of a room may be a megabyte: before it is loaded one such request waits, no more. */
TABLE_TEST(test_reading_pauses_at_a_read_of_a_room_that_is_not_loaded, t)
{
	struct buf bytes = {.max = 65536};
	rig_crash(&t->r);
	struct rig_peer *eve = rig_guest(&t->r, "eve");
	strcpy(eve->room_id, t->r.room_id);
	for (int i = 0; i < 60; i++) {
		rig_compose(eve, &bytes, "get", RIG_NONE);
	}
	uint64_t before = server_counters(t->r.server)->requests_total;
	rig_hold(&t->r);
	rig_bytes(eve, buf_slice(&bytes));
	buf_finish(&bytes);
	assert_true(eve->is_paused);
	assert_int_equal(server_counters(t->r.server)->requests_total, before + 1);
	rig_release(&t->r);
	assert_false(eve->is_paused);
	for (uint32_t i = 0; i < 60; i++) {
		assert_string_equal(rig_outcome(eve, eve->last_msgid - 59 + i), "ok");
	}
}

/* A peer that goes on sending although reading was paused is let go, not buffered for. */
TABLE_TEST(test_a_peer_cannot_pile_up_bytes_without_bound, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	struct buf bytes = {.max = 65536};
	rig_forget(cy);
	rig_forget(t->ada);
	rig_forget(t->bob);
	for (size_t i = 0; i < 200; i++) {
		rig_compose(cy, &bytes, "vote", "'vote':'5'");
	}
	rig_hold(&t->r);
	for (size_t sent = 0; cy->is_open; sent += bytes.len) {
		assert_in_range(sent, 0, 8 * MAX_FRAME_BYTES);
		rig_bytes(cy, buf_slice(&bytes));
	}
	buf_finish(&bytes);
	assert_non_null(strstr(rig_next(cy), "server.closing"));
	rig_release(&t->r);
	rig_forget(t->ada);
	rig_forget(t->bob);
	assert_unnoticed(t);
}

TABLE_TEST(test_a_peer_that_goes_with_requests_on_their_way_is_forgotten, t)
{
	rig_hold(&t->r);
	for (size_t i = 0; i < 10; i++) {
		rig_send(t->bob, "vote", "'vote':'5'");
	}
	rig_cut(t->bob);
	rig_release(&t->r);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away voted");
}

/* ---- the last bytes of a peer ---- */

TABLE_TEST(test_a_peer_that_sends_no_more_gets_its_answers_and_is_let_go, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_hold(&t->r);
	uint32_t vote = rig_send(cy, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	rig_eof(cy);
	assert_true(cy->is_open);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, vote), "ok");
	assert_false(cy->is_open);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
}

TABLE_TEST(test_a_pile_before_the_end_is_answered_whole, t)
{
	struct buf bytes = {.max = 65536};
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	for (size_t i = 0; i < 200; i++) {
		rig_compose(cy, &bytes, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
	}
	rig_hold(&t->r);
	rig_bytes(cy, buf_slice(&bytes));
	buf_finish(&bytes);
	rig_eof(cy);
	rig_window(cy, 1000);
	rig_release(&t->r);
	assert_true(cy->is_open);
	rig_window(cy, RIG_UNBOUNDED);
	for (uint32_t i = 0; i < 200; i++) {
		assert_string_equal(rig_outcome(cy, cy->last_msgid - i), "ok");
	}
	assert_false(cy->is_open);
}

TABLE_TEST(test_half_a_message_before_the_end_ends_it, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_bytes(cy, SLICE("\x94\x00\x01"));
	rig_eof(cy);
	assert_false(cy->is_open);
	assert_unnoticed(t);
}

TABLE_TEST(test_a_member_that_sends_no_more_is_away, t)
{
	rig_eof(t->bob);
	assert_false(t->bob->is_open);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob away");
}

/* ---- rates ---- */

TABLE_TEST(test_a_flood_of_requests_is_rate_limited, t)
{
	size_t ok = 0;
	struct buf bytes = {.max = 1u << 20};
	for (size_t i = 0; i < 5000; i++) {
		buf_clear(&bytes);
		uint32_t msgid = rig_compose(t->bob, &bytes, "server.ping", RIG_NONE);
		rig_bytes(t->bob, buf_slice(&bytes));
		const char *code = rig_outcome(t->bob, msgid);
		ok += strcmp(code, "ok") == 0;
		if (strcmp(code, "ok") != 0) {
			assert_string_equal(code, "RATE_LIMITED");
		}
	}
	buf_finish(&bytes);
	assert_int_equal(ok, 2 * MAX_REQUESTS_PER_SECOND - 3); /* hello, subscribe, join */
	const char *error = rig_refused(t->bob, "server.ping", RIG_NONE);
	assert_non_null(strstr(error, "'retry_after_ms':1}"));
	assert_string_equal(rig_code(t->ada, "server.ping", RIG_NONE), "ok");
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_code(t->bob, "server.ping", RIG_NONE), "ok");
	assert_unnoticed(t);
}

static struct rig_peer *from_network(struct table *t, unsigned char host)
{
	struct rig_peer *p = rig_connect_as(&t->r, "net", PEER_NETWORK, host, false);
	rig_hello(p);
	return p;
}

/* promise: guesses */
TABLE_TEST(test_guessing_codes_is_limited_for_each_address, t)
{
	struct rig_peer *guesser = from_network(t, 1);
	struct rig_peer *other = from_network(t, 2);
	for (int i = 0; i < MAX_ROOM_MISSES_PER_MINUTE; i++) {
		assert_string_equal(rig_code(guesser, "room.get", "'room_id':'2222%02d'", i + 22),
				    "ROOM_NOT_FOUND");
	}
	const char *error = rig_refused(guesser, "get", RIG_NONE);
	assert_non_null(strstr(error, "'code':'RATE_LIMITED'"));
	assert_non_null(strstr(error, "'retry_after_ms':"));
	struct rig_peer *again = from_network(t, 1);
	assert_string_equal(rig_code(again, "get", RIG_NONE), "RATE_LIMITED");
	assert_string_equal(rig_code(other, "get", RIG_NONE), "ok");
	rig_advance(&t->r, 2001);
	assert_string_equal(rig_code(again, "get", RIG_NONE), "ok");
	assert_unnoticed(t);
}

TABLE_TEST(test_an_address_that_reconnects_for_every_guess_is_limited, t)
{
	for (int i = 0; i < MAX_ROOM_MISSES_PER_MINUTE; i++) {
		struct rig_peer *p = from_network(t, 1);
		rig_code(p, "room.get", "'room_id':'222222'");
		rig_cut(p);
	}
	assert_string_equal(rig_code(from_network(t, 1), "get", RIG_NONE), "RATE_LIMITED");
}

TABLE_TEST(test_members_go_on_while_somebody_guesses_from_their_address, t)
{
	struct rig_peer *member = from_network(t, 1);
	struct rig_peer *guesser = from_network(t, 1);
	rig_follow(member, "");
	for (int i = 0; i < 40; i++) {
		rig_code(guesser, "room.get", "'room_id':'222222'");
	}
	assert_string_equal(rig_code(member, "join", "'username':'net'"), "ok");
}

TABLE_TEST(test_wrong_codes_of_everybody_together_are_limited, t)
{
	size_t refused = 0;
	for (size_t host = 0; host < 101; host++) {
		struct rig_peer *p = from_network(t, (unsigned char)host);
		for (size_t i = 0; i < 30; i++) {
			refused += strcmp(rig_code(p, "room.get", "'room_id':'222222'"),
					  "RATE_LIMITED") == 0;
		}
		rig_cut(p);
	}
	assert_int_equal(refused,
			 29); /* the first of an address is never refused because others guess */
	assert_unnoticed(t);
}

TABLE_TEST(test_making_rooms_is_limited_for_each_address, t)
{
	rig_limit_peers(&t->r);
	struct rig_peer *maker = from_network(t, 1);
	for (int i = 0; i < MAX_ROOM_CREATES_PER_MINUTE; i++) {
		assert_string_equal(rig_code(maker, "room.create", RIG_NONE), "ok");
	}
	assert_string_equal(rig_code(maker, "room.create", RIG_NONE), "RATE_LIMITED");
	assert_string_equal(rig_code(from_network(t, 2), "room.create", RIG_NONE), "ok");
	rig_advance(&t->r, 1001);
	assert_string_equal(rig_code(maker, "room.create", RIG_NONE), "ok");
}

TABLE_TEST(test_an_address_that_reconnects_for_every_room_is_limited, t)
{
	rig_limit_peers(&t->r);
	for (int i = 0; i < MAX_ROOM_CREATES_PER_MINUTE; i++) {
		struct rig_peer *p = from_network(t, 1);
		assert_string_equal(rig_code(p, "room.create", RIG_NONE), "ok");
		rig_cut(p);
	}
	assert_string_equal(rig_code(from_network(t, 1), "room.create", RIG_NONE), "RATE_LIMITED");
}

TEST(test_more_rooms_than_memory_may_hold_are_refused_and_the_others_go_on)
{
	struct rig r;
	struct rig_peer *ada = limited_room(&r, LIMIT_ROOMS, 2);
	rig_must(ada, "room.create", RIG_NONE);
	assert_string_equal(rig_code(ada, "room.create", RIG_NONE), "UNAVAILABLE");
	assert_string_equal(rig_code(ada, "room.get", "'room_id':'222222'"), "UNAVAILABLE");
	assert_string_equal(rig_code(ada, "join", "'username':'ada'"), "ok");
	rig_finish(&r);
}

TABLE_TEST(test_an_address_has_500_connections, t)
{
	struct rig_peer *first = rig_connect_as(&t->r, "net", PEER_NETWORK, 1, false);
	for (size_t i = 1; i < MAX_CONNECTIONS_PER_ADDRESS; i++) {
		assert_true(rig_connect_as(&t->r, "net", PEER_NETWORK, 1, false)->is_open);
	}
	struct rig_peer *one_more = rig_connect_as(&t->r, "net", PEER_NETWORK, 1, false);
	assert_string_equal(rig_next(one_more),
			    "server.closing {'reason':'too many connections from your address'}");
	assert_false(one_more->is_open);
	assert_true(rig_connect_as(&t->r, "net", PEER_NETWORK, 2, false)->is_open);
	rig_cut(first);
	assert_true(rig_connect_as(&t->r, "net", PEER_NETWORK, 1, false)->is_open);
}
