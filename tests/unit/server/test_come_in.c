/*
 * test_come_in.c - hello, room.subscribe and room.join sent without waiting:
 * served in their order, whatever the bytes are cut into and wherever the room is,
 * and where the code is wrong, one guess.
 */
#include "server/core/server_priv.h"
#include "tests/unit/server/table.h"

#define OWN_KEY "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define ONCE	"0123456789abcdef"

/* The three requests of somebody called cy, and what became of them. */
struct visitor {
	struct rig_peer *peer;
	struct buf bytes;
	uint32_t hello, subscribe, join;
};

static struct visitor visitor_at(struct rig_peer *peer, const char *protocol)
{
	struct visitor v = {.peer = peer, .bytes = {.max = 65536}};
	v.hello = rig_compose(v.peer, &v.bytes, "session.hello", "'protocol':%s,'client':'rig'",
			      protocol);
	v.subscribe = rig_compose(v.peer, &v.bytes, "subscribe", "'user_key':'%s'", OWN_KEY);
	v.join = rig_compose(v.peer, &v.bytes, "join", "'username':'cy','idempotency_key':'%s'",
			     ONCE);
	return v;
}

static struct visitor visitor(struct rig *r, const char *protocol)
{
	return visitor_at(rig_connect(r, "cy"), protocol);
}

static void send_all(struct visitor *v)
{
	rig_bytes(v->peer, buf_slice(&v->bytes));
	buf_finish(&v->bytes);
}

static void assert_outcomes(struct visitor *v, const char *hello, const char *subscribe,
			    const char *join)
{
	assert_string_equal(rig_outcome(v->peer, v->hello), hello);
	assert_string_equal(rig_outcome(v->peer, v->subscribe), subscribe);
	assert_string_equal(rig_outcome(v->peer, v->join), join);
}

TABLE_TEST(test_coming_in_is_one_commit_and_two_writes, t)
{
	struct visitor v = visitor(&t->r, "1");
	size_t commits = t->r.commits;
	send_all(&v);
	assert_int_equal(t->r.commits, commits + 1);
	assert_int_equal(v.peer->writes, 2); /* hello waits for no disk */
	assert_string_equal(rig_heard(v.peer), "answer answer answer room.you room.update");
	assert_outcomes(&v, "ok", "ok", "ok");
	assert_string_equal(rig_self(v.peer), "cy voter");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
	assert_int_equal(rig_count(t->ada, "room.update"), 1);
}

TABLE_TEST(test_it_may_be_cut_anywhere, t)
{
	struct visitor whole = visitor(&t->r, "1");
	for (size_t cut = 1; cut < whole.bytes.len; cut++) {
		struct visitor v = visitor(&t->r, "1");
		rig_bytes(v.peer, slice_of(v.bytes.data, cut));
		rig_bytes(v.peer, slice_of(v.bytes.data + cut, v.bytes.len - cut));
		assert_outcomes(&v, "ok", "ok", "ok");
		rig_cut(v.peer);
		buf_finish(&v.bytes);
	}
	buf_finish(&whole.bytes);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy away");
}

/* promise: in-order */
TABLE_TEST(test_what_waits_for_a_room_to_be_loaded_is_served_in_order, t)
{
	rig_crash(&t->r);
	struct visitor v = visitor(&t->r, "1");
	size_t loads = t->r.loads;
	rig_hold(&t->r);
	send_all(&v);
	assert_int_equal(t->r.loads, loads + 1);
	assert_string_equal(rig_heard(v.peer), "answer");
	rig_let(&t->r, 1); /* the room is there, and its change on the way to the disk */
	assert_string_equal(rig_heard(v.peer), "answer");
	rig_release(&t->r);
	assert_string_equal(rig_heard(v.peer), "answer answer answer room.you room.update");
	assert_outcomes(&v, "ok", "ok", "ok");
	assert_string_equal(rig_self(v.peer), "cy voter");
}

