/*
 * room_dispatch.c - the ways into a room: a request, and what is due by itself. Whether the caller may, which
 * handler does it, and what follows every change.
 *
 * The sentences that refuse are rights.h's, so that a client can show them
 * before a request is sent.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include "proto/assert.h"
#include "proto/rights.h"

enum fault_code room_out_of_memory(struct room_call *c)
{
	return fault_set(c->fault, FAULT_UNAVAILABLE, "the server is out of memory");
}

/* ---- callers ---- */

bool room_is_open(const struct room *r)
{
	return !r->policy.locked && !r->policy.has_passcode;
}

enum fault_code room_check_caller(const struct room *r, enum method method,
				  const struct room_caller *who, struct fault *fault)
{
	switch (method_rows[method].who) {
	case WHO_SEATED:
		if (who->seat == NULL) {
			return fault_set(fault, FAULT_UNAUTHENTICATED,
					 "that needs a seat: call room.subscribe first, or send "
					 "its user_key");
		}
		return FAULT_NONE;
	case WHO_MEMBER:
		if (who->seat == NULL && !who->has_host_key && who->sent_host_key) {
			return fault_set(fault, FAULT_FORBIDDEN,
					 "that is not this room's host_key");
		}
		if (who->seat == NULL && !who->has_host_key) {
			return fault_set(
				fault, FAULT_UNAUTHENTICATED,
				"that needs a seat or the host_key: call room.subscribe first");
		}
		return FAULT_NONE;
	case WHO_HOST:
		if (who->has_host_key || (who->seat != NULL && seat_is_host(r, who->seat))) {
			return FAULT_NONE;
		}
		return fault_set(fault, FAULT_FORBIDDEN, "only the host may do that");
	case WHO_ANYONE:
	case WHO_GREETED:
	case WHO_USER:
	case WHO_KEYED:
	case WHO_OWNER:
		return FAULT_NONE;
	}
	return FAULT_NONE;
}

enum fault_code room_check_stranger(const struct room *r, enum method method,
				    const struct room_caller *who, const unsigned char *server_key,
				    struct fault *fault)
{
	if (who->seat != NULL || who->has_host_key || method == METHOD_ROOM_SUBSCRIBE) {
		return FAULT_NONE;
	}
	enum fault_code f = room_is_barred(r, &who->user_hash)
				    ? fault_set(fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN)
				    : room_lets_in(r, server_key, (struct slice){0}, false, fault);
	if (f == FAULT_NONE && method == METHOD_ROOM_GET && r->policy.lobby) {
		f = fault_set(fault, FAULT_FORBIDDEN,
			      "the room has a lobby: subscribe, and wait to be admitted");
	}
	return f;
}

/* ---- rights ---- */

static enum fault_code check_right(const struct room *r, struct room_call *c, enum right right,
				   bool is_maker)
{
	const char *why = NULL;
	const struct standing standing = {
		.is_host = c->has_host_key || (c->seat != NULL && seat_is_host(r, c->seat)),
		.has_name = c->seat != NULL && c->seat->username != NULL,
		.is_spectator = c->seat != NULL && c->seat->role == ROLE_SPECTATOR,
		.is_waiting = c->seat != NULL && c->seat->is_waiting,
		.is_revealed = r->is_revealed,
		.policy = r->policy,
		.is_maker = is_maker,
	};
	enum fault_code f = right_refusal(right, &standing, &why);
	return f == FAULT_NONE ? f : fault_set(c->fault, f, "%s", why);
}

enum fault_code room_check_delete(const struct room *r, struct room_call *c, const char *made_by)
{
	bool is_maker = c->seat != NULL && strcmp(c->seat->user_id, made_by) == 0;
	return check_right(r, c, RIGHT_DELETE_DATA, is_maker);
}

/* ---- requests ---- */

#define HANDLER(symbol) [METHOD_##symbol] = on_##symbol,
#define HANDLER_ROW(symbol, name, who, where, effect, params, result, help) \
	ROOM_##where(HANDLER, symbol)
static room_handler *const handlers[METHOD_COUNT] = {METHODS(HANDLER_ROW)};

/* Who did what changes the room for everybody is no secret; of votes nobody is told whose they are. */
static void note_actor(struct room *r, const struct room_call *c, enum right right)
{
	if (!r->is_touched ||
	    (right != RIGHT_LEAD && right != RIGHT_REVEAL && right != RIGHT_RESET)) {
		return;
	}
	const char *by = c->seat == NULL ? "" : c->seat->user_id;
	r->is_by_several =
		r->is_by_several || by[0] == '\0' || (r->by[0] != '\0' && strcmp(r->by, by) != 0);
	strcpy(r->by, by);
}

enum fault_code room_call(struct room *r, struct room_call *c)
{
	ASSERT(handlers[c->method] != NULL);
	enum right right = right_of_method(c->method);
	enum fault_code f = right == RIGHT_NONE ? FAULT_NONE : check_right(r, c, right, false);
	f = f == FAULT_NONE ? handlers[c->method](r, c) : f;
	if (f != FAULT_NONE) {
		return f;
	}
	note_actor(r, c, right);
	room_settle_reveal(r, c->mono_ms, c->wall_ms, c->limits);
	/* A member who leaves does not put off the room's end. */
	if (r->is_touched && c->method != METHOD_ROOM_LEAVE &&
	    c->method != METHOD_ROOM_DELETE_USER) {
		room_extend(r, c->wall_ms, c->limits[LIMIT_ROOM_LIFE_MS]);
	}
	room_end_change(r);
	/* The result of a changing method may say which version shows the change. */
	const struct method_row *row = &method_rows[c->method];
	const struct field *version =
		row->effect == EFFECT_CHANGES ? record_field(row->result, SLICE("version")) : NULL;
	if (version != NULL) {
		field_put_int(version, c->result, r->version);
	}
	return FAULT_NONE;
}

/* ---- what is due ---- */

static const struct {
	const char *name;
	int64_t (*at)(const struct room *r, const struct room_now *now);
	void (*act)(struct room *r, const struct room_now *now);
} dues[] = {
#define DUE(name) {#name, room_##name##_at, room_##name##_act},
	ROOM_DUES(DUE)
#undef DUE
};
#define DUES_N (sizeof(dues) / sizeof(dues[0]))

int64_t room_deadline(const struct room *r, const struct room_now *now)
{
	int64_t next = INT64_MAX;
	for (size_t i = 0; i < DUES_N; i++) {
		int64_t at = dues[i].at(r, now);
		next = at < next ? at : next;
	}
	return next;
}

void room_tick(struct room *r, const struct room_now *now)
{
	for (size_t i = 0; i < DUES_N; i++) {
		if (dues[i].at(r, now) <= now->mono_ms) {
			dues[i].act(r, now);
		}
	}
	room_settle_reveal(r, now->mono_ms, now->wall_ms, now->limits);
	room_end_change(r);
}

const char *room_due(const struct room *r, const struct room_now *now)
{
	for (size_t i = 0; i < DUES_N; i++) {
		if (dues[i].at(r, now) <= now->mono_ms) {
			return dues[i].name;
		}
	}
	return NULL;
}
