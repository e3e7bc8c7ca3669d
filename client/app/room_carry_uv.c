/*
 * room_carry_uv.c - one ask, one act; see room_carry_uv.h.
 */
#include "client/app/room_carry_parts.h"

#include <stdlib.h>
#include <string.h>

#include "client/app/room_requests.h"
#include "client/model/memory.h"
#include "proto/format.h"

void room_carry_finish(struct room_carry *c)
{
	round_history_finish(&c->rounds);
	free(c->note);
	free(c->adding);
	c->note = NULL;
	c->adding = NULL;
}

bool room_carry_leave(struct room_carry *c)
{
	struct room_seat_params p = {.room_id = slice_str(c->room_id)};
	return room_client_membership(c->client)->room.you.username.data != NULL &&
	       room_client_call(c->client, METHOD_ROOM_LEAVE, &p, NULL) == OK;
}

static bool room_carry_vote(struct room_carry *c, const char *card)
{
	membership_want_vote(room_client_membership(c->client), card);
	room_client_go(c->client);
	if (!room_client_is_up(c->client)) {
		c->on->on_say(c->owner, "No connection: your vote goes out when it is back.");
	}
	return true;
}

static bool room_carry_join(struct room_carry *c, const struct ask *ask)
{
	membership_want_name(room_client_membership(c->client), ask->text, ask->is_spectator,
			     false);
	room_client_go(c->client);
	return true;
}

/* A note, or how sure one is, goes with the card that lies there. */
static bool room_carry_vote_with(struct room_carry *c, const char *note, int confidence)
{
	struct membership *a = room_client_membership(c->client);
	const char *pending = membership_pending_vote(a);
	const char *card = pending != NULL && pending[0] != '\0' ? pending : a->room.you.vote.data;
	if (card == NULL) {
		return false;
	}
	char *own = memory_text(card); /* what waits is replaced by this */
	membership_want_vote_with(a, own, note, confidence);
	free(own);
	room_client_go(c->client);
	return true;
}

bool room_carry_is_sent(struct room_carry *c, enum err e, const char *why)
{
	if (e == ERR_CLOSED) {
		c->on->on_answer(c->owner, "No connection: try again in a moment.");
	} else if (e != OK) {
		c->on->on_answer(c->owner, why[0] != '\0' ? why : err_text(e));
	}
	return e == OK;
}

static bool room_carry_ask(struct room_carry *c, const struct ask *ask)
{
	struct errmsg why = {""};
	if (ask->kind == ASK_HISTORY) {
		c->is_first_page = ask->text[0] == '\0';
	}
	enum err e = room_requests_send(c->client, c->room_id, c->host_key, ask, &why);
	return room_carry_is_sent(c, e, why.text);
}

bool room_carry_do(struct room_carry *c, const struct ask *ask)
{
	switch (ask->kind) {
	case ASK_NOTHING:
	case ASK_LEAVE:
		return false;
	case ASK_VOTE:
		return room_carry_vote(c, ask->text);
	case ASK_RETRACT:
		return room_carry_vote(c, NULL);
	case ASK_JOIN:
		return room_carry_join(c, ask);
	case ASK_NOTE:
		return room_carry_vote_with(c, ask->text, 0);
	case ASK_SURE:
		return room_carry_vote_with(c, NULL, (int)ask->number);
	case ASK_SAVE_NOTES:
		return room_carry_save_note(c, ask);
	case ASK_ADD_STORIES:
		return room_carry_add_stories(c, ask->text);
	default:
		return room_carry_ask(c, ask);
	}
}

/* ---- what acts bring ---- */

union room_carry_result {
	struct round_list_result rounds;
	struct room_nudge_result nudge;
	struct revision_result revision;
	struct story_result story;
	struct version_result version;
};

static void room_carry_take_rounds(struct room_carry *c, const struct round_list_result *page)
{
	round_history_take(&c->rounds, page, c->is_first_page);
	c->on->on_rounds(c->owner, &c->rounds);
}

static void room_carry_take_nudged(struct room_carry *c, int64_t nudged)
{
	char line[80];
	(void)format_to(line, sizeof(line),
			nudged == 0 ? "They were rung a moment ago." : "Rang %lld.",
			(long long)nudged);
	c->on->on_answer(c->owner, line);
}

static void room_carry_take(struct room_carry *c, enum method method,
			    const union room_carry_result *r)
{
	switch (method) {
	case METHOD_ROUND_LIST:
		room_carry_take_rounds(c, &r->rounds);
		break;
	case METHOD_ROOM_NUDGE:
		room_carry_take_nudged(c, r->nudge.nudged);
		break;
	case METHOD_MAP_SET:
		room_carry_note_saved(c, r->revision.revision);
		break;
	case METHOD_STORY_ADD:
		room_carry_story_added(c);
		break;
	default: /* story.update: the others are not read */
		if (c->on->on_saved != NULL) {
			c->on->on_saved(c->owner, true);
		}
		break;
	}
}

static bool room_carry_is_read(enum method method)
{
	return method == METHOD_ROUND_LIST || method == METHOD_ROOM_NUDGE ||
	       method == METHOD_MAP_SET || method == METHOD_STORY_ADD ||
	       method == METHOD_STORY_UPDATE;
}

void room_carry_take_result(struct room_carry *c, enum method method,
			    const struct msgpack_object *result)
{
	struct arena arena = {0};
	struct fault ignored;
	union room_carry_result r;
	if (room_carry_is_read(method) &&
	    record_from_object(method_rows[method].result, result, RECORD_LENIENT, &arena, &r,
			       &ignored) == OK) {
		room_carry_take(c, method, &r);
	}
	arena_finish(&arena);
}

bool room_carry_take_refusal(struct room_carry *c, enum method method, const struct fault *f)
{
	switch (method) {
	case METHOD_MAP_SET:
		room_carry_note_refused(c, f);
		return true;
	case METHOD_MAP_CREATE: /* what is set in it is refused next, with a reason */
		return true;
	case METHOD_STORY_ADD:
		return room_carry_story_refused(c, f);
	case METHOD_STORY_UPDATE:
		if (c->on->on_saved != NULL) {
			c->on->on_saved(c->owner, false);
		}
		return false;
	default:
		return false;
	}
}
