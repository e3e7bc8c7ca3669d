/*
 * room_hosts.c - who is host: the maker, a member whom a host names, or, while the
 * host is away, the one who stands in; and what hosts do with members.
 *
 *   host goes: host_kept_for = host --> another stands in --> back: host again, host_kept_for = ""
 *                                             |
 *                                             +--goes, too: the next one stands in for the same host
 *
 * A place is kept for as long as the room lives, under the user_id: the seat may end meanwhile, and the same key has
 * the same user_id again. What people decide ends that: room_set_host() with a seat, and room_forget_host(). Another
 * host whom somebody names who only stands in is a stand-in, too.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

bool seat_is_main_host(const struct room *r, const struct seat *seat)
{
	return r->host_user_id[0] != '\0' && strcmp(r->host_user_id, seat->user_id) == 0;
}

bool seat_is_host(const struct room *r, const struct seat *seat)
{
	return seat->is_cohost || seat_is_main_host(r, seat);
}

bool seat_shows_host(const struct room *r, const struct seat *seat)
{
	return seat->is_owner || seat_is_host(r, seat);
}

void room_set_cohost(struct room *r, struct seat *seat, bool is_cohost)
{
	if (seat->is_cohost != is_cohost) {
		seat->is_cohost = is_cohost;
		room_seat_changed(r, seat, SEAT_IS_HOST);
	}
}

void room_show_host(struct room *r, struct seat *seat)
{
	if (seat != NULL) {
		seat->needs_you = true;
		room_show_seat(r, seat, SEAT_IS_HOST);
	}
}

static void keep_host_for(struct room *r, const char *user_id)
{
	if (strcmp(r->host_kept_for, user_id) != 0) {
		memcpy(r->host_kept_for, user_id, strlen(user_id) + 1);
		room_changed(r);
	}
}

/* NULL: there is no host. */
static void move_host(struct room *r, struct seat *seat)
{
	struct seat *before = room_seat_by_id(r, slice_str(r->host_user_id));
	if (seat != NULL && seat == before) {
		return;
	}
	if (before != NULL) {
		before->is_host_again = false;
		room_show_host(r, before);
	}
	if (seat == NULL) {
		r->host_user_id[0] = '\0';
	} else {
		memcpy(r->host_user_id, seat->user_id, sizeof(r->host_user_id));
		room_keep_seat(r, seat);
		room_show_host(r, seat);
		room_check_graces(r);
	}
	room_changed(r);
}

void room_set_host(struct room *r, struct seat *seat)
{
	move_host(r, seat);
	keep_host_for(r, "");
}

/* The host until now goes, and nobody has decided that: the place stays theirs, or that of whom they stood in for. */
static void stand_in(struct room *r, struct seat *heir)
{
	if (r->host_kept_for[0] == '\0') {
		keep_host_for(r, r->host_user_id);
	}
	move_host(r, heir);
}

void room_host_goes(struct room *r, const struct seat *seat)
{
	if (seat_is_main_host(r, seat)) {
		stand_in(r, NULL);
	}
}

void room_host_returns(struct room *r, struct seat *seat)
{
	bool is_here = seat->connections > 0 && seat->username != NULL && !seat->is_waiting;
	if (is_here && strcmp(r->host_kept_for, seat->user_id) == 0) {
		room_set_host(r, seat);
		seat->is_host_again = true;
	}
}

void room_forget_host(struct room *r, struct slice user_id)
{
	if (slice_eq(slice_str(r->host_kept_for), user_id)) {
		keep_host_for(r, "");
	}
}

/* A caller with the host_key has decided who is host: nobody stands in any more. */
static void maker_came(struct room *r)
{
	if (!r->had_host) {
		r->had_host = true;
		r->needs_write = true;
	}
}

void room_offer_host(struct room *r, struct seat *seat)
{
	if (!r->had_host) {
		maker_came(r);
		room_set_host(r, seat);
	}
}

/* Of two readings of both clocks; more means that the wall clock was set. */
#define CLOCKS_APART_MS 1000

void room_note_clocks(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms)
{
	int64_t ahead = wall_ms - mono_ms + vote_grace_ms;
	int64_t moved = ahead > r->grace_ahead ? ahead - r->grace_ahead : r->grace_ahead - ahead;
	r->grace_ahead = moved > CLOCKS_APART_MS ? ahead : r->grace_ahead;
}

