/*
 * question_ask.c - question.ask, question.cancel, and how a change of a question is written.
 */
#include "server/domain/question/question.h"

#include "proto/base/format.h"
#include "server/domain/base/public_id.h"
#include "server/domain/base/user_barred.h"
#include "server/domain/directory.h"

enum { STEP_QUESTIONS = 32 }; /* of a user who is deleted, in one transaction */

/* What the rows cannot say of the params; false with t->fault. */
static bool ask_is_sound(struct txn *t)
{
	const struct question_ask_params *p = t->params;
	if ((p->type == QUESTION_CHOICE) != (p->options.n > 0)) {
		fault_field(&t->fault, "options",
			    p->options.n > 0 ? "is not allowed for a text question"
					     : "is required for multiple_choice");
		return false;
	}
	for (size_t i = 0; i < p->options.n; i++) {
		for (size_t j = 0; j < i; j++) {
			if (slice_eq(p->options.items[i], p->options.items[j])) {
				char field[32];
				(void)format_to(field, sizeof(field), "options[%zu]", i);
				fault_field(&t->fault, field, "is repeated");
				return false;
			}
		}
	}
	if (p->with_room_id && p->with_group_id) {
		fault_field(&t->fault, "group_id", "is not allowed with room_id");
		return false;
	}
	if (p->with_user_id && !p->with_room_id && !p->with_group_id) {
		fault_field(&t->fault, "user_id", "needs group_id or room_id");
		return false;
	}
	return audience_is_sound(t, &p->audience);
}

enum txn_step on_QUESTION_ASK(struct txn *t)
{
	const struct question_ask_params *p = t->params;
	const struct slice user_id = slice_str(t->session->user_id);
	static struct slice general = SLICE_INIT("general");
	int64_t people = 0;

	if (!ask_is_sound(t)) {
		return TXN_REFUSED;
	}
	const struct asker_item *asker = txn_get(t, ITEM_ASKER, user_id, NO_SK);
	bool is_barred = user_is_barred(t, user_id);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (is_barred) {
		return user_refuse_barred(t);
	}
	struct question_item item = {.agent_id = user_id};
	enum txn_step step = question_address(t, p, &item);
	if (step == TXN_DONE) {
		step = question_count_people(t, &item, &people);
	}
	if (step != TXN_DONE) {
		return step;
	}
	if (asker != NULL && asker->open_questions >= t->limits[LIMIT_QUESTIONS_OPEN]) {
		(void)txn_refuse(t, FAULT_QUOTA_EXCEEDED,
				 "you have %lld open questions; wait for one to end, or cancel one",
				 (long long)asker->open_questions);
		return txn_bound(t, LIMIT_QUESTIONS_OPEN);
	}
	if (!txn_take_of_user(t, LIMIT_QUESTIONS_PER_HOUR, "questions")) {
		return TXN_REFUSED;
	}

	int64_t usual = people < 1				? 1
			: people < MAX_QUESTION_RESPONSES_USUAL ? people
								: MAX_QUESTION_RESPONSES_USUAL;
	int64_t seconds = p->with_timeout_seconds ? p->timeout_seconds : MAX_QUESTION_SECONDS_USUAL;
	item.status = QUESTION_OPEN;
	item.prompt = p->prompt;
	item.type = p->type;
	item.options = p->options;
	item.audience = p->audience.n > 0 ? p->audience : (struct slices){&general, 1};
	item.required_responses = p->with_min_responses ? p->min_responses : usual;
	item.asked_by = slice_str(p->anonymous ? "" : t->session->user_name);
	item.ends_at = t->wall_ms + seconds * 1000;
	item.expires_at = t->wall_ms + QUESTION_NOTIFY_RETRY_MS; /* it is open for longer */
	struct asker_item asker_now = {.open_questions =
					       asker == NULL ? 1 : asker->open_questions + 1};
	struct slice id = public_id_make(t, "q_");
	txn_put_new(t, ITEM_QUESTION, id, NO_SK, &item);
	txn_put(t, ITEM_ASKER, user_id, NO_SK, &asker_now);
	txn_keep_result(t, question_kept_until(t, &item, ITEM_DIRECTORY_ONCE));
	txn_then(t, QUESTION_NOTIFY_LINE, question_notify, id);
	*(struct question_ask_result *)t->result = (struct question_ask_result){
		.question_id = id,
		.status = item.status,
		.created_at = t->wall_ms,
		.expires_at = item.ends_at,
		.required_responses = item.required_responses,
		.people = people,
	};
	return TXN_DONE;
}

