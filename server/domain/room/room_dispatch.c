/*
 * room_dispatch.c - the ways into a room: a request, and what is due by itself. Whether the caller may, which
 * handler does it, and what follows every change.
 *
 * The sentences that refuse are rights.h's, so that a client can show them
 * before a request is sent.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include "proto/base/assert.h"
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

/* Has a host's rights without regard to a group. */
static bool has_hosts_rights(const struct room *r, const struct seat *seat, bool has_host_key)
{
	return has_host_key || (seat != NULL && seat_is_host(r, seat));
}

/* Only a host may. While the host is away that has an end, with whom, and when: for members, who see them all. */
static enum fault_code refuse_member(const struct room *r, const struct seat *member,
				     int64_t wall_ms, const char *why, struct fault *fault)
{
	const struct seat *host = room_seat_by_id(r, slice_str(r->host_user_id));
	const struct seat *next = room_seat_by_id(r, slice_str(r->next_host_id));
	bool is_away = host != NULL && host->username != NULL && host->connections == 0;
	int64_t left_ms = r->next_host_at > wall_ms ? r->next_host_at - wall_ms : 0;
	if (!is_away || next == NULL || member == NULL || member->is_waiting) {
		return fault_set(fault, FAULT_FORBIDDEN, "%s", why);
	}
	return fault_set(fault, FAULT_FORBIDDEN, "%s; %s is away, and %s %s host in %lld s", why,
			 host->username, next == member ? "you" : next->username,
			 next == member ? "become" : "becomes",
			 (long long)((left_ms + 999) / 1000));
}

enum fault_code room_check_caller(const struct room *r, enum method method,
				  const struct room_caller *who, int64_t wall_ms,
				  struct fault *fault)
{
	switch (method_rows[method].who) {
	case WHO_SEATED:
		if (who->seat == NULL) {
			return fault_set(fault, FAULT_UNAUTHENTICATED,
					 "you have no seat here; call room.subscribe first, or "
					 "send its user_key");
		}
		return FAULT_NONE;
	case WHO_MEMBER:
		if (who->seat == NULL && !who->has_host_key && who->sent_host_key) {
			return fault_set(fault, FAULT_FORBIDDEN,
					 "that is not this room's host_key");
		}
		if (who->seat == NULL && !who->has_host_key) {
			return fault_set(fault, FAULT_UNAUTHENTICATED,
					 "you have neither seat nor host_key here; call "
					 "room.subscribe first");
		}
		return FAULT_NONE;
	case WHO_HOST:
		if (has_hosts_rights(r, who->seat, who->has_host_key) ||
		    room_is_led_by(r, who->facts)) {
			return FAULT_NONE;
		}
		return refuse_member(r, who->seat, wall_ms, "only a host can do that", fault);
	case WHO_ANYONE:
	case WHO_GREETED:
	case WHO_USER:
	case WHO_KEYED:
	case WHO_OWNER:
	case WHO_KIOSK:
		return FAULT_NONE;
	}
	return FAULT_NONE;
}

enum fault_code room_check_stranger(const struct room *r, enum method method,
				    const struct room_caller *who, const unsigned char *server_key,
				    struct fault *fault)
{
	if (who->seat != NULL || who->has_host_key || method == METHOD_ROOM_SUBSCRIBE ||
	    room_is_led_by(r, who->facts)) {
		return FAULT_NONE;
	}
	const struct room_entrant entrant = {.is_member = room_is_of_member(r, who->facts)};
	enum fault_code f = room_is_barred(r, &who->user_hash)
				    ? fault_set(fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN)
				    : room_lets_in(r, server_key, &entrant, fault);
	if (f == FAULT_NONE && method == METHOD_ROOM_GET && r->policy.lobby && !entrant.is_member) {
		f = fault_set(fault, FAULT_FORBIDDEN,
			      "the room has a lobby; subscribe, and wait to be admitted");
	}
	return f;
}

/* ---- rights ---- */

static struct standing standing_of(const struct room *r, const struct seat *seat, bool is_host)
{
	return (struct standing){
		.is_host = is_host,
		.has_name = seat != NULL && seat->username != NULL,
		.is_spectator = seat != NULL && seat->role == ROLE_SPECTATOR,
		.is_waiting = seat != NULL && seat->is_waiting,
		.is_revealed = r->is_revealed,
		.policy = r->policy,
	};
}

