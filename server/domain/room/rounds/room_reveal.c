/*
 * room_reveal.c - the reveal: by hand, by countdown, armed, or by a timer; and breaks.
 *
 *   voting --enough have voted--> countdown --COUNTDOWN_MS--> revealed
 *        \--by hand, armed, timer-----------------------------^
 *
 * The phase is derived: revealed is is_revealed, countdown is countdown_mono.
 * Whether enough have voted (the policy's quorum, or everybody) is checked after every change, so no member who
 * leaves, is kicked or turns spectator can leave the room waiting for them.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

/* ---- votes that count ---- */

bool room_vote_counts(const struct room *r, const struct seat *seat)
{
	return seat->card != CARD_NONE && (!seat->is_bot || r->policy.bots_count);
}

/* ---- reveal ---- */

void room_stop_countdown(struct room *r)
{
	if (r->countdown_mono != 0) {
		r->countdown_mono = 0;
		r->needs_update = true;
		r->is_touched = true;
	}
}

static void stop_timer(struct room *r)
{
	if (r->timer_ends_at != 0) {
		r->timer_ends_at = 0;
		r->timer_mono = 0;
		r->timer_reveals = false;
		room_changed(r);
	}
}

void room_reveal(struct room *r, int64_t wall_ms)
{
	if (r->is_revealed) {
		return;
	}
	room_stop_countdown(r);
	if (!r->policy.open_stories) {
		stop_timer(r); /* otherwise it is the deadline of the other stories, too */
	}
	room_forget_votes_aside(r);
	bool hid_voters = room_hides_voters(r);
	r->is_revealed = true;
	r->is_armed = false;
	r->revealed_at = wall_ms;
	room_changed(r);
	if (hid_voters) {
		room_show_voters(r);
	}
	if (room_shows_cards(r)) {
		room_show_cards(r, SEAT_CARD);
	}
	room_fix_result(r);
	room_record_round(r, wall_ms);
}

bool room_keeps_votes(const struct room *r)
{
	return r->policy.keep_votes || r->policy.open_stories;
}

bool room_reveals_itself(const struct room *r)
{
	return r->policy.auto_reveal && (r->policy.quorum > 0 || !room_keeps_votes(r));
}

/*
 * A member who is away keeps the others waiting only for the grace in which the vote would be kept, too. A vote that is
 * to be kept without a connection counts, but does not reveal by itself, unless its member has another connection: who
 * votes and goes does not stay to see the cards.
 */
static bool everybody_voted(const struct room *r, int64_t mono_ms, int64_t vote_grace_ms)
{
	bool any_voted = false;
	const struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		bool is_expected = seat->username != NULL && seat->role == ROLE_VOTER &&
				   !seat->is_waiting && (!seat->is_bot || r->policy.bots_count);
		bool is_here = seat->connections > 0 || room_keeps_votes(r) ||
			       mono_ms - seat->disconnected_mono < vote_grace_ms;
		if (is_expected && is_here && seat->card == CARD_NONE) {
			return false;
		}
		bool is_seen =
			seat->keep_seconds > 0 ? seat->connections > seat->is_passing : is_here;
		any_voted = any_voted ||
			    (is_expected && (is_seen || (r->is_armed && seat->card != CARD_NONE)));
	}
	return any_voted;
}

void room_settle_reveal(struct room *r, int64_t mono_ms, int64_t wall_ms, const int64_t *limits)
{
	const int64_t quorum = r->policy.quorum;
	if (r->countdown_mono != 0 && room_count_votes(r) < (quorum > 0 ? quorum : 1)) {
		room_stop_countdown(
			r); /* members who had voted have left: there is nothing, or not enough, to show */
	}
	bool wants =
		r->is_armed || (room_reveals_itself(r) && !r->is_held && r->countdown_mono == 0);
	if (r->is_revealed || !wants) {
		return;
	}
	if (quorum > 0 ? room_count_votes(r) < quorum
		       : !everybody_voted(r, mono_ms, limits[LIMIT_VOTE_GRACE_MS])) {
		return;
	}
	if (r->is_armed) {
		room_reveal(r, wall_ms);
		return;
	}
	r->countdown_mono = mono_ms + limits[LIMIT_COUNTDOWN_MS];
	r->countdown_ends_at = wall_ms + limits[LIMIT_COUNTDOWN_MS];
	/* Tokens count on from the epoch, so that one of before a restart means nothing after it. */
	r->countdown_token = (r->countdown_token == 0 ? r->epoch : r->countdown_token) + 1;
	r->needs_update = true;
	r->is_touched = true;
}

