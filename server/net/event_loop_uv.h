/*
 * event_loop_uv.h - the shared state of the event loop's parts; only *_uv.c includes it.
 *
 * Callbacks of libuv only translate: each becomes one event_loop_step(). Once per loop turn, just
 * before the loop would sleep, event_loop_uv.c ends the core's turn and writes the output.
 */
#ifndef SERVER_NET_EVENT_LOOP_UV_H
#define SERVER_NET_EVENT_LOOP_UV_H

#include <sodium.h>
#include <stdbool.h>
#include <uv.h>

#include "proto/base/buf.h"
#include "proto/tls/tls.h"
#include "server/net/event_loop.h"
#include "server/net/streams/peer_cred.h"
#include "server/net/store_glue.h"
#include "server/net/streams/stream_web_uv.h"

#define EVENT_LOOP_READ_BYTES      65536
#define EVENT_LOOP_REFUSAL_BYTES   512
#define EVENT_LOOP_FULL            "the server is full; try again later"
#define EVENT_LOOP_ACCEPTS_A_TURN  128 /* then open connections are served first */
/* time for handshakes in a turn; one that has started is not interrupted */
#define EVENT_LOOP_HANDSHAKES_US   2000
#define EVENT_LOOP_NO_TICK         (-1)
#define EVENT_LOOP_TURNS_HELD      8 /* of OUTPUT_TURN writes each; some milliseconds in total */
/* how long listeners pause after the kernel had no descriptor for them */
#define EVENT_LOOP_LISTEN_REST_MS  100
#define EVENT_LOOP_ACCEPT_LOG_MS   1000 /* at most one log line about it in this time */

union stream_handle {
	uv_handle_t handle;
	uv_stream_t stream;
	uv_tcp_t tcp;
	uv_pipe_t pipe;
};

/* ---- connections: stream_uv.c ---- */

struct forward;
struct stream_blocked;

/*
 * One for each connection, so it is small: only as large as its kind of handle, which is the last
 * member. The data of the uv_loop_t is the struct event_loop.
 */
struct stream {
	struct stream_blocked *blocked; /* a write request in progress, or NULL */
	struct stream_tls *tls; /* NULL: not encrypted */
	struct stream_web *web; /* NULL: MessagePack as it is, without HTTP */
	struct forward *forward; /* NULL: the core's, and not forwarded to another node */
	/*
	 * STREAM_NO_SLOT: not in the table and unknown to the core, because it was refused or is
	 * in its handshake
	 */
	uint32_t slot;
	bool is_closing;
	bool is_paused; /* by the core */
	union stream_handle uv; /* .handle.data is this */
};

struct stream_slot {
	struct stream *stream; /* NULL: free */
	uint32_t generation;
	uint32_t next_free;
};

struct streams {
	struct stream_slot *slots;
	uint32_t n;         /* number of slots */
	uint32_t first_free; /* STREAM_NO_SLOT: none */
	size_t open;        /* connections in the table */
	/*
	 * connections whose memory is not freed yet, including refused ones, and those to other
	 * nodes
	 */
	size_t handles;
	size_t blocked;     /* write requests in progress */
};
#define STREAM_NO_SLOT UINT32_MAX

/*
 * Accept the connection that waits at the listener of that socket. Returns false if memory is
 * out: it continues to wait, and the listener with it.
 */
bool stream_accept(struct event_loop *loop, uv_stream_t *listener, const struct listening *socket);
/*
 * Register the connection with the core. Returns false if there are too many, or memory is out:
 * it is then closed.
 */
bool stream_enter(struct stream *c, const struct peer *peer);
/* Give EVENT_CLOSED of a connection that is in the table, and free its slot. */
void stream_leave(struct stream *c);
/*
 * Return what a connection is sent that is refused because there are too many, by a web listener or
 * another; valid until the next call.
 */
