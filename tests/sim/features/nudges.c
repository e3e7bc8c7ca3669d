/*
 * nudges.c - who is rung because others wait for their vote: only somebody who
 * has none, because somebody asked for it, and once in half a minute; in the room,
 * or, with no connection there, where their user is watched. And what members show for a moment.
 *
 * A nudge may leave late, so two of them may leave close together: what is
 * looked for is a moment for each at which a call could have been carried out.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"
#include "tests/sim/net/send.h"

#include <string.h>

/* ---- requests and acts ---- */

void send_nudge(struct world *w, struct conn *c, int room, const char *user_id, const char *once)
{
	struct room_nudge_params p = {.user_id = slice_str(user_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.user_id);
	send_op(w, c, METHOD_ROOM_NUDGE, room, &p, &about);
}

void send_nudge_by_another(struct world *w, const struct conn *c, int room)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *other = w->conns[i];
		const struct sub *sub = other->subs[room];
		/* What follows half a message would be read as the rest of it. */
		bool may_send = other != c && other->server_has && !other->is_broken;
		if (may_send && sub != NULL && sub->has_you && sub->you_name[0] != '\0') {
			send_nudge(w, other, room, NULL, NULL);
			return;
		}
	}
}

static void act_nudge(struct world *w, struct conn *c, int room)
{
	char once[40];
	const char *user_id = dice_percent(&w->dice, 50) ? act_somebody(w, c, room) : NULL;
	send_nudge(w, c, room, user_id, act_once(w, once));
}

static void act_react(struct world *w, struct conn *c, int room)
{
	static const char *const words[] = {"hm", "yes", "\xf0\x9f\x91\x8d", "two words"};
	char once[40];
	const char *key = act_once(w, once);
	uint32_t which = dice_below(&w->dice, 4);
	struct room_react_params p = {.word = slice_str(words[which])};
	struct op about = {.expect = which == 3 ? FAULT_VALIDATION_ERROR : FAULT_NONE};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, key);
	about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	view_text(about.text, sizeof(about.text), p.word);
	send_op(w, c, METHOD_ROOM_REACT, room, &p, &about);
}

static const struct act nudge_acts[] = {
	{14, act_nudge, false},
	{6, act_react, false},
};

/* ---- why somebody may be rung ---- */

/* Where who voted is hidden, a state does not tell who has: there the server alone knows. */
static bool nudge_is_due(const struct world *w, const struct op *op, const struct view *v)
{
	const struct view_user *u = view_user_const(v, op->target);
	(void)w;
	return u != NULL && !v->is_revealed && u->has_name && !u->is_spectator && !u->is_waiting &&
	       !u->has_vote;
}

static bool nudge_is_due_here(const struct world *w, const struct op *op, const struct view *v)
{
	return nudge_is_due(w, op, v) && view_user_const(v, op->target)->is_connected;
}

static bool nudge_is_due_elsewhere(const struct world *w, const struct op *op, const struct view *v)
{
	return nudge_is_due(w, op, v) && !view_user_const(v, op->target)->is_connected;
}

/* Whether the call may have rung that seat: it is not refused, about that seat or all but the caller's. */
static bool nudge_may_ring(const struct world *w, const struct op *op, int room,
			   const char *user_id, state_test *is_due)
{
	bool is_refused = op->is_answered && !op->is_ok && !op->is_shadowed;
	if (op->method != METHOD_ROOM_NUDGE || op->room != room || !op->is_delivered ||
	    is_refused) {
		return false;
	}
	struct op about = *op;
	view_text(about.target, sizeof(about.target), slice_str(user_id));
	bool is_meant = op->target[0] == '\0' ? strcmp(op->user_id, user_id) != 0
					      : strcmp(op->target, user_id) == 0;
	return is_meant && answers_some(w, &about, is_due);
}

