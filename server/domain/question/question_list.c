/*
 * question_list.c - question.list, question.mine, answer.mine, server.questions.
 *
 * An index lists the newest first. What is listed there is looked at until the page
 * is full, in entries or in bytes, or until LOOKED_AT have been: then the page has
 * fewer entries than it might, and a cursor. So a page costs the same however many
 * questions there are.
 */
#include "server/domain/question/question.h"

#include "proto/base/format.h"
#include "server/domain/base/list_page.h"
#include "server/domain/directory.h"

#define LOOKED_AT 64
/* Of the caller's answers and skips; as many answers as an hour has, the usual life of a question. */
#define LATELY 32
/* Each of them is a partition of ByStatus. */
enum { STATUSES = WORDS_COUNT(question_status) };

/* A page of an index of questions behind that place. */
static struct txn_items query_questions(struct txn *t, enum index_id index, struct slice partition,
					const struct place *after, size_t limit)
{
	struct txn_range range = {.is_descending = true, .limit = limit};
	if (after->id.len > 0) {
		range.after = txn_place(t, partition, after->at, ITEM_QUESTION, after->id, NO_SK);
	}
	return txn_query(t, index, partition, &range);
}

/* Of a page that has more: behind its last entry, whatever that was. */
static struct place end_of(const struct txn_items *found, const struct store_item *last,
			   enum item_kind kind)
{
	return (struct place){found->end, item_pk_rest(last, kind)};
}

/* ---- pages ---- */

/* The entries of a page of one of the caller's lists, which count as a look; NULL with t->fault. */
static void *page_begin(struct txn *t, struct list_page *page, struct slice list,
			struct slice cursor, bool with_limit, int64_t limit, size_t entry_bytes)
{
	bool is_begun = list_begin(t, page, list, cursor, true,
				   with_limit ? limit : MAX_QUESTION_PAGE_USUAL) &&
			txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists");
	return is_begun ? list_entries(t, page->limit, entry_bytes) : NULL;
}

/* False where it does not fit any more. */
static bool page_add(struct list_page *page, struct question_list_result *result,
		     const struct question_view *view)
{
	if (result->questions_n == page->limit || !list_takes(page, question_view_bytes(view))) {
		return false;
	}
	result->questions[result->questions_n++] = *view;
	return true;
}

/* The next page's cursor once so many of what was found were looked at: those that are left did not fit. */
static struct slice page_end(struct txn *t, struct list_page *page, const struct txn_items *found,
			     size_t looked, enum item_kind kind)
{
	if (looked == found->n && found->has_more) {
		page->after = end_of(found, &found->items[found->n - 1], kind);
	}
	return list_end(t, page, looked < found->n || found->has_more);
}

/* ---- what may be answered ---- */

/*
 * Of descending pages of one index the entry that comes first; NULL at the end of all, or where one ends that has
 * more: *at is that end. Places are compared in one partition, as their order there settles what two questions of one
 * millisecond are to each other. One that is damaged does not tell its place: it comes as soon as it is the next of
 * its page, and *at stays.
 */
static const struct store_item *merge_next(struct txn *t, struct txn_items pages[STATUSES],
					   struct place *at)
{
	struct slice best = {0};
	struct place first = *at;
	size_t from = STATUSES;
	for (size_t i = 0; i < STATUSES; i++) {
		const struct txn_items *page = &pages[i];
		if (page->n == 0 && !page->has_more) {
			continue;
		}
		const struct question_item *q = page->n == 0 ? NULL : txn_decode(t, page->items);
		if (q == NULL && page->n > 0) {
			pages[i].n--;
			return pages[i].items++;
		}
		struct place next =
			q == NULL ? end_of(page, page->items - 1, ITEM_QUESTION)
				  : (struct place){q->created_on,
						   item_pk_rest(page->items, ITEM_QUESTION)};
		struct slice place =
			txn_place(t, SLICE("*"), next.at, ITEM_QUESTION, next.id, NO_SK);
		if (from == STATUSES || slice_cmp(place, best) > 0) {
			first = next;
			best = place;
			from = i;
		}
	}
	*at = first;
	if (from == STATUSES || pages[from].n == 0) {
		return NULL;
	}
	pages[from].n--;
	return pages[from].items++;
}

/* What the caller has done with questions lately. */
struct lately {
	enum item_kind kind; /* RESPONSE or SKIP */
	struct txn_items items;
	int64_t since; /* nothing that was done later is missing */
};

static struct lately query_lately(struct txn *t, enum index_id index, enum item_kind kind,
				  struct slice fingerprint)
{
	struct lately l = {.kind = kind, .since = INT64_MIN};
	l.items = txn_query(t, index, fingerprint,
			    &(struct txn_range){.is_descending = true, .limit = LATELY});
	if (l.items.has_more) {
		const struct store_item *oldest = &l.items.items[l.items.n - 1];
		const void *item = txn_decode(t, oldest);
		l.since = item == NULL		  ? INT64_MAX
			  : kind == ITEM_RESPONSE ? ((const struct response_item *)item)->created_on
						  : ((const struct skip_item *)item)->created_on;
	}
	return l;
}

