/*
 * import_check.h - whether what was read is a story, by the server's own rules.
 *
 * The readers (stories_import.c, import_table.c, import_markdown.c) find the texts; here they
 * are cleaned, cut, or remarked upon.
 */
#ifndef CLIENT_MODEL_IMPORT_CHECK_H
#define CLIENT_MODEL_IMPORT_CHECK_H

#include "client/model/stories_import.h"

struct import {
	struct stories_import *out;
	struct slices deck;
	struct arena *arena;
	size_t remarks_cap;
};

/* What was found of one story, not yet looked at. */
struct import_raw {
	size_t line;
	struct slice key, title, link, description, status, estimate;
	bool any_status; /* another program's: not ours to understand */
};

void import_remark(struct import *im, size_t line, bool is_skipped, const char *text);

/* Check it and add it to the stories, or a remark on why not. */
void import_take(struct import *im, const struct import_raw *raw);

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
