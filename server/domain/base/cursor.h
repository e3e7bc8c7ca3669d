/*
 * cursor.h - a place in a list as clients carry it: what they bring back is taken only where it was made
 * for this list and this user, and it tells them nothing: the entry where a page ends may be one that they may not see.
 */
#ifndef SERVER_DOMAIN_BASE_CURSOR_H
#define SERVER_DOMAIN_BASE_CURSOR_H

#include "server/domain/txn.h"

#define CURSOR_ID_BYTES_MAX 23

/* The last entry of a page: by what the list is sorted, and which one it is; an empty id: before the first. An id has at most CURSOR_ID_BYTES_MAX (asserted). */
struct place {
	int64_t at;
	struct slice id;
};

/*
 * The cursor of the page behind it, in t->arena.
 *
 * @list  which list, with all that the request says of it.
 */
struct slice cursor_write(struct txn *t, struct slice list, const struct place *place);

/* The place of a request's cursor, in t->arena; of an empty one that before the first. False with t->fault where it was not
 * made for that list and user. */
bool cursor_read(struct txn *t, struct slice list, struct slice cursor, struct place *place);

/* A place's id of two public ids, or of the first alone where the second is empty: their letters, as ids with prefixes would not fit. */
struct slice place_pair(struct txn *t, struct slice first, struct slice second);

/* The nth of them, 0 or 1, with its prefix of two bytes; empty where the place has none. */
struct slice place_of_pair(struct txn *t, const struct place *place, const char *prefix, size_t nth);

#endif
