/*
 * conflict.c - another process on the same disk: it writes the ROOM item of a
 * room, with nothing in it changed, so that whatever the server does on the room
 * was made on an older one.
 *
 * A conflict excuses nothing: every request that was on its way is answered as
 * if there had been none, once.
 */
#include "tests/support/store_mem.h"
#include "tests/sim/disk/commit.h"
#include "tests/sim/world/world.h"

void conflict_happens(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n; i++) {
		char pk[32];
		size_t len = (size_t)snprintf(pk, sizeof(pk), "ROOM:%s", w->rooms[i].id);
		if (store_mem_touch(w->store, slice_of(pk, len), SLICE("ROOM"))) {
			trace(w, "another process writes #%zu", i + 1);
		}
	}
}

enum err conflict_bend(struct world *w, uint64_t ticket, enum err e)
{
	const struct sim_commit *c = w->commits;
	while (c != NULL && c->ticket != ticket) {
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
