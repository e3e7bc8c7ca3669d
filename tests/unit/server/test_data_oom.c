/*
 * test_data_oom.c - shared data while the nth allocation of the server fails,
 * for every n.
 *
 * Whoever asks may be told UNAVAILABLE or lose the connection, and asks again;
 * what was acknowledged has happened once, for everybody and on the disk.
 */
#include "tests/unit/server/data.h"

#include "tests/support/heap.h"

#define WHO 3
enum { ADA, BOB, CY /* who only reads, and so is told every value */ };

struct walk {
	struct table *t;
	struct rig_peer *who[WHO];
	unsigned step;
	bool is_over; /* the failure has happened */
};

/* There is memory again: what was put off for a second happens, and who was cut comes back. */
static void recover(struct walk *w)
{
	if (!w->is_over && heap_has_failed()) {
		w->is_over = true;
		heap_fail_never();
		rig_advance(&w->t->r, 1001);
	}
	for (size_t i = 0; i < WHO; i++) {
		if (!w->who[i]->is_open) {
			w->who[i] = rig_return(w->who[i], false);
		}
	}
}

/* One request, made until it is acknowledged. */
static void act(struct walk *w, int who, const char *method, const char *name, const char *params)
{
	const char *outcome = "";
	char more[256];
	bool reads = strstr(method, ".get") != NULL;
	(void)snprintf(more, sizeof(more), "%s%s%s", params, params[0] == '\0' || reads ? "" : ",",
		       reads ? "" : "'idempotency_key':");
	if (!reads) {
		size_t len = strlen(more);
		(void)snprintf(more + len, sizeof(more) - len, "'the-step-number-%03u'", ++w->step);
	}
	for (size_t tries = 0; strcmp(outcome, "ok") != 0; tries++) {
		assert_in_range(tries, 0, 3);
		struct rig_peer *p = w->who[who];
		outcome = rig_outcome(p, data_send(p, method, name, more));
		/* Live only: it does not outlast a room that had to be loaded again. */
		if (strcmp(method, "presence.remove") == 0 && strcmp(outcome, "NOT_FOUND") == 0) {
			outcome = "ok";
		}
		if (strcmp(outcome, "ok") != 0 && strcmp(outcome, "UNAVAILABLE") != 0) {
			if (strcmp(outcome, "none") != 0 || p->is_open) {
				fail_msg("%s %s: %s", method, more, outcome);
			}
		}
		recover(w);
	}
}

static void act_on(struct walk *w, const char *method, size_t entry, const char *params)
{
	char more[256];
	(void)snprintf(more, sizeof(more), "'entry_id':'%s'%s", rig_entry(w->who[CY], "l", entry),
		       params);
	act(w, ADA, method, "l", more);
}

static void play_map(struct walk *w)
{
	act(w, ADA, "map.create", "m", "");
	act(w, ADA, "map.set", "m", "'key':'a','value':1");
	act(w, BOB, "map.set", "m", "'key':'a','value':'a longer value than before'");
	act(w, ADA, "map.set", "m", "'key':'b','value':[2]");
	act(w, BOB, "map.set", "m", "'key':'a','value':3,'if_revision':2");
	act(w, BOB, "map.set", "m", "'key':'c','value':4");
	act(w, ADA, "map.remove", "m", "'key':'b'");
	act(w, ADA, "map.get", "m", "");
	assert_string_equal(rig_data(w->who[CY], "map", "m"), "a=3@3, c=4@1");
}

static void play_list(struct walk *w)
{
	char place[64];
	act(w, ADA, "list.create", "l", "");
	act(w, ADA, "list.push", "l", "'value':'x'");
	act(w, BOB, "list.push", "l", "'value':'y'");
	act(w, BOB, "list.push", "l", "'value':'gone'");
	(void)snprintf(place, sizeof(place), "'before':'%s','value':'first'",
		       rig_entry(w->who[CY], "l", 0));
	act(w, BOB, "list.insert", "l", place);
	(void)snprintf(place, sizeof(place), ",'before':'%s'", rig_entry(w->who[CY], "l", 0));
	act_on(w, "list.move", 2, place);
	act_on(w, "list.set", 0, ",'value':'Y'");
	act_on(w, "list.remove", 3, "");
	act(w, BOB, "list.get", "l", "");
	assert_string_equal(rig_data(w->who[CY], "list", "l"), "'Y'@3, 'first'@1, 'x'@1");
}

