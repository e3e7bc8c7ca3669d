/*
 * import_check.h - check parsed stories and items by the server's rules.
 *
 * The parsers (stories_import.c, import_table.c, import_markdown.c) find the texts; these
 * functions clean and cut them, or add remarks.
 */
#ifndef CLIENT_FORMATS_IMPORT_IMPORT_CHECK_H
#define CLIENT_FORMATS_IMPORT_IMPORT_CHECK_H

#include "client/formats/import/stories_import.h"

struct import_raw;

struct import {
	struct stories_import *out;
	/* Check one, and add it to *out, or a remark on why it is skipped. */
	void (*take)(struct import *im, const struct import_raw *raw);
	struct slices deck;
	struct arena *arena;
	size_t remarks_cap;
	size_t cap; /* of the stories or items */
};

/* The texts of one story or item, not checked yet. */
struct import_raw {
	size_t line;
	struct slice key, title, link, description, status, estimate;
	bool any_status; /* the status is another program's, and may be unknown */
	struct slice unit, quantity, category, expiry; /* of an item */
};

void import_remark(struct import *im, size_t line, bool is_skipped, const char *text);

/* The two kinds of import.take. */
void import_take_story(struct import *im, const struct import_raw *raw);
void import_take_item(struct import *im, const struct import_raw *raw);

/* Skip each entry with the key of one before it. */
void import_drop_doubles(struct import *im);
/* Room for one more of n entries of that size: the array, or a larger copy in the arena. */
void *import_grown(struct import *im, void *entries, size_t n, size_t size);

/* Clean a description of several lines, cut if it is too long; empty if there is none. */
struct slice import_description(struct import *im, size_t line, struct slice in);
/* Replace line ends and tabs within a title by blanks. */
struct slice import_one_line(struct import *im, struct slice in);
/*
 * Drop trailing zeros: 5.0, as Jira writes it, becomes 5, and .50 becomes .5. A comma before one or
 * two decimals becomes a point, unless the deck has such a card.
 */
struct slice import_number(struct import *im, struct slice s);

/* Whether to parse on: there are not too many remarks. */
static inline bool import_goes_on(const struct import *im)
{
	return !im->out->is_given_up;
}

/* Whether the text is empty or only blanks. */
bool import_is_blank(struct slice s);
/* The text without the blanks around it. */
struct slice import_trim(struct slice s);
/* Whether the text has the form of a tracker's key: PAY-101, #12. */
bool import_is_key(struct slice s);
/* The word that a name begins with, where that is a key; empty: it has none. */
struct slice import_name_key(struct slice name);
/* The key "#12" of "12" or "#12", in the arena; empty if it is not a number. */
struct slice import_number_key(struct import *im, struct slice number);
/*
 * Remove the key from *title and return it: "PAY-1 Pay", "#12: Pay", "[PAY-1] Pay"; empty if there
 * is none.
 */
struct slice import_take_key(struct slice *title);
/* The next line without its line end; false at the end of the text. */
bool import_next_line(struct slice text, size_t *at, struct slice *line);

#endif
