/*
 * test_history.c - a room's history: bounded in bytes, read from the table by
 * the page, and written once a second while late votes change the open round.
 */
#include <stdio.h>

#include "store/items.h"
#include "tests/support/heap.h"
#include "tests/unit/server/crowd.h"
#include "tests/unit/server/play.h"

/* Rounds of ada's and bob's, each turned over; the next has begun. */
static void play_rounds_n(struct table *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		play_open(t, "3", "8");
		rig_must(t->ada, "reset", RIG_NONE);
	}
	rig_forget(t->ada);
	rig_forget(t->bob);
}

/* "12 11 10 | 7": the numbers of a page's rounds, and its cursor. */
static const char *page(struct rig_peer *p, size_t limit, const char *cursor)
{
	static char line[1024];
	char from[64] = "";
	size_t len = 0;
	if (cursor != NULL) {
		(void)snprintf(from, sizeof(from), ",'cursor':'%s'", cursor);
	}
	const char *text = rig_must(p, "round.list", "'room_id':'%s','limit':%zu%s",
				    p->rig->room_id, limit, from);
	line[0] = '\0';
	for (const char *at = strstr(text, "{'n':"); at != NULL; at = strstr(at + 1, "{'n':")) {
		len += (size_t)snprintf(line + len, sizeof(line) - len, "%s%d", len > 0 ? " " : "",
					atoi(at + 5));
	}
	const char *next = strstr(text, "'cursor':'");
	if (next != NULL) {
		(void)snprintf(line + len, sizeof(line) - len, " | %d", atoi(next + 10));
	}
	return line;
}

static void on_put(void *arg, enum err e, uint64_t version)
{
	(void)version;
	*(enum err *)arg = e;
}

/* Behind the server's back. */
static void store_now(struct rig *r, struct store_op op)
{
	enum err e = ERR_BUSY;
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = r->wall_ms};
	assert_int_equal(store_commit(r->store, &c, on_put, &e), OK);
	store_mem_run(r->store, SIZE_MAX);
	store_poll(r->store);
	assert_int_equal(e, OK);
}

static struct slice room_pk(const struct rig *r)
{
	static char pk[5 + CODE_CHARS_MAX + 1];
	(void)snprintf(pk, sizeof(pk), "ROOM:%s", r->room_id);
	return slice_str(pk);
}

/* ---- pages ---- */

TABLE_TEST(test_pages_go_on_from_memory_into_the_table, t)
{
	play_rounds_n(t, 12);
	size_t loads = t->r.loads;
	assert_string_equal(page(t->bob, 5, NULL), "12 11 10 9 8 | 8");
	assert_int_equal(t->r.loads, loads);
	assert_string_equal(page(t->bob, 5, "8"), "7 6 5 4 3 | 3");
	assert_int_equal(t->r.loads, loads + 1);
	assert_string_equal(page(t->bob, 5, "3"), "2 1");
	assert_string_equal(page(t->bob, 100, NULL), "12 11 10 9 8 7 6 5 4 3 2 1");
	assert_non_null(
		strstr(rig_must(t->bob, "round.list", "'room_id':'%s','cursor':'3'", t->r.room_id),
		       "'vote':'8','user_id':'@bob','username':'bob'"));
}

TABLE_TEST(test_a_room_is_loaded_with_its_last_rounds_only, t)
{
	play_rounds_n(t, 30);
	rig_crash(&t->r);
	size_t loads = t->r.loads;
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(page(bob, 8, NULL), "30 29 28 27 26 25 24 23 | 23");
	assert_int_equal(t->r.loads, loads + 1);
	assert_string_equal(page(bob, 9, NULL), "30 29 28 27 26 25 24 23 22 | 22");
	assert_int_equal(t->r.loads, loads + 2);
	assert_string_equal(page(bob, 100, "5"), "4 3 2 1");
	assert_int_equal(rig_stored(&t->r, "ROUND#"), 30);
}

