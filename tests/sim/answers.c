/*
 * answers.c - what an answer promises: that a granted change can be seen where
 * it says, and that a refusal had its reason.
 *
 * Both are judged by the states the room was in between the request's arrival
 * and its answer. Where one of those is no longer known (a load, a long wait),
 * the benefit of the doubt goes to the server.
 */
#include "tests/sim/sim.h"

#include <string.h>

/* ---- granted ---- */

static int64_t granted_version(enum method method, const union method_result *result)
{
	switch (method) {
	case METHOD_ROOM_JOIN:
		return result->ROOM_JOIN.with_version ? result->ROOM_JOIN.version : -1;
	case METHOD_ROOM_VOTE:
		return result->ROOM_VOTE.with_version ? result->ROOM_VOTE.version : -1;
	case METHOD_ROOM_SET_VALID_SIZES:
		return result->ROOM_SET_VALID_SIZES.with_version
			       ? result->ROOM_SET_VALID_SIZES.version
			       : -1;
	case METHOD_ROOM_RESET:
		return result->ROOM_RESET.with_version ? result->ROOM_RESET.version : -1;
	case METHOD_MAP_SET:
		return result->MAP_SET.with_version ? result->MAP_SET.version : -1;
	case METHOD_LIST_SET:
		return result->LIST_SET.with_version ? result->LIST_SET.version : -1;
	case METHOD_ROOM_LEAVE:
	case METHOD_ROOM_SET_TITLE:
	case METHOD_ROOM_SET_REVEALED:
	case METHOD_ROOM_KICK:
	case METHOD_ROOM_CLAIM_HOST:
	case METHOD_ROOM_SET_HOST:
	case METHOD_ROOM_DELETE_USER:
		return result->ROOM_LEAVE.with_version ? result->ROOM_LEAVE.version : -1;
	case METHOD_ROOM_SUBSCRIBE:
		return result->ROOM_SUBSCRIBE.version;
	case METHOD_ROOM_UNSUBSCRIBE: /* nothing of it is for the disk */
	case METHOD_SESSION_HELLO:
	case METHOD_SERVER_PING:
	case METHOD_SERVER_STATS:
	case METHOD_ROOM_CREATE:
	case METHOD_ROOM_GET:
	case METHOD_ROOM_DELETE:
	case METHOD_COUNT:
	default: /* the others are asked nowhere here */
		return -1;
	}
}

static const char *refused_kind(const struct op *op)
{
	if (op->method >= METHOD_PRESENCE_CREATE && op->method <= METHOD_PRESENCE_REMOVE) {
		return "presence";
	}
	return op->method >= METHOD_LIST_CREATE && op->method <= METHOD_LIST_REMOVE ? "list"
										    : "map";
}

/* What the state that an answer names must show. NULL: it does. */
static const char *granted_lacks(const struct op *op, const union method_result *result,
				 const struct view *v)
{
	const struct view_user *me = view_user_const(v, op->user_id);
	const struct view_user *target = view_user_const(v, op->target);
	switch (op->method) {
	case METHOD_ROOM_JOIN:
		return me == NULL || strcmp(me->username, op->text) != 0 ||
				       (op->has_role && me->is_spectator != op->flag)
			       ? "the name"
			       : NULL;
	case METHOD_ROOM_LEAVE:
		return me == NULL || me->has_name || me->has_vote ? "the empty seat" : NULL;
	case METHOD_ROOM_VOTE:
		return me == NULL || me->has_vote != (op->card[0] != '\0') ||
				       result->ROOM_VOTE.has_vote != me->has_vote
			       ? "the vote"
			       : NULL;
	case METHOD_ROOM_SET_VALID_SIZES:
		return strcmp(v->deck, op->deck) != 0 ? "the deck" : NULL;
	case METHOD_ROOM_SET_TITLE:
		return strcmp(v->title, op->text) != 0 ? "the title" : NULL;
	case METHOD_ROOM_SET_REVEALED:
		return v->is_revealed != op->flag ? "the reveal" : NULL;
	case METHOD_ROOM_RESET:
		return v->is_revealed || v->round != result->ROOM_RESET.round ? "the round" : NULL;
	case METHOD_ROOM_KICK:
		if (target != NULL && !op->is_again &&
		    (v->policy.locked || v->policy.has_passcode)) {
			return "the end of the seat";
		}
		return target != NULL && (target->has_name || target->has_vote) ? "the kick" : NULL;
	case METHOD_ROOM_CLAIM_HOST:
		return strcmp(v->host, op->user_id) != 0 ? "the host" : NULL;
	case METHOD_ROOM_SET_HOST:
		return strcmp(v->host, op->target) != 0 ? "the host" : NULL;
	case METHOD_MAP_SET:
	case METHOD_LIST_SET: {
		const struct view_entry *e = view_entry(v, refused_kind(op), op->target);
		return e == NULL || e->value != op->value ? "the value" : NULL;
	}
	case METHOD_ROOM_DELETE_USER:
		return me != NULL ? "the end of the seat" : NULL;
	case METHOD_ROOM_SUBSCRIBE:
	case METHOD_ROOM_UNSUBSCRIBE:
	case METHOD_ROOM_CREATE:
	case METHOD_ROOM_GET:
	case METHOD_ROOM_DELETE:
	case METHOD_SESSION_HELLO:
	case METHOD_SERVER_PING:
	case METHOD_SERVER_STATS:
	case METHOD_COUNT:
	default:
		return NULL;
	}
}