struct slice stream_refusal(struct event_loop *loop, bool is_web);
/* The id of a connection that is in the table. */
struct conn_id stream_id(const struct stream *c);
/* Return the connection; NULL if it is closed or closing. */
struct stream *stream_find(struct event_loop *loop, struct conn_id id);
/* Write the core's output for the connection, as far as the socket accepts it now. */
void stream_write(struct stream *c);
/* Write what the socket still accepts, then close. EVENT_CLOSED follows from the loop. */
void stream_close(struct stream *c);
/* Close at once. */
void stream_drop(struct stream *c);
void stream_close_all(struct event_loop *loop);
void stream_set_paused(struct stream *c, bool is_paused);
/* Start or stop reading, according to the core and loop->is_reading. */
void stream_follow(struct stream *c);
/* Apply loop->is_reading to all connections, including those in their handshake. */
void stream_set_reading_all(struct event_loop *loop);
void streams_finish(struct streams *cs);

struct event_loop *stream_loop(const struct stream *c);
/* Bytes were read, and decrypted; or no more will come. */
void stream_on_bytes(struct stream *c, struct slice bytes);
void stream_on_eof(struct stream *c);
/* Pass MessagePack to the core, or the node it is forwarded to; and that no more will come. */
void stream_pass_bytes(struct stream *c, struct slice bytes);
void stream_pass_eof(struct stream *c);

enum stream_wrote { STREAM_WROTE_ALL, STREAM_WROTE_SOME, STREAM_WROTE_FAILED };

/* Most slices of one write. */
#define STREAM_SLICES_MAX 64

/*
 * Return the output for the connection that is due: the core's, and behind it what the node that it
 * is forwarded to has sent (*is_forwarded). Then stream_took().
 */
size_t stream_gather(struct stream *c, struct slice out[STREAM_SLICES_MAX], bool *is_forwarded);
void stream_took(struct stream *c, size_t n, bool is_forwarded, bool is_blocked);

/*
 * Write the bytes of at most STREAM_SLICES_MAX slices, as far as the socket accepts them; a part of the rest is
 * copied to c->blocked. *sent: the bytes in both. STREAM_WROTE_SOME: not all, and
 * server_writable() follows.
 */
enum stream_wrote stream_send(struct stream *c, const struct slice *slices, size_t n, size_t *sent);
/* The same, encrypted if the connection is. */
enum stream_wrote stream_send_secure(struct stream *c, const struct slice *slices, size_t n, size_t *sent);

/* ---- connections that are forwarded to another node: forward_uv.c ---- */

/* FX_FORWARD. Returns false if it cannot begin: EVENT_UNREACHED is due. */
bool stream_forward(struct event_loop *loop, const struct effect *fx);
/* Of one that is: MessagePack for the other node, the end of it. */
void stream_forward_bytes(struct stream *c, struct slice bytes);
void stream_forward_eof(struct stream *c);
/* Return the output for the client; 0 slices also if the connection is not forwarded. */
size_t stream_forward_gather(const struct stream *c, struct slice out[2]);
void stream_forward_wrote(struct stream *c, size_t n);
/* The client's socket accepts more. */
void stream_forward_on_room(struct stream *c);
/* Return whether the client is not to be read, as the other node does not take what it sent. */
bool stream_forward_holds(const struct stream *c);
/* The client is gone: end the connection to the other node. */
void stream_forward_drop(struct stream *c);

/* ---- encrypted ones: stream_tls_uv.c ---- */

#define TLS_RECORD_BYTES 16384 /* most that one has (RFC 8446, 5.1) */
#define TLS_PLAIN_BYTES	 (EVENT_LOOP_READ_BYTES + TLS_RECORD_BYTES)
#define NETWORKS	 1024

/* Shared by all: each read and each record is dealt with before the next. */
struct tls_room {
	/* To count by network; two that share a place by chance count as one, and nobody can aim at that. */
	unsigned char networks_key[crypto_shorthash_KEYBYTES];
	size_t networks[NETWORKS];
	char plain[TLS_PLAIN_BYTES];   /* decrypted: a read, behind it what was left of a record */
	char record[TLS_RECORD_BYTES]; /* to be encrypted */
};

