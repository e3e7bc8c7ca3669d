/*
 * room_members.c - requests of members on their own seat, and on the room itself.
 *
 * The core has checked the caller: a WHO_SEATED method has c->seat, the caller of
 * a WHO_HOST method is a host. Each handler first checks everything, then
 * changes; one that refuses has changed nothing.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/link.h"
#include "server/domain/room_directory.h"

/* It counts as if it had never been gone. */
static void lay_vote_again(struct room *r, struct room_call *c)
{
	struct seat *seat = c->seat;
	if (room_take_left_vote(r, seat)) {
		room_show_seat(r, seat, SEAT_CARD_ANEW);
	} else if (seat->is_vote_aside) {
		room_lay_vote_again(r, seat);
		if (room_shows_cards(r)) {
			room_show_seat(r, seat, SEAT_CARD_ANEW);
			room_changed(r); /* the result is part of the room */
		}
		room_check_round(r, c->mono_ms);
	}
}

enum fault_code on_ROOM_JOIN(struct room *r, struct room_call *c)
{
	const struct room_join_params *p = c->params;
	struct seat *seat = c->seat;
	enum seat_role role = p->with_role ? p->role : seat->role;
	/* A login's own seat has the login's name. */
	bool is_own = seat->is_account && slice_eq(slice_str(seat->user_id), c->account_id);
	struct slice wanted = is_own ? c->account_name : p->username;
	if (wanted.len == 0) {
		return fault_field(c->fault, "username", "required when not logged in");
	}
	if (room_free_name(r, c, seat, wanted, &wanted) != FAULT_NONE) {
		return c->fault->code;
	}
	char *username = strndup(wanted.data, wanted.len);
	if (username == NULL) {
		return room_out_of_memory(c);
	}
	bool is_bot = p->with_is_bot ? p->is_bot : seat->is_bot;
	bool same = seat->username != NULL && strcmp(seat->username, username) == 0;
	unsigned fields = (same ? 0u : SEAT_NAME) | (role == seat->role ? 0u : SEAT_ROLE) |
			  (is_bot == seat->is_bot ? 0u : SEAT_IS_BOT);
	if (fields == 0) {
		free(username);
	} else {
		if (role == ROLE_SPECTATOR && seat->card != CARD_NONE) {
			room_leave_vote(r, seat); /* as it lay */
		}
		free(seat->username);
		seat->username = username;
		seat->is_bot = is_bot;
		seat->role = role;
		seat->joined_at = seat->joined_at != 0 ? seat->joined_at : c->wall_ms;
		room_seat_changed(r, seat, fields);
		if (role == ROLE_SPECTATOR && seat->card != CARD_NONE) {
			room_put_vote_aside(r, seat);
			seat->is_vote_aside = true;
		} else if (role == ROLE_VOTER) {
			lay_vote_again(r, c);
		}
		if ((fields & (SEAT_IS_BOT | SEAT_ROLE)) != 0 && seat->story_votes != NULL) {
			room_recount_story_votes(r);
			room_reveal_enough(r, c->wall_ms);
		}
		if (room_shows_cards(r) && seat->card != CARD_NONE) {
			room_changed(r); /* the result counts bots where the policy does */
			room_round_changed(r, c->mono_ms);
		}
		room_host_returns(r, seat);
		room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	}
	struct room_join_result *result = c->result;
	result->user_id = slice_str(seat->user_id);
	result->username = slice_str(seat->username);
	return FAULT_NONE;
}

void room_clear_name(struct room *r, struct seat *seat)
{
	room_clear_vote(r, seat);
	if (seat->username != NULL) {
		free(seat->username);
		seat->username = NULL;
		seat->joined_at = 0;
		room_seat_changed(r, seat, SEAT_NAME);
		room_check_graces(r); /* without a name they are shorter */
	}
	last_vote_clear(&seat->last);
	seat->is_vote_aside = false;
	room_end_story_votes(r, seat);
	room_set_cohost(r, seat, false);
	room_host_goes(r, seat);
}

