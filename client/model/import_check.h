/*
 * import_check.h - whether what was read is a story, by the server's own rules.
 *
 * stories_import.c finds the texts; here they are cleaned, cut, or told about.
 */
#ifndef CLIENT_MODEL_IMPORT_CHECK_H
#define CLIENT_MODEL_IMPORT_CHECK_H

#include "client/model/stories_import.h"

struct import {
	struct stories_import *out;
	struct arena *arena;
	size_t remarks_cap;
};

/* What was found of one story, not yet looked at. */
struct import_raw {
	size_t line;
	struct slice key; /* goes in front of the title */
	struct slice title, link, notes, status, estimate;
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

#endif
