/*
 * presence.c - who is present, and how: set by its user, said to others at most
 * every 50 ms, gone with the user, never on the disk.
 */
#include <string.h>

#include "tests/sim/features/data.h"

/* ---- requests ---- */

static void send_presence_set(struct world *w, struct conn *c, int room, int64_t ttl_ms,
			      const char *once)
{
	char value[9];
	struct presence_set_params p = {.ttl_ms = ttl_ms, .with_ttl_ms = ttl_ms != 0};
	p.ttl_ms *= planted(w, BREAK_LONG_TTL, 1) ? 20 : 1;
	struct op about = {.token = ttl_ms};
	SEND_DATA(p, about, w, c, room, "p");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	memcpy(w->presences[w->presences_n++ % 16], value, sizeof(value));
	send_op(w, c, METHOD_PRESENCE_SET, room, &p, &about);
}

/* ---- acts ---- */

static void act_presence(struct world *w, struct conn *c, int room)
{
	char keep[40];
	const char *once = act_once(w, keep);
	uint32_t kind = dice_below(&w->dice, 100);
	if (view_entry(&c->subs[room]->view, "presence", "") == NULL && kind < 60) {
		send_data(w, c, METHOD_PRESENCE_CREATE, room, "p", once);
	} else if (kind < 75) {
		/* As somebody who types does: a few at once. */
		for (uint32_t i = dice_below(&w->dice, 4) + 1; i > 0; i--) {
			int64_t ttl =
				dice_percent(&w->dice, 30) ? 1000 + dice_below(&w->dice, 3000) : 0;
			send_presence_set(w, c, room, ttl, NULL);
		}
	} else if (kind < 85) {
		send_data(w, c, METHOD_PRESENCE_REMOVE, room, "p", once);
	} else if (kind < 97) {
		send_get(w, c, METHOD_PRESENCE_GET, room, "p");
	} else {
		send_data(w, c, METHOD_PRESENCE_DELETE, room, "p", once);
	}
}

/* ---- answers ---- */

static bool refused_not_here(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || !me->is_connected;
}

static bool refused_no_presence(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return view_entry(v, "presence", "") == NULL;
}

/* Whether somebody is present is told by no version. */
static bool presence_excuses(struct world *w, const struct op *op, enum fault_code code)
{
	(void)w;
	return op->method == METHOD_PRESENCE_REMOVE && code == FAULT_NOT_FOUND;
}

static const struct request presence_requests[] = {
	{.method = METHOD_PRESENCE_CREATE, DATA_EDITORS_ROW},
	{.method = METHOD_PRESENCE_DELETE, DATA_DELETERS_ROW, .not_found = refused_no_presence},
	{.method = METHOD_PRESENCE_GET, DATA_READERS_ROW, .not_found = refused_no_presence},
	{.method = METHOD_PRESENCE_SET,
	 DATA_READERS_ROW,
	 .not_found = refused_no_presence,
	 .conflict = refused_not_here},
	{.method = METHOD_PRESENCE_REMOVE, DATA_READERS_ROW},
};

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
 * with goes a moment later, and by then its key may have sat down again. Of the
 * versions that came about at once only the last was seen.
 */
