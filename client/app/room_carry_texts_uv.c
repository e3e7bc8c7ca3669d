/*
 * room_carry_texts_uv.c - texts that take more than one request: the notes that
 * all share, whose map has to be there, and many stories, one after the other.
 */
#include "client/app/room_carry_parts.h"

#include <stdlib.h>
#include <string.h>

#include "client/app/room_requests.h"
#include "proto/format.h"

/* ---- notes ---- */

/* Making what is there is no harm, and somebody may be quicker. */
static enum err room_carry_make_notes(struct room_carry *c)
{
	struct data_params p = {.room_id = slice_str(c->room_id), .name = SLICE(SHARED_NOTES)};
	return room_client_membership(c->client)->room.data.has_notes
		       ? OK
		       : room_client_call(c->client, METHOD_MAP_CREATE, &p, NULL);
}

static enum err room_carry_set_note(struct room_carry *c, const struct ask *ask)
{
	struct buf value;
	buf_init(&value, MAX_DATA_VALUE_BYTES);
	shared_text_write(ask->text, &value);
	struct map_set_params p = {
		.room_id = slice_str(c->room_id),
		.name = SLICE(SHARED_NOTES),
		.key = slice_str(ask->id),
		.value = buf_slice(&value),
		.if_revision = ask->number,
		.with_if_revision = true,
	};
	enum err e = value.error;
	e = e == OK ? room_client_call(c->client, METHOD_MAP_SET, &p, NULL) : e;
	buf_finish(&value);
	return e;
}

bool room_carry_save_note(struct room_carry *c, const struct ask *ask)
{
	char *copy = c->note == NULL ? strdup(ask->text) : NULL;
	enum err e = c->note != NULL ? ERR_BUSY : copy == NULL ? ERR_NOMEM : OK;
	e = e == OK ? room_carry_make_notes(c) : e;
	e = e == OK ? room_carry_set_note(c, ask) : e;
	if (e != OK) {
		free(copy);
		return room_carry_is_sent(c, e, "");
	}
	c->note = copy;
	(void)format_to(c->note_key, sizeof(c->note_key), "%s", ask->id);
	return true;
}

static void room_carry_note_is_over(struct room_carry *c, bool is_done)
{
	free(c->note);
	c->note = NULL;
	if (c->on->on_saved != NULL) {
		c->on->on_saved(c->owner, is_done);
	}
}

void room_carry_note_saved(struct room_carry *c, int64_t revision)
{
	struct replica *room = &room_client_membership(c->client)->room;
	if (c->note != NULL) {
		replica_put_note(room, c->note_key, c->note, revision);
	}
	room_carry_note_is_over(c, true);
}

/* What is there now comes with the refusal, also where it was written by us and the answer was lost. */
void room_carry_note_refused(struct room_carry *c, const struct fault *f)
{
	char *text = NULL;
	int64_t revision = 0;
	if (f->code != FAULT_CONFLICT) {
		char why[FAULT_LINE_BYTES_MAX];
		fault_line(f, why, sizeof(why));
		c->on->on_answer(c->owner, why);
	} else if (shared_current_read(f->current, &text, &revision) == OK) {
		replica_put_note(&room_client_membership(c->client)->room, c->note_key, text,
				 revision);
		free(text);
		c->on->on_answer(c->owner,
				 "Others saved meanwhile: save again to bring both together.");
	}
	room_carry_note_is_over(c, false);
}

/* ---- many stories ---- */

static void room_carry_adding_ends(struct room_carry *c)
{
	free(c->adding);
	c->adding = NULL;
}

/* The line at hand, on its way; false where there is none, or it could not be sent. */
static bool room_carry_add_next(struct room_carry *c)
{
	struct errmsg why = {""};
	size_t len = strcspn(c->adding + c->adding_at, "\n");
	char *title = c->adding + c->adding_at;
	if (len == 0) {
		return false;
	}
	title[len] = '\0';
	c->adding_at += len + 1;
	struct ask ask = {.kind = ASK_ADD_STORY, .text = title, .id = "", .other = ""};
	return room_carry_is_sent(
		c, room_requests_send(c->client, c->room_id, c->host_key, &ask, &why), why.text);
}

bool room_carry_add_stories(struct room_carry *c, const char *lines)
{
	if (c->adding != NULL) {
		return room_carry_is_sent(c, ERR_BUSY, "Stories are being added already.");
	}
	c->adding = strdup(lines);
	c->adding_at = 0;
	c->adding_n = 0;
	c->added = 0;
	for (const char *at = lines; (at = strchr(at, '\n')) != NULL; at++) {
		c->adding_n++;
	}
	if (c->adding == NULL) {
		return room_carry_is_sent(c, ERR_NOMEM, "");
	}
	if (!room_carry_add_next(c)) {
		room_carry_adding_ends(c);
		return false;
	}
	return true;
}

void room_carry_story_added(struct room_carry *c)
{
	char line[96];
	if (c->adding == NULL) {
		return;
	}
	c->added++;
	bool goes_on = c->added < c->adding_n && room_carry_add_next(c);
	(void)format_to(line, sizeof(line),
			goes_on ? "Adding stories: %zu of %zu" : "Added %zu of %zu stories.",
			c->added, c->adding_n);
	if (goes_on || c->added == c->adding_n) {
		c->on->on_answer(c->owner, line);
	}
	if (!goes_on) {
		room_carry_adding_ends(c);
	}
}

bool room_carry_story_refused(struct room_carry *c, const struct fault *f)
{
	char why[FAULT_LINE_BYTES_MAX];
	char line[sizeof(why) + 64];
	if (c->adding == NULL) {
		return false;
	}
	fault_line(f, why, sizeof(why));
	(void)format_to(line, sizeof(line), "Added %zu of %zu stories: %s", c->added, c->adding_n,
			why);
	c->on->on_answer(c->owner, line);
	room_carry_adding_ends(c);
	return true;
}
