/*
 * word.h - the kinds of words that people type: on the command line, after a command, or on a
 * prompt's line.
 */
#ifndef CLIENT_ACTS_WORD_H
#define CLIENT_ACTS_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/request.h"

/* The kind of a word, which decides how its field is filled. */
enum word_kind {
	WORD_NONE,     /* the end of the row's words */
	WORD_TEXT,     /* text; '' is nil if the field is nullable */
	WORD_TEXTS,    /* all values of an option that may be repeated */
	WORD_TITLE,    /* text; '' is refused */
	WORD_NEW_STORY, /* the same; the address of an issue in front of it fills key and link as well */
	WORD_LINK,     /* a web address; '' is nil */
	WORD_CARD,     /* a card; - is nil */
	WORD_CHOICE,   /* one of the words of the field */
	WORD_USER,     /* a member of the room; fills a user_id */
	WORD_BARRED,   /* a banned user; fills a user_id */
	WORD_STORY,    /* a story; fills a story_id; - is nil if the field is nullable */
	WORD_TEAM,     /* the id or name of one of the user's teams; fills a group_id */
	WORD_TEAM_MEMBER, /* a member of the team of the word before; fills a user_id */
	WORD_BACKLOG,  /* a backlog of the user's teams, or of --team; fills a container_id */
	WORD_ITEM,     /* an item of the backlog of the word before; fills an item_id */
	WORD_INVITATION, /* fills an invitation_id */
	WORD_QUESTION, /* fills a question_id */
	WORD_QUANTITY, /* 12 or 0.5; for a change also -1.5; '' is nil */
	WORD_WHEN,     /* a day, or a time from now; '' is nil */
	WORD_SECONDS,  /* minutes, 90s, 5m, 1h */
	WORD_MINUTES,  /* the same, for a field that counts minutes */
	WORD_NUMBER,   /* within the limits of the field */
	WORD_REVISION,
	WORD_DECK,     /* a preset, or cards: this word and all after it */
	WORD_REACTIONS, /* words or emoji, split by spaces */
	WORD_KIND,     /* map, list or presence: the first part of the method's name */
	WORD_KEY,      /* a map's key, or a list's entry_id; absent for a presence */
	WORD_PLACE,    /* before or after: selects the field of the next word */
	WORD_JSON,     /* JSON; anything else is taken as a text */
	WORD_TRUE,     /* no word: the field is true */
	WORD_FALSE,    /* no word: the field is false */
	WORD_NEIGHBOUR, /* no word: --before or --after is required */
};

struct act_word {
	enum word_kind kind;
	const char *field; /* of the method's params; NULL: an earlier word selects it */
};

#define ACT_WORDS_MAX 6 /* including the WORD_NONE at the end */

/*
 * Quote what was typed for a message: softened, cut, and in quotes if it has blanks. Returns out.
 */
#define WORD_QUOTE_BYTES 1024
const char *word_quote(const char *typed, char out[WORD_QUOTE_BYTES]);

/*
 * Fill a field of the request with what was typed. A value that the field refuses is in the
 * request's fault. Not for words that must be looked up (a member, a story, a team), nor for the
 * kinds from WORD_KIND on. Returns false if the word is not of its kind; why says what a valid one
 * looks like, without a full stop.
 *
 * @option  the name of the option that it was typed for; NULL: none.
 */
#define WORD_WHY_BYTES (WORD_QUOTE_BYTES + 200)
bool word_fill(struct request *r, const struct act_word *w, const char *option, const char *typed,
	       int64_t now_ms, char why[WORD_WHY_BYTES]);

/*
 * Whether a screen takes the word from the view and its cursor. The first word that is not so is
 * typed or chosen.
 */
bool word_is_in_focus(enum word_kind kind);

/*
 * Copy a row's sentence, such as "Remove * from the room?", with the name in place of the star, if
 * it has one.
 */
void word_put_name(const char *sentence, const char *name, char *out, size_t cap);

#endif
