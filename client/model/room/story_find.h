/*
 * story_find.h - the name and the link of a story, and finding the story that a word means.
 *
 * The name of a story is its key, if it has one, and its title: "PAY-101 Show the
 * balance". To find it, any unambiguous prefix is enough.
 */
#ifndef CLIENT_MODEL_ROOM_STORY_FIND_H
#define CLIENT_MODEL_ROOM_STORY_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/room/replica.h"

struct story_name {
	/* softened text may be longer */
	char text[2 * (MAX_STORY_KEY_BYTES + MAX_STORY_TITLE_BYTES) + 64];
};

/* Both return out->text. A key that is empty, or the title as well, is left out. */
const char *story_name(const struct story_view *s, struct story_name *out);
const char *story_name_of(struct slice key, struct slice title, struct story_name *out);

/* The subject of a round: "PAY-1 Refund, 2nd vote"; "" for a quick vote. Returns out->text. */
const char *story_name_of_round(const struct round_view *r, struct story_name *out);
/* The nth round on a story: "2nd vote". Returns out. */
#define STORY_VOTE_CHARS 32
const char *story_vote(int64_t n, char out[STORY_VOTE_CHARS + 1]);

struct story_link {
	char text[2 * MAX_STORY_LINK_BYTES];
};

/*
 * The story's link, or the one made from the room's template and its key; "": none. Returns
 * out->text.
 */
const char *story_link(const struct replica *room, const struct story_view *s,
		       struct story_link *out);

#define STORY_FOUND_MAX 4 /* the most candidates named */

struct story_found {
	const struct story_view *one; /* NULL: no match, or several */
	size_t n;
	const struct story_view *some[STORY_FOUND_MAX]; /* the first matches */
};

/*
 * Find the story that a word means. The first of these rules with a match decides:
 *
 *   its story_id; its key, in the same case; its key; its number in the list, from 1; its
 *   title; a prefix of its key, its title or both, ending at a word; any prefix of them
 *
 * Elsewhere case is ignored, except in a story_id. A prefix does not cut a number: PAY-3
 * does not match PAY-31. Within a rule, stories on the list are preferred to
 * removed ones.
 *
 * @wants_removed  prefer removed stories, for restoring one.
 */
void story_find(const struct replica *room, const char *word, bool wants_removed,
		struct story_found *out);

#define STORY_FOUND_TEXT_MAX 640
/* Write why there is no single match: no such story, or which ones match; no full stop. */
void story_found_text(const struct replica *room, const struct story_found *found, const char *word,
		      char *out, size_t cap);

/* The story's number in the list, from 1; 0: it was removed. */
size_t story_place(const struct replica *room, const struct story_view *s);

#endif
