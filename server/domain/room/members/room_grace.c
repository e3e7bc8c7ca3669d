/*
 * room_grace.c - connections on a seat, and how long the seat is kept without one.
 *
 *   connected --last connection lost--> away --VOTE_GRACE--> vote gone
 *                                        |                       |
 *                                        +--again: all kept      +--NAME_GRACE--> seat gone
 *
 * A seat without a name has nothing to keep and is removed after VOTE_GRACE. A
 * revealed vote has been seen: it is kept as long as the name. Where the policy keeps votes, members with
 * a name have no graces: nobody is expected to stay connected. A vote that was cast with keep_seconds makes both
 * graces as long as that, while it is on the table, or can come back to it.
 * Graces are counted on the monotonic clock: a clock that is set does not end
 * them early, and a restart begins them anew.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

#include "proto/base/assert.h"

void room_attach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t vote_grace_ms)
{
	if (seat->connections++ > 0) {
		return;
	}
	r->connected_n++;
	seat->away_since = 0;
	room_show_seat(r, seat, SEAT_IS_CONNECTED);
	room_host_returns(r, seat);
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

/* The time that was asked for with the seat's vote; 0: none, or no vote is left of it. */
static int64_t seat_keep_ms(const struct room *r, const struct seat *seat)
{
	bool comes_back =
		seat->last.card != CARD_NONE && (seat->is_vote_aside || r->undo.round != 0);
	return seat->card != CARD_NONE || comes_back ? seat->keep_seconds * 1000 : 0;
}

static int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void room_check_graces(struct room *r)
{
	r->next_grace_mono = 0;
}

void room_lose_connected(struct room *r)
{
	if (--r->connected_n == 0) {
		room_repeat_warning(r); /* whoever was warned has gone */
	}
}

void room_detach(struct room *r, struct seat *seat, int64_t mono_ms, int64_t wall_ms,
		 const int64_t *limits)
{
	ASSERT_CMP(seat->connections, >, 0);
	seat->is_passing = false;
	if (--seat->connections > 0 || seat_is_gone(seat)) {
		return;
	}
	seat->is_host_again = false;
	seat->away_since = wall_ms;
	room_lose_connected(r);
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
		int64_t keep_ends = seat->disconnected_mono + seat_keep_ms(r, seat);
		int64_t host_ends = seat->disconnected_mono + now->limits[LIMIT_VOTE_GRACE_MS];
		int64_t vote_ends = later_of(host_ends, keep_ends);
		int64_t name_ends =
			later_of(seat->disconnected_mono + now->limits[LIMIT_NAME_GRACE_MS],
				 keep_ends);
		int64_t next = now->mono_ms < host_ends ? host_ends : vote_ends;
		if (seat->connections > 0 || (room_keeps_votes(r) && seat->username != NULL)) {
			continue;
		}
		if (now->mono_ms >= vote_ends) {
			next = seat->username != NULL ? name_ends : vote_ends;
			if (!r->is_revealed || now->mono_ms >= name_ends) {
				room_clear_vote(r, seat);
			}
		}
		if (now->mono_ms >= next) {
			room_seat_remove(r, seat);
		} else if (next < r->next_grace_mono) {
			r->next_grace_mono = next;
		}
	}
	room_settle_host(r, now->mono_ms, now->limits[LIMIT_VOTE_GRACE_MS]);
}