struct stream_tls {
	struct tls_channel *channel;
	struct stream *stream;
	struct handshakes *loop;
	struct peer peer; /* passed to the core when the handshake is finished */
	int64_t since_ms; /* start of the handshake, or of the incomplete record */
	size_t network;	  /* the peer's index in tls_room.networks */
	bool is_shaking;  /* in its handshake, in handshakes.first */
	bool has_sent;	  /* the peer has sent part of the handshake */
	bool is_amid;	  /* a record is incomplete: in handshakes.amid */
	/*
	 * of another node: its handshake is finished when its preface has come, too, whose bytes
	 * are kept until then
	 */
	bool is_node;
	struct buf preface;
	/* in handshakes.waiting: continued in a later turn, and not read until then */
	bool is_waiting;
	struct stream_tls *next, *prev;
	struct stream_tls *next_waiting, *prev_waiting;
};

struct handshakes {
	struct stream_tls *first; /* utlist, in the order they started */
	/*
	 * utlist, in the order they started: connections with an incomplete record, after their
	 * handshake
	 */
	struct stream_tls *amid;
	/* utlist: peers have sent data for which this turn had no time left */
	struct stream_tls *waiting;
	uint64_t spent_ns; /* in this turn */
	size_t n;
	size_t nodes_n;	   /* of these, those of other nodes */
	uv_timer_t timer; /* runs while there are any in `first` or `amid` */
	struct {
		int64_t ms;
		int64_t first_byte_ms;
		int64_t record_ms;
		size_t all;
		size_t of_address;
		size_t of_nodes;
	} limits;
	struct tls_room *room; /* NULL: no certificate yet, and no nodes */
};

/*
 * Start the handshake of an accepted connection; if there are too many handshakes, it replaces
 * another one. Returns false if connections and handshakes together are too many, if there is no
 * certificate, or if memory is out.
 *
 * @is_node  at the listener for other nodes: with the nodes' key instead of the certificate
 */
bool stream_tls_begin(struct stream *c, const struct peer *peer, bool is_node);
/* Memory for encrypted connections, before the first. ERR_NOMEM. */
NODISCARD enum err handshakes_make_ready(struct event_loop *loop);
/*
 * The handshake has ended, successfully or not, or the connection has: remove it from all
 * deadlines.
 */
void stream_tls_settle(struct stream_tls *tls);
void stream_tls_on_bytes(struct stream *c, struct slice bytes);
/* As stream_send(), encrypted. */
enum stream_wrote stream_tls_send(struct stream *c, const struct slice *slices, size_t n, size_t *sent);
/*
 * The socket is writable again: send encrypted output. Returns false if the connection was
 * dropped.
 */
bool stream_tls_on_room(struct stream *c);
/* Send the end of the TLS stream, if the socket accepts it now. */
void stream_tls_end(struct stream *c);
/* Free the TLS state of any connection, which may have none. */
void stream_tls_free(struct stream *c);
/*
 * Continue waiting handshakes, while this turn has time for them and connections are read at all.
 * Returns true if more could continue.
 */
bool handshakes_turn(struct event_loop *loop);
/* End handshakes and connections with an incomplete record whose time is over. */
void handshakes_look(struct event_loop *loop);
void handshakes_follow_all(struct event_loop *loop);
void handshakes_drop_all(struct event_loop *loop);
void handshakes_finish(struct event_loop *loop);

/* ---- listeners: listen_uv.c ---- */

enum listener_state {
	LISTENER_CLOSED,
	LISTENER_OPEN,
	LISTENER_WAITING, /* open; one connection waits to be accepted in a later turn */
	LISTENER_CLOSING
};

struct listener {
	union stream_handle uv; /* .handle.data is this listener */
	struct event_loop *loop;
	struct listening socket; /* kept, so that a handle closed for a pause can be opened again */
	enum listener_state state;
};

struct listeners {
	/*
	 * space for the initial ones and MAX_SERVER_ADDRESSES more; a socket without a descriptor
	 * was closed permanently
	 */
	struct listener *items;
	size_t n;
	size_t first_added; /* index of the first one added by server.share */
	size_t accepts_left; /* in this turn */
	/* closed for a moment to refuse a connection when no other descriptor is left; -1: lost */
	int spare_fd;
	size_t failed_n;     /* connections refused in this way since the last log line about it */
	int64_t logged_ms;   /* time of that line; 0: never */
};

