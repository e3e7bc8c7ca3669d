/*
 * test_guess_limit.c - who is limited in trying room codes, and who never is: whoever
 * proves something comes in however much others of the same address guess.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

#include "server/core/conns/conn.h"
#include "server/core/rooms/partition.h"
#include "server/core/server_priv.h"

static struct rig_peer *from(struct table *t, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = rig_connect_as(&t->r, "peer", kind, host, false);
	rig_hello(p);
	strcpy(p->room_id, t->r.room_id);
	return p;
}

static size_t refused_guesses(struct rig_peer *p, size_t n)
{
	size_t refused = 0;
	for (size_t i = 0; i < n; i++) {
		const char *code =
			rig_code(p, "room.get", "'room_id':'%s'", i % 2 == 0 ? "222222" : "333333");
		refused += strcmp(code, "RATE_LIMITED") == 0;
		if (strcmp(code, "RATE_LIMITED") != 0) {
			assert_string_equal(code, "ROOM_NOT_FOUND");
		}
	}
	return refused;
}

static void drain(struct table *t, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *guesser = from(t, kind, host);
	assert_int_equal(refused_guesses(guesser, MAX_ROOM_MISSES_PER_MINUTE + 10), 10);
	rig_cut(guesser);
}

static const enum peer_kind kinds[] = {PEER_UNIX, PEER_LOOPBACK, PEER_NETWORK};

/* ---- proof ---- */

TABLE_TEST(test_a_member_with_its_key_is_let_in_however_much_others_guess, t)
{
	for (size_t i = 0; i < 3; i++) {
		unsigned char host = (unsigned char)(1 + i);
		drain(t, kinds[i], host);
		struct rig_peer *p = from(t, kinds[i], host);
		assert_string_equal(rig_code(p, "subscribe", "'user_key':'%s'", t->bob->user_key),
				    "ok");
		assert_string_equal(rig_code(p, "vote", "'vote':'5'"), "ok");
		rig_cut(p);
	}
}

TABLE_TEST(test_the_same_after_a_restart_with_the_room_on_disk, t)
{
	rig_crash(&t->r);
	drain(t, PEER_NETWORK, 1);
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	assert_string_equal(rig_code(p, "subscribe", "'user_key':'%s'", t->bob->user_key), "ok");
}

TABLE_TEST(test_the_host_key_is_let_in_however_much_others_guess, t)
{
	drain(t, PEER_NETWORK, 1);
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	assert_string_equal(rig_code(p, "set_title", "'title':'x','host_key':'%s'", t->r.host_key),
			    "ok");
	struct rig_peer *q = from(t, PEER_NETWORK, 1);
	assert_string_equal(rig_code(q, "subscribe", "'host_key':'%s'", t->r.host_key), "ok");
}

TABLE_TEST(test_a_login_with_a_seat_is_let_in_however_much_others_guess, t)
{
	char token[KEY_CHARS + 1];
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	const char *login = rig_must(p, "session.login", "'user_name':'Grace'");
	const char *at = strstr(login, "'token':'") + strlen("'token':'");
	(void)snprintf(token, sizeof(token), "%.*s", KEY_CHARS, at);
	rig_must(p, "subscribe", RIG_NONE);
	rig_must(p, "join", RIG_NONE);
	rig_cut(p);
	drain(t, PEER_NETWORK, 1);
	struct rig_peer *q = from(t, PEER_NETWORK, 1);
	assert_string_equal(rig_code(q, "subscribe", RIG_NONE), "RATE_LIMITED");
	rig_must(q, "session.resume", "'token':'%s'", token);
	assert_string_equal(rig_code(q, "subscribe", RIG_NONE), "ok");
}

TABLE_TEST(test_a_room_used_before_on_the_connection_lets_it_in, t)
{
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	rig_must(p, "subscribe", RIG_NONE);
	rig_must(p, "unsubscribe", RIG_NONE);
	rig_must(p, "delete_user", RIG_NONE);
	drain(t, PEER_NETWORK, 1);
	assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "ok");
}