void oracle_durable(struct world *w, int room, int64_t epoch, int64_t version, const char *what)
{
	const struct sim_room *r = &w->rooms[room];
	const struct view *v = room_at(r, epoch, version);
	if (!r->in_memory || epoch != r->now.epoch || version <= r->durable_version || v == NULL) {
		return;
	}
	if (view_durable_hash(v) != r->durable_hash) {
		broken(w, CLAIM_DURABLE,
		       "%s of %s at version %lld leaves, and the disk stands at %lld", what, r->id,
		       (long long)version, (long long)r->durable_version);
	}
}

static void granted_repeat(struct world *w, const struct op *op)
{
	/* A room made again by a member who has logged in meanwhile is another caller's. */
	bool is_others = op->method == METHOD_ROOM_CREATE && w->members[op->member].has_signed_in;
	/* A session ends later each time it is used: see sessions.c. */
	is_others = is_others || op->method == METHOD_SESSION_LOGIN;
	for (size_t i = 0; i < w->ops_n && op->once[0] != '\0' && !is_others; i++) {
		const struct op *other = &w->ops[i];
		if (other != op && other->is_ok && strcmp(other->once, op->once) == 0 &&
		    other->result_hash != op->result_hash) {
			broken(w, CLAIM_REPEATS, "%s repeated with its key has another result",
			       method_rows[op->method].name);
		}
	}
}

static void granted_create(struct world *w, const struct room_create_result *r)
{
	int room = room_of_id(w, r->room_id);
	if (room < 0 || !table_has_room(&w->table, w->rooms[room].id)) {
		if (room < 0 || !w->rooms[room].is_ending) {
			broken(w, CLAIM_DURABLE,
			       "room.create is answered, and the disk has no such room");
		}
		return;
	}
	view_text(w->rooms[room].host_key, sizeof(w->rooms[room].host_key), r->host_key);
}

static void granted_delete(struct world *w, const struct op *op)
{
	struct sim_room *r = &w->rooms[op->room];
	r->is_deleted = true;
	r->is_ending = true;
	if (table_has_room(&w->table, r->id)) {
		broken(w, CLAIM_DURABLE, "%s is deleted, and the disk still has it", r->id);
	}
}

/* Whether in every state while the call was with the server a stranger had to stay outside. */
static bool granted_was_shut(const struct world *w, const struct op *op)
{
	const struct sim_room *r = &w->rooms[op->room];
	if (!r->in_memory || op->from_epoch != r->now.epoch || op->from_version < 0 ||
	    op->faults_before != w->faults) {
		return false;
	}
	for (int64_t version = op->from_version; version <= r->now.version; version++) {
		const struct view *v = room_at(r, r->now.epoch, version);
		if (v == NULL ||
		    !(v->policy.locked || (v->policy.has_passcode && !op->brings_passcode))) {
			return false;
		}
	}
	return true;
}

/* Whether somebody sat there already when the call came. */
static bool granted_had_seat(const struct world *w, const struct op *op, const char *user_id)
{
	const struct sim_room *r = &w->rooms[op->room];
	const struct view *v = room_at(r, op->from_epoch, op->from_version);
	return v == NULL || view_user_const(v, user_id) != NULL;
}

