/*
 * question_expiry.c - what time does to a question: it ends it, and later removes it.
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
	const struct asker_item *asker = txn_get(t, ITEM_ASKER, item->agent_id, NO_SK);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	struct question_item now = *item;
	question_end(t, id, &now, QUESTION_EXPIRED, item->ends_at, asker);
	return TXN_DONE;
}
