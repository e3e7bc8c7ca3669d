/*
 * room_carry_uv.c - see room_carry_uv.h. Most acts are one request. The notes that all
 * share take two, because their map has to be there; many stories are added one after
 * the other.
 */
#include "client/app/room_carry_uv.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/fault_words.h"
#include "client/model/memory.h"
#include "proto/format.h"

static void room_carry_adding_ends(struct room_carry *c)
{
	for (size_t i = c->added; i < c->adding_n; i++) {
		request_free(c->adding[i]);
	}
	free(c->adding);
	c->adding = NULL;
	c->adding_n = 0;
}

void room_carry_finish(struct room_carry *c)
{
	round_history_finish(&c->rounds);
	request_free(c->note);
	free(c->note_text);
	room_carry_adding_ends(c);
	c->note = NULL;
	c->note_text = NULL;
}

bool room_carry_leave(struct room_carry *c)
{
	const struct replica *room = &room_client_membership(c->client)->room;
	if (room->you.username.data == NULL || room->room.policy.keep_votes) {
		return false;
	}
	struct request *r = request_make(METHOD_ROOM_LEAVE);
	request_bool(r, "if_last", true);
	bool is_sent = room_client_request(c->client, r, NULL) == OK;
	request_free(r);
	return is_sent;
}

/* Told through on_answer where it is not OK. */
static bool room_carry_is_sent(struct room_carry *c, enum err e)
{
	if (e != OK) {
		c->on->on_answer(c->owner, e == ERR_CLOSED ? "No connection: try again in a moment."
							   : err_text(e));
	}
	return e == OK;
}

static bool room_carry_send(struct room_carry *c, struct request *r)
{
	if (r->method == METHOD_ROOM_CLAIM_HOST &&
	    room_client_membership(c->client)->host_key[0] == '\0') {
		c->on->on_answer(c->owner, "Only who made the room has its host key.");
		return false;
	}
	return room_carry_is_sent(c, room_client_request(c->client, r, NULL));
}

void room_carry_ask_addresses(struct room_carry *c)
{
	struct request *r = request_make(METHOD_SERVER_SHARE);
	c->asks_addresses = room_client_request(c->client, r, NULL) == OK;
	request_free(r);
}

/* ---- votes and names, which membership.h keeps ---- */

/* Without a card a comment, or how sure one is, goes with the one that lies there. */
static bool room_carry_vote(struct room_carry *c, const struct room_vote_params *p)
{
	struct membership *a = room_client_membership(c->client);
	if (p->with_vote) {
		membership_want_vote(a, p->vote.data);
		room_client_go(c->client);
		if (!room_client_is_up(c->client)) {
			c->on->on_say(c->owner,
				      "No connection: your vote goes out when it is back.");
		}
		return true;
	}
	const char *card = replica_own_vote(&a->room);
	if (card == NULL) {
		return false;
	}
	const char *no_comment = p->with_comment ? "" : NULL; /* takes it away, or leaves it */
	char *own = memory_text(card);			      /* what waits is replaced by this */
	membership_want_vote_with(a, own, p->comment.data != NULL ? p->comment.data : no_comment,
				  (int)p->confidence);
	free(own);
	room_client_go(c->client);
	return true;
}

static bool room_carry_join(struct room_carry *c, const struct room_join_params *p)
{
	bool is_spectator = p->role == ROLE_SPECTATOR;
	membership_want_name(room_client_membership(c->client), p->username.data, is_spectator,
			     false);
	room_client_go(c->client);
	return true;
}

/* ---- notes ---- */

/* Making the map where it is there is no harm, and somebody may be quicker. */
static bool room_carry_save_note(struct room_carry *c, struct request *r, const char *text)
{
	bool has_notes = room_client_membership(c->client)->room.data.has_notes;
	if (c->note != NULL) {
		return room_carry_is_sent(c, ERR_BUSY);
	}
	struct request *make = request_make(METHOD_MAP_CREATE);
	request_text(make, "name", SHARED_NOTES);
	bool is_made = has_notes || room_carry_send(c, make);
	request_free(make);
	if (!is_made || !room_carry_send(c, r)) {
		return false;
	}
	c->note = request_ref(r);
	c->note_text = memory_text(text);
	return true;
}

static void room_carry_note_is_over(struct room_carry *c, bool is_done)
{
	request_free(c->note);
	free(c->note_text);
	c->note = NULL;
	c->note_text = NULL;
	if (c->on->on_saved != NULL) {
		c->on->on_saved(c->owner, is_done);
	}
}

static void room_carry_note_saved(struct room_carry *c, int64_t revision)
{
	const struct map_set_params *p = c->note == NULL ? NULL : c->note->params;
	if (p != NULL) {
		replica_put_note(&room_client_membership(c->client)->room, p->key.data,
				 c->note_text, revision);
	}
	room_carry_note_is_over(c, true);
}

/* What is there now comes with the refusal, also where it was written by us and the answer was lost. */
static void room_carry_note_refused(struct room_carry *c, const struct fault *f)
{
	char *text = NULL;
	int64_t revision = 0;
	const struct map_set_params *p = c->note == NULL ? NULL : c->note->params;
	if (f->code != FAULT_CONFLICT) {
		char why[FAULT_WORDS_BYTES_MAX];
		fault_words(f, why);
		c->on->on_answer(c->owner, why);
	} else if (p != NULL && shared_current_read(f->current, &text, &revision) == OK) {
		replica_put_note(&room_client_membership(c->client)->room, p->key.data, text,
				 revision);
		free(text);
		c->on->on_answer(c->owner,
				 "Others saved meanwhile: save again to bring both together.");
	}
	room_carry_note_is_over(c, false);
}

