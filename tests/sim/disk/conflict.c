/*
 * conflict.c - another process on the same disk: it writes the ROOM item of a
 * room and one more of its items, with nothing in them changed, so that whatever
 * the server does on the room was made on an older one.
 *
 * A conflict excuses nothing: every request that was on its way is answered as
 * if there had been none, once.
 */
#include "tests/support/store_mem.h"
#include "tests/sim/disk/commit.h"
#include "tests/sim/world/world.h"

/* One of the room's items, which may be gone in the store: another one at another step. */
static void conflict_touch_any(struct world *w, struct slice pk)
{
	const struct table_row *row = NULL;
	uint64_t n = 0, skip = 0;
	while ((row = table_next(&w->table, TABLE_ALL, row)) != NULL) {
		n += slice_eq(row_pk(row), pk);
	}
	skip = n == 0 ? 0 : w->step % n;
	while ((row = table_next(&w->table, TABLE_ALL, row)) != NULL) {
		if (slice_eq(row_pk(row), pk) && skip-- == 0) {
			(void)store_mem_touch(w->store, pk, slice_of(row->sk, row->sk_len));
			return;
		}
	}
}

void conflict_happens(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n; i++) {
		char text[32];
		struct slice pk = table_pk(text, w->rooms[i].id);
		if (store_mem_touch(w->store, pk, SLICE("ROOM"))) {
			engine_other_takes(w, pk);
			conflict_touch_any(w, pk);
			trace(w, "another process writes #%zu", i + 1);
		}
	}
}

enum err conflict_bend(struct world *w, uint64_t ticket, enum err e)
{
	const struct sim_commit *c = w->commits;
	while (c != NULL && (c->ticket != ticket || c->node != w->node)) {
		c = c->next;
	}
	if (c == NULL || c->room < 0) {
		return e;
	}
	if (e == ERR_CONFLICT && planted(w, BREAK_NO_RERUN, 1)) {
		return ERR_IO;
	}
	return e == OK && planted(w, BREAK_MADE_CONFLICT, 10) ? ERR_CONFLICT : e;
}