static bool presence_lost_its_seat(const struct change *ch, const struct view_present *was)
{
	int64_t version = ch->before->version;
	int64_t oldest = version < SIM_HISTORY ? 0 : version - SIM_HISTORY + 1;
	for (; version >= oldest; version--) {
		const struct view *v = room_at(ch->r, ch->before->epoch, version);
		if (v != NULL && view_present(v, was->name, was->user_id) == NULL) {
			return false;
		}
		if (v != NULL && view_user_const(v, was->user_id) == NULL) {
			return true;
		}
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

static void presence_follow(const struct change *ch)
{
	struct world *w = ch->w;
	for (size_t i = 0; i < ch->after->present_n && !w->is_broken; i++) {
		const struct view_present *is = &ch->after->present[i];
		uint64_t value = is->value + planted(w, BREAK_BEND_PRESENCE, 5);
		const struct view_present *was = view_present(ch->before, is->name, is->user_id);
		if ((was == NULL || was->value != value) &&
		    !presence_was_set(w, ch->room, is->user_id, value)) {
			broken(w, CLAIM_PRESENCE, "somebody in %s is present as nobody said",
			       ch->r->id);
		}
	}
	for (size_t i = 0; i < ch->before->present_n && !w->is_broken; i++) {
		const struct view_present *was = &ch->before->present[i];
		if (view_present(ch->after, was->name, was->user_id) == NULL &&
		    !presence_may_go(ch, was)) {
			broken(w, CLAIM_PRESENCE,
			       "%s is not present any more in %s, and nothing "
			       "says why",
			       member_name(w, room_owner(ch->r, was->user_id)), ch->r->id);
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

static void presence_update(struct world *w, struct conn *c, int room, const struct room_update *u)
{
	(void)c;
	struct sim_room *r = &w->rooms[room];
	int64_t at = u->epoch == r->mem->now.epoch && u->version + SIM_HISTORY > r->mem->now.version
			     ? r->mem->version_mono[u->version % SIM_HISTORY]
			     : 0;
	if (u->full || at == 0 || !presence_is_said(u)) {
		return;
	}
	bool is_new = true;
	at -= planted(w, BREAK_FAST_PRESENCE, 3) ? 1 : 0;
	for (size_t i = 0; i < r->mem->said_n && i < 16; i++) {
		int64_t apart = at < r->mem->said_mono[i] ? r->mem->said_mono[i] - at
							  : at - r->mem->said_mono[i];
		is_new = is_new && apart != 0;
		if (apart != 0 && apart < MAX_PRESENCE_EVERY_MS) {
			broken(w, CLAIM_PRESENCE, "presences in %s are said %lld ms apart", r->id,
			       (long long)apart);
		}
	}
	if (is_new) {
		r->mem->said_mono[r->mem->said_n++ % 16] = at;
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

static void presence_asked(struct world *w, const struct sim_commit *c)
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

static bool presence_same(const struct view *copy, const struct view *room)
{
	bool same = copy->present_n == room->present_n;
	for (size_t i = 0; i < copy->present_n && same; i++) {
		const struct view_present *mine = &copy->present[i];
		const struct view_present *is = view_present(room, mine->name, mine->user_id);
		same = is != NULL && (mine->is_hole || mine->value == is->value);
	}
	return same;
}

/* Whether one was set so lately that it may wait for its turn to be sent. */
static bool presence_is_owed(const struct world *w, int room)
{
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_PRESENCE_SET && op->room == room && op->is_answered &&
		    op->answered_mono + MAX_PRESENCE_EVERY_MS + 1100 > w->mono_ms) {
			return true;
		}
	}
	return false;
}

/* What everybody sees who asked for it. */
static void presence_copies(struct world *w, int room)
{
	if (presence_is_owed(w, room)) {
		return;
	}
	const struct sim_room *r = &w->rooms[room];
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		const struct conn *c = w->conns[i];
		const struct sub *sub = c->subs[room];
		bool follows = c->server_has && c->client_has && sub != NULL && sub->is_on &&
			       !c->is_deaf && !sub->you_is_waiting;
		if (follows && !c->is_without_data && !presence_same(&sub->view, &r->mem->now)) {
			broken(w, CLAIM_PRESENCE,
			       "all is quiet, and %s sees others present in %s than are",
			       member_name(w, c->member), r->id);
		}
	}
}

/* What lies with the server may be carried out after what came later on another connection. */
static bool presence_may_be_newer(const struct world *w, int room, const char *user_id,
				  const struct op *goodbye)
{
	int owner = room_owner(&w->rooms[room], user_id);
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_PRESENCE_SET && op->room == room && op->is_delivered &&
		    (owner < 0 || owner == op->member) &&
		    (op->answered == 0 || op->answered > goodbye->order)) {
			return true;
		}
	}
	return false;
}

/*
 * Whether its user said goodbye after having said that: left, or unsubscribed
 * as the last of their connections. Others are told a moment later.
 */
static bool presence_ended(const struct world *w, int room, const struct view_present *p)
{
	const struct sim_room *r = &w->rooms[room];
	int64_t away_since = room_away_unchanged_since(r, p->user_id);
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->room != room || !op->is_delivered) {
			continue;
		}
		bool is_goodbye = (op->method == METHOD_ROOM_LEAVE && !op->flag) ||
				  (op->method == METHOD_ROOM_UNSUBSCRIBE &&
				   away_since != INT64_MAX && op->delivered_mono >= away_since);
		if (is_goodbye && op->is_ok && !op->is_again &&
		    strcmp(op->user_id, p->user_id) == 0 &&
		    op->delivered_mono + 1000 < w->mono_ms) {
			return !presence_may_be_newer(w, room, p->user_id, op);
		}
	}
	return false;
}

/* Whether the time that was given with the value is over. */
static bool presence_is_over(const struct world *w, int room, const struct view_present *p)
{
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_PRESENCE_SET && op->room == room &&
		    op->value == p->value) {
			return op->token > 0 && op->is_ok &&
			       op->answered_mono + op->token + 1100 < w->mono_ms;
		}
	}
	return false;
}

static void presence_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	int64_t grace = w->config.limits[LIMIT_PRESENCE_GRACE_MS] + 1100;
	presence_copies(w, room);
	for (size_t i = 0; i < r->mem->now.present_n; i++) {
		const struct view_present *p = &r->mem->now.present[i];
		const struct view_user *u = view_user_const(&r->mem->now, p->user_id);
		int64_t since = room_away_unchanged_since(r, p->user_id);
		if (planted(w, BREAK_STAY_PRESENCE, 1)) {
			u = NULL;
		}
		if (u == NULL || (since != INT64_MAX && w->mono_ms - since > grace)) {
			broken(w, CLAIM_PRESENCE, "somebody who has gone is present in %s", r->id);
		} else if (presence_is_over(w, room, p)) {
			broken(w, CLAIM_PRESENCE,
			       "somebody is present in %s past the time they gave", r->id);
		} else if (presence_ended(w, room, p)) {
			broken(w, CLAIM_PRESENCE, "%s said goodbye and is present in %s",
			       member_name(w, room_owner(r, p->user_id)), r->id);
		}
	}
}

static const struct act presence_acts[] = {
	{65, act_presence, false},
};

/* Before half of them go home, and are present no more after a while. */
static void presence_comes_back(struct world *w, struct conn *c)
{
	for (int room = 0; room < (int)w->rooms_n && !w->is_night && !c->is_desk; room++) {
		const struct sub *sub = c->subs[room];
		if (sub != NULL && sub->is_on && !sub->you_is_waiting && !c->is_broken &&
		    dice_percent(&w->dice, 50)) {
			send_data(w, c, METHOD_PRESENCE_CREATE, room, "p", NULL);
			send_presence_set(w, c, room, 0, NULL);
		}
	}
}

const struct feature feature_presence = {
	.name = "presence",
	FEATURE_ROWS(acts, presence_acts),
	FEATURE_ROWS(requests, presence_requests),
	.excuses = presence_excuses,
	.update = presence_update,
	.follow = presence_follow,
	.follow_live = presence_follow,
	.commit_asked = presence_asked,
	.settled_room = presence_settled,
	.comes_back = presence_comes_back,
};
