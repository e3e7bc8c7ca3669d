/*
 * redis_check.h - the state of a part of a check. Private to store/redis.
 *
 * First come the partitions, in parts of one SCAN:
 *   FIRST    keys of hashes and orders
 *   SECOND   each partition as a script sees it
 *   THIRD    whether the directory has the entries of rooms' items
 *   FOURTH   the items again that it does not have: whether they are still as they were
 * then the entries of the indexes:
 *   FIRST    a page of them
 *   SECOND   each entry and its item as a script sees them
 *
 * A cursor begins with 'i', followed by SCAN's, or with 'x', followed by the place of an index
 * (2 bytes) and the key of the last entry.
 */
#ifndef STORE_REDIS_REDIS_CHECK_H
#define STORE_REDIS_REDIS_CHECK_H

#include "store/base/check.h"
#include "store/redis/redis_table.h"

struct redis_check {
	/*
	 * Of partitions: for each a word, "i" or "o" and the PK. Of indexes: the place of the
	 * index (2 bytes) and the member.
	 */
	struct redis_args words;
	/* Entries of the directory: index (1 byte) and member; version of the item (8 bytes). */
	struct redis_args wanted;
	struct redis_args missing; /* of them: the same two words */
	size_t at;		   /* the next word whose answer comes */
	unsigned asked;		   /* indexes asked for a page */
	bool is_full;		   /* enough entries for one part */
	size_t next_len;
	char next[STORE_CHECK_CURSOR_BYTES_MAX]; /* the cursor of the next part */
};

/* ---- redis_check.c ---- */

/* Set the cursor of the next part. */
void redis_check_next(struct redis_check *c, char kind, struct slice head, struct slice rest);

/* ---- redis_check_index.c: the part that begins with 'x' ---- */

enum err redis_check_index_send(struct redis_job *job);
enum err redis_check_index_on_reply(struct redis_job *job, const struct redis_reply *reply);
/* Return whether the part goes on with another stage. */
bool redis_check_index_on_stage(struct redis_job *job);

#endif