TABLE_TEST(test_a_room_that_cannot_be_loaded_refuses_both, t)
{
	rig_crash(&t->r);
	struct visitor v = visitor(&t->r, "1");
	store_mem_fail_reads(t->r.store, 1, ERR_IO);
	send_all(&v);
	assert_outcomes(&v, "ok", "UNAVAILABLE", "UNAVAILABLE");
}

TABLE_TEST(test_a_commit_that_fails_leaves_nothing_of_either, t)
{
	struct visitor v = visitor(&t->r, "1");
	rig_fail_commits(&t->r, 1, ERR_IO);
	send_all(&v);
	assert_outcomes(&v, "ok", "UNAVAILABLE", "UNAVAILABLE");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_behind_a_refused_hello_nothing_is_done, t)
{
	struct visitor v = visitor(&t->r, "9");
	size_t commits = t->r.commits;
	send_all(&v);
	assert_outcomes(&v, "VALIDATION_ERROR protocol", "UNAUTHENTICATED", "UNAUTHENTICATED");
	assert_int_equal(t->r.commits, commits);
	assert_true(v.peer->is_open);
}

TABLE_TEST(test_behind_a_refused_subscription_there_is_no_seat_to_name, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'passcode':'sesame'}");
	struct visitor v = visitor(&t->r, "1");
	send_all(&v);
	assert_outcomes(&v, "ok", "PASSCODE_REQUIRED", "PASSCODE_REQUIRED");
	strcpy(t->r.room_id, "ZZZZZZ");
	v = visitor(&t->r, "1");
	send_all(&v);
	assert_outcomes(&v, "ok", "ROOM_NOT_FOUND", "ROOM_NOT_FOUND");
	strcpy(t->r.room_id, t->ada->room_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_in_the_lobby_the_name_is_taken_along, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	struct visitor v = visitor(&t->r, "1");
	send_all(&v);
	assert_outcomes(&v, "ok", "ok", "ok");
	assert_string_equal(rig_heard(v.peer), "room.you");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy waits");
}

/* The answers to the first try were lost with its connection. */
TABLE_TEST(test_a_member_with_a_key_gets_the_same_seat_again, t)
{
	struct visitor v = visitor(&t->r, "1");
	send_all(&v);
	rig_cut(v.peer);
	v = visitor(&t->r, "1");
	send_all(&v);
	assert_non_null(strstr(rig_answer(v.peer, v.subscribe, &(bool){false}), OWN_KEY));
	assert_string_equal(rig_outcome(v.peer, v.join), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
}

/* Of requests on different rooms the one behind may be answered first. */
TABLE_TEST(test_a_room_that_is_there_does_not_wait_for_one_that_is_not, t)
{
	struct buf bytes = {.max = 65536};
	rig_crash(&t->r);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	char first[CODE_CHARS_MAX + 1];
	strcpy(first, t->r.room_id);
	rig_found(&t->r, cy, "");
	char second[CODE_CHARS_MAX + 1];
	strcpy(second, cy->room_id);
	rig_forget(cy);
	rig_hold(&t->r);
	uint32_t slow = rig_compose(cy, &bytes, "room.subscribe", "'room_id':'%s'", first);
	uint32_t quick = rig_compose(cy, &bytes, "room.leave", "'room_id':'%s'", second);
	rig_bytes(cy, buf_slice(&bytes));
	assert_string_equal(rig_outcome(cy, quick), "UNAUTHENTICATED");
	assert_false(rig_is_answered(cy, slow));
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, slow), "ok");
	buf_finish(&bytes);
}

/* ---- guesses ---- */

#define NOWHERE "'room_id':'ZZZZZZ'"

static struct rig_peer *from_network(struct table *t)
{
	return rig_connect_as(&t->r, "net", PEER_NETWORK, 9, false);
}

/* Whether the first of its requests was heard: it is no longer when all guesses are spent. */
typedef bool (*guess)(struct table *t, struct rig_peer *p);

