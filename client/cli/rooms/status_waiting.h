/*
 * status_waiting.h - how many questions wait for the person, for aye status: without waiting for it.
 */
#ifndef CLIENT_CLI_ROOMS_STATUS_WAITING_H
#define CLIENT_CLI_ROOMS_STATUS_WAITING_H

#include "client/net/address.h"
#include "client/state/state_waiting.h"

/* A name could be looked for until some name server answers, and ssh takes its time; numbers, and this machine, are
 * known at once. */
bool status_is_at_hand(const struct address *a);

struct status_waiting {
	bool is_known;
	bool is_from_server;
	int64_t waiting;
	bool has_more; /* than that */
};

/*
 * From the server that is told with --server, or the usual one, where it answers until end_ms (loop_clock_ms()), else
 * what was seen there in the last hour. No server is started, nobody is logged in anew.
 */
void status_waiting_find(const struct state *state, const char *server, int64_t end_ms, struct status_waiting *out);

#define STATUS_WAITING_BYTES 40
/* "2 waiting", "50+ waiting"; "" where none are, or it is not known. */
void status_waiting_short(const struct status_waiting *w, char out[STATUS_WAITING_BYTES]);

#endif
