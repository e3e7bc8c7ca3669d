/*
 * room_requests_play.c - asks about rounds, time, signals, stories and policy, as
 * requests. One function for each shape of params.
 */
#include "client/app/room_requests_parts.h"

#include <string.h>

#include "proto/record.h"

/* Text for a field that may be nil: empty means none. */
static struct slice room_acts_nil(const char *text)
{
	return text[0] == '\0' ? (struct slice){0} : slice_str(text);
}

static enum err room_acts_member(struct room_client *to, const struct room_requests_frame *f,
				 enum method method)
{
	struct room_member_params p = {ROOM_REQUESTS_COMMON(f)};
	return room_client_call(to, method, &p, NULL);
}

static enum err room_acts_settle(struct room_client *to, const struct room_requests_frame *f,
				 const char *estimate)
{
	struct round_settle_params p = {
		ROOM_REQUESTS_COMMON(f),
		.estimate = room_acts_nil(estimate),
	};
	return room_client_call(to, METHOD_ROUND_SETTLE, &p, NULL);
}

static enum err room_acts_cancel(struct room_client *to, const struct room_requests_frame *f,
				 int64_t token)
{
	struct reveal_cancel_params p = {ROOM_REQUESTS_COMMON(f), .token = token,
					 .with_token = true};
	return room_client_call(to, METHOD_REVEAL_CANCEL, &p, NULL);
}

static enum err room_acts_arm(struct room_client *to, const struct room_requests_frame *f,
			      bool is_armed)
{
	struct reveal_arm_params p = {ROOM_REQUESTS_COMMON(f), .is_armed = is_armed,
				      .with_is_armed = true};
	return room_client_call(to, METHOD_REVEAL_ARM, &p, NULL);
}

static enum err room_acts_timer(struct room_client *to, const struct room_requests_frame *f,
				const struct ask *ask)
{
	struct timer_start_params p = {
		ROOM_REQUESTS_COMMON(f),
		.seconds = ask->number,
		.reveal_at_zero = ask->is_on,
		.with_reveal_at_zero = true,
	};
	return ask->number == 0 ? room_acts_member(to, f, METHOD_TIMER_STOP)
				: room_client_call(to, METHOD_TIMER_START, &p, NULL);
}

static enum err room_acts_nudge(struct room_client *to, const struct room_requests_frame *f)
{
	struct room_nudge_params p = {ROOM_REQUESTS_COMMON(f)};
	return room_client_call(to, METHOD_ROOM_NUDGE, &p, NULL);
}

static enum err room_acts_react(struct room_client *to, const struct room_requests_frame *f,
				const char *word)
{
	struct room_react_params p = {
		.room_id = f->room_id,
		.word = slice_str(word),
		.idempotency_key = f->once,
	};
	return room_client_call(to, METHOD_ROOM_REACT, &p, NULL);
}

/* ---- stories ---- */

static enum err room_acts_select(struct room_client *to, const struct room_requests_frame *f,
				 const char *id)
{
	struct story_select_params p = {
		ROOM_REQUESTS_COMMON(f),
		.story_id = room_acts_nil(id),
	};
	return room_client_call(to, METHOD_STORY_SELECT, &p, NULL);
}

static enum err room_acts_add(struct room_client *to, const struct room_requests_frame *f,
			      const struct ask *ask)
{
	struct story_add_params p = {
		ROOM_REQUESTS_COMMON(f),
		.title = slice_str(ask->text),
		.after = slice_str(ask->id),
	};
	return room_client_call(to, METHOD_STORY_ADD, &p, NULL);
}

static enum err room_acts_update(struct room_client *to, const struct room_requests_frame *f,
				 const struct ask *ask)
{
	const struct slice text = slice_str(ask->text), nil = room_acts_nil(ask->text);
	struct story_update_params p = {ROOM_REQUESTS_COMMON(f), .story_id = slice_str(ask->id)};
	if (ask->kind == ASK_RENAME_STORY) {
		p.title = text;
		p.with_title = true;
	} else if (ask->kind == ASK_LINK_STORY) {
		p.link = nil;
		p.with_link = true;
	} else if (ask->kind == ASK_DESCRIBE_STORY) {
		p.notes = nil;
		p.with_notes = true;
	}
	struct fault ignored;
	if (ask->kind == ASK_MARK_STORY &&
	    !record_set_text(&record_story_update_params, &p, SLICE("status"), text, &ignored)) {
		return ERR_INVALID;
	}
	return room_client_call(to, METHOD_STORY_UPDATE, &p, NULL);
}

