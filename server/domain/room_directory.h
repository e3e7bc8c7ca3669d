/*
 * room_directory.h - what passes between rooms and the directory: transactions that follow a
 * durable change of a room, tasks that transactions give to rooms, and facts that requests of
 * rooms need.
 */
#ifndef SERVER_DOMAIN_ROOM_DIRECTORY_H
#define SERVER_DOMAIN_ROOM_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "proto/base/words.h"
#include "store/items.h"

struct room;

/* ---- transactions that follow ---- */

/*
 * Which transaction follows, as txn_then() for transactions: an index into directory_follows[] of
 * directory.h. Its key is "{room_id}#{rest}". Only a hint: lost if the server ends, if too many
 * transactions are running or if memory is out. Work that must be done is recorded in the table as
 * well, where the sweeper finds it.
 */
enum room_follow_kind {
	/* rest: group_id. The room was loaded, and must end if its group has ended */
	FOLLOW_LOOK_AT_GROUP,
	FOLLOW_SAVE_STORY,    /* rest: story_id. Write its estimate to its item */
	/* rest: user_id, or group_id. Notify the user, or the group's, that the room waits for votes */
	FOLLOW_WAIT_FOR_USER,
	FOLLOW_WAIT_FOR_GROUP,
	FOLLOW_COUNT
};

struct room_follow {
	enum room_follow_kind kind;
	struct slice key;
	struct room_follow *next;
};

/* The two parts of a key. */
static inline struct slice follow_room(struct slice key)
{
	size_t len = 0;
	while (len < key.len && key.data[len] != '#') {
		len++;
	}
	return slice_of(key.data, len);
}

static inline struct slice follow_rest(struct slice key)
{
	size_t len = follow_room(key).len;
	return len == key.len ? (struct slice){0} : slice_of(key.data + len + 1, key.len - len - 1);
}

/* ---- tasks ---- */

/*
 * A task that a transaction gives to a room when it is durable: a request that no connection
 * sent.
 *
 * It is handled like any request: the room is loaded first if it is not in memory, and the
 * changes of the task are part of the room's next unit of work. A task is only a hint
 * (txn_then_room() of txn.h): the room may be deleted, the commit may fail, the server may end.
 * So a task that is repeated, or late, does no harm: it decides by the state of the room, and its
 * work is recorded in the table as well.
 */
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

/* ---- facts ---- */

/*
 * Facts from the directory that a room's request needs before it can be decided.
 *
 * Rooms are in memory, groups are in the table. So a room says what it needs to know about the
 * caller (room_wants_facts() and room_create_wants() of room.h); the request waits while a
 * transaction reads that (room_facts_find), and then runs again with the facts. The facts are as
 * the table had them a moment ago, and nothing guards them: what must be true later is checked
 * later.
 */
struct facts_wanted {
	struct slice group_id; /* the group in which the caller may be; empty: not wanted */
	/* the user of the caller's seat, who may have been removed from the group; likewise */
	struct slice seat_of;
	struct slice container_id, item_id; /* the item that the caller may read; likewise */
};

static inline bool facts_are_wanted(const struct facts_wanted *w)
{
	return w->group_id.len > 0 || w->item_id.len > 0;
}

/* Valid during the call that receives them. */
struct room_facts {
	struct slice user_id;  /* of the login that the facts are about; empty: none */
	struct slice group_id; /* in its stored spelling; empty: the caller is not in this group */
	enum group_role role;  /* the caller's role in it */
	struct slice seat_of;  /* as in facts_wanted */
	/* when that user was removed from the group; 0: they were not, or were admitted again */
	int64_t removed_on;
	/* as in facts_wanted; empty: no such item for the caller */
	struct slice container_id, item_id;
	struct slice item_name, item_note;
	struct slice item_quantity; /* with its unit, if that is not an estimate's: "1.5 l" */
	/* defaults of the group's new rooms; NULL: as without a group */
	const struct group_defaults_item *defaults;
};

/* Return whether the user is in this group with this role or a higher one. */
static inline bool facts_say(const struct room_facts *f, struct slice group_id, enum group_role least)
{
	return f != NULL && group_id.len > 0 && slice_eq(f->group_id, group_id) &&
	       (least != GROUP_OWNER || f->role == GROUP_OWNER);
}

#endif
