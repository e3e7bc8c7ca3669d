/*
 * test_maker.c - the holder of the host_key: gets in whatever the room asks of
 * strangers, keeps the right for as long as the connection lasts, and is stood in
 * for until they come.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

#define WRONG_KEY "0123456789012345678901234567890123456789012"

/* ---- getting in ---- */

TABLE_TEST(test_the_host_key_enters_a_room_that_takes_nobody, t)
{
	static const char *const policies[] = {"'locked':true", "'locked':true,'passcode':'sesame'",
					       "'locked':false,'lobby':true"};
	for (size_t i = 0; i < 3; i++) {
		rig_must(t->ada, "set_policy", "'policy':{%s}", policies[i]);
		struct rig_peer *p = rig_guest(&t->r, "key");
		assert_string_equal(rig_code(p, "subscribe", "'host_key':'%s'", t->r.host_key),
				    "ok");
		assert_string_equal(rig_heard(p), "room.you room.update");
		assert_string_equal(rig_code(p, "join", "'username':'key'"), "ok");
		rig_must(p, "delete_user", RIG_NONE);
		rig_cut(p);
	}
}

TABLE_TEST(test_the_right_lasts_without_sending_the_key_again, t)
{
	struct rig_peer *p = rig_guest(&t->r, "key");
	rig_must(p, "subscribe", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_code(p, "set_title", "'title':'x'"), "ok");
}

TABLE_TEST(test_a_wrong_host_key_counts_for_nothing, t)
{
	struct rig_peer *p = rig_guest(&t->r, "key");
	assert_string_equal(rig_code(p, "subscribe", "'host_key':'%s'", WRONG_KEY), "ok");
	assert_string_equal(rig_code(p, "set_title", "'title':'x'"), "FORBIDDEN");
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	struct rig_peer *q = rig_guest(&t->r, "key");
	assert_string_equal(rig_code(q, "subscribe", "'host_key':'%s'", WRONG_KEY), "ROOM_LOCKED");
}

/* ---- keeping the right ---- */

TABLE_TEST(test_a_connection_is_host_of_every_room_it_made, t)
{
	enum { ROOMS = 3 * MAX_CONNECTION_ROOMS };
	char rooms[ROOMS][CODE_CHARS_MAX + 1];
	struct rig_peer *p = rig_guest(&t->r, "maker");
	for (size_t i = 0; i < ROOMS; i++) {
		rig_found(&t->r, p, "");
		strcpy(rooms[i], t->r.room_id);
	}
	for (size_t i = 0; i < ROOMS; i++) {
		assert_string_equal(rig_code(p, "room.set_title", "'room_id':'%s','title':'x'",
					     rooms[i]),
				    "ok");
	}
	for (size_t i = 0; i < MAX_CONNECTION_ROOMS; i++) {
		assert_string_equal(rig_code(p, "room.subscribe", "'room_id':'%s'", rooms[i]),
				    "ok");
	}
	assert_string_equal(rig_code(p, "room.subscribe", "'room_id':'%s'", rooms[ROOMS - 1]),
			    "TOO_LARGE");
	assert_string_equal(rig_code(p, "room.set_title", "'room_id':'%s','title':'y'",
				     rooms[ROOMS - 1]),
			    "ok");
	assert_string_equal(rig_code(p, "room.delete", "'room_id':'%s'", rooms[0]), "ok");
	rig_copies_free(p);
}

TABLE_TEST(test_what_a_connection_remembers_is_bounded_and_the_oldest_goes_first, t)
{
	char first[CODE_CHARS_MAX + 1];
	char second[CODE_CHARS_MAX + 1];
	struct rig_peer *p = rig_guest(&t->r, "maker");
	rig_found(&t->r, p, "");
	strcpy(first, t->r.room_id);
	rig_found(&t->r, p, "");
	strcpy(second, t->r.room_id);
	for (size_t i = 0; i < MAX_CONNECTION_HOSTS - 1; i++) {
		rig_must(p, "room.create", RIG_NONE);
	}
	assert_string_equal(rig_code(p, "room.set_title", "'room_id':'%s','title':'x'", first),
			    "FORBIDDEN");
	assert_string_equal(rig_code(p, "room.set_title", "'room_id':'%s','title':'x'", second),
			    "ok");
}

/* ---- standing in ---- */

struct absent {
	struct rig_peer *maker; /* of a room it has made and not entered */
	struct rig_peer *dan;
	struct rig_peer *eve; /* who joined later */
};

static struct absent absent_room(struct table *t)
{
	struct absent a = {.maker = rig_guest(&t->r, "cy")};
	rig_found(&t->r, a.maker, "");
	a.dan = rig_sit(&t->r, "dan");
	a.eve = rig_sit(&t->r, "eve");
	return a;
}