static enum err room_acts_move(struct room_client *to, const struct room_requests_frame *f,
			       const struct ask *ask)
{
	struct story_move_params p = {
		ROOM_REQUESTS_COMMON(f),
		.story_id = slice_str(ask->id),
		.before = slice_str(ask->is_on ? ask->other : ""),
		.after = slice_str(ask->is_on ? "" : ask->other),
	};
	return room_client_call(to, METHOD_STORY_MOVE, &p, NULL);
}

static enum err room_acts_story(struct room_client *to, const struct room_requests_frame *f,
				enum method method, const char *id)
{
	struct story_params p = {ROOM_REQUESTS_COMMON(f), .story_id = slice_str(id)};
	return room_client_call(to, method, &p, NULL);
}

/* ---- policy, history ---- */

/* One field of the policy, found by its name: a switch, or who may. */
static enum err room_acts_switch(struct room_client *to, const struct room_requests_frame *f,
				 const struct ask *ask)
{
	struct room_set_policy_params p = {ROOM_REQUESTS_COMMON(f)};
	const struct slice name = slice_str(ask->text);
	const struct field *field = record_field(&record_policy_change, name);
	struct fault ignored;
	bool is_set = field != NULL && field->kind == FIELD_BOOL
			      ? record_set_bool(&record_policy_change, &p.policy, name, ask->is_on,
						&ignored)
			      : record_set_text(&record_policy_change, &p.policy, name,
						slice_str(ask->other), &ignored);
	return is_set ? room_client_call(to, METHOD_ROOM_SET_POLICY, &p, NULL) : ERR_INVALID;
}

static enum err room_acts_passcode(struct room_client *to, const struct room_requests_frame *f,
				   const char *passcode)
{
	struct room_set_policy_params p = {
		ROOM_REQUESTS_COMMON(f),
		.policy = {.passcode = room_acts_nil(passcode), .with_passcode = true},
	};
	return room_client_call(to, METHOD_ROOM_SET_POLICY, &p, NULL);
}

static enum err room_acts_history(struct room_client *to, const struct room_requests_frame *f,
				  const struct ask *ask)
{
	struct page_params p = {
		.room_id = f->room_id,
		.limit = ask->number > MAX_PAGE ? MAX_PAGE : ask->number,
		.cursor = slice_str(ask->text),
	};
	return room_client_call(to, METHOD_ROUND_LIST, &p, NULL);
}

enum err room_requests_play(struct room_client *to, const struct room_requests_frame *f,
			    const struct ask *ask)
{
	switch (ask->kind) {
	case ASK_RESET:
		return room_acts_member(to, f, METHOD_ROOM_RESET);
	case ASK_AGAIN:
		return room_acts_member(to, f, METHOD_ROUND_AGAIN);
	case ASK_UNDO_RESET:
		return room_acts_member(to, f, METHOD_ROUND_UNDO_RESET);
	case ASK_NEXT_STORY:
		return room_acts_member(to, f, METHOD_STORY_NEXT);
	case ASK_SETTLE:
		return room_acts_settle(to, f, ask->text);
	case ASK_CANCEL:
		return room_acts_cancel(to, f, ask->number);
	case ASK_ARM:
		return room_acts_arm(to, f, ask->is_on);
	case ASK_TIMER:
		return room_acts_timer(to, f, ask);
	case ASK_NUDGE:
		return room_acts_nudge(to, f);
	case ASK_REACT:
		return room_acts_react(to, f, ask->text);
	case ASK_SELECT_STORY:
		return room_acts_select(to, f, ask->id);
	case ASK_ADD_STORY:
		return room_acts_add(to, f, ask);
	case ASK_RENAME_STORY:
	case ASK_LINK_STORY:
	case ASK_DESCRIBE_STORY:
	case ASK_MARK_STORY:
		return room_acts_update(to, f, ask);
	case ASK_MOVE_STORY:
		return room_acts_move(to, f, ask);
	case ASK_REMOVE_STORY:
		return room_acts_story(to, f, METHOD_STORY_REMOVE, ask->id);
	case ASK_RESTORE_STORY:
		return room_acts_story(to, f, METHOD_STORY_RESTORE, ask->id);
	case ASK_SET_SWITCH:
		return room_acts_switch(to, f, ask);
	case ASK_SET_PASSCODE:
		return room_acts_passcode(to, f, ask->text);
	case ASK_HISTORY:
		return room_acts_history(to, f, ask);
	default:
		return ERR_INVALID;
	}
}
