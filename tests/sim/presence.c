/*
 * presence.c - who is present, and how: set by its user, said to others at most
 * every 50 ms, gone with the user, never on the disk.
 */
#include <string.h>

#include "tests/sim/rules.h"

/* ---- why it may change ---- */

/* Some call of whoever sits there has set that value. */
static bool presence_was_set(const struct world *w, int room, const char *user_id, uint64_t value)
{
	int owner = room_owner(&w->rooms[room], user_id);
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_PRESENCE_SET && op->room == room && op->value == value) {
			return op->is_delivered && (owner < 0 || owner == op->member);
		}
	}
	return false;
}

/* Whether some time that was given with a value is over. */
static bool presence_has_lapsed(const struct world *w, int room, const char *user_id)
{
	int owner = room_owner(&w->rooms[room], user_id);
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_PRESENCE_SET && op->room == room && op->token > 0 &&
		    op->is_delivered && (owner < 0 || owner == op->member) &&
		    op->delivered_mono + op->token <= w->mono_ms) {
			return true;
		}
	}
	return false;
}

/*
 * Whether the seat was given up since that was set. What its user was present
 * with goes a moment later, and by then its key may have sat down again.
 */
static bool presence_lost_its_seat(const struct change *ch, const struct view_present *was)
{
	const struct view *v = ch->before;
	while (v != NULL && view_present(v, was->name, was->user_id) != NULL) {
		if (view_user_const(v, was->user_id) == NULL) {
			return true;
		}
		v = room_at(ch->r, v->epoch, v->version - 1);
	}
	return false;
}

static bool presence_may_go(const struct change *ch, const struct view_present *was)
{
	const char *user_id = was->user_id;
	struct methods own = METHODS_OF(METHOD_PRESENCE_REMOVE, METHOD_ROOM_LEAVE,
					METHOD_ROOM_DELETE_USER, METHOD_ROOM_UNSUBSCRIBE);
	return view_user_const(ch->after, user_id) == NULL || presence_lost_its_seat(ch, was) ||
	       rules_has_cause(ch, own, user_id) ||
	       rules_has_cause(ch, METHODS_OF(METHOD_PRESENCE_DELETE), NULL) ||
	       rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK, METHOD_ROOM_REJECT), user_id) ||
	       rules_was_away(ch, user_id, LIMIT_PRESENCE_GRACE_MS) ||
	       presence_has_lapsed(ch->w, ch->room, user_id);
}

void presence_follow(struct world *w, int room, const struct view *before, const struct view *after)
{
	struct change ch = {w, room, &w->rooms[room], before, after};
	for (size_t i = 0; i < after->present_n && !w->is_broken; i++) {
		const struct view_present *is = &after->present[i];
		uint64_t value = is->value + planted(w, BREAK_BEND_PRESENCE, 5);
		const struct view_present *was = view_present(before, is->name, is->user_id);
		if ((was == NULL || was->value != value) &&
		    !presence_was_set(w, room, is->user_id, value)) {
			broken(w, CLAIM_PRESENCE, "somebody in %s is present as nobody said",
			       w->rooms[room].id);
		}
	}
	for (size_t i = 0; i < before->present_n && !w->is_broken; i++) {
		const struct view_present *was = &before->present[i];
		if (view_present(after, was->name, was->user_id) == NULL &&
		    !presence_may_go(&ch, was)) {
			broken(w, CLAIM_PRESENCE,
			       "%s is not present any more in %s, and nothing "
			       "says why",
			       member_name(w, room_owner(ch.r, was->user_id)), ch.r->id);
		}
	}
}

/* ---- how often it is said ---- */

static bool presence_is_said(const struct room_update *u)
{
	for (size_t i = 0; i < u->data_n; i++) {
		for (size_t k = 0; k < u->data[i].entries_n; k++) {
			if (u->data[i].kind == DATA_PRESENCE && !u->data[i].entries[k].is_gone) {
				return true;
			}
		}
	}
	return false;
}

