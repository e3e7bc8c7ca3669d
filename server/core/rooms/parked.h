/*
 * parked.h - requests that wait until their room, a page of its history, or facts from the
 * directory are loaded.
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

/*
 * A request that waits for something to be loaded, and is then decoded and handled as if it had
 * just arrived; it has already been counted.
 */
struct parked {
	struct conn_id conn;
	unsigned char checked_chars, runs; /* as in struct request, and so is is_guess */
	bool is_guess;
	/*
	 * its connection's later input waits: its answer may be long, or that input may depend on
	 * it
	 */
	bool is_alone;
	/* role, and user_id and group_id after the message: kept facts about its caller */
	bool has_facts;
	enum group_role role;
	size_t len, user_id_len, group_id_len;
	struct parked *next, *prev;
	char bytes[];
};

/*
 * Append a copy of the request to the list. Returns false if memory is out.
 *
 * @facts  facts about its caller and the group, kept with it and given back with it. NULL: none.
 */
bool parked_add(struct parked **list, const struct request *rq, const struct room_facts *facts);
/* Let later input of its connection wait until the request is taken. */
void parked_hold_conn(struct conn *c, struct parked *parked);
/* End that. */
void parked_let_conn(struct conn *c, struct parked *parked);
/*
 * Return whether the list has an earlier request of the same connection. A request that has run
 * more often came earlier: requests of an undone unit run again before those that have arrived
 * since.
 */
bool parked_has_before(const struct parked *list, const struct parked *parked);
/* What requests have waited for, besides their room. */
struct parked_for {
	const struct rounds_page *page;
	const struct room_facts *facts;
};
/*
 * Handle all requests of the list, in order, with what they waited for, or NULL; of those in the
 * partition's own list, only until the room has to be loaded again. A request whose connection
 * has an earlier one that still waits for something of this room continues to wait, after that
 * one.
 */
void parked_take_all(struct server *s, struct partition *p, struct parked **list, const struct parked_for *what);
/* Answer all requests with UNAVAILABLE and the reason. */
void parked_refuse_all(struct server *s, struct parked **list, const char *why);
#define ROOM_UNREAD "the room cannot be read now; try again"
void parked_drop_all(struct parked **list);

#endif
