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
#include "tests/sim/sizes.h"

struct sim_node;

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
	const struct sim_node *node; /* at which it was last used */
	uint64_t life;          /* of its server then */
	uint64_t gone_number;   /* the last publication when the disk had it no more; 0: it has it */
	int64_t gone_mono;
	unsigned jumps;         /* of the wall clock, when it was last used */
	uint64_t faults;        /* likewise */
	uint64_t conflicts;     /* likewise */
};

#define SIM_NAMES_MAX 32

/* Public names, in any order. */
struct sim_names {
	size_t n;
	char all[SIM_NAMES_MAX][20];
};

/* Whether a connection watches its user's sessions, and what it knows of them, judged by what left. */
struct sessions_watch {
	bool is_on;
	bool is_unsure; /* its session changed while it asked: whether it watches is not certain */
	bool is_reset;  /* not all was sent: what it knows is not compared, and what comes after that follows the reset */
	int64_t ended_mono; /* when it was told that its own session has ended */
	int64_t version;
	char user_id[20];
	char own[20]; /* the connection's session when it asked */
	struct sim_names sessions, rooms;
	int64_t nudged_mono[SIM_ROOMS_MAX]; /* as of struct conn, of session.nudged */
};

/* Whether a connection watches a group, and what it knows of it, likewise. */
struct group_copy {
	bool is_on;
	bool is_paged;	/* users are those of a page, and of what came after it */
	size_t session; /* of the connection, when it asked */
	int64_t epoch, version;
	char group_id[20];
	char name[SIM_NAME_BYTES];
	int64_t count;
	struct group_copy_user {
		char user_id[20];
		char name[SIM_NAME_BYTES];
		enum group_role role;
	} users[SIM_NAMES_MAX];
	size_t users_n;
};

#define SIM_ITEMS_MAX 96

/* Whether a connection watches a container, and what it knows of it, likewise. */
struct container_copy {
	bool is_on;
	bool is_paged;	/* items are those of its pages, and of what came after each */
	bool is_short;	/* there were more than it takes */
	size_t session; /* of the connection, when it asked */
	int64_t epoch, version;
	char container_id[20];
	char name[SIM_NAME_BYTES];
	int64_t count;
	uint64_t walk; /* which list of pages it reads: a number of the connection; 0: none */
	struct container_copy_item {
		char item_id[20];
		int64_t revision; /* 0: it went, with the update to version */
		int64_t version;
		uint64_t what; /* a hash of the rest */
	} items[SIM_ITEMS_MAX];
	size_t items_n;
};

struct sessions {
	struct session *all;
	size_t n, capacity;
};

struct world;
struct conn;
struct op;
struct table_row;

/* ---- session_life.c ---- */

/* session.login, assert, resume, whoami, watch, unwatch and logout; and user.delete, which logs out. */
bool sessions_is_method(enum method method);
/* Those after which its connection may have another session. */
bool sessions_may_change(enum method method);
/* session.login, or session.assert, which is one by ssh: without a token that anybody is given. */
bool sessions_begins(enum method method);
/* NULL: none. */
struct session *session_of_token(struct world *w, const char *token);
struct session *session_of_once(struct world *w, const struct op *op);
struct session *session_of_hash(struct world *w, const char *hash);
struct session *session_of_conn(const struct world *w, const struct conn *c);
/* The user_id of the member's key; NULL: nobody has logged in with it. */
const char *session_user_of_key(const struct world *w, int member);

/* How long one lives that is not used, in ms. */
int64_t session_life(const struct world *w);
/* By so much what the disk says of a session may be behind: of several servers each writes back seldom. */
int64_t session_grace(const struct world *w);
/* Whether the server at which it was last used is there yet. */
bool session_is_of_life(const struct session *s);
/* Of several servers: the one of the connection has not heard yet that the session is gone from the disk. */
bool session_end_is_unheard(const struct world *w, const struct session *s, const struct conn *c);
/* Whether no call but op that has not been answered may change whose session the connection has. */
bool sessions_is_settled(const struct world *w, uint32_t conn, const struct op *op);
/* The connection had the session of that call all the time since it came: a subscription ends with a change, also with one there and back. */
bool sessions_has_stayed(const struct world *w, const struct conn *c, const struct op *op);
/* What is certain of it; neither may be. op is the call that is just looked at, or NULL. */
bool session_is_in_use(struct world *w, const struct session *s, const struct op *op);
bool session_is_surely_over(struct world *w, const struct session *s, const struct table_row *row, int64_t wall_ms,
			    const struct op *op);
bool session_is_surely_live(const struct world *w, const struct session *s, const struct table_row *row, int64_t wall_ms);
/* A call in a room that waits for it, or for facts about its caller, came before this one on its connection, which is read no
 * further meanwhile. */
bool session_call_is_held_up(const struct world *w, const struct op *op);
/* A call on it has come; a call that was granted has used it. */
void session_use(struct world *w, struct session *s, const struct op *op);
void session_is_used(const struct world *w, struct session *s, const struct op *op);

/* session_watch.c: an answer to session.watch is on its way, with all that is sent before it. */
bool watch_is_asked_for(const struct world *w, const struct conn *c);

#endif
