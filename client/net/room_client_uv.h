/*
 * room_client_uv.h - a client of a server, in one room or in none.
 *
 * Keeps a connection, stays in a room over losses of it, and makes requests. What
 * a request ends in goes to the function that it was made with; everything else
 * that happens goes to one handler, as struct event. The screen, the lines mode,
 * watch and the verbs all are on it.
 *
 * Happy path: room_client_open(), room_client_enter(); hello, subscription and
 * join leave in one write; EVENT_NEWS of the room, and room_client_call() with
 * its reply.
 * Failure: requests without an answer end in a reply with ERR_CLOSED, then comes
 * EVENT_DOWN. A client that keeps trying comes back with EVENT_OPEN and EVENT_UP,
 * and subscribes again by itself. The end of the room is EVENT_NEWS with
 * MEMBERSHIP_NEWS_ENDED.
 *
 * A program that goes from top to bottom opens the client without a loop: it has
 * its own, and turns it in room_client_run(), _wait() and _ask().
 *
 * Life:    room_client_open() .. room_client_close(). Where the loop was given, its
 *          handlers may close the client, and the loop gives the memory back.
 * Threads: one thread. SIGPIPE must be ignored.
 */
#ifndef CLIENT_NET_ROOM_CLIENT_UV_H
#define CLIENT_NET_ROOM_CLIENT_UV_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/request.h"
#include "client/model/room/membership.h"
#include "client/model/room/offline_queue.h"
#include "client/model/sign_in.h"
#include "client/net/address.h"
#include "client/net/event.h"
#include "client/net/loop_uv.h"
#include "client/net/reply.h"
#include "client/net/room_subscription_uv.h"
#include "proto/base/arena.h"

struct room_client;

struct room_client_options {
	struct address address;
	struct sign_in *sign_in; /* borrowed until room_client_close(); NULL: a stranger */
	bool keeps_trying;	 /* comes back after a loss, and where the first try fails */
	event_cb on_event;	 /* NULL: nobody wants to know */
	void *owner;
};

/* @loop  NULL: its own, whose events come to on_event, too. */
struct room_client *room_client_open(struct loop *loop, const struct room_client_options *o);
/* Events come to another handler from now on. */
void room_client_listen(struct room_client *c, event_cb on_event, void *owner);
/* No event comes after this. NULL is fine. Not from within a handler where the loop is its own. */
void room_client_close(struct room_client *c);

/* ---- a room ---- */

/* Stay in this room from now on, in place of another. */
void room_client_enter(struct room_client *c, const struct room_entry *entry);
/* Stay in no room; the connection remains. Requests that were made about the room have no reply any more. */
void room_client_exit(struct room_client *c);

/* What is known and wanted of the room. Change it only through membership_want_*(), then call room_client_go(). */
struct membership *room_client_membership(struct room_client *c);
/* Send what is to be sent now. */
void room_client_go(struct room_client *c);
/* Whether every request is answered, none is held, and the room shows what they did. */
bool room_client_is_settled(struct room_client *c);

/*
 * Without a connection: keep the request until it is back, the room is known
 * again, and what was asked before is shown. Then it is sent once, or dropped
 * where it means nothing any more; EVENT_HELD each time, whose handler sends it. One that
 * is on its way when the connection ends is refused as any other; those behind it wait on.
 * False: too many are held already.
 */
bool room_client_hold(struct room_client *c, struct request *r);
/* Those that are held. */
const struct offline_queue *room_client_held(const struct room_client *c);

/* ---- the connection ---- */

bool room_client_is_up(const struct room_client *c);
/* ssh may be asking a person on the terminal (connection_uv.h). */
bool room_client_is_asking(const struct room_client *c);
/* The server's time now, in ms since the epoch, as near as its last hello tells; 0: not known yet. */
int64_t room_client_server_ms(const struct room_client *c);
/* How long the oldest request has waited for its answer; -1: none waits. */
int64_t room_client_waits_ms(const struct room_client *c);

