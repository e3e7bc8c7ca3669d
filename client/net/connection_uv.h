/*
 * connection_uv.h - a connection to a server that is restored after each loss.
 *
 * Sends hello and logs in, matches answers to requests, passes notifications on,
 * pings a silent server, and reconnects after a loss with growing delays. What a
 * method means, and which requests to repeat after a loss, is the owner's business.
 *
 * Happy path: connection_open(), on_open, on_up; from on_open on, connection_request()
 * with its callback, and on_notice. Requests made in on_open are sent in one write
 * with hello unless the login needs hello's answer: connecting then takes one
 * round trip.
 * Several nodes: hello names the room of connection_name_room(), and so reaches its home. A request
 * that is answered ELSEWHERE all the same is made again at that room's home, as soon as those before
 * it are answered: the owner learns by on_move and the next on_open that everything it has
 * subscribed to on this connection is over, and sees no other answer.
 * Failure: after a loss every pending request is answered with ERR_CLOSED (it is
 * unknown whether the server carried it out), then on_down is called; with
 * keeps_trying, on_open and on_up follow later. Requests are never resent here.
 *
 * Life:    connection_open() .. connection_close(); the loop must then run until it is
 *          empty. Callbacks may call connection_close().
 * Threads: loop thread only. SIGPIPE must be ignored.
 */
#ifndef CLIENT_NET_CONNECTION_UV_H
#define CLIENT_NET_CONNECTION_UV_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "client/model/sign_in.h"
#include "client/net/transport/address.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "proto/methods.h"

struct msgpack_object;
struct connection;

/*
 * A server that sends nothing for this long is pinged; after twice this time the connection
 * is lost. 1,000 idle clients send 100 pings a second.
 */
#define CONNECTION_PING_MS 10000
/* on_silent is called when a ping is unanswered for ping_ms divided by this: 2 s by default. */
#define CONNECTION_SILENT_PART 5
/* The time to connect, get hello's answer and log in. */
#define CONNECTION_HELLO_MS 10000
/* At the address of a room's home it is this part, 2 s by default: then at the server's own. */
#define CONNECTION_HOME_PART 5
/* The same if ssh may prompt first: the default LoginGraceTime of sshd_config(5). */
#define CONNECTION_ASK_MS 120000
/*
 * The delay between attempts doubles from the first to the last value; each is shortened by up to
 * half at random.
 */
#define CONNECTION_RETRY_FIRST_MS 250
#define CONNECTION_RETRY_LAST_MS  10000
/*
 * How many further tries there are where a node sends the client on to one that does not have the
 * room either, with those delays between them: 2 to 4 s.
 */
#define CONNECTION_MOVES_MAX 4
/*
 * A node that is there, while the home of the room has just died and no other one has taken it yet,
 * is asked again after the delay of this try at most: 0.5 to 1 s by default.
 */
#define CONNECTION_UNAVAILABLE_TRIES 2
/* The most requests without an answer. */
#define CONNECTION_PENDING_MAX 1024

/* Values for the four times above, in milliseconds; none may be 0. */
struct connection_timing {
	uint32_t ping_ms;
	uint32_t hello_ms;
	uint32_t retry_first_ms;
	uint32_t retry_last_ms;
};

struct connection_handler {
	/*
	 * Requests may be made from now on: hello and the login have been sent, and the
	 * server handles requests in order. If it then refuses hello, they are answered
	 * with ERR_CLOSED, and on_down says why. May be NULL.
	 */
	void (*on_open)(void *owner);
	/*
	 * The connection is over and another one is made, to the home of a room; unanswered
	 * requests are made again there, after those of the on_open that follows. The owner
	 * forgets those that it makes in on_open again. May be NULL.
	 */
	void (*on_move)(void *owner);
	/* The server has also answered hello. */
	void (*on_up)(void *owner);
	/*
	 * A ping has been unanswered for a while; for other requests see connection_waits_ms(). May
	 * be NULL.
	 */
	void (*on_silent)(void *owner);
	/*
	 * The connection is lost, or an attempt failed. retry_ms: the delay before the next
	 * attempt; -1: there is none.
	 */
	void (*on_down)(void *owner, const char *why, int64_t retry_ms);
	/* A notification came. params may be NULL; both are valid only during the call. */
	void (*on_notice)(void *owner, struct slice method, const struct msgpack_object *params);
};

/* The answer to a request; the objects are valid only during the call. */
struct answer {
	enum method method; /* METHOD_COUNT: the method is not known here */
	enum err e;         /* OK: the server answered. ERR_CLOSED: the connection ended first. */
	const struct msgpack_object *refusal; /* the error map, or NULL */
	const struct msgpack_object *result;  /* NULL: refused, or nil */
	const char *server; /* name and version, from the last hello, for display; "": not known */
};
typedef void (*connection_answer_cb)(void *arg, const struct answer *a);

/*
 * Start to connect; *address and *on are copied. Never calls back from inside.
 * @keeps_trying  false: one attempt, and no reconnect after a loss.
 */
struct connection *connection_open(uv_loop_t *loop, const struct address *address, bool keeps_trying,
				   const struct connection_handler *on, void *owner);

/*
 * Log in as this user on every connection, after hello and before on_open. Call it
 * right after connection_open(). Borrowed until connection_close(); NULL: no login.
 */
void connection_sign_in(struct connection *c, struct sign_in *s);

/* The next connection is made to the home of this room, if the server has several nodes. */
void connection_name_room(struct connection *c, struct slice room_id);
/* From now on pass the answer ELSEWHERE on, instead of going there. */
void connection_stay(struct connection *c);

/* Replace the default times; call it right after connection_open(). */
void connection_set_timing(struct connection *c, const struct connection_timing *timing);

/*
 * Drop the pending requests with this arg: their callbacks are not called. May be called from
 * callbacks.
 */
void connection_forget(struct connection *c, const void *arg);

/* No callback is called after this, not even for pending requests. NULL is allowed. */
void connection_close(struct connection *c);

bool connection_is_up(const struct connection *c);
/*
 * Whether ssh may be prompting on the terminal: nothing else should use the terminal then, and
 * the person's time should not count against a timeout.
 */
bool connection_is_asking(const struct connection *c);
/* Whether requests may be made: true from on_open, which comes no later than on_up. */
bool connection_is_open(const struct connection *c);
/* Whether the connection is open and fresh: no user is logged in, and no request was made on it. */
bool connection_is_stranger(const struct connection *c);

/* Requests made between the two are sent in one write. The connection must be open. */
void connection_hold(struct connection *c);
void connection_let_go(struct connection *c);

/*
 * The server's time now, in ms since the epoch: its time in the last hello plus the time
 * since. Late by the time that answer travelled; 0: not known yet.
 */
int64_t connection_server_ms(const struct connection *c);

/*
 * The address of the server's page for browsers, from the last hello (link_is_page()); "": it has
 * none, or is not known yet. Valid until the next hello.
 */
const char *connection_web(const struct connection *c);

/* How long the oldest pending request has waited, in ms; -1: there is none. */
int64_t connection_waits_ms(const struct connection *c);

/*
 * Make a request; cb(arg, ...) is called once with its answer, and never from inside this call.
 *
 * @params  the MessagePack bytes of one map; empty for an empty map. Copied.
 *
 * ERR_CLOSED  there is no open connection now.
 * ERR_BUSY    CONNECTION_PENDING_MAX requests are pending.
 */
NODISCARD enum err connection_request(struct connection *c, struct slice method, struct slice params,
				connection_answer_cb cb, void *arg);

#endif
