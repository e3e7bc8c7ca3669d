/*
 * status_waiting.h - the number of questions waiting for the user, for aye status, in limited time.
 */
#ifndef CLIENT_CLI_ROOMS_STATUS_WAITING_H
#define CLIENT_CLI_ROOMS_STATUS_WAITING_H

#include "client/net/transport/address.h"
#include "client/state/state_waiting.h"

/*
 * Whether connecting is fast: the address is a number or on this machine. Resolving a name may take
 * long, and so may ssh.
 */
bool status_is_at_hand(const struct address *a);

struct status_waiting {
	bool is_known;
	bool is_from_server;
	int64_t waiting;
	bool has_more; /* there are more than `waiting` */
};

/*
 * Ask the server of --server, or the default one, if it answers by end_ms (loop_clock_ms());
 * otherwise take the number stored within the last hour. Starts no server and makes no new login.
 */
void status_waiting_find(const struct state *state, const char *server, int64_t end_ms, struct status_waiting *out);

#define STATUS_WAITING_BYTES 40
/* Write "2 waiting" or "50+ waiting"; "": none, or not known. */
void status_waiting_short(const struct status_waiting *w, char out[STATUS_WAITING_BYTES]);

#endif
