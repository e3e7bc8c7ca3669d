/*
 * question.c - finding a question, how the caller stands to it, and what may be shown of it.
 */
#include "server/domain/question/question.h"

#include "proto/format.h"

#define QUESTION_PREFIX	  "q_"
#define QUESTION_ID_CHARS (sizeof(QUESTION_PREFIX) - 1 + USER_ID_CHARS)
#define QUESTION_ROOMS	  256 /* rooms of a user that are looked at */

/* ---- names ---- */

struct slice question_id(struct txn *t, struct slice id)
{
	char code[CODE_CHARS_MAX + 1];
	char text[QUESTION_ID_CHARS + 1];
	const size_t prefix = sizeof(QUESTION_PREFIX) - 1;
	bool is_formed = id.len == QUESTION_ID_CHARS &&
			 memcmp(id.data, QUESTION_PREFIX, prefix) == 0 &&
			 code_normalise(slice_of(id.data + prefix, id.len - prefix), code);
	size_t len = format_to(text, sizeof(text), "%s%s", is_formed ? QUESTION_PREFIX : "?",
			       is_formed ? code : "");
	return txn_copy(t, slice_of(text, len));
}

struct key_text question_fingerprint(const struct txn *t)
{
	return key_hash(t->server_key, "fingerprint", slice_str(t->session->user_id));
}

/* ---- finding ---- */

struct txn_items question_rooms(struct txn *t)
{
	return txn_query(t, INDEX_BY_ACCOUNT, slice_str(t->session->user_id),
			 &(struct txn_range){.is_descending = true, .limit = QUESTION_ROOMS});
}

bool question_has_room(struct txn *t, const struct txn_items *rooms, struct slice room_id)
{
	for (size_t i = 0; i < rooms->n; i++) {
		const struct store_item *item = &rooms->items[i];
		if (item_kind_of(item->pk, item->sk) == ITEM_SEAT &&
		    slice_eq(item_pk_rest(item, ITEM_SEAT), room_id)) {
			const struct seat_item *seat = txn_decode(t, item);
			return seat != NULL && !seat->is_waiting;
		}
	}
	return false;
}

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
	struct txn_items rooms = question_rooms(t);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (q->item != NULL) {
		q->is_mine = slice_eq(q->item->agent_id, slice_str(t->session->user_id));
		q->status = question_status_of(t, q->item);
	}
	if (q->item == NULL || (q->item->room_id.len > 0 && !q->is_mine &&
				!question_has_room(t, &rooms, q->item->room_id))) {
		return txn_refuse(t, FAULT_QUESTION_NOT_FOUND,
				  "there is no such question for you; check its id");
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

/* ---- answering ---- */

bool question_may_answer(const struct question *q, enum question_bar *bar)
{
	*bar = q->is_mine ? BAR_MINE : q->own_response != NULL ? BAR_ANSWERED : BAR_ENDED;
	return !q->is_mine && q->own_response == NULL && !question_has_ended(q->status);
}

enum txn_step question_refuse_answer(struct txn *t, const struct question *q)
{
	if (q->is_mine) {
		return txn_refuse(t, FAULT_FORBIDDEN, "that question is your own");
	}
	if (q->own_response != NULL) {
		return txn_refuse(t, FAULT_ALREADY_ANSWERED, "you have answered that question");
	}
	if (q->status == QUESTION_EXPIRED) {
		return txn_refuse(t, FAULT_EXPIRED, "the time for answers is up");
	}
	return txn_refuse(t, FAULT_QUESTION_CLOSED, "that question %s",
			  q->status == QUESTION_CANCELLED ? "was cancelled" : "has its answers");
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
	};
}

struct question_view question_view_for(const struct txn *t, const struct question *q)
{
	struct question_view view = question_view_of(t, q->id, q->item);
	view.is_mine = q->is_mine;
	view.with_is_mine = true;
	view.can_answer = question_may_answer(q, &view.why_not);
	view.with_can_answer = true;
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

/* ---- cursors ---- */

static struct key_text cursor_mark(const struct txn *t, struct slice list, struct slice place)
{
	char text[384];
	size_t len = format_to(text, sizeof(text), "%s %.*s %.*s", t->session->user_id,
			       (int)place.len, place.data, (int)list.len, list.data);
	return key_hash(t->server_key, "question cursor", slice_of(text, len));
}

struct slice question_cursor(struct txn *t, struct slice list, struct slice place)
{
	struct key_text mark = cursor_mark(t, list, place);
	char text[128];
	size_t len =
		format_to(text, sizeof(text), "%.*s-%s", (int)place.len, place.data, mark.text);
	return txn_copy(t, slice_of(text, len));
}

bool question_cursor_read(struct txn *t, struct slice list, struct slice cursor,
			  struct slice *place)
{
	if (cursor.len > KEY_CHARS + 1 && cursor.data[cursor.len - KEY_CHARS - 1] == '-') {
		*place = slice_of(cursor.data, cursor.len - KEY_CHARS - 1);
		struct key_text mark = cursor_mark(t, list, *place);
		if (key_hash_eq(&mark, slice_of(cursor.data + cursor.len - KEY_CHARS, KEY_CHARS))) {
			return true;
		}
	}
	fault_field(&t->fault, "cursor", "is none of a page of this list");
	return false;
}