TABLE_TEST(test_a_story_counts_its_rounds_over_a_restart, t)
{
	play_story(t->ada, "Login");
	play_story(t->ada, "Search");
	play_select(t->ada, "Login");
	play_rounds_n(t, 3);
	play_select(t->ada, "Search");
	play_rounds_n(t, 10);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	play_select(ada, "Login");
	assert_int_equal(rig_number(ada, "story_round", NULL), 4);
}

/* What happens while a page is on its way is in the answer, and nothing is lost or there twice. */
TABLE_TEST(test_rounds_that_come_while_a_page_is_loaded, t)
{
	bool is_refusal = true;
	play_rounds_n(t, 12);
	rig_hold(&t->r);
	uint32_t asked = rig_send(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	assert_true(t->bob->is_paused);
	rig_send(t->ada, "set_revealed", "'is_revealed':true");
	rig_send(t->ada, "reset", RIG_NONE);
	rig_release(&t->r);
	assert_false(t->bob->is_paused);
	assert_int_equal(times_in(rig_answer(t->bob, asked, &is_refusal), "{'n':"), 13);
	assert_false(is_refusal);
}

TABLE_TEST(test_many_requests_for_a_page_at_once_share_a_load, t)
{
	struct rig_peer *peers[20];
	play_rounds_n(t, 12);
	for (size_t i = 0; i < 20; i++) {
		peers[i] = rig_sit(&t->r, "asker");
	}
	size_t loads = t->r.loads;
	rig_hold(&t->r);
	for (size_t i = 0; i < 20; i++) {
		rig_send(peers[i], "round.list", "'room_id':'%s','cursor':'%zu'", t->r.room_id,
			 i < 18 ? 4 : i - 16);
	}
	rig_cut(peers[7]);
	rig_release(&t->r);
	for (size_t i = 0; i < 20; i++) {
		assert_string_equal(rig_outcome(peers[i], peers[i]->last_msgid),
				    i == 7 ? "none" : "ok");
	}
	assert_in_range(t->r.loads - loads, 1, 2);
}

TABLE_TEST(test_a_page_that_waits_when_the_room_ends_or_is_loaded_again, t)
{
	play_rounds_n(t, 12);
	rig_hold(&t->r);
	uint32_t asked = rig_send(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	rig_fail_commits(&t->r, 1, ERR_IO);
	rig_send(t->ada, "set_title", "'title':'never'");
	rig_release(&t->r);
	assert_string_not_equal(rig_outcome(t->bob, asked), "none");
	assert_string_equal(page(t->bob, 2, "3"), "2 1");
	rig_hold(&t->r);
	asked = rig_send(t->bob, "round.list", "'room_id':'%s'", t->r.room_id);
	rig_send(t->ada, "delete", "'host_key':'%s'", t->r.host_key);
	rig_release(&t->r);
	assert_string_not_equal(rig_outcome(t->bob, asked), "none");
	rig_cut(t->ada);
	rig_cut(t->bob);
}

TABLE_TEST(test_a_page_that_lacks_a_round_is_refused_and_no_other, t)
{
	play_rounds_n(t, 12);
	store_now(&t->r, (struct store_op){.kind = STORE_DELETE,
					   .pk = room_pk(&t->r),
					   .sk = SLICE("ROUND#0000000002")});
	assert_string_equal(page(t->bob, 8, NULL), "12 11 10 9 8 7 6 5 | 5");
	assert_string_equal(page(t->bob, 2, "5"), "4 3 | 3");
	assert_string_equal(rig_code(t->bob, "round.list", "'room_id':'%s','cursor':'3'",
				     t->r.room_id),
			    "UNAVAILABLE");
	assert_non_null(strstr(t->r.log.data, "event=history_damaged"));
	assert_string_equal(page(t->bob, 1, "2"), "1");
}

TABLE_TEST(test_a_room_whose_last_rounds_are_not_all_there_is_not_served, t)
{
	play_rounds_n(t, 12);
	store_now(&t->r, (struct store_op){.kind = STORE_DELETE,
					   .pk = room_pk(&t->r),
					   .sk = SLICE("ROUND#0000000011")});
	rig_crash(&t->r);
	struct rig_peer *p = rig_guest(&t->r, "asker");
	assert_string_equal(rig_code(p, "get", RIG_NONE), "UNAVAILABLE");
}

/* ---- bytes ---- */

#define HANDS 100

/* The connection of the last one, which follows no longer. */
static struct rig_peer *seat_hands(struct table *t, char keys[HANDS][KEY_CHARS + 1])
{
	struct rig_peer *p = crowd(t, HANDS);
	for (size_t i = 0; i < HANDS; i++) {
		crowd_key(i, keys[i]);
	}
	rig_must(p, "unsubscribe", RIG_NONE);
	return p;
}

/* Every hand votes with a note as long as notes may be. */
static void vote_hands(struct rig_peer *p, char keys[HANDS][KEY_CHARS + 1], const char *note)
{
	for (size_t i = 0; i < HANDS; i += 10) {
		struct buf bytes = {.max = 65536};
		for (size_t j = i; j < i + 10; j++) {
			rig_compose(p, &bytes, "vote", "'vote':'5','comment':'%s','user_key':'%s'",
				    note, keys[j]);
		}
		rig_bytes(p, buf_slice(&bytes));
		buf_finish(&bytes);
	}
	assert_string_equal(rig_outcome(p, p->last_msgid), "ok");
	rig_forget(p);
}

TABLE_TEST(test_rounds_too_large_together_go_and_stay_gone_over_a_restart, t)
{
	char keys[HANDS][KEY_CHARS + 1];
	char note[80 * 12 + 1] = "";
	for (size_t i = 0; i < 80; i++) {
		strcat(note, "x\\u0323");
	}
	play_policy(t->ada, "'auto_reveal':false");
	struct rig_peer *p = seat_hands(t, keys);
	size_t one = 0;
	size_t rounds = 0;
	while (rig_stored(&t->r, "ROUND#") == rounds) {
		vote_hands(p, keys, note);
		rig_must(t->ada, "set_revealed", "'is_revealed':true");
		one = one == 0 ? strlen(play_rounds(t->ada)) : one;
		rig_must(t->ada, "reset", RIG_NONE);
		play_forget_bytes(t->ada);
		play_forget_bytes(t->bob);
		play_forget_bytes(p);
		t->r.order.len = 0;
		rounds++;
		assert_in_range(rounds, 0, 200);
	}
	size_t kept = rig_stored(&t->r, "ROUND#");
	assert_in_range(kept, MAX_ROUNDS_BYTES / one, MAX_ROUNDS_KEPT);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_int_equal(rig_stored(&t->r, "ROUND#"), kept);
	rig_must(ada, "vote", "'vote':'5'");
	rig_must(ada, "set_revealed", "'is_revealed':true");
	assert_in_range(rig_stored(&t->r, "ROUND#"), kept, kept + 1);
	rig_must(ada, "reset", RIG_NONE);
}

/* ---- late votes ---- */

static void open_late(struct table *t)
{
	play_policy(t->ada, "'vote_after_reveal':true,'auto_reveal':false");
	play_open(t, "3", "8");
}

TABLE_TEST(test_a_late_vote_costs_the_vote_and_the_round_once_a_second, t)
{
	static const char *const cards[] = {"1", "2", "3", "5", "8"};
	open_late(t);
	play_vote(t->bob, "13"); /* the room's item says from now on that the round is late */
	size_t ops = t->r.ops;
	for (size_t i = 0; i < 20; i++) {
		play_vote(t->bob, cards[i % 5]);
	}
	assert_int_equal(t->r.ops - ops, 20);
	assert_non_null(strstr(play_rounds(t->ada), "'vote':'8','user_id':'@bob'"));
	ops = t->r.ops;
	rig_advance(&t->r, 1000);
	assert_int_equal(t->r.ops - ops, 2); /* the round, and the room */
	rig_advance(&t->r, 5000);
	assert_int_equal(t->r.ops - ops, 2);
}

TABLE_TEST(test_a_late_vote_is_in_the_history_after_a_crash_within_the_second, t)
{
	open_late(t);
	play_vote(t->bob, "13");
	rig_advance(&t->r, 500);
	play_vote(t->bob, "5");
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_non_null(strstr(play_rounds(ada), "'vote':'5','user_id':'@bob'"));
	assert_string_equal(rig_table(ada), "#1 open: ada host =3, bob away =5*");
	rig_crash(&t->r);
	ada = rig_return(t->ada, false);
	rig_must(ada, "reset", RIG_NONE);
	assert_non_null(strstr(play_rounds(ada), "'vote':'5','user_id':'@bob'"));
}

TABLE_TEST(test_a_late_vote_is_in_the_history_whatever_comes_within_the_second, t)
{
	static const char *const what[] = {"reset",	   "leave", "delete_user",
					   "set_revealed", "kick",  "set_valid_sizes"};
	for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
		struct rig_peer *cy = rig_sit(&t->r, "cy");
		char params[128] = "";
		bool is_his = strcmp(what[i], "leave") == 0 || strcmp(what[i], "delete_user") == 0;
		open_late(t);
		play_vote(cy, "13");
		if (strcmp(what[i], "kick") == 0) {
			(void)snprintf(params, sizeof(params), "'user_id':'%s'", cy->user_id);
		} else if (strcmp(what[i], "set_revealed") == 0) {
			strcpy(params, "'is_revealed':false");
		} else if (strcmp(what[i], "set_valid_sizes") == 0) {
			strcpy(params, "'valid_sizes':['3','8']");
		}
		rig_must(is_his ? cy : t->ada, what[i], "%s", params);
		assert_non_null(strstr(play_rounds(t->ada), "'vote':'13'"));
		rig_advance(&t->r, 2000);
		assert_non_null(strstr(play_rounds(t->ada), "'vote':'13'"));
		rig_cut(cy);
		rig_must(t->ada, "reset", RIG_NONE);
	}
}

TABLE_TEST(test_a_vote_taken_back_late_is_out_of_the_history, t)
{
	open_late(t);
	rig_must(t->bob, "vote", "'vote':null");
	assert_null(strstr(play_rounds(t->ada), "'user_id':'@bob'"));
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_null(strstr(play_rounds(ada), "'user_id':'@bob'"));
}

/* ---- without memory ---- */

TABLE_TEST(test_a_page_survives_each_failed_allocation, t)
{
	play_rounds_n(t, 12);
	for (size_t nth = 0;; nth++) {
		assert_in_range(nth, 0, 2000);
		struct rig_peer *p = rig_return(t->bob, false);
		heap_fail_nth(nth, false);
		uint32_t asked = rig_send(p, nth % 2 == 0 ? "round.list" : "room.get",
					  "'room_id':'%s'", t->r.room_id);
		bool has_failed = heap_has_failed();
		heap_fail_never();
		rig_advance(&t->r, 1001);
		const char *outcome = rig_outcome(p, asked);
		assert_true(strcmp(outcome, "ok") == 0 || strcmp(outcome, "UNAVAILABLE") == 0 ||
			    !p->is_open);
		if (p->is_open) {
			assert_string_equal(page(p, 100, NULL), "12 11 10 9 8 7 6 5 4 3 2 1");
			rig_cut(p);
		}
		if (!t->bob->is_open) {
			t->bob = rig_return(t->bob, false);
		}
		if (!has_failed && nth % 2 == 1) {
			return;
		}
	}
}
