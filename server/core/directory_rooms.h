/*
 * directory_rooms.h - where the two halves of the core meet, beside user_rooms.h: what transactions have rooms
 * do, what requests of rooms ask of the directory, and what follows there when a room's change is durable.
 */
#ifndef SERVER_CORE_DIRECTORY_ROOMS_H
#define SERVER_CORE_DIRECTORY_ROOMS_H

#include <stdbool.h>

#include "proto/base/slice.h"
#include "server/core/server.h"
#include "server/domain/room_facts.h"
#include "server/domain/room_follow.h"
#include "server/domain/room_task.h"

struct inquiry;
struct parked;
struct partition;
struct request;
struct server;

/* A transaction is durable that has given the room that task, as txn_then_room() has it. */
void room_give_task(struct server *s, struct slice room_id, room_task_handler *run, struct slice key);

/* The transaction begins, behind others of the same key; nothing where that cannot be now. */
void room_begin_follow(struct server *s, const struct room_follow *f);

/* How many members are in the room now; 0 where it is not in memory. */
size_t room_users_now(struct server *s, struct slice room_id);

/*
 * Have the request wait while a transaction reads those facts of its connection's login, and be taken again with
 * them. What its connection sends behind it waits, too. Where it cannot be read, the request is refused.
 *
 * @p   which it has been counted for, or is from now on; it is not dropped meanwhile.
 * False when memory is out, or too many transactions are under way: nothing waits.
 */
bool room_ask(struct server *s, struct partition *p, struct request *rq, const struct facts_wanted *wanted);
#define FACTS_UNREAD "too many requests are waiting; try again"
/* Where a request goes that has to wait behind an earlier one of its connection that waits for facts; NULL: none does in this room. */
struct parked **inquiry_behind(struct partition *p, const struct parked *parked);
/* The room cannot be read: requests that wait for facts are refused with the others. */
void inquiries_refuse_all(struct server *s, struct partition *p);
/* The partition goes: nobody waits any more. */
void inquiries_drop_all(struct partition *p);

#endif
