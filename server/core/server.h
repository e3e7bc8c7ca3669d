/*
 * server.h - the whole server as one deterministic function.
 *
 * Events go in, effects come out. No sockets, clock, disk or randomness below
 * this line: time and random bytes are part of the events, and whatever has to
 * happen outside is an effect for the caller to perform. server/net does it
 * with libuv and the store, tests/sim with a fake network, disk and clock.
 * The same config and events give the same effects, byte for byte.
 *
 * Use:
 *   for each thing that happened:  server_step(s, &event, fx)
 *   when nothing more is at hand:  server_turn(s, now, fx)     (closes units of work, marks connections with output)
 *   perform the effects, in order; then, while server_next_output() names a
 *   connection: server_gather(), write, server_wrote().
 *
 * Of store.h only the types are used here: the caller calls the store.
 *
 * Performing an effect never calls back into server_step(); what comes of it is
 * an event of its own, later.
 *
 * Threads: loop thread only.
 */
#ifndef SERVER_CORE_SERVER_H
#define SERVER_CORE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "server/core/counters.h"
#include "store/store.h"

struct server;
struct machine_trace;

struct server_config {
	unsigned char server_key[SEED_BYTES]; /* keys every hash in the table; kept beside the data */
	unsigned char seed[SEED_BYTES];       /* first randomness */
	int64_t limits[LIMIT_COUNT];
	size_t room_code_chars; /* CODE_CHARS to CODE_CHARS_MAX; once shared, SHARED_CODE_CHARS at least */
	int64_t now_ms;
	bool has_kiosk;     /* kiosk_uid is that of the host's ssh kiosk: its word says who has which ssh key */
	uint32_t kiosk_uid;
	bool has_command; /* that FX_COMMAND can run: notices go to it */
	const struct machine_trace *trace; /* is given the moves of all state machines (machine.h); NULL: none. Outlives the server */
};

/* The limits of the table, CODE_CHARS, zero keys. */
void server_config_defaults(struct server_config *c);

/* ERR_NOMEM. */
NODISCARD enum err server_create(const struct server_config *c, struct server **out);
/* NULL is fine. Commits and loads on their way are forgotten: finish the store first. */
void server_destroy(struct server *s);

/*
 * A connection, named by its owner: slot is small and reused (an index into the
 * owner's table), generation differs each time the slot is used again, so that
 * late news of an earlier connection is recognised and dropped.
 */
struct conn_id {
	uint32_t slot;
	uint32_t generation;
};

enum peer_kind { PEER_UNIX, PEER_LOOPBACK, PEER_NETWORK };
struct peer {
	enum peer_kind kind;
	bool is_owner;             /* unix socket, and the uid is the server's own or root */
	uint32_t uid;              /* of a unix peer */
	unsigned char address[16]; /* IPv6 or IPv4-mapped, IPv6 already cut to /64; zero for unix */
};

/* Two clocks: wall time is for people and lifetimes that survive a restart, monotonic time for everything that waits. */
struct clocks {
	int64_t wall_ms; /* since the epoch; may jump */
	int64_t mono_ms; /* never goes back within a run */
};

enum event_kind {
	EVENT_OPEN,      /* conn, peer */
	EVENT_BYTES,     /* conn, bytes */
	EVENT_EOF,       /* conn: the peer sends no more, but may still read what it is owed */
	EVENT_CLOSED,    /* conn: the peer is gone, or FX_CLOSE was performed; nothing more comes of it */
	EVENT_TICK,      /* time; random: SEED_BYTES fresh bytes, or empty */
	EVENT_LOADED,    /* ticket, result, items, version, has_more */
	EVENT_DUE,       /* ticket, result, items, next: is_partial: what FX_QUERY found */
	EVENT_COUNTED,   /* ticket, result, n: how many FX_COUNT found */
	EVENT_COMMITTED, /* ticket, result, version, has_more */
	EVENT_SHARED,    /* conn, ticket, result, addresses, fingerprint: what became of FX_SHARE; where it failed, bytes says why */
	EVENT_COMMANDED, /* ticket, result: how the run ended that FX_COMMAND asked for. OK; ERR_IO it failed; any other: it could not be */
	EVENT_STOP       /* end every connection; no new work from now on */
};

struct event {
	enum event_kind kind;
	struct clocks now;
	struct conn_id conn;
	struct peer peer;
	struct slice bytes;
	uint64_t ticket;
	enum err result;
	const struct store_item *items;
	size_t n;
	uint64_t version;
	bool has_more;     /* the limit of the load, or of a delete, left items */
	struct slice next; /* cursor of the next page of the query, empty at the end */
	bool is_partial;   /* the query may have more, which cannot be read: as store_query_cb has it */
	struct slices addresses;
	struct slice fingerprint; /* of those with tls://; empty: there are none */
	bool has_listener; /* a listener that was asked for is there */
};

