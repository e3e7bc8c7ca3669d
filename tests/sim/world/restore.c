/*
 * restore.c - backups. One is a copy of the store as it is at some moment, with nothing of what waits for it. It holds
 * what had been reported durable by then, and perhaps some of what was on its way; and a server that
 * begins with it has every room as it says.
 *
 * It is restored at once, in a world of its own, so that what goes on here is not touched.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "tests/support/store_mem.h"

/* Takes no dice: a run is the same with it and without. */
#define RESTORE_ONE_IN 150

static void *restore_copy(const void *from, size_t n, size_t size)
{
	void *to = calloc(n + 1, size);
	ASSERT(to != NULL);
	if (n > 0) {
		memcpy(to, from, n * size);
	}
	return to;
}

/* What answers have earned is known by the commits that went before. */
static struct sim_points restore_points(const struct sim_points *from)
{
	struct sim_points to = *from;
	to.people = restore_copy(from->people, from->people_n, sizeof(*from->people));
	to.earned = restore_copy(from->earned, from->earned_n, sizeof(*from->earned));
	return to;
}

/* What was asked for explains what is there; nothing of it is under way any more. */
static void restore_ops(struct world *b, const struct world *w)
{
	b->ops = restore_copy(w->ops, w->ops_n, sizeof(*w->ops));
	b->ops_n = w->ops_n;
	b->ops_capacity = w->ops_n + 1;
	b->ops_first = w->ops_n;
	b->serials = w->serials;
	b->delivered = w->delivered;
	for (size_t i = 0; i < b->ops_n; i++) {
		buf_init(&b->ops[i].sent, 0);
	}
}

static void restore_room(struct world *b, const struct sim_room *from)
{
	struct sim_room *r = &b->rooms[room_add(b, slice_str(from->id))];
	r->is_public = true;
	r->owners_n = from->owners_n;
	memcpy(r->owners, from->owners, sizeof(r->owners));
	r->taken = from->taken;
	r->asides_n = from->asides_n;
	memcpy(r->asides, from->asides, sizeof(r->asides));
}

/* A world after the loss of everything but the backup, where one stranger comes to see all rooms. */
static struct world *restore_begin(const struct world *w, struct store *backup)
{
	struct world_options o = {.seed = w->o.seed, .is_scripted = true};
	struct world *b = world_create(&o);
	b->config = w->config;
	b->is_batched = w->is_batched;
	b->mono_ms = w->mono_ms;
	b->wall_ms = w->wall_ms;
	for (size_t i = 0; i < w->rooms_n; i++) {
		restore_room(b, &w->rooms[i]);
	}
	for (size_t i = 0; i < w->table.n; i++) {
		const struct table_row *row = &w->table.rows[i];
		table_copy_item(&b->table, &w->table, slice_of(row->pk, row->pk_len),
				slice_of(row->sk, row->sk_len));
	}
	restore_ops(b, w);
	b->points = restore_points(&w->points);
	b->commits = w->commits;
	shell_restore(b, backup);
	b->commits = NULL;
	return b;
}

static void restore_follow(struct world *b)
{
	struct conn *c = net_open(b, 0);
	ASSERT(c != NULL);
	b->is_calm = true;
	send_hello(b, c);
	calm_settle(b);
	for (int room = 0; room < (int)b->rooms_n && !b->is_broken; room++) {
		send_subscribe(b, c, room, false);
		calm_settle(b);
	}
}

static void restore_compare(struct world *b)
{
	for (size_t i = 0; i < b->rooms_n && !b->is_broken; i++) {
		const struct sim_room *r = &b->rooms[i];
		const char *lacks =
			r->mem->in_memory ? table_differs(&b->table, r->id, &r->mem->now) : NULL;
		b->figures.comparisons += r->mem->in_memory;
		if (lacks != NULL) {
			broken(b, CLAIM_DURABLE, "%s has not what the disk has: %s", r->id, lacks);
		}
	}
}

static void restore_run(struct world *w, struct store *backup)
{
	struct world *b = restore_begin(w, backup);
	if (!b->is_broken) {
		restore_follow(b);
	}
	restore_compare(b);
	w->figures.comparisons += b->figures.comparisons;
	if (b->is_broken) {
		broken(w, b->broken, "in a server begun with a backup: %s", b->why);
	}
	world_destroy(b);
}

void restore_step(struct world *w)
{
	struct store *backup = NULL;
	if (w->o.is_scripted || w->node->must_crash ||
	    sim_hash_u64(sim_hash_u64(SIM_HASH_START, w->o.seed), w->step) % RESTORE_ONE_IN != 0) {
		return;
	}
	trace(w, "a backup is taken");
	enum err e = store_mem_crash(w->store, &backup);
	ASSERT_CMP(e, ==, OK);
	if (w->old_backup != NULL && planted(w, BREAK_OLD_BACKUP, 1)) {
		struct store *now = backup;
		backup = w->old_backup;
		w->old_backup = now;
	} else if (w->o.planted == BREAK_OLD_BACKUP) {
		w->old_backup = backup;
		return;
	}
	restore_run(w, backup);
}
