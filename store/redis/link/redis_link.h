/*
 * redis_link.h - one connection to a Redis server, for as long as it is wanted: pipelined
 * commands in, each with a deadline; exactly one callback for each.
 *
 * No sockets, clock or randomness here: those are the net's (redis_net.h). The protocol is RESP2,
 * by hiredis' codec alone.
 *
 * Happy path: redis_link_create() connects and greets: HELLO with user and password, SELECT,
 * INFO of a master, SCRIPT LOAD of each script, PING. Only then is the link ready, and the commands that waited
 * leave, in order, as many as there are. Replies come in that order, too.
 * The connection fails, or Redis answers the greeting with an error (LOADING, a wrong password),
 * or is a replica where a master is needed: the link rests, twice as long each time, half of it at
 * random, and begins again, for ever. redis_link_why() says why, for people.
 * A command that was not sent whole before a connection ended waits for the next one. One that was
 * sent and not answered ends with REDIS_END_LOST: it is the caller who knows whether it may run
 * twice.
 * A deadline: the command ends with LATE, or UNSENT if it was not sent; a reply that comes later is
 * dropped, and those behind it are still told apart. A server that is silent for SILENT_MS while
 * replies are due, or a greeting that takes longer, ends the connection. An idle one is pinged.
 * READONLY or MASTERDOWN (a master was demoted): nothing more is sent on this connection; it ends
 * as soon as the replies that are due have come.
 * NOSCRIPT: the script is loaded, and the command is sent again behind what was sent meanwhile. If
 * another command must run after a script's, such as WAIT, send it from the script's callback.
 * Garbage, and replies beyond the limits below: the connection ends.
 *
 * Callbacks run inside redis_link_on_*() and redis_link_destroy(), never inside redis_link_send().
 * A callback may send; it must not destroy the link.
 *
 * Life:    redis_link_create() .. redis_link_destroy(), which accepts NULL.
 * Threads: loop thread only.
 */
#ifndef STORE_REDIS_REDIS_LINK_H
#define STORE_REDIS_REDIS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/redis/link/redis_address.h"
#include "store/redis/link/redis_net.h"
#include "store/redis/link/redis_reply.h"

#define REDIS_COMMANDS_MAX	65536	    /* not yet answered, of one link */
#define REDIS_COMMANDS_BYTES	(96u << 20) /* the same, of all their arguments; with what frames them */
#define REDIS_REPLY_BYTES_MAX	(64u << 20)
#define REDIS_REPLY_NODES_MAX	(1u << 18)  /* elements of a reply, at all depths */
#define REDIS_REPLY_LINE_MAX	16384	    /* bytes of a status or an error */
#define REDIS_SCRIPTS_MAX	32

#define REDIS_GREETING_MS	3000 /* from connecting until ready */
#define REDIS_SILENT_MS		5000 /* no byte came although replies are due: longer than any WAIT */
#define REDIS_PING_MS		2000 /* no byte came, and none is due: ask for one */
#define REDIS_REST_MS		50   /* before the second attempt; doubled up to: */
#define REDIS_REST_MS_MAX	2000
#define REDIS_STEADY_MS		2000 /* ready for so long: the next rest is a short one again */

struct redis_link;

/*
 * @reply  of OK and of all ends with a code, and REFUSED; else NULL. Valid until the callback
 *         returns.
 */
typedef void redis_end_cb(void *arg, enum redis_end end, const struct redis_reply *reply);

struct redis_link_handler {
	/*
	 * The link has become ready, or a connection or an attempt has ended:
	 * redis_link_is_ready(), redis_link_why(). May send. May be NULL, as may the next.
	 */
	void (*on_change)(void *arg);
	/* A publication on the channel. */
	void (*on_publication)(void *arg, struct slice body);
	/* The time of redis_link_wake() has come. May send, and wake again. */
	void (*on_time)(void *arg);
	void *arg;
};