/* Having been there says nothing about a passcode: it is the passcode that is tried. */
TABLE_TEST(test_a_room_used_before_does_not_allow_passcodes_without_end, t)
{
	size_t refused = 0;
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	rig_must(p, "subscribe", RIG_NONE);
	rig_must(p, "delete_user", RIG_NONE);
	rig_must(t->ada, "set_policy", "'policy':{'passcode':'sesame'}");
	for (size_t i = 0; i < 40; i++) {
		refused +=
			strcmp(rig_code(p, "subscribe", "'passcode':'wrong'"), "RATE_LIMITED") == 0;
	}
	assert_int_equal(refused, 10);
	assert_string_equal(rig_code(p, "subscribe", "'passcode':'sesame'"), "RATE_LIMITED");
	rig_advance(&t->r, 2001);
	assert_string_equal(rig_code(p, "subscribe", "'passcode':'sesame'"), "ok");
}

/* Nobody learns without a token whether a code leads somewhere. */
/* promise: guesses */
TABLE_TEST(test_without_proof_and_without_a_token_all_codes_look_the_same, t)
{
	char here[200];
	drain(t, PEER_NETWORK, 1);
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	static const char *const claims[] = {
		"", ",'user_key':'0123456789012345678901234567890123456789012'",
		",'host_key':'0123456789012345678901234567890123456789012'"};
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(here, sizeof(here), "%s",
			       rig_refused(p, "room.subscribe", "'room_id':'%s'%s", t->r.room_id,
					   claims[i]));
		assert_non_null(strstr(here, "RATE_LIMITED"));
		assert_string_equal(rig_refused(p, "room.subscribe", "'room_id':'222222'%s",
						claims[i]),
				    here);
	}
	assert_string_equal(rig_code(p, "room.subscribe", "'room_id':'!!!!!!'"), "RATE_LIMITED");
}