/* Watch one more socket, whose descriptor the listeners now own. There must be space. ERR_IO. */
NODISCARD enum err listeners_add(struct event_loop *loop, struct listening *socket, struct errmsg *why);
NODISCARD enum err listeners_open(struct event_loop *loop, struct listening *sockets, size_t n, struct errmsg *why);
/* uv_pipe_init() or uv_tcp_init(), without letting libuv use its own reserve descriptor. */
void listeners_init_handle(struct event_loop *loop, union stream_handle *uv, bool is_unix);
/* At a new turn: accept waiting connections. Returns true if connections still wait. */
bool listeners_turn(struct event_loop *loop);
/* The pause has ended: open closed listeners again, accept connections for which memory was out. */
void listeners_wake(struct event_loop *loop);
/* Close the listeners from that index on permanently, with their sockets. */
void listeners_close(struct event_loop *loop, size_t first);
/*
 * The index that the next listener gets: of one that was closed permanently, else behind the last
 * one.
 */
size_t listeners_next(const struct listeners *ls);

/* ---- listeners for others: share_uv.c ---- */

enum { SHARES_WAITING_MAX = 8, SHARE_ADDRESS_BYTES_MAX = 128, SHARE_ASKED_BYTES_MAX = SHARE_ADDRESS_BYTES_MAX + 8, SHARE_PORTS_TRIED = 32 };

/* A request of FX_SHARE, performed and answered in the next turn. */
struct share {
	struct conn_id conn;
	uint64_t ticket;
	char address[SHARE_ADDRESS_BYTES_MAX + 1]; /* "": only list the addresses */
	enum share_web web;
	bool unshares;
};
struct shares {
	struct share items[SHARES_WAITING_MAX];
	size_t n;
	/* what the requests asked for that added listeners: scheme and address */
	char asked[MAX_SERVER_ADDRESSES][SHARE_ASKED_BYTES_MAX + 1];
	size_t page; /* index of the listener for browsers that was asked for last; 0: none */
};

/* Returns false if too many requests are waiting. */
bool share_begin(struct event_loop *loop, const struct effect *fx);
void share_turn(struct event_loop *loop);
/*
 * Tell the core where browsers find the page, for invitations: the first of --web-origin, else the
 * web listener that server.share was asked for last, else the first. Without one there is none.
 */
void share_tell_page(struct event_loop *loop);

/* ---- the notification command: notify_command_uv.c ---- */

#define COMMAND_REASON_BYTES 80

struct command_run;

struct commands {
	struct command_run *runs; /* utlist, the oldest first */
	size_t running;   /* processes that have not ended, or whose handles are not closed yet */
	bool has_new;	  /* runs were added since the last turn */
	bool is_over;	  /* the server is stopping: no run is started or answered any more */
	size_t failed_n;  /* failed runs since the last log line about it */
	int64_t logged_ms; /* time of that log line; 0: never */
	char logged[COMMAND_REASON_BYTES]; /* the reason in that line */
};

/* Returns false if memory is out, or there is no command. */
bool commands_begin(struct event_loop *loop, const struct effect *fx);
/* Start waiting runs, as far as the limit allows. */
void commands_turn(struct event_loop *loop);
/* The server is stopping: kill running commands, discard the others. */
void commands_stop(struct event_loop *loop);
/* Close all handles; the loop still has to run for their callbacks. */
void commands_close(struct event_loop *loop);

/* ---- the event loop itself: event_loop_uv.c ---- */

enum event_loop_phase {
	EVENT_LOOP_SERVING,
	EVENT_LOOP_STOPPING, /* EVENT_STOP was given; answers are still being written */
	EVENT_LOOP_CLOSING   /* connections are being closed */
};

/* What timers find due: event_loop_judge_later(). */
enum event_loop_due { DUE_TICK = 1, DUE_HANDSHAKES = 2, DUE_WEBS = 4 };

/* The check of data that the last server did not close properly: data_check_uv.c. */
struct data_check {
	uv_timer_t rest; /* pause until the next part */
	char cursor[STORE_CHECK_CURSOR_BYTES_MAX];
	size_t cursor_len;
	uint64_t entries;
	uint64_t problems;
	unsigned lines; /* number of problems that were logged */
	unsigned percent;
};