enum effect_kind {
	FX_CLOSE,    /* conn: write what server_gather() still has, as far as the socket takes it at once, then close */
	FX_PAUSE,    /* conn: read no more until FX_RESUME */
	FX_RESUME,   /* conn */
	FX_LOAD,     /* ticket, load: answer with EVENT_LOADED */
	FX_QUERY,    /* ticket, query: answer with EVENT_DUE */
	FX_COUNT,    /* ticket, query: how many entries it would list, up to its limit; no cursor. Answer with EVENT_COUNTED */
	FX_SHARE,    /* conn, ticket, address: listen there for others, too; empty: only say where others come. Answer with EVENT_SHARED */
	FX_COMMAND,  /* ticket, input: run the command for notices with that as its standard input. Answer with EVENT_COMMANDED */
	FX_COMMIT,   /* ticket, ops, n, token: answer with EVENT_COMMITTED. Slices in it are valid until the next server_step() or server_turn() */
	FX_LOG       /* log: one line, already key=value, without newline or secrets */
};

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct effect {
	enum effect_kind kind;
	struct conn_id conn;
	uint64_t ticket;
	struct store_load load; /* its slices, and the query's, are valid as long as those of FX_COMMIT */
	struct store_query query;
	const struct store_op *ops;
	size_t n;
	struct store_token token; /* all zero: none */
	struct slice address; /* valid as long as the slices of FX_COMMIT */
	struct slice input;   /* a line; valid until it is answered */
	enum log_level level;
	struct slice log; /* valid as long as the slices of FX_COMMIT */
};

/* A list the core appends to and the caller empties. Life: a zeroed struct .. effects_finish(). */
struct effects {
	struct effect *items;
	size_t n;
	size_t capacity;
};
void effects_finish(struct effects *fx);

/*
 * Take one event. Running out of memory is not reported here: it costs the
 * request or the connection that needed it, and the rest goes on.
 */
void server_step(struct server *s, const struct event *e, struct effects *fx);

/*
 * End of a loop turn: every changed partition that has nothing on its way
 * becomes one commit (or, where nothing durable changed, is published at once),
 * and the connections with something to read become output.
 */
void server_turn(struct server *s, struct clocks now, struct effects *fx);

/* When server_step(EVENT_TICK) and server_turn() are wanted next, on the monotonic clock: at most a second away, in the past where another turn is wanted at once. */
int64_t server_deadline(const struct server *s);

/* ---- output ---- */

/*
 * The next connection that has bytes to write and is not blocked; false when
 * there is none. Each is named once until it gets more. Takes turns between
 * rooms: after OUTPUT_SLICE connections of a room that has more than
 * OUTPUT_TURN, others come first.
 */
bool server_next_output(struct server *s, struct conn_id *conn);

/*
 * How many connections to write to before looking what others have sent:
 * OUTPUT_TURN, or OUTPUT_SLICE while a large room has something to send, so
 * that the small ones do not wait for it.
 */
size_t server_output_turn(const struct server *s);
#define OUTPUT_TURN  256
#define OUTPUT_SLICE 64

/*
 * What that connection should be sent, as up to max slices, without copying.
 * Valid until server_wrote() for the same connection, or the next step or turn.
 */
size_t server_gather(struct server *s, struct conn_id conn, struct slice *out, size_t max);

/*
 * n bytes of that went out. With blocked, the socket takes no more: the
 * connection is named again only after server_writable().
 */
void server_wrote(struct server *s, struct conn_id conn, size_t n, bool blocked, int64_t mono_ms);
void server_writable(struct server *s, struct conn_id conn);

/* After EVENT_STOP: whether every unit of work has been answered and every answer written or given up. */
bool server_is_idle(const struct server *s);

/* Counts what only the event loop sees (refused connections, bytes, how long a turn takes). Valid as long as the server. */
struct counters *server_counters(struct server *s);

/*
 * Have other limits, those of the protocol excepted, for what begins from now on; what
 * is being waited for keeps its time. session.hello says them to those that come.
 * ERR_NOMEM  those before stay in force.
 */
NODISCARD enum err server_set_limits(struct server *s, const int64_t limits[LIMIT_COUNT]);

/*
 * Read-only, for tests: the full room.update as its subscribers will be sent
 * it, appended to out; ERR_NOT_FOUND where the room is not in memory.
 */
struct buf;
enum err server_peek_room(struct server *s, struct slice room_id, struct buf *out);
/* What that room is to do by itself now (a row of room_due.h), or NULL; static. */
const char *server_peek_due(struct server *s, struct slice room_id, struct clocks now);

#endif
