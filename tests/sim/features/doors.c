/*
 * doors.c - who is let in and who is put out: the policy, the lobby, the
 * passcode, kicks, and keys that are kicked for good.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <string.h>

/* ---- requests ---- */

/* What one request changes of the policy: a flag, or what is beside them. */
enum policy_part {
#define PART(F, field, ...) PART_##field,
	POLICY_FLAGS(PART, _)
#undef PART
		PART_passcode,
	PART_quorum,
	PART_who_edits_data,
	PART_members_edit_data,
	POLICY_PARTS
};
/* Those of the door stand together. */
#define DOOR_PARTS (PART_passcode - PART_lobby + 1)

static void send_policy(struct world *w, struct conn *c, int room, uint32_t part, bool flag,
			bool with_key, const char *once)
{
	struct room_set_policy_params p = {0};
	struct op about = {0};
	enum who_may who = flag ? WHO_MAY_EVERYONE : WHO_MAY_HOST;
	struct policy_change *change = &p.policy;
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
#define WHO(F, field, ...)   \
	change->field = who; \
	change->with_##field = part == PART_##field;
#define SWITCH(F, field, ...) \
	change->field = flag; \
	change->with_##field = part == PART_##field;
	POLICY_WHO(WHO, _)
	POLICY_SWITCHES(SWITCH, _)
#undef WHO
#undef SWITCH
	change->passcode = flag ? SLICE(SIM_PASSCODE) : (struct slice){0};
	change->with_passcode = part == PART_passcode;
	/* A story that is open reveals its votes at once when it has enough. */
	change->quorum = flag && !w->o.is_hidden ? 1 + dice_below(&w->dice, 3) : 0;
	change->with_quorum = part == PART_quorum;
	change->who_edits_data = part != PART_who_edits_data ? DATA_EDITORS_MEMBERS
				 : flag			     ? DATA_EDITORS_EVERYONE
							     : DATA_EDITORS_HOST;
	change->with_who_edits_data = part >= PART_who_edits_data;
	send_op(w, c, METHOD_ROOM_SET_POLICY, room, &p, &about);
}

/* ---- acts ---- */

static void act_kick(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_target(w, c, METHOD_ROOM_KICK, room, act_somebody(w, c, room), act_shows(w, c, room),
		    act_once(w, once));
}

/* Somebody who was kicked for good; where nobody was, one is, or it is tried with somebody who was not. */
static void act_unkick(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct sub *sub = c->subs[room];
	if (sub->you_barred[0] == '\0' && dice_percent(&w->dice, 60)) {
		act_kick(w, c, room);
		return;
	}
	const char *whom = sub->you_barred[0] != '\0' ? sub->you_barred : act_somebody(w, c, room);
	send_target(w, c, METHOD_ROOM_UNKICK, room, whom, act_shows(w, c, room), act_once(w, once));
}

/* Whoever waits in the lobby, or else somebody who does not. */
static void act_admit(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct view *v = &c->subs[room]->view;
	const char *whom = act_somebody(w, c, room);
	for (size_t i = 0; i < v->n; i++) {
		whom = v->users[i].is_waiting ? v->users[i].user_id : whom;
	}
	send_target(w, c, dice_percent(&w->dice, 65) ? METHOD_ROOM_ADMIT : METHOD_ROOM_REJECT, room,
		    whom, act_shows(w, c, room), act_once(w, once));
}

/* Shut seldom, and not for long: else nothing happens. */
static void act_door(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct policy *p = &c->subs[room]->view.policy;
	bool is_shut = p->locked || p->has_passcode;
	uint32_t which = p->has_passcode ? PART_passcode
			 : p->locked	 ? PART_locked
					 : PART_lobby + dice_below(&w->dice, DOOR_PARTS);
	send_policy(w, c, room, which, !is_shut && dice_percent(&w->dice, 60),
		    act_shows(w, c, room), act_once(w, once));
}

/* Every switch but those of the door. */
static void act_policy(struct world *w, struct conn *c, int room)
{
	char once[40];
	uint32_t part = dice_below(&w->dice, POLICY_PARTS - DOOR_PARTS);
	send_policy(w, c, room, part < PART_lobby ? part : part + DOOR_PARTS,
		    dice_percent(&w->dice, 60), act_shows(w, c, room), act_once(w, once));
}

/* ---- answers ---- */

static void doors_delivered(struct world *w, struct conn *c, struct op *op)
{
	(void)c;
	if (op->room >= 0) {
		const char *id = w->rooms[op->room].id;
		op->was_barred = table_barred(&w->table, id, op->user_id);
		op->had_barred = table_has_barred(&w->table, id);
		op->target_was_barred = table_barred(&w->table, id, op->target);
	}
}

