/*
 * question_answer.c - question.answer, question.skip.
 *
 * A change of an answer and the end of its question both write the QUESTION, in the version that
 * they have read: so one of them is first, and a change that is second is refused.
 */
#include "server/domain/question/question.h"

#include "proto/text/utf8.h"
#include "server/domain/base/user_barred.h"
#include "server/domain/directory.h"
#include "server/domain/question/points.h"

/* As question_find(), and the caller may answer it. */
static enum txn_step find_to_answer(struct txn *t, struct slice id, struct question *q)
{
	enum question_bar bar;
	enum txn_step step = question_find(t, id, q);
	if (step != TXN_DONE || question_may_answer(q, &bar)) {
		return step;
	}
	if (bar == BAR_MINE) {
		return txn_refuse(t, FAULT_FORBIDDEN, "you cannot answer your own question");
	}
	if (q->status == QUESTION_EXPIRED) {
		return txn_refuse(t, FAULT_EXPIRED, "the question has expired");
	}
	return txn_refuse(t, FAULT_QUESTION_CLOSED, "the question %s",
			  q->status == QUESTION_CANCELLED ? "was cancelled" : "has its answers");
}

/* The answer is of the question's type; false with t->fault. */
static bool answer_fits(struct txn *t, const struct question_item *item)
{
	const struct question_answer_params *p = t->params;
	bool is_choice = item->type == QUESTION_CHOICE;
	if (is_choice ? p->with_answer : p->with_selected_option) {
		fault_field(&t->fault, is_choice ? "answer" : "selected_option",
			    is_choice ? "is not allowed, as this question has options"
				      : "is not allowed, as this question takes a text answer");
		return false;
	}
	if (is_choice ? !p->with_selected_option : !p->with_answer) {
		fault_field(&t->fault, is_choice ? "selected_option" : "answer", "is required");
		return false;
	}
	if (is_choice && p->selected_option >= (int64_t)item->options.n) {
		fault_field(&t->fault, "selected_option", "must be 0 to %zu", item->options.n - 1);
		fault_bounds(&t->fault, FAULT_RULE_RANGE, 0, (int64_t)item->options.n - 1, "");
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

/*
 * Give the answer's points, in its own commit. STATS is kept for good: a guest's, too, which
 * nobody can add to when the guest has gone, as its key is a hash of a user_id that no login has
 * again; it counts on boards as what it is, a number without a name.
 *
 * @stats, @notified  as they were read; NULL: there is none.
 */
static bool give_points(struct txn *t, const struct question *q,
			const struct response_item *response, const struct stats_item *stats,
			const struct notified_item *notified)
{
	const struct question_item *item = q->item;
	struct stats_item now = stats == NULL ? (struct stats_item){.total_points = 0} : *stats;
	int category = words_find(&words_audience, item->audience.items[0]);
	struct points_answer a = {
		.wall_ms = t->wall_ms,
		.utc_offset_minutes = t->session->utc_offset_minutes,
		.type = item->type,
		.category = category < 0 ? AUDIENCE_GENERAL : (enum audience)category,
		.chars = utf8_chars(response->answer),
		.confidence = response->confidence,
		.created_on = item->created_on,
		.current_responses = item->current_responses,
		.required_responses = item->required_responses,
		.notified_at = notified == NULL ? 0 : notified->created_on,
		.response_time_ms =
			response->with_response_time_ms ? response->response_time_ms : -1,
		.is_fast = response->is_fast,
	};
	if (!points_give(&a, &now, t->arena, t->result)) {
		(void)txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory");
		return false;
	}
	txn_put(t, ITEM_STATS, slice_str(q->fingerprint.text), NO_SK, &now);
	return true;
}

/* What a person has, to whom a change of their answer gives nothing. */
static void show_stats(struct txn *t, const struct stats_item *stats)
{
	struct question_answer_result *result = t->result;
	result->is_changed = true;
	if (stats != NULL) {
		result->total_points = stats->total_points;
		result->streak_days =
			points_streak(stats, t->wall_ms, t->session->utc_offset_minutes);
	}
}

static bool was_fast(const struct question *q)
{
	return q->own_response != NULL && q->own_response->is_fast;
}

/* The answer as it is stored, of the params. That it came too soon is not mended by a change. */
static struct response_item make_response(struct txn *t, const struct question *q,
					  struct slice fingerprint)
{
	const struct question_answer_params *p = t->params;
	int64_t time_ms = txn_note_age_ms(t, question_and_caller(t, q));
	enum limit fast = q->item->type == QUESTION_CHOICE ? LIMIT_RESPONSE_FAST_CHOICE_MS
							   : LIMIT_RESPONSE_FAST_TEXT_MS;
	return (struct response_item){
		.response_id = response_id(t, q),
		.fingerprint_hash = fingerprint,
		.answer = p->answer,
		.selected_option = p->selected_option,
		.with_selected_option = p->with_selected_option,
		.confidence = p->confidence,
		.comment = p->comment,
		.response_time_ms = time_ms >= 0 ? time_ms : 0,
		.with_response_time_ms = time_ms >= 0,
		.is_fast = was_fast(q) || (time_ms >= 0 && time_ms < t->limits[fast]),
		.expires_at = question_kept_until(t, q->item, ITEM_RESPONSE),
	};
}

enum txn_step on_QUESTION_ANSWER(struct txn *t)
{
	const struct question_answer_params *p = t->params;
	struct question_answer_result *result = t->result;
	struct question q;
	struct key_text caller = question_fingerprint(t);
	/* Read with the question, whatever becomes of it: in one time. */
	const struct stats_item *stats = txn_get(t, ITEM_STATS, slice_str(caller.text), NO_SK);
	const struct notified_item *notified =
		txn_get(t, ITEM_NOTIFIED, question_id(t, p->question_id), slice_str(caller.text));
	bool is_barred = user_is_barred(t, slice_str(t->session->user_id));
	enum txn_step step = find_to_answer(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (is_barred) {
		return user_refuse_barred(t);
	}
	if (!answer_fits(t, q.item)) {
		return TXN_REFUSED;
	}
	if (!txn_take_of_user(t, LIMIT_ANSWERS_PER_MINUTE, "answers") ||
	    !txn_take_of_user(t, LIMIT_ANSWERS_PER_HOUR, "answers")) {
		return TXN_REFUSED;
	}

	struct slice fingerprint = slice_str(q.fingerprint.text);
	struct response_item response = make_response(t, &q, fingerprint);
	struct question_item now = *q.item;
	now.flagged_responses += response.is_fast && !was_fast(&q);
	txn_keep_result(t, question_kept_until(t, q.item, ITEM_DIRECTORY_ONCE));
	result->response_id = response.response_id;
	if (q.own_response != NULL) {
		txn_put(t, ITEM_RESPONSE, q.id, fingerprint, &response);
		show_stats(t, stats);
		question_write(t, q.id, &now);
		return TXN_DONE;
	}
	now.current_responses++;
	txn_put_new(t, ITEM_RESPONSE, q.id, fingerprint, &response);
	if (q.skip != NULL) {
		txn_delete(t, ITEM_SKIP, q.id, fingerprint);
	}
	if (!give_points(t, &q, &response, stats, notified)) {
		return TXN_REFUSED;
	}
	if (now.current_responses >= now.required_responses) {
		return question_end(t, q.id, now, QUESTION_CLOSED, t->wall_ms);
	}
	now.status = QUESTION_PARTIAL;
	question_write(t, q.id, &now);
	return TXN_DONE;
}

enum txn_step on_QUESTION_SKIP(struct txn *t)
{
	const struct question_change_params *p = t->params;
	struct question q;
	enum txn_step step = find_to_answer(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (q.own_response != NULL) {
		return txn_refuse(t, FAULT_ALREADY_ANSWERED,
				  "you have already answered; change your answer instead");
	}
	if (q.skip == NULL) {
		struct skip_item skip = {.fingerprint_hash = slice_str(q.fingerprint.text),
					 .expires_at = question_kept_until(t, q.item, ITEM_SKIP)};
		txn_put(t, ITEM_SKIP, q.id, slice_str(q.fingerprint.text), &skip);
	}
	return TXN_DONE;
}