/* Counted from when the room was made, so that a load does not begin it anew; a clock that was set since makes it
 * no longer than it is. */
void room_await_maker(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms)
{
	int64_t left = r->created_on + vote_grace_ms - wall_ms;
	room_note_clocks(r, wall_ms, mono_ms, vote_grace_ms);
	left = left < 0 ? 0 : left > vote_grace_ms ? vote_grace_ms : left;
	r->maker_due_mono = mono_ms + left;
	if (!r->had_host && left > 0 && r->maker_due_mono < r->next_grace_mono) {
		r->next_grace_mono = r->maker_due_mono;
	}
}

/*
 * Co-hosts before others, then the voter who joined first. Programs do not inherit: a room led by a bot that nobody meant
 * to lead it is a room without a host. NULL: there is nobody.
 */
static struct seat *find_heir(const struct room *r)
{
	struct seat *heir = NULL;
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat->username == NULL || seat->is_waiting || seat->is_bot ||
		    seat->connections == 0 || (seat->role != ROLE_VOTER && !seat->is_cohost)) {
			continue;
		}
		bool is_before =
			heir == NULL || (seat->is_cohost && !heir->is_cohost) ||
			(seat->is_cohost == heir->is_cohost && seat->joined_at < heir->joined_at);
		heir = is_before ? seat : heir;
	}
	return heir;
}

void room_settle_host(struct room *r, int64_t mono_ms, int64_t vote_grace_ms)
{
	if (!r->had_host && mono_ms < r->maker_due_mono) {
		return; /* the room waits for its maker */
	}
	const struct seat *host = room_seat_by_id(r, slice_str(r->host_user_id));
	if (host != NULL &&
	    (host->connections > 0 || mono_ms - host->disconnected_mono < vote_grace_ms)) {
		return;
	}
	if (room_keeps_votes(r) && (host != NULL ? host->username != NULL : !r->had_host)) {
		return; /* nobody is expected to be here: neither the host, nor the maker, who has the key */
	}
	struct seat *heir = find_heir(r);
	if (heir != NULL) {
		stand_in(r, heir);
	}
}

void room_show_next_host(struct room *r)
{
	const struct seat *host =
		r->host_user_id[0] == '\0' ? NULL : room_seat_by_id(r, slice_str(r->host_user_id));
	bool is_kept = host == NULL || host->connections > 0 ||
		       (room_keeps_votes(r) && host->username != NULL);
	const struct seat *heir = is_kept ? NULL : find_heir(r);
	const char *id = heir == NULL ? "" : heir->user_id;
	int64_t at = heir == NULL ? 0 : host->disconnected_mono + r->grace_ahead;
	if (strcmp(r->next_host_id, id) != 0 || r->next_host_at != at) {
		memcpy(r->next_host_id, id, strlen(id) + 1);
		r->next_host_at = at;
		r->needs_update = true;
		r->is_touched = true;
	}
}

struct seat *room_find_user(struct room *r, struct room_call *c, struct slice user_id)
{
	struct seat *seat = room_seat_by_id(r, user_id);
	if (seat == NULL) {
		fault_set_field(c->fault, FAULT_NOT_FOUND, "user_id",
				"no member of the room has that user_id");
	}
	return seat;
}

static struct seat *find_user(struct room *r, struct room_call *c)
{
	const struct room_user_params *p = c->params;
	return room_find_user(r, c, p->user_id);
}

void room_set_creator(struct room *r, struct seat *seat)
{
	if (!seat->is_creator) {
		seat->is_creator = true;
		room_store_seat(r, seat);
	}
}

/* Against the creator only those may act who have the host_key, too. */
static enum fault_code check_rank(struct room_call *c, const struct seat *seat, const char *why)
{
	bool has_rank = c->has_host_key || (c->seat != NULL && c->seat->is_creator);
	if (!seat->is_creator || has_rank) {
		return FAULT_NONE;
	}
	return fault_set(c->fault, FAULT_FORBIDDEN, "%s created this room; %s",
			 seat->username == NULL ? "that member" : seat->username, why);
}

