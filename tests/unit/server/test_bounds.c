/*
 * test_bounds.c - what one peer may cost the others, and what it may rely on
 * all the same: large answers come, wrong codes lock out only who sends them,
 * quiet rooms do not hide those that are over, repeats change nothing.
 */
#include "tests/unit/server/crowd.h"

static bool is_there(struct table *t)
{
	return rig_stored(&t->r, "ROOM") == 1;
}

/* ---- large answers ---- */

TABLE_TEST(test_many_large_answers_asked_for_at_once_all_come, t)
{
	struct buf bytes = {.max = 65536};
	(void)crowd(t, 600);
	for (size_t i = 0; i < 64; i++) {
		rig_compose(t->bob, &bytes, "get", RIG_NONE);
	}
	rig_bytes(t->bob, buf_slice(&bytes));
	buf_finish(&bytes);
	assert_true(t->bob->is_open);
	for (uint32_t i = 0; i < 64; i++) {
		assert_string_equal(rig_outcome(t->bob, t->bob->last_msgid - i), "ok");
	}
}

/* Rooms in which people only watch are no reason to overlook one that is over. */
TABLE_TEST(test_quiet_rooms_with_members_do_not_hide_those_that_are_over, t)
{
	struct rig_peer *lurker = NULL;
	for (size_t i = 0; i < 300; i++) {
		if (i % MAX_CONNECTION_ROOMS == 0) {
			lurker = rig_guest(&t->r, "lurker");
		}
		rig_found(&t->r, t->ada, "");
		strcpy(lurker->room_id, t->r.room_id);
		rig_must(lurker, "subscribe", RIG_NONE);
		rig_must(lurker, "join",
			 "'username':'lurker'"); /* who only watches keeps no room */
	}
	rig_advance(&t->r, 5 * MINUTE_MS);
	rig_found(&t->r, t->ada, "");
	rig_advance(&t->r, HOUR_MS + 10 * MINUTE_MS);
	assert_false(is_there(t));
	assert_int_equal(server_counters(t->r.server)->rooms_ended, 1);
	strcpy(t->ada->room_id, t->bob->room_id);
}

TABLE_TEST(test_one_of_eight_connections_may_subscribe_again, t)
{
	for (size_t i = 1; i < MAX_SEAT_CONNECTIONS; i++) {
		rig_return(t->bob, false);
	}
	assert_string_equal(rig_code(t->bob, "subscribe", RIG_NONE), "ok");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_a_repeated_create_answers_the_first_deck, t)
{
	char *first = strdup(rig_must(t->bob, "room.create",
				      "'deck':'fist','idempotency_key':'0123456789abcdef'"));
	char room[CODE_CHARS + 1] = "";
	memcpy(room, strstr(first, "'room_id':'") + 11, CODE_CHARS);
	rig_must(t->bob, "room.set_valid_sizes", "'room_id':'%s','valid_sizes':['a','b']", room);
	assert_string_equal(rig_must(t->bob, "room.create",
				     "'deck':'fist','idempotency_key':'0123456789abcdef'"),
			    first);
	free(first);
}

/* The first subscription was acknowledged; that a second one failed must not end it. */
TABLE_TEST(test_a_subscription_that_stands_outlives_a_repeat_that_fails, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	struct buf both = {.max = 4096};
	rig_hold(&t->r);
	uint32_t first = rig_compose(cy, &both, "subscribe", RIG_NONE);
	(void)rig_compose(cy, &both, "join", "'username':'cy'");
	rig_bytes(cy, buf_slice(&both));
	buf_finish(&both);
	rig_send(cy, "subscribe", RIG_NONE);
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_let(&t->r, 1);
	assert_string_equal(rig_outcome(cy, first), "ok");
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	rig_must(t->ada, "vote", "'vote':'8'");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host voted, bob, cy");
}

static struct rig_peer *net_peer(struct table *t, unsigned char host)
{
	struct rig_peer *p = rig_connect_as(&t->r, "net", PEER_NETWORK, host, false);
	rig_hello(p);
	return p;
}

