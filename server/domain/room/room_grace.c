/*
 * room_grace.c - who is host, how long a lost connection keeps its seat, and
 * when a room is over.
 *
 *   connected --last connection lost--> away --VOTE_GRACE--> vote gone
 *                                        |                       |
 *                                        +--back: all kept       +--NAME_GRACE--> seat gone
 *
 * A seat without a name has nothing to keep and goes with VOTE_GRACE. A vote
 * that lies open has been seen: it stays as long as the name does.
 * Graces are counted on the monotonic clock: a clock that is set does not end
 * them early, and a restart begins them anew.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"

bool seat_is_main_host(const struct room *r, const struct seat *seat)
{
	return r->host_user_id[0] != '\0' && strcmp(r->host_user_id, seat->user_id) == 0;
}

bool seat_is_host(const struct room *r, const struct seat *seat)
{
	return seat->is_cohost || seat_is_main_host(r, seat);
}

void room_set_cohost(struct room *r, struct seat *seat, bool is_cohost)
{
	if (seat->is_cohost != is_cohost) {
		seat->is_cohost = is_cohost;
		room_seat_changed(r, seat, SEAT_IS_HOST);
	}
}

/* Others see who is host, and the seat itself is told its rights. */
static void room_show_host(struct room *r, struct seat *seat)
{
	if (seat != NULL) {
		seat->needs_you = true;
		room_show_seat(r, seat, SEAT_IS_HOST);
	}
}

void room_set_host(struct room *r, struct seat *seat)
{
	if (seat != NULL && seat_is_main_host(r, seat)) {
		return;
	}
	if (r->host_user_id[0] != '\0') {
		room_show_host(r, room_seat_by_id(r, slice_str(r->host_user_id)));
	}
	if (seat == NULL) {
		r->host_user_id[0] = '\0';
	} else {
		memcpy(r->host_user_id, seat->user_id, sizeof(r->host_user_id));
		room_keep_seat(r, seat);
		room_show_host(r, seat);
	}
	room_changed(r);
}

void room_maker_came(struct room *r)
{
	if (!r->had_host) {
		r->had_host = true;
		r->needs_write = true;
	}
}

void room_offer_host(struct room *r, struct seat *seat)
{
	if (!r->had_host) {
		room_maker_came(r);
		room_set_host(r, seat);
	}
}

/* Counted from when the room was made, so that a load does not begin it anew; a clock that was set since makes it
 * no longer than it is. */
void room_await_maker(struct room *r, int64_t wall_ms, int64_t mono_ms, int64_t vote_grace_ms)
{
	int64_t left = r->created_on + vote_grace_ms - wall_ms;
	left = left < 0 ? 0 : left > vote_grace_ms ? vote_grace_ms : left;
	r->maker_due_mono = mono_ms + left;
	if (!r->had_host && left > 0 && r->maker_due_mono < r->next_grace_mono) {
		r->next_grace_mono = r->maker_due_mono;
	}
}

/* Programs do not inherit: a room led by a bot that nobody meant to lead it is a room without a
 * host. */
static bool seat_can_inherit(const struct seat *seat)
{
	return seat->username != NULL && !seat->is_waiting && !seat->is_bot &&
	       seat->connections > 0 && (seat->role == ROLE_VOTER || seat->is_cohost);
}

/* Co-hosts before others, then whoever joined first. */
static bool seat_inherits_before(const struct seat *seat, const struct seat *other)
{
	if (seat->is_cohost != other->is_cohost) {
		return seat->is_cohost;
	}
	return seat->joined_at < other->joined_at;
}

static bool room_host_is_here(struct room *r, int64_t mono_ms, int64_t vote_grace_ms)
{
	if (r->host_user_id[0] == '\0') {
		return false;
	}
	const struct seat *host = room_seat_by_id(r, slice_str(r->host_user_id));
	return host != NULL &&
	       (host->connections > 0 || mono_ms - host->disconnected_mono < vote_grace_ms);
}

void room_settle_host(struct room *r, int64_t mono_ms, int64_t vote_grace_ms)
{
	bool waits_for_maker = !r->had_host && mono_ms < r->maker_due_mono;
	if (waits_for_maker || room_host_is_here(r, mono_ms, vote_grace_ms)) {
		return;
	}
	struct seat *heir = NULL;
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (seat_can_inherit(seat) && (heir == NULL || seat_inherits_before(seat, heir))) {
			heir = seat;
		}
	}
	if (heir != NULL) {
		room_set_host(r, heir);
	}
}

