/*
 * directory.h - the handlers of methods on the directory, and the transactions that remove its
 * expired items.
 *
 * A handler's name is on_ and the symbol of the method's row: a row with WHERE_DIRECTORY but no
 * handler does not link.
 */
#ifndef SERVER_DOMAIN_DIRECTORY_H
#define SERVER_DOMAIN_DIRECTORY_H

#include "server/domain/room_directory.h"
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

/* Handlers by method; NULL for methods that act elsewhere. */
extern txn_handler *const directory_handlers[METHOD_COUNT];

/*
 * Transactions by kind of item that remove an item which the sweeper found, if it has expired.
 * params: struct store_item, without its value. NULL: not an item of the directory, or it never
 * expires.
 */
extern txn_handler *const directory_sweepers[ITEM_COUNT];

/*
 * Transactions by kind that follow a durable change of a room. params: struct txn_next, with the
 * key of the room_follow.
 */
extern txn_handler *const directory_follows[FOLLOW_COUNT];

/*
 * The tasks that transactions give to rooms, by the names under which other nodes are told of
 * them; the last row has none.
 */
struct directory_task {
	const char *name;
	room_task_handler *run;
};
extern const struct directory_task directory_tasks[];

/*
 * Transactions that have to run wherever somebody is whom they concern, by the names under which other
 * nodes are told of them; the last row has none. params: struct txn_next.
 */
struct directory_look {
	const char *name;
	txn_handler *run;
};
extern const struct directory_look directory_looks[];

/*
 * The transaction that finds facts about the caller of a room's request (room_directory.h). params:
 * struct facts_wanted; result: struct room_facts.
 */
txn_handler room_facts_find;

/*
 * The user, whose item was read, gets another name: update it wherever other features show it.
 * TXN_MORE, or TXN_DONE.
 */
enum txn_step directory_rename_user(struct txn *t, struct slice user_id, const struct user_item *user,
				    struct slice name);

/*
 * A user who was never in a group logs in: create a first one, with a container. The caller of this
 * function writes *user, which is changed. Returns the id of the group, in t->arena.
 */
struct slice directory_create_first_group(struct txn *t, struct slice user_id, struct slice name,
					  struct user_item *user);

/*
 * The transaction that follows when a user becomes a member of a group. params: struct txn_next,
 * key "{user_id}#{group_id}".
 */
extern txn_handler *const directory_user_joins;

/* What is left of a deleted user after one step of a feature. */
enum user_left {
	USER_LEFT_NOTHING, /* nothing was found; or it is still loading */
	USER_LEFT_LATER,   /* something that an index does not list yet */
	USER_LEFT_MORE,	   /* this step's items, and perhaps more after them */
};
/* Delete what a feature stores of a user, one step at a time. */
typedef enum user_left user_part(struct txn *t, struct slice user_id);

/* All features; ends with NULL. */
extern user_part *const directory_user_parts[];

#endif
