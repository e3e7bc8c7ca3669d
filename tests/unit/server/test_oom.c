/*
 * test_oom.c - a whole evening in which the nth allocation of the server fails,
 * for every n.
 *
 * A caller may be answered UNAVAILABLE or lose its connection, and asks again.
 * What was acknowledged must have happened, exactly once; others in other rooms
 * notice nothing; and all is well when there is memory again.
 */
#include "tests/support/rig.h"

#include <stdio.h>

#include "tests/support/heap.h"

#define TRIES_MAX 20000

struct actor {
	const char *name;
	char key[KEY_CHARS + 1];
	struct rig_peer *p;
	bool follows;
};

struct evening {
	struct rig r;
	struct actor ada, bob, zoe; /* zoe only watches */
	struct rig_peer *eve;	    /* sits in another room */
	unsigned step;
	char claim[128];
	bool is_over; /* the failure has happened */
};

/* ---- connections ---- */

/* There is memory again: what was put off for a second happens. */
static void recover_memory(struct evening *v)
{
	if (!v->r.is_sheltered && !v->is_over && heap_has_failed()) {
		v->is_over = true;
		heap_fail_never();
		v->r.is_sheltered = true;
		rig_advance(&v->r, 1001);
		v->r.is_sheltered = false;
	}
}

/* Connect where there is no connection. Sheltered, or as part of the evening. */
static void be_there(struct evening *v, struct actor *a)
{
	for (size_t tries = 0; a->p == NULL || !a->p->is_open; tries++) {
		assert_in_range(tries, 0, 3);
		a->p = rig_connect(&v->r, a->name);
		uint32_t msgid =
			rig_send(a->p, "session.hello", "'protocol':1,'client':'%s'", a->name);
		const char *outcome = rig_outcome(a->p, msgid);
		recover_memory(v);
		if (strcmp(outcome, "ok") != 0) {
			assert_false(a->p->is_open);
		}
	}
}

static void follow(struct evening *v, struct actor *a)
{
	for (size_t tries = 0;; tries++) {
		assert_in_range(tries, 0, 3);
		be_there(v, a);
		uint32_t msgid = rig_send(a->p, "subscribe", "'user_key':'%s'", a->key);
		const char *outcome = rig_outcome(a->p, msgid);
		recover_memory(v);
		if (strcmp(outcome, "ok") == 0) {
			a->follows = true;
			return;
		}
		if (strcmp(outcome, "UNAVAILABLE") != 0 && a->p->is_open) {
			fail_msg("%s follows: %s", a->name, outcome);
		}
	}
}

/* A client that lost its connection reconnects, with memory. */
static void come_back(struct evening *v, struct actor *a)
{
	if (a->p != NULL && !a->p->is_open) {
		v->r.is_sheltered = true;
		be_there(v, a);
		if (a->follows) {
			follow(v, a);
		}
		v->r.is_sheltered = false;
	}
}

static void all_come_back(struct evening *v)
{
	come_back(v, &v->ada);
	come_back(v, &v->bob);
	come_back(v, &v->zoe);
}

static void assert_nobody_else_noticed(struct evening *v)
{
	assert_true(v->eve->is_open);
	assert_string_equal(rig_heard(v->eve), "");
}

/* ---- steps ---- */

/* One request, made until it is acknowledged. Then the room must be as `truth` says. */
static void step(struct evening *v, struct actor *a, const char *method, const char *params,
		 const char *truth)
{
	const char *outcome = "";
	v->step++;
	for (size_t tries = 0; strcmp(outcome, "ok") != 0; tries++) {
		assert_in_range(tries, 0, 3);
		come_back(v, a);
		uint32_t msgid =
			rig_send(a->p, method, "%s'idempotency_key':'the-step-number-%03u'", params,
				 v->step);
		outcome = rig_outcome(a->p, msgid);
		recover_memory(v);
		if (strcmp(outcome, "ok") != 0 && strcmp(outcome, "UNAVAILABLE") != 0) {
			assert_string_equal(outcome, "none");
			assert_false(a->p->is_open);
		}
	}
	all_come_back(v);
	assert_string_equal(rig_truth(a->p), truth);
	assert_nobody_else_noticed(v);
}