enum txn_step on_QUESTION_CANCEL(struct txn *t)
{
	const struct question_change_params *p = t->params;
	struct question q;
	enum txn_step step = question_find(t, p->question_id, &q);
	if (step != TXN_DONE) {
		return step;
	}
	if (!q.is_mine) {
		return txn_refuse(t, FAULT_FORBIDDEN,
				  "only the person who asked a question can cancel it");
	}
	if (q.status == QUESTION_EXPIRED) {
		return txn_refuse(t, FAULT_EXPIRED, "the question has already expired");
	}
	if (question_has_ended(q.status)) {
		return txn_refuse(t, FAULT_QUESTION_CLOSED, "the question has already ended");
	}
	*(struct question_cancel_result *)t->result =
		(struct question_cancel_result){.status = QUESTION_CANCELLED};
	return question_end(t, q.id, *q.item, QUESTION_CANCELLED, t->wall_ms);
}

/* ---- how a change is written ---- */

void question_write(struct txn *t, struct slice id, struct question_item *now)
{
	txn_put(t, ITEM_QUESTION, id, NO_SK, now);
	struct question_update update = {
		.question_id = id,
		.question = question_view_of(t, id, now),
		.with_question = true,
	};
	txn_publish(t, ITEM_QUESTION, id, NOTICE_QUESTION_UPDATE, &update);
}

/* It is over, for its subscribers as well. */
static void write_end(struct txn *t, struct slice id, struct question_item *now,
		      enum question_status status, int64_t closed_at)
{
	now->status = status;
	now->closed_at = closed_at;
	now->expires_at = question_kept_until(t, now, ITEM_QUESTION);
	question_write(t, id, now);
	txn_end_topic(t, ITEM_QUESTION, id);
}

/* So many of the asker's open questions are open no more. */
static void asker_write(struct txn *t, struct slice user_id, const struct asker_item *asker,
			int64_t ended)
{
	if (asker != NULL && asker->open_questions > ended) {
		struct asker_item fewer = {.open_questions = asker->open_questions - ended};
		txn_put(t, ITEM_ASKER, user_id, NO_SK, &fewer);
	} else if (asker != NULL) {
		txn_delete(t, ITEM_ASKER, user_id, NO_SK);
	}
}

enum txn_step question_count_end(struct txn *t, struct slice agent_id)
{
	const struct asker_item *asker = txn_get(t, ITEM_ASKER, agent_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	asker_write(t, agent_id, asker, 1);
	return TXN_DONE;
}

/* Whoever cancelled it knows. */
static void notify_asker(struct txn *t, struct slice id, const struct question_item *now)
{
	struct question_ended ended = {
		.question_id = id,
		.prompt = now->prompt,
		.status = now->status,
		.required_responses = now->required_responses,
		.current_responses = now->current_responses,
	};
	if (now->status != QUESTION_CANCELLED && now->agent_id.len > 0) {
		txn_notify(t, now->agent_id, NOTICE_QUESTION_ENDED, &ended);
	}
}

enum txn_step question_end(struct txn *t, struct slice id, struct question_item now,
			   enum question_status status, int64_t closed_at)
{
	if (question_count_end(t, now.agent_id) == TXN_MORE) {
		return TXN_MORE;
	}
	write_end(t, id, &now, status, closed_at);
	notify_asker(t, id, &now);
	return TXN_DONE;
}

/* ---- a user who is deleted ---- */

enum user_left questions_end(struct txn *t, struct slice user_id)
{
	const struct asker_item *asker = txn_get(t, ITEM_ASKER, user_id, NO_SK);
	struct txn_items found = txn_query(t, INDEX_BY_AGENT_ID, user_id,
					   &(struct txn_range){.limit = STEP_QUESTIONS});
	const struct question_item *items[STEP_QUESTIONS];
	for (size_t i = 0; i < found.n; i++) {
		items[i] = txn_get(t, ITEM_QUESTION, item_pk_rest(&found.items[i], ITEM_QUESTION),
				   NO_SK);
	}
	if (txn_is_loading(t)) {
		return USER_LEFT_NOTHING;
	}
	int64_t ended = 0;
	size_t taken = 0;
	for (size_t i = 0; i < found.n; i++) {
		struct slice id = item_pk_rest(&found.items[i], ITEM_QUESTION);
		if (items[i] == NULL || !slice_eq(items[i]->agent_id, user_id)) {
			continue; /* an index may be behind its items */
		}
		struct question_item now = *items[i];
		now.agent_id = now.asked_by = (struct slice){0};
		now.with_agent_id = now.with_asked_by = false;
		taken++;
		if (question_has_ended(now.status)) {
			txn_put(t, ITEM_QUESTION, id, NO_SK, &now);
			continue;
		}
		bool is_up = now.ends_at <= t->wall_ms;
		write_end(t, id, &now, is_up ? QUESTION_EXPIRED : QUESTION_CANCELLED,
			  is_up ? now.ends_at : t->wall_ms);
		ended++;
	}
	if (ended > 0) {
		asker_write(t, user_id, asker, ended);
	}
	bool is_late = asker != NULL && asker->open_questions > ended;
	return taken > 0 ? USER_LEFT_MORE : is_late ? USER_LEFT_LATER : USER_LEFT_NOTHING;
}
