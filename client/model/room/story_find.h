/*
 * story_find.h - what a story is called, where it is described, and which one a person means.
 *
 * A story is called by its key, where it has one, and its title: "PAY-101 Show
 * the balance". A person says as little of that as is enough.
 */
#ifndef CLIENT_MODEL_ROOM_STORY_FIND_H
#define CLIENT_MODEL_ROOM_STORY_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "client/model/room/replica.h"

struct story_name {
	char text[2 * (MAX_STORY_KEY_BYTES + MAX_STORY_TITLE_BYTES) + 64]; /* what is softened may be longer */
};

/* Both return out->text; a key that is empty is none. */
const char *story_name(const struct story_view *s, struct story_name *out);
const char *story_name_of(struct slice key, struct slice title, struct story_name *out);

/* What a round was about: "PAY-1 Refund, 2nd vote"; "" for a quick vote. Returns out->text. */
const char *story_name_of_round(const struct round_view *r, struct story_name *out);
/* Of the rounds on one story, the nth: "2nd vote". Returns out. */
#define STORY_VOTE_CHARS 32
const char *story_vote(int64_t n, char out[STORY_VOTE_CHARS + 1]);

struct story_link {
	char text[2 * MAX_STORY_LINK_BYTES];
};

/* Its own link, or the one that the room's template makes of its key; "" where it has none. Returns out->text. */
const char *story_link(const struct replica *room, const struct story_view *s,
		       struct story_link *out);

#define STORY_FOUND_MAX 4 /* of several, so many are named */

struct story_found {
	const struct story_view *one; /* NULL: none is meant, or several are */
	size_t n;
	const struct story_view *some[STORY_FOUND_MAX]; /* the first of them */
};

/*
 * The story that a word stands for: the first of these that holds for any decides.
 *
 *   its story_id; its key; its place in the list, from 1; its title; the beginning of
 *   its key, its title or both, up to the end of a word; any beginning of them
 *
 * Upper and lower case are alike but in a story_id. A number is not cut: PAY-3 is no
 * beginning of PAY-31. Within a step those on the list come before the removed ones.
 *
 * @wants_removed  the other way round, for restoring.
 */
void story_find(const struct replica *room, const char *word, bool wants_removed,
		struct story_found *out);

#define STORY_FOUND_TEXT_MAX 640
/* Why none is meant by the word: "There is no story x", or which ones it could be; no full stop. */
void story_found_text(const struct replica *room, const struct story_found *found, const char *word,
		      char *out, size_t cap);

/* Where it is in the list, from 1; 0: it was removed. */
size_t story_place(const struct replica *room, const struct story_view *s);

#endif
