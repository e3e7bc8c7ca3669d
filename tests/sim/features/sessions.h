/*
 * sessions.h - what the oracle knows of the sessions that were given out, by
 * the answers that left and by what is on the disk.
 */
#ifndef TESTS_SIM_SESSIONS_H
#define TESTS_SIM_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One that was given out. It lives as long as the disk has it. */
struct session {
	char token[44];
	char hash[44]; /* as the table has it */
	char user_id[20];
	char user_name[32];
	char once[40]; /* idempotency_key of the login that began it; "" none */
	int member;
	bool is_keyed;
	int64_t used_wall;      /* last call of a connection that may have it, as far as is known */
	int64_t used_mono;      /* the same by the clock that never jumps */
	int64_t sure_mono;      /* last call that certainly was one on it, while it lived */
	bool has_lapsed;        /* a connection that has it called after it had been idle for its life */
	uint64_t life;          /* of the server, when it was last used */
	unsigned jumps;         /* of the wall clock, when it was last used */
	uint64_t faults;        /* likewise */
};

/* Whether a connection watches its user's sessions, judged by what left. */
struct sessions_watch {
	bool is_on;
	bool is_unsure; /* its session changed while it asked: whether it watches is not certain */
	int64_t version;
	char user_id[20];
	char own[20]; /* the connection's session when it asked */
};

struct sessions {
	struct session *all;
	size_t n, capacity;
};

#endif
