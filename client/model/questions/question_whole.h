/*
 * question_whole.h - a question with all of its answers, which come in pages.
 *
 * Pure.
 *
 * Life: a zeroed struct .. question_whole_finish().
 */
#ifndef CLIENT_MODEL_QUESTIONS_QUESTION_WHOLE_H
#define CLIENT_MODEL_QUESTIONS_QUESTION_WHOLE_H

#include "proto/records/records.h"

struct question_whole {
	struct question_view view; /* of the first page, with the answers of all */
	struct slice cursor;	   /* of the next page; empty: that was all */
	struct response_view responses[MAX_QUESTION_RESPONSES];
	struct question_get_result *pages[MAX_QUESTION_RESPONSES + 1]; /* owned: all texts are theirs */
	size_t pages_n;
};

/* One more page, copied. */
void question_whole_add(struct question_whole *w, const struct question_get_result *page);
/* Without pages. */
void question_whole_finish(struct question_whole *w);

#endif
