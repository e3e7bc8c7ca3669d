/*
 * room_policy.c - the policy of a room, which strangers it admits, and the lobby.
 */
#include "server/domain/room/room_state.h"

#include <utlist.h>

#include "server/domain/base/policy_item.h"

void room_let_in(struct room *r, struct seat *seat)
{
	if (seat->is_waiting) {
		seat->is_waiting = false;
		room_seat_changed(r, seat, SEAT_IS_WAITING);
		room_host_returns(r, seat);
	}
}

enum fault_code on_ROOM_SET_POLICY(struct room *r, struct room_call *c)
{
	const struct room_set_policy_params *p = c->params;
	struct policy policy = r->policy;
	struct key_text passcode_hash = r->passcode_hash;
	policy_change_by(&p->policy, c->server_key, &policy, &passcode_hash);
	bool names_change = policy.anonymous != r->policy.anonymous;
	bool hid_voters = room_hides_voters(r);
	bool result_changes = names_change || policy.bots_count != r->policy.bots_count;
	int64_t quorum = r->policy.quorum;
	bool reveals_alone = r->policy.auto_reveal;
	bool counts_change = policy.bots_count != r->policy.bots_count ||
			     policy.open_stories != r->policy.open_stories ||
			     policy.hide_who_voted != r->policy.hide_who_voted;
	bool kept_votes = room_keeps_votes(r);
	if (names_change && r->policy.anonymous) {
		if (r->story_votes_n > 0 || r->revealed_stories_n > 0) {
			return fault_set(c->fault, FAULT_CONFLICT,
					 "the votes on open stories were cast to stay anonymous; "
					 "settle them, or choose each and start its next round");
		}
		if (room_has_votes(r) || r->is_revealed) {
			return fault_set(c->fault, FAULT_CONFLICT,
					 "the votes were cast to stay anonymous; start the next "
					 "round first");
		}
		/* Both would bring such votes back. */
		room_forget_undo(r);
		room_forget_votes_aside(r);
	}
	r->policy = policy;
	r->passcode_hash = passcode_hash;
	if (!room_reveals_itself(r)) {
		room_stop_countdown(r);
	}
	if (kept_votes && !room_keeps_votes(r)) {
		room_check_graces(r);
	}
	struct seat *seat;
	DL_FOREACH (r->seats, seat) {
		if (!policy.lobby) {
			room_let_in(r, seat);
		}
		/* No stranger to a room that from now on does not take everybody. */
		room_keep_seat(r, seat);
	}
	if (!policy.lobby) {
		room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	}
	if (hid_voters && !room_hides_voters(r)) {
		room_show_voters(r);
	}
	if (r->is_revealed && result_changes && (names_change || !policy.anonymous)) {
		room_record_round(r, c->wall_ms);
	}
	if (names_change && r->is_revealed) {
		room_show_cards(r, SEAT_CARD_ANEW);
		room_fix_result(r);
	}
	if (counts_change) {
		room_recount_story_votes(r);
	}
	if (result_changes) {
		room_show_stories_again(r);
	}
	if (counts_change || policy.quorum != quorum || policy.auto_reveal != reveals_alone) {
		room_reveal_enough(r, c->wall_ms);
	}
	room_changed(r);
	return FAULT_NONE;
}

/* ---- strangers ---- */

enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key,
			     const struct room_entrant *who, struct fault *fault)
{
	const struct slice passcode = who->passcode;
	bool has_passcode = who->is_member;
	if (r->policy.has_passcode && passcode.len > 0 && !has_passcode) {
		struct key_text hash = key_hash(server_key, "passcode", passcode);
		has_passcode = key_hash_eq(&r->passcode_hash, slice_of(hash.text, KEY_CHARS));
	}
	if (who->has_host_key) {
		return FAULT_NONE;
	}
	/* The code is right, so its holder may learn what is missing; it has cost a guess, as a wrong code does. */
	if (r->policy.has_passcode && !has_passcode) {
		return fault_set(fault, FAULT_PASSCODE_REQUIRED,
				 passcode.len > 0 ? "wrong passcode" : "the room has a passcode");
	}
	return r->policy.locked ? fault_set(fault, FAULT_ROOM_LOCKED,
					    "the room is locked; ask its host to unlock it")
				: FAULT_NONE;
}

static struct seat *find_waiting(struct room *r, struct room_call *c)
{
	const struct room_user_params *p = c->params;
	struct seat *seat = room_find_user(r, c, p->user_id);
	if (seat != NULL && !seat->is_waiting) {
		fault_set(c->fault, FAULT_CONFLICT, "that member is not in the lobby");
		return NULL;
	}
	return seat;
}

enum fault_code on_ROOM_ADMIT(struct room *r, struct room_call *c)
{
	struct seat *seat = find_waiting(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	room_let_in(r, seat);
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

enum fault_code on_ROOM_REJECT(struct room *r, struct room_call *c)
{
	struct seat *seat = find_waiting(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	if (!room_note_kick(seat, c)) {
		return room_out_of_memory(c);
	}
	room_seat_remove(r, seat);
	room_forget_host(r, slice_str(seat->user_id));
	return FAULT_NONE;
}
