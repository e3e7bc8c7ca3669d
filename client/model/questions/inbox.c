/*
 * inbox.c - see inbox.h.
 */
#include "client/model/questions/inbox.h"

#include <stdlib.h>

#include "client/model/memory.h"

static const struct feed_kind inbox_lists[INBOX_LISTS] = {
	[INBOX_WAITING] = {METHOD_QUESTION_LIST, .rows = "questions",
			   .entry = &record_question_view, .key = "question_id",
			   .most = INBOX_ROWS_MAX, .pages = INBOX_PAGES_MAX},
	[INBOX_MINE] = {METHOD_QUESTION_MINE, .rows = "questions", .entry = &record_question_view,
			.key = "question_id", .most = INBOX_ROWS_MAX, .pages = INBOX_PAGES_MAX},
};

void inbox_init(struct inbox *in)
{
	*in = (struct inbox){.question = NULL};
	for (size_t i = 0; i < INBOX_LISTS; i++) {
		feed_init(&in->lists[i], &inbox_lists[i]);
	}
	rows_init(&in->drafts, &record_question_answer_params, "question_id", NULL);
}

void inbox_finish(struct inbox *in)
{
	for (size_t i = 0; i < INBOX_LISTS; i++) {
		feed_finish(&in->lists[i]);
	}
	inbox_close(in);
	rows_finish(&in->drafts);
	free(in->sending);
	free(in->answered);
	*in = (struct inbox){.question = NULL};
}

/* ---- the lists ---- */

void inbox_lost(struct inbox *in)
{
	for (size_t i = 0; i < INBOX_LISTS; i++) {
		feed_lost(&in->lists[i]);
	}
	in->read = FEED_WANTED;
}

size_t inbox_waiting(const struct inbox *in)
{
	return in->lists[INBOX_WAITING].rows.n;
}

/* Its place among those that wait; their number: it is none of them. */
static size_t inbox_place(const struct inbox *in, struct slice question_id)
{
	const struct rows *rows = &in->lists[INBOX_WAITING].rows;
	size_t i = 0;
	while (i < rows->n && !slice_eq(((const struct question_view *)rows->items[i])->question_id,
					question_id)) {
		i++;
	}
	return i;
}

/* ---- the question that is open ---- */

void inbox_open(struct inbox *in, const struct question_view *q)
{
	struct question_view *copy = memory_have(record_own(&record_question_view, q));
	inbox_close(in);
	in->question = copy;
	in->at = inbox_place(in, copy->question_id);
}

void inbox_close(struct inbox *in)
{
	free(in->question);
	in->question = NULL;
	free(in->cursor);
	in->cursor = NULL;
	in->read = FEED_WANTED;
}

static bool inbox_is_open(const struct inbox *in, struct slice question_id)
{
	return in->question != NULL && slice_eq(in->question->question_id, question_id);
}

/* The responses of a page go behind those of the pages before. */
void inbox_take_question(struct inbox *in, const struct question_get_result *r)
{
	struct question_view q = r->question;
	if (!inbox_is_open(in, q.question_id)) {
		return;
	}
	size_t before = in->cursor == NULL ? 0 : in->question->responses_n;
	struct response_view *all = memory_new(before + q.responses_n, sizeof(*all));
	for (size_t i = 0; i < before + q.responses_n; i++) {
		all[i] = i < before ? in->question->responses[i] : q.responses[i - before];
	}
	q.responses = all;
	q.responses_n += before;
	struct question_view *copy = memory_have(record_own(&record_question_view, &q));
	free(all);
	free(in->question);
	in->question = copy;
	free(in->cursor);
	in->cursor = r->cursor.len > 0 ? memory_text_of(r->cursor) : NULL;
	in->read = in->cursor != NULL && copy->responses_n < MAX_QUESTION_RESPONSES ? FEED_WANTED
										    : FEED_IDLE;
	if (in->read == FEED_IDLE) {
		free(in->cursor);
		in->cursor = NULL;
	}
}

bool inbox_is_answerable(const struct inbox *in)
{
	return in->question != NULL && in->question->can_answer && !inbox_is_sending(in);
}

const struct question_view *inbox_next(const struct inbox *in)
{
	const struct rows *rows = &in->lists[INBOX_WAITING].rows;
	for (size_t i = 0; i < rows->n; i++) {
		const struct question_view *q = rows->items[(in->at + i) % rows->n];
		if (!inbox_is_open(in, q->question_id)) {
			return q;
		}
	}
	return NULL;
}

/* ---- the answer ---- */

struct question_answer_params inbox_draft(const struct inbox *in)
{
	const struct slice id = in->question == NULL ? SLICE("") : in->question->question_id;
	const struct question_answer_params *known = rows_find(&in->drafts, id);
	return known != NULL ? *known : (struct question_answer_params){.question_id = id};
}

void inbox_keep(struct inbox *in, const struct question_answer_params *draft)
{
	rows_put(&in->drafts, draft);
}

void inbox_send(struct inbox *in, const char *question_id)
{
	free(in->sending);
	in->sending = question_id == NULL ? NULL : memory_text(question_id);
}

bool inbox_is_sending(const struct inbox *in)
{
	return in->sending != NULL && inbox_is_open(in, slice_str(in->sending));
}

static void inbox_unlist(struct inbox *in, struct slice question_id)
{
	struct feed *l = &in->lists[INBOX_WAITING];
	(void)rows_drop(&l->coming, question_id);
	(void)rows_drop(&l->rows, question_id);
	feed_refresh(l);
}

void inbox_drop(struct inbox *in, struct slice question_id)
{
	(void)rows_drop(&in->drafts, question_id);
	inbox_unlist(in, question_id);
}

static void inbox_keep_answered(struct inbox *in, const struct question_view *q)
{
	struct question_view *was = in->answered;
	in->answered = memory_have(record_own(&record_question_view, q));
	if (was != NULL && !slice_eq(was->question_id, in->answered->question_id)) {
		(void)rows_drop(&in->drafts, was->question_id);
	}
	free(was);
}

void inbox_take_answer(struct inbox *in, struct slice question_id)
{
	const struct question_view *listed = rows_find(&in->lists[INBOX_WAITING].rows, question_id);
	const struct question_view *q = inbox_is_open(in, question_id) ? in->question : listed;
	inbox_send(in, NULL);
	if (q != NULL) {
		inbox_keep_answered(in, q);
	}
	inbox_bar(in, question_id);
}

void inbox_bar(struct inbox *in, struct slice question_id)
{
	if (inbox_is_open(in, question_id)) {
		in->question->can_answer = false;
	}
	inbox_unlist(in, question_id);
}
