/*
 * question_whole.h - a question with all its answers, collected from pages.
 *
 * Pure.
 *
 * Life: a zeroed struct .. question_whole_finish().
 */
#ifndef CLIENT_MODEL_QUESTIONS_QUESTION_WHOLE_H
#define CLIENT_MODEL_QUESTIONS_QUESTION_WHOLE_H

#include "proto/records/records.h"

struct question_whole {
	struct question_view view; /* of the first page, with the answers of all pages */
	struct slice cursor;	   /* of the next page; empty: there is none */
	struct response_view responses[MAX_QUESTION_RESPONSES];
	/* owned; hold all texts */
	struct question_get_result *pages[MAX_QUESTION_RESPONSES + 1];
	size_t pages_n;
};

/* Add a copy of a page. */
void question_whole_add(struct question_whole *w, const struct question_get_result *page);
/* Free the pages. */
void question_whole_finish(struct question_whole *w);

#endif
