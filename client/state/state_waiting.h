/*
 * state_waiting.h - the last known number of questions waiting for the user at a server.
 *
 * One small file per server, for `aye status`, written without syncing.
 *
 *   waiting/HASH.json   {"server", "user_name", "waiting", "has_more", "seen_at", "asks", "asks_at"}
 *
 * A shell prompt may be drawn often, and the server limits the lists per user and hour: so the file
 * has a token bucket of the lists that prompts may request.
 */
#ifndef CLIENT_STATE_STATE_WAITING_H
#define CLIENT_STATE_STATE_WAITING_H

#include "client/model/recent_rooms.h"
#include "client/state/state.h"

/*
 * The size of the bucket, and the time for one list: prompts get a third of the user's lists per
 * hour.
 */
#define STATE_WAITING_ASKS     20
#define STATE_WAITING_ASK_MS   (3 * INT64_C(3600000) / MAX_QUESTION_LISTS_PER_HOUR)

struct state_waiting {
	char server[RECENT_SERVER_BYTES_MAX + 1];
	char user_name[4 * MAX_NAME_BYTES + 1]; /* the user they wait for */
	int64_t waiting;
	bool has_more;	 /* there are more than `waiting` */
	int64_t seen_at; /* ms since the epoch; 0: never */
	int64_t asks;	 /* lists in the bucket at asks_at */
	int64_t asks_at;
};

/*
 * Read the file of that user; empty, with a full bucket, if there is none, or it is from after
 * now_ms.
 */
void state_get_waiting(const struct state *s, const char *server, const char *user_name, int64_t now_ms,
		       struct state_waiting *out);
/* Take a list from the bucket; returns false if it is empty. */
bool state_waiting_may_ask(struct state_waiting *w, int64_t now_ms);
/* Write the file. Failures are ignored: the list is then requested again. */
void state_put_waiting(const struct state *s, const struct state_waiting *w);

#endif
