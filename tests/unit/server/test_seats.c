/*
 * test_seats.c - which seats the table has: those that hold something. Who only
 * looks on writes nothing, and is the same person after a crash all the same.
 */
#include "proto/records/record.h"
#include "store/items.h"
#include "tests/unit/server/play.h"
#include "tests/unit/server/table.h"

static struct rig_peer *onlooker(struct table *t, const char *name)
{
	struct rig_peer *p = rig_guest(&t->r, name);
	rig_follow(p, "");
	return p;
}

static size_t seats_stored(struct table *t)
{
	return rig_stored(&t->r, "USER:");
}

/* ---- nothing to keep ---- */

TABLE_TEST(test_a_subscriber_that_only_watches_commits_nothing, t)
{
	size_t commits = t->r.commits;
	rig_hold(&t->r);
	struct rig_peer *cy = onlooker(t, "cy");
	rig_cut(cy);
	rig_advance(&t->r, 2 * 3600 * 1000 / 100);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	rig_release(&t->r);
	assert_int_equal(t->r.commits, commits);
	assert_int_equal(seats_stored(t), 2);
}

TABLE_TEST(test_an_onlooker_who_gives_up_the_seat_deletes_nothing, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	size_t commits = t->r.commits;
	assert_string_equal(rig_code(cy, "delete_user", RIG_NONE), "ok");
	assert_int_equal(rig_count(cy, "room.kicked"), 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_int_equal(t->r.commits, commits);
	rig_copies_free(cy);
}

TABLE_TEST(test_what_others_write_does_not_write_an_onlooker, t)
{
	onlooker(t, "cy");
	size_t ops = t->r.ops;
	rig_must(t->bob, "vote", "'vote':'5'");
	assert_int_equal(t->r.ops, ops + 1);
	assert_int_equal(seats_stored(t), 2);
}

TABLE_TEST(test_a_waiting_onlooker_is_not_written_and_waits_again_after_a_crash, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	size_t commits = t->r.commits;
	struct rig_peer *cy = onlooker(t, "cy");
	assert_int_equal(t->r.commits, commits);
	rig_crash(&t->r);
	rig_return(t->ada, true);
	struct rig_peer *again = rig_return(cy, false);
	assert_string_equal(again->user_id, cy->user_id);
	assert_string_equal(rig_table(again), "nothing");
	assert_int_equal(seats_stored(t), 2);
	rig_copies_free(again);
}

/* ---- what is kept ---- */

TABLE_TEST(test_a_name_writes_the_seat_and_leaving_does_not_unwrite_it, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_must(cy, "join", "'username':'cy'");
	assert_int_equal(seats_stored(t), 3);
	rig_must(cy, "leave", RIG_NONE);
	assert_int_equal(seats_stored(t), 3);
	rig_must(cy, "delete_user", RIG_NONE);
	assert_int_equal(seats_stored(t), 2);
	rig_copies_free(cy);
}

TABLE_TEST(test_a_host_without_a_name_is_written, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_must(cy, "claim_host", "'host_key':'%s'", t->r.host_key);
	assert_int_equal(seats_stored(t), 3);
	rig_crash(&t->r);
	struct rig_peer *again = rig_return(cy, true);
	assert_string_equal(rig_self(again), "- voter host");
}

TABLE_TEST(test_a_login_has_a_seat_that_is_written, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "session.login", "'user_name':'cy'");
	rig_follow(cy, "");
	assert_int_equal(seats_stored(t), 3);
}

TABLE_TEST(test_a_room_that_is_shut_writes_who_sits_there, t)
{
	static const char *const shut[] = {"'locked':true", "'passcode':'sesame'", "'lobby':true"};
	for (size_t i = 0; i < 3; i++) {
		char name[2] = {(char)('c' + i), '\0'};
		struct rig_peer *cy = onlooker(t, name);
		rig_must(t->ada, "set_policy", "'policy':{%s}", shut[i]);
		assert_int_equal(seats_stored(t), 3 + i);
		rig_crash(&t->r);
		t->ada = rig_return(t->ada, true);
		struct rig_peer *again = rig_return(cy, true);
		assert_string_equal(rig_self(again), "- voter");
		rig_must(t->ada, "set_policy",
			 "'policy':{'locked':false,'passcode':null,'lobby':false}");
		rig_cut(again);
	}
}

