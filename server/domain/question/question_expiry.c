/*
 * question_expiry.c - what time does to a question: people are notified of it, it ends, and later it is removed.
 */
#include "server/domain/question/question.h"

#define DAY_MS INT64_C(86400000)

/*
 * A result is an item of a reserved kind, which others' writes cannot take the space of: nobody has more of them than
 * they may ask and answer in so many days.
 */
enum { ONCE_DAYS_MAX = 7 };

int64_t question_kept_until(const struct txn *t, const struct question_item *q, enum item_kind kind)
{
	/* As long as the question may be there, however it ends. */
	int64_t last = q->ends_at + t->limits[LIMIT_QUESTION_CLOSED_LIFE_MS];
	int64_t week = t->wall_ms + ONCE_DAYS_MAX * DAY_MS;
	int64_t month = t->wall_ms + MAX_RESPONSE_DAYS * DAY_MS;
	if (kind == ITEM_RESPONSE) {
		return month > last ? month : last;
	}
	if (kind == ITEM_NOTIFIED) {
		return q->ends_at;
	}
	if (kind == ITEM_DIRECTORY_ONCE) {
		return q->ends_at < week ? q->ends_at : week;
	}
	if (kind == ITEM_SKIP) {
		return last;
	}
	if (!question_has_ended(q->status)) {
		return question_due_at(t, q);
	}
	return q->closed_at +
	       t->limits[q->status == QUESTION_CLOSED ? LIMIT_QUESTION_CLOSED_LIFE_MS
						      : LIMIT_QUESTION_ENDED_LIFE_MS];
}

enum txn_step question_expire(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice id = item_pk_rest(found, ITEM_QUESTION);
	const struct question_item *item = txn_get(t, ITEM_QUESTION, id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (item == NULL || item->expires_at > t->wall_ms) {
		return TXN_DONE;
	}
	if (question_has_ended(item->status)) {
		txn_delete(t, ITEM_QUESTION, id, NO_SK);
		return TXN_DONE;
	}
	if (item->ends_at > t->wall_ms) {
		/* Put off first, so that one that cannot be made now does not keep others waiting. */
		int64_t due = question_kept_until(t, item, ITEM_QUESTION);
		int64_t retry = t->wall_ms + QUESTION_NOTIFY_RETRY_MS;
		struct question_item later = *item;
		later.expires_at = due > t->wall_ms	   ? due
				   : retry < item->ends_at ? retry
							   : item->ends_at;
		txn_put(t, ITEM_QUESTION, id, NO_SK, &later);
		txn_then(t, QUESTION_NOTIFY_LINE, question_notify, id);
		return TXN_DONE;
	}
	return question_end(t, id, *item, QUESTION_EXPIRED, item->ends_at);
}
