/*
 * story.h - the stories of a room, and their order.
 */
#ifndef SERVER_DOMAIN_ROOM_STORY_H
#define SERVER_DOMAIN_ROOM_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/records.h"
#include "proto/room_code.h"
#include "proto/slice.h"
#include "proto/wire_error.h"
#include "server/domain/rank.h"

struct room;
struct room_call;


struct story {
	char story_id[USER_ID_CHARS + 1];
	struct rank rank;
	struct rank stored_rank; /* which key its item has; "" before it is written */
	char *title;
	char *link;     /* NULL: none; so are the next two */
	char *notes;
	char *estimate;
	enum story_status status;
	bool is_removed;
	int64_t created_on;
	bool needs_write; /* its item, and what everybody sees of it */
	struct story *next, *prev; /* in the order of the list */
};

/* room_stories.c */
struct story *room_story(struct room *r, struct slice story_id);
void room_story_changed(struct room *r, struct story *s);
/* Another status; marks it where it is another. */
void room_story_set_status(struct room *r, struct story *s, enum story_status status);
/* Another estimate, or none. False when memory is out, nothing changed. */
bool room_story_set_estimate(struct room *r, struct story *s, struct slice estimate);
/* Put a story that was read or made into the list where its rank says. */
void room_story_insert(struct room *r, struct story *s);

/* room_story_text.c */
void story_destroy(struct story *s);
size_t story_bytes(const struct story *s);
void room_view_story(const struct story *s, struct story_view *out);
/* The fields of story.add and story.update; with_... says which are given. */
struct story_text {
	bool with_title, with_link, with_notes, with_estimate, with_status;
	struct slice title, link, notes, estimate;
	enum story_status status;
};
/* All or nothing; false when memory is out. */
bool story_text_apply(struct story *s, const struct story_text *t);
/* Whether the text fits in place of the story's own; s is NULL for a new one. */
enum fault_code room_check_story_fits(const struct room *r, struct room_call *c, const struct story *s,
				      const struct story_text *t);

#endif
