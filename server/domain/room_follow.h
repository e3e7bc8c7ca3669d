/*
 * room_follow.h - what follows in the directory when a room's change is durable: as txn_then() for transactions.
 *
 * Only a hint: it is forgotten when the server ends, and where too many transactions are under way or memory is out.
 * What must be done is found in the table as well, by the sweeper.
 */
#ifndef SERVER_DOMAIN_ROOM_FOLLOW_H
#define SERVER_DOMAIN_ROOM_FOLLOW_H

#include "proto/base/slice.h"

/* Which transaction follows: directory_follows[] of directory.h. Its key is "{room_id}#{rest}". */
enum room_follow_kind {
	FOLLOW_LOOK_AT_GROUP, /* the group_id: the room was loaded, and ends where its group has */
	FOLLOW_SAVE_STORY,    /* the story_id: its estimate is to be written to its item */
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