enum fault_code on_ROOM_SET_REVEALED(struct room *r, struct room_call *c)
{
	const struct room_set_revealed_params *p = c->params;
	if (story_is_elsewhere(r, p->story_id)) {
		return room_set_story_revealed(r, c);
	}
	if (p->is_revealed) {
		room_reveal(r, c->wall_ms);
		return FAULT_NONE;
	}
	if (r->is_revealed && r->policy.anonymous) {
		/* Turned over once more, they would show whose card is missing or new. */
		return fault_set(
			c->fault, FAULT_CONFLICT,
			"a round without names cannot be hidden again; start the next round");
	}
	if (r->is_revealed) {
		room_settle_round(r);
		room_forget_left(r);
		r->is_revealed = false;
		r->revealed_at = 0;
		r->is_held = true; /* all votes are still there; they hid them to go on talking */
		room_changed(r);
		room_show_cards(r, SEAT_CARD_ANEW);
	}
	room_check_graces(r); /* open cards outlast them, hidden ones do not */
	return FAULT_NONE;
}

enum fault_code on_REVEAL_CANCEL(struct room *r, struct room_call *c)
{
	const struct reveal_cancel_params *p = c->params;
	bool is_meant = !p->with_token || p->token == r->countdown_token;
	if (is_meant && r->countdown_mono != 0) {
		room_stop_countdown(r);
		r->is_held = true;
		room_changed(r);
	}
	return FAULT_NONE;
}

enum fault_code on_REVEAL_ARM(struct room *r, struct room_call *c)
{
	const struct reveal_arm_params *p = c->params;
	bool is_armed = !p->with_is_armed || p->is_armed;
	if (r->is_revealed) {
		return fault_set(c->fault, FAULT_CONFLICT, "already revealed");
	}
	if (r->is_armed != is_armed) {
		r->is_armed = is_armed;
		room_changed(r);
	}
	return FAULT_NONE;
}

/* ---- time ---- */

void room_start_timer(struct room *r, const struct room_call *c, int64_t seconds, bool reveals)
{
	r->timer_ends_at = c->wall_ms + seconds * 1000;
	r->timer_mono = c->mono_ms + seconds * 1000;
	r->timer_reveals = reveals;
	room_changed(r);
	room_extend(r, r->timer_ends_at,
		    room_life_ms(r, c->limits)); /* whoever comes then finds what it revealed */
}

enum fault_code on_TIMER_START(struct room *r, struct room_call *c)
{
	const struct timer_start_params *p = c->params;
	struct timer_start_result *result = c->result;
	int64_t seconds = p->with_seconds ? p->seconds : r->timer_seconds;
	if (seconds == 0) {
		return fault_field(c->fault, "seconds",
				   "is required: the room has no usual time for timers");
	}
	room_start_timer(r, c, seconds, p->reveal_at_zero);
	result->ends_at = r->timer_ends_at;
	return FAULT_NONE;
}

enum fault_code on_TIMER_STOP(struct room *r, struct room_call *c)
{
	(void)c;
	stop_timer(r);
	return FAULT_NONE;
}

enum fault_code on_ROOM_PAUSE(struct room *r, struct room_call *c)
{
	const struct room_pause_params *p = c->params;
	r->pause_ends_at = p->minutes > 0 ? c->wall_ms + p->minutes * 60000 : 0;
	room_changed(r);
	return FAULT_NONE;
}

int64_t room_countdown_at(const struct room *r, const struct room_now *now)
{
	(void)now;
	return r->countdown_mono != 0 ? r->countdown_mono : INT64_MAX;
}

void room_countdown_act(struct room *r, const struct room_now *now)
{
	room_reveal(r, now->wall_ms);
}

int64_t room_late_round_at(const struct room *r, const struct room_now *now)
{
	(void)now;
	return r->is_round_late ? r->round_due_mono : INT64_MAX;
}

void room_late_round_act(struct room *r, const struct room_now *now)
{
	(void)now;
	room_settle_round(r);
}

/* A timer that was loaded is due at once: to resume. */
int64_t room_timer_at(const struct room *r, const struct room_now *now)
{
	int64_t due = r->timer_mono != 0 ? r->timer_mono : now->mono_ms;
	return r->timer_ends_at != 0 ? due : INT64_MAX;
}

void room_timer_act(struct room *r, const struct room_now *now)
{
	if (r->timer_mono ==
	    0) { /* loaded: it resumes by the wall clock, all that outlives a server */
		const int64_t most = (int64_t)MAX_TIMER_SECONDS * 1000;
		int64_t left = r->timer_ends_at - now->wall_ms;
		r->timer_mono = now->mono_ms + (left < 0 ? 0 : left > most ? most : left);
	}
	if (r->timer_mono <= now->mono_ms) {
		bool reveals = r->timer_reveals;
		stop_timer(r);
		if (reveals && room_has_votes(r)) {
			room_reveal(r, now->wall_ms);
		}
		if (reveals) {
			room_reveal_stories(r, now->wall_ms);
		}
	}
}

int64_t room_pause_at(const struct room *r, const struct room_now *now)
{
	int64_t left = r->pause_ends_at > now->wall_ms ? r->pause_ends_at - now->wall_ms : 0;
	return r->pause_ends_at != 0 ? now->mono_ms + left : INT64_MAX;
}

void room_pause_act(struct room *r, const struct room_now *now)
{
	(void)now;
	r->pause_ends_at = 0;
	room_changed(r);
}
