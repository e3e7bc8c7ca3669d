/*
 * round_history.h - the part of a room's history fetched so far, the newest round first.
 *
 * Takes the pages of round.list. Pure; all text is softened and owned, as in
 * replica.h.
 *
 * Life: a zeroed struct .. round_history_finish().
 */
#ifndef CLIENT_MODEL_ROOM_ROUND_HISTORY_H
#define CLIENT_MODEL_ROOM_ROUND_HISTORY_H

#include "client/model/room/replica.h"

struct round_history {
	struct round_view **items; /* each by record_own() */
	size_t n;
	char *cursor; /* of the next page; NULL: there is none */
};

void round_history_finish(struct round_history *r);

/*
 * Add a page of round.list.
 *
 * @is_first  it starts with the newest round, and replaces what was there; older
 *            rounds are kept if the page reaches down to a known one, so that a
 *            short page updates a long history.
 */
void round_history_take(struct round_history *r, const struct round_list_result *page, bool is_first);

#endif
