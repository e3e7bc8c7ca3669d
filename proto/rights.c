/*
 * rights.c - the one place that knows the rules of rights.h.
 */
#include "proto/rights.h"

#define NEEDS(method, right) [METHOD_##method] = RIGHT_##right
static const enum right rights[METHOD_COUNT] = {
	NEEDS(ROOM_VOTE, VOTE),
	NEEDS(ROOM_SET_REVEALED, REVEAL),
	NEEDS(REVEAL_CANCEL, REVEAL),
	NEEDS(REVEAL_ARM, REVEAL),
	NEEDS(ROOM_RESET, RESET),
	NEEDS(ROUND_AGAIN, RESET),
	NEEDS(ROUND_UNDO_RESET, RESET),
	NEEDS(ROUND_SETTLE, RESET),
	NEEDS(ROUND_SETTLE_AGREED, RESET),
	NEEDS(TIMER_START, RESET),
	NEEDS(TIMER_STOP, RESET),
	NEEDS(ROOM_PAUSE, RESET),
	NEEDS(STORY_SELECT, RESET),
	NEEDS(STORY_NEXT, RESET),
	NEEDS(STORY_ADD, EDIT_STORIES),
	NEEDS(STORY_UPDATE, EDIT_STORIES),
	NEEDS(STORY_MOVE, EDIT_STORIES),
	NEEDS(STORY_REMOVE, EDIT_STORIES),
	NEEDS(STORY_RESTORE, EDIT_STORIES),
	NEEDS(ROOM_NUDGE, SIGNAL),
	NEEDS(ROOM_REACT, SIGNAL),
	NEEDS(ROOM_GET, READ),
	NEEDS(ROUND_LIST, READ),
	NEEDS(STORY_LIST, READ),
	NEEDS(PRESENCE_GET, READ),
	NEEDS(PRESENCE_SET, READ), /* a member's own value; the presence itself is shared data */
	NEEDS(PRESENCE_REMOVE, READ),
	NEEDS(PRESENCE_CREATE, EDIT_DATA),
	NEEDS(PRESENCE_DELETE, EDIT_DATA),
	NEEDS(MAP_GET, READ),
	NEEDS(MAP_CREATE, EDIT_DATA),
	NEEDS(MAP_DELETE, EDIT_DATA),
	NEEDS(MAP_SET, EDIT_DATA),
	NEEDS(MAP_REMOVE, EDIT_DATA),
	NEEDS(LIST_GET, READ),
	NEEDS(LIST_CREATE, EDIT_DATA),
	NEEDS(LIST_DELETE, EDIT_DATA),
	NEEDS(LIST_PUSH, EDIT_DATA),
	NEEDS(LIST_INSERT, EDIT_DATA),
	NEEDS(LIST_SET, EDIT_DATA),
	NEEDS(LIST_MOVE, EDIT_DATA),
	NEEDS(LIST_REMOVE, EDIT_DATA),
};

enum right right_of_method(enum method method)
{
	return method_rows[method].who == WHO_HOST ? RIGHT_LEAD : rights[method];
}

static enum fault_code refuse(enum fault_code code, const char **why, const char *sentence)
{
	*why = sentence;
	return code;
}

static enum fault_code refuse_vote(const struct standing *who, const char **why)
{
	/* What a round without names says is fixed at its reveal. */
	bool is_closed =
		who->is_revealed && (!who->policy.vote_after_reveal || who->policy.anonymous);
	if (!who->has_name) {
		return refuse(FAULT_FORBIDDEN, why, "choose a name before you vote");
	}
	if (who->is_spectator) {
		return refuse(FAULT_FORBIDDEN, why, "spectators do not vote; become a voter first");
	}
	if (is_closed) {
		return refuse(FAULT_CONFLICT, why, "already revealed; wait for the next round");
	}
	return FAULT_NONE;
}

/* What the policy leaves to the host, or gives to everybody who has joined. */
static enum fault_code refuse_shared(const struct standing *who, bool is_everyones,
				     const char **why)
{
	if (who->is_host) {
		return FAULT_NONE;
	}
	if (!is_everyones) {
		return refuse(FAULT_FORBIDDEN, why, "only a host can do that here");
	}
	return who->has_name ? FAULT_NONE : refuse(FAULT_FORBIDDEN, why, "choose a name first");
}

static enum fault_code refuse_data(const struct standing *who, const char **why)
{
	if (who->policy.data_editors == DATA_EDITORS_EVERYONE) {
		return FAULT_NONE;
	}
	return refuse_shared(who, who->policy.data_editors == DATA_EDITORS_MEMBERS, why);
}

/* What many have written is not for one of them to delete. */
static enum fault_code refuse_data_delete(const struct standing *who, const char **why)
{
	enum fault_code f = refuse_data(who, why);
	if (f != FAULT_NONE || who->is_host || who->is_maker ||
	    who->policy.data_editors == DATA_EDITORS_EVERYONE) {
		return f;
	}
	return refuse(FAULT_FORBIDDEN, why, "only a host or its creator can delete it");
}

enum fault_code right_refusal(enum right right, const struct standing *who, const char **why)
{
	if (right == RIGHT_NONE) {
		return FAULT_NONE;
	}
	if (who->is_waiting && !who->is_host) {
		return refuse(FAULT_FORBIDDEN, why, "you are in the lobby; a host must admit you");
	}
	switch (right) {
	case RIGHT_VOTE:
		return refuse_vote(who, why);
	case RIGHT_REVEAL:
		return refuse_shared(who, who->policy.everyone_reveals, why);
	case RIGHT_RESET:
		return refuse_shared(who, who->policy.everyone_resets, why);
	case RIGHT_EDIT_STORIES:
		return refuse_shared(who, who->policy.everyone_edits_stories, why);
	case RIGHT_EDIT_DATA:
		return refuse_data(who, why);
	case RIGHT_DELETE_DATA:
		return refuse_data_delete(who, why);
	case RIGHT_SIGNAL:
		return refuse_shared(who, true, why);
	case RIGHT_LEAD:
		return who->is_host ? FAULT_NONE
				    : refuse(FAULT_FORBIDDEN, why, "only a host can do that");
	case RIGHT_NONE:
	case RIGHT_READ:
		return FAULT_NONE;
	}
	return FAULT_NONE;
}

bool right_needs_host(enum right right, struct standing who)
{
	const char *why;
	bool is_refused = right_refusal(right, &who, &why) != FAULT_NONE;
	who.is_host = true;
	return is_refused && right_refusal(right, &who, &why) == FAULT_NONE;
}
