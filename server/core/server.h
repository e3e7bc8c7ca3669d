/*
 * server.h - the interface of the server core: one deterministic function.
 *
 * Events go in, effects come out. The core uses no sockets, clock, disk or randomness: time and
 * random bytes are part of the events, and everything that has to happen outside is an effect,
 * which the caller performs. server/net performs them with libuv and the store; tests/sim with a
 * simulated network, disk and clock. The same config and events give the same effects, byte for
 * byte.
 *
 * Use:
 *   for each event:            server_step(s, &event, fx)
 *   when no event is waiting:  server_turn(s, now, fx)
 *   perform the effects, in order; then, while server_next_output() names a
 *   connection: server_gather(), write, server_wrote().
 *
 * The core uses only the types of store.h: the caller calls the store.
 *
 * Performing an effect never calls server_step(); its result is a separate, later event.
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

/* Longest address of a node: with its scheme, the brackets of an IPv6 address, and its port. */
#define NODE_ADDRESS_CHARS 271

struct server_config {
	/* the key of every keyed hash in the table; stored next to the data */
	unsigned char server_key[SEED_BYTES];
	unsigned char seed[SEED_BYTES];       /* seed of the random generator */
	int64_t limits[LIMIT_COUNT];
	/*
	 * length of room codes: CODE_CHARS to CODE_CHARS_MAX; on a shared server at least
	 * SHARED_CODE_CHARS
	 */
	size_t room_code_chars;
	int64_t now_ms;
	/*
	 * whether kiosk_uid is the uid of the host's ssh kiosk, which is trusted to say which ssh
	 * key a user has
	 */
	bool has_kiosk;
	uint32_t kiosk_uid;
	/* whether FX_COMMAND has a command to run: notifications are passed to it */
	bool has_command;
	/*
	 * number of this node, one of several that share the table: chosen at random for each run;
	 * 0: there are no others, and nothing of cluster.h happens
	 */
	uint64_t node;
	/* what others know of this node (struct cluster_node); empty where there is no node */
	char node_address[NODE_ADDRESS_CHARS + 1];
	char node_announce[NODE_ADDRESS_CHARS + 1];
	/*
	 * receives the transitions of all state machines (machine.h); NULL: none. Must outlive
	 * the server
	 */
	const struct machine_trace *trace;
};

/*
 * Set all limits to their defaults (limits.h), room_code_chars to CODE_CHARS, and everything else
 * to zero.
 */
void server_config_defaults(struct server_config *c);

/* Create a server. ERR_NOMEM leaves *out untouched. */
NODISCARD enum err server_create(const struct server_config *c, struct server **out);
/*
 * Destroy the server; s may be NULL. Commits and loads in progress are forgotten: close the store
 * first.
 */
void server_destroy(struct server *s);

/*
 * The id of a connection, assigned by its owner: slot is small and reused (an index into the
 * owner's table); generation changes each time the slot is reused, so that a late event of an
 * earlier connection is recognised and dropped.
 */
struct conn_id {
	uint32_t slot;
	uint32_t generation;
};

enum peer_kind { PEER_UNIX, PEER_LOOPBACK, PEER_NETWORK };
struct peer {
	enum peer_kind kind;
	bool is_owner;             /* a unix-socket peer whose uid is the server's own or root */
	/*
	 * it came to another node, which forwarded it and says who it is; and that it is the ssh
	 * kiosk of that node's host
	 */
	bool is_forwarded, is_kiosk;
	uint32_t uid;              /* of a unix peer */
	/* IPv6 or IPv4-mapped; IPv6 is already cut to its /64; zero for unix sockets */
	unsigned char address[16];
};

/*
 * A node as the list of nodes has it. Versions count up from 1: a node can talk to another one that
 * has its version of the preface, the beginning of a connection from node to node, and can read
 * what one with its version of the items wrote.
 */
#define NODE_PREFACE_VERSION 1
#define NODE_ITEMS_VERSION   1
struct cluster_node {
	uint64_t number;
	bool is_leaving; /* it is about to end, and is home of nothing any more */
	bool has_left;	 /* and has given all its rooms up, and published what they had for others */
	uint32_t preface_version;
	uint32_t items_version;
	int64_t limits;	  /* of nodes that have the same limits the same number (node_record.h) */
	bool has_command; /* as in its config */
	char address[NODE_ADDRESS_CHARS + 1];  /* HOST:PORT, where it listens for other nodes */
	char announce[NODE_ADDRESS_CHARS + 1]; /* for clients, as in join commands; empty: none */
};

/*
 * Wall time is for display and for lifetimes that survive a restart; monotonic time is for all
 * waiting; boot time is for leases.
 */
struct clocks {
	int64_t wall_ms; /* since the epoch; may jump */
	int64_t mono_ms; /* never goes back within a run */
	/*
	 * above 0, and goes on while the process is stopped or the machine sleeps; of a node of a
	 * cluster alone
	 */
	int64_t boot_ms;
};

