/*
 * watcher.c - see watcher.h.
 */
#include "tests/sim/disk/watcher.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/assert.h"
#include "tests/sim/disk/engine.h"
#include "tests/sim/world/world.h"

#define WATCHER_VALUES 100

struct watcher_write {
	struct sim_watcher *watcher;
	char body[16]; /* item and value */
};

static struct slice watched_pk(size_t i, char out[16])
{
	int len = snprintf(out, 16, "ASKER:all %zu", i);
	return slice_of(out, (size_t)len);
}

/* ---- what it is told ---- */

static void watched_forget(struct watched *item)
{
	item->is_known = false;
	item->was_read = false;
	item->changes++;
}

void watcher_forget(struct sim_watcher *watcher)
{
	for (size_t i = 0; i < SIM_WATCHED; i++) {
		watched_forget(&watcher->items[i]);
	}
}

static void watcher_on_published(void *arg, uint64_t number, struct slice body)
{
	struct sim_watcher *watcher = arg;
	(void)number;
	if (body.len == 0) {
		watcher_forget(watcher);
		return;
	}
	char text[16];
	unsigned i;
	unsigned value;
	snprintf(text, sizeof(text), "%.*s", (int)body.len, body.data);
	bool is_whole = sscanf(text, "%u %u", &i, &value) == 2;
	ASSERT(is_whole && i < SIM_WATCHED);
	watcher->items[i].value = value;
	watcher->items[i].changes++;
}

void watcher_begin(struct sim_watcher *watcher, struct sim_engine *g)
{
	watcher->g = g;
	for (size_t i = 0; i < SIM_WATCHED; i++) {
		watcher->items[i].watcher = watcher;
	}
	g->subscription.cb = watcher_on_published;
	g->subscription.arg = watcher;
}

/* ---- what it reads ---- */

static int64_t watched_value(const struct store_item *items, size_t n)
{
	struct arena arena = {0};
	struct fault fault;
	struct asker_item item = {.open_questions = 0};
	enum err e = n == 0 ? OK
			    : record_from_bytes(&record_asker_item, items[0].value, RECORD_STRICT,
						&arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	arena_finish(&arena);
	return item.open_questions;
}

/* What changed while it was read is read again. */
static void watched_on_load(void *arg, enum err e, const struct store_item *items, size_t n,
			    uint64_t version, bool has_more)
{
	struct watched *item = arg;
	struct world *w = item->watcher->g->w;
	(void)version;
	(void)has_more;
	item->is_asked = false;
	if (e != OK || item->changes != item->asked_at) {
		return;
	}
	int64_t value = watched_value(items, n);
	if (item->is_known && item->value != value) {
		broken(w, CLAIM_PUBLISHED, "%lld is read of what was published as %lld",
		       (long long)value, (long long)item->value);
	}
	item->is_known = true;
	item->value = value;
	item->was_read = w->is_calm;
}

static void watched_read(struct watched *item)
{
	char pk[16];
	size_t i = (size_t)(item - item->watcher->items);
	struct store_load load = {.pk = watched_pk(i, pk),
				  .sk_prefix = SLICE("ASKER"),
				  .is_exact = true};
	if (!item->is_asked) {
		item->is_asked = true;
		item->asked_at = item->changes;
		engine_load(item->watcher->g, &load, watched_on_load, item);
	}
}

/* ---- what it writes ---- */

static void watcher_on_commit(void *arg, enum err e, uint64_t version)
{
	struct watcher_write *write = arg;
	struct sim_engine *g = write->watcher->g;
	(void)version;
	if (e == OK && planted(g->w, BREAK_OWN_AT_REPLY, 1)) {
		subscription_tell(g, g->w->master.published, slice_str(write->body));
	}
	free(write);
}

static void watcher_write(struct sim_watcher *watcher)
{
	struct world *w = watcher->g->w;
	char pk[16];
	struct watcher_write *write = calloc(1, sizeof(*write));
	ASSERT(write != NULL);
	uint32_t i = dice_below(&w->master.dice, SIM_WATCHED);
	struct asker_item item = {.open_questions =
					  dice_between(&w->master.dice, 1, WATCHER_VALUES)};
	struct buf value;
	buf_init(&value, 256);
	record_write(&record_asker_item, &item, &value);
	ASSERT_CMP(value.error, ==, OK);
	write->watcher = watcher;
	snprintf(write->body, sizeof(write->body), "%u %lld", i, (long long)item.open_questions);
	struct store_op op = {.kind = STORE_PUT,
			      .pk = watched_pk(i, pk),
			      .sk = SLICE("ASKER"),
			      .value = buf_slice(&value)};
	struct store_commit commit = {.ops = &op,
				      .n = 1,
				      .publish = slice_str(write->body),
				      .now_ms = MASTER_TIME + w->mono_ms};
	enum err e = store_commit(w->store, &commit, watcher_on_commit, write);
	ASSERT_CMP(e, ==, OK);
	buf_finish(&value);
}

/* ---- time ---- */

void watcher_step(struct sim_watcher *watcher)
{
	struct world *w = watcher->g->w;
	for (size_t i = 0; i < SIM_WATCHED; i++) {
		struct watched *item = &watcher->items[i];
		bool is_due = w->is_calm ? !item->was_read
					 : dice_percent(&w->master.dice, item->is_known ? 5 : 20);
		if (is_due) {
			watched_read(item);
		}
	}
	if (!w->is_calm && dice_percent(&w->master.dice, 15)) {
		watcher_write(watcher);
	}
}

bool watcher_is_quiet(const struct sim_watcher *watcher)
{
	for (size_t i = 0; i < SIM_WATCHED; i++) {
		if (watcher->items[i].is_asked || !watcher->items[i].was_read) {
			return false;
		}
	}
	return true;
}
