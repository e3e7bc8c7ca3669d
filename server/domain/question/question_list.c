/*
 * question_list.c - question.list, question.mine, answer.mine.
 *
 * An index lists the newest first. What is listed there is looked at until the page
 * is full, in entries or in bytes, or until LOOKED_AT have been: then the page has
 * fewer entries than it might, and a cursor. So a page costs the same however many
 * questions there are.
 */
#include "server/domain/question/question.h"

#include "proto/decimal.h"
#include "proto/format.h"
#include "server/domain/directory.h"

#define LOOKED_AT 64

/* ---- places ---- */

/* An entry of an index of questions or answers: when it was made, and which question it is of. */
struct place {
	int64_t created_on;
	struct slice question_id;
};

static struct slice place_write(struct txn *t, const struct place *at, struct slice list)
{
	char text[64];
	size_t len = format_to(text, sizeof(text), "%lld-%.*s", (long long)at->created_on,
			       (int)at->question_id.len, at->question_id.data);
	return question_cursor(t, list, slice_of(text, len));
}

/* False with t->fault. */
static bool place_read(struct txn *t, struct slice list, struct slice cursor, struct place *at)
{
	struct slice text;
	*at = (struct place){.created_on = 0};
	if (cursor.len == 0) {
		return true;
	}
	if (!question_cursor_read(t, list, cursor, &text)) {
		return false;
	}
	const char *dash = memchr(text.data, '-', text.len);
	size_t digits = dash == NULL ? text.len : (size_t)(dash - text.data);
	if (dash == NULL ||
	    !decimal_read(slice_of(text.data, digits), 0, INT64_MAX, &at->created_on)) {
		fault_field(&t->fault, "cursor", "is none of a page of this list");
		return false;
	}
	at->question_id = slice_of(dash + 1, text.len - digits - 1);
	return true;
}

/* A page of an index of questions behind that place. */
static struct txn_items query_questions(struct txn *t, enum index_id index, struct slice partition,
					const struct place *after)
{
	struct txn_range range = {.is_descending = true, .limit = LOOKED_AT};
	if (after->question_id.len > 0) {
		range.after = txn_place(t, partition, after->created_on, ITEM_QUESTION,
					after->question_id, NO_SK);
	}
	return txn_query(t, index, partition, &range);
}

/* ---- pages ---- */

struct page {
	struct question_list_result *result;
	struct question_view *views;
	size_t limit;
	size_t bytes;
};

