/*
 * room_task.h - a task that a transaction gives to a room when it is durable: a request that no
 * connection sent.
 *
 * It is handled like any request: the room is loaded first if it is not in memory, and the
 * changes of the task are part of the room's next unit of work. A task is only a hint
 * (txn_then_room() of txn.h): the room may be deleted, the commit may fail, the server may end.
 * So a task that is repeated, or late, does no harm: it decides by the state of the room, and its
 * work is recorded in the table as well.
 */
#ifndef SERVER_DOMAIN_ROOM_TASK_H
#define SERVER_DOMAIN_ROOM_TASK_H

#include <stdint.h>

#include "proto/base/slice.h"

struct room;

struct room_task {
	struct slice key; /* the key from txn_then_room() */
	int64_t mono_ms, wall_ms;
	const int64_t *limits;           /* LIMIT_COUNT of them */
	const unsigned char *server_key; /* SEED_BYTES long; key of the hashes */
};

/* Called for a room that exists and has not ended; the core calls room_end_change() afterwards. */
typedef void room_task_handler(struct room *r, const struct room_task *task);

/* room_group.c. Delete the room, if it belongs to the group with this id. */
room_task_handler room_end_with_group;
/*
 * room_members.c. The key is "{group_id}#" and the id of a user who was removed from that group:
 * if the room belongs to the group and has a lock or a passcode, remove their seat. See
 * room_end_removed() of room.h.
 */
room_task_handler room_end_member;
/*
 * room_members.c. The user with this id was deleted: their seat belongs to nobody, and no login
 * leads back to it.
 */
room_task_handler room_forget_account;
/* room_save.c. The estimate of a story was written to its item, or will not be. */
room_task_handler room_story_saved;

#endif