TABLE_TEST(test_codes_that_are_no_codes_do_not_lock_others_out, t)
{
	struct rig_peer *guesser = net_peer(t, 1);
	struct rig_peer *other = net_peer(t, 2);
	for (size_t i = 0; i < 3500; i++) {
		rig_code(guesser, "room.get", "'room_id':'00000%zu'", i % 10);
	}
	assert_string_equal(rig_code(guesser, "room.get", "'room_id':'000000'"), "RATE_LIMITED");
	assert_string_equal(rig_code(other, "get", RIG_NONE), "ok");
	rig_advance(&t->r, 120000);
	assert_string_equal(rig_code(guesser, "get", RIG_NONE), "ok");
}

TABLE_TEST(test_guesses_made_at_once_do_not_lock_others_out, t)
{
	struct rig_peer *guessers[60];
	struct rig_peer *other = net_peer(t, 2);
	for (size_t i = 0; i < 60; i++) {
		guessers[i] = net_peer(t, 1);
	}
	rig_hold(&t->r);
	for (size_t i = 0; i < 60; i++) {
		struct buf bytes = {.max = 65536};
		for (size_t j = 0; j < 60; j++) {
			rig_compose(guessers[i], &bytes, "room.get", "'room_id':'22%02zu%02zu'",
				    22 + i, 22 + j);
		}
		rig_bytes(guessers[i], buf_slice(&bytes));
		buf_finish(&bytes);
	}
	rig_release(&t->r);
	assert_string_equal(rig_code(guessers[0], "get", RIG_NONE), "RATE_LIMITED");
	assert_string_equal(rig_code(other, "get", RIG_NONE), "ok");
	rig_advance(&t->r, 130000);
	assert_string_equal(rig_code(guessers[0], "get", RIG_NONE), "ok");
}

TABLE_TEST(test_a_full_room_with_long_names_can_be_asked_for, t)
{
	struct rig_peer *p = NULL;
	char key[KEY_CHARS + 1];
	char name[32 * 13 + 1] = "";
	memset(key, 'A', KEY_CHARS);
	key[KEY_CHARS] = '\0';
	for (size_t i = 0; i < 32; i++) {
		strcat(name, "x\\u0323\\u0337");
	}
	rig_hold(&t->r);
	for (size_t i = 0; i < 2400; i++) {
		p = next_of_crowd(t, p, i);
		key[0] = (char)('A' + i % 26);
		key[1] = (char)('A' + i / 26 % 26);
		key[2] = (char)('A' + i / 676);
		rig_send(p, "subscribe", "'user_key':'%s'", key);
		rig_send(p, "join", "'username':'%s'", name);
		rig_release(&t->r);
		rig_hold(&t->r);
		rig_advance(&t->r, 1);
	}
	rig_release(&t->r);
	rig_forget(t->ada);
	rig_forget(p);
	assert_true(p->is_open);
	assert_string_equal(rig_code(t->bob, "get", RIG_NONE), "ok");
	assert_true(t->bob->is_open);
}

/* ---- what strangers may not have ---- */

TEST(test_a_full_room_makes_place_for_a_newcomer)
{
	struct rig r;
	(void)limited_room(&r, LIMIT_ROOM_SEATS, 4);
	struct rig_peer *greedy = rig_guest(&r, "greedy");
	char key[KEY_CHARS + 1];
	memset(key, 'A', KEY_CHARS);
	key[KEY_CHARS] = '\0';
	for (size_t i = 0; i < 10; i++) {
		key[0] = (char)('A' + i);
		rig_must(greedy, "subscribe", "'user_key':'%s'", key);
	}
	struct rig_peer *bob = rig_guest(&r, "bob");
	assert_string_equal(rig_code(bob, "subscribe", RIG_NONE), "ok");
	rig_finish(&r);
}

TABLE_TEST(test_a_newcomer_is_not_told_what_was_shown_before, t)
{
	rig_must(t->bob, "vote", "'vote':'8'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	long long epoch = (long long)rig_copy(t->ada, t->r.room_id)->epoch;
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "subscribe", "'since':{'epoch':%lld,'version':4}", epoch);
	assert_memory_equal(rig_next(cy), "room.you ", 9);
	const char *update = rig_next(cy);
	assert_non_null(strstr(update, "'full':true"));
	assert_null(strstr(update, "'vote':"));
	assert_string_equal(rig_next(cy), "");
}
