/*
 * directory.c - see directory.h.
 */
#include "server/domain/directory.h"

#include "server/domain/session/session.h"

#define DIRECTORY_HANDLER(symbol) [METHOD_##symbol] = on_##symbol,
#define DIRECTORY_ROW_HANDLER(symbol, name, who, where, effect, params, result, help) \
	DIRECTORY_##where(DIRECTORY_HANDLER, symbol)

txn_handler *const directory_handlers[METHOD_COUNT] = {METHODS(DIRECTORY_ROW_HANDLER)};

txn_handler *const directory_sweepers[ITEM_COUNT] = {
	[ITEM_TOKEN] = session_expire,
	[ITEM_USER_NAME] = session_expire,
};
