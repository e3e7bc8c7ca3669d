/*
 * directory_rooms.h - connects the two halves of the core: tasks that transactions give to rooms,
 * facts that requests of rooms need from the directory, and what a durable change of a room
 * brings there: notifications of its users and its group, ends of subscriptions, transactions.
 */
#ifndef SERVER_CORE_DIRECTORY_ROOMS_H
#define SERVER_CORE_DIRECTORY_ROOMS_H

#include <stdbool.h>

#include "proto/base/slice.h"
#include "server/core/server.h"
#include "server/domain/room_directory.h"

struct inquiry;
struct parked;
struct partition;
struct request;
struct server;
struct unit;

/* Give a room a task of a transaction that is durable now: see txn_then_room(). */
void room_give_task(struct server *s, struct slice room_id, room_task_handler *run, struct slice key);

/*
 * Start the transaction, after others with the same key; if that is not possible, nothing
 * happens.
 */
void room_begin_follow(struct server *s, const struct room_follow *f);

/* Return how many members are in the room now; 0 if it is not in memory. */
size_t room_users_now(struct server *s, struct slice room_id);

/* Return whether any session of this server watches the user. */
bool user_is_watched(const struct server *s, struct slice user_id);
/* Return whether one may: on other nodes nobody knows. */
bool user_may_be_watched(const struct server *s, struct slice user_id);
/* Send an encoded transient notification to the sessions of this server that watch the user. */
void user_signal(struct server *s, struct slice user_id, struct slice notification);
/* The unit is durable: tell all nodes those of its notifications that go to sessions that watch. Of a cluster alone. */
void unit_signal_users(struct server *s, const struct partition *p, const struct unit *u);

/*
 * The unit closes: note what it will bring outside of its room.
 *
 * @is_stored  the unit changes stored data.
 *
 * Returns false if memory is out.
 */
bool unit_note_outside(const struct server *s, const struct partition *p, struct unit *u, bool is_stored);
/*
 * The unit is durable. Sessions that watch a user are notified of rooms where the user has, or
 * has lost, a seat; subscriptions to topics that depended on a lost seat end. Watchers of the
 * room's group are sent its entry in group.rooms if it differs from the last one sent, or that it
 * is deleted. The transactions that follow the change start.
 */
void unit_publish_outside(struct server *s, struct partition *p, const struct unit *u);
/*
 * Nobody knows whether the unit was made: who would have been notified reads again. Transactions
 * that follow the change start when the room is loaded and asks for them.
 */
void unit_doubt_outside(struct server *s, struct partition *p, const struct unit *u);

/*
 * Let the request wait while a transaction reads these facts about the login of its connection,
 * and handle it again with them. Later input of its connection waits, too. If they cannot be
 * read, the request is refused.
 *
 * @p   the partition it is counted for, already or from now on; it is not dropped meanwhile.
 *
 * Returns false if memory is out or too many transactions are running: nothing waits.
 */
bool room_ask(struct server *s, struct partition *p, struct request *rq, const struct facts_wanted *wanted);
#define FACTS_UNREAD "too many requests are waiting; try again"
/*
 * Return the list to which a request must be added that has to wait after an earlier one of its
 * connection that waits for facts; NULL: there is none in this room.
 */
struct parked **inquiry_behind(struct partition *p, const struct parked *parked);
/* The room cannot be read: refuse the requests that wait for facts, too. */
void inquiries_refuse_all(struct server *s, struct partition *p);
/* The partition is dropped: discard its waiting requests. */
void inquiries_drop_all(struct partition *p);

#endif