TABLE_TEST(test_an_admitted_member_stays_admitted, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	struct rig_peer *cy = onlooker(t, "cy");
	rig_must(t->ada, "admit", "'user_id':'%s'", cy->user_id);
	rig_crash(&t->r);
	struct rig_peer *again = rig_return(cy, true);
	assert_string_equal(rig_self(again), "- voter");
}

TABLE_TEST(test_a_seat_written_late_keeps_its_place, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_advance(&t->r, 5);
	rig_sit(&t->r, "dan");
	rig_advance(&t->r, 5);
	rig_must(cy, "join", "'username':'cy'");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, true);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob away, cy away, dan away");
}

/* ---- who a key is ---- */

TABLE_TEST(test_an_onlooker_is_the_same_user_after_a_crash, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_crash(&t->r);
	struct rig_peer *again = rig_return(cy, false);
	assert_string_equal(again->user_id, cy->user_id);
	assert_string_equal(rig_self(again), "- voter");
}

TABLE_TEST(test_a_key_is_another_user_in_another_room, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	rig_found(&t->r, dan, "");
	rig_follow(dan, "");
	char here[sizeof(cy->user_id)];
	strcpy(here, cy->user_id);
	const char *there = rig_must(cy, "room.subscribe", "'room_id':'%s','user_key':'%s'",
				     dan->room_id, cy->user_key);
	assert_null(strstr(there, here));
	rig_copies_free(cy);
	rig_cut(cy);
}

static void on_planted(void *arg, enum err e, uint64_t version)
{
	(void)arg;
	(void)version;
	assert_int_equal(e, OK);
}

/* Somebody's seat that is called as another's key would be. */
struct counted {
	struct arena arena;
	struct buf value; /* of the ROOM item, with one item more */
};

static void on_room(void *arg, enum err e, const struct store_item *items, size_t n,
		    uint64_t version, bool has_more)
{
	(void)has_more;
	struct counted *c = arg;
	struct room_item room;
	struct fault fault;
	(void)version;
	assert_int_equal(e, OK);
	assert_int_equal(n, 1);
	assert_int_equal(record_from_bytes(&record_room_item, items[0].value, RECORD_LENIENT,
					   &c->arena, &room, &fault),
			 OK);
	room.items++;
	record_write(&record_room_item, &room, &c->value);
}

static void plant_seat(struct table *t, const char *user_id)
{
	struct counted room = {.value = {.max = 4096}};
	struct buf value = {.max = 4096};
	char pk[5 + CODE_CHARS_MAX + 1] = "ROOM:";
	struct seat_item item = {.created_on = 1,
				 .updated_on = 1,
				 .user_id = slice_str(user_id),
				 .role = ROLE_VOTER};
	strcpy(pk + 5, t->r.room_id);
	record_write(&record_seat_item, &item, &value);
	store_load(t->r.store,
		   &(struct store_load){.pk = slice_str(pk),
					.sk_prefix = SLICE("ROOM"),
					.is_exact = true},
		   on_room, &room);
	store_mem_run(t->r.store, SIZE_MAX);
	store_poll(t->r.store);
	struct store_op ops[] = {
		{.kind = STORE_PUT,
		 .pk = slice_str(pk),
		 .sk = SLICE("USER:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
		 .value = buf_slice(&value)},
		{.kind = STORE_PUT,
		 .pk = slice_str(pk),
		 .sk = SLICE("ROOM"),
		 .value = buf_slice(&room.value)},
	};
	struct store_commit c = {.ops = ops, .n = 2, .now_ms = t->r.wall_ms};
	assert_int_equal(store_commit(t->r.store, &c, on_planted, NULL), OK);
	buf_finish(&value);
	buf_finish(&room.value);
	arena_finish(&room.arena);
}

TABLE_TEST(test_no_two_seats_have_one_user_id, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_crash(&t->r);
	plant_seat(t, cy->user_id);
	struct rig_peer *again = rig_guest(&t->r, "again");
	assert_string_equal(rig_code(again, "subscribe", "'user_key':'%s'", cy->user_key),
			    "CONFLICT");
	assert_string_equal(rig_code(again, "subscribe", RIG_NONE), "ok");
}

TABLE_TEST(test_a_seat_that_is_taken_again_at_once_is_seen_as_new, t)
{
	struct buf both = {.max = 4096};
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	struct rig_peer *again = rig_guest(&t->r, "again");
	rig_hold(&t->r);
	rig_send(t->ada, "set_title", "'title':'x'");
	rig_send(cy, "delete_user", RIG_NONE);
	(void)rig_compose(again, &both, "subscribe", "'user_key':'%s'", cy->user_key);
	rig_bytes(again, buf_slice(&both));
	buf_finish(&both);
	rig_settle(&t->r);
	rig_release(&t->r);
	assert_int_equal(rig_count(cy, "room.kicked"), 1);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, -");
	assert_int_equal(seats_stored(t), 2);
	rig_copies_free(cy);
}

TABLE_TEST(test_presence_ends_with_a_seat_that_is_taken_again_at_once, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	struct rig_peer *again = rig_guest(&t->r, "again");
	rig_must(t->ada, "presence.create", "'room_id':'%s','name':'where'", t->r.room_id);
	rig_must(cy, "presence.set", "'room_id':'%s','name':'where','value':1", t->r.room_id);
	rig_hold(&t->r);
	rig_send(cy, "delete_user", RIG_NONE);
	rig_send(again, "subscribe", "'user_key':'%s'", cy->user_key);
	rig_release(&t->r);
	rig_advance(&t->r, 1000);
	assert_string_equal(rig_data_truth(t->ada, "presence", "where"), "");
	rig_copies_free(cy);
}

/* ---- failing ---- */

TABLE_TEST(test_an_onlooker_goes_on_following_a_room_that_is_loaded_again, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "UNAVAILABLE");
	assert_int_equal(rig_count(cy, "room.kicked"), 0);
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob voted, -");
	assert_string_equal(rig_self(cy), "- voter");
}

