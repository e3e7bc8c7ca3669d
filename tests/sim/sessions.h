/*
 * sessions.h - what the oracle knows of the sessions that were given out, by
 * the answers that left and by what is on the disk.
 */
#ifndef TESTS_SIM_SESSIONS_H
#define TESTS_SIM_SESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/methods.h"
#include "store/store.h"

struct world;
struct conn;
struct op;
struct sim_commit;

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
	int64_t renewed_mono;   /* last write-back that did not fail; 0: none in this life of the server */
	unsigned renewed_jumps; /* of the wall clock, when that was asked for */
	uint64_t life;          /* of the server, when it was last used */
	unsigned jumps;         /* of the wall clock, when it was last used */
	uint64_t faults;        /* likewise */
};

struct sessions {
	struct session *all;
	size_t n, capacity;
};

/* A call has been delivered: note what it is judged by. Of every connection, for any call is use. */
void sessions_delivered(struct world *w, struct conn *c, struct op *op);
/* An answer leaves. */
void sessions_granted(struct world *w, struct conn *c, const struct op *op, const union method_result *result);
/* session.update leaves. */
void sessions_told(struct world *w, struct conn *c, const struct session_update *u);
/* Whether a refusal had its reason. */
bool sessions_refused(struct world *w, struct conn *c, const struct op *op, enum fault_code code);
/* A commit of the directory is asked for, has failed, and before it is applied to the table as done. */
void sessions_asked(struct world *w, const struct sim_commit *c);
void sessions_failed(struct world *w, const struct sim_commit *c);
void sessions_durable(struct world *w, const struct sim_commit *c);
/* What holds of the table at all times. */
void sessions_check(struct world *w);
/* A server has started: what only the one before knew is gone. */
void sessions_restarted(struct world *w);
void sessions_finish(struct world *w);

/* Whether the method is one of session.login, resume, whoami, watch, logout. */
bool sessions_is_method(enum method method);

#endif
