/*
 * question_expiry.c - what time does to a question: people are notified of it, it ends, and later it is removed.
 */
#include "server/domain/question/question.h"

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
		int64_t due = question_due_at(t, item);
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