/* What the log has told of the store last: store_watch_uv.c. */
struct store_watch {
	uint64_t failovers;
	char server[41];
	int64_t apart_ms; /* by how much its clock differs; 0: it does not */
};

struct event_loop {
	struct event_loop_config config;
	/* this, the next member and the limits of handshakes follow from config.limits */
	size_t connections_max;
	int64_t command_ms;     /* how long a run of the command may take */
	enum event_loop_phase phase;
	enum event_loop_end end;
	uv_loop_t loop;
	uv_prepare_t turn;
	uv_check_t after_reads;
	uv_idle_t again; /* active while a turn has left work */
	uv_poll_t wake; /* of wake_fd */
	int wake_fd;	/* an eventfd(2) written by the store's threads; -1: none */
	uv_timer_t tick;
	uv_timer_t rest;      /* pause of the listeners */
	uv_timer_t idle_exit;
	uv_timer_t stop;
	uv_timer_t watchdog;
	uv_signal_t sigterm;
	uv_signal_t sigint;
	uv_signal_t sighup;
	struct server *server;
	struct store_glue glue;
	/*
	 * the first refused_n have been refused and must be answered; the core appends after them
	 */
	struct effects fx;
	size_t refused_n;
	/* the time the tick timer is set to, or EVENT_LOOP_NO_TICK; 0: immediately */
	int64_t tick_at_ms;
	unsigned due;       /* of enum event_loop_due: timers that have expired; judged after this turn's reads */
	bool is_dirty;      /* the core received events since its last turn */
	bool is_stepping;
	bool is_reading;    /* false while too many commits wait */
	bool has_backlog;   /* the last turn left output unwritten */
	unsigned turns_held; /* turns since commits first waited for that output */
	uint64_t turn_began_ns; /* uv_hrtime() at the first event of this turn; 0: none yet */
	enum store_state store_state;
	struct store_watch store_watch;
	struct streams streams;
	struct handshakes handshakes;
	struct webs webs;
	struct tls_context *certificate; /* NULL: none, and no TLS listeners */
	struct tls_context *nodes;	 /* the key of all nodes; NULL: this is none */
	struct redis_uv *redis;		 /* NULL: the store is a directory */
	struct tls_context *redis_tls;
	struct listeners listeners;
	struct shares shares;
	struct commands commands;
	struct data_check data_check;
	uint64_t refused_logged; /* number of connections refused at the last log line about it */
	const char *refused_why;
	struct buf refusal; /* the encoded notification sent to refused connections */
	char read_bytes[EVENT_LOOP_READ_BYTES]; /* shared: each read is processed before the next */
};

/* Pass an event to the core and perform its effects. Fills in the clocks. */
void event_loop_step(struct event_loop *loop, struct event *e);
/* Of a timer: judge what is due, after this turn's reads. */
void event_loop_judge_later(struct event_loop *loop, enum event_loop_due what);
/* Call before work that takes time: starts the measured part of the turn, if it has not started. */
void event_loop_turn_begins(struct event_loop *loop);
/* Return the monotonic time of this loop turn, in ms. */
int64_t event_loop_mono_ms(const struct event_loop *loop);
/* Return the time now, in ms since the epoch. */
int64_t event_loop_wall_ms(void);
/* Schedule listeners_wake() after EVENT_LOOP_LISTEN_REST_MS. */
void event_loop_rest_listeners(struct event_loop *loop);

/* Count what the store has counted, and tell the log what has changed with it: store_watch_uv.c. */
void store_watch(struct event_loop *loop);

/* Start the check, if the data need one: data_check_uv.c. */
void data_check_begin(struct event_loop *loop);

/* ---- its end: stop_uv.c ---- */

/* Start to handle SIGTERM, SIGINT and SIGHUP. Returns a libuv error, or 0. */
int stop_watch_signals(struct event_loop *loop);
/* The number of open connections has changed. */
void stop_on_connections(struct event_loop *loop);
/* A turn has ended; is_more: it left output unwritten. */
void stop_on_turn(struct event_loop *loop, bool is_more);
/* Leave the loop with this result. */
void stop_now(struct event_loop *loop, enum event_loop_end end);

#endif
