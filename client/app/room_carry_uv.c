/*
 * room_carry_uv.c - see room_carry_uv.h. Most acts are one request. The notes that all
 * share take two, because their map has to be there; many stories are added one after
 * the other.
 */
#include "client/app/room_carry_uv.h"

#include <stdlib.h>
#include <string.h>

#include "client/acts/fault_words.h"
#include "client/acts/story_words.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

enum { ROOM_CARRY_LINE_BYTES = 1000 };

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

/* ---- requests, and what they bring ---- */

static void room_carry_on_done(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (r->is_refused) {
		c->on->on_refusal(c->owner, r);
	}
}

static void room_carry_on_left(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	const struct room_leave_result *left = r->result;
	c->is_elsewhere = left != NULL && left->is_kept;
	c->on->on_left(c->owner);
}

bool room_carry_leave(struct room_carry *c)
{
	const struct replica *room = &room_client_membership(c->client)->room;
	if (room->you.username.data == NULL || room->room.policy.keep_votes) {
		return false;
	}
	struct request *r = request_make(METHOD_ROOM_LEAVE);
	request_bool(r, "if_last", true);
	bool is_sent = room_client_request(c->client, r, room_carry_on_left, c) == OK;
	request_free(r);
	return is_sent;
}

static void room_carry_on_addresses(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (r->result != NULL) { /* one that cannot say it says nothing */
		c->on->on_addresses(c->owner, r->result, false);
	}
}

void room_carry_ask_addresses(struct room_carry *c)
{
	const struct server_share_params p = {.address = {0}};
	enum err e =
		room_client_call(c->client, METHOD_SERVER_SHARE, &p, room_carry_on_addresses, c);
	(void)e; /* they are asked for on the next connection */
}

static void room_carry_on_shared(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (r->result != NULL) {
		c->on->on_addresses(c->owner, r->result, true);
	}
	room_carry_on_done(c, r);
}

static void room_carry_on_rounds(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (r->result != NULL) {
		round_history_take(&c->rounds, r->result, c->is_first_page);
		c->on->on_rounds(c->owner, &c->rounds);
	}
	room_carry_on_done(c, r);
}

static void room_carry_on_nudged(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	const struct room_nudge_result *nudge = r->result;
	char line[80];
	if (nudge != NULL) {
		(void)format_to(line, sizeof(line),
				nudge->nudged == 0
					? "Nobody nudged: they are away or were nudged just now"
					: "Nudged %lld",
				(long long)nudge->nudged);
		c->on->on_answer(c->owner, line);
	}
	room_carry_on_done(c, r);
}

/* A line for people, of which others wrote parts. */
static void room_carry_answer(struct room_carry *c, struct buf *line)
{
	char soft[ROOM_CARRY_LINE_BYTES];
	(void)memory_check(line->error);
	soft[text_soften(buf_slice(line), soft, sizeof(soft) - 1)] = '\0';
	c->on->on_answer(c->owner, soft);
	buf_finish(line);
}

static void room_carry_on_settled(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (r->result != NULL) {
		struct buf line = {.max = ROOM_CARRY_LINE_BYTES};
		story_settled_line(&room_client_membership(c->client)->room, r->result, &line);
		room_carry_answer(c, &line);
	}
	room_carry_on_done(c, r);
}

static void room_carry_on_references(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (r->result != NULL) {
		struct buf line = {.max = MAX_REFERENCES * sizeof(struct story_name)};
		story_references_line(r->result, &line);
		room_carry_answer(c, &line);
	}
	room_carry_on_done(c, r);
}

static void room_carry_on_updated(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	if (c->on->on_saved != NULL) {
		c->on->on_saved(c->owner, !r->is_refused);
	}
	room_carry_on_done(c, r);
}

/* Told through on_answer where it is not on its way. */
static bool room_carry_send_to(struct room_carry *c, struct request *r, reply_fn *on)
{
	if (r->method == METHOD_ROOM_CLAIM_HOST &&
	    room_client_membership(c->client)->host_key[0] == '\0') {
		c->on->on_answer(c->owner, "Only the room's creator has a host key");
		return false;
	}
	enum err e = room_client_request(c->client, r, on, c);
	if (e != OK) {
		c->on->on_answer(c->owner, e == ERR_CLOSED ? "Not connected. Try again in a moment"
							   : err_text(e));
	}
	return e == OK;
}

static bool room_carry_send(struct room_carry *c, struct request *r)
{
	switch (r->method) {
	case METHOD_ROUND_LIST:
		c->is_first_page = !request_has(r, "cursor");
		return room_carry_send_to(c, r, room_carry_on_rounds);
	case METHOD_ROOM_NUDGE:
		return room_carry_send_to(c, r, room_carry_on_nudged);
	case METHOD_GROUP_REFERENCES:
		return room_carry_send_to(c, r, room_carry_on_references);
	case METHOD_ROUND_SETTLE_AGREED:
		return room_carry_send_to(c, r, room_carry_on_settled);
	case METHOD_STORY_UPDATE:
		return room_carry_send_to(c, r, room_carry_on_updated);
	case METHOD_SERVER_SHARE:
		return room_carry_send_to(c, r, room_carry_on_shared);
	default:
		return room_carry_send_to(c, r, room_carry_on_done);
	}
}

void room_carry_do_held(struct room_carry *c, struct request *r)
{
	(void)room_carry_send(c, r);
}

/* ---- votes and names, which membership.h keeps ---- */

