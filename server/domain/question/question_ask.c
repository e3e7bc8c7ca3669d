/*
 * question_ask.c - question.ask, question.cancel, and how a change of a question is written.
 */
#include "server/domain/question/question.h"

#include "proto/format.h"
#include "server/domain/directory.h"

/* What the rows cannot say of the params; false with t->fault. */
static bool ask_is_sound(struct txn *t)
{
	const struct question_ask_params *p = t->params;
	if ((p->type == QUESTION_CHOICE) != (p->options.n > 0)) {
		fault_field(&t->fault, "options",
			    p->options.n > 0 ? "must not be there for a text"
					     : "must be there to choose from");
		return false;
	}
	for (size_t i = 0; i < p->options.n; i++) {
		for (size_t j = 0; j < i; j++) {
			if (slice_eq(p->options.items[i], p->options.items[j])) {
				fault_field(&t->fault, "options", "must differ from each other");
				return false;
			}
		}
	}
	for (size_t i = 0; i < p->audience.n; i++) {
		bool is_again = false;
		for (size_t j = 0; j < i; j++) {
			is_again = is_again || slice_eq(p->audience.items[i], p->audience.items[j]);
		}
		if (is_again || words_find(&words_audience, p->audience.items[i]) < 0) {
			fault_field(&t->fault, "audience",
				    "must be technical, product, ethics, creative or general, each "
				    "once");
			return false;
		}
	}
	return true;
}

enum txn_step on_QUESTION_ASK(struct txn *t)
{
	const struct question_ask_params *p = t->params;
	const struct slice user_id = slice_str(t->session->user_id);
	static struct slice general = SLICE_INIT("general");
	char room_id[CODE_CHARS_MAX + 1] = "";
	char id[sizeof("q_") + USER_ID_CHARS] = "q_";

	if (!ask_is_sound(t)) {
		return TXN_REFUSED;
	}
	const struct asker_item *asker = txn_get(t, ITEM_ASKER, user_id, NO_SK);
	struct txn_items rooms = {.n = 0};
	if (p->with_room_id) {
		rooms = question_rooms(t);
	}
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (p->with_room_id && (!code_normalise(p->room_id, room_id) ||
				!question_has_room(t, &rooms, slice_str(room_id)))) {
		return txn_refuse(t, FAULT_ROOM_NOT_FOUND,
				  "you have no seat in such a room; join it with this login");
	}
	if (asker != NULL && asker->open_questions >= t->limits[LIMIT_QUESTIONS_OPEN]) {
		return txn_refuse(
			t, FAULT_QUOTA_EXCEEDED,
			"you have %lld open questions; wait for one to end, or cancel one",
			(long long)asker->open_questions);
	}
	if (!txn_take_of_user(t, LIMIT_QUESTIONS_PER_HOUR, "questions")) {
		return TXN_REFUSED;
	}

	int64_t seconds = p->with_timeout_seconds ? p->timeout_seconds : MAX_QUESTION_SECONDS_USUAL;
	struct question_item item = {
		.status = QUESTION_OPEN,
		.prompt = p->prompt,
		.type = p->type,
		.options = p->options,
		.audience = p->audience.n > 0 ? p->audience : (struct slices){&general, 1},
		.required_responses =
			p->with_min_responses ? p->min_responses : MAX_QUESTION_RESPONSES_USUAL,
		.agent_id = user_id,
		.asked_by = slice_str(p->anonymous ? "" : t->session->user_name),
		.room_id = txn_copy(t, slice_str(room_id)),
		.ends_at = t->wall_ms + seconds * 1000,
		.expires_at = t->wall_ms + seconds * 1000,
	};
	struct asker_item asker_now = {.open_questions =
					       asker == NULL ? 1 : asker->open_questions + 1};
	code_make(t->random, id + strlen(id), USER_ID_CHARS);
	txn_put_new(t, ITEM_QUESTION, slice_str(id), NO_SK, &item);
	txn_put(t, ITEM_ASKER, user_id, NO_SK, &asker_now);
	*(struct question_ask_result *)t->result = (struct question_ask_result){
		.question_id = txn_copy(t, slice_str(id)),
		.status = item.status,
		.created_at = t->wall_ms,
		.expires_at = item.ends_at,
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
		return txn_refuse(t, FAULT_FORBIDDEN, "only its asker may cancel a question");
	}
	if (q.status == QUESTION_EXPIRED) {
		return txn_refuse(t, FAULT_EXPIRED, "its time was up before");
	}
	if (question_has_ended(q.status)) {
		return txn_refuse(t, FAULT_QUESTION_CLOSED, "that question has ended before");
	}
	const struct asker_item *asker = txn_get(t, ITEM_ASKER, q.item->agent_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct question_item now = *q.item;
	question_end(t, q.id, &now, QUESTION_CANCELLED, t->wall_ms, asker);
	*(struct question_cancel_result *)t->result =
		(struct question_cancel_result){.status = now.status};
	return TXN_DONE;
}

/* ---- how a change is written ---- */

void question_write(struct txn *t, struct slice id, struct question_item *now,
		    const struct asker_item *asker)
{
	txn_put(t, ITEM_QUESTION, id, NO_SK, now);
	struct question_update update = {
		.question_id = id,
		.question = question_view_of(t, id, now),
		.with_question = true,
	};
	txn_publish(t, ITEM_QUESTION, id, NOTICE_QUESTION_UPDATE, &update);
	if (!question_has_ended(now->status)) {
		return;
	}
	txn_end_topic(t, ITEM_QUESTION, id);
	if (asker != NULL && asker->open_questions > 1) {
		struct asker_item fewer = {.open_questions = asker->open_questions - 1};
		txn_put(t, ITEM_ASKER, now->agent_id, NO_SK, &fewer);
	} else if (asker != NULL) {
		txn_delete(t, ITEM_ASKER, now->agent_id, NO_SK);
	}
}

void question_end(struct txn *t, struct slice id, struct question_item *now,
		  enum question_status status, int64_t closed_at, const struct asker_item *asker)
{
	enum limit life = status == QUESTION_CLOSED ? LIMIT_QUESTION_CLOSED_LIFE_MS
						    : LIMIT_QUESTION_ENDED_LIFE_MS;
	now->status = status;
	now->closed_at = closed_at;
	now->expires_at = closed_at + t->limits[life];
	question_write(t, id, now, asker);
}