static enum fault_code check_right(const struct room *r, struct room_call *c, enum right right,
				   bool is_maker)
{
	const char *why = NULL;
	bool is_host = has_hosts_rights(r, c->seat, c->has_host_key) || room_is_led_by(r, c->facts);
	struct standing standing = standing_of(r, c->seat, is_host);
	standing.is_maker = is_maker;
	if (c->method ==
	    METHOD_ROOM_VOTE) { /* what the table shows does not matter to a vote elsewhere */
		const struct room_vote_params *p = c->params;
		standing.is_revealed = r->is_revealed && !story_is_elsewhere(r, p->story_id);
	}
	enum fault_code f = right_refusal(right, &standing, &why);
	if (f == FAULT_NONE) {
		return FAULT_NONE;
	}
	standing.has_name = true; /* else the refusal may be of a name that is missing */
	return right_needs_host(right, standing)
		       ? refuse_member(r, c->seat, c->wall_ms, why, c->fault)
		       : fault_set(c->fault, f, "%s", why);
}

enum fault_code room_check_delete(const struct room *r, struct room_call *c, const char *made_by)
{
	bool is_maker = c->seat != NULL && strcmp(c->seat->user_id, made_by) == 0;
	return check_right(r, c, RIGHT_DELETE_DATA, is_maker);
}

/* What a method needs besides its right because of its params: a deadline reveals, the room's or a story's. */
static enum right right_of_params(enum method method, const void *params)
{
	const struct story_add_params *add = method == METHOD_STORY_ADD ? params : NULL;
	const struct story_update_params *update = method == METHOD_STORY_UPDATE ? params : NULL;
	const struct timer_start_params *timer = method == METHOD_TIMER_START ? params : NULL;
	bool reveals = (add != NULL && add->with_reveal_in_seconds) ||
		       (update != NULL && update->with_reveal_in_seconds) ||
		       (timer != NULL && timer->reveal_at_zero);
	return reveals ? RIGHT_REVEAL : RIGHT_NONE;
}

/* Whether the request is refused to a caller who is no host, and would not be to a host. */
static bool needs_host(const struct room *r, enum method method, const void *params,
		       const struct room_caller *who)
{
	const struct standing standing = standing_of(r, who->seat, false);
	return method_rows[method].who == WHO_HOST ||
	       right_needs_host(right_of_method(method), standing) ||
	       right_needs_host(right_of_params(method, params), standing);
}

/*
 * To whose seat the caller comes from outside, where the room asks something of strangers; empty: to no login's. Who
 * follows the room is on their seat already, and is notified when it ends.
 */
static struct slice comes_to_seat_of(const struct room *r, enum method method,
				     const struct room_caller *who)
{
	const struct seat *seat = who->seat;
	if (room_is_open(r) || who->has_host_key || who->is_on_seat) {
		return (struct slice){0};
	}
	if (seat != NULL) {
		return slice_str(seat->is_account ? seat->user_id : "");
	}
	return method == METHOD_ROOM_SUBSCRIBE ? who->keyed_id : (struct slice){0};
}

bool room_wants_facts(const struct room *r, enum method method, const void *params,
		      const struct room_caller *who, struct facts_wanted *wanted)
{
	bool is_keyed = who->keyed_id.len > 0;
	const struct story_add_params *add = method == METHOD_STORY_ADD ? params : NULL;
	bool is_groups = r->group_id[0] != '\0';
	bool adds_item = is_keyed && add != NULL && add->with_item_id;
	if (!is_groups && !adds_item) {
		return false;
	}
	/* The host_key opens the door, and not to a seat that waits there already: membership does that. */
	bool enters = method == METHOD_ROOM_SUBSCRIBE || (who->seat == NULL && !who->has_host_key);
	bool is_host = has_hosts_rights(r, who->seat, who->has_host_key);
	bool may_do_more = enters || (!is_host && needs_host(r, method, params, who));
	bool asks_role = is_keyed && (adds_item || may_do_more);
	struct slice seat_of = is_groups ? comes_to_seat_of(r, method, who) : (struct slice){0};
	*wanted = (struct facts_wanted){
		.group_id = slice_str(asks_role || seat_of.len > 0 ? r->group_id : ""),
		.seat_of = seat_of,
		.container_id = adds_item ? add->container_id : (struct slice){0},
		.item_id = adds_item ? add->item_id : (struct slice){0},
	};
	return facts_are_wanted(wanted);
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
	enum right more = right_of_params(c->method, c->params);
	enum fault_code f = right == RIGHT_NONE ? FAULT_NONE : check_right(r, c, right, false);
	f = f == FAULT_NONE && more != RIGHT_NONE ? check_right(r, c, more, false) : f;
	f = f == FAULT_NONE ? handlers[c->method](r, c) : f;
	if (f != FAULT_NONE) {
		return f;
	}
	note_actor(r, c, right);
	room_settle_reveal(r, c->mono_ms, c->wall_ms, c->limits);
	/* A member who leaves does not put off the room's end. */
	if (r->is_touched && c->method != METHOD_ROOM_LEAVE &&
	    c->method != METHOD_ROOM_DELETE_USER) {
		room_extend(r, c->wall_ms, room_life_ms(r, c->limits));
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
	room_note_clocks(r, now->wall_ms, now->mono_ms, now->limits[LIMIT_VOTE_GRACE_MS]);
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