/*
 * Make a request. Its end is a call of on(owner, ...): once, or never after
 * room_client_forget(), room_client_close(), room_client_stop(), or where its
 * params have a room_id, room_client_exit(). Neither may be NULL: a request that
 * nobody waits for is not made.
 *
 * @params  of the method's params record.
 * ERR_CLOSED  no connection now; nothing was sent. ERR_BUSY, ERR_TOO_LARGE. Then nothing is called.
 */
REPLIES_TO(4, 5) enum err room_client_call(struct room_client *c, enum method method, const void *params, reply_fn *on,
				    void *owner);
/* The same of a request; what all have in common (the room, keys) is filled in where it is not given. */
REPLIES_TO(3, 4) enum err room_client_request(struct room_client *c, struct request *r, reply_fn *on, void *owner);
/* The same by name; the reply has no result, but its value. @params  MessagePack bytes of a map; empty: an empty map. */
REPLIES_TO(4, 5) enum err room_client_send(struct room_client *c, struct slice method, struct slice params, reply_fn *on,
				    void *owner);
/* No reply comes to that owner any more, whatever it has asked. */
void room_client_forget(struct room_client *c, const void *owner);

/* EVENT_WAKE in so many ms, in place of one that was to come. */
void room_client_wake_in(struct room_client *c, int64_t ms);

/* ---- for programs that go from top to bottom, on a client's own loop ---- */

enum room_client_end {
	CLIENT_RUNS,
	CLIENT_STOPPED, /* by room_client_stop(), or a signal */
	CLIENT_ENDED,	/* the room, for us */
	CLIENT_REFUSED, /* likewise, by a refusal */
	CLIENT_LOST,	/* the server could not be reached at all */
	CLIENT_TIMED_OUT
};

/* Until it ends, in one of those ways; described in *why where that is not plain, and *fault for CLIENT_REFUSED. */
enum room_client_end room_client_run(struct room_client *c, int64_t timeout_ms, struct fault *fault, struct errmsg *why);
/* From within a handler: no more events, and room_client_run() returns. */
void room_client_stop(struct room_client *c);

/* The loop that it runs on. */
struct loop *room_client_loop(struct room_client *c);
/* Until is_so(arg), or the connection is lost, or the time is over (negative: never). Returns is_so(arg). */
bool room_client_wait(struct room_client *c, bool (*is_so)(const void *arg), const void *arg, int64_t timeout_ms);

/*
 * Until requests may be made; with needs_hello until the server has answered
 * hello. Without, a server that answers too late or not at all fails the first
 * room_client_ask(), which leaves right behind hello. Where ssh may ask a person first, hello's
 * answer is waited for in any case, and longer (connection_uv.h).
 * ERR_CLOSED   nobody there, or not our protocol. ERR_UNKNOWN  no answer in time. *why for both.
 */
NODISCARD enum err room_client_connect(struct room_client *c, bool needs_hello, int64_t timeout_ms, struct errmsg *why);

/*
 * One request and its reply.
 *
 * ERR_UNKNOWN  no answer within timeout_ms.
 * ERR_CLOSED   the connection ended first.
 * ERR_BUSY. All are described in room_client_why().
 */
NODISCARD enum err room_client_ask(struct room_client *c, struct slice method, struct slice params,
				   int64_t timeout_ms, struct reply *out);
/*
 * The same with records: params of the method's params record, *result of its
 * result record where it was not refused, with strings in the arena.
 * ERR_PROTO    the answer is none of the method's. ERR_TOO_LARGE.
 */
NODISCARD enum err room_client_ask_record(struct room_client *c, enum method method, const void *params,
					  int64_t timeout_ms, struct arena *arena, void *result, struct reply *out);
/*
 * After room_client_enter(): until the seat and what is known of it are there.
 * Errors as above; out->bytes are empty. A refusal that time may change is one, too.
 */
NODISCARD enum err room_client_await_seat(struct room_client *c, int64_t timeout_ms, struct reply *out);
/* What went wrong last; valid until the next call with the client. */
const char *room_client_why(const struct room_client *c);

#endif