enum event_kind {
	EVENT_OPEN,      /* conn, peer */
	EVENT_BYTES,     /* conn, bytes */
	/*
	 * conn, bytes: the peer sent what cannot be passed on as a message; `bytes` says why, for
	 * people
	 */
	EVENT_BROKEN,
	EVENT_EOF,       /* conn: the peer sends nothing more, but may still read its output */
	/* conn: the peer disconnected, or FX_CLOSE was performed; the last event of a connection */
	EVENT_CLOSED,
	EVENT_TICK,      /* random (in `bytes`): SEED_BYTES fresh bytes, or empty */
	EVENT_LOADED,    /* ticket, result, items, version, has_more */
	EVENT_DUE,       /* ticket, result, items, next, is_partial: the result of FX_QUERY */
	EVENT_COUNTED,   /* ticket, result, n: the result of FX_COUNT */
	EVENT_COMMITTED, /* ticket, result, version */
	EVENT_RENEWED,   /* ticket, result, is_lapsed: the result of FX_RENEW */
	EVENT_LISTED,    /* ticket, result, nodes, n: the result of FX_LIST */
	EVENT_TAKEN,     /* ticket, result, version: the result of FX_TAKE */
	/*
	 * number, bytes: a commit of any node was published, or, if empty, may have been missed up
	 * to this number, as in store_published_cb. It comes before every EVENT_COMMITTED,
	 * EVENT_LOADED, EVENT_DUE and EVENT_COUNTED that includes the commit. Of a node of a
	 * cluster alone
	 */
	EVENT_PUBLISHED,
	/*
	 * conn, ticket, result, addresses, fingerprint, has_listener: the result of FX_SHARE; on
	 * failure `bytes` has the reason
	 */
	EVENT_SHARED,
	/* conn, ticket of FX_FORWARD: the node could not be reached, and nothing was sent to it */
	EVENT_UNREACHED,
	/*
	 * ticket, result of FX_COMMAND. OK; ERR_IO: the command failed; any other: it could not
	 * be run
	 */
	EVENT_COMMANDED,
	EVENT_STOP       /* end every connection; accept no new work */
};

struct event {
	enum event_kind kind;
	struct clocks now;
	struct conn_id conn;
	struct peer peer;
	struct slice bytes;
	uint64_t ticket;
	uint64_t number; /* of EVENT_PUBLISHED */
	enum err result;
	const struct store_item *items;
	size_t n;
	uint64_t version;
	bool has_more;     /* the limit of the load left items out */
	struct slice next; /* cursor of the next page of the query, empty at the end */
	bool is_partial;   /* entries may be missing because of damage, as in store_query_cb */
	bool is_lapsed;    /* the key was not there any more, or not yet */
	const struct cluster_node *nodes;
	struct slices addresses;
	/* of the certificate for addresses with tls://, or a page with https://; empty: neither */
	struct slice fingerprint;
	bool has_listener; /* the request named an address to listen on */
};

enum effect_kind {
	/*
	 * conn: write the rest of its output as far as the socket accepts it immediately, then
	 * close
	 */
	FX_CLOSE,
	FX_PAUSE,    /* conn: stop reading until FX_RESUME */
	FX_RESUME,   /* conn */
	FX_LOAD,     /* ticket, load: answer with EVENT_LOADED */
	FX_QUERY,    /* ticket, query: answer with EVENT_DUE */
	/*
	 * ticket, query: count the entries that it would list, up to its limit; without a cursor.
	 * Answer with EVENT_COUNTED
	 */
	FX_COUNT,
	/*
	 * conn, ticket, address, web, unshares: listen on this address for other users too, with
	 * `web` for browsers as well; empty: only list the addresses, after closing the listeners
	 * added so far if it unshares. Answer with EVENT_SHARED, after server_set_web() if the page
	 * is another now
	 */
	FX_SHARE,
	/*
	 * conn, ticket, address, input: connect to the node that listens at `address`, send it
	 * `input`, and move what it sends to the connection, and what the connection sends to it.
	 * The core hears no more of the connection but EVENT_UNREACHED, EVENT_BROKEN and
	 * EVENT_CLOSED; what waits for it is sent to it first
	 */
	FX_FORWARD,
	/*
	 * ticket, input: run the notification command with `input` as its standard input. Answer
	 * with EVENT_COMMANDED
	 */
	FX_COMMAND,
	/*
	 * ticket, ops, n, token, fence, publish: answer with EVENT_COMMITTED. Slices are valid until the next
	 * server_step() or server_turn()
	 */
	FX_COMMIT,
	/*
	 * ticket, node: write this node's key, with a life of NODE_LIFE_MS. Answer with
	 * EVENT_RENEWED
	 */
	FX_RENEW,
	FX_LIST,     /* ticket: answer with EVENT_LISTED, with all nodes that have a key */
	/* ticket, take: answer with EVENT_TAKEN, in the order of the commits */
	FX_TAKE,
	FX_LOG       /* level, log: one line in key=value form, without newline or secrets */
};

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct effect {
	enum effect_kind kind;
	struct conn_id conn;
	uint64_t ticket;
	/* slices in load and query are valid as long as those of FX_COMMIT */
	struct store_load load;
	struct store_query query;
	const struct store_op *ops;
	size_t n;
	struct store_token token; /* all zero: none */
	struct store_fence fence; /* of FX_COMMIT; all zero: none */
	struct slice publish; /* of FX_COMMIT, as in struct store_commit; of a cluster alone */
	const struct cluster_node *node; /* valid as long as the slices of FX_COMMIT */
	struct store_take take;
	struct slice address; /* valid as long as the slices of FX_COMMIT */
	enum share_web web;
	bool unshares;
	/* of FX_COMMAND one line, valid until EVENT_COMMANDED; of FX_FORWARD as those of FX_COMMIT */
	struct slice input;
	enum log_level level;
	struct slice log; /* valid as long as the slices of FX_COMMIT */
};

