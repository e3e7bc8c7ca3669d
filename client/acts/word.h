/*
 * word.h - what a word that somebody types is: on the command line, behind a command, or on a line of its own.
 */
#ifndef CLIENT_ACTS_WORD_H
#define CLIENT_ACTS_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/request.h"

/* What it is, and so how the field is filled. */
enum word_kind {
	WORD_NONE,     /* the end of the row's words */
	WORD_TEXT,     /* itself; '' is nil where the field may be nil */
	WORD_TEXTS,    /* all values of an option that may be given several times */
	WORD_TITLE,    /* itself; '' makes no sense */
	WORD_LINK,     /* a web address; '' is nil */
	WORD_CARD,     /* itself; - is nil */
	WORD_CHOICE,   /* one of the words of the field's row */
	WORD_USER,     /* the user_id of a member of the room */
	WORD_BARRED,   /* likewise, of those who were removed for good */
	WORD_STORY,    /* its story_id; - is nil where the field may be nil */
	WORD_TEAM,     /* the group_id of the team of one's own that has that id or name */
	WORD_TEAM_MEMBER, /* the user_id of who is called that in the team of the word before */
	WORD_BACKLOG,  /* the container_id of a backlog, of one's own teams or of --team */
	WORD_ITEM,     /* the item_id of an item of the backlog before */
	WORD_INVITATION, /* its invitation_id */
	WORD_QUANTITY, /* 12 or 0.5; of a change -1.5, too; '' is nil */
	WORD_WHEN,     /* a day, or so long from now; '' is nil */
	WORD_SECONDS,  /* minutes, 90s, 5m, 1h */
	WORD_MINUTES,  /* the same, for a field that counts minutes */
	WORD_NUMBER,   /* as its field bounds it */
	WORD_REVISION,
	WORD_DECK,     /* a preset, or cards: this word and all behind it */
	WORD_KIND,     /* map, list or presence: the first part of the method's name */
	WORD_KEY,      /* a map's key, a list's entry_id; left out for a presence */
	WORD_PLACE,    /* before or after: the field of the word behind it */
	WORD_JSON,     /* JSON, or else the text itself */
	WORD_TRUE,     /* no word: the field is true */
	WORD_FALSE,    /* likewise */
	WORD_NEIGHBOUR, /* no word: one of --before and --after has to be there */
};

struct act_word {
	enum word_kind kind;
	const char *field; /* of the method's params; NULL: a word before says which */
};

#define ACT_WORDS_MAX 6 /* with the end */

/* What was typed, as a sentence quotes it: softened, cut, and in quotes where it has blanks. Returns out. */
#define WORD_QUOTE_BYTES 1024
const char *word_quote(const char *typed, char out[WORD_QUOTE_BYTES]);

/*
 * Put what was typed into the field of the request. What the field itself refuses is in the request's fault.
 * Not for what has to be looked up somewhere (a member, a story, a team), nor for the kinds from WORD_KIND on.
 *
 * @option  the name of the option it was typed for; NULL: of none
 * False: it is no such thing; why says so, with what would be one, and without a full stop.
 */
#define WORD_WHY_BYTES (WORD_QUOTE_BYTES + 200)
bool word_fill(struct request *r, const struct act_word *w, const char *option, const char *typed,
	       int64_t now_ms, char why[WORD_WHY_BYTES]);

/* Whether a screen knows it by where one is and what the cursor is on; the first of the other words is typed or chosen. */
bool word_is_in_focus(enum word_kind kind);

/* A sentence of a row, with a name at its star, if it has one: "Remove * from the room?" */
void word_put_name(const char *sentence, const char *name, char *out, size_t cap);

#endif
