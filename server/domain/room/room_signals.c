/*
 * room_signals.c - transient notifications, sent once and not stored: nudges and reactions.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/reaction.h"
#include "proto/rpc.h"

bool room_notify(struct room *r, const struct seat *seat, enum notice notice, const void *params)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	struct room_notification *w = calloc(1, sizeof(*w));
	rpc_write_notice(&b, slice_str(notice_rows[notice].name), notice_rows[notice].record,
			 params);
	if (w == NULL || b.error != OK) {
		buf_finish(&b);
		free(w);
		return false;
	}
	w->is_for_all = seat == NULL;
	if (seat != NULL) {
		w->key_hash = seat->key_hash;
	}
	w->is_to_sessions = notice == NOTICE_SESSION_NUDGED;
	w->len = b.len;
	w->bytes = buf_take(&b);
	buf_finish(&b);
	LL_PREPEND(r->notifications, w);
	return true;
}

/* ---- nudges ---- */

/* Where the room hides who has voted, the answer is the same for a member who has: they are only not sent the nudge. */
static bool can_be_nudged(const struct room *r, const struct room_call *c, const struct seat *seat)
{
	return seat->username != NULL && seat->role == ROLE_VOTER && !seat->is_waiting &&
	       (seat->card == CARD_NONE || room_hides_voters(r)) &&
	       (seat->connections > 0 ||
		(seat->is_account && c->user_is_watched(c->server, slice_str(seat->user_id))));
}

static bool was_nudged(const struct seat *seat, int64_t mono_ms)
{
	return seat->nudged_mono != 0 && mono_ms - seat->nudged_mono < MAX_NUDGE_MS;
}

/* In the room, or where they are logged in while no connection of theirs follows it. False when memory is out. */
static bool nudge_notify(struct room *r, const struct room_call *c, const struct seat *seat)
{
	struct slice by = slice_str(c->seat != NULL ? c->seat->username : NULL);
	if (seat->connections > 0) {
		return room_notify(r, seat, NOTICE_ROOM_NUDGED,
				   &(struct nudged_notice){.room_id = slice_str(r->room_id),
							   .by = by});
	}
	const struct story *s = room_story(r, slice_str(r->story_id));
	const struct slice none = {0};
	return room_notify(r, seat, NOTICE_SESSION_NUDGED,
			   &(struct session_nudged){
				   .room_id = slice_str(r->room_id),
				   .by = by,
				   .story = s == NULL		  ? none
					    : s->text.key.len > 0 ? s->text.key
								  : s->text.title,
			   });
}

/* False when memory is out. */
static bool nudge(struct room *r, struct room_call *c, struct seat *seat)
{
	struct room_nudge_result *result = c->result;
	if (seat->card == CARD_NONE && !nudge_notify(r, c, seat)) {
		return false;
	}
	seat->nudged_mono = c->mono_ms == 0 ? 1 : c->mono_ms;
	result->nudged++;
	return true;
}

static enum fault_code nudge_one(struct room *r, struct room_call *c, struct slice user_id)
{
	struct seat *seat = room_find_user(r, c, user_id);
	if (seat == NULL) {
		return c->fault->code;
	}
	if (!can_be_nudged(r, c, seat)) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "that member has voted, is a spectator, or is away");
	}
	if (was_nudged(seat, c->mono_ms)) {
		fault_set(c->fault, FAULT_RATE_LIMITED,
			  "that member was nudged less than 30 s ago");
		c->fault->retry_after_ms = MAX_NUDGE_MS - (c->mono_ms - seat->nudged_mono);
		return c->fault->code;
	}
	return nudge(r, c, seat) ? FAULT_NONE : room_out_of_memory(c);
}

/* Who shows the host_key and no seat is the creator, wherever that one sits. */
static bool nudge_is_by(const struct room_call *c, const struct seat *seat)
{
	return c->seat != NULL ? seat == c->seat : seat->is_creator;
}

enum fault_code on_ROOM_NUDGE(struct room *r, struct room_call *c)
{
	const struct room_nudge_params *p = c->params;
	if (r->is_revealed) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "already revealed; no votes are missing");
	}
	if (p->with_user_id) {
		return nudge_one(r, c, p->user_id);
	}
	const struct room_nudge_result *result = c->result;
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (!nudge_is_by(c, seat) && can_be_nudged(r, c, seat) &&
		    !was_nudged(seat, c->mono_ms) && !nudge(r, c, seat)) {
			/* Nudges that were queued are sent. */
			return result->nudged > 0 ? FAULT_NONE : room_out_of_memory(c);
		}
	}
	return FAULT_NONE;
}

/* ---- reactions ---- */

enum fault_code on_ROOM_REACT(struct room *r, struct room_call *c)
{
	const struct room_react_params *p = c->params;
	if (!reaction_is_word(p->word)) {
		return fault_field(c->fault, "word", "must be one word or emoji");
	}
	/* Five at once, then one each minute's share: reactions_us is when those that were sent have drained. */
	const int64_t cost_us = 60000000 / MAX_REACTIONS_PER_MINUTE;
	int64_t now_us = c->mono_ms * 1000;
	int64_t from_us = c->seat->reactions_us > now_us ? c->seat->reactions_us : now_us;
	if (from_us - now_us > cost_us * 4) {
		fault_set(c->fault, FAULT_RATE_LIMITED, "too many reactions; wait a moment");
		c->fault->retry_after_ms = 60000 / MAX_REACTIONS_PER_MINUTE;
		return c->fault->code;
	}
	c->seat->reactions_us = from_us + cost_us;
	struct reaction_notice n = {
		.room_id = slice_str(r->room_id),
		.user_id = slice_str(c->seat->user_id),
		.word = p->word,
	};
	return room_notify(r, NULL, NOTICE_ROOM_REACTION, &n) ? FAULT_NONE : room_out_of_memory(c);
}
