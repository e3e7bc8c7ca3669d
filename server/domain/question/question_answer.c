/*
 * question_answer.c - question.answer, question.skip.
 */
#include "server/domain/question/question.h"

#include "server/domain/directory.h"

#define DAY_MS INT64_C(86400000)

/* The answer is of the question's type; false with t->fault. */
static bool answer_fits(struct txn *t, const struct question_item *item)
{
	const struct question_answer_params *p = t->params;
	bool is_choice = item->type == QUESTION_CHOICE;
	if (is_choice ? p->with_answer : p->with_selected_option) {
		fault_field(&t->fault, is_choice ? "answer" : "selected_option",
			    is_choice ? "must not be there: this question has options"
				      : "must not be there: this question is answered in words");
		return false;
	}
	if (is_choice ? !p->with_selected_option : !p->with_answer) {
		fault_field(&t->fault, is_choice ? "selected_option" : "answer", "must be there");
		return false;
	}
	if (is_choice && p->selected_option >= (int64_t)item->options.n) {
		fault_field(&t->fault, "selected_option", "must be 0 to %zu", item->options.n - 1);
		return false;
	}
	return true;
}

/* The same for one person and one question every time; from it follows neither of them, nor another answer of the person. */
static struct slice response_id(struct txn *t, const struct question *q)
{
	char id[sizeof("r_") + USER_ID_CHARS] = "r_";
	code_derive(t->server_key, "response_id", question_and_caller(t, q), id + strlen(id),
		    USER_ID_CHARS);
	return txn_copy(t, slice_str(id));
}

enum txn_step on_QUESTION_ANSWER(struct txn *t)
{
	const struct question_answer_params *p = t->params;
	struct question q;
	enum question_bar bar;
	enum txn_step step = question_find(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (!question_may_answer(&q, &bar)) {
		return question_refuse_answer(t, &q);
	}
	if (!answer_fits(t, q.item)) {
		return TXN_REFUSED;
	}
	bool is_last = q.item->current_responses + 1 >= q.item->required_responses;
	const struct asker_item *asker =
		is_last ? txn_get(t, ITEM_ASKER, q.item->agent_id, NO_SK) : NULL;
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (!txn_take_of_user(t, LIMIT_ANSWERS_PER_MINUTE, "answers") ||
	    !txn_take_of_user(t, LIMIT_ANSWERS_PER_HOUR, "answers")) {
		return TXN_REFUSED;
	}

	struct slice fingerprint = slice_str(q.fingerprint.text);
	int64_t time_ms = txn_note_age_ms(t, question_and_caller(t, &q));
	enum limit fast = q.item->type == QUESTION_CHOICE ? LIMIT_RESPONSE_FAST_CHOICE_MS
							  : LIMIT_RESPONSE_FAST_TEXT_MS;
	struct response_item response = {
		.response_id = response_id(t, &q),
		.fingerprint_hash = fingerprint,
		.answer = p->answer,
		.selected_option = p->selected_option,
		.with_selected_option = p->with_selected_option,
		.confidence = p->confidence,
		.comment = p->comment,
		.response_time_ms = time_ms >= 0 ? time_ms : 0,
		.with_response_time_ms = time_ms >= 0,
		.is_fast = time_ms >= 0 && time_ms < t->limits[fast],
		.expires_at = t->wall_ms + MAX_RESPONSE_DAYS * DAY_MS,
	};
	struct question_item now = *q.item;
	now.current_responses++;
	txn_put_new(t, ITEM_RESPONSE, q.id, fingerprint, &response);
	if (q.skip != NULL) {
		txn_delete(t, ITEM_SKIP, q.id, fingerprint);
	}
	if (is_last) {
		question_end(t, q.id, &now, QUESTION_CLOSED, t->wall_ms, asker);
	} else {
		now.status = QUESTION_PARTIAL;
		question_write(t, q.id, &now, NULL);
	}
	*(struct question_answer_result *)t->result =
		(struct question_answer_result){.response_id = response.response_id};
	return TXN_DONE;
}

enum txn_step on_QUESTION_SKIP(struct txn *t)
{
	const struct question_change_params *p = t->params;
	struct question q;
	enum question_bar bar;
	enum txn_step step = question_find(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (!question_may_answer(&q, &bar)) {
		return question_refuse_answer(t, &q);
	}
	if (q.skip == NULL) {
		struct skip_item skip = {.expires_at = q.item->ends_at +
						       t->limits[LIMIT_QUESTION_CLOSED_LIFE_MS]};
		txn_put(t, ITEM_SKIP, q.id, slice_str(q.fingerprint.text), &skip);
	}
	return TXN_DONE;
}