bool room_note_kick(struct seat *seat, const struct room_call *c)
{
	return room_set_text(&seat->kicked_by,
			     slice_str(c->seat == NULL ? NULL : c->seat->username));
}

enum fault_code on_ROOM_KICK(struct room *r, struct room_call *c)
{
	struct seat *seat = find_user(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	if (seat == c->seat) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "you cannot remove yourself; leave the room instead");
	}
	if (check_rank(c, seat, "co-hosts cannot remove its creator") != FAULT_NONE) {
		return c->fault->code;
	}
	if (!room_note_kick(seat, c)) {
		return room_out_of_memory(c);
	}
	if (r->policy.locked || r->policy.has_passcode) {
		/* A seat would let its key in again, whatever the room asks of strangers. */
		if (!room_bar(r, seat, c->wall_ms)) {
			return room_out_of_memory(c);
		}
		room_seat_remove(r, seat);
	} else {
		room_clear_name(r, seat);
		room_presence_end(r, seat, c->mono_ms);
		if (seat->is_waiting != r->policy.lobby) {
			seat->is_waiting = r->policy.lobby; /* as for a newcomer */
			seat->needs_write = true;
		}
		seat->is_kicked = true;
		room_show_seat(r, seat, SEAT_IS_WAITING);
	}
	room_forget_host(r, slice_str(seat->user_id));
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

enum fault_code on_ROOM_CLAIM_HOST(struct room *r, struct room_call *c)
{
	if (!c->has_host_key) {
		return fault_set(c->fault, FAULT_FORBIDDEN, "that is not this room's host_key");
	}
	maker_came(r);
	room_set_creator(r, c->seat);
	room_set_cohost(r, c->seat, false);
	room_set_host(r, c->seat);
	room_let_in(r, c->seat);
	return FAULT_NONE;
}

/* Whether naming this host is also about the place that is kept: a stand-in may give only their own place away. */
static bool decides_kept_place(const struct room *r, const struct room_call *c,
			       const struct seat *named)
{
	return c->has_host_key || named == c->seat ||
	       strcmp(r->host_kept_for, named->user_id) == 0 ||
	       (c->seat != NULL && strcmp(r->host_kept_for, c->seat->user_id) == 0);
}

/* The host until now keeps the rights as co-host, until room.unset_host takes them. */
enum fault_code on_ROOM_SET_HOST(struct room *r, struct room_call *c)
{
	struct seat *seat = find_user(r, c);
	struct seat *before = room_seat_by_id(r, slice_str(r->host_user_id));
	if (seat == NULL) {
		return c->fault->code;
	}
	if (seat->username == NULL || seat->is_waiting) {
		return fault_set(c->fault, FAULT_CONFLICT, "only a member with a name can be host");
	}
	if (before != NULL && before != seat) {
		room_set_cohost(r, before, true);
	}
	if (c->has_host_key) {
		maker_came(r);
	}
	room_set_cohost(r, seat, false);
	if (decides_kept_place(r, c, seat)) {
		room_set_host(r, seat);
	} else {
		move_host(r, seat);
	}
	return FAULT_NONE;
}

enum fault_code on_ROOM_UNSET_HOST(struct room *r, struct room_call *c)
{
	struct seat *seat = find_user(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	if (!seat_is_host(r, seat)) {
		return fault_set(c->fault, FAULT_CONFLICT, "that member is not a host");
	}
	if (seat != c->seat && check_rank(c, seat, "its creator stays host") != FAULT_NONE) {
		return c->fault->code;
	}
	if (seat_is_main_host(r, seat)) {
		/* The first co-host, but one who is connected before one who is away. */
		struct seat *heir = NULL;
		struct seat *other;
		DL_FOREACH (r->seats, other) {
			bool is_before =
				heir == NULL || (other->connections > 0 && heir->connections == 0);
			heir = other->is_cohost && other != seat && is_before ? other : heir;
		}
		if (heir == NULL) {
			return fault_set(c->fault, FAULT_CONFLICT, "choose another host first");
		}
		room_set_cohost(r, heir, false);
		room_set_host(r, heir);
	}
	room_set_cohost(r, seat, false);
	return FAULT_NONE;
}