/* Nobody has done with a question before it was asked: where all since then is known, nothing need be looked up. */
static bool is_done_with(struct txn *t, const struct lately *l, const struct question *q)
{
	for (size_t i = 0; i < l->items.n; i++) {
		if (slice_eq(item_pk_rest(&l->items.items[i], l->kind), q->id)) {
			return true;
		}
	}
	return q->item->created_on <= l->since &&
	       txn_get(t, l->kind, q->id, slice_str(q->fingerprint.text)) != NULL;
}

enum txn_step on_QUESTION_LIST(struct txn *t)
{
	const struct question_list_params *p = t->params;
	struct question_list_result *result = t->result;
	struct question q = {.fingerprint = question_fingerprint(t)};
	struct slice fingerprint = slice_str(q.fingerprint.text);
	struct list_page page;
	char list[96];
	if (!audience_is_sound(t, &p->audience)) {
		return TXN_REFUSED;
	}
	size_t len = format_to(list, sizeof(list), "list %d", p->with_status ? (int)p->status : -1);
	for (size_t i = 0; i < p->audience.n; i++) {
		len += format_to(list + len, sizeof(list) - len, " %d",
				 words_find(&words_audience, p->audience.items[i]));
	}
	result->questions = page_begin(t, &page, slice_of(list, len), p->cursor, p->with_limit,
				       p->limit, sizeof(*result->questions));
	if (result->questions == NULL) {
		return TXN_REFUSED;
	}
	struct lately answered = query_lately(t, INDEX_BY_FINGERPRINT, ITEM_RESPONSE, fingerprint);
	struct lately skipped = query_lately(t, INDEX_BY_SKIPPER, ITEM_SKIP, fingerprint);
	struct txn_items pages[STATUSES] = {{.n = 0}};
	for (int status = QUESTION_OPEN; status <= QUESTION_PARTIAL; status++) {
		if (!p->with_status || (int)p->status == status) {
			pages[status] = query_questions(t, INDEX_BY_STATUS,
							words_question_status.list[status],
							&page.after, LOOKED_AT);
		}
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}

