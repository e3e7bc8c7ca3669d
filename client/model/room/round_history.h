/*
 * round_history.h - a room's history as far as it was fetched, the newest round first.
 *
 * Takes the pages of round.list. Pure; what is in here is softened and owned
 * as in replica.h.
 *
 * Life: a zeroed struct .. round_history_finish().
 */
#ifndef CLIENT_MODEL_ROOM_ROUND_HISTORY_H
#define CLIENT_MODEL_ROOM_ROUND_HISTORY_H

#include "client/model/room/replica.h"

struct round_history {
	struct round_view **items; /* each by record_own() */
	size_t n;
	char *cursor; /* for the next page; NULL: that was all */
};

void round_history_finish(struct round_history *r);

/*
 * A page of round.list.
 *
 * @is_first  it begins with the newest round, and replaces what was there; older
 *            rounds stay where the page reaches down to one that is there, so
 *            that a short page brings a long history up to date.
 */
void round_history_take(struct round_history *r, const struct round_list_result *page, bool is_first);

#endif