/* Whether in every state while the call was with the server a stranger had to stay outside. */
static bool granted_was_shut(const struct world *w, const struct op *op)
{
	const struct sim_room *r = &w->rooms[op->room];
	if (!r->mem->in_memory || op->from_epoch != r->mem->now.epoch || op->from_version < 0 ||
	    op->faults_before != w->faults) {
		return false;
	}
	for (int64_t version = op->from_version; version <= r->mem->now.version; version++) {
		const struct view *v = room_at(r, r->mem->now.epoch, version);
		if (v == NULL ||
		    !(v->policy.locked || (v->policy.has_passcode && !op->brings_passcode &&
					   !may_be_let_in_as_member(w, op)))) {
			return false;
		}
	}
	return true;
}

/* Whether somebody sat there already when the call came, or another call of the connection was before it. */
static bool granted_had_seat(const struct world *w, const struct op *op, const char *user_id)
{
	const struct sim_room *r = &w->rooms[op->room];
	const struct view *v = room_at(r, op->from_epoch, op->from_version);
	bool had_seat = v == NULL || view_user_const(v, user_id) != NULL;
	for (size_t i = w->ops_first; i < w->ops_n && !had_seat; i++) {
		const struct op *first = &w->ops[i];
		had_seat = first->method == METHOD_ROOM_SUBSCRIBE && first->room == op->room &&
			   first->conn == op->conn && first->order < op->order && first->is_ok &&
			   first->answered > op->order;
	}
	return had_seat;
}

/* Whether the same connection has subscribed with that key before, and was not answered yet when this call came: the
 * seat is in no published state then. */
static bool granted_repeats(const struct world *w, const struct op *op)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *o = &w->ops[i];
		if (o->conn == op->conn && o->method == op->method && o->room == op->room &&
		    o->is_ok && o->order < op->order && o->answered > op->order &&
		    strcmp(o->user_key, op->user_key) == 0) {
			return true;
		}
	}
	return false;
}

static void granted_entry(struct world *w, const struct op *op, const char *user_id)
{
	bool is_known = (granted_had_seat(w, op, user_id) || granted_repeats(w, op)) &&
			!planted(w, BREAK_OPEN_ROOM, 1);
	bool has_host_key = op->host_key_was_shown || op->shows_host_key;
	if (!is_known && !has_host_key && granted_was_shut(w, op)) {
		broken(w, CLAIM_SECRECY, "a stranger is let into %s, which is shut",
		       w->rooms[op->room].id);
	}
	if (op->was_barred != 0 && !has_host_key &&
	    table_barred(&w->table, w->rooms[op->room].id, user_id) == op->was_barred) {
		broken(w, CLAIM_SECRECY, "who was kicked for good is let into %s",
		       w->rooms[op->room].id);
	}
}

static void doors_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	char user_id[20];
	(void)c;
	if (op->method == METHOD_ROOM_SUBSCRIBE && op->room >= 0 &&
	    view_text(user_id, sizeof(user_id), result->ROOM_SUBSCRIBE.user_id)) {
		granted_entry(w, op, user_id);
	}
}

static const char *kick_lacks(const struct op *op, const union method_result *result,
			      const struct view *v)
{
	const struct view_user *target = view_user_const(v, op->target);
	(void)result;
	if (target != NULL && !op->is_again && (v->policy.locked || v->policy.has_passcode)) {
		return "the end of the seat";
	}
	return target != NULL && (target->has_name || target->has_vote) ? "the kick" : NULL;
}

/* Names that were not to be said stay so while there is anything whose they would say. */
static bool refused_nameless(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	bool has_votes = v->is_revealed || view_hides_voters(v);
	for (size_t i = 0; i < v->n; i++) {
		has_votes = has_votes || v->users[i].has_vote;
	}
	return v->policy.anonymous && has_votes;
}

/* Without its passcode a room says that it has one, and not whether it is locked. */
static bool refused_locked(const struct world *w, const struct op *op, const struct view *v)
{
	return v->policy.locked &&
	       (!v->policy.has_passcode || op->brings_passcode || may_be_let_in_as_member(w, op));
}

static bool refused_for_passcode(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return v->policy.has_passcode && !op->brings_passcode;
}

static bool refused_lobby(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return v->policy.lobby;
}

static bool refused_is_waiting(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me != NULL && me->is_waiting;
}

static bool refused_not_waiting(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *target = view_user_const(v, op->target);
	return target != NULL && !target->is_waiting;
}

static bool refused_not_barred(const struct world *w, const struct op *op)
{
	return op->target_was_barred == 0 ||
	       op->target_was_barred != table_barred(&w->table, w->rooms[op->room].id, op->target);
}

/* A kick that overlaps the call: one that is taken back before a commit is on no disk. */
static bool refused_by_kick(const struct world *w, const struct op *op)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *kick = &w->ops[i];
		if (kick->method == METHOD_ROOM_KICK && kick->room == op->room &&
		    kick->is_delivered && (kick->answered == 0 || kick->answered > op->order) &&
		    (op->user_id[0] == '\0' || strcmp(kick->target, op->user_id) == 0)) {
			return true;
		}
	}
	return false;
}