	bool has_more = pages[QUESTION_OPEN].has_more || pages[QUESTION_PARTIAL].has_more;
	const struct store_item *item;
	struct place at = page.after;
	for (size_t looked = 0; (item = merge_next(t, pages, &at)) != NULL;) {
		q.id = at.id;
		q.item = txn_decode(t, item);
		if (q.item == NULL) {
			continue;
		}
		if (looked++ == LOOKED_AT) {
			has_more = true;
			break;
		}
		if (question_has_ended(question_status_of(t, q.item)) ||
		    slice_eq(q.item->agent_id, slice_str(t->session->user_id)) ||
		    (p->audience.n > 0 && !audience_meets(&q.item->audience, &p->audience)) ||
		    !question_is_for_caller(t, q.item)) {
			page.after = at;
			continue;
		}
		/* While this loads, the question counts as one that is listed: so no more are asked for than may be needed. */
		bool is_done = is_done_with(t, &answered, &q) || is_done_with(t, &skipped, &q);
		q.status = q.item->status;
		struct question_view view = question_view_for(t, &q);
		if (!is_done && !page_add(&page, result, &view)) {
			has_more = true;
			break;
		}
		page.after = at;
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	page.after = item == NULL ? at : page.after;
	result->cursor = list_end(t, &page, has_more && page.after.id.len > 0);
	return TXN_DONE;
}

/* ---- the caller's own ---- */

enum txn_step on_QUESTION_MINE(struct txn *t)
{
	const struct question_mine_params *p = t->params;
	struct question_list_result *result = t->result;
	struct list_page page;
	char list[32];
	size_t len = format_to(list, sizeof(list), "mine %d", p->with_status ? (int)p->status : -1);
	result->questions = page_begin(t, &page, slice_of(list, len), p->cursor, p->with_limit,
				       p->limit, sizeof(*result->questions));
	if (result->questions == NULL) {
		return TXN_REFUSED;
	}
	struct txn_items found =
		query_questions(t, INDEX_BY_AGENT_ID, slice_str(t->session->user_id), &page.after,
				LOOKED_AT);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	size_t i = 0;
	for (; i < found.n; i++) {
		struct question q = {.id = item_pk_rest(&found.items[i], ITEM_QUESTION),
				     .item = txn_decode(t, &found.items[i]),
				     .is_mine = true};
		if (q.item == NULL) {
			continue;
		}
		q.status = question_status_of(t, q.item);
		struct question_view view = question_view_for(t, &q);
		if ((!p->with_status || q.status == p->status) && !page_add(&page, result, &view)) {
			break;
		}
		page.after = (struct place){q.item->created_on, q.id};
	}
	result->cursor = page_end(t, &page, &found, i, ITEM_QUESTION);
	return TXN_DONE;
}

enum txn_step on_ANSWER_MINE(struct txn *t)
{
	enum { NAMES = 320 };
	const struct answer_mine_params *p = t->params;
	struct answer_mine_result *result = t->result;
	struct key_text mine = question_fingerprint(t);
	struct slice fingerprint = slice_str(mine.text);
	struct list_page page;
	result->answers = page_begin(t, &page, SLICE("answers"), p->cursor, p->with_limit, p->limit,
				     sizeof(*result->answers));
	if (result->answers == NULL) {
		return TXN_REFUSED;
	}
	struct txn_range range = {.is_descending = true, .limit = page.limit};
	if (page.after.id.len > 0) {
		range.after = txn_place(t, fingerprint, page.after.at, ITEM_RESPONSE, page.after.id,
					fingerprint);
	}
	struct txn_items found = txn_query(t, INDEX_BY_FINGERPRINT, fingerprint, &range);
	const struct question_item **shown = list_entries(t, found.n, sizeof(*shown));
	if (shown == NULL) {
		return TXN_REFUSED;
	}
	for (size_t i = 0; i < found.n; i++) {
		const struct question_item *q =
			txn_get(t, ITEM_QUESTION, item_pk_rest(&found.items[i], ITEM_RESPONSE),
				NO_SK);
		shown[i] = q != NULL && question_is_for_caller(t, q) ? q : NULL;
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	size_t i = 0;
	for (; i < found.n; i++) {
		struct slice id = item_pk_rest(&found.items[i], ITEM_RESPONSE);
		const struct response_item *r = txn_decode(t, &found.items[i]);
		const struct question_item *q = shown[i];
		if (r == NULL) {
			continue;
		}
		struct answer_view view = {
			.question_id = id,
			.response_id = r->response_id,
			.created_at = r->created_on,
			.answer = r->answer,
			.selected_option = r->selected_option,
			.with_selected_option = r->with_selected_option,
			.confidence = r->confidence,
			.comment = r->comment,
		};
		if (q != NULL) {
			view.prompt = q->prompt;
			view.status = question_status_of(t, q);
			view.with_status = true;
		}
		if (q != NULL && r->with_selected_option &&
		    r->selected_option < (int64_t)q->options.n) {
			view.option = q->options.items[r->selected_option];
		}
		if (!list_takes(&page, NAMES + view.answer.len + view.comment.len +
					       view.prompt.len + view.option.len)) {
			break;
		}
		result->answers[result->answers_n++] = view;
		page.after = (struct place){r->created_on, id};
	}
	result->cursor = page_end(t, &page, &found, i, ITEM_RESPONSE);
	return TXN_DONE;
}

/* ---- the server's ---- */

enum txn_step on_SERVER_QUESTIONS(struct txn *t)
{
	const struct server_questions_params *p = t->params;
	struct server_questions_result *result = t->result;
	const size_t of_status = LOOKED_AT / 2; /* what a transaction holds takes so many */
	struct list_page page;
	struct txn_items pages[STATUSES];
	bool has_more = false;
	if (!list_begin(t, &page, p->flagged ? SLICE("flagged") : SLICE("questions"), p->cursor,
			true, p->with_limit ? p->limit : MAX_QUESTION_PAGE_USUAL)) {
		return TXN_REFUSED;
	}
	for (int status = 0; status < STATUSES; status++) {
		pages[status] =
			query_questions(t, INDEX_BY_STATUS, words_question_status.list[status],
					&page.after, of_status);
		has_more = has_more || pages[status].has_more;
	}
	struct server_question *questions = list_entries(t, page.limit, sizeof(*questions));
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (questions == NULL) {
		return TXN_REFUSED;
	}
	result->questions = questions;
	const struct store_item *item;
	struct place at = page.after;
	while ((item = merge_next(t, pages, &at)) != NULL) {
		const struct question_item *q = txn_decode(t, item);
		bool is_shown = q != NULL && (q->flagged_responses > 0 || !p->flagged);
		if (is_shown &&
		    (result->questions_n == page.limit ||
		     !list_takes(&page, LIST_ENTRY_BYTES + q->prompt.len + q->asked_by.len))) {
			has_more = true;
			break;
		}
		if (is_shown) {
			questions[result->questions_n++] = (struct server_question){
				.question_id = at.id,
				.status = question_status_of(t, q),
				.prompt = q->prompt,
				.user_id = q->agent_id,
				.asked_by = q->asked_by,
				.room_id = q->room_id,
				.group_id = q->group_id,
				.created_at = q->created_on,
				.current_responses = q->current_responses,
				.flagged_responses = q->flagged_responses,
			};
		}
		page.after = q == NULL ? page.after : at;
	}
	page.after = item == NULL ? at : page.after;
	result->cursor = list_end(t, &page, has_more && page.after.id.len > 0);
	return TXN_DONE;
}
