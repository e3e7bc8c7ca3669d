/*
 * import_check.h - whether what was read is a story, or an item, by the server's own rules.
 *
 * The readers (stories_import.c, import_table.c, import_markdown.c) find the texts; here they
 * are cleaned, cut, or remarked upon.
 */
#ifndef CLIENT_FORMATS_IMPORT_CHECK_H
#define CLIENT_FORMATS_IMPORT_CHECK_H

#include "client/formats/stories_import.h"

struct import_raw;

struct import {
	struct stories_import *out;
	/* Checks what was found of one, and adds it, or a remark on why not. */
	void (*take)(struct import *im, const struct import_raw *raw);
	struct slices deck;
	struct arena *arena;
	size_t remarks_cap;
	size_t items_cap;
};

/* What was found of one story or item, not yet looked at. */
struct import_raw {
	size_t line;
	struct slice key, title, link, description, status, estimate;
	bool any_status; /* another program's: not ours to understand */
	struct slice unit, quantity, category, expiry; /* of an item */
};

void import_remark(struct import *im, size_t line, bool is_skipped, const char *text);

/* The two kinds of import.take. */
void import_take_story(struct import *im, const struct import_raw *raw);
void import_take_item(struct import *im, const struct import_raw *raw);

/* Lines of text, cut where there are too many; empty where there are none. */
struct slice import_description(struct import *im, size_t line, struct slice in);
/* Line ends and tabs within a title are blanks. */
struct slice import_one_line(struct import *im, struct slice in);
/* 5.0, as Jira writes it, is 5, and .50 is .5. */
struct slice import_number(struct slice s);

/* Whether to read on: it is not all wrong. */
static inline bool import_goes_on(const struct import *im)
{
	return !im->out->is_given_up;
}

/* Nothing, or nothing but blanks. */
bool import_is_blank(struct slice s);
/* Without the blanks around it. */
struct slice import_trim(struct slice s);
/* What a tracker calls an issue: PAY-101, #12. */
bool import_is_key(struct slice s);
/* "12" and "#12" as "#12", in the arena; empty where it is no number. */
struct slice import_number_key(struct import *im, struct slice number);
/* "PAY-1 Pay", "#12: Pay" or "[PAY-1] Pay": the key, which leaves *title; empty where none is in front. */
struct slice import_take_key(struct slice *title);
/* The next line without its end; false at the end of the text. */
bool import_next_line(struct slice text, size_t *at, struct slice *line);

#endif
