/*
 * test_room_tasks.c - what a transaction has a room do when it is durable.
 */
#include <stdio.h>

#include "server/core/server_priv.h"
#include "server/core/txn/txn.h"
#include "server/domain/room/room_state.h"
#include "server/domain/room_directory.h"
#include "tests/unit/server/table.h"

static size_t tasks_run;

/* The room ends; with a key, it has that title instead. */
static void end_or_rename(struct room *r, const struct room_task *task)
{
	tasks_run++;
	if (task->key.len == 0) {
		room_delete(r);
	} else if (room_set_text(&r->title, task->key)) {
		room_changed(r);
	}
}

static void both_leave(struct table *t)
{
	rig_cut(t->ada);
	rig_cut(t->bob);
}

/* Its key is "{room_id} {title}". */
static enum txn_step give_room(struct txn *t)
{
	struct slice key = ((const struct txn_next *)t->params)->key;
	const char *end = memchr(key.data, ' ', key.len);
	size_t len = (size_t)(end - key.data);
	txn_then_room(t, slice_of(key.data, len), end_or_rename,
		      slice_of(end + 1, key.len - len - 1));
	return TXN_DONE;
}

static enum txn_step give_room_and_refuse(struct txn *t)
{
	(void)give_room(t);
	return txn_refuse(t, FAULT_CONFLICT, "no");
}

static void begin(struct rig *r, txn_handler *run, const char *room_id, const char *title)
{
	char key[128];
	(void)snprintf(key, sizeof(key), "%s %s", room_id, title);
	tasks_run = 0;
	rig_enter(r);
	txn_begin(r->server, (struct slice){0}, run, &(struct txn_next){.key = slice_str(key)});
	rig_leave();
	rig_settle(r);
}

TABLE_TEST(test_a_task_changes_the_room_for_all_who_follow_it, t)
{
	begin(&t->r, give_room, t->r.room_id, "Sprint 12");
	assert_int_equal(tasks_run, 1);
	assert_string_equal(rig_of(t->ada, "title"), "'Sprint 12'");
	assert_string_equal(rig_of(t->bob, "title"), "'Sprint 12'");
	rig_crash(&t->r);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_string_equal(rig_of(cy, "title"), "'Sprint 12'");
}

TABLE_TEST(test_a_task_ends_a_room_and_its_members_are_notified, t)
{
	begin(&t->r, give_room, t->r.room_id, "");
	assert_int_equal(rig_count(t->ada, "room.deleted"), 1);
	assert_int_equal(rig_count(t->bob, "room.deleted"), 1);
	assert_int_equal(rig_stored(&t->r, ""), 0);
	assert_string_equal(rig_code(t->ada, "get", RIG_NONE), "ROOM_NOT_FOUND");
	both_leave(t);
}

TABLE_TEST(test_a_task_loads_the_room_where_it_is_not_in_memory, t)
{
	rig_crash(&t->r);
	begin(&t->r, give_room, t->r.room_id, "");
	assert_int_equal(tasks_run, 1);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

TABLE_TEST(test_tasks_that_wait_for_a_load_are_done_before_the_requests, t)
{
	rig_crash(&t->r);
	rig_hold(&t->r);
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	uint32_t get = rig_send(cy, "get", RIG_NONE);
	begin(&t->r, give_room, t->r.room_id, "One");
	begin(&t->r, give_room, t->r.room_id, "");
	begin(&t->r, give_room, t->r.room_id, "Two");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(cy, get), "ROOM_NOT_FOUND");
	assert_int_equal(tasks_run, 2); /* the last came to a room that has ended */
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

TABLE_TEST(test_a_task_of_no_room_is_nothing, t)
{
	begin(&t->r, give_room, "AAAA-AAAA", "x");
	begin(&t->r, give_room, "no code at all", "x");
	assert_int_equal(tasks_run, 0);
}

TABLE_TEST(test_a_transaction_that_is_refused_gives_no_task, t)
{
	begin(&t->r, give_room_and_refuse, t->r.room_id, "x");
	assert_int_equal(tasks_run, 0);
}

/* It is found in the table as well, by whatever gave it. */
TABLE_TEST(test_a_task_whose_room_cannot_be_read_is_forgotten, t)
{
	rig_crash(&t->r);
	store_mem_fail_reads(t->r.store, 1, ERR_IO);
	begin(&t->r, give_room, t->r.room_id, "");
	assert_int_equal(tasks_run, 0);
	begin(&t->r, give_room, t->r.room_id, "");
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

TABLE_TEST(test_a_task_whose_commit_fails_is_undone_with_its_unit, t)
{
	rig_fail_commits(&t->r, 1, ERR_IO);
	begin(&t->r, give_room, t->r.room_id, "");
	assert_int_equal(rig_count(t->bob, "room.deleted"), 0);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
	begin(&t->r, give_room, t->r.room_id, "");
	assert_int_equal(rig_count(t->bob, "room.deleted"), 1);
	both_leave(t);
}

TABLE_TEST(test_what_waits_for_one_room_is_bounded, t)
{
	rig_crash(&t->r);
	rig_hold(&t->r);
	for (size_t i = 0; i < 100; i++) {
		begin(&t->r, give_room, t->r.room_id, "x");
	}
	rig_release(&t->r);
	assert_int_equal(tasks_run, 64);
}

TABLE_HEAP_TEST(test_a_task_is_done_or_forgotten_where_memory_is_out, t, nth)
{
	rig_crash(&t->r);
	heap_fail_nth(nth, false);
	begin(&t->r, give_room, t->r.room_id, "");
	heap_fail_never();
	begin(&t->r, give_room, t->r.room_id, "");
	rig_advance(&t->r, 5000);
	assert_int_equal(rig_stored(&t->r, ""), 0);
}

/* ---- what rooms do ---- */

static enum txn_step forget_ada(struct txn *t)
{
	struct slice key = ((const struct txn_next *)t->params)->key;
	const char *end = memchr(key.data, ' ', key.len);
	size_t len = (size_t)(end - key.data);
	txn_then_room(t, slice_of(key.data, len), room_forget_account,
		      slice_of(end + 1, key.len - len - 1));
	return TXN_DONE;
}

TABLE_TEST(test_the_seat_of_an_account_that_is_no_more_is_gone, t)
{
	char user_id[65];
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_field(rig_must(cy, "session.login", "'user_name':'Cy'"), "user_id", user_id,
		  sizeof(user_id));
	rig_follow(cy, "");
	rig_must(cy, "join", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, Cy");
	begin(&t->r, forget_ada, t->r.room_id, user_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_int_equal(rig_stored(&t->r, "USER:"), 2);
	assert_int_equal(rig_count(cy, "room.kicked"), 1);
	rig_cut(cy);
	begin(&t->r, forget_ada, t->r.room_id, user_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}