/* room.create can be repeated, and then answers what it answered first. */
static void found(struct evening *v)
{
	bool is_refusal = true;
	for (size_t tries = 0; is_refusal; tries++) {
		assert_in_range(tries, 0, 3);
		be_there(v, &v->ada);
		uint32_t msgid = rig_send(v->ada.p, "room.create",
					  "'title':'t','idempotency_key':'0123456789abcdef'");
		const char *result = rig_answer(v->ada.p, msgid, &is_refusal);
		recover_memory(v);
		if (result == NULL) {
			is_refusal = true;
			assert_false(v->ada.p->is_open);
		} else if (!is_refusal) {
			memcpy(v->r.room_id, strstr(result, "'room_id':'") + 11, CODE_CHARS);
			memcpy(v->r.host_key, strstr(result, "'host_key':'") + 12, KEY_CHARS);
		}
	}
	strcpy(v->ada.p->room_id, v->r.room_id);
}

/* That a connection made the room may be forgotten; the key is not. */
static const char *host_claim(struct evening *v)
{
	(void)snprintf(v->claim, sizeof(v->claim), "'host_key':'%s',", v->r.host_key);
	return v->claim;
}

/* Things that are refused anyway, and a peer that goes half way: they may only end themselves. */
static void nuisances(struct evening *v)
{
	struct rig_peer *p = rig_connect(&v->r, "nuisance");
	rig_bytes(p, SLICE("\x94\x00\x01"));
	if (p->is_open) {
		rig_send(p, "vote", "'vote':'5'");
	}
	recover_memory(v);
	p = rig_connect(&v->r, "nuisance");
	if (p->is_open) {
		rig_bytes(p, SLICE("\xc1"));
	}
	recover_memory(v);
	rig_send(v->zoe.p, "reset", RIG_NONE);
	recover_memory(v);
	all_come_back(v);
	rig_window(v->zoe.p, 50);
	rig_send(v->zoe.p, "get", RIG_NONE);
	recover_memory(v);
	rig_window(v->zoe.p, RIG_UNBOUNDED);
	recover_memory(v);
	all_come_back(v);
	rig_forget(v->zoe.p);
	assert_nobody_else_noticed(v);
}

static void play_round(struct evening *v)
{
	step(v, &v->bob, "vote", "'vote':'5',", "#1 hidden: ada host, bob voted, -");
	nuisances(v);
	step(v, &v->ada, "vote", "'vote':'8',", "#1 hidden: ada host voted, bob voted, -");
	step(v, &v->ada, "set_revealed", "'is_revealed':true,", "#1 open: ada host =8, bob =5, -");
	step(v, &v->ada, "set_valid_sizes", "'valid_sizes':['5','XL'],",
	     "#1 open: ada host, bob =5, -");
	step(v, &v->ada, "reset", "", "#2 hidden: ada host, bob, -");
	rig_touch(&v->r);
	step(v, &v->ada, "set_title", "'title':'Sprint',", "#2 hidden: ada host, bob, -");
	step(v, &v->ada, "set_link_template", "'link_template':'https://x/{key}',",
	     "#2 hidden: ada host, bob, -");
	step(v, &v->bob, "vote", "'vote':'XL',", "#2 hidden: ada host, bob voted, -");
}

static void play_host(struct evening *v)
{
	char params[256];
	v->r.is_sheltered = true;
	const char *bob = strstr(rig_must(v->bob.p, "subscribe", RIG_NONE), "'user_id':'");
	snprintf(params, sizeof(params), "%.*s',", USER_ID_CHARS + 11, bob);
	v->r.is_sheltered = false;
	step(v, &v->ada, "set_host", params, "#2 hidden: ada host, bob host voted, -");
	step(v, &v->ada, "claim_host", host_claim(v), "#2 hidden: ada host, bob voted, -");
	v->bob.follows = false;
	step(v, &v->ada, "kick", params, "#2 hidden: ada host, - away, -");
	follow(v, &v->bob);
	all_come_back(v);
	step(v, &v->bob, "join", "'username':'Bob',", "#2 hidden: ada host, Bob, -");
	step(v, &v->bob, "vote", "'vote':'5',", "#2 hidden: ada host, Bob voted, -");
}

