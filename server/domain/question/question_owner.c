/*
 * question_owner.c - server.answers, server.remove: what the server's owner sees of a question, and takes off the board.
 *
 * Points stay with who has earned them: nothing says how many an answer has earned. Who gave an answer that was
 * removed may answer again, unless they are barred.
 */
#include "server/domain/question/question.h"

#include "server/domain/base/list_page.h"

static enum txn_step refuse_unknown(struct txn *t)
{
	return txn_refuse(t, FAULT_QUESTION_NOT_FOUND, "question not found; check its id");
}

enum txn_step on_SERVER_ANSWERS(struct txn *t)
{
	const struct server_answers_params *p = t->params;
	struct server_answers_result *result = t->result;
	struct slice id = question_id(t, p->question_id);
	struct question_responses responses;
	struct list_page page;
	if (!list_begin(t, &page, id, p->cursor, true,
			p->with_limit ? p->limit : MAX_QUESTION_RESPONSES)) {
		return TXN_REFUSED;
	}
	const struct question_item *item = txn_get(t, ITEM_QUESTION, id, NO_SK);
	enum txn_step step = question_responses(t, id, &responses);
	if (step != TXN_DONE) {
		return step;
	}
	struct server_answer *answers = list_entries(t, responses.n, sizeof(*answers));
	if (item == NULL || answers == NULL) {
		return item == NULL ? refuse_unknown(t) : TXN_REFUSED;
	}
	result->answers = answers;
	for (size_t i = 0; i < responses.n; i++) {
		const struct response_item *r = responses.all[i];
		bool is_choice =
			r->with_selected_option && r->selected_option < (int64_t)item->options.n;
		struct slice option =
			is_choice ? item->options.items[r->selected_option] : (struct slice){0};
		if (page.after.id.len > 0 && slice_cmp(r->response_id, page.after.id) <= 0) {
			continue;
		}
		if (result->answers_n == page.limit ||
		    !list_takes(&page,
				LIST_ENTRY_BYTES + r->answer.len + r->comment.len + option.len)) {
			result->cursor = cursor_write(t, page.list, &page.after);
			break;
		}
		answers[result->answers_n++] = (struct server_answer){
			.response_id = r->response_id,
			.created_at = r->created_on,
			.answer = r->answer,
			.selected_option = r->selected_option,
			.with_selected_option = r->with_selected_option,
			.option = option,
			.confidence = r->confidence,
			.comment = r->comment,
			.flagged = r->is_fast,
		};
		page.after.id = r->response_id;
	}
	return TXN_DONE;
}

/* One answer: the question has one fewer, and has ended still where it has. */
static enum txn_step remove_answer(struct txn *t, struct slice id, const struct question_item *item,
				   const struct txn_items *found, struct slice response_id)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct response_item *r = txn_decode(t, &found->items[i]);
		struct question_item now = *item;
		if (r == NULL || !slice_eq(r->response_id, response_id)) {
			continue;
		}
		now.current_responses -= now.current_responses > 0;
		now.flagged_responses -= now.flagged_responses > 0 && r->is_fast;
		if (now.status == QUESTION_PARTIAL && now.current_responses == 0) {
			now.status = QUESTION_OPEN;
		}
		txn_delete(t, ITEM_RESPONSE, id, item_sk_rest(&found->items[i], ITEM_RESPONSE));
		question_write(t, id, &now);
		return TXN_DONE;
	}
	return txn_refuse(t, FAULT_NOT_FOUND, "answer not found in that question");
}

enum txn_step on_SERVER_REMOVE(struct txn *t)
{
	const struct server_remove_params *p = t->params;
	struct slice id = question_id(t, p->question_id);
	const struct question_item *item = txn_get(t, ITEM_QUESTION, id, NO_SK);
	struct txn_items found =
		txn_list(t, ITEM_RESPONSE, id, &(struct txn_page){.limit = MAX_QUESTION_RESPONSES});
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL) {
		return refuse_unknown(t);
	}
	if (p->with_response_id) {
		return remove_answer(t, id, item, &found, p->response_id);
	}
	if (!question_has_ended(item->status) &&
	    question_count_end(t, item->agent_id) == TXN_MORE) {
		return TXN_MORE;
	}
	for (size_t i = 0; i < found.n; i++) {
		txn_delete(t, ITEM_RESPONSE, id, item_sk_rest(&found.items[i], ITEM_RESPONSE));
	}
	txn_delete(t, ITEM_QUESTION, id, NO_SK);
	txn_end_topic(t, ITEM_QUESTION, id); /* its subscribers find that it is gone */
	return TXN_DONE;
}