TABLE_TEST(test_the_earliest_voter_leads_until_the_maker_comes, t)
{
	struct absent a = absent_room(t);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(a.eve), "#1 hidden: dan host, eve");
	assert_string_equal(rig_code(a.dan, "reset", RIG_NONE), "ok");
	rig_must(a.dan, "set_policy", "'policy':{'locked':true}");
	struct rig_peer *again = rig_guest(&t->r, "cy");
	rig_must(again, "subscribe", "'host_key':'%s'", t->r.host_key);
	rig_must(again, "join", "'username':'cy'");
	assert_string_equal(rig_table(a.eve), "#2 hidden: dan, eve, cy host");
	assert_string_equal(rig_code(a.dan, "reset", RIG_NONE), "FORBIDDEN");
}

TABLE_TEST(test_claiming_takes_the_lead_back, t)
{
	struct absent a = absent_room(t);
	rig_advance(&t->r, MINUTE_MS);
	rig_must(a.eve, "claim_host", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_table(a.dan), "#1 hidden: dan, eve host");
	/* The maker has come: a minute alone does not give the lead away again. */
	rig_advance(&t->r, 2 * MINUTE_MS);
	assert_string_equal(rig_table(a.dan), "#1 hidden: dan, eve host");
}

TABLE_TEST(test_a_stand_in_who_is_lost_or_leaves_is_followed, t)
{
	struct absent a = absent_room(t);
	rig_advance(&t->r, MINUTE_MS);
	rig_must(a.dan, "leave", RIG_NONE);
	assert_string_equal(rig_table(a.eve), "#1 hidden: -, eve host");
	rig_must(a.dan, "join", "'username':'dan'");
	rig_cut(a.eve);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(a.dan), "#1 hidden: dan host, eve away");
}

TABLE_TEST(test_a_lead_that_a_stand_in_gave_away_goes_to_the_maker_too, t)
{
	struct absent a = absent_room(t);
	rig_advance(&t->r, MINUTE_MS);
	rig_must(a.dan, "set_host", "'user_id':'%s'", a.eve->user_id);
	rig_must(a.maker, "subscribe", RIG_NONE);
	assert_string_equal(rig_table(a.dan), "#1 hidden: dan host, eve, - host");
}

/* Who was made host with the host_key is host because the maker wants it. */
TABLE_TEST(test_a_host_made_with_the_host_key_stands_in_for_nobody, t)
{
	struct absent a = absent_room(t);
	rig_must(a.maker, "set_host", "'user_id':'%s'", a.eve->user_id);
	rig_advance(&t->r, MINUTE_MS);
	rig_must(a.maker, "subscribe", RIG_NONE);
	assert_string_equal(rig_table(a.dan), "#1 hidden: dan, eve host, -");
}

/* Alone in the room is alone: bots, spectators and who is away do not stand in; the next who joins does. */
TABLE_TEST(test_the_first_to_join_after_the_minute_leads_at_once, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "");
	struct rig_peer *bot = rig_guest(&t->r, "bot");
	rig_follow(bot, "");
	rig_must(bot, "join", "'username':'bot','is_bot':true");
	rig_advance(&t->r, 3 * MINUTE_MS);
	assert_string_equal(rig_table(bot), "#1 hidden: bot bot");
	rig_sit(&t->r, "dan");
	assert_string_equal(rig_table(bot), "#1 hidden: bot bot, dan host");
}

TABLE_TEST(test_standing_in_survives_a_restart, t)
{
	struct absent a = absent_room(t);
	rig_advance(&t->r, MINUTE_MS);
	rig_crash(&t->r);
	struct rig_peer *dan = rig_return(a.dan, false);
	assert_string_equal(rig_table(dan), "#1 hidden: dan host, eve away");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "subscribe", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_table(dan), "#1 hidden: dan, eve away, - host");
	rig_crash(&t->r);
	dan = rig_return(a.dan, false);
	rig_advance(&t->r, MINUTE_MS - 1);
	struct rig_peer *late = rig_guest(&t->r, "late");
	rig_must(late, "subscribe", "'host_key':'%s'", t->r.host_key);
	/* The maker has been there: now it takes a claim. */
	assert_string_equal(rig_table(dan), "#1 hidden: dan, eve away, - host away, -");
}

/* The minute counts from when the room was made: a restart does not begin it anew, and it ends by itself. */
TABLE_TEST(test_the_minute_goes_on_over_a_restart, t)
{
	struct absent a = absent_room(t);
	rig_advance(&t->r, MINUTE_MS / 2);
	rig_crash(&t->r);
	struct rig_peer *dan = rig_return(a.dan, false);
	rig_advance(&t->r, MINUTE_MS / 2 - 1);
	assert_string_equal(rig_table(dan), "#1 hidden: dan, eve away");
	rig_advance(&t->r, 1);
	assert_string_equal(rig_table(dan), "#1 hidden: dan host, eve away");
	t->ada->is_open = t->bob->is_open = false;
}
