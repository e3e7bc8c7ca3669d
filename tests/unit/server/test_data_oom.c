/*
 * test_data_oom.c - shared data while the nth allocation of the server fails,
 * for every n.
 *
 * A caller may be answered UNAVAILABLE or lose the connection, and asks again;
 * what was acknowledged has happened once, for everybody and on the disk.
 */
#include "tests/unit/server/data.h"
#include "tests/unit/server/walk.h"

static void act(struct walk *w, int who, const char *method, const char *name, const char *params)
{
	char more[256];
	(void)snprintf(more, sizeof(more), ",'name':'%s'%s%s", name, params[0] == '\0' ? "" : ",",
		       params);
	walk_call(w, who, method, more);
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
	walk_recover(w);
	act(w, BOB, "presence.get", "p", "");
	act(w, BOB, "presence.set", "p", "'value':{'once':1,'more':2}");
	act(w, BOB, "presence.remove", "p", "");
	rig_advance(&w->t->r, 100);
	walk_recover(w);
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

TABLE_HEAP_TEST(test_shared_data_survives_each_failed_allocation, t, nth)
{
	struct walk w = walk_begin(t, nth);
	play_map(&w);
	play_list(&w);
	play_presence(&w);
	play_ends(&w);
	bool is_done = !heap_has_failed();
	heap_fail_never();
	assert_durable(&w);
	assert_true(!is_done || nth > 300);
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
	(void)scene_clear(&state);
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