/* Nor by when it is answered: a room that is in memory is as far away as one that is not there. */
TABLE_TEST(test_without_a_token_no_code_is_answered_sooner_than_another, t)
{
	static const char claim[] = "'user_key':'0123456789012345678901234567890123456789012'";
	drain(t, PEER_NETWORK, 1);
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	struct rig_peer *member = from(t, PEER_NETWORK, 1);
	rig_hold(&t->r);
	uint32_t here = rig_send(p, "subscribe", "%s", claim);
	uint32_t nowhere = rig_send(p, "room.subscribe", "'room_id':'222222',%s", claim);
	assert_string_equal(rig_code(member, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ok");
	assert_false(rig_is_answered(p, here));
	assert_false(rig_is_answered(p, nowhere));
	rig_release(&t->r);
	assert_string_equal(rig_outcome(p, here), "RATE_LIMITED");
	assert_string_equal(rig_outcome(p, nowhere), "RATE_LIMITED");
	rig_crash(&t->r); /* on disk it is loaded once, as the other is */
	drain(t, PEER_NETWORK, 1);
	p = from(t, PEER_NETWORK, 1);
	rig_hold(&t->r);
	here = rig_send(p, "subscribe", "%s", claim);
	nowhere = rig_send(p, "room.subscribe", "'room_id':'222222',%s", claim);
	rig_let(&t->r, 1);
	assert_true(rig_is_answered(p, here));
	rig_let(&t->r, 1);
	assert_true(rig_is_answered(p, nowhere));
	rig_release(&t->r);
}

/* A join without a key behind it is the same guess; one with a key, another room's, or the next join are others. */
TABLE_TEST(test_a_join_behind_a_subscription_that_missed_is_free_once_and_without_a_key, t)
{
	static const struct {
		const char *join;
		size_t answered; /* until a minute's guesses are used up; then what is free is refused, too */
	} rows[] = {
		{"'room_id':'222222','username':'x'", 2 * MAX_ROOM_MISSES_PER_MINUTE - 1},
		{"'room_id':'333333','username':'x'", MAX_ROOM_MISSES_PER_MINUTE},
		{"'room_id':'222222','username':'x',"
		 "'user_key':'0123456789012345678901234567890123456789012'",
		 MAX_ROOM_MISSES_PER_MINUTE},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig_peer *p = from(t, PEER_NETWORK, (unsigned char)(1 + i));
		const char *code = "ROOM_NOT_FOUND";
		size_t answered = 0;
		/* Who made a room has something to show, and is not refused before a room is looked for. */
		rig_must(p, "room.create", "'title':'mine'");
		while (strcmp(code, "ROOM_NOT_FOUND") == 0 && answered < 100) {
			code = answered % 2 == 0
				       ? rig_code(p, "room.subscribe", "'room_id':'222222'")
				       : rig_code(p, "room.join", "%s", rows[i].join);
			answered += strcmp(code, "ROOM_NOT_FOUND") == 0;
		}
		assert_string_equal(code, "RATE_LIMITED");
		assert_int_equal(answered, rows[i].answered);
	}
}

/* Whoever made a room has something to show, to whatever room: it is looked for, and must look the same. */
TABLE_TEST(test_without_a_token_a_join_behind_a_subscription_looks_the_same_too, t)
{
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	rig_must(p, "room.create", "'title':'mine'");
	drain(t, PEER_NETWORK, 1);
	const char *const codes[] = {t->r.room_id, "222222"};
	for (size_t i = 0; i < 2; i++) {
		strcpy(p->room_id, codes[i]);
		assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "RATE_LIMITED");
		assert_string_equal(rig_code(p, "join", "'username':'x'"), "RATE_LIMITED");
	}
}

/* ---- a locked room ---- */

/* Whoever has its code is told that it is locked, and pays what a wrong code costs, from the disk and from memory. */
TABLE_TEST(test_a_locked_room_says_so_at_the_price_of_a_wrong_code, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	const char *const codes[] = {t->r.room_id, "222222"};
	const char *const answers[] = {"ROOM_LOCKED", "ROOM_NOT_FOUND"};
	size_t left[2];
	size_t last[2];
	for (size_t i = 0; i < 2; i++) {
		uint32_t asked[5];
		rig_crash(&t->r);
		struct rig_peer *p = from(t, PEER_NETWORK, 1);
		rig_must(p, "room.create", "'title':'mine'");
		strcpy(p->room_id, codes[i]);
		rig_hold(&t->r);
		for (size_t k = 0; k < 5; k++) {
			asked[k] = rig_send(p, "subscribe", RIG_NONE);
		}
		rig_release(&t->r);
		for (size_t k = 0; k < 5; k++) {
			assert_string_equal(rig_outcome(p, asked[k]), answers[i]);
		}
		left[i] = 40 - refused_guesses(from(t, PEER_NETWORK, 1), 40);
		rig_advance(&t->r, 2001); /* one token */
		assert_string_equal(rig_code(p, "subscribe", RIG_NONE), answers[i]);
		last[i] = strcmp(rig_code(p, "join", "'username':'x'"), "RATE_LIMITED") == 0;
	}
	assert_int_equal(left[0], left[1]);
	assert_int_equal(last[0], last[1]);
}

/* Each try costs, also where it finds something: nobody waits beside a locked door for it to be opened. */
TABLE_TEST(test_a_locked_room_cannot_be_watched_for_free, t)
{
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	size_t tries = 0;
	while (tries < 100 && strcmp(rig_code(p, "subscribe", RIG_NONE), "ROOM_LOCKED") == 0) {
		tries++;
	}
	assert_int_equal(tries, MAX_ROOM_MISSES_PER_MINUTE);
	assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "RATE_LIMITED");
	rig_must(t->ada, "set_policy", "'policy':{'locked':false}");
	assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "RATE_LIMITED");
}

/* Another process changed the room meanwhile, so it runs again on the new one. */
TABLE_TEST(test_a_guess_that_the_server_runs_again_costs_no_other, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	rig_must(p, "room.create", "'title':'mine'"); /* and has something to show */
	rig_hold(&t->r);
	uint32_t vote = rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t guess = rig_send(p, "subscribe", RIG_NONE);
	rig_touch(&t->r);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, vote), "ok");
	assert_string_equal(rig_outcome(p, guess), "ROOM_LOCKED");
	assert_int_equal(refused_guesses(p, MAX_ROOM_MISSES_PER_MINUTE), 1);
}

