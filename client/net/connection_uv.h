/*
 * connection_uv.h - being connected to a server, again and again.
 *
 * Says hello, numbers requests and finds their answers, hands on
 * notifications, pings a silent server, and comes back after a loss with
 * growing pauses. What a method means, and what to ask again after a loss, is
 * its owner's business.
 *
 * Happy path: connection_open(), on_open, on_up, and from on_open on connection_request() with
 * its callback, and on_notice. What is asked in on_open leaves in one write with
 * hello, where nothing of hello's answer is needed to sign in: coming in costs
 * one way there and back.
 * Failure: after a loss every open request is answered ERR_CLOSED (whether the
 * server did it is unknown), then comes on_down; where it keeps trying,
 * an on_up follows some time later. Nothing is sent twice by itself.
 *
 * Life:    connection_open() .. connection_close(); the loop must run on until it has
 *          nothing left. Callbacks may call connection_close().
 * Threads: loop thread only. SIGPIPE must be ignored.
 */
#ifndef CLIENT_NET_CONNECTION_UV_H
#define CLIENT_NET_CONNECTION_UV_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "client/model/sign_in.h"
#include "client/net/address.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "proto/methods.h"

struct msgpack_object;
struct connection;

/*
 * A server that says nothing for this long is asked whether it is there; for twice as long, it is not. Of what nothing
 * happens to, 1,000 clients make 100 such requests a second.
 */
#define CONNECTION_PING_MS 10000
/* Where that question has no answer after this part of the time, on_silent: 2 s. */
#define CONNECTION_SILENT_PART 5
/* Time to connect and say hello. */
#define CONNECTION_HELLO_MS 10000
/* The same where ssh may ask a person first: as long as sshd gives them by default (LoginGraceTime). */
#define CONNECTION_ASK_MS 120000
/* Pauses between tries double from the first to the last, each shortened by up to half at random. */
#define CONNECTION_RETRY_FIRST_MS 250
#define CONNECTION_RETRY_LAST_MS  10000
/* Requests without an answer. */
#define CONNECTION_PENDING_MAX 1024

/* The four times above, in milliseconds; none is 0. */
struct connection_timing {
	uint32_t ping_ms;
	uint32_t hello_ms;
	uint32_t retry_first_ms;
	uint32_t retry_last_ms;
};

struct connection_handler {
	/*
	 * Requests may be made, and will be served as who we are: hello, and what
	 * signs us in, has been said. May be NULL. Where the server refuses hello,
	 * they end in ERR_CLOSED, and on_down says why.
	 */
	void (*on_open)(void *owner);
	/* The server has answered hello, too. */
	void (*on_up)(void *owner);
	/* A ping has waited for its answer for a while; what else waits, connection_waits_ms() tells. May be NULL. */
	void (*on_silent)(void *owner);
	/* No connection. retry_ms: the pause before the next try, or -1 where there is none. */
	void (*on_down)(void *owner, const char *why, int64_t retry_ms);
	/* params may be NULL; both are valid for the call. */
	void (*on_notice)(void *owner, struct slice method, const struct msgpack_object *params);
};

/* The end of a request; the objects are valid for the call. */
struct answer {
	enum method method; /* METHOD_COUNT: its name is none of ours */
	enum err e;         /* OK: the server answered. ERR_CLOSED: the connection ended first. */
	const struct msgpack_object *refusal; /* the error map, or NULL */
	const struct msgpack_object *result;  /* NULL where it was refused, and for nil */
};
typedef void (*connection_answer_cb)(void *arg, const struct answer *a);

/* @keeps_trying  false: one try, and the end after a loss. */
struct connection *connection_open(uv_loop_t *loop, const struct address *address, bool keeps_trying,
				   const struct connection_handler *on, void *owner);

/*
 * Be this user on every connection: signs in after hello, before on_open. Called
 * right after connection_open(). Borrowed until connection_close(); NULL: a stranger.
 */
void connection_sign_in(struct connection *c, struct sign_in *s);

/* Other times than those above; called right after connection_open(). */
void connection_set_timing(struct connection *c, const struct connection_timing *timing);

/* The open requests that have this arg have no answer any more. May be called from within callbacks. */
void connection_forget(struct connection *c, const void *arg);

/* No callback comes after this, not even of open requests. NULL is fine. */
void connection_close(struct connection *c);

bool connection_is_up(const struct connection *c);
/* ssh may be asking a person on the terminal: nothing else should read or write there, nor count the time. */
bool connection_is_asking(const struct connection *c);
/* Whether requests may be made: since on_open, which comes no later than on_up. */
bool connection_is_open(const struct connection *c);
/* Whether the server knows nothing of us on this connection: it is open, nobody is logged in, and nothing was asked. */
bool connection_is_stranger(const struct connection *c);

/* Between the two, of a connection that is open, requests gather, and leave in one write. */
void connection_hold(struct connection *c);
void connection_let_go(struct connection *c);

/*
 * The server's time now, in ms since the epoch: what it said at the last hello,
 * and what has passed since. Behind by the way that word took; 0: not known yet.
 */
int64_t connection_server_ms(const struct connection *c);

/* How long the oldest request has waited for its answer; -1: none waits. */
int64_t connection_waits_ms(const struct connection *c);

/*
 * @params  the MessagePack bytes of one map; empty for an empty map. Copied.
 *
 * ERR_CLOSED  there is no connection now.
 * ERR_BUSY    CONNECTION_PENDING_MAX are open.
 */
NODISCARD enum err connection_request(struct connection *c, struct slice method, struct slice params,
				connection_answer_cb cb, void *arg);

#endif