/* ---- many stories ---- */

static struct request *room_carry_story(const struct import_story *s)
{
	const struct {
		const char *name;
		struct slice text;
	} texts[] = {{"key", s->key},
		     {"title", s->title},
		     {"link", s->link},
		     {"description", s->description},
		     {"estimate", s->estimate}};
	struct request *r = request_make(METHOD_STORY_ADD);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i].text.len > 0) {
			request_text(r, texts[i].name, texts[i].text.data);
		}
	}
	request_text(r, "status", words_text(&words_story_status, (int)s->status));
	return r;
}

static bool room_carry_add_stories(struct room_carry *c, const struct stories_import *stories)
{
	if (c->adding != NULL) {
		c->on->on_answer(c->owner, "Stories are being added already.");
		return false;
	}
	c->adding = memory_new(stories->stories_n, sizeof(struct request *));
	c->adding_n = stories->stories_n;
	c->added = 0;
	for (size_t i = 0; i < c->adding_n; i++) {
		c->adding[i] = room_carry_story(&stories->stories[i]);
	}
	if (!room_carry_send(c, c->adding[0])) {
		room_carry_adding_ends(c);
		return false;
	}
	return true;
}

/* The next one, where there is one. */
static void room_carry_story_added(struct room_carry *c)
{
	char line[96];
	if (c->adding == NULL) {
		return;
	}
	request_free(c->adding[c->added++]);
	bool goes_on = c->added < c->adding_n && room_carry_send(c, c->adding[c->added]);
	(void)format_to(line, sizeof(line),
			goes_on		   ? "Adding stories: %zu of %zu"
			: c->adding_n == 1 ? "Added %zu of %zu story."
					   : "Added %zu of %zu stories.",
			c->added, c->adding_n);
	if (goes_on || c->added == c->adding_n) {
		c->on->on_answer(c->owner, line);
	}
	if (!goes_on) {
		room_carry_adding_ends(c);
	}
}

/* False where there were not many to add. */
static bool room_carry_story_refused(struct room_carry *c, const struct fault *f)
{
	char why[FAULT_WORDS_BYTES_MAX];
	char line[sizeof(why) + 64];
	if (c->adding == NULL) {
		return false;
	}
	fault_words(f, why);
	(void)format_to(line, sizeof(line), "Added %zu of %zu stories: %s", c->added, c->adding_n,
			why);
	c->on->on_answer(c->owner, line);
	room_carry_adding_ends(c);
	return true;
}

/* ---- doing ---- */

bool room_carry_do(struct room_carry *c, const struct act *act)
{
	struct request *r = act->request;
	if (act->local == LOCAL_ADD_STORIES) {
		return room_carry_add_stories(c, act->stories);
	}
	if (r == NULL) {
		return false;
	}
	switch (r->method) {
	case METHOD_ROOM_VOTE:
		return room_carry_vote(c, r->params);
	case METHOD_ROOM_JOIN:
		return room_carry_join(c, r->params);
	case METHOD_MAP_SET:
		return room_carry_save_note(c, r, act->text);
	case METHOD_ROUND_LIST:
		c->is_first_page = !request_has(r, "cursor");
		return room_carry_send(c, r);
	default:
		return room_carry_send(c, r);
	}
}

/* ---- what acts bring ---- */

union room_carry_result {
	struct room_leave_result leave;
	struct round_list_result rounds;
	struct room_nudge_result nudge;
	struct revision_result revision;
	struct server_share_result share;
	struct story_result story;
	struct version_result version;
};

static void room_carry_take_nudged(struct room_carry *c, int64_t nudged)
{
	char line[80];
	(void)format_to(line, sizeof(line),
			nudged == 0 ? "Nobody was rung: they are away, or were rung a moment ago."
				    : "Rang %lld.",
			(long long)nudged);
	c->on->on_answer(c->owner, line);
}

static void room_carry_take(struct room_carry *c, enum method method,
			    const union room_carry_result *r)
{
	switch (method) {
	case METHOD_ROOM_LEAVE:
		c->is_elsewhere = r->leave.is_kept;
		break;
	case METHOD_ROUND_LIST:
		round_history_take(&c->rounds, &r->rounds, c->is_first_page);
		c->on->on_rounds(c->owner, &c->rounds);
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
	case METHOD_SERVER_SHARE:
		c->on->on_addresses(c->owner, &r->share, !c->asks_addresses);
		c->asks_addresses = false;
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
	return method == METHOD_ROOM_LEAVE || method == METHOD_ROUND_LIST ||
	       method == METHOD_ROOM_NUDGE || method == METHOD_MAP_SET ||
	       method == METHOD_STORY_ADD || method == METHOD_STORY_UPDATE ||
	       method == METHOD_SERVER_SHARE;
}

void room_carry_take_result(struct room_carry *c, enum method method,
			    const struct msgpack_object *result)
{
	struct arena arena = {0};
	struct fault ignored;
	union room_carry_result r;
	if (room_carry_is_read(method) &&
	    memory_check(record_from_object(method_rows[method].result, result, RECORD_LENIENT,
					    &arena, &r, &ignored)) == OK) {
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
	case METHOD_SERVER_SHARE: {
		bool is_silent = c->asks_addresses;
		c->asks_addresses = false;
		return is_silent;
	}
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
