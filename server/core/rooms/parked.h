/*
 * parked.h - requests that wait for something to be loaded: their room, a page of its history, facts.
 */
#ifndef SERVER_CORE_ROOMS_PARKED_H
#define SERVER_CORE_ROOMS_PARKED_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/words.h"
#include "server/core/server.h"

struct conn;
struct partition;
struct request;
struct room_facts;
struct rounds_page;

/* A request that waits for something to be loaded, then is decoded and handled as if it had come now; it has been counted. */
struct parked {
	struct conn_id conn;
	unsigned char checked_chars, runs; /* as struct request has them, and the next */
	bool is_guess;
	bool is_alone; /* what its connection sends behind it waits: its answer may be long, or it may be what that builds on */
	bool has_facts; /* role, and user_id and group_id behind the message: facts about its caller, kept for it */
	enum group_role role;
	size_t len, user_id_len, group_id_len;
	struct parked *next, *prev;
	char bytes[];
};

/*
 * Append a copy of the request to the list; false when memory is out.
 * @facts  what they say of its caller and the group is kept for it, and given back with it. NULL: none.
 */
bool parked_add(struct parked **list, const struct request *rq, const struct room_facts *facts);
/* What its connection sends behind it waits until it is taken. */
void parked_hold_conn(struct conn *c, struct parked *parked);
/* It waits no longer. */
void parked_let_conn(struct conn *c, struct parked *parked);
/*
 * Whether an earlier one of its connection is among them. One that has run more often than those came before them:
 * whatever is undone runs again before what has come since.
 */
bool parked_has_before(const struct parked *list, const struct parked *parked);
/* What requests have waited for, beside their room. */
struct parked_for {
	const struct rounds_page *page;
	const struct room_facts *facts;
};
/*
 * Take all of them, in order, with what they waited for, or NULL; the partition's own only until it is loaded again. One whose
 * connection has an earlier one that still waits for something of this room goes on waiting, behind that.
 */
void parked_take_all(struct server *s, struct partition *p, struct parked **list, const struct parked_for *what);
/* Answer all of them with UNAVAILABLE, and why. */
void parked_refuse_all(struct server *s, struct parked **list, const char *why);
#define ROOM_UNREAD "the room cannot be read now; try again"
void parked_drop_all(struct parked **list);

#endif
