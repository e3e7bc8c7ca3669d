/*
 * test_shares.c - what one caller may take of a room's seats, and whose a room
 * made with an idempotency_key is.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

#define ONCE "'idempotency_key':'0123456789abcdef'"

/* ---- seats ---- */

static const char *take_seat(struct rig_peer *p, size_t i)
{
	char key[KEY_CHARS + 1];
	memset(key, 'A', KEY_CHARS);
	key[KEY_CHARS] = '\0';
	key[0] = (char)('A' + i % 26);
	key[1] = (char)('A' + i / 26);
	return rig_code(p, "subscribe", "'user_key':'%s'", key);
}

TABLE_TEST(test_one_connection_makes_at_most_64_seats_of_a_room, t)
{
	struct rig_peer *p = rig_guest(&t->r, "greedy");
	for (size_t i = 0; i < MAX_CONNECTION_SEATS; i++) {
		assert_string_equal(take_seat(p, i), "ok");
		rig_must(p, "join", "'username':'n%zu'", i);
	}
	assert_string_equal(take_seat(p, MAX_CONNECTION_SEATS), "TOO_LARGE");
	assert_string_equal(take_seat(p, 0), "ok"); /* which it has */
	assert_string_equal(rig_code(rig_guest(&t->r, "other"), "subscribe", RIG_NONE), "ok");
	rig_found(&t->r, t->ada, "");
	strcpy(p->room_id, t->r.room_id);
	assert_string_equal(take_seat(p, MAX_CONNECTION_SEATS), "ok");
}

/* ---- rooms ---- */

static struct rig_peer *from(struct table *t, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = rig_connect_as(&t->r, "maker", kind, host, false);
	rig_hello(p);
	return p;
}

static void create(struct rig_peer *p, char *out, size_t cap)
{
	(void)snprintf(out, cap, "%s", rig_must(p, "room.create", ONCE));
}

TABLE_TEST(test_a_repeat_is_the_callers_and_nobody_elses, t)
{
	static const struct {
		enum peer_kind kind;
		unsigned char host;
	} callers[] = {{PEER_UNIX, 1},
		       {PEER_UNIX, 2},
		       {PEER_LOOPBACK, 3},
		       {PEER_NETWORK, 4},
		       {PEER_NETWORK, 5}};
	enum { CALLERS = sizeof(callers) / sizeof(callers[0]) };
	char first[CALLERS][400];
	char again[400];
	for (size_t i = 0; i < CALLERS; i++) {
		struct rig_peer *p = from(t, callers[i].kind, callers[i].host);
		create(p, first[i], sizeof(first[i]));
		rig_cut(p);
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(first[i], first[k]);
		}
	}
	for (size_t i = 0; i < CALLERS; i++) {
		create(from(t, callers[i].kind, callers[i].host), again, sizeof(again));
		assert_string_equal(again, first[i]);
	}
}

TABLE_TEST(test_a_repeat_of_a_login_is_its_own_wherever_it_comes_from, t)
{
	char token[KEY_CHARS + 1];
	char first[400];
	char again[400];
	struct rig_peer *p = from(t, PEER_NETWORK, 1);
	const char *login = rig_must(p, "session.login", "'user_name':'Grace'");
	(void)snprintf(token, sizeof(token), "%.*s", KEY_CHARS, strstr(login, "'token':'") + 9);
	create(p, first, sizeof(first));
	struct rig_peer *q = from(t, PEER_NETWORK, 2);
	rig_must(q, "session.resume", "'token':'%s'", token);
	create(q, again, sizeof(again));
	assert_string_equal(again, first);
	create(from(t, PEER_NETWORK, 1), again,
	       sizeof(again)); /* the same address, another caller */
	assert_string_not_equal(again, first);
}

TABLE_TEST(test_after_a_day_the_key_is_used_up, t)
{
	char first[400];
	struct rig_peer *p = from(t, PEER_UNIX, 1);
	create(p, first, sizeof(first));
	(void)snprintf(p->room_id, sizeof(p->room_id), "%.6s", strstr(first, "'room_id':'") + 11);
	rig_must(p, "keep", "'days':3");
	rig_advance(&t->r, DAY_MS - 1);
	char again[400];
	create(from(t, PEER_UNIX, 1), again, sizeof(again));
	assert_string_equal(again, first);
	rig_advance(&t->r, 1);
	assert_string_equal(rig_code(from(t, PEER_UNIX, 1), "room.create", ONCE), "CONFLICT");
	assert_string_equal(rig_code(from(t, PEER_UNIX, 2), "room.create", ONCE), "ok");
}

/* Made anew after the first has ended, it is still the caller's own. */
TABLE_TEST(test_after_the_room_has_ended_others_still_get_another, t)
{
	char first[400];
	char other[400];
	struct rig_peer *p = from(t, PEER_UNIX, 1);
	create(p, first, sizeof(first));
	(void)snprintf(p->room_id, sizeof(p->room_id), "%.6s", strstr(first, "'room_id':'") + 11);
	rig_must(p, "delete", RIG_NONE);
	create(from(t, PEER_UNIX, 2), other, sizeof(other));
	assert_string_not_equal(other, first);
}

/* Who logs in while the first call waits for the disk is another caller from then on, and gets a whole room. */
TABLE_TEST(test_a_login_while_the_call_waits_makes_no_half_room, t)
{
	struct rig_peer *p = from(t, PEER_UNIX, 1);
	rig_hold(&t->r);
	uint32_t login = rig_send(p, "session.login", "'user_name':'Grace'");
	rig_let(&t->r, 1);
	uint32_t made = rig_send(p, "room.create", ONCE);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(p, login), "ok");
	bool is_refusal = false;
	const char *result = rig_answer(p, made, &is_refusal);
	assert_non_null(result);
	assert_false(is_refusal);
	char first[400];
	char again[400];
	(void)snprintf(first, sizeof(first), "%s", result);
	create(p, again, sizeof(again));
	assert_string_equal(again, first);
}