/* To who was kicked for good a room is not there, whatever it says to others. */
static bool refused_at_the_door(const struct world *w, const struct op *op)
{
	const struct sim_room *r = &w->rooms[op->room];
	bool is_certain = op->user_id[0] != '\0' && !w->members[op->member].has_signed_in;
	return op->was_barred != 0 || table_barred(&w->table, r->id, op->user_id) != 0 ||
	       (!is_certain && (op->had_barred || table_has_barred(&w->table, r->id))) ||
	       refused_by_kick(w, op);
}

static bool doors_excuse(struct world *w, const struct op *op, enum fault_code code)
{
	if (op->room < 0) {
		return false;
	}
	switch (code) {
	case FAULT_FORBIDDEN:
		return answers_some(w, op, refused_is_waiting) ||
		       (op->method == METHOD_ROOM_GET && answers_some(w, op, refused_lobby));
	case FAULT_ROOM_NOT_FOUND:
		return refused_at_the_door(w, op);
	case FAULT_ROOM_LOCKED:
		return answers_some(w, op, refused_locked);
	case FAULT_PASSCODE_REQUIRED:
		return !is_let_in_as_member(w, op) && answers_some(w, op, refused_for_passcode);
	case FAULT_NOT_FOUND:
		return op->method == METHOD_ROOM_UNKICK && refused_not_barred(w, op);
	case FAULT_CONFLICT: /* nobody kicks themselves */
		return op->method == METHOD_ROOM_KICK &&
		       (op->user_id[0] == '\0' || strcmp(op->target, op->user_id) == 0);
	default:
		return false;
	}
}

static const struct request door_requests[] = {
	{.method = METHOD_ROOM_SET_POLICY, .conflict = refused_nameless},
	{.method = METHOD_ROOM_KICK,
	 .names_version = true,
	 .lacks = kick_lacks,
	 .not_found = has_no_target},
	{.method = METHOD_ROOM_UNKICK},
	{.method = METHOD_ROOM_ADMIT, .not_found = has_no_target, .conflict = refused_not_waiting},
	{.method = METHOD_ROOM_REJECT, .not_found = has_no_target, .conflict = refused_not_waiting},
};

/* ---- rules ---- */

/* Let in by a host, by a key, or because there is no lobby any more; sent back by a kick. */
static void rules_door(const struct change *ch, const struct view_user *was,
		       const struct view_user *is)
{
	struct methods in = METHODS_OF(METHOD_ROOM_ADMIT, METHOD_ROOM_KICK);
	if (was->is_waiting == is->is_waiting || rules_has_target(ch, in, is->user_id) ||
	    rules_has_cause(ch, METHODS_OF(METHOD_ROOM_CLAIM_HOST), NULL)) {
		return;
	}
	/* A member of the room's group who comes is not kept waiting. */
	if (!is->is_waiting && ch->r->group_id[0] != '\0' &&
	    may_have_been_in(ch->w, is->user_id, ch->r->group_id, false, ch->w->mono_ms - 60000) &&
	    rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), is->user_id)) {
		return;
	}
	/* A seat that its own member gave up, and took again. */
	if (is->is_waiting &&
	    rules_has_cause(ch, METHODS_OF(METHOD_ROOM_DELETE_USER), is->user_id)) {
		return;
	}
	if (is->is_waiting ||
	    rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_POLICY), false, false) == 0) {
		rules_broken(ch, is->is_waiting ? "a way out" : "a way in", is->user_id);
	}
}

static void doors_follow(const struct change *ch)
{
	if (!view_policy_eq(&ch->before->policy, &ch->after->policy) &&
	    rules_host_causes(ch, METHODS_OF(METHOD_ROOM_SET_POLICY), false, false) == 0) {
		rules_broken(ch, "another policy", NULL);
	}
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *is = &ch->after->users[i];
		const struct view_user *was = view_user_const(ch->before, is->user_id);
		if (was != NULL) {
			rules_door(ch, was, is);
		}
	}
}

/* Who waits in the lobby is told nothing of the room. */
static void doors_update(struct world *w, struct conn *c, int room, const struct room_update *u)
{
	const struct sim_room *r = &w->rooms[room];
	const struct view *v = room_at(r, u->epoch, u->version);
	const struct view_user *was = v == NULL ? NULL : view_user_const(v, c->leaving_id[room]);
	const struct view_user *is = view_user_const(&r->mem->now, c->leaving_id[room]);
	bool is_waiting = was != NULL && was->is_waiting && is != NULL && is->is_waiting;
	if (is_waiting || (v != NULL && v->policy.lobby && planted(w, BREAK_OPEN_DOOR, 3))) {
		broken(w, CLAIM_SECRECY, "%s waits in the lobby of %s and is sent an update",
		       member_name(w, c->member), r->id);
	}
}

static const struct act door_acts[] = {
	{25, act_kick, true},	{60, act_admit, true},	{60, act_door, true},
	{40, act_unkick, true}, {31, act_policy, true},
};

const struct feature feature_doors = {
	.name = "doors",
	FEATURE_ROWS(acts, door_acts),
	FEATURE_ROWS(requests, door_requests),
	.delivered = doors_delivered,
	.granted = doors_granted,
	.excuses = doors_excuse,
	.update = doors_update,
	.follow = doors_follow,
};
