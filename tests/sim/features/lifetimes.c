/*
 * lives.c - how long rooms live, by what the disk says of their end.
 *
 * Where the wall clock has jumped lately, the benefit of the doubt goes to the
 * server.
 */
#include "tests/sim/world/world.h"

#include <string.h>

/* Whether the clock has been steady for as long as anything takes. */
static bool lives_clock_is_steady(const struct world *w)
{
	return w->jumps == 0 || w->jump_step + 100 < w->step || w->is_night;
}

static const struct table_row *lives_row(const struct world *w, int room)
{
	char pk[32];
	int len = snprintf(pk, sizeof(pk), "ROOM:%s", w->rooms[room].id);
	for (size_t i = 0; i < w->table.n; i++) {
		const struct table_row *row = &w->table.rows[i];
		if (row->kind == ITEM_ROOM &&
		    slice_eq(slice_of(row->pk, row->pk_len), slice_of(pk, (size_t)len))) {
			return row;
		}
	}
	return NULL;
}

/* Nobody follows it, who would keep it alive while it is loaded again, and nothing is on its way
 * that may have prolonged it. */
static bool lives_is_settled(const struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	if (r->failed_step != 0 && r->failed_mono + 1100 > w->mono_ms) {
		return false; /* an end that could not be written is tried again after a while */
	}
	for (size_t i = 0; i < w->conns_n; i++) {
		if (w->conns[i]->server_has && w->conns[i]->leaving_on[room]) {
			return false;
		}
	}
	for (const struct sim_commit *c = w->commits; c != NULL; c = c->next) {
		if (c->room == room) {
			return false;
		}
	}
	return true;
}

void lives_delivered(struct world *w, struct op *op)
{
	const struct table_row *row = op->room < 0 ? NULL : lives_row(w, op->room);
	op->was_ended = row != NULL && !w->rooms[op->room].in_memory &&
			row->expires_at <= w->wall_ms && lives_is_settled(w, op->room);
}

void lives_entered(struct world *w, const struct op *op)
{
	if (op->was_ended && op->jumps_before == w->jumps) {
		broken(w, CLAIM_LIFETIMES, "%s is granted in %s, whose time was over",
		       method_rows[op->method].name, w->rooms[op->room].id);
	}
}

/* ---- ends ---- */

void lives_before(struct world *w, int room, int64_t *expires_at)
{
	const struct table_row *row = room < 0 ? NULL : lives_row(w, room);
	*expires_at = row == NULL ? 0 : row->expires_at;
}

static bool lives_delete_was_asked(const struct world *w, int room)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_ROOM_DELETE && op->room == room && op->is_delivered &&
		    (op->is_ok || !op->is_answered)) {
			return true;
		}
	}
	return false;
}

void lives_after(struct world *w, int room, int64_t expires_at)
{
	if (expires_at == 0 || lives_row(w, room) != NULL || lives_delete_was_asked(w, room)) {
		return;
	}
	struct sim_room *r = &w->rooms[room];
	r->has_expired = true;
	if (expires_at > w->wall_ms && lives_clock_is_steady(w)) {
		broken(w, CLAIM_LIFETIMES, "%s is gone %lld ms before its time", r->id,
		       (long long)(expires_at - w->wall_ms));
	}
}

void lives_told(struct world *w, int room, enum notice notice)
{
	const struct sim_room *r = &w->rooms[room];
	if ((notice == NOTICE_ROOM_EXPIRED && lives_delete_was_asked(w, room) == r->has_expired) ||
	    (notice == NOTICE_ROOM_DELETED && !lives_delete_was_asked(w, room))) {
		broken(w, CLAIM_LIFETIMES, "%s has ended in another way than is said", r->id);
	}
}

/* The first warning comes five minutes before the end. */
void lives_warned(struct world *w, int room, int64_t expires_at)
{
	if (room >= 0 && expires_at - w->wall_ms > 300000 && lives_clock_is_steady(w)) {
		broken(w, CLAIM_LIFETIMES, "those who watch %s are warned %lld s before the end",
		       w->rooms[room].id, (long long)(expires_at - w->wall_ms) / 1000);
	}
}

void lives_night(struct world *w)
{
	for (size_t i = 0; i < w->table.n && !w->is_broken; i++) {
		const struct table_row *row = &w->table.rows[i];
		if (row->expires_at != 0 && row->expires_at + 20000 < w->wall_ms) {
			broken(w, CLAIM_LIFETIMES, "%.*s is still there, and was over %lld s ago",
			       (int)row->pk_len, row->pk,
			       (long long)(w->wall_ms - row->expires_at) / 1000);
		}
	}
}
