/*
 * room_client_uv.h - a client of one server, in at most one room at a time.
 *
 * Keeps a connection, restores its room after the connection is lost, and makes
 * requests. The reply to a request goes to the callback given with it; everything
 * else that happens goes to one handler, as a struct event. The screen, lines mode,
 * watch and the verbs are all built on this.
 *
 * Happy path: room_client_open(), room_client_enter(); hello, subscription and
 * join are sent in one write; then EVENT_NEWS about the room, and
 * room_client_call() with its reply.
 * Failure: unanswered requests get a reply with ERR_CLOSED, followed by
 * EVENT_DOWN. A client with keeps_trying reconnects (EVENT_OPEN, then EVENT_UP)
 * and subscribes to its room again. The end of the room is EVENT_NEWS with
 * MEMBERSHIP_NEWS_ENDED.
 *
 * A sequential program opens the client without a loop: the client then has its
 * own loop, which runs inside room_client_run(), and in the calls of room_client_wait_uv.h.
 *
 * Life:    room_client_open() .. room_client_close(). On a loop of the caller's, handlers
 *          may close the client; the memory is freed when the loop runs again.
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
#include "client/net/transport/address.h"
#include "client/net/event.h"
#include "client/net/loop_uv.h"
#include "client/net/reply.h"
#include "client/net/room_subscription_uv.h"
#include "proto/base/arena.h"

struct room_client;

struct room_client_options {
	struct address address;
	struct sign_in *sign_in; /* borrowed until room_client_close(); NULL: no login */
	bool keeps_trying;	 /* reconnect after a loss, and if the first attempt fails */
	const char *room_id;	 /* the room that is meant, before it is entered; NULL: none yet */
	event_cb on_event;	 /* NULL: events are dropped */
	void *owner;
};

/*
 * Start to connect. *o is copied, except for what is borrowed.
 * @loop  NULL: the client has its own loop, whose events other than signals go to on_event too.
 */
struct room_client *room_client_open(struct loop *loop, const struct room_client_options *o);
/* Send events to this handler from now on. */
void room_client_listen(struct room_client *c, event_cb on_event, void *owner);
/*
 * No event comes after this. NULL is allowed. A client with its own loop must not be closed from a
 * handler.
 */
void room_client_close(struct room_client *c);

/* ---- a room ---- */

/* Leave the current room, if any, and stay in this one from now on. */
void room_client_enter(struct room_client *c, const struct room_entry *entry);
/*
 * Unsubscribe from the room; the connection remains. Pending requests about the room get no reply.
 */
void room_client_exit(struct room_client *c);

/*
 * The state of the room and the actions wanted in it. Change it only by membership_want_*(), then
 * call room_client_go().
 */
struct membership *room_client_membership(struct room_client *c);
/* Send the requests that the membership wants to send now. */
void room_client_go(struct room_client *c);
/* Whether every request is answered, none is held, and the replica shows their effects. */
bool room_client_is_settled(struct room_client *c);

/*
 * Hold the request while there is no connection. Once the client has reconnected, the room is
 * synchronised and the replica shows all earlier requests, EVENT_HELD hands it to the handler,
 * which sends it; a request that no longer applies is dropped and EVENT_HELD says why. If the
 * connection is lost after that, the request fails like any other, and those after it stay held.
 * Takes a reference. Returns false if OFFLINE_QUEUE_MAX requests are held already.
 */
bool room_client_hold(struct room_client *c, struct request *r);
/* The held requests; valid until room_client_close(). */
const struct offline_queue *room_client_held(const struct room_client *c);

/* ---- the connection ---- */

/* Whether requests may be made; true from EVENT_OPEN. */
bool room_client_is_open(const struct room_client *c);
/* Whether the server has answered hello, too. */
bool room_client_is_up(const struct room_client *c);
/* Whether ssh may be prompting on the terminal (connection_uv.h). */
bool room_client_is_asking(const struct room_client *c);
/* The server's time now, in ms since the epoch, estimated from its last hello; 0: not known yet. */
int64_t room_client_server_ms(const struct room_client *c);
/*
 * The address of the server's page for browsers; "": it has none, or is not known yet. Valid until
 * EVENT_UP.
 */
const char *room_client_web(const struct room_client *c);
/* How long the oldest unanswered request has waited, in ms; -1: there is none. */
int64_t room_client_waits_ms(const struct room_client *c);

/*
 * Make a request. on(owner, ...) is called once with the reply; it is not called after
 * room_client_forget(), room_client_close(), room_client_stop(), or, if the params have a
 * room_id, room_client_exit(). Neither on nor owner may be NULL.
 *
 * On an error nothing was sent, and on() is not called:
 * ERR_CLOSED     there is no connection now.
 * ERR_BUSY       CONNECTION_PENDING_MAX requests are unanswered.
 * ERR_TOO_LARGE  the params do not fit in MAX_FRAME_BYTES.
 *
 * @params  of the method's params record.
 */
REPLIES_TO(4, 5) enum err room_client_call(struct room_client *c, enum method method, const void *params, reply_fn *on,
				    void *owner);
/*
 * The same for a struct request; fills in the room_id, host_key and idempotency_key that it lacks.
 */
REPLIES_TO(3, 4) enum err room_client_request(struct room_client *c, struct request *r, reply_fn *on, void *owner);
/*
 * The same by name; the reply has a value but no result. @params  the MessagePack bytes of a map;
 * empty: an empty map.
 */
REPLIES_TO(4, 5) enum err room_client_send(struct room_client *c, struct slice method, struct slice params, reply_fn *on,
				    void *owner);
/* From now on pass the answer ELSEWHERE on, instead of going to that room's home (connection_uv.h). */
void room_client_stay(struct room_client *c);
/* Drop the pending requests of this owner: they get no reply. */
void room_client_forget(struct room_client *c, const void *owner);

/* Schedule EVENT_WAKE in this many ms; replaces an earlier one that has not come yet. */
void room_client_wake_in(struct room_client *c, int64_t ms);

/* ---- for programs that run it on its own loop ---- */

enum room_client_end {
	CLIENT_RUNS,
	CLIENT_STOPPED, /* by room_client_stop(), or a signal */
	CLIENT_ENDED,	/* the membership ended, such as by a kick or the room's deletion */
	CLIENT_REFUSED, /* the membership ended by a refusal */
	CLIENT_LOST,	/* the server was never reached */
	CLIENT_TIMED_OUT
};

/*
 * Run until the client ends in one of these ways, or for timeout_ms (negative: no limit).
 * *why describes CLIENT_ENDED, _REFUSED and _LOST; *fault is set for CLIENT_REFUSED. SIGINT,
 * SIGTERM and SIGHUP stop it.
 */
enum room_client_end room_client_run(struct room_client *c, int64_t timeout_ms, struct fault *fault, struct errmsg *why);
/* From a handler: deliver no more events and let room_client_run() return CLIENT_STOPPED. */
void room_client_stop(struct room_client *c);

struct loop *room_client_loop(struct room_client *c);

/* What room_client_wait_uv.h waits with. */
struct room_client_wait {
	struct address address;
	bool was_up;  /* at some time */
	bool is_lost; /* and has not come back */
	struct errmsg why;
	bool has_reply; /* of room_client_ask() */
	struct reply reply;
	struct buf bytes; /* of it */
};
struct room_client_wait *room_client_waiting(struct room_client *c);
#endif
