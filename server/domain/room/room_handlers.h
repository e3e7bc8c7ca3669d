/*
 * room_handlers.h - the handlers of methods on rooms.
 *
 * A handler's name is on_ and the symbol of the method's row: a row with WHERE_ROOM but no
 * handler does not link.
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_HANDLERS_H
#define SERVER_DOMAIN_ROOM_ROOM_HANDLERS_H

#include "proto/base/fault.h"
#include "proto/methods.h"

struct room;
struct room_call;

#define ROOM_WHERE_NOWHERE(make, symbol)
#define ROOM_WHERE_NEW_ROOM(make, symbol)
#define ROOM_WHERE_ROOM(make, symbol) make(symbol)
#define ROOM_WHERE_DIRECTORY(make, symbol)
#define ROOM_WHERE_USER_NAME(make, symbol)
#define ROOM_WHERE_QUESTION(make, symbol)
#define ROOM_WHERE_GROUP(make, symbol)
#define ROOM_WHERE_INVITATION(make, symbol)
#define ROOM_WHERE_CONTAINER(make, symbol)

/* Returns FAULT_NONE; otherwise *c->fault is filled in and nothing has changed. */
typedef enum fault_code room_handler(struct room *r, struct room_call *c);

#define ROOM_DECLARE(symbol) room_handler on_##symbol;
#define ROOM_ROW_DECLARE(symbol, name, who, where, effect, params, result, help)                   \
	ROOM_##where(ROOM_DECLARE, symbol)
METHODS(ROOM_ROW_DECLARE)

#endif