/* What was acknowledged is on the disk, and is read again although memory is short. */
static void play_crash(struct evening *v)
{
	rig_crash(&v->r);
	v->r.is_sheltered = true;
	v->eve = rig_return(v->eve, false);
	rig_forget(v->eve);
	v->r.is_sheltered = false;
	follow(v, &v->zoe);
	all_come_back(v);
	assert_string_equal(rig_truth(v->zoe.p), "#2 hidden: ada host, Bob voted, -");
	step(v, &v->bob, "leave", "", "#2 hidden: ada host, -, -");
	v->bob.follows = false;
	char params[256];
	snprintf(params, sizeof(params), "'user_key':'%s',", v->bob.key);
	step(v, &v->bob, "delete_user", params, "#2 hidden: ada host, -");
}

static void play_delete(struct evening *v)
{
	const char *outcome = "UNAVAILABLE";
	char params[256];
	snprintf(params, sizeof(params), "'host_key':'%s'", v->r.host_key);
	v->ada.follows = false;
	v->zoe.follows = false;
	while (strcmp(outcome, "UNAVAILABLE") == 0 || strcmp(outcome, "none") == 0) {
		come_back(v, &v->ada);
		outcome = rig_outcome(v->ada.p, rig_send(v->ada.p, "delete", "%s", params));
		recover_memory(v);
		assert_true(strcmp(outcome, "none") != 0 || !v->ada.p->is_open);
	}
	if (strcmp(outcome, "ok") != 0) {
		assert_string_equal(outcome, "ROOM_NOT_FOUND"); /* the answer before was lost */
	}
	assert_int_equal(rig_stored(&v->r, ""), 0);
	assert_nobody_else_noticed(v);
}

static void play(struct evening *v)
{
	found(v);
	/* Who has no name sits down again when the room is loaded again: behind who has one. */
	follow(v, &v->ada);
	step(v, &v->ada, "claim_host", host_claim(v), "#1 hidden: - host");
	step(v, &v->ada, "join", "'username':'ada',", "#1 hidden: ada host");
	follow(v, &v->bob);
	step(v, &v->bob, "join", "'username':'bob',", "#1 hidden: ada host, bob");
	follow(v, &v->zoe);
	all_come_back(v);
	play_round(v);
	play_host(v);
	play_crash(v);
	play_delete(v);
}

static void begin(struct evening *v)
{
	static const char *const names[] = {"ada", "bob", "zoe"};
	struct actor *const actors[] = {&v->ada, &v->bob, &v->zoe};
	*v = (struct evening){.step = 0};
	rig_open(&v->r);
	for (size_t i = 0; i < 3; i++) {
		actors[i]->name = names[i];
		memset(actors[i]->key, 'A', KEY_CHARS);
		actors[i]->key[0] = (char)('A' + i);
	}
	struct rig_peer *host = rig_guest(&v->r, "host");
	rig_found(&v->r, host, "");
	v->eve = rig_sit(&v->r, "eve");
	rig_cut(host);
	rig_forget(v->eve);
	rig_alias(&v->r, NULL, NULL);
}

/* With memory again, the server is as good as new. */
static void finish(struct evening *v)
{
	heap_fail_never();
	rig_must(v->eve, "vote", "'vote':'5'");
	rig_assert_same(v->eve);
	rig_advance(&v->r, 2 * 3600 * 1000);
	assert_int_equal(server_counters(v->r.server)->rooms_now, 1);
	rig_finish(&v->r);
}

static void walk(bool onwards)
{
	size_t nth = 0;
	for (bool has_failed = true; has_failed; nth++) {
		struct evening v;
		assert_in_range(nth, 0, TRIES_MAX);
		begin(&v);
		heap_fail_nth(nth, onwards);
		play(&v);
		has_failed = heap_has_failed();
		finish(&v);
	}
	print_message("%zu allocations\n", nth - 1);
	assert_true(nth > 100);
}

TEST(test_one_allocation_that_fails_costs_a_request_or_a_connection)
{
	walk(false);
}

TEST(test_memory_that_stays_out_for_a_while_costs_no_more)
{
	walk(true);
}
