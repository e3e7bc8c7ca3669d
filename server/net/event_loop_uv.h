/*
 * event_loop_uv.h - what the parts of the event loop share; only *_uv.c includes it.
 *
 * Callbacks of libuv only translate: each becomes one event_loop_step(). Once per
 * loop turn, right before the loop would sleep, event_loop_uv.c ends the core's turn
 * and writes what is to be written.
 */
#ifndef SERVER_NET_EVENT_LOOP_UV_H
#define SERVER_NET_EVENT_LOOP_UV_H

#include <stdbool.h>
#include <uv.h>

#include "proto/base/buf.h"
#include "proto/tls/tls.h"
#include "server/net/event_loop.h"
#include "server/net/peer_cred.h"
#include "server/net/store_glue.h"

#define EVENT_LOOP_READ_BYTES      65536
#define EVENT_LOOP_REFUSAL_BYTES   512
#define EVENT_LOOP_ACCEPTS_A_TURN  128 /* then open connections have their turn */
#define EVENT_LOOP_HANDSHAKES_US   2000 /* of handshakes a turn; one that has begun is not stopped */
#define EVENT_LOOP_NO_TICK         (-1)
#define EVENT_LOOP_TURNS_HELD      8 /* of OUTPUT_TURN writes each, some milliseconds in all */
#define EVENT_LOOP_LISTEN_REST_MS  100 /* how long listeners rest after the kernel had no descriptor for them */
#define EVENT_LOOP_ACCEPT_LOG_MS   1000 /* at most one line of it in this time */

union stream_handle {
	uv_handle_t handle;
	uv_stream_t stream;
	uv_tcp_t tcp;
	uv_pipe_t pipe;
};

/* ---- connections: stream_uv.c ---- */

struct stream_blocked;

/*
 * One for each connection, so it is small: as long as its kind of handle, which
 * stands last. The data of the uv_loop_t is the struct event_loop.
 */
struct stream {
	struct stream_blocked *blocked; /* a write request on its way, or NULL */
	struct stream_tls *tls; /* NULL: not encrypted */
	uint32_t slot; /* STREAM_NO_SLOT: not in the table, and unknown to the core: refused, or in its handshake */
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
	uint32_t n;         /* slots there are */
	uint32_t first_free; /* STREAM_NO_SLOT: none */
	size_t open;        /* connections in the table */
	size_t handles;     /* connections whose memory is not yet given back, refused ones too */
	size_t blocked;     /* write requests on their way */
};
#define STREAM_NO_SLOT UINT32_MAX

/*
 * Take the connection that waits at the listener of that socket. False when memory is
 * out: it still waits, and the listener with it.
 */
bool stream_accept(struct event_loop *loop, uv_stream_t *listener, const struct listening *socket);
/* The core knows it from now on. False where there are too many, or memory is out: it is closed. */
bool stream_enter(struct stream *c, const struct peer *peer);
/* NULL where that connection is gone or going. */
struct stream *stream_find(struct event_loop *loop, struct conn_id id);
/* Write what the core has for it, as far as the socket takes it now. */
void stream_write(struct stream *c);
/* Write what the socket still takes, then close. EVENT_CLOSED follows from the loop. */
void stream_close(struct stream *c);
/* Close at once. */
void stream_drop(struct stream *c);
void stream_close_all(struct event_loop *loop);
void stream_set_paused(struct stream *c, bool is_paused);
/* Read from it, or not, as the core and loop->is_reading have it. */
void stream_follow(struct stream *c);
/* Apply loop->is_reading to all connections, those in their handshake too. */
void stream_set_reading_all(struct event_loop *loop);
void streams_finish(struct streams *cs);

struct event_loop *stream_loop(const struct stream *c);
/* Give the core what was read of it, and that no more comes. */
void stream_on_bytes(struct stream *c, struct slice bytes);
void stream_on_eof(struct stream *c);

enum stream_wrote { STREAM_WROTE_ALL, STREAM_WROTE_SOME, STREAM_WROTE_FAILED };

/*
 * Hand the bytes of at most 64 slices to the socket as far as it takes them; of the rest a
 * copied piece waits in c->blocked. *sent: how many bytes both have. SOME: not all, and
 * server_writable() follows.
 */
enum stream_wrote stream_send(struct stream *c, const struct slice *slices, size_t n, size_t *sent);

/* ---- encrypted ones: stream_tls_uv.c ---- */

