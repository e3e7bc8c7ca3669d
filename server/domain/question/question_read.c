/*
 * question_read.c - question.get, question.watch, question.unwatch.
 */
#include "server/domain/question/question.h"

#include <stdlib.h>

#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"

/* ---- answers ---- */

static struct response_view view_response(const struct response_item *r)
{
	return (struct response_view){
		.answer = r->answer,
		.selected_option = r->selected_option,
		.with_selected_option = r->with_selected_option,
		.confidence = r->confidence,
		.comment = r->comment,
	};
}

static int by_response_id(const void *a, const void *b)
{
	const struct response_item *const *x = a;
	const struct response_item *const *y = b;
	return slice_cmp((*x)->response_id, (*y)->response_id);
}

enum txn_step question_responses(struct txn *t, struct slice id, struct question_responses *out)
{
	struct txn_items found =
		txn_list(t, ITEM_RESPONSE, id, &(struct txn_page){.limit = MAX_QUESTION_RESPONSES});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	*out = (struct question_responses){
		.all = arena_alloc(t->arena, (found.n + 1) * sizeof(*out->all))};
	for (size_t i = 0; out->all != NULL && i < found.n; i++) {
		const struct response_item *r = txn_decode(t, &found.items[i]);
		if (r != NULL) {
			out->all[out->n++] = r;
		}
	}
	if (out->n < found.n) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "its answers cannot be read");
	}
	qsort(out->all, out->n, sizeof(*out->all), by_response_id);
	return TXN_DONE;
}

/* Votes for each option, in their order. */
static void view_summary(struct txn *t, struct question_view *view,
			 const struct response_item *const *responses, size_t n)
{
	struct option_votes *summary =
		arena_alloc(t->arena, (view->options.n + 1) * sizeof(*summary));
	for (size_t i = 0; summary != NULL && i < view->options.n; i++) {
		summary[i] = (struct option_votes){.option = view->options.items[i]};
		for (size_t k = 0; k < n; k++) {
			summary[i].votes += responses[k]->selected_option == (int64_t)i;
		}
	}
	view->summary = summary;
	view->summary_n = summary == NULL ? 0 : view->options.n;
}

/*
 * A page of answers behind the one that `after` names, whole ones, in the order of
 * their ids: that of the table is the same for a person's answers to every question.
 * Returns the last one of a page that is not the last.
 */
static struct slice view_responses(struct txn *t, const struct question *q,
				   struct question_view *view,
				   const struct response_item *const *responses, size_t n,
				   struct slice after, size_t limit)
{
	enum { OF_RESPONSE = 96 };
	struct response_view *page = arena_alloc(t->arena, (n + 1) * sizeof(*page));
	size_t bytes = question_view_bytes(view) + view->own_response.answer.len +
		       view->own_response.comment.len;
	view->responses = page;
	view->with_responses =
		true; /* also where there is none: that the list is there says who may see it */
	for (size_t i = 0; page != NULL && i < n; i++) {
		const struct response_item *r = responses[i];
		if (after.len > 0 && slice_cmp(r->response_id, after) <= 0) {
			continue;
		}
		bytes += OF_RESPONSE + r->answer.len + r->comment.len;
		if (view->responses_n == limit ||
		    (view->responses_n > 0 && bytes > LIST_PAGE_BYTES)) {
			return responses[i - 1]->response_id;
		}
		page[view->responses_n] = view_response(r);
		page[view->responses_n++].is_fast = q->is_mine && r->is_fast;
	}
	return (struct slice){0};
}

enum txn_step on_QUESTION_GET(struct txn *t)
{
	const struct question_get_params *p = t->params;
	struct question_get_result *result = t->result;
	struct question q;
	struct place after;
	if (!txn_take_of_user(t, LIMIT_QUESTION_READS_PER_HOUR, "reads of questions")) {
		return TXN_REFUSED;
	}
	enum txn_step step = question_find(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (!cursor_read(t, q.id, p->cursor, &after)) {
		return TXN_REFUSED;
	}
	result->question = question_view_for(t, &q);
	if (q.is_mine && !question_has_ended(q.status) && !question_is_for_all(q.item)) {
		result->question.with_people = true;
		step = question_count_people(t, q.item, &result->question.people);
		if (step != TXN_DONE) {
			return step;
		}
	}
	if (q.own_response != NULL) {
		result->question.own_response = view_response(q.own_response);
		result->question.with_own_response = true;
	} else if (result->question.can_answer) {
		txn_note(t, question_and_caller(t, &q)); /* from now on they may think about it */
		return TXN_DONE; /* and see no answers before they have given theirs */
	}
	struct question_responses responses;
	step = question_responses(t, q.id, &responses);
	if (step != TXN_DONE) {
		return step;
	}
	if (q.item->type == QUESTION_CHOICE) {
		view_summary(t, &result->question, responses.all, responses.n);
	}
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_QUESTION_RESPONSES;
	struct slice last = view_responses(t, &q, &result->question, responses.all, responses.n,
					   after.id, limit);
	if (last.len > 0) {
		result->cursor = cursor_write(t, q.id, &(struct place){.id = last});
	}
	if (result->question.responses == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	return TXN_DONE;
}

/* ---- watching ---- */

enum txn_step on_QUESTION_WATCH(struct txn *t)
{
	const struct question_params *p = t->params;
	struct question_watch_result *result = t->result;
	struct question q;
	if (!txn_take_of_user(t, LIMIT_QUESTION_READS_PER_HOUR, "reads of questions")) {
		return TXN_REFUSED;
	}
	int64_t version = txn_subscribe(t, ITEM_QUESTION, question_id(t, p->question_id),
					NOTICE_QUESTION_UPDATE);
	enum txn_step step = question_find(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (!q.is_mine) {
		question_subscribe_while(t, q.item);
	}
	if (question_has_ended(q.status)) { /* nothing more will be published */
		txn_unsubscribe(t, ITEM_QUESTION, q.id);
	}
	*result = (struct question_watch_result){.version = version,
						 .question = question_view_for(t, &q)};
	return TXN_DONE;
}

enum txn_step on_QUESTION_UNWATCH(struct txn *t)
{
	const struct question_params *p = t->params;
	txn_unsubscribe(t, ITEM_QUESTION, question_id(t, p->question_id));
	return TXN_DONE;
}
