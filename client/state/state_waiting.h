/*
 * state_waiting.h - how many questions waited for the person at a server when somebody looked last.
 *
 * One small file for each server, for `aye status`, written without waiting for the disk.
 *
 *   waiting/HASH.json   {"server", "user_name", "waiting", "has_more", "seen_at", "asks", "asks_at"}
 *
 * A prompt may be drawn often, and a person has only so many lists an hour: so it is noted how many a
 * prompt may still ask for, which grows with time.
 */
#ifndef CLIENT_STATE_STATE_WAITING_H
#define CLIENT_STATE_STATE_WAITING_H

#include "client/model/recent_rooms.h"
#include "client/state/state.h"

/* Of the lists that a person has in an hour, a third is for prompts; so many of them at once. */
#define STATE_WAITING_ASKS     20
#define STATE_WAITING_ASK_MS   (3 * INT64_C(3600000) / MAX_QUESTION_LISTS_PER_HOUR)

struct state_waiting {
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char user_name[4 * MAX_NAME_BYTES + 1]; /* for whom they waited */
	int64_t waiting;
	bool has_more;	 /* than that */
	int64_t seen_at; /* ms since the epoch; 0: never */
	int64_t asks;	 /* lists that may be asked for at asks_at */
	int64_t asks_at;
};

/* What is known for that person; nothing, with all asks, where that is not known, or is of later than now_ms. */
void state_get_waiting(const struct state *s, const char *server, const char *user_name, int64_t now_ms,
		       struct state_waiting *out);
/* Whether one more list may be asked for now; then it counts. */
bool state_waiting_may_ask(struct state_waiting *w, int64_t now_ms);
/* Best effort: what could not be written is looked at anew. */
void state_put_waiting(const struct state *s, const struct state_waiting *w);

#endif