/*
 * A list that the core appends to and the caller empties. Life: a zeroed struct ..
 * effects_finish().
 */
struct effects {
	struct effect *items;
	size_t n;
	size_t capacity;
};
void effects_finish(struct effects *fx);

/*
 * Process one event and append the effects to fx. Running out of memory is not reported: the
 * request or connection that needed the memory fails, and everything else continues.
 */
void server_step(struct server *s, const struct event *e, struct effects *fx);

/*
 * End a loop turn: make one commit for each changed partition that has no commit in progress (or
 * publish its changes immediately if none of them is durable), and mark the connections that have
 * output.
 */
void server_turn(struct server *s, struct clocks now, struct effects *fx);

/*
 * Return when to call server_step() with EVENT_TICK and server_turn() next, on the monotonic
 * clock: at most one second from now; in the past if another turn is needed immediately.
 */
int64_t server_deadline(const struct server *s);

/* ---- output ---- */

/*
 * Set *conn to the next connection that has output and is not blocked; return false if there is
 * none. A connection is returned once until it gets more output. Rooms take turns: after
 * OUTPUT_SLICE connections of a room that has more than OUTPUT_TURN, connections of other rooms
 * come first.
 */
bool server_next_output(struct server *s, struct conn_id *conn);

/*
 * Return how many connections to write to before reading again: OUTPUT_TURN, or OUTPUT_SLICE
 * while a large room has output, so that small rooms do not wait for it.
 */
size_t server_output_turn(const struct server *s);
#define OUTPUT_TURN  256
#define OUTPUT_SLICE 64

/*
 * Fill `out` with up to max slices of the connection's output, without copying. Return the number
 * of slices. They are valid until server_wrote() for the same connection, or the next step or
 * turn.
 */
size_t server_gather(struct server *s, struct conn_id conn, struct slice *out, size_t max);

/*
 * Report that n bytes of the connection's output were written. If `blocked`, the socket accepts
 * no more: the connection is returned by server_next_output() again only after server_writable().
 */
void server_wrote(struct server *s, struct conn_id conn, size_t n, bool blocked, int64_t mono_ms);
void server_writable(struct server *s, struct conn_id conn);

/*
 * After EVENT_STOP: return whether every unit of work is finished, every bucket is left, and no
 * output is left, except on blocked connections.
 */
bool server_is_idle(const struct server *s);

/*
 * Return the counters, for values that only the event loop sees (refused connections, bytes, turn
 * times). Valid as long as the server.
 */
struct counters *server_counters(struct server *s);

/*
 * Replace the limits, except those that are part of the protocol. They apply to everything that
 * starts from now on; waits in progress keep their deadlines. session.hello sends them to new
 * connections.
 *
 * ERR_NOMEM  the previous limits stay in force.
 */
NODISCARD enum err server_set_limits(struct server *s, const int64_t limits[LIMIT_COUNT]);

/*
 * Set the address of the page for browsers that session.hello sends from now on; copied. It is a
 * page (link_is_page()), or empty: there is none, as at the start.
 */
void server_set_web(struct server *s, struct slice page);

/*
 * For tests: append the full room.update, as its subscribers will receive it, to out.
 * ERR_NOT_FOUND if the room is not in memory.
 */
struct buf;
enum err server_peek_room(struct server *s, struct slice room_id, struct buf *out);
/*
 * For tests: return the name of the first scheduled change of the room that is due (a row of
 * room_due.h), or NULL. The string is static.
 */
const char *server_peek_due(struct server *s, struct slice room_id, struct clocks now);

#endif