static void granted_entry(struct world *w, const struct op *op, const char *user_id)
{
	bool is_known = granted_had_seat(w, op, user_id) && !planted(w, BREAK_OPEN_ROOM, 1);
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

/* A key is the same person for as long as the room lives, whatever crashed meanwhile. */
static void granted_key(struct world *w, const struct sim_room *room,
			const struct room_subscribe_result *r)
{
	for (size_t i = 0; i < room->owners_n; i++) {
		const struct owner *o = &room->owners[i];
		bool is_same = slice_eq(slice_str(o->user_id), r->user_id) &&
			       !planted(w, BREAK_OTHER_ID, 10);
		if (slice_eq(slice_str(o->user_key), r->user_key) && !is_same) {
			broken(w, CLAIM_DURABLE, "in %s a user_key is another user than before",
			       room->id);
		}
	}
}

/* That it held something then and at all times since: a seat given up and taken again with the same
 * key is called the same, and is not written until it holds something again. */
static bool granted_keeps_since(const struct sim_room *room, const struct room_subscribe_result *r,
				const char *user_id)
{
	bool keeps = room->in_memory && r->epoch == room->now.epoch;
	for (int64_t version = r->version; keeps && version <= room->now.version; version++) {
		const struct view *v = room_at(room, r->epoch, version);
		const struct view_user *u = v == NULL ? NULL : view_user_const(v, user_id);
		keeps = u != NULL && view_keeps(v, u);
	}
	return keeps;
}

static void granted_subscribe(struct world *w, const struct op *op,
			      const struct room_subscribe_result *r)
{
	char pk[32];
	char user_id[16];
	struct sim_room *room = &w->rooms[op->room];
	struct slice key = slice_of(pk, (size_t)snprintf(pk, sizeof(pk), "ROOM:%s", room->id));
	if (!view_text(user_id, sizeof(user_id), r->user_id)) {
		broken(w, CLAIM_ANSWERS, "a user_id of another length");
		return;
	}
	if (granted_keeps_since(room, r, user_id) && table_seat(&w->table, key, user_id) == NULL) {
		broken(w, CLAIM_DURABLE, "a user_key is given, and the disk has no such seat");
	}
	granted_key(w, room, r);
	granted_entry(w, op, user_id);
}

/* A set that names a revision is of exactly what had that revision. */
static void granted_set(struct world *w, const struct op *op, const struct revision_result *r)
{
	if (op->token >= 0 && r->revision != op->token + 1) {
		broken(w, CLAIM_DATA, "a set at revision %lld made revision %lld",
		       (long long)op->token, (long long)r->revision);
	}
}

void rules_granted(struct world *w, const struct op *op, const union method_result *result)
{
	if (op->expect != FAULT_NONE) {
		broken(w, CLAIM_RULES, "%s of %s is granted and had to be refused",
		       op->method == METHOD_COUNT ? "a call" : method_rows[op->method].name,
		       member_name(w, op->member));
	}
	granted_repeat(w, op);
	if (op->method == METHOD_MAP_SET) {
		granted_set(w, op, &result->MAP_SET);
	}
	if (op->method == METHOD_ROOM_CREATE) {
		granted_create(w, &result->ROOM_CREATE);
	}
	if (op->room < 0) {
		return;
	}
	lives_entered(w, op);
	if (op->method == METHOD_ROOM_DELETE) {
		granted_delete(w, op);
	} else if (op->method == METHOD_ROOM_SUBSCRIBE) {
		granted_subscribe(w, op, &result->ROOM_SUBSCRIBE);
	}
	const struct sim_room *r = &w->rooms[op->room];
	int64_t version = granted_version(op->method, result);
	const struct view *v =
		version < 0 || op->is_again ? NULL : room_at(r, r->now.epoch, version);
	if (v == NULL || op->from_epoch != r->now.epoch) {
		return;
	}
	oracle_durable(w, op->room, r->now.epoch, version, "an answer");
	const char *lacks = op->user_id[0] == '\0' ? NULL : granted_lacks(op, result, v);
	if (lacks != NULL) {
		broken(w, CLAIM_RULES, "%s of %s is granted, but version %lld of %s lacks %s",
		       method_rows[op->method].name, member_name(w, op->member), (long long)version,
		       r->id, lacks);
	}
}

/* ---- refused ---- */

typedef bool refused_test(const struct world *w, const struct op *op, const struct view *v);

/* Whether some state while the request was with the server was so; true also where not all are
 * known. */
static bool refused_some(const struct world *w, const struct op *op, refused_test *test)
{
	const struct sim_room *r = &w->rooms[op->room];
	if (!r->in_memory || op->from_epoch != r->now.epoch || op->from_version < 0 ||
	    op->faults_before != w->faults) {
		return true;
	}
	for (int64_t version = op->from_version; version <= r->now.version; version++) {
		const struct view *v = room_at(r, r->now.epoch, version);
		if (v == NULL || test(w, op, v)) {
			return true;
		}
	}
	return false;
}

static bool refused_hidden(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return !v->is_revealed;
}

static bool refused_no_undo(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return !v->can_undo;
}

static bool refused_is_voted_on(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return strcmp(v->story_id, op->target) == 0;
}

static bool refused_is_removed(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_story *s = view_story(v, op->target);
	return s == NULL || s->is_removed;
}

static bool refused_no_story(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return (op->target[0] != '\0' && view_story(v, op->target) == NULL) ||
	       (op->other[0] != '\0' && view_story(v, op->other) == NULL);
}

static bool refused_is_data(const struct op *op)
{
	return op->method >= METHOD_PRESENCE_CREATE && op->method <= METHOD_LIST_REMOVE;
}

static bool refused_no_entry(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const char *kind = refused_kind(op);
	if (op->method == METHOD_PRESENCE_REMOVE) {
		return true; /* of which no version tells: see presence.c */
	}
	return view_entry(v, kind, "") == NULL || view_entry(v, kind, op->target) == NULL ||
	       view_entry(v, kind, op->other) == NULL;
}

static bool refused_revision(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_entry *e = view_entry(v, "map", op->target);
	return op->token >= 0 && op->token != (e == NULL ? 0 : e->revision);
}

static bool refused_revealed(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return v->is_revealed;
}

static bool refused_is_fixed(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return v->is_revealed && v->policy.anonymous;
}

/* Names that were not to be said stay so while there is anything whose they would say. */
static bool refused_nameless(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	bool has_votes = v->is_revealed;
	for (size_t i = 0; i < v->n; i++) {
		has_votes = has_votes || v->users[i].has_vote;
	}
	return v->policy.anonymous && has_votes;
}

static bool refused_no_card(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return !view_has_card(v, op->card);
}

static bool refused_no_voter(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || !me->has_name || me->is_spectator;
}

static bool refused_no_host(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || !me->is_host;
}

static bool refused_no_editor(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	bool is_everyones = v->policy.everyone_edits_stories || op->method == METHOD_ROOM_NUDGE;
	return me == NULL || (!me->is_host && (!is_everyones || !me->has_name));
}

static bool refused_no_data_editor(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	if (me == NULL || me->is_host || v->policy.data_editors == DATA_EDITORS_EVERYONE) {
		return me == NULL;
	}
	return v->policy.data_editors == DATA_EDITORS_HOST || !me->has_name;
}

/* Its maker may be refused here as well: no update says who that is. */
static bool refused_no_data_deleter(const struct world *w, const struct op *op,
				    const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || (!me->is_host && v->policy.data_editors != DATA_EDITORS_EVERYONE);
}

static bool refused_has_entry(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return op->text[0] != '\0' && view_entry(v, "list", op->text) != NULL;
}

static bool refused_no_target(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return view_user_const(v, op->target) == NULL;
}

static bool refused_no_name(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *target = view_user_const(v, op->target);
	return target == NULL || !target->has_name || target->is_waiting;
}

static bool refused_not_here(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	const struct view_user *me = view_user_const(v, op->user_id);
	return me == NULL || !me->is_connected;
}

static bool refused_no_seat(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	return view_user_const(v, op->user_id) == NULL;
}

static bool refused_full(const struct world *w, const struct op *op, const struct view *v)
{
	(void)op;
	return (int64_t)v->n >= w->config.limits[LIMIT_ROOM_SEATS];
}

static bool refused_shut(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return v->policy.locked || v->policy.has_passcode;
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

static bool refused_asks_not(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	return !v->policy.confidence;
}

static bool refused_forbidden(struct world *w, const struct op *op)
{
	switch (op->method) {
	case METHOD_ROOM_VOTE:
		return refused_some(w, op, refused_no_voter);
	case METHOD_SERVER_STATS:
		return true;
	case METHOD_ROOM_CLAIM_HOST:
		return !op->shows_host_key;
	case METHOD_ROOM_JOIN:
	case METHOD_ROOM_LEAVE:
	case METHOD_ROOM_DELETE_USER:
		return refused_some(w, op, refused_no_seat);
	case METHOD_STORY_ADD:
	case METHOD_STORY_UPDATE:
	case METHOD_STORY_MOVE:
	case METHOD_STORY_REMOVE:
	case METHOD_STORY_RESTORE:
	case METHOD_ROOM_NUDGE:
		return !op->shows_host_key && refused_some(w, op, refused_no_editor);
	case METHOD_PRESENCE_GET:
	case METHOD_PRESENCE_SET:
	case METHOD_PRESENCE_REMOVE:
	case METHOD_MAP_GET:
	case METHOD_LIST_GET:
		return refused_some(w, op, refused_lobby); /* whoever sees the room may */
	case METHOD_PRESENCE_CREATE:
	case METHOD_MAP_CREATE:
	case METHOD_MAP_SET:
	case METHOD_MAP_REMOVE:
	case METHOD_LIST_CREATE:
	case METHOD_LIST_PUSH:
	case METHOD_LIST_INSERT:
	case METHOD_LIST_SET:
	case METHOD_LIST_MOVE:
	case METHOD_LIST_REMOVE:
		return refused_some(w, op, refused_no_data_editor);
	case METHOD_PRESENCE_DELETE:
	case METHOD_MAP_DELETE:
	case METHOD_LIST_DELETE:
		return refused_some(w, op, refused_no_data_deleter);
	default:
		return !op->shows_host_key && refused_some(w, op, refused_no_host);
	}
}

static bool refused_validation(struct world *w, const struct op *op)
{
	if (op->expect == FAULT_VALIDATION_ERROR || op->room < 0) {
		return true;
	}
	return op->method == METHOD_ROOM_VOTE && op->card[0] != '\0' &&
	       (refused_some(w, op, refused_no_card) ||
		(op->is_unsure && refused_some(w, op, refused_asks_not)));
}

static bool refused_unauthenticated(struct world *w, const struct op *op)
{
	const struct conn *c = net_by_serial(w, op->conn);
	return op->room < 0 || !op->shows_user_key || c == NULL || !c->left_greeted ||
	       refused_some(w, op, refused_no_seat);
}

static bool refused_not_found(const struct world *w, const struct op *op)
{
	if (op->room < 0 || refused_some(w, op, refused_shut)) {
		return true;
	}
	const struct sim_room *r = &w->rooms[op->room];
	bool is_certain = op->user_id[0] != '\0' && !w->members[op->member].has_signed_in;
	if (op->was_barred != 0 || table_barred(&w->table, r->id, op->user_id) != 0 ||
	    (!is_certain && table_has_barred(&w->table, r->id))) {
		return true;
	}
	return r->is_ending || r->is_deleted || !table_has_room(&w->table, r->id);
}

static bool refused_follows_not(struct world *w, const struct op *op)
{
	const struct conn *c = net_by_serial(w, op->conn);
	return c == NULL || !c->leaving_on[op->room];
}

static bool refused_conflict(struct world *w, const struct op *op)
{
	switch (op->method) {
	case METHOD_ROOM_VOTE:
		return refused_some(w, op, refused_revealed);
	case METHOD_ROOM_SET_REVEALED:
		return refused_some(w, op, refused_is_fixed);
	case METHOD_ROOM_SET_POLICY:
		return refused_some(w, op, refused_nameless);
	case METHOD_REVEAL_ARM:
	case METHOD_ROOM_NUDGE:
		return refused_some(w, op, refused_revealed);
	case METHOD_MAP_SET:
		return refused_some(w, op, refused_revision);
	case METHOD_LIST_PUSH:
	case METHOD_LIST_INSERT:
		return refused_some(w, op, refused_has_entry);
	case METHOD_PRESENCE_SET:
		return refused_some(w, op, refused_not_here);
	case METHOD_ROUND_SETTLE:
		return refused_some(w, op, refused_hidden);
	case METHOD_ROUND_UNDO_RESET:
		return refused_some(w, op, refused_no_undo);
	case METHOD_STORY_REMOVE:
		return refused_some(w, op, refused_is_voted_on);
	case METHOD_STORY_SELECT:
		return refused_some(w, op, refused_is_removed);
	case METHOD_ROOM_ADMIT:
	case METHOD_ROOM_REJECT:
		return refused_some(w, op, refused_not_waiting);
	case METHOD_ROOM_KICK:
		return op->user_id[0] == '\0' || strcmp(op->target, op->user_id) == 0;
	case METHOD_ROOM_SET_HOST:
		return refused_some(w, op, refused_no_name);
	case METHOD_ROOM_UNSUBSCRIBE:
		return refused_follows_not(w, op);
	case METHOD_ROOM_CREATE:
		return op->is_again; /* its room is older than a day */
	default:
		return false;
	}
}

static bool refused_by_nothing(const struct world *w, const struct op *op, const struct view *v)
{
	(void)w;
	(void)op;
	(void)v;
	return false;
}

/* Nobody who proves something is refused because codes were tried. */
static bool refused_guess(const struct world *w, const struct op *op)
{
	bool is_seated = op->shows_user_key && op->user_id[0] != '\0' && op->room >= 0 &&
			 !refused_some(w, op, refused_no_seat);
	bool is_hosting = op->shows_host_key && op->room >= 0 &&
			  !refused_some(w, op, refused_by_nothing); /* of a room that exists */
	bool is_proven = is_hosting || is_seated;
	int64_t misses = (int64_t)w->misses;
	/* A miss is paid for when it is found; its answer may leave later. */
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		misses += w->ops[i].is_delivered && !w->ops[i].is_answered;
	}
	return misses >= w->config.limits[LIMIT_ROOM_MISSES_PER_MINUTE] && !is_proven;
}

static bool refused_rightly(struct world *w, const struct op *op, const struct fault *f)
{
	switch (f->code) {
	case FAULT_VALIDATION_ERROR:
		return refused_validation(w, op);
	case FAULT_UNKNOWN_METHOD:
		return op->method == METHOD_COUNT;
	case FAULT_UNAUTHENTICATED:
		return refused_unauthenticated(w, op);
	case FAULT_FORBIDDEN:
		return op->room < 0 ? op->method == METHOD_SERVER_STATS
				    : refused_forbidden(w, op) ||
					      refused_some(w, op, refused_is_waiting) ||
					      (op->method == METHOD_ROOM_GET &&
					       refused_some(w, op, refused_lobby));
	case FAULT_ROOM_NOT_FOUND:
		return refused_not_found(w, op);
	case FAULT_NOT_FOUND:
		if (op->room >= 0 && refused_is_data(op)) {
			return refused_some(w, op, refused_no_entry);
		}
		if (op->method == METHOD_ROOM_UNKICK) {
			return op->target_was_barred == 0 ||
			       op->target_was_barred !=
				       table_barred(&w->table, w->rooms[op->room].id, op->target);
		}
		return op->room >= 0 && op->target[0] != '\0' &&
		       (refused_some(w, op, refused_no_target) ||
			refused_some(w, op, refused_no_story));
	case FAULT_CONFLICT:
		return refused_conflict(w, op);
	case FAULT_ROOM_LOCKED:
		return op->brings_passcode && refused_some(w, op, refused_shut);
	case FAULT_ROOM_FULL:
		return op->method == METHOD_ROOM_SUBSCRIBE && refused_some(w, op, refused_full);
	case FAULT_RATE_LIMITED:
		if (strstr(f->message, "room codes") != NULL) {
			return refused_guess(w, op);
		}
		return w->config.limits[LIMIT_REQUESTS_PER_SECOND] < 100 || op->room < 0 ||
		       (int64_t)w->misses >= w->config.limits[LIMIT_ROOM_MISSES_PER_MINUTE];
	case FAULT_UNAVAILABLE:
		return op->faults_before != w->faults || w->is_stopping || w->commits != NULL ||
		       (op->method == METHOD_ROOM_CREATE &&
			op->is_again); /* its room is just ending */
	case FAULT_TOO_LARGE:
	case FAULT_QUESTION_NOT_FOUND:
	case FAULT_NAME_TAKEN:
	case FAULT_ALREADY_ANSWERED:
	case FAULT_QUESTION_CLOSED:
	case FAULT_EXPIRED:
	case FAULT_SERVER_ERROR:
	case FAULT_NONE:
	case FAULT_COUNT:
		return false;
	}
	return false;
}

void rules_refused(struct world *w, const struct op *op, const struct fault *f)
{
	/* A commit that fails takes the answers with it, also that of a guess which has been paid for. */
	w->misses +=
		f->code == FAULT_ROOM_NOT_FOUND || (f->code == FAULT_UNAVAILABLE && op->room >= 0);
	if (!refused_rightly(w, op, f)) {
		broken(w, CLAIM_RULES, "%s of %s is refused without a reason: %s (%s) %s",
		       op->method == METHOD_COUNT ? "a call" : method_rows[op->method].name,
		       member_name(w, op->member), fault_code_name(f->code), f->field, f->message);
	}
}