void room_clear_vote(struct room *r, struct seat *seat)
{
	if (seat->card != CARD_NONE) {
		room_settle_round(r);
	}
	room_take_vote(r, seat);
}

void room_take_vote(struct room *r, struct seat *seat)
{
	if (seat->card != CARD_NONE) {
		seat->card = CARD_NONE;
		seat->voted_at = 0;
		seat->confidence = 0;
		seat->is_changed = false;
		(void)room_set_text(&seat->note, (struct slice){0}); /* only frees */
		room_seat_changed(r, seat, SEAT_HAS_VOTE);
		if (room_shows_cards(r)) {
			room_show_seat(r, seat, SEAT_CARD_ANEW);
			room_changed(r); /* the result is part of the room */
		}
	}
}

void last_vote_clear(struct last_vote *last)
{
	free(last->note);
	*last = (struct last_vote){.card = CARD_NONE};
}

void room_clear_name(struct room *r, struct seat *seat)
{
	room_clear_vote(r, seat);
	if (seat->username != NULL) {
		free(seat->username);
		seat->username = NULL;
		seat->joined_at = 0;
		room_seat_changed(r, seat, SEAT_NAME);
		if (seat->connections == 0) { /* its grace ends sooner, or has ended */
			r->next_grace_mono = seat->disconnected_mono;
		}
	}
	last_vote_clear(&seat->last);
	room_set_cohost(r, seat, false);
	if (seat_is_main_host(r, seat)) {
		room_set_host(r, NULL);
	}
}

void room_attach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t vote_grace_ms)
{
	if (seat->connections++ > 0) {
		return;
	}
	r->connected_n++;
	room_show_seat(r, seat, SEAT_IS_CONNECTED);
	room_settle_host(r, mono_ms, vote_grace_ms);
}

static void room_begin_graces(struct room *r, struct seat *seat, int64_t mono_ms,
			      const int64_t *limits)
{
	int64_t grace_ends = mono_ms + limits[LIMIT_VOTE_GRACE_MS];
	seat->disconnected_mono = mono_ms;
	if (grace_ends < r->next_grace_mono) {
		r->next_grace_mono = grace_ends;
	}
}

void room_detach(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits)
{
	ASSERT_CMP(seat->connections, >, 0);
	if (--seat->connections > 0 || seat_is_gone(seat)) {
		return;
	}
	if (--r->connected_n == 0) {
		room_repeat_warning(r); /* whoever was warned has gone */
	}
	room_show_seat(r, seat, SEAT_IS_CONNECTED);
	room_presence_detached(r, mono_ms, limits);
	room_begin_graces(r, seat, mono_ms, limits);
}

void room_seen(struct room *r, struct seat *seat, int64_t mono_ms, const int64_t *limits)
{
	if (seat->connections == 0 && !seat_is_gone(seat)) {
		room_begin_graces(r, seat, mono_ms, limits);
	}
}

/* Apply what has ended for one seat that is away; returns when its next grace ends. The seat may be
 * gone afterwards. */
static int64_t room_tick_seat(struct room *r, struct seat *seat, int64_t mono_ms,
			      const int64_t *limits)
{
	int64_t vote_ends = seat->disconnected_mono + limits[LIMIT_VOTE_GRACE_MS];
	int64_t name_ends = seat->disconnected_mono + limits[LIMIT_NAME_GRACE_MS];
	if (mono_ms < vote_ends) {
		return vote_ends;
	}
	if (!r->is_revealed || mono_ms >= name_ends) {
		room_clear_vote(r, seat);
	}
	if (seat->username != NULL && mono_ms < name_ends) {
		return name_ends;
	}
	room_seat_remove(r, seat);
	return INT64_MAX;
}

int64_t room_grace_at(const struct room *r, const struct room_now *now)
{
	(void)now;
	return r->next_grace_mono;
}

void room_grace_act(struct room *r, const struct room_now *now)
{
	bool waits_for_maker = !r->had_host && now->mono_ms < r->maker_due_mono;
	r->next_grace_mono = waits_for_maker ? r->maker_due_mono : INT64_MAX;
	struct seat *seat;
	struct seat *later;
	DL_FOREACH_SAFE (r->seats, seat, later) {
		if (seat->connections == 0) {
			int64_t next = room_tick_seat(r, seat, now->mono_ms, now->limits);
			r->next_grace_mono = next < r->next_grace_mono ? next : r->next_grace_mono;
		}
	}
	room_settle_host(r, now->mono_ms, now->limits[LIMIT_VOTE_GRACE_MS]);
}
