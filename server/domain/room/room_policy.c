/*
 * room_policy.c - who may do what in a room, who may come in, and the lobby.
 *
 * The sentences that refuse are rights.h's, so that a client can show them
 * before anybody asks.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include <utlist.h>

void policy_defaults(struct policy *p)
{
	*p = (struct policy){.everyone_edits_stories = true, .auto_reveal = true};
}

static struct slice who(bool is_everyone)
{
	return is_everyone ? SLICE("everyone") : SLICE("host");
}

void policy_view_of(const struct policy *p, struct policy_view *out)
{
	*out = (struct policy_view){
		.who_reveals = who(p->everyone_reveals),
		.who_resets = who(p->everyone_resets),
		.who_edits_stories = who(p->everyone_edits_stories),
		.who_edits_data = slice_str(data_editors_name(p->data_editors)),
		.auto_reveal = p->auto_reveal,
		.vote_after_reveal = p->vote_after_reveal,
		.anonymous = p->anonymous,
		.locked = p->locked,
		.lobby = p->lobby,
		.bots_count = p->bots_count,
		.confidence = p->confidence,
		.has_passcode = p->has_passcode,
	};
}

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
		.everyone_reveals = r->policy.everyone_reveals,
		.everyone_resets = r->policy.everyone_resets,
		.everyone_edits_stories = r->policy.everyone_edits_stories,
		/* What a round without names says is fixed at its reveal. */
		.vote_after_reveal = r->policy.vote_after_reveal && !r->policy.anonymous,
		.data_editors = r->policy.data_editors,
		.is_maker = is_maker,
	};
	enum fault_code f = right_refusal(right, &standing, &why);
	return f == FAULT_NONE ? f : fault_set(c->fault, f, "%s", why);
}

enum fault_code room_check_right(const struct room *r, struct room_call *c, enum right right)
{
	return check_right(r, c, right, false);
}

enum fault_code room_check_delete(const struct room *r, struct room_call *c, const char *made_by)
{
	bool is_maker = c->seat != NULL && strcmp(c->seat->user_id, made_by) == 0;
	return check_right(r, c, RIGHT_DELETE_DATA, is_maker);
}

/* ---- changing it ---- */

static enum fault_code read_who(struct room_call *c, const char *field, bool given,
				struct slice value, bool *is_everyone)
{
	if (!given) {
		return FAULT_NONE;
	}
	*is_everyone = slice_eq(value, SLICE("everyone"));
	return *is_everyone || slice_eq(value, SLICE("host"))
		       ? FAULT_NONE
		       : fault_field(c->fault, field, "must be host or everyone");
}

static void read_switch(bool given, bool value, bool *out)
{
	*out = given ? value : *out;
}

static void read_switches(const struct policy_change *p, struct policy *out)
{
	read_switch(p->with_auto_reveal, p->auto_reveal, &out->auto_reveal);
	read_switch(p->with_vote_after_reveal, p->vote_after_reveal, &out->vote_after_reveal);
	read_switch(p->with_anonymous, p->anonymous, &out->anonymous);
	read_switch(p->with_locked, p->locked, &out->locked);
	read_switch(p->with_lobby, p->lobby, &out->lobby);
	read_switch(p->with_bots_count, p->bots_count, &out->bots_count);
	read_switch(p->with_confidence, p->confidence, &out->confidence);
}

static enum fault_code read_policy(struct room_call *c, const struct policy_change *p,
				   struct policy *out)
{
	enum fault_code f = read_who(c, "policy.who_reveals", p->with_who_reveals, p->who_reveals,
				     &out->everyone_reveals);
	if (f == FAULT_NONE) {
		f = read_who(c, "policy.who_resets", p->with_who_resets, p->who_resets,
			     &out->everyone_resets);
	}
	if (f == FAULT_NONE) {
		f = read_who(c, "policy.who_edits_stories", p->with_who_edits_stories,
			     p->who_edits_stories, &out->everyone_edits_stories);
	}
	if (f == FAULT_NONE && p->with_who_edits_data &&
	    !data_editors_read(p->who_edits_data, &out->data_editors)) {
		f = fault_field(c->fault, "policy.who_edits_data",
				"must be members, everyone or host");
	}
	read_switches(p, out);
	if (p->with_passcode) {
		out->has_passcode = p->passcode.data != NULL;
		memset(&out->passcode_hash, 0, sizeof(out->passcode_hash));
		if (out->has_passcode) {
			out->passcode_hash = key_hash(c->server_key, "passcode", p->passcode);
		}
	}
	return f;
}

