/*
 * room_task.h - what a transaction has a room do when it is durable: a request that no connection sent.
 *
 * It reaches the room like any request: the room is loaded first where it is not in memory, and what the task changes
 * leaves with the room's next unit of work. It is only a hint (txn_then_room() of txn.h): the room may be gone, the
 * commit may fail, the server may end before. So a task that is given again, or late, does no harm; it looks at
 * the room as it is, and what it has to do is found in the table as well.
 */
#ifndef SERVER_DOMAIN_ROOM_TASK_H
#define SERVER_DOMAIN_ROOM_TASK_H

#include <stdint.h>

#include "proto/base/slice.h"

struct room;

struct room_task {
	struct slice key; /* what the transaction has given it */
	int64_t mono_ms, wall_ms;
	const int64_t *limits;           /* LIMIT_COUNT of them */
	const unsigned char *server_key; /* SEED_BYTES, for hashes */
};

/* Called for a room that exists and has not ended; room_end_change() follows. */
typedef void room_task_handler(struct room *r, const struct room_task *task);

/* room_group.c. The room ends, if it is of the group of that id. */
room_task_handler room_end_with_group;
/*
 * room_members.c. Behind the key's "{group_id}#" the id of a user who was removed from that group: where the room is the
 * group's, and asks something of strangers, they have no seat in it any more. See room_end_removed() of room.h.
 */
room_task_handler room_end_member;
/* room_members.c. The user of that id is no more: nobody sits on their seat, and no login of theirs leads back to it. */
room_task_handler room_forget_account;
/* room_save.c. The estimate of a story was written to its item, or will not be. */
room_task_handler room_story_saved;

#endif