enum fault_code on_ROOM_LEAVE(struct room *r, struct room_call *c)
{
	const struct room_leave_params *p = c->params;
	struct room_leave_result *result = c->result;
	unsigned others = c->seat->connections - (c->is_on_seat ? 1 : 0);
	result->is_kept = p->if_last && others > 0;
	if (result->is_kept) {
		return FAULT_NONE;
	}
	room_clear_name(r, c->seat);
	room_presence_end(r, c->seat, c->mono_ms);
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

enum fault_code on_ROOM_DELETE_USER(struct room *r, struct room_call *c)
{
	room_seat_remove(r, c->seat);
	room_forget_host(r, slice_str(c->seat->user_id));
	c->seat = NULL;
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

static void end_seat(struct room *r, struct seat *seat, const struct room_now *now)
{
	room_seat_remove(r, seat);
	room_forget_host(r, slice_str(seat->user_id));
	room_settle_host(r, now->mono_ms, now->limits[LIMIT_VOTE_GRACE_MS]);
	room_settle_reveal(r, now->mono_ms, now->wall_ms, now->limits);
}

static void remove_account(struct room *r, const struct room_task *task, struct slice user_id)
{
	struct seat *seat = room_account_seat(r, task->server_key, user_id);
	if (seat == NULL) {
		room_forget_host(r, user_id); /* a place outlasts its seat */
	} else {
		end_seat(r, seat,
			 &(struct room_now){.mono_ms = task->mono_ms,
					    .wall_ms = task->wall_ms,
					    .limits = task->limits});
	}
}

void room_forget_account(struct room *r, const struct room_task *task)
{
	remove_account(r, task, task->key);
}

void room_end_member(struct room *r, const struct room_task *task)
{
	size_t at = strlen(r->group_id);
	if (at > 0 && task->key.len > at && task->key.data[at] == '#' && !room_is_open(r) &&
	    slice_eq(slice_of(task->key.data, at), slice_str(r->group_id))) {
		remove_account(r, task, slice_of(task->key.data + at + 1, task->key.len - at - 1));
	}
}

void room_end_removed(struct room *r, const struct room_facts *facts, const struct room_now *now)
{
	if (facts == NULL || facts->removed_on == 0 || room_is_open(r)) {
		return;
	}
	struct seat *seat = room_seat_by_id(r, facts->seat_of);
	if (seat == NULL) {
		room_forget_host(r, facts->seat_of); /* a place outlasts its seat */
		room_end_change(r);
	} else if (seat->is_account && seat->created_on <= facts->removed_on) {
		/* One that was taken since then was taken as any stranger takes theirs. */
		end_seat(r, seat, now);
		room_end_change(r);
	}
}

size_t room_users_here(const struct room *r)
{
	const struct seat *seat;
	size_t n = 0;
	DL_FOREACH (r->seats, seat) {
		n += seat->username != NULL && seat->connections > 0 && !seat->is_waiting;
	}
	return n;
}

/* ---- the room itself ---- */

static enum fault_code change_text(struct room *r, struct room_call *c, char **text,
				   struct slice value)
{
	if (slice_eq(value, slice_str(*text))) {
		return FAULT_NONE;
	}
	if (!room_set_text(text, value)) {
		return room_out_of_memory(c);
	}
	room_changed(r);
	return FAULT_NONE;
}

enum fault_code on_ROOM_SET_TITLE(struct room *r, struct room_call *c)
{
	const struct room_set_title_params *p = c->params;
	return change_text(r, c, &r->title, p->title);
}

enum fault_code on_ROOM_SET_LINK_TEMPLATE(struct room *r, struct room_call *c)
{
	const struct room_set_link_template_params *p = c->params;
	enum fault_code f = link_check_template(p->link_template, c->fault);
	return f != FAULT_NONE ? f : change_text(r, c, &r->link_template, p->link_template);
}

enum fault_code on_ROOM_KEEP(struct room *r, struct room_call *c)
{
	const struct room_keep_params *p = c->params;
	struct room_keep_result *result = c->result;
	const int64_t until_ms = c->wall_ms + p->days * 86400000;
	if (r->expires_at < until_ms) {
		r->expires_at = until_ms;
		r->needs_write = true;
		r->is_touched = true;
	}
	result->expires_at = r->expires_at;
	return FAULT_NONE;
}

enum fault_code on_ROOM_DELETE(struct room *r, struct room_call *c)
{
	(void)c;
	room_delete(r);
	return FAULT_NONE;
}

/* Its result is the bytes of the full update, which the core shares: room_write_full(). */
enum fault_code on_ROOM_GET(struct room *r, struct room_call *c)
{
	(void)r;
	(void)c;
	return FAULT_NONE;
}

enum fault_code on_ROOM_BARRED(struct room *r, struct room_call *c)
{
	struct room_barred_result *result = c->result;
	result->barred = arena_alloc(c->arena, (r->barred_n + 1) * sizeof(*result->barred));
	if (result->barred == NULL) {
		return room_out_of_memory(c);
	}
	result->barred_n = room_view_barred(r, result->barred);
	return FAULT_NONE;
}
