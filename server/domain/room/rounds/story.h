/*
 * story.h - the stories of a room, and their order.
 *
 * A story is the record that subscribers receive; its texts are one block of memory of the story's own. A removed
 * story keeps its place until the room ends, so that restoring it puts it back where it was. Limits: MAX_STORIES,
 * removed ones counted, and MAX_STORIES_BYTES for the text of all.
 */
#ifndef SERVER_DOMAIN_ROOM_ROUNDS_STORY_H
#define SERVER_DOMAIN_ROOM_ROUNDS_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/keys/room_code.h"
#include "proto/records/records.h"
#include "server/domain/base/rank.h"

struct room;
struct room_call;

struct story {
	char story_id[USER_ID_CHARS + 1];
	struct rank rank;
	struct rank stored_rank; /* which key its item has; "" before it is written */
	struct story_view text;  /* title, key, link, description, estimate, item, status, is_removed and unsaved_reason; what is empty is absent */
	char *block;             /* where its strings are */
	int64_t created_on;
	/* Its estimate is to be written to the item that it was made from: see room_save.c. */
	char save_mark[USER_ID_CHARS + 1]; /* names the settlement; "": nothing is to be written */
	char save_user[CODE_CHARS_MAX + 1]; /* user_id of who settled, and */
	char save_card[MAX_CARD_BYTES + 1]; /* with what */
	bool save_changed; /* the mark came, is another or went: its item is to be written, or to go */
	bool needs_write; /* its item, and what everybody sees of it */
	struct story *next, *prev; /* in the order of the list */
};

struct story *room_story(struct room *r, struct slice story_id); /* NULL: the room has none of that story_id */
void room_story_changed(struct room *r, struct story *s);
/* Changes the status, and marks the story where it was another. */
void room_story_set_status(struct room *r, struct story *s, enum story_status status);
/* Replaces what is written in a story of the list by copies of the strings; false when memory is out, nothing changed. */
bool room_story_set_text(struct room *r, struct story *s, struct story_view text);
/* A new story with that text and rank, in the list, which owns it; NULL when memory is out. */
struct story *room_story_insert(struct room *r, struct story_view text, struct rank rank);
void story_destroy(struct story *s);
/* The story was settled with its estimate, or with none: it is to be written to the item that it was made from, if it was. */
void room_save_story(struct room *r, struct story *s, const struct room_call *c);
/* The record as it is sent; borrows from the story. */
struct story_view story_view(const struct story *s);

#endif