/* How often an address may do that at once. */
static int times_heard(struct table *t, guess g)
{
	struct rig_peer *p = from_network(t);
	int n = 0;
	rig_hello(p);
	while (g(t, p)) {
		n++;
		assert_true(n <= MAX_ROOM_MISSES_PER_MINUTE);
	}
	rig_cut(p);
	rig_advance(&t->r, 61000);
	return n;
}

/* On a connection of its own each time, as somebody comes in who mistypes. */
static bool mistype(struct table *t, struct rig_peer *p)
{
	(void)p;
	struct visitor v = visitor_at(from_network(t), "1");
	send_all(&v);
	bool is_heard = strcmp(rig_outcome(v.peer, v.subscribe), "RATE_LIMITED") != 0;
	rig_cut(v.peer);
	return is_heard;
}

TABLE_TEST(test_a_mistyped_code_is_one_guess_not_two, t)
{
	strcpy(t->r.room_id, "ZZZZZZ");
	assert_int_equal(times_heard(t, mistype), MAX_ROOM_MISSES_PER_MINUTE);
	assert_int_equal(t->r.server->counters.room_misses, MAX_ROOM_MISSES_PER_MINUTE);
	strcpy(t->r.room_id, t->ada->room_id);
	rig_must(t->ada, "set_policy", "'policy':{'passcode':'sesame'}");
	assert_int_equal(times_heard(t, mistype), MAX_ROOM_MISSES_PER_MINUTE);
	rig_crash(&t->r); /* the first waits for the room to be loaded */
	assert_int_equal(times_heard(t, mistype), MAX_ROOM_MISSES_PER_MINUTE);
}

TABLE_TEST(test_the_counter_of_wrong_codes_counts_codes, t)
{
	strcpy(t->r.room_id, "ZZZZZZ");
	static const enum peer_kind kinds[] = {PEER_UNIX, PEER_LOOPBACK, PEER_NETWORK};
	for (uint64_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct visitor v = visitor_at(rig_connect_as(&t->r, "cy", kinds[i], 9, false), "1");
		send_all(&v);
		assert_outcomes(&v, "ok", "ROOM_NOT_FOUND", "ROOM_NOT_FOUND");
		assert_int_equal(t->r.server->counters.room_misses, i + 1);
	}
}

static bool then(struct rig_peer *p, const char *method, const char *params)
{
	bool is_heard = strcmp(rig_code(p, "room.subscribe", NOWHERE), "RATE_LIMITED") != 0;
	(void)rig_code(p, method, "%s", params);
	return is_heard;
}

static bool guess_by_name(struct table *t, struct rig_peer *p)
{
	(void)t;
	return strcmp(rig_code(p, "room.join", NOWHERE), "RATE_LIMITED") != 0;
}

static bool guess_then_name_twice(struct table *t, struct rig_peer *p)
{
	(void)t;
	bool is_heard = then(p, "room.join", NOWHERE);
	(void)rig_code(p, "room.join", NOWHERE);
	return is_heard;
}

static bool guess_then_name_elsewhere(struct table *t, struct rig_peer *p)
{
	(void)t;
	return then(p, "room.join", "'room_id':'ZZZZZ2'");
}

static bool guess_then_name_with_a_key(struct table *t, struct rig_peer *p)
{
	(void)t;
	return then(p, "room.join", NOWHERE ",'user_key':'" OWN_KEY "'");
}

static bool guess_then_passcode(struct table *t, struct rig_peer *p)
{
	(void)t;
	return then(p, "room.subscribe", NOWHERE ",'passcode':'sesame'");
}

TABLE_TEST(test_no_guess_is_free, t)
{
	static const guess two_each[] = {guess_then_name_twice, guess_then_name_elsewhere,
					 guess_then_name_with_a_key, guess_then_passcode};
	assert_int_equal(times_heard(t, guess_by_name), MAX_ROOM_MISSES_PER_MINUTE);
	for (size_t i = 0; i < sizeof(two_each) / sizeof(two_each[0]); i++) {
		assert_int_equal(times_heard(t, two_each[i]), MAX_ROOM_MISSES_PER_MINUTE / 2);
	}
}
