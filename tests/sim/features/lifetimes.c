/*
 * lifetimes.c - how long rooms live, by what the disk says of their end.
 *
 * Where the wall clock has jumped lately, the benefit of the doubt goes to the
 * server.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

static void send_keep(struct world *w, struct conn *c, int room, int64_t days, bool with_key,
		      const char *once)
{
	struct room_keep_params p = {.days = days};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROOM_KEEP, room, &p, &about);
}

/* ---- acts ---- */

static void act_keep(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_keep(w, c, room, 1 + dice_below(&w->dice, 3), act_shows(w, c, room),
		  act_once(w, once));
}

static const struct act life_acts[] = {
	{8, act_keep, true},
};

/* ---- looking ---- */

/* Whether the clock has been steady for as long as anything takes. */
static bool lives_clock_is_steady(const struct world *w)
{
	return w->jumps == 0 || w->jump_step + 100 < w->step || w->is_night;
}

static const struct table_row *lives_row(const struct world *w, int room)
{
	char text[32];
	return table_find(&w->table, table_pk(text, w->rooms[room].id), SLICE("ROOM"));
}

/* Nobody follows it, who would keep it alive while it is loaded again, and nothing is on its way
 * that may have prolonged it. */
static bool lives_is_settled(const struct world *w, const struct op *asked)
{
	int room = asked->room;
	const struct sim_room *r = &w->rooms[room];
	if (r->failed_mono != 0 && r->failed_mono + 1100 > w->mono_ms) {
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
	/* A call that came in time has prolonged it, also where its commit has to be made again. */
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op != asked && op->room == room && op->is_delivered && !op->is_answered &&
		    !op->is_closed && !op->was_ended) {
			return false;
		}
	}
	return true;
}

/* ---- answers ---- */

static void lives_delivered(struct world *w, struct conn *c, struct op *op)
{
	const struct table_row *row = op->room < 0 ? NULL : lives_row(w, op->room);
	(void)c;
	op->was_ended = row != NULL && !w->rooms[op->room].mem->in_memory &&
			row->expires_at <= w->wall_ms && lives_is_settled(w, op);
}

static void lives_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	(void)c;
	(void)result;
	if (op->room < 0 || !op->was_ended || op->jumps_before != w->jumps) {
		return;
	}
	/* Its connection may have been read no further until another request had failed with that end. */
	const struct sim_room *r = &w->rooms[op->room];
	bool was_kept = r->failed_mono >= op->delivered_mono;
	if (!was_kept) {
		broken(w, CLAIM_LIFETIMES, "%s is granted in %s, whose time was over",
		       method_rows[op->method].name, r->id);
	}
}

static const struct request life_requests[] = {
	{.method = METHOD_ROOM_KEEP},
};

/* ---- ends ---- */

static bool lives_delete_was_asked(struct world *w, int room)
{
	if (group_of_room_is_gone(w, room)) {
		return true;
	}
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_ROOM_DELETE && op->room == room && op->is_delivered &&
		    (op->is_ok || !op->is_answered)) {
			return true;
		}
	}
	return false;
}

/* When the room ends, by what is durable before the commit. */
static void lives_before(struct world *w, const struct sim_commit *c)
{
	const struct table_row *row = c->room < 0 ? NULL : lives_row(w, c->room);
	if (c->room >= 0) {
		w->rooms[c->room].expires_at = row == NULL ? 0 : row->expires_at;
	}
}

static void lives_after(struct world *w, const struct sim_commit *c)
{
	if (c->room < 0) {
		return;
	}
	struct sim_room *r = &w->rooms[c->room];
	int64_t expires_at = r->expires_at;
	/* An end that waits for an earlier commit stands, also where the clock is set back meanwhile. */
	bool was_jumped_over = r->is_jumped_over;
	r->is_jumped_over = w->jumps > 0 && c->asked_step <= w->jump_step;
	bool is_sure = lives_clock_is_steady(w) && !was_jumped_over && !r->is_jumped_over;
	/* A call to delete it that is not answered may come too late for that. */
	if (expires_at == 0 || lives_row(w, c->room) != NULL ||
	    (expires_at > w->wall_ms && lives_delete_was_asked(w, c->room))) {
		return;
	}
	r->has_expired = true;
	if (expires_at > w->wall_ms && is_sure) {
		broken(w, CLAIM_LIFETIMES, "%s is gone %lld ms before its time", r->id,
		       (long long)(expires_at - w->wall_ms));
	}
}