static bool page_begin(struct txn *t, struct page *page, bool with_limit, int64_t limit)
{
	page->result = t->result;
	page->limit = with_limit ? (size_t)limit : MAX_QUESTION_PAGE_USUAL;
	page->bytes = 0;
	page->views = arena_alloc(t->arena, page->limit * sizeof(*page->views));
	page->result->questions = page->views;
	if (page->views == NULL) {
		(void)txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	return page->views != NULL;
}

/* False where it does not fit any more. */
static bool page_add(struct page *page, const struct question_view *view)
{
	size_t n = page->result->questions_n;
	page->bytes += question_view_bytes(view);
	if (n == page->limit || (n > 0 && page->bytes > QUESTION_PAGE_BYTES)) {
		return false;
	}
	page->views[page->result->questions_n++] = *view;
	return true;
}

/* ---- what may be answered ---- */

static bool has_audience(const struct slices *of, const struct slices *wanted)
{
	for (size_t i = 0; i < of->n; i++) {
		for (size_t k = 0; k < wanted->n; k++) {
			if (slice_eq(of->items[i], wanted->items[k])) {
				return true;
			}
		}
	}
	return wanted->n == 0;
}

/* Of two descending pages of one index the entry that comes first; NULL at the end of both. Places are compared in one
 * partition, as their order there settles what two questions of one millisecond are to each other. */
static const struct store_item *merge_next(struct txn *t, struct txn_items pages[2],
					   struct place *at)
{
	struct slice best = {0};
	size_t from = 2;
	for (size_t i = 0; i < 2; i++) {
		if (pages[i].n == 0) {
			continue;
		}
		const struct question_item *q = txn_decode(t, pages[i].items);
		struct slice id = item_pk_rest(pages[i].items, ITEM_QUESTION);
		struct slice place = txn_place(t, SLICE("*"), q == NULL ? 0 : q->created_on,
					       ITEM_QUESTION, id, NO_SK);
		if (from == 2 || slice_cmp(place, best) > 0) {
			*at = (struct place){q == NULL ? 0 : q->created_on, id};
			best = place;
			from = i;
		}
	}
	if (from == 2) {
		return NULL;
	}
	pages[from].n--;
	return pages[from].items++;
}

enum txn_step on_QUESTION_LIST(struct txn *t)
{
	const struct question_list_params *p = t->params;
	struct question q = {.fingerprint = question_fingerprint(t)};
	struct slice fingerprint = slice_str(q.fingerprint.text);
	struct place after, at;
	struct page page;
	char list[96];
	size_t len = format_to(list, sizeof(list), "list %d", p->with_status ? (int)p->status : -1);
	for (size_t i = 0; i < p->audience.n; i++) {
		int audience = words_find(&words_audience, p->audience.items[i]);
		if (audience < 0) {
			fault_field(&t->fault, "audience",
				    "must be technical, product, ethics, creative or general");
			return TXN_REFUSED;
		}
		len += format_to(list + len, sizeof(list) - len, " %d", audience);
	}
	if (!place_read(t, slice_of(list, len), p->cursor, &after) ||
	    !txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists") ||
	    !page_begin(t, &page, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_items rooms = question_rooms(t);
	struct txn_items pages[2] = {{.n = 0}, {.n = 0}};
	for (int status = QUESTION_OPEN; status <= QUESTION_PARTIAL; status++) {
		if (!p->with_status || (int)p->status == status) {
			pages[status] = query_questions(t, INDEX_BY_STATUS,
							words_question_status.list[status], &after);
		}
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}

	bool has_more = pages[0].has_more || pages[1].has_more;
	const struct store_item *item;
	struct place last = after;
	for (size_t looked = 0; (item = merge_next(t, pages, &at)) != NULL; looked++) {
		if (looked == LOOKED_AT) {
			has_more = true;
			break;
		}
		q.id = at.question_id;
		q.item = txn_decode(t, item);
		if (q.item == NULL || question_has_ended(question_status_of(t, q.item)) ||
		    slice_eq(q.item->agent_id, slice_str(t->session->user_id)) ||
		    !has_audience(&q.item->audience, &p->audience) ||
		    (q.item->room_id.len > 0 && !question_has_room(t, &rooms, q.item->room_id))) {
			last = at;
			continue;
		}
		/* While these load, the question counts as one that is listed: so no more are asked for than may be needed. */
		bool is_done_with = txn_get(t, ITEM_RESPONSE, q.id, fingerprint) != NULL ||
				    txn_get(t, ITEM_SKIP, q.id, fingerprint) != NULL;
		q.status = q.item->status;
		struct question_view view = question_view_for(t, &q);
		if (!is_done_with && !page_add(&page, &view)) {
			has_more = true;
			break;
		}
		last = at;
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (has_more && last.question_id.len > 0) {
		page.result->cursor = place_write(t, &last, slice_of(list, len));
	}
	return TXN_DONE;
}

/* ---- the caller's own ---- */

enum txn_step on_QUESTION_MINE(struct txn *t)
{
	const struct question_mine_params *p = t->params;
	struct place after;
	struct page page;
	char list[32];
	size_t len = format_to(list, sizeof(list), "mine %d", p->with_status ? (int)p->status : -1);
	if (!place_read(t, slice_of(list, len), p->cursor, &after) ||
	    !txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists") ||
	    !page_begin(t, &page, p->with_limit, p->limit)) {
		return TXN_REFUSED;
	}
	struct txn_items found =
		query_questions(t, INDEX_BY_AGENT_ID, slice_str(t->session->user_id), &after);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	bool has_more = found.has_more;
	struct place last = after;
	for (size_t i = 0; i < found.n; i++) {
		struct question q = {.id = item_pk_rest(&found.items[i], ITEM_QUESTION),
				     .item = txn_decode(t, &found.items[i]),
				     .is_mine = true};
		if (q.item == NULL) {
			continue;
		}
		q.status = question_status_of(t, q.item);
		struct question_view view = question_view_for(t, &q);
		if ((!p->with_status || q.status == p->status) && !page_add(&page, &view)) {
			has_more = true;
			break;
		}
		last = (struct place){q.item->created_on, q.id};
	}
	if (has_more && last.question_id.len > 0) {
		page.result->cursor = place_write(t, &last, slice_of(list, len));
	}
	return TXN_DONE;
}

enum txn_step on_ANSWER_MINE(struct txn *t)
{
	enum { NAMES = 320 };
	const struct answer_mine_params *p = t->params;
	struct answer_mine_result *result = t->result;
	const struct slice list = SLICE("answers");
	struct key_text mine = question_fingerprint(t);
	struct slice fingerprint = slice_str(mine.text);
	size_t limit = p->with_limit ? (size_t)p->limit : MAX_QUESTION_PAGE_USUAL;
	struct txn_range range = {.is_descending = true, .limit = limit};
	struct place after;
	if (!place_read(t, list, p->cursor, &after) ||
	    !txn_take_of_user(t, LIMIT_QUESTION_LISTS_PER_HOUR, "lists")) {
		return TXN_REFUSED;
	}
	if (after.question_id.len > 0) {
		range.after = txn_place(t, fingerprint, after.created_on, ITEM_RESPONSE,
					after.question_id, fingerprint);
	}
	struct txn_items found = txn_query(t, INDEX_BY_FINGERPRINT, fingerprint, &range);
	for (size_t i = 0; i < found.n; i++) {
		(void)txn_get(t, ITEM_QUESTION, item_pk_rest(&found.items[i], ITEM_RESPONSE),
			      NO_SK);
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	result->answers = arena_alloc(t->arena, (found.n + 1) * sizeof(*result->answers));
	if (result->answers == NULL) {
		return txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	bool has_more = found.has_more;
	size_t bytes = 0;
	struct place last = after;
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_pk_rest(&found.items[i], ITEM_RESPONSE);
		const struct response_item *r = txn_decode(t, &found.items[i]);
		const struct question_item *q = txn_get(t, ITEM_QUESTION, id, NO_SK);
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
		bytes += NAMES + view.answer.len + view.comment.len + view.prompt.len +
			 view.option.len;
		if (result->answers_n > 0 && bytes > QUESTION_PAGE_BYTES) {
			has_more = true;
			break;
		}
		result->answers[result->answers_n++] = view;
		last = (struct place){r->created_on, id};
	}
	if (has_more && last.question_id.len > 0) {
		result->cursor = place_write(t, &last, list);
	}
	return TXN_DONE;
}
