/*
 * question.c - finding a question, how the caller stands to it, and what may be shown of it.
 */
#include "server/domain/question/question.h"

#include "proto/base/format.h"
#include "server/domain/base/public_id.h"
#include "server/domain/base/user_barred.h"

/* ---- names ---- */

struct slice question_id(struct txn *t, struct slice id)
{
	return public_id(t, "q_", USER_ID_CHARS, id);
}

struct key_text question_fingerprint(const struct txn *t)
{
	return user_fingerprint(t, slice_str(t->session->user_id));
}

/* ---- finding ---- */

enum question_status question_status_of(const struct txn *t, const struct question_item *item)
{
	bool is_late = !question_has_ended(item->status) && item->ends_at <= t->wall_ms;
	return is_late ? QUESTION_EXPIRED : item->status;
}

bool question_has_ended(enum question_status status)
{
	return status != QUESTION_OPEN && status != QUESTION_PARTIAL;
}

enum txn_step question_find(struct txn *t, struct slice id, struct question *q)
{
	*q = (struct question){.id = question_id(t, id), .fingerprint = question_fingerprint(t)};
	struct slice fingerprint = txn_copy(t, slice_str(q->fingerprint.text));
	q->item = txn_get(t, ITEM_QUESTION, q->id, NO_SK);
	q->own_response = txn_get(t, ITEM_RESPONSE, q->id, fingerprint);
	q->skip = txn_get(t, ITEM_SKIP, q->id, fingerprint);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (q->item != NULL) {
		q->is_mine = slice_eq(q->item->agent_id, slice_str(t->session->user_id));
		q->status = question_status_of(t, q->item);
	}
	/*
	 * A seat is looked for where there is no question, too: that takes as long as for one of a room.
	 * One of a team, or for somebody else alone, may take another time; whoever measures that must
	 * have its id, which cannot be guessed.
	 */
	static const struct question_item none = {.room_id = SLICE_INIT("?")};
	bool may_see = q->is_mine || question_is_for_caller(t, q->item == NULL ? &none : q->item);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (q->item == NULL || !may_see) {
		return txn_refuse(t, FAULT_QUESTION_NOT_FOUND, "question not found; check its id");
	}
	return TXN_DONE;
}

struct slice question_and_caller(struct txn *t, const struct question *q)
{
	char text[KEY_CHARS + 64];
	size_t len = format_to(text, sizeof(text), "%s%.*s", q->fingerprint.text, (int)q->id.len,
			       q->id.data);
	return txn_copy(t, slice_of(text, len));
}

/* ---- audiences ---- */

bool audience_is_sound(struct txn *t, const struct slices *audience)
{
	unsigned seen = 0;
	for (size_t i = 0; i < audience->n; i++) {
		int word = words_find(&words_audience, audience->items[i]);
		if (word < 0 || (seen & (1U << word)) != 0) {
			fault_field(&t->fault, "audience",
				    "must be technical, product, ethics, creative or general, each "
				    "once");
			fault_bounds(&t->fault, FAULT_RULE_CHOICE, 0, 0, "");
			return false;
		}
		seen |= 1U << word;
	}
	return true;
}

bool audience_meets(const struct slices *a, const struct slices *b)
{
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n; k++) {
			if (slice_eq(a->items[i], b->items[k])) {
				return true;
			}
		}
	}
	return false;
}

/* ---- answering ---- */

bool question_may_answer(const struct question *q, enum question_bar *bar)
{
	*bar = q->is_mine ? BAR_MINE : BAR_ENDED;
	return !q->is_mine && !question_has_ended(q->status);
}

/* ---- showing ---- */

struct question_view question_view_of(const struct txn *t, struct slice id,
				      const struct question_item *item)
{
	enum question_status status = question_status_of(t, item);
	return (struct question_view){
		.question_id = id,
		.status = status,
		.prompt = item->prompt,
		.type = item->type,
		.options = item->options,
		.audience = item->audience,
		.required_responses = item->required_responses,
		.current_responses = item->current_responses,
		.responses_needed = item->required_responses - item->current_responses,
		.created_at = item->created_on,
		.expires_at = item->ends_at,
		.closed_at = !question_has_ended(status) ? 0
			     : item->closed_at > 0	 ? item->closed_at
							 : item->ends_at,
		.asked_by = item->asked_by,
		.room_id = item->room_id,
		.group_id = item->group_id,
		.user_id = item->user_id,
	};
}

struct question_view question_view_for(const struct txn *t, const struct question *q)
{
	struct question_view view = question_view_of(t, q->id, q->item);
	view.is_mine = q->is_mine;
	view.with_is_mine = true;
	view.can_answer = question_may_answer(q, &view.why_not);
	view.with_can_answer = true;
	view.is_answered = q->own_response != NULL;
	view.with_why_not = !view.can_answer;
	return view;
}

size_t question_view_bytes(const struct question_view *view)
{
	enum { NAMES = 640, OF_OPTION = 40 };
	size_t bytes = NAMES + view->prompt.len + view->asked_by.len;
	for (size_t i = 0; i < view->options.n; i++) {
		bytes += OF_OPTION + (view->summary_n > 0 ? 2 : 1) * view->options.items[i].len;
	}
	return bytes;
}