static void play_presence(struct walk *w)
{
	act(w, ADA, "presence.create", "p", "");
	act(w, BOB, "presence.set", "p", "'value':'typing'");
	act(w, ADA, "presence.set", "p", "'value':'away','ttl_ms':60000");
	act(w, BOB, "presence.set", "p", "'value':'choosing'");
	rig_advance(&w->t->r, 100);
	recover(w);
	act(w, BOB, "presence.get", "p", "");
	act(w, BOB, "presence.set", "p", "'value':{'once':1,'more':2}");
	act(w, BOB, "presence.remove", "p", "");
	rig_advance(&w->t->r, 100);
	recover(w);
	rig_advance(&w->t->r, 100);
}

static void play_ends(struct walk *w)
{
	act(w, ADA, "map.create", "gone", "");
	act(w, ADA, "map.set", "gone", "'key':'k','value':1");
	act(w, ADA, "map.delete", "gone", "");
	act(w, ADA, "list.create", "gone", "");
	act(w, ADA, "list.push", "gone", "'value':1");
	act(w, ADA, "list.delete", "gone", "");
	act(w, ADA, "presence.delete", "p", "");
}

static void assert_durable(struct walk *w)
{
	rig_assert_all_same(&w->t->r);
	assert_int_equal(rig_stored(&w->t->r, "MAP#m"), 3);
	assert_int_equal(rig_stored(&w->t->r, "LIST#l"), 4);
	assert_int_equal(rig_stored(&w->t->r, "MAP#gone"), 0);
	assert_int_equal(rig_stored(&w->t->r, "LIST#gone"), 0);
	assert_int_equal(rig_stored(&w->t->r, "PRESENCE#"), 0);
	rig_crash(&w->t->r);
	struct rig_peer *ada = rig_return(w->who[ADA], false);
	assert_string_equal(rig_data(ada, "map", "m"), "a=3@3, c=4@1");
	assert_string_equal(rig_data(ada, "list", "l"), "'Y'@3, 'first'@1, 'x'@1");
}

/* True where it all ended before the nth allocation. */
static bool walk(size_t nth)
{
	void *state = NULL;
	struct walk w = {0};
	(void)table_lay(&state);
	w.t = state;
	w.who[ADA] = w.t->ada;
	w.who[BOB] = w.t->bob;
	w.who[CY] = rig_sit(&w.t->r, "cy");
	heap_fail_nth(nth, false);
	play_map(&w);
	play_list(&w);
	play_presence(&w);
	play_ends(&w);
	bool is_done = !heap_has_failed();
	heap_fail_never();
	assert_durable(&w);
	(void)table_clear(&state);
	return is_done;
}

TEST(test_shared_data_survives_each_failed_allocation)
{
	size_t nth = 0;
	while (!walk(nth)) {
		nth++;
		assert_in_range(nth, 0, 100000);
	}
	assert_true(nth > 300);
}

/* Deleting notes two items to be removed: where there is memory for one of them only, the set stays
 * whole, for everybody and on the disk. */
static bool delete_is_whole(size_t nth, const char *kind, const char *method, const char *prefix)
{
	void *state = NULL;
	(void)table_lay(&state);
	struct table *t = state;
	bool is_map = strcmp(kind, "map") == 0;
	data_must(t->ada, is_map ? "map.create" : "list.create", "s", "");
	for (size_t i = 0; i < 3; i++) {
		(void)data_must(t->ada, is_map ? "map.set" : "list.push", "s",
				is_map ? "'key':'k','value':1" : "'value':1");
	}
	size_t before = rig_stored(&t->r, prefix);
	heap_fail_nth(nth, false);
	const char *outcome = rig_outcome(t->ada, data_send(t->ada, method, "s", ""));
	bool is_lost = strcmp(outcome, "none") == 0; /* the answer, and its connection with it */
	bool was_deleted = strcmp(outcome, "ok") == 0;
	bool is_done = !heap_has_failed();
	heap_fail_never();
	rig_advance(&t->r, 1001);
	was_deleted = was_deleted || (is_lost && rig_stored(&t->r, prefix) == 0);
	assert_int_equal(rig_stored(&t->r, prefix), was_deleted ? 0 : before);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(data_code(bob, is_map ? "map.get" : "list.get", "s", ""),
			    was_deleted ? "NOT_FOUND name" : "ok");
	(void)table_clear(&state);
	return is_done;
}

TEST(test_a_set_is_deleted_whole_or_not_at_all)
{
	size_t nth = 0;
	while (!delete_is_whole(nth, "map", "map.delete", "MAP#s")) {
		nth++;
	}
	assert_in_range(nth, 5, 1000);
	for (nth = 0; !delete_is_whole(nth, "list", "list.delete", "LIST#s");) {
		nth++;
	}
	assert_in_range(nth, 5, 1000);
}