/* The first moment from that one on at which some call may have rung the seat; -1: there is none. */
static int64_t nudge_moment(const struct world *w, int room, const char *user_id,
			    state_test *is_due, int64_t from)
{
	int64_t first = -1;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		int64_t at = op->delivered_mono > from ? op->delivered_mono : from;
		int64_t until = op->is_answered ? op->answered_mono : w->mono_ms;
		if (at <= until && (first < 0 || at < first) &&
		    nudge_may_ring(w, op, room, user_id, is_due)) {
			first = at;
		}
	}
	return first;
}

/* A member is rung so often for each seat: whether the user had none for a moment since then. */
static bool nudge_seat_has_ended(const struct sim_room *r, const char *user_id, int64_t since)
{
	for (int64_t version = r->mem->now.version; version > r->mem->now.version - SIM_HISTORY;
	     version--) {
		const struct view *v = room_at(r, r->mem->now.epoch, version);
		if (v != NULL && r->mem->version_mono[version % SIM_HISTORY] >= since &&
		    view_user_const(v, user_id) == NULL) {
			return true;
		}
	}
	return false;
}

/* Of each connection for itself: by another the same nudge may leave later. A room that is loaded again has forgotten whom
 * it rang. */
static void nudge_leaves(struct world *w, struct conn *c, int room)
{
	const struct sim_room *r = &w->rooms[room];
	int64_t last = c->nudged_mono[room];
	bool is_forgotten = last == 0 || r->mem->loaded_mono >= last ||
			    nudge_seat_has_ended(r, c->leaving_id[room], last);
	int64_t at = nudge_moment(w, room, c->leaving_id[room], nudge_is_due_here,
				  is_forgotten ? last : last + MAX_NUDGE_MS);
	if (at < 0 && nudge_moment(w, room, c->leaving_id[room], nudge_is_due_here, 0) < 0) {
		broken(w, CLAIM_RULES, "%s is rung in %s, and nothing says why",
		       member_name(w, c->member), r->id);
	} else if (at < 0) {
		broken(w, CLAIM_BOUNDS, "%s is rung in %s less than %d s after the last time",
		       member_name(w, c->member), r->id, MAX_NUDGE_MS / 1000);
	}
	c->nudged_mono[room] = at;
}

/* To a connection that watches its user, or will when the answer has left. */
static void nudge_leaves_elsewhere(struct world *w, struct conn *c, int room)
{
	struct sessions_watch *copy = &c->copy;
	const struct sim_room *r = &w->rooms[room];
	if (copy->is_unsure || (!copy->is_on && watch_is_asked_for(w, c))) {
		return;
	}
	int64_t last = copy->nudged_mono[room];
	bool is_forgotten = last == 0 || r->mem->loaded_mono >= last ||
			    nudge_seat_has_ended(r, copy->user_id, last);
	int64_t at = nudge_moment(w, room, copy->user_id, nudge_is_due_elsewhere,
				  is_forgotten ? last : last + MAX_NUDGE_MS);
	bool is_due =
		at >= 0 || nudge_moment(w, room, copy->user_id, nudge_is_due_elsewhere, 0) >= 0;
	if (!copy->is_on || !is_due) {
		broken(w, CLAIM_SECRECY, "%s is told of a nudge in %s that is not its user's",
		       member_name(w, c->member), r->id);
	} else if (at < 0) {
		broken(w, CLAIM_BOUNDS,
		       "the user of %s is rung in %s less than %d s after the last time",
		       member_name(w, c->member), r->id, MAX_NUDGE_MS / 1000);
	}
	copy->nudged_mono[room] = at;
}

static void nudge_told_elsewhere(struct world *w, struct conn *c, const struct session_nudged *n)
{
	int room = room_of_id(w, n->room_id);
	if (room < 0) {
		broken(w, CLAIM_SECRECY, "session.nudged of a room that there is not");
		return;
	}
	nudge_leaves_elsewhere(w, c, room);
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *other = w->conns[i];
		if (other->copy.is_on && strcmp(other->copy.user_id, c->copy.user_id) != 0 &&
		    planted(w, BREAK_OTHER_NUDGE, 1)) {
			nudge_leaves_elsewhere(w, other, room);
		}
	}
}

