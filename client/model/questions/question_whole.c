/*
 * question_whole.c - see question_whole.h.
 */
#include "client/model/questions/question_whole.h"

#include <stdlib.h>

#include "client/model/memory.h"

void question_whole_add(struct question_whole *w, const struct question_get_result *page)
{
	struct question_get_result *own =
		memory_have(record_own(&record_question_get_result, page));
	size_t n = w->pages_n == 0 ? 0 : w->view.responses_n;
	if (w->pages_n == 0) {
		w->view = own->question;
	}
	w->pages[w->pages_n++] = own;
	for (size_t i = 0; i < own->question.responses_n && n < MAX_QUESTION_RESPONSES; i++) {
		w->responses[n++] = own->question.responses[i];
	}
	w->view.responses = w->responses;
	w->view.responses_n = n;
	w->view.with_responses = w->view.with_responses || n > 0;
	/* A page that brings nothing is the last, whatever it says. */
	bool is_last = own->question.responses_n == 0 || n == MAX_QUESTION_RESPONSES;
	w->cursor = is_last ? (struct slice){0} : own->cursor;
}

void question_whole_finish(struct question_whole *w)
{
	for (size_t i = 0; i < w->pages_n; i++) {
		free(w->pages[i]);
	}
	*w = (struct question_whole){.pages_n = 0};
}
