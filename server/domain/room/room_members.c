/*
 * room_members.c - the requests that act on one room: members, the room itself,
 * and where each of the others is handled.
 *
 * Whoever calls has been let in by the core: a WHO_SEATED method has c->seat, a
 * WHO_HOST method the right to it. Each handler first checks everything, then
 * changes; one that refuses has changed nothing.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include "proto/assert.h"

enum fault_code room_out_of_memory(struct room_call *c)
{
	return fault_set(c->fault, FAULT_UNAVAILABLE, "the server is out of memory");
}

/* ---- members ---- */

static enum fault_code on_join(struct room *r, struct room_call *c)
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
		free(seat->username);
		seat->username = username;
		seat->is_bot = is_bot;
		seat->role = role;
		seat->joined_at = seat->joined_at != 0 ? seat->joined_at : c->wall_ms;
		room_seat_changed(r, seat, fields);
		if (role == ROLE_SPECTATOR) {
			room_clear_vote(r, seat);
		}
		room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	}
	struct room_join_result *result = c->result;
	result->user_id = slice_str(seat->user_id);
	return FAULT_NONE;
}

static enum fault_code on_leave(struct room *r, struct room_call *c)
{
	room_clear_name(r, c->seat);
	room_presence_end(r, c->seat, c->mono_ms);
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

static enum fault_code on_delete_user(struct room *r, struct room_call *c)
{
	room_seat_remove(r, c->seat);
	c->seat = NULL;
	room_settle_host(r, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	return FAULT_NONE;
}

/* ---- the room itself ---- */

static enum fault_code on_set_title(struct room *r, struct room_call *c)
{
	const struct room_set_title_params *p = c->params;
	char *copy = NULL;
	if (slice_eq(p->title, slice_str(r->title))) {
		return FAULT_NONE;
	}
	if (p->title.len > 0 && (copy = strndup(p->title.data, p->title.len)) == NULL) {
		return room_out_of_memory(c);
	}
	free(r->title);
	r->title = copy;
	room_changed(r);
	return FAULT_NONE;
}

static enum fault_code on_keep(struct room *r, struct room_call *c)
{
	const struct room_keep_params *p = c->params;
	struct room_keep_result *result = c->result;
	room_keep(r, c->wall_ms + p->days * 86400000);
	result->expires_at = r->expires_at;
	return FAULT_NONE;
}

static enum fault_code on_delete(struct room *r, struct room_call *c)
{
	(void)c;
	room_delete(r);
	return FAULT_NONE;
}

/* What it answers are the bytes of the full update, which the core shares: room_write_full(). */
static enum fault_code on_get(struct room *r, struct room_call *c)
{
	return room_check_right(r, c, RIGHT_READ);
}

static enum fault_code on_barred(struct room *r, struct room_call *c)
{
	struct room_barred_result *result = c->result;
	result->barred = arena_alloc(c->arena, (r->barred_n + 1) * sizeof(*result->barred));
	if (result->barred == NULL) {
		return room_out_of_memory(c);
	}
	result->barred_n = room_view_barred(r, result->barred);
	return FAULT_NONE;
}

/* ---- dispatch ---- */

/* One for each row of METHODS: a row without one does not build. */
#define HANDLER_ROOM_SUBSCRIBE	     on_ROOM_SUBSCRIBE
#define HANDLER_ROOM_UNSUBSCRIBE     on_ROOM_UNSUBSCRIBE
#define HANDLER_ROOM_JOIN	     on_join
#define HANDLER_ROOM_LEAVE	     on_leave
#define HANDLER_ROOM_VOTE	     on_vote
#define HANDLER_ROOM_SET_VALID_SIZES on_set_valid_sizes
#define HANDLER_ROOM_SET_TITLE	     on_set_title
#define HANDLER_ROOM_SET_REVEALED    on_set_revealed
#define HANDLER_ROOM_RESET	     on_reset
#define HANDLER_ROOM_SET_POLICY	     on_set_policy
#define HANDLER_PRESENCE_CREATE	     room_presence_call
#define HANDLER_PRESENCE_GET	     room_presence_call
#define HANDLER_PRESENCE_DELETE	     room_presence_call
#define HANDLER_PRESENCE_SET	     room_presence_call
#define HANDLER_PRESENCE_REMOVE	     room_presence_call
#define HANDLER_MAP_CREATE	     room_data_call
#define HANDLER_MAP_GET		     room_data_call
#define HANDLER_MAP_DELETE	     room_data_call
#define HANDLER_MAP_SET		     room_data_call
#define HANDLER_MAP_REMOVE	     room_data_call
#define HANDLER_LIST_CREATE	     room_data_call
#define HANDLER_LIST_GET	     room_data_call
#define HANDLER_LIST_DELETE	     room_data_call
#define HANDLER_LIST_PUSH	     room_data_call
#define HANDLER_LIST_INSERT	     room_data_call
#define HANDLER_LIST_SET	     room_data_call
#define HANDLER_LIST_MOVE	     room_data_call
#define HANDLER_LIST_REMOVE	     room_data_call
#define HANDLER_ROOM_KEEP	     on_keep
#define HANDLER_ROOM_UNSET_HOST	     on_unset_host
#define HANDLER_ROOM_ADMIT	     on_admit
#define HANDLER_ROOM_REJECT	     on_reject
#define HANDLER_ROOM_NUDGE	     on_nudge
#define HANDLER_ROOM_REACT	     on_react
#define HANDLER_ROUND_AGAIN	     on_reset
#define HANDLER_ROUND_UNDO_RESET     on_undo_reset
#define HANDLER_ROUND_SETTLE	     on_settle
#define HANDLER_ROUND_LIST	     on_round_list
#define HANDLER_REVEAL_CANCEL	     on_reveal_cancel
#define HANDLER_REVEAL_ARM	     on_reveal_arm
#define HANDLER_TIMER_START	     on_timer_start
#define HANDLER_TIMER_STOP	     on_timer_stop
#define HANDLER_STORY_ADD	     on_story_add
#define HANDLER_STORY_UPDATE	     on_story_update
#define HANDLER_STORY_MOVE	     on_story_move
#define HANDLER_STORY_REMOVE	     on_story_remove
#define HANDLER_STORY_RESTORE	     on_story_restore
#define HANDLER_STORY_SELECT	     on_story_select
#define HANDLER_STORY_NEXT	     on_story_next
#define HANDLER_STORY_LIST	     on_story_list
#define HANDLER_ROOM_KICK	     on_kick
#define HANDLER_ROOM_UNKICK	     on_unkick
#define HANDLER_ROOM_BARRED	     on_barred
#define HANDLER_ROOM_CLAIM_HOST	     on_claim_host
#define HANDLER_ROOM_SET_HOST	     on_set_host
#define HANDLER_ROOM_GET	     on_get
#define HANDLER_ROOM_DELETE_USER     on_delete_user
#define HANDLER_ROOM_DELETE	     on_delete
/* What acts on no room that is there. */
#define HANDLER_SESSION_HELLO	NULL
#define HANDLER_SESSION_LOGIN	NULL
#define HANDLER_SESSION_RESUME	NULL
#define HANDLER_SESSION_WHOAMI	NULL
#define HANDLER_SESSION_LOGOUT	NULL
#define HANDLER_SESSION_WATCH	NULL
#define HANDLER_SESSION_UNWATCH NULL
#define HANDLER_SERVER_PING	NULL
#define HANDLER_SERVER_STATS	NULL
#define HANDLER_ROOM_CREATE	NULL

static enum fault_code (*const handlers[METHOD_COUNT])(struct room *, struct room_call *) = {
#define HANDLER_ROW(symbol, ...) [METHOD_##symbol] = HANDLER_##symbol,
	METHODS(HANDLER_ROW)
#undef HANDLER_ROW
};

/* Every changing method's result may say which version shows the change. */
static void stamp_version(const struct room *r, const struct room_call *c)
{
	const struct method_row *row = &method_rows[c->method];
	const struct field *f =
		row->effect == EFFECT_CHANGES ? record_field(row->result, SLICE("version")) : NULL;
	if (f != NULL) {
		field_put_int(f, c->result, r->version);
	}
}

enum fault_code room_call(struct room *r, struct room_call *c)
{
	ASSERT(handlers[c->method] != NULL);
	enum fault_code f = handlers[c->method](r, c);
	if (f != FAULT_NONE) {
		return f;
	}
	room_settle_reveal(r, c->mono_ms, c->wall_ms, c->limits);
	/* Whoever goes leaves the room the time it had. */
	if (r->is_touched && c->method != METHOD_ROOM_LEAVE &&
	    c->method != METHOD_ROOM_DELETE_USER) {
		room_extend(r, c->wall_ms, c->limits[LIMIT_ROOM_LIFE_MS]);
	}
	room_end_change(r);
	stamp_version(r, c);
	return FAULT_NONE;
}
