/*
 * story.h - the stories of a room, and their order.
 *
 * A story is kept as the record that subscribers receive; its texts are in one block of memory
 * that the story owns. A removed story keeps its place until the room is deleted, so that it can
 * be restored there. Limits: MAX_STORIES, including removed ones, and MAX_STORIES_BYTES for the
 * texts of all.
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
	struct rank stored_rank; /* the rank in the key of its item; "" before it is written */
	/*
	 * title, key, link, description, estimate, item, status, is_removed and unsaved_reason;
	 * empty ones are absent
	 */
	struct story_view text;
	char *block;             /* holds its strings */
	int64_t created_on;
	/*
	 * A pending write of its estimate to the backlog item that it was made from: see
	 * room_save.c.
	 */
	char save_mark[USER_ID_CHARS + 1]; /* identifies the settlement; "": nothing is pending */
	char save_user[CODE_CHARS_MAX + 1]; /* user_id of the member who settled */
	char save_card[MAX_CARD_BYTES + 1]; /* the card settled on */
	/* save_mark was set, changed or cleared: the UNSAVED item must be written or deleted */
	bool save_changed;
	bool needs_write; /* the item, and the update, must be written */
	struct story *next, *prev; /* in the order of the list */
};

/* NULL if the room has no such story */
struct story *room_story(struct room *r, struct slice story_id);
void room_story_changed(struct room *r, struct story *s);
/* Change the status, and mark the story if it is a different one. */
void room_story_set_status(struct room *r, struct story *s, enum story_status status);
/*
 * Replace the texts of a story in the list by copies. Returns false if memory is out, and changes
 * nothing.
 */
bool room_story_set_text(struct room *r, struct story *s, struct story_view text);
/*
 * Insert a new story with this text and rank into the list, which owns it. NULL if memory is out.
 */
struct story *room_story_insert(struct room *r, struct story_view text, struct rank rank);
void story_destroy(struct story *s);
/*
 * The story was settled with its estimate, or with none: if it was made from a backlog item,
 * write the estimate to it.
 */
void room_save_story(struct room *r, struct story *s, const struct room_call *c);
/* Return the story as it is sent; borrows from the story. */
struct story_view story_view(const struct story *s);

#endif