/* The key is that of a login's seat, which was given up, and is shown without the login, which comes later. */
TABLE_TEST(test_an_onlooker_who_logs_in_is_the_same_user_in_a_room_that_is_loaded_again, t)
{
	char token[KEY_CHARS + 1];
	char own[KEY_CHARS + 1];
	char user_id[sizeof(t->ada->user_id)];
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_field(rig_must(cy, "session.login", "'user_name':'cy'"), "token", token, sizeof(token));
	rig_field(rig_must(cy, "subscribe", RIG_NONE), "user_key", own, sizeof(own));
	rig_must(cy, "delete_user", RIG_NONE);
	rig_copies_free(cy);
	struct rig_peer *dan = rig_guest(&t->r, "dan");
	rig_field(rig_must(dan, "subscribe", "'user_key':'%s'", own), "user_id", user_id,
		  sizeof(user_id));
	rig_must(dan, "session.resume", "'token':'%s'", token);
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "UNAVAILABLE");
	assert_non_null(strstr(play_you(dan), user_id));
	assert_int_equal(seats_stored(t), 2);
}

TABLE_TEST(test_a_name_that_was_not_written_leaves_an_onlooker, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(cy, "join", "'username':'cy'"), "UNAVAILABLE");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, -");
	assert_int_equal(seats_stored(t), 2);
	assert_string_equal(rig_code(cy, "join", "'username':'cy'"), "ok");
	assert_int_equal(seats_stored(t), 3);
}

/* Given up and taken again, with the same key: what fails with it is no end. */
TABLE_TEST(test_an_onlooker_who_sits_down_again_in_vain_goes_on_following, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	rig_send(cy, "delete_user", RIG_NONE);
	uint32_t again = rig_send(cy, "subscribe", RIG_NONE);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, again), "UNAVAILABLE");
	assert_int_equal(rig_count(cy, "room.kicked"), 0);
	rig_must(t->bob, "vote", "'vote':'8'");
	assert_string_equal(rig_table(cy), "#1 hidden: ada host, bob voted, -");
}

TABLE_TEST(test_a_subscription_that_moves_to_a_new_key_in_vain_stays_on_its_seat, t)
{
	struct rig_peer *cy = onlooker(t, "cy");
	rig_hold(&t->r);
	rig_send(t->bob, "vote", "'vote':'5'");
	uint32_t moved = rig_send(cy, "subscribe",
				  "'user_key':'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'");
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, moved), "UNAVAILABLE");
	assert_int_equal(rig_count(cy, "room.kicked"), 0);
	rig_must(cy, "join", "'username':'cy'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
	rig_assert_all_same(&t->r);
}
