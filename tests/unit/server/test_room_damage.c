/*
 * test_room_damage.c - a room of which an item is missing, or to which one came,
 * is refused: never shown in part, never written to.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

struct lay {
	struct store_item items[32];
	size_t n;
	struct arena arena;
	bool copied;
};

static void on_items(void *arg, enum err e, const struct store_item *items, size_t n,
		     uint64_t version, bool has_more)
{
	(void)has_more;
	struct lay *lay = arg;
	(void)version;
	assert_int_equal(e, OK);
	assert_true(n <= sizeof(lay->items) / sizeof(lay->items[0]));
	lay->copied = true;
	for (size_t i = 0; i < n; i++) {
		lay->items[i] = (struct store_item){
			.pk = arena_copy(&lay->arena, items[i].pk, &lay->copied),
			.sk = arena_copy(&lay->arena, items[i].sk, &lay->copied),
			.value = arena_copy(&lay->arena, items[i].value, &lay->copied),
		};
	}
	lay->n = n;
	assert_true(lay->copied);
}

static void on_done(void *arg, enum err e, uint64_t version)
{
	(void)version;
	*(enum err *)arg = e;
}

/* Behind the server's back. */
static void change(struct rig *r, const struct store_op *op)
{
	struct store_commit c = {.ops = op, .n = 1, .now_ms = 1};
	enum err e = ERR_MORE;
	assert_int_equal(store_commit(r->store, &c, on_done, &e), OK);
	store_mem_run(r->store, SIZE_MAX);
	store_poll(r->store);
	assert_int_equal(e, OK);
}

/* A room with one of each kind that is counted. */
static void furnish(struct table *t)
{
	rig_must(t->ada, "story.add", "'room_id':'%s','title':'one'", t->r.room_id);
	rig_must(t->ada, "story.add", "'room_id':'%s','title':'two'", t->r.room_id);
	rig_must(t->ada, "map.create", "'room_id':'%s','name':'m'", t->r.room_id);
	rig_must(t->ada, "map.set", "'room_id':'%s','name':'m','key':'k','value':1", t->r.room_id);
	rig_must(t->ada, "list.create", "'room_id':'%s','name':'l'", t->r.room_id);
	rig_must(t->ada, "list.push", "'room_id':'%s','name':'l','value':1", t->r.room_id);
	rig_must(t->ada, "presence.create", "'room_id':'%s','name':'p'", t->r.room_id);
	rig_must(t->bob, "vote", "'vote':'5'");
}

static struct rig_peer *restart(struct table *t)
{
	rig_crash(&t->r);
	return rig_guest(&t->r, "cy");
}

static void lie(struct table *t, struct lay *lay)
{
	char pk[32];
	(void)snprintf(pk, sizeof(pk), "ROOM:%s", t->r.room_id);
	store_load(t->r.store, &(struct store_load){.pk = slice_str(pk)}, on_items, lay);
	store_mem_run(t->r.store, SIZE_MAX);
	store_poll(t->r.store);
	assert_true(lay->copied);
}

/* promise: damaged-rooms */
TABLE_TEST(test_a_room_that_lost_any_item_is_refused, t)
{
	struct lay lay = {.n = 0};
	furnish(t);
	lie(t, &lay);
	assert_int_equal(lay.n, 10);
	for (size_t i = 0; i < lay.n; i++) {
		const struct store_item *item = &lay.items[i];
		change(&t->r,
		       &(struct store_op){.kind = STORE_DELETE, .pk = item->pk, .sk = item->sk});
		struct rig_peer *cy = restart(t);
		assert_string_equal(rig_code(cy, "get", RIG_NONE), "UNAVAILABLE");
		assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "UNAVAILABLE");
		assert_int_equal(rig_stored(&t->r, ""), lay.n - 1);
		change(&t->r, &(struct store_op){.kind = STORE_PUT,
						 .pk = item->pk,
						 .sk = item->sk,
						 .value = item->value});
		cy = restart(t);
		rig_must(cy, "get", RIG_NONE);
	}
	arena_finish(&lay.arena);
}

TABLE_TEST(test_a_room_with_an_item_too_many_is_refused, t)
{
	struct lay lay = {.n = 0};
	furnish(t);
	lie(t, &lay);
	for (size_t i = 0; i < lay.n; i++) {
		struct store_item *item = &lay.items[i];
		if (slice_starts(item->sk, SLICE("STORY#"))) {
			change(&t->r, &(struct store_op){.kind = STORE_PUT,
							 .pk = item->pk,
							 .sk = SLICE("STORY#zz"),
							 .value = item->value});
			break;
		}
	}
	assert_string_equal(rig_code(restart(t), "get", RIG_NONE), "UNAVAILABLE");
	arena_finish(&lay.arena);
}

/* What comes and goes in one unit of work, or moves, or has bounds of its own, leaves the count right. */
TABLE_TEST(test_the_count_keeps_up_with_every_change, t)
{
	furnish(t);
	rig_must(t->ada, "map.set", "'room_id':'%s','name':'m','key':'k2','value':2", t->r.room_id);
	rig_must(t->ada, "map.remove", "'room_id':'%s','name':'m','key':'k'", t->r.room_id);
	rig_must(t->ada, "list.delete", "'room_id':'%s','name':'l'", t->r.room_id);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->ada, "set_title", "'title':'x','idempotency_key':'0123456789abcdef'");
	rig_hold(&t->r);
	struct rig_peer *dee = rig_guest(&t->r, "dee");
	rig_send(dee, "subscribe", RIG_NONE);
	rig_release(&t->r);
	rig_must(dee, "join", "'username':'dee'");
	rig_must(dee, "delete_user", RIG_NONE);
	rig_must(restart(t), "get", RIG_NONE);
}
