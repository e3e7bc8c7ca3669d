/*
 * cursor.h - cursors of lists, as sent to clients. A cursor is accepted only for the list and the
 * user it was made for, and clients learn nothing from it: the entry at the end of a page may be
 * one that they may not see.
 */
#ifndef SERVER_DOMAIN_BASE_CURSOR_H
#define SERVER_DOMAIN_BASE_CURSOR_H

#include "server/domain/txn.h"

#define CURSOR_ID_BYTES_MAX 23

/*
 * The last entry of a page: its sort attribute and its id; empty id: before the first entry. An
 * id has at most CURSOR_ID_BYTES_MAX bytes (asserted).
 */
struct place {
	int64_t at;
	struct slice id;
};

/*
 * Return the cursor of the page after `place`, in t->arena.
 *
 * @list  identifies the list, with all parameters of the request that define it.
 */
struct slice cursor_write(struct txn *t, struct slice list, const struct place *place);

/*
 * Set *place from the cursor of a request, in t->arena; for an empty cursor, before the first
 * entry. Returns false with t->fault if the cursor was not made for this list and user.
 */
bool cursor_read(struct txn *t, struct slice list, struct slice cursor, struct place *place);

/*
 * Return the SK of an item of this kind after which a page continues, in t->arena; empty if the
 * rest of it is: from the beginning.
 */
struct slice place_sk(struct txn *t, enum item_kind kind, struct slice after);

/*
 * Combine two public ids, or only the first if the second is empty, into the id of a place:
 * without their prefixes, which would not fit.
 */
struct slice place_pair(struct txn *t, struct slice first, struct slice second);

/*
 * Return the nth of the two ids, 0 or 1, with its prefix of two bytes; empty if the place has
 * none.
 */
struct slice place_of_pair(struct txn *t, const struct place *place, const char *prefix, size_t nth);

#endif
