/*
 * directory.c - see directory.h.
 */
#include "server/domain/directory.h"

#include "server/domain/session/session.h"

#define DIRECTORY_HANDLER(symbol) [METHOD_##symbol] = on_##symbol,
#define DIRECTORY_ROW_HANDLER(symbol, name, who, where, effect, params, result, help) \
	DIRECTORY_##where(DIRECTORY_HANDLER, symbol)

txn_handler *const directory_handlers[METHOD_COUNT] = {METHODS(DIRECTORY_ROW_HANDLER)};

/* What a call answered is forgotten. */
static enum txn_step expire_once(struct txn *t)
{
	const struct store_item *found = t->params;
	struct slice pk = item_pk_rest(found, ITEM_DIRECTORY_ONCE);
	struct slice sk = item_sk_rest(found, ITEM_DIRECTORY_ONCE);
	const struct once_item *once = txn_get(t, ITEM_DIRECTORY_ONCE, pk, sk);
	if (txn_is_loading(t)) {
		return TXN_MORE;
	}
	if (once != NULL && once->expires_at <= t->wall_ms) {
		txn_delete(t, ITEM_DIRECTORY_ONCE, pk, sk);
	}
	return TXN_DONE;
}

txn_handler *const directory_sweepers[ITEM_COUNT] = {
	[ITEM_TOKEN] = session_expire,
	[ITEM_USER_NAME] = session_expire,
	[ITEM_DIRECTORY_ONCE] = expire_once,
};
