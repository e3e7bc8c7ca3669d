/*
 * directory.h - which handler a method of the directory has, and what removes an expired item of it.
 *
 * The handler's name is on_ and the symbol of the method's row: a row with
 * WHERE_DIRECTORY and no handler does not link.
 */
#ifndef SERVER_DOMAIN_DIRECTORY_H
#define SERVER_DOMAIN_DIRECTORY_H

#include "server/domain/txn.h"

#define DIRECTORY_WHERE_NOWHERE(make, symbol)
#define DIRECTORY_WHERE_NEW_ROOM(make, symbol)
#define DIRECTORY_WHERE_ROOM(make, symbol)
#define DIRECTORY_WHERE_DIRECTORY(make, symbol) make(symbol)
#define DIRECTORY_WHERE_USER_NAME(make, symbol) make(symbol)
#define DIRECTORY_WHERE_QUESTION(make, symbol) make(symbol)

#define DIRECTORY_DECLARE(symbol) txn_handler on_##symbol;
#define DIRECTORY_ROW_DECLARE(symbol, name, who, where, effect, params, result, help)              \
	DIRECTORY_##where(DIRECTORY_DECLARE, symbol)
METHODS(DIRECTORY_ROW_DECLARE)

/* By method; NULL for methods that act elsewhere. */
extern txn_handler *const directory_handlers[METHOD_COUNT];

/* By kind: what removes an item that the sweeper found expired, if it is. @params struct store_item, without its value. NULL: none of the directory's, or it never expires. */
extern txn_handler *const directory_sweepers[ITEM_COUNT];

#endif