struct redis_link_config {
	const struct redis_net *net;	     /* borrowed until the link is destroyed */
	const struct redis_address *address; /* copied */
	bool needs_master;		     /* rest until the server says that it is one */
	/*
	 * Commands that wait when a connection ends end with UNSENT, instead of waiting for the next
	 * one: so a caller who repeats what was LOST can keep the order of all.
	 */
	bool ends_unsent;
	/*
	 * SSUBSCRIBE to this channel as a part of each greeting; such a link sends no commands.
	 * on_change follows each time: what was published in between was missed. Empty: none.
	 */
	struct slice channel;
	/* texts of scripts, borrowed until the link is destroyed */
	const struct slice *scripts;
	size_t scripts_n;
	struct redis_link_handler on;
};

/* Create a link, which begins to connect. ERR_NOMEM. */
NODISCARD enum err redis_link_create(const struct redis_link_config *c, struct redis_link **out);

/* End every command: UNSENT or LOST. Callbacks that send get ERR_CLOSED. */
void redis_link_destroy(struct redis_link *l);

/*
 * Connect there from now on, after a short rest; `address` is copied. A connection, or an attempt, ends: as one
 * that was lost, for those whose commands are under way. May be called in callbacks of other links, and in
 * on_change and on_time of this one.
 */
void redis_link_move(struct redis_link *l, const struct redis_address *address);

/* ---- commands ---- */

#define REDIS_NO_SCRIPT (-1)
struct redis_command {
	/* index in config.scripts: `args` are what follows EVALSHA and its hash, so the first is the number of keys */
	int script;
	const struct slice *args; /* copied */
	size_t n;
	int64_t within_ms; /* for the reply, from now on; above 0 */
};

/*
 * Queue a command. It leaves with redis_link_flush().
 *
 * ERR_BUSY       REDIS_COMMANDS_MAX or REDIS_COMMANDS_BYTES are waiting.
 * ERR_NOMEM, ERR_CLOSED  the callback is not called, as after ERR_BUSY.
 */
NODISCARD enum err redis_link_send(struct redis_link *l, const struct redis_command *c, redis_end_cb *cb, void *arg);

/* Send what waits, if the link is ready. Call once for all commands of a turn; callbacks need not. */
void redis_link_flush(struct redis_link *l);

/*
 * Call on_time once at that time, or as soon as possible if it is past; replaces an earlier wish. For
 * callers who have something to do whether or not anything comes, such as repeating a command after
 * a pause.
 */
void redis_link_wake(struct redis_link *l, int64_t at_ms);

/* ---- state ---- */

#define REDIS_HISTORY_BYTES 64

/* What the last greeting has said; all zero before. */
struct redis_server {
	char version[24]; /* "7.0.15" */
	int32_t major;	  /* 7 */
	bool is_master;
	bool is_cluster;
	/*
	 * Where a master is needed: names what has been written there, as one sequence. After a failover, a
	 * restart, and now and then it is another
	 */
	char history[REDIS_HISTORY_BYTES];
};

bool redis_link_is_ready(const struct redis_link *l);
/* Why the link is not ready, or was not last time; for people, without secrets; "" at first. */
const char *redis_link_why(const struct redis_link *l);
/* How the greeting ended last: what a start that waits for the link must tell apart. OK while ready. */
enum redis_end redis_link_greeted(const struct redis_link *l);
const struct redis_server *redis_link_server(const struct redis_link *l);
/* For how long replies have been due and nothing has come; 0: none is due. */
int64_t redis_link_silent_ms(const struct redis_link *l);
/* Number of commands whose callback has not run. */
size_t redis_link_pending(const struct redis_link *l);

struct redis_counters {
	uint64_t connections; /* that became ready */
	uint64_t attempts;
	uint64_t commands;    /* sent, and sent again */
	uint64_t ends[REDIS_END_COUNT];
	uint64_t scripts_missing; /* NOSCRIPT, and loaded again */
	uint64_t bytes_sent;
	uint64_t bytes_received;
};
void redis_link_counters(const struct redis_link *l, struct redis_counters *out);

/* ---- events, from the net ---- */

void redis_link_on_open(struct redis_link *l);
void redis_link_on_bytes(struct redis_link *l, struct slice bytes);
/* The connection accepts bytes again. */
void redis_link_on_room(struct redis_link *l);
/* The connection has ended, or the attempt to connect. why: for people. */
void redis_link_on_end(struct redis_link *l, const char *why);
void redis_link_on_time(struct redis_link *l);

#endif
