/*
 * bend.c - see bend.h.
 */
#include "tests/sim/world/bend.h"

#include <string.h>

#include "tests/sim/features/feature.h"

/* An estimate is written to its item as something else, or nothing remembers that it was. */
static void bend_save(struct world *w, enum item_kind kind, struct store_op *op)
{
	const struct slice part = kind == ITEM_ITEM ? SLICE("points") : SLICE("round.settle");
	size_t at = 0;
	while (at + part.len <= op->value.len &&
	       !slice_eq(slice_of(op->value.data + at, part.len), part)) {
		at++;
	}
	if (op->kind != STORE_PUT || at + part.len > op->value.len) {
		return;
	}
	if (kind == ITEM_ITEM && planted(w, BREAK_BEND_SAVE, 1)) {
		memset((char *)(uintptr_t)op->value.data + at, 'P', 1);
	} else if (kind == ITEM_DIRECTORY_ONCE && planted(w, BREAK_LOSE_WITNESS, 1)) {
		op->kind = STORE_CHECK;
	}
}

void bend_ops(struct world *w, struct store_op *ops, size_t n)
{
	static const struct {
		enum item_kind of;
		enum store_op_kind kind;
		enum sim_break broken;
		unsigned one_in;
	} left_out[] = {
		{ITEM_DIRECTORY_ONCE, STORE_PUT, BREAK_FORGET_ONCE, 1},
		{ITEM_RESPONSE, STORE_PUT, BREAK_LOSE_RESPONSE, 1},
		{ITEM_STATS, STORE_PUT, BREAK_LOSE_POINTS, 2},
		{ITEM_NOTIFIED, STORE_PUT, BREAK_LOSE_NOTICE, 1},
		{ITEM_USER, STORE_DELETE, BREAK_KEEP_USER, 1},
		{ITEM_GROUP, STORE_DELETE, BREAK_KEEP_GROUP, 1},
		{ITEM_MEMBERSHIP, STORE_DELETE, BREAK_KEEP_MEMBERSHIP, 2},
		{ITEM_ITEM, STORE_DELETE, BREAK_KEEP_ITEM, 1},
		{ITEM_ITEM_KEY, STORE_DELETE, BREAK_KEEP_KEY, 1},
		{ITEM_UNSAVED, STORE_PUT, BREAK_LOSE_MARK, 1},
		{ITEM_TOKEN, STORE_DELETE, BREAK_KEEP_TOKEN, 2},
	};
	for (size_t i = 0; i < n; i++) {
		enum item_kind kind = item_kind_of(ops[i].pk, ops[i].sk);
		bend_save(w, kind, &ops[i]);
		/* Who has a name is not found, and not looked at where another takes it. */
		if (kind == ITEM_USER_NAME && ops[i].kind == STORE_PUT &&
		    planted(w, BREAK_BLIND_NAMES, 1)) {
			ops[i].expect = STORE_EXPECT_ANY;
		}
		/* Of several uses; an invitation that is new is put likewise. */
		if (kind == ITEM_INVITATION && ops[i].kind == STORE_PUT &&
		    ops[i].expect == STORE_EXPECT_VERSION && planted(w, BREAK_KEEP_USE, 1)) {
			ops[i].kind = STORE_CHECK;
		}
		for (size_t j = 0; j < sizeof(left_out) / sizeof(left_out[0]); j++) {
			if (kind == left_out[j].of && ops[i].kind == left_out[j].kind &&
			    planted(w, left_out[j].broken, left_out[j].one_in)) {
				ops[i].kind = STORE_CHECK;
			}
		}
	}
}

void bend_fences(struct world *w, struct effect *fx)
{
	if (w->o.planted == BREAK_NO_TAKING || w->o.planted == BREAK_AFTER_FENCED) {
		fx->load.fence = (struct store_fence){{0}};
	}
	if (w->o.planted == BREAK_NO_TAKING) {
		fx->fence = (struct store_fence){{0}};
	}
}

int64_t bend_time(struct world *w, const struct event *e)
{
	int64_t life = w->config.limits[LIMIT_SESSION_LIFE_MS];
	int64_t room_life = 3 * w->config.limits[LIMIT_ROOM_LIFE_MS];
	bool is_room =
		e->kind == EVENT_LOADED && e->n > 0 && slice_starts(e->items[0].pk, SLICE("ROOM:"));
	bool is_session = e->kind == EVENT_LOADED && e->n == 1 &&
			  item_kind_of(e->items[0].pk, e->items[0].sk) == ITEM_TOKEN;
	if (is_session && planted(w, BREAK_LATE_SESSION, 2)) {
		return -2 * life;
	}
	/* A room that waits for its maker or has graces is looked at again by a tick. */
	if ((is_room || e->kind == EVENT_TICK) && w->is_night && planted(w, BREAK_LATE_END, 1)) {
		return -w->night_ms - room_life;
	}
	if (is_room && planted(w, BREAK_EARLY_END, 1)) {
		return room_life;
	}
	return is_session && planted(w, BREAK_EARLY_SESSION, 2) ? 2 * life : 0;
}

void bend_limits(struct world *w, int64_t limits[LIMIT_COUNT])
{
	static const struct {
		enum sim_break planted;
		enum limit limit;
	} rows[] = {
		{BREAK_LONG_VOTE, LIMIT_VOTE_GRACE_MS},
		{BREAK_LONG_SEAT, LIMIT_NAME_GRACE_MS},
		{BREAK_LONG_PRESENCE, LIMIT_PRESENCE_GRACE_MS},
		{BREAK_LONG_COUNTDOWN, LIMIT_COUNTDOWN_MS},
		{BREAK_LONG_HELLO, LIMIT_HELLO_MS},
		{BREAK_LONG_FRAME, LIMIT_FRAME_MS},
		{BREAK_LONG_STALL, LIMIT_STALL_MS},
	};
	if (planted(w, BREAK_SHORT_ROOM, 1)) {
		limits[LIMIT_GROUP_ROOM_LIFE_MS] /= 2;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (planted(w, rows[i].planted, 1)) {
			limits[rows[i].limit] *= 50;
		}
	}
}

/* ---- what is published ---- */

static struct sim_commit *bend_commit(const struct world *w, uint64_t ticket, struct slice body)
{
	struct sim_commit *c = w->commits;
	while (c != NULL && (c->node != w->node || c->life != w->node->life ||
			     (body.len > 0 ? !slice_eq(c->publish, body) : c->ticket != ticket))) {
		c = c->next;
	}
	return c;
}

bool bend_holds_news(struct world *w, struct slice body)
{
	struct sim_commit *c = w->o.planted == BREAK_NEWS_AT_REPLY && body.len > 0
				       ? bend_commit(w, 0, body)
				       : NULL;
	if (c == NULL || !planted(w, BREAK_NEWS_AT_REPLY, 1)) {
		return false;
	}
	c->is_told_late = true;
	return true;
}

struct slice bend_held_news(const struct world *w, uint64_t ticket)
{
	const struct sim_commit *c = w->o.planted == BREAK_NEWS_AT_REPLY
					     ? bend_commit(w, ticket, (struct slice){0})
					     : NULL;
	return c != NULL && c->is_told_late ? c->publish : (struct slice){0};
}
