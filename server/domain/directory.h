/*
 * directory.h - which handler a method of the directory has, and what removes an expired item of it.
 *
 * The handler's name is on_ and the symbol of the method's row: a row with
 * WHERE_DIRECTORY and no handler does not link.
 */
#ifndef SERVER_DOMAIN_DIRECTORY_H
#define SERVER_DOMAIN_DIRECTORY_H

#include "server/domain/room_follow.h"
#include "server/domain/txn.h"

#define DIRECTORY_WHERE_NOWHERE(make, symbol)
#define DIRECTORY_WHERE_NEW_ROOM(make, symbol)
#define DIRECTORY_WHERE_ROOM(make, symbol)
#define DIRECTORY_WHERE_DIRECTORY(make, symbol) make(symbol)
#define DIRECTORY_WHERE_USER_NAME(make, symbol) make(symbol)
#define DIRECTORY_WHERE_QUESTION(make, symbol) make(symbol)
#define DIRECTORY_WHERE_GROUP(make, symbol) make(symbol)
#define DIRECTORY_WHERE_INVITATION(make, symbol) make(symbol)
#define DIRECTORY_WHERE_CONTAINER(make, symbol) make(symbol)

#define DIRECTORY_DECLARE(symbol) txn_handler on_##symbol;
#define DIRECTORY_ROW_DECLARE(symbol, name, who, where, effect, params, result, help)              \
	DIRECTORY_##where(DIRECTORY_DECLARE, symbol)
METHODS(DIRECTORY_ROW_DECLARE)

/* By method; NULL for methods that act elsewhere. */
extern txn_handler *const directory_handlers[METHOD_COUNT];

/* By kind: what removes an item that the sweeper found expired, if it is. @params struct store_item, without its value. NULL: none of the directory's, or it never expires. */
extern txn_handler *const directory_sweepers[ITEM_COUNT];

/* What follows when a room's change is durable, by kind. @params struct txn_next, with the key of the room_follow. */
extern txn_handler *const directory_follows[FOLLOW_COUNT];

/* What a request of a room wants to know of its caller. @params struct facts_wanted, @result struct room_facts (room_facts.h). */
txn_handler room_facts_find;

/*
 * The user, whose item was read, has another name from now on: tell those who see it in
 * what other features have. TXN_MORE, or TXN_DONE.
 */
enum txn_step directory_rename_user(struct txn *t, struct slice user_id, const struct user_item *user,
				    struct slice name);

/* What is left of a user after a part has taken a portion. */
enum user_left {
	USER_LEFT_NOTHING, /* that is found; or it is loading */
	USER_LEFT_LATER,   /* what an index does not list yet */
	USER_LEFT_MORE,	   /* the portion, and what may be behind it */
};
/* What a feature has of a user goes with them, a portion at once. */
typedef enum user_left user_part(struct txn *t, struct slice user_id);

/* Ends with NULL. */
extern user_part *const directory_user_parts[];

#endif
