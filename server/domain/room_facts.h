/*
 * room_facts.h - what a request of a room has to know of the directory before it can be decided.
 *
 * A room lives in memory, groups are in the table. So the room says what it wants to know of the caller
 * (room_wants_facts() and room_create_wants() of room.h); while a transaction reads that (room_facts_find), the request
 * waits; then it runs again, with the facts. They are as the table had them a moment ago, and nothing
 * guards them: what must hold later is looked at later.
 */
#ifndef SERVER_DOMAIN_ROOM_FACTS_H
#define SERVER_DOMAIN_ROOM_FACTS_H

#include <stdbool.h>

#include "proto/base/slice.h"
#include "proto/base/words.h"
#include "store/items.h"

struct facts_wanted {
	struct slice group_id;		     /* in which group the caller may be; empty: nobody asks */
	struct slice seat_of;		     /* whose seat the caller comes to, who may have been removed from it; likewise */
	struct slice container_id, item_id; /* which item they may read; empty likewise */
};

static inline bool facts_are_wanted(const struct facts_wanted *w)
{
	return w->group_id.len > 0 || w->item_id.len > 0;
}

/* Valid during the call that is given them. */
struct room_facts {
	struct slice user_id;  /* of the login that they are about; empty: none */
	struct slice group_id; /* as it is written; empty: the caller is in no such group */
	enum group_role role;  /* what they may in it */
	struct slice seat_of;  /* as it was asked for */
	int64_t removed_on;    /* when that user was removed from the group; 0: they were not, or are let in again */
	struct slice container_id, item_id; /* likewise; empty: there is no such item for the caller */
	struct slice item_name, item_note;
	struct slice item_quantity; /* with its unit, where that is no estimate: "1.5 l" */
	const struct group_defaults_item *defaults; /* what its new rooms begin with; NULL: what others do */
};

/* Whether the facts say that the user is in that group, with that role or a higher one. */
static inline bool facts_say(const struct room_facts *f, struct slice group_id, enum group_role least)
{
	return f != NULL && group_id.len > 0 && slice_eq(f->group_id, group_id) &&
	       (least != GROUP_OWNER || f->role == GROUP_OWNER);
}

#endif
