/*
 * room_hosts.c - what hosts do with members: kick them, and make them hosts.
 *
 * Who follows a host who has gone is room_grace.c's.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

struct seat *room_find_user(struct room *r, struct room_call *c, struct slice user_id)
{
	struct seat *seat = room_seat_by_id(r, user_id);
	if (seat == NULL) {
		fault_set_field(c->fault, FAULT_NOT_FOUND, "user_id",
				"nobody in the room has that user_id");
	}
	return seat;
}

static struct seat *find_user(struct room *r, struct room_call *c)
{
	const struct room_user_params *p = c->params;
	return room_find_user(r, c, p->user_id);
}

/* A seat would let its key in again, whatever the room asks of strangers. */
static enum fault_code kick_for_good(struct room *r, struct room_call *c, struct seat *seat)
{
	if (!room_bar(r, seat, c->wall_ms)) {
		return room_out_of_memory(c);
	}
	room_seat_remove(r, seat);
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

enum fault_code on_ROOM_KICK(struct room *r, struct room_call *c)
{
	struct seat *seat = find_user(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	if (seat == c->seat) {
		return fault_set(c->fault, FAULT_CONFLICT, "to go yourself, use room.leave");
	}
	if (r->policy.locked || r->policy.has_passcode) {
		return kick_for_good(r, c, seat);
	}
	room_clear_name(r, seat);
	room_presence_end(r, seat, c->mono_ms);
	if (seat->is_waiting != r->policy.lobby) {
		seat->is_waiting = r->policy.lobby; /* where others have to ask, they have to too */
		seat->needs_write = true;
	}
	seat->is_kicked = true;
	room_show_seat(r, seat, SEAT_IS_WAITING);
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

enum fault_code on_ROOM_CLAIM_HOST(struct room *r, struct room_call *c)
{
	if (!c->has_host_key) {
		return fault_set(c->fault, FAULT_FORBIDDEN, "that is not this room's host_key");
	}
	room_maker_came(r);
	room_set_cohost(r, c->seat, false);
	room_set_host(r, c->seat);
	room_let_in(r, c->seat);
	return FAULT_NONE;
}

/* Whoever was host keeps the rights as co-host, until room.unset_host takes them. */
enum fault_code on_ROOM_SET_HOST(struct room *r, struct room_call *c)
{
	struct seat *seat = find_user(r, c);
	struct seat *before = room_seat_by_id(r, slice_str(r->host_user_id));
	if (seat == NULL) {
		return c->fault->code;
	}
	if (seat->username == NULL || seat->is_waiting) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "only a member who has joined can be host");
	}
	if (before != NULL && before != seat) {
		room_set_cohost(r, before, true);
	}
	if (c->has_host_key) {
		room_maker_came(r);
	}
	room_set_cohost(r, seat, false);
	room_set_host(r, seat);
	return FAULT_NONE;
}

static struct seat *find_cohost(struct room *r, const struct seat *but)
{
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->is_cohost && seat != but) {
			return seat;
		}
	}
	return NULL;
}

enum fault_code on_ROOM_UNSET_HOST(struct room *r, struct room_call *c)
{
	struct seat *seat = find_user(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	if (!seat_is_host(r, seat)) {
		return fault_set(c->fault, FAULT_CONFLICT, "that member is no host");
	}
	if (seat_is_main_host(r, seat)) {
		struct seat *heir = find_cohost(r, seat);
		if (heir == NULL) {
			return fault_set(c->fault, FAULT_CONFLICT, "make somebody else host first");
		}
		room_set_cohost(r, heir, false);
		room_set_host(r, heir);
	}
	room_set_cohost(r, seat, false);
	return FAULT_NONE;
}