/* ---- a right code ---- */

TABLE_TEST(test_right_codes_cost_nothing, t)
{
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	for (size_t i = 0; i < 200; i++) {
		assert_string_equal(rig_code(p, "get", RIG_NONE), "ok");
	}
	assert_int_equal(refused_guesses(p, MAX_ROOM_MISSES_PER_MINUTE), 0);
}

/* ---- whose guesses they are ---- */

TABLE_TEST(test_a_user_of_the_unix_socket_is_limited_and_others_are_not, t)
{
	drain(t, PEER_UNIX, 7);
	assert_string_equal(rig_code(from(t, PEER_UNIX, 7), "get", RIG_NONE), "RATE_LIMITED");
	assert_string_equal(rig_code(from(t, PEER_UNIX, 8), "get", RIG_NONE), "ok");
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 7, true);
	rig_hello(owner);
	assert_int_equal(refused_guesses(owner, 200), 0);
}

static struct rig_peer *from_v6(struct table *t, unsigned char site, unsigned char subnet)
{
	struct rig_peer *p =
		rig_connect_as(&t->r, "v6", PEER_UNIX, 0, true); /* a slot, and its name */
	struct conn_id id = p->id;
	rig_cut(p);
	p->is_open = true;
	id.generation += 1000;
	p->id = id;
	struct event e = {.kind = EVENT_OPEN, .conn = id, .peer = {.kind = PEER_NETWORK}};
	e.peer.address[0] = 0x20;
	e.peer.address[5] = site;
	e.peer.address[7] = subnet;
	rig_step(&t->r, &e);
	rig_settle(&t->r);
	rig_hello(p);
	strcpy(p->room_id, t->r.room_id);
	return p;
}

TABLE_TEST(test_all_subnets_of_an_ipv6_site_share_a_bucket, t)
{
	size_t refused = 0;
	for (unsigned char subnet = 0; subnet < 20; subnet++) {
		struct rig_peer *p = from_v6(t, 1, subnet);
		refused += refused_guesses(p, 30);
		rig_cut(p);
	}
	assert_int_equal(refused, 600 - MAX_ROOM_MISSES_PER_NETWORK);
	assert_string_equal(rig_code(from_v6(t, 2, 0), "get", RIG_NONE), "ok");
	struct rig_peer *member = from_v6(t, 1, 99);
	assert_string_equal(rig_code(member, "subscribe", "'user_key':'%s'", t->bob->user_key),
			    "ok");
	assert_int_equal(HASH_COUNT(t->r.server->addresses),
			 16); /* 10 + 2 subnets, 2 sites, 2 unix users */
	rig_advance(&t->r, 121000);
	assert_int_equal(HASH_COUNT(t->r.server->addresses), 6);
}

/* ---- all together ---- */

static void guess_too_much_all_together(struct table *t)
{
	for (size_t host = 0; host < 100; host++) {
		struct rig_peer *p = from(t, PEER_NETWORK, (unsigned char)host);
		assert_int_equal(refused_guesses(p, 30), 0);
		rig_cut(p);
	}
}

TABLE_TEST(test_an_address_that_has_not_guessed_is_let_in_whatever_others_do, t)
{
	guess_too_much_all_together(t);
	struct rig_peer *p = from(t, PEER_NETWORK, 200);
	for (size_t i = 0; i < 50; i++) {
		assert_string_equal(rig_code(p, "get", RIG_NONE), "ok");
	}
	assert_int_equal(refused_guesses(p, 3), 2); /* a first one, and no more */
}