void presence_leaves(struct world *w, int room, const struct room_update *u)
{
	struct sim_room *r = &w->rooms[room];
	int64_t at = u->epoch == r->now.epoch && u->version + SIM_HISTORY > r->now.version
			     ? r->version_mono[u->version % SIM_HISTORY]
			     : 0;
	if (at == 0 || !presence_is_said(u)) {
		return;
	}
	bool is_new = true;
	at -= planted(w, BREAK_FAST_PRESENCE, 3) ? 1 : 0;
	for (size_t i = 0; i < r->said_n && i < 16; i++) {
		int64_t apart = at < r->said_mono[i] ? r->said_mono[i] - at : at - r->said_mono[i];
		is_new = is_new && apart != 0;
		if (apart != 0 && apart < MAX_PRESENCE_EVERY_MS) {
			broken(w, CLAIM_PRESENCE, "presences in %s are said %lld ms apart", r->id,
			       (long long)apart);
		}
	}
	if (is_new) {
		r->said_mono[r->said_n++ % 16] = at;
	}
}

/* ---- the disk ---- */

static bool presence_holds(struct slice bytes, const char value[9])
{
	for (size_t i = 0; i + 9 <= bytes.len; i++) {
		if (bytes.data[i] == value[0] && memcmp(bytes.data + i, value, 9) == 0) {
			return true;
		}
	}
	return false;
}

void presence_asked(struct world *w, const struct sim_commit *c)
{
	size_t n = w->presences_n < 16 ? w->presences_n : 16;
	for (size_t i = 0; i < c->n; i++) {
		struct slice value = c->ops[i].value;
		for (size_t k = 0; k < n; k++) {
			if (presence_holds(value, w->presences[k]) ||
			    planted(w, BREAK_DISK_PRESENCE, 50)) {
				broken(w, CLAIM_PRESENCE, "a presence is on its way to the disk");
			}
		}
	}
}

/* ---- when all is quiet ---- */

bool presence_same(const struct view *copy, const struct view *room)
{
	bool same = copy->present_n == room->present_n;
	for (size_t i = 0; i < copy->present_n && same; i++) {
		const struct view_present *mine = &copy->present[i];
		const struct view_present *is = view_present(room, mine->name, mine->user_id);
		same = is != NULL && (mine->is_hole || mine->value == is->value);
	}
	return same;
}

/*
 * Whether its user said goodbye after having said that: left, or unsubscribed
 * as the last of their connections. Others are told a moment later.
 */
static bool presence_ended(const struct world *w, int room, const struct view_present *p)
{
	const struct sim_room *r = &w->rooms[room];
	int owner = room_owner(r, p->user_id);
	int64_t away_since = room_away_unchanged_since(r, p->user_id);
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->room != room || !op->is_delivered) {
			continue;
		}
		if (op->method == METHOD_PRESENCE_SET && (owner < 0 || owner == op->member)) {
			return false;
		}
		bool is_goodbye = op->method == METHOD_ROOM_LEAVE ||
				  (op->method == METHOD_ROOM_UNSUBSCRIBE &&
				   away_since != INT64_MAX && op->delivered_mono >= away_since);
		if (is_goodbye && op->is_ok && !op->is_again &&
		    strcmp(op->user_id, p->user_id) == 0 &&
		    op->delivered_mono + 1000 < w->mono_ms) {
			return true;
		}
	}
	return false;
}

void presence_calm(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	int64_t grace = w->config.limits[LIMIT_PRESENCE_GRACE_MS] + 1100;
	for (size_t i = 0; i < r->now.present_n; i++) {
		const struct view_present *p = &r->now.present[i];
		const struct view_user *u = view_user_const(&r->now, p->user_id);
		int64_t since = room_away_unchanged_since(r, p->user_id);
		if (planted(w, BREAK_STAY_PRESENCE, 1)) {
			u = NULL;
		}
		if (u == NULL || (since != INT64_MAX && w->mono_ms - since > grace)) {
			broken(w, CLAIM_PRESENCE, "somebody who has gone is present in %s", r->id);
		} else if (presence_ended(w, room, p)) {
			broken(w, CLAIM_PRESENCE, "%s said goodbye and is present in %s",
			       member_name(w, room_owner(r, p->user_id)), r->id);
		}
	}
}