/* Somebody on that seat has asked for that word. */
static void reaction_leaves(struct world *w, struct conn *c, const struct reaction_notice *n)
{
	int room = room_of_id(w, n->room_id);
	for (size_t i = w->ops_n; i-- > 0;) {
		const struct op *op = &w->ops[i];
		if (op->method == METHOD_ROOM_REACT && op->room == room && op->is_delivered &&
		    (op->user_id[0] == '\0' || slice_eq(slice_str(op->user_id), n->user_id)) &&
		    slice_eq(slice_str(op->text), n->word)) {
			return;
		}
	}
	broken(w, CLAIM_RULES, "%s is shown a reaction that nobody asked for",
	       member_name(w, c->member));
}

static void nudges_notice(struct world *w, struct conn *c, enum notice notice,
			  const union notice_record *rec)
{
	int room = notice == NOTICE_ROOM_NUDGED ? room_of_id(w, rec->nudged.room_id) : -1;
	if (notice == NOTICE_ROOM_REACTION) {
		reaction_leaves(w, c, &rec->reaction);
	}
	if (notice == NOTICE_SESSION_NUDGED) {
		nudge_told_elsewhere(w, c, &rec->session_nudged);
	}
	if (room >= 0) {
		nudge_leaves(w, c, room);
	}
	if (room >= 0 && planted(w, BREAK_REPEAT_NUDGE, 1)) {
		nudge_leaves(w, c, room);
	}
}

/* ---- answers ---- */

static void nudges_granted(struct world *w, struct conn *c, const struct op *op,
			   const union method_result *result)
{
	(void)w;
	(void)result;
	if (op->method == METHOD_ROOM_SUBSCRIBE && op->room >= 0) {
		c->nudged_mono[op->room] = 0; /* it may be another seat */
	}
}

/* Whoever has a name may nudge. */
static bool refused_no_name(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || (!me->is_host && !me->has_name);
}

static bool refused_no_member(const struct world *w, const struct op *op, const struct view *v)
{
	return op->target[0] != '\0' && has_no_target(w, op, v);
}

static bool refused_not_due(const struct world *w, const struct op *op, const struct view *v)
{
	return v->is_revealed || (op->target[0] != '\0' && !nudge_is_due_here(w, op, v));
}

/* So many reactions at once are let through that one more is too many. */
static bool has_reacted_often(const struct world *w, const struct op *op)
{
	size_t n = 0;
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *other = &w->ops[i];
		n += other != op && other->method == METHOD_ROOM_REACT && other->room == op->room &&
		     other->member == op->member && other->is_delivered &&
		     other->delivered_mono + 60000 > op->delivered_mono;
	}
	return n >= 4;
}

/* Another call may have rung that member half a minute before this one. */
static bool nudges_excuse(struct world *w, const struct op *op, enum fault_code code)
{
	bool is_soon = false;
	if (op->method == METHOD_ROOM_REACT && code == FAULT_RATE_LIMITED) {
		return has_reacted_often(w, op);
	}
	if (op->method != METHOD_ROOM_NUDGE || code != FAULT_RATE_LIMITED) {
		return false;
	}
	for (size_t i = 0; i < w->ops_n && !is_soon && op->target[0] != '\0'; i++) {
		const struct op *other = &w->ops[i];
		int64_t until = other->is_answered ? other->answered_mono : w->mono_ms;
		is_soon = other != op && until + MAX_NUDGE_MS > op->delivered_mono &&
			  nudge_may_ring(w, other, op->room, op->target, nudge_is_due);
	}
	return is_soon;
}

static const struct request nudge_requests[] = {
	{.method = METHOD_ROOM_NUDGE,
	 .forbidden = refused_no_name,
	 .not_found = refused_no_member,
	 .conflict = refused_not_due},
	{.method = METHOD_ROOM_REACT, .forbidden = refused_no_name, .takes_no_key = true},
};

const struct feature feature_nudges = {
	.name = "nudges",
	FEATURE_ROWS(acts, nudge_acts),
	FEATURE_ROWS(requests, nudge_requests),
	.granted = nudges_granted,
	.excuses = nudges_excuse,
	.notice = nudges_notice,
};