TABLE_TEST(test_a_refusal_for_the_total_says_how_long_and_costs_nothing, t)
{
	guess_too_much_all_together(t);
	struct rig_peer *p = from(t, PEER_NETWORK, 200);
	assert_int_equal(refused_guesses(p, 1), 0);
	const char *error = rig_refused(p, "room.get", "'room_id':'222222'");
	assert_non_null(strstr(error, "'code':'RATE_LIMITED'"));
	assert_non_null(strstr(error, "'retry_after_ms':21}")); /* 3000 a minute */
	assert_int_equal(refused_guesses(p, 100), 100);
	rig_advance(&t->r, 59999);
	assert_int_equal(refused_guesses(p, 30),
			 0); /* its own bucket is as full as after one guess */
}

TABLE_TEST(test_when_all_guess_too_much_an_address_has_one_a_minute, t)
{
	t->r.config.limits[LIMIT_ROOM_MISSES_IN_ALL] = 1;
	rig_crash(&t->r);
	struct rig_peer *a = from(t, PEER_NETWORK, 1);
	struct rig_peer *b = from(t, PEER_NETWORK, 2);
	for (size_t minute = 0; minute < 5; minute++) {
		assert_int_equal(refused_guesses(a, 5), 4);
		rig_advance(&t->r, 30000);
		assert_int_equal(refused_guesses(b, 5), 4);
		assert_int_equal(refused_guesses(a, 5), 5);
		rig_advance(&t->r, 30000);
	}
}

TABLE_TEST(test_when_all_guess_too_much_an_address_that_comes_again_has_no_other_guess, t)
{
	t->r.config.limits[LIMIT_ROOM_MISSES_IN_ALL] = 1;
	rig_crash(&t->r);
	rig_advance(&t->r, 50000);
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	assert_int_equal(refused_guesses(p, 1), 0);
	rig_cut(p);
	rig_advance(&t->r, 20000); /* past the minute at which what owes nothing is forgotten */
	assert_int_equal(refused_guesses(from(t, PEER_NETWORK, 1), 1), 1);
	rig_advance(&t->r, 40000);
	assert_int_equal(refused_guesses(from(t, PEER_NETWORK, 1), 1), 0);
}

/* ---- while rooms come from the disk ---- */

struct crowd {
	struct rig r;
	char rooms[200][CODE_CHARS_MAX + 1];
	char keys[2000][KEY_CHARS + 1];
	size_t rooms_n;
	size_t members_n; /* of each room */
};

static const char *key_of(struct crowd *c, size_t room, size_t member)
{
	return c->keys[room * c->members_n + member];
}

static void crowd_open(struct crowd *c, size_t rooms, size_t members)
{
	rig_open(&c->r);
	c->rooms_n = rooms;
	c->members_n = members;
	struct rig_peer *maker = rig_guest(&c->r, "maker");
	for (size_t i = 0; i < rooms; i++) {
		rig_found(&c->r, maker, "");
		strcpy(c->rooms[i], c->r.room_id);
		for (size_t j = 0; j < members; j++) {
			struct rig_peer *p = rig_guest(&c->r, "member");
			strcpy(p->room_id, c->rooms[i]);
			const char *result = rig_must(p, "subscribe", RIG_NONE);
			const char *at = strstr(result, "'user_key':'") + strlen("'user_key':'");
			(void)snprintf(c->keys[i * members + j], KEY_CHARS + 1, "%.*s", KEY_CHARS,
				       at);
			rig_must(p, "join", "'username':'m%zu'", j);
			rig_cut(p);
		}
	}
}

/* All in one turn of the loop, before anything has come from the disk. */
static void come_back_at_once(struct crowd *c, bool with_key)
{
	size_t n = c->rooms_n * c->members_n;
	struct rig_peer **peers = calloc(n, sizeof(*peers));
	uint32_t *asked = calloc(n, sizeof(*asked));
	assert_non_null(peers);
	assert_non_null(asked);
	rig_crash(&c->r);
	for (size_t i = 0; i < n; i++) {
		peers[i] = rig_connect_as(&c->r, "back", PEER_LOOPBACK, 1, false);
		rig_hello(peers[i]);
	}
	rig_hold(&c->r);
	for (size_t i = 0; i < n; i++) {
		size_t room = i % c->rooms_n;
		strcpy(peers[i]->room_id, c->rooms[room]);
		asked[i] = with_key ? rig_send(peers[i], "subscribe", "'user_key':'%s'",
					       key_of(c, room, i / c->rooms_n))
				    : rig_send(peers[i], "subscribe", RIG_NONE);
	}
	rig_release(&c->r);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(rig_outcome(peers[i], asked[i]), "ok");
	}
	free(peers);
	free(asked);
}