/* Without a card a comment, or how sure one is, goes with the one that lies there. */
static bool room_carry_vote(struct room_carry *c, const struct room_vote_params *p)
{
	struct membership *a = room_client_membership(c->client);
	if (p->with_vote) {
		membership_want_vote(a, p->vote.data);
		room_client_go(c->client);
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

/* What is set in it is refused next, with a reason. */
static void room_carry_on_map(void *owner, const struct reply *r)
{
	(void)owner, (void)r;
}

/* What is there now comes with the refusal, also where it was written by us and the answer was lost. */
static void room_carry_note_refused(struct room_carry *c, const char *key, const struct fault *f)
{
	char *text = NULL;
	int64_t revision = 0;
	if (f->code != FAULT_CONFLICT) {
		char why[FAULT_WORDS_BYTES_MAX];
		fault_words(f, why);
		c->on->on_answer(c->owner, why);
	} else if (shared_current_read(f->current, &text, &revision) == OK) {
		replica_put_note(&room_client_membership(c->client)->room, key, text, revision);
		free(text);
		c->on->on_answer(c->owner, "Others saved too. Save again to merge");
	}
}

static void room_carry_on_note(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	const struct map_set_params *p = c->note->params;
	const struct revision_result *saved = r->result;
	if (saved != NULL) {
		replica_put_note(&room_client_membership(c->client)->room, p->key.data,
				 c->note_text, saved->revision);
	} else {
		room_carry_note_refused(c, p->key.data, &r->fault);
	}
	request_free(c->note);
	free(c->note_text);
	c->note = NULL;
	c->note_text = NULL;
	if (c->on->on_saved != NULL) {
		c->on->on_saved(c->owner, !r->is_refused);
	}
}

/* Making the map where it is there is no harm, and somebody may be quicker. */
static bool room_carry_save_note(struct room_carry *c, struct request *r, const char *text)
{
	bool has_notes = room_client_membership(c->client)->room.data.has_notes;
	if (c->note != NULL) {
		c->on->on_answer(c->owner, err_text(ERR_BUSY));
		return false;
	}
	struct request *make = request_make(METHOD_MAP_CREATE);
	request_text(make, "name", SHARED_NOTES);
	bool is_made = has_notes || room_carry_send_to(c, make, room_carry_on_map);
	request_free(make);
	if (!is_made || !room_carry_send_to(c, r, room_carry_on_note)) {
		return false;
	}
	c->note = request_ref(r);
	c->note_text = memory_text(text);
	return true;
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
	bool is_new = s->story_id.len == 0;
	struct request *r = request_make(is_new ? METHOD_STORY_ADD : METHOD_STORY_UPDATE);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		bool is_kept = !is_new && strcmp(texts[i].name, "estimate") == 0;
		if (texts[i].text.len > 0 && !is_kept) {
			request_text(r, texts[i].name, texts[i].text.data);
		}
	}
	if (is_new) {
		request_text(r, "status", words_text(&words_story_status, (int)s->status));
	} else {
		request_text(r, "story_id", s->story_id.data);
	}
	return r;
}

/* The next one, where there is one. */
static void room_carry_on_story(void *owner, const struct reply *r)
{
	struct room_carry *c = owner;
	char why[FAULT_WORDS_BYTES_MAX];
	char line[sizeof(why) + 64];
	if (r->is_refused) {
		fault_words(&r->fault, why);
		(void)format_to(line, sizeof(line), "Added %zu of %zu stories: %s", c->added,
				c->adding_n, why);
		c->on->on_answer(c->owner, line);
		room_carry_adding_ends(c);
		return;
	}
	c->updated += c->adding[c->added]->method == METHOD_STORY_UPDATE;
	request_free(c->adding[c->added++]);
	bool goes_on = c->added < c->adding_n &&
		       room_carry_send_to(c, c->adding[c->added], room_carry_on_story);
	size_t added = c->added - c->updated;
	if (!goes_on && c->updated > 0) {
		size_t n = added == 0 ? 0
				      : format_to(line, sizeof(line), "Added %zu %s, ", added,
						  added == 1 ? "story" : "stories");
		(void)format_to(line + n, sizeof(line) - n,
				added > 0	  ? "updated %zu"
				: c->updated == 1 ? "Updated %zu story"
						  : "Updated %zu stories",
				c->updated);
	} else {
		(void)format_to(line, sizeof(line),
				goes_on		   ? "Adding stories: %zu of %zu"
				: c->adding_n == 1 ? "Added %zu of %zu story"
						   : "Added %zu of %zu stories",
				c->added, c->adding_n);
	}
	if (goes_on || c->added == c->adding_n) {
		c->on->on_answer(c->owner, line);
	}
	if (!goes_on) {
		room_carry_adding_ends(c);
	}
}

static bool room_carry_add_stories(struct room_carry *c, const struct stories_import *stories)
{
	if (c->adding != NULL) {
		c->on->on_answer(c->owner, "Already adding stories");
		return false;
	}
	c->adding = memory_new(stories->stories_n, sizeof(struct request *));
	c->adding_n = stories->stories_n;
	c->added = c->updated = 0;
	for (size_t i = 0; i < c->adding_n; i++) {
		c->adding[i] = room_carry_story(&stories->stories[i]);
	}
	if (!room_carry_send_to(c, c->adding[0], room_carry_on_story)) {
		room_carry_adding_ends(c);
		return false;
	}
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
	case METHOD_ROOM_VOTE: /* only the vote at the table is kept for a lost connection */
		return ((const struct room_vote_params *)r->params)->story_id.len > 0
			       ? room_carry_send(c, r)
			       : room_carry_vote(c, r->params);
	case METHOD_ROOM_JOIN:
		return room_carry_join(c, r->params);
	case METHOD_MAP_SET:
		return room_carry_save_note(c, r, act->text);
	default:
		return room_carry_send(c, r);
	}
}
