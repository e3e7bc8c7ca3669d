/*
 * room_follow.h - transactions in the directory that follow a durable change of a room, as
 * txn_then() for transactions.
 *
 * Only a hint: lost if the server ends, if too many transactions are running or if memory is out.
 * Work that must be done is recorded in the table as well, where the sweeper finds it.
 */
#ifndef SERVER_DOMAIN_ROOM_FOLLOW_H
#define SERVER_DOMAIN_ROOM_FOLLOW_H

#include "proto/base/slice.h"

/*
 * Which transaction follows: an index into directory_follows[] of directory.h. Its key is
 * "{room_id}#{rest}".
 */
enum room_follow_kind {
	/* rest: group_id. The room was loaded, and must end if its group has ended */
	FOLLOW_LOOK_AT_GROUP,
	FOLLOW_SAVE_STORY,    /* rest: story_id. Write its estimate to its item */
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

#endif
