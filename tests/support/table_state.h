/*
 * table_state.h - all that a table holds, to compare it with what it held at another time.
 */
#ifndef TESTS_SUPPORT_TABLE_STATE_H
#define TESTS_SUPPORT_TABLE_STATE_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"

struct table_state {
	unsigned char hash[32]; /* of every key and value, indexes and tokens as well */
	struct buf text;	/* its items as lines of `ayed dump --hidden-votes`, with a zero byte behind them */
};

/* Read the data in a directory; false, with *why set, where an item or more cannot be read. `text` may be left out. */
bool table_state_read(const char *directory, bool with_text, struct table_state *out, struct errmsg *why);
void table_state_finish(struct table_state *t);

/*
 * Every number that stands for others is that many: users and containers of a group, groups of a user, items of
 * a container, answers of a question and of a person, open questions of an asker, items and rounds of a room.
 * The text is that of a table_state; false with the first that is not in *why.
 */
bool table_state_agrees(const struct table_state *t, struct errmsg *why);

/* Open the data as a server does: no damage is found, and something can be written. False with *why set. */
bool table_state_serves(const char *directory, struct errmsg *why);

#endif