void room_let_in(struct room *r, struct seat *seat)
{
	if (seat->is_waiting) {
		seat->is_waiting = false;
		room_seat_changed(r, seat, SEAT_IS_WAITING);
	}
}

/* Who waits is let in when there is no lobby any more. */
static void open_lobby(struct room *r)
{
	for (struct seat *seat = r->seats; seat != NULL; seat = seat->next) {
		room_let_in(r, seat);
	}
}

/* Those who sit here are no strangers to a room that from now on does not take everybody. */
static void keep_seats(struct room *r)
{
	for (struct seat *seat = r->seats; seat != NULL; seat = seat->next) {
		room_keep_seat(r, seat);
	}
}

enum fault_code on_ROOM_SET_POLICY(struct room *r, struct room_call *c)
{
	const struct room_set_policy_params *p = c->params;
	struct policy policy = r->policy;
	enum fault_code f = read_policy(c, &p->policy, &policy);
	if (f != FAULT_NONE) {
		return f;
	}
	bool names_change = policy.anonymous != r->policy.anonymous;
	bool result_changes = names_change || policy.bots_count != r->policy.bots_count;
	if (names_change && r->policy.anonymous) {
		if (room_has_votes(r) || r->is_revealed) {
			return fault_set(c->fault, FAULT_CONFLICT,
					 "the votes on the table were cast to stay without names; "
					 "begin the next round first");
		}
		room_forget_undo(r); /* which would bring such votes back */
	}
	r->policy = policy;
	if (!policy.auto_reveal) {
		room_stop_countdown(r);
	}
	if (!policy.lobby) {
		open_lobby(r);
	}
	keep_seats(r);
	if (names_change && r->is_revealed) {
		room_show_cards(r, SEAT_CARD_ANEW);
		room_fix_result(r);
	}
	if (r->is_revealed && result_changes && (names_change || !policy.anonymous)) {
		room_record_round(r, c->wall_ms);
	}
	room_changed(r);
	return FAULT_NONE;
}

/* ---- coming in ---- */

enum fault_code room_lets_in(const struct room *r, const unsigned char *server_key,
			     struct slice passcode, bool has_host_key, struct fault *fault)
{
	bool has_passcode = false;
	if (r->policy.has_passcode && passcode.len > 0) {
		struct key_text hash = key_hash(server_key, "passcode", passcode);
		has_passcode =
			key_hash_eq(&r->policy.passcode_hash, slice_of(hash.text, KEY_CHARS));
	}
	if (has_host_key) {
		return FAULT_NONE;
	}
	if (r->policy.has_passcode && !has_passcode) {
		return fault_set(fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN);
	}
	if (r->policy.locked) {
		/* Who knows the passcode is no stranger and may learn why. */
		return has_passcode ? fault_set(fault, FAULT_ROOM_LOCKED,
						"the room takes no new members")
				    : fault_set(fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN);
	}
	return FAULT_NONE;
}

static struct seat *find_waiting(struct room *r, struct room_call *c)
{
	const struct room_user_params *p = c->params;
	struct seat *seat = room_find_user(r, c, p->user_id);
	if (seat != NULL && !seat->is_waiting) {
		fault_set(c->fault, FAULT_CONFLICT, "that member does not wait in the lobby");
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
	return FAULT_NONE;
}

enum fault_code on_ROOM_REJECT(struct room *r, struct room_call *c)
{
	struct seat *seat = find_waiting(r, c);
	if (seat == NULL) {
		return c->fault->code;
	}
	room_seat_remove(r, seat);
	return FAULT_NONE;
}