TEST(test_members_of_many_rooms_come_back_at_once_after_a_restart)
{
	static const struct {
		size_t rooms, members;
	} shapes[] = {{10, 8}, {1, 200}, {200, 2}};
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct crowd *c = calloc(1, sizeof(*c));
		assert_non_null(c);
		crowd_open(c, shapes[i].rooms, shapes[i].members);
		come_back_at_once(c, true);
		come_back_at_once(c, false); /* newcomers with the right codes, too */
		rig_finish(&c->r);
		free(c);
	}
}

/* A room that has ended meanwhile: those who come back to it have tried one code, not a hundred. */
TABLE_TEST(test_requests_that_wait_for_the_same_load_share_a_token, t)
{
	enum { PEERS = 100 };
	struct rig_peer *peers[PEERS];
	uint32_t asked[PEERS];
	for (size_t i = 0; i < PEERS; i++) {
		peers[i] = from(t, PEER_NETWORK, 1);
	}
	rig_hold(&t->r);
	for (size_t i = 0; i < PEERS; i++) {
		asked[i] = rig_send(peers[i], "room.subscribe", "'room_id':'222222'");
	}
	rig_release(&t->r);
	for (size_t i = 0; i < PEERS; i++) {
		assert_string_equal(rig_outcome(peers[i], asked[i]), "ROOM_NOT_FOUND");
	}
	assert_int_equal(refused_guesses(peers[0], 40), 40 - (MAX_ROOM_MISSES_PER_MINUTE - 1));
}

/* What is asked at once is counted as what is asked one after the other. */
TABLE_TEST(test_guesses_made_at_once_give_no_more_answers_and_bounded_loads, t)
{
	enum { PEERS = 20, EACH = 60 };
	struct rig_peer *peers[PEERS];
	size_t answered = 0;
	rig_crash(&t->r);
	for (size_t i = 0; i < PEERS; i++) {
		peers[i] = from(t, PEER_NETWORK, 1);
	}
	size_t before = t->r.loads;
	rig_hold(&t->r);
	for (size_t i = 0; i < PEERS * EACH; i++) {
		static const char digits[] = "23456789";
		rig_send(peers[i / EACH], "room.subscribe",
			 "'room_id':'2%c%c%c%c2','user_key':'"
			 "0123456789012345678901234567890123456789012'",
			 digits[i % 8], digits[i / 8 % 8], digits[i / 64 % 8], digits[i / 512 % 8]);
	}
	assert_int_equal(t->r.loads - before, MAX_ROOM_LOADS);
	assert_in_range(server_counters(t->r.server)->rooms_now, 0,
			MAX_ROOM_LOADS + MAX_ROOM_LOADS_WAITING);
	/* Others do not wait behind them. */
	struct rig_peer *other = from(t, PEER_NETWORK, 2);
	rig_send(other, "subscribe", RIG_NONE);
	assert_int_equal(t->r.loads - before, MAX_ROOM_LOADS + 1);
	rig_release(&t->r);
	for (size_t i = 0; i < PEERS; i++) {
		for (uint32_t k = 0; k < EACH; k++) {
			const char *code = rig_outcome(peers[i], peers[i]->last_msgid - k);
			answered += strcmp(code, "ROOM_NOT_FOUND") == 0;
			if (strcmp(code, "ROOM_NOT_FOUND") != 0) {
				assert_string_equal(code, "RATE_LIMITED");
			}
		}
	}
	assert_int_equal(answered, MAX_ROOM_MISSES_PER_MINUTE);
	assert_int_equal(server_counters(t->r.server)->rooms_now, 1);
}