struct stream_tls {
	struct tls_channel *channel;
	struct stream *stream;
	struct handshakes *loop;
	struct peer peer; /* for the core, when the handshake is over */
	int64_t since_ms; /* it is shaking, or amid a record */
	size_t network;	  /* of the peer: its place in tls_room.networks */
	bool is_shaking;  /* among the handshakes */
	bool has_sent;	  /* the peer, something of the handshake */
	bool is_amid;	  /* a record, of which not all has come: among those */
	bool is_waiting; /* among those that go on in a later turn; it is not read meanwhile */
	struct stream_tls *next, *prev;
	struct stream_tls *next_waiting, *prev_waiting;
};

struct tls_room;

struct handshakes {
	struct stream_tls *first; /* utlist, in the order they began */
	struct stream_tls *amid;  /* utlist, in the order they began: connections amid a record, whose handshake is over */
	struct stream_tls *waiting; /* utlist: peers have sent something for which this turn had no time left */
	uint64_t spent_ns; /* in this turn */
	size_t n;
	uv_timer_t timer; /* runs while there are any in `first` or `amid` */
	struct {
		int64_t ms;
		int64_t first_byte_ms;
		int64_t record_ms;
		size_t all;
		size_t of_address;
	} limits;
	struct tls_room *room; /* NULL: no certificate yet */
};

/* Begin the handshake of a connection that was accepted; where there are too many, in place of another one. False where memory is out, or there are too many beyond handshakes. */
bool stream_tls_begin(struct stream *c, const struct peer *peer);
/* The handshake is over, one way or the other, or the connection is: nothing of it has a deadline here. */
void stream_tls_settle(struct stream_tls *tls);
void stream_tls_on_bytes(struct stream *c, struct slice bytes);
/* As stream_send(), encrypted. */
enum stream_wrote stream_tls_send(struct stream *c, const struct slice *slices, size_t n, size_t *sent);
/* The socket has room again: send what is encrypted. False where it was dropped. */
bool stream_tls_on_room(struct stream *c);
/* Say that nothing follows, as far as the socket takes that now. */
void stream_tls_end(struct stream *c);
/* Of any connection. */
void stream_tls_free(struct stream *c);
/* Go on with handshakes that waited, while this turn has time for them and connections are read at all. True where more could go on. */
bool handshakes_turn(struct event_loop *loop);
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
	struct listening socket; /* kept, so that a handle closed for a rest can be opened again */
	enum listener_state state;
};

struct listeners {
	struct listener *items; /* room for those of the start, and MAX_SERVER_ADDRESSES more */
	size_t n;
	size_t first_added; /* from here on they were added by server.share */
	size_t accepts_left; /* in this turn */
	int spare_fd;        /* given up for a moment to refuse a connection where there is no other descriptor; -1: lost */
	size_t failed_n;     /* connections refused so since the last line of the log about it */
	int64_t logged_ms;   /* time of that line; 0: never */
};

/* Watch one more socket, whose descriptor is the listeners' from then on. ERR_IO; there must be room. */
NODISCARD enum err listeners_add(struct event_loop *loop, struct listening *socket, struct errmsg *why);
NODISCARD enum err listeners_open(struct event_loop *loop, struct listening *sockets, size_t n, struct errmsg *why);
/* uv_pipe_init() or uv_tcp_init(), with libuv's own reserve descriptor kept from it. */
void listeners_init_handle(struct event_loop *loop, union stream_handle *uv, bool is_unix);
/* A new turn: accept what waits. True where connections still wait. */
bool listeners_turn(struct event_loop *loop);
/* The rest is over: open again what was closed, accept what found no memory. */
void listeners_wake(struct event_loop *loop);
/* Close them for good; the sockets go with them. */
void listeners_close(struct event_loop *loop);

/* ---- listeners for others: share_uv.c ---- */

enum { SHARES_WAITING_MAX = 8, SHARE_ADDRESS_BYTES_MAX = 128, SHARE_PORTS_TRIED = 32 };

/* What FX_SHARE asked for, done and answered in the next turn. */
struct share {
	struct conn_id conn;
	uint64_t ticket;
	char address[SHARE_ADDRESS_BYTES_MAX + 1]; /* "": only say where others come */
};
struct shares {
	struct share items[SHARES_WAITING_MAX];
	size_t n;
	char asked[MAX_SERVER_ADDRESSES][SHARE_ADDRESS_BYTES_MAX + 1]; /* by whom the added listeners are there */
};

/* False where too many wait already. */
bool share_begin(struct event_loop *loop, const struct effect *fx);
void share_turn(struct event_loop *loop);

/* ---- the command for notices: notify_command_uv.c ---- */

#define COMMAND_REASON_BYTES 80

struct command_run;