static void lives_told(struct world *w, int room, enum notice notice)
{
	const struct sim_room *r = &w->rooms[room];
	if ((notice == NOTICE_ROOM_EXPIRED && !lives_delete_was_asked(w, room) &&
	     !r->has_expired) ||
	    (notice == NOTICE_ROOM_DELETED && !lives_delete_was_asked(w, room) &&
	     !r->end_is_unknown)) {
		broken(w, CLAIM_LIFETIMES, "%s has ended in another way than is said", r->id);
	}
}

/* The first warning comes five minutes before the end, by the clock as it was when the warning began its way. */
static void lives_warned(struct world *w, int room, int64_t expires_at)
{
	if (room >= 0 && expires_at - (w->wall_ms + w->set_back_ms) > 300000 &&
	    lives_clock_is_steady(w)) {
		broken(w, CLAIM_LIFETIMES, "those who watch %s are warned %lld s before the end",
		       w->rooms[room].id, (long long)(expires_at - w->wall_ms) / 1000);
	}
	if (room >= 0) {
		w->rooms[room].warned_for = expires_at;
		w->rooms[room].warned_left_ms = expires_at - w->wall_ms;
	}
}

static void lives_notice(struct world *w, struct conn *c, enum notice notice,
			 const union notice_record *rec)
{
	(void)c;
	if (notice == NOTICE_ROOM_DELETED || notice == NOTICE_ROOM_EXPIRED) {
		lives_told(w, room_of_id(w, rec->ended.room_id), notice);
	} else if (notice == NOTICE_ROOM_EXPIRING && !planted(w, BREAK_LOSE_WARNING, 1)) {
		lives_warned(w, room_of_id(w, rec->expiring.room_id), rec->expiring.expires_at);
	}
}

/* Five minutes before the end, and one, those who only watch are told of it; whoever has a name keeps the room. */
static void lives_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	const struct table_row *row = lives_row(w, room);
	bool is_watched = false;
	for (size_t i = 0; i < w->conns_n; i++) {
		const struct conn *c = w->conns[i];
		is_watched = is_watched || (c->server_has && c->leaving_on[room] && !c->is_deaf);
	}
	for (size_t i = 0; i < r->mem->now.n; i++) {
		const struct view_user *u = &r->mem->now.users[i];
		if (u->is_connected && u->has_name) {
			return;
		}
	}
	if (r->mem->now.policy.lobby) {
		return; /* whoever waits there is told nothing, and the warning is spent */
	}
	int64_t left = row == NULL ? 0 : row->expires_at - w->wall_ms;
	bool is_near = left > 0 && left + 1100 <= 300000;
	bool is_told = row != NULL && r->warned_for == row->expires_at &&
		       (left + 1100 > 60000 || r->warned_left_ms <= 60000);
	if (is_watched && is_near && !is_told && w->jumps == 0) {
		broken(w, CLAIM_LIFETIMES, "%s ends in %lld s, and nobody is told", r->id,
		       (long long)left / 1000);
	}
}

/* What a server before this one has told is told again, and what it could not write is tried at once. */
static void lives_restarted(struct world *w)
{
	/* Of several nodes the others have warned those who watch there. */
	for (size_t i = 0; i < w->rooms_n && w->nodes_n == 1; i++) {
		w->rooms[i].warned_for = 0;
		w->rooms[i].failed_mono = 0;
	}
}

/* A night and half a minute after it, nothing is left of what was over. */
static void lives_morning(struct world *w)
{
	/* An index that lags shows some of it only after further commits, of which there are none. */
	if (w->is_lagging) {
		return;
	}
	TABLE_EACH (&w->table, TABLE_ALL, row) {
		int64_t at = row->expires_at;
		if (row->kind == ITEM_ONCE && planted(w, BREAK_KEEP_ONCE, 1)) {
			at -= 2 * (int64_t)MAX_ONCE_LIFE_MS;
		}
		if (at != 0 && at + 20000 < w->wall_ms) {
			broken(w, CLAIM_LIFETIMES, "%.*s is still there, and was over %lld s ago",
			       (int)row->pk_len, row->pk, (long long)(w->wall_ms - at) / 1000);
		}
	}
}

const struct feature feature_lifetimes = {
	.name = "lifetimes",
	FEATURE_ROWS(acts, life_acts),
	FEATURE_ROWS(requests, life_requests),
	.delivered = lives_delivered,
	.granted = lives_granted,
	.notice = lives_notice,
	.commit_before = lives_before,
	.commit_after = lives_after,
	.settled_room = lives_settled,
	.restarted = lives_restarted,
	.morning = lives_morning,
};