/* Those who waited have had their turn: as many of the address may wait again. */
TABLE_TEST(test_as_many_rooms_may_wait_to_load_when_those_before_have_been, t)
{
	static const char digits[] = "23456789";
	static const char claim[] = "'user_key':'0123456789012345678901234567890123456789012'";
	enum { ROOMS = MAX_ROOM_LOADS + MAX_ROOM_LOADS_WAITING, EACH = 60 };
	struct rig_peer *peers[ROOMS / EACH + 1];
	for (size_t i = 0; i < sizeof(peers) / sizeof(peers[0]); i++) {
		peers[i] = from(t, PEER_NETWORK, 1);
	}
	for (int times = 0; times < 2; times++) {
		struct rig_peer *late = from(t, PEER_NETWORK, 1);
		uint32_t last = 0;
		rig_hold(&t->r);
		for (size_t i = 0; i < ROOMS; i++) {
			last = rig_send(peers[i / EACH], "room.subscribe",
					"'room_id':'2%c%c%c%c2',%s", digits[i % 8],
					digits[i / 8 % 8], digits[i / 64 % 8], digits[i / 512 % 8],
					claim);
		}
		assert_false(rig_is_answered(peers[(ROOMS - 1) / EACH], last));
		assert_non_null(
			strstr(rig_refused(late, "room.subscribe", "'room_id':'333333',%s", claim),
			       "look-ups"));
		rig_release(&t->r);
		rig_cut(late);
		rig_advance(&t->r, MINUTE_MS);
	}
	assert_int_equal(server_counters(t->r.server)->rooms_now, 1);
}

/* The room that somebody guesses behind many others is there at once for whoever else asks. */
TABLE_TEST(test_a_room_that_waits_behind_guesses_is_loaded_for_the_next_caller, t)
{
	rig_crash(&t->r);
	struct rig_peer *guesser = from(t, PEER_NETWORK, 1);
	struct rig_peer *member = from(t, PEER_NETWORK, 2);
	rig_hold(&t->r);
	for (size_t i = 0; i < 20; i++) {
		rig_send(guesser, "room.subscribe", "'room_id':'2222%c%c'", "23456789"[i % 8],
			 "23456789"[i / 8]);
	}
	uint32_t late = rig_send(guesser, "subscribe", RIG_NONE);
	size_t before = t->r.loads;
	uint32_t first = rig_send(member, "subscribe", "'user_key':'%s'", t->bob->user_key);
	assert_int_equal(t->r.loads, before + 1);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(member, first), "ok");
	assert_string_equal(rig_outcome(guesser, late), "ok");
}

/* ---- what fails ---- */

/* Requests that were refused because their room could not be read are not pending any more. */
TABLE_TEST(test_a_connection_whose_waiting_requests_were_refused_is_read_on, t)
{
	rig_crash(&t->r);
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	for (size_t i = 0; i < MAX_REQUESTS_PENDING + 1; i++) {
		rig_hold(&t->r);
		uint32_t asked =
			rig_send(p, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key);
		store_mem_fail_reads(t->r.store, 1, ERR_IO);
		rig_release(&t->r);
		assert_string_equal(rig_outcome(p, asked), "UNAVAILABLE");
		assert_false(p->is_paused);
	}
	assert_string_equal(rig_code(p, "vote", "'vote':'5','user_key':'%s'", t->bob->user_key),
			    "ok");
}

/* An address that reconnects for every new seat has no more of them. */
TABLE_TEST(test_an_address_that_reconnects_for_every_seat_is_limited, t)
{
	rig_limit_peers(&t->r);
	for (int i = 0; i < MAX_SEATS_PER_MINUTE; i++) {
		struct rig_peer *p = from(t, PEER_NETWORK, 1);
		assert_string_equal(rig_code(p, "subscribe", RIG_NONE), "ok");
		rig_cut(p);
	}
	assert_string_equal(rig_code(from(t, PEER_NETWORK, 1), "subscribe", RIG_NONE),
			    "RATE_LIMITED");
	assert_string_equal(rig_code(from(t, PEER_NETWORK, 2), "subscribe", RIG_NONE), "ok");
}