struct commands {
	struct command_run *runs; /* utlist, the oldest first */
	size_t running;   /* processes that have not ended, or whose handles are not closed */
	bool has_new;	  /* since the last turn */
	bool is_over;	  /* the server stops: no more begins, and nothing is answered */
	size_t failed_n;  /* since the last line of the log about it */
	int64_t logged_ms; /* time of that line; 0: never */
	char logged[COMMAND_REASON_BYTES]; /* its reason */
};

/* False where memory is out, or there is no command. */
bool commands_begin(struct event_loop *loop, const struct effect *fx);
/* Start those for which there is room. */
void commands_turn(struct event_loop *loop);
/* The server stops: kill those that run, forget the others. */
void commands_stop(struct event_loop *loop);
/* Close all handles; the loop still has to run for their callbacks. */
void commands_close(struct event_loop *loop);

/* ---- the event loop itself: event_loop_uv.c ---- */

enum event_loop_phase {
	EVENT_LOOP_SERVING,
	EVENT_LOOP_STOPPING, /* EVENT_STOP was given; answers are still being written */
	EVENT_LOOP_CLOSING   /* connections are being closed */
};

/* The check of data that the last server did not close: data_check_uv.c. */
struct data_check {
	uv_timer_t rest; /* until the next part */
	char cursor[STORE_CHECK_CURSOR_BYTES_MAX];
	size_t cursor_len;
	uint64_t entries;
	uint64_t problems;
	unsigned lines; /* of problems that were logged */
	unsigned percent;
};

struct event_loop {
	struct event_loop_config config;
	size_t connections_max; /* these two and those of the handshakes follow from limits */
	int64_t command_ms;     /* how long a run of the command may take */
	enum event_loop_phase phase;
	enum event_loop_end end;
	uv_loop_t loop;
	uv_prepare_t turn;
	uv_check_t after_reads;
	uv_idle_t again; /* active while a turn left something to do */
	uv_poll_t wake; /* of wake_fd */
	int wake_fd;	/* an eventfd(2) that the store's threads write to; -1: none */
	uv_timer_t tick;
	uv_timer_t rest;      /* of the listeners */
	uv_timer_t idle_exit;
	uv_timer_t stop;
	uv_timer_t watchdog;
	uv_signal_t sigterm;
	uv_signal_t sigint;
	uv_signal_t sighup;
	struct server *server;
	struct store_glue glue;
	struct effects fx;  /* the first refused_n wait to be answered; the core appends behind them */
	size_t refused_n;
	int64_t tick_at_ms; /* what the tick timer is set to, or EVENT_LOOP_NO_TICK; 0: at once */
	bool is_due;        /* the tick timer has run; the tick follows behind this turn's reads */
	bool is_dirty;      /* the core was given something since its last turn */
	bool is_stepping;
	bool is_reading;    /* false while too many commits wait */
	bool has_backlog;   /* the last turn left something to be written */
	unsigned turns_held; /* since commits first waited for that */
	uint64_t turn_began_ns; /* of uv_hrtime(), when the first thing happened in this turn; 0: nothing yet */
	enum store_state store_state;
	struct streams streams;
	struct handshakes handshakes;
	struct tls_context *certificate; /* NULL: none, and no listener with TLS */
	struct listeners listeners;
	struct shares shares;
	struct commands commands;
	struct data_check data_check;
	uint64_t refused_logged; /* connections refused, as of the last line of the log about it */
	const char *refused_why;
	struct buf refusal; /* the encoded notification that a refused connection is sent */
	char read_bytes[EVENT_LOOP_READ_BYTES]; /* shared: each read is dealt with before the next */
};

/* Give the core an event and perform its effects. Fills in the clocks. */
void event_loop_step(struct event_loop *loop, struct event *e);
/* Something happens that takes time: what counts as a turn begins, where it has not. */
void event_loop_turn_begins(struct event_loop *loop);
/* Monotonic ms of this loop turn. */
int64_t event_loop_mono_ms(const struct event_loop *loop);
/* The listeners want listeners_wake() in a while. */
void event_loop_rest_listeners(struct event_loop *loop);

/* Begin the check, where the data want one: data_check_uv.c. */
void data_check_begin(struct event_loop *loop);

/* ---- its end: stop_uv.c ---- */

/* SIGTERM and SIGINT from now on. A libuv error, or 0. */
int stop_watch_signals(struct event_loop *loop);
/* The number of open connections has changed. */
void stop_on_connections(struct event_loop *loop);
/* A turn is over; is_more: there is more to write than it wrote. */
void stop_on_turn(struct event_loop *loop, bool is_more);
/* Leave the loop with this outcome. */
void stop_now(struct event_loop *loop, enum event_loop_end end);

#endif
