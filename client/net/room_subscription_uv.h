/*
 * room_subscription_uv.h - a membership of one room, run on a connection.
 *
 * Sends the requests the membership wants, gives it the answers and notifications,
 * runs its retry timer, and asks for a passcode if needed. The owner passes on when
 * the connection opens or is lost, and its notifications.
 *
 * Happy path: room_subscription_enter(), the connection opens, and on_news.
 * Failure: the loss of a connection is not a failure; the failures of membership.h
 * come as news. A request that cannot be sent now is retried after a second.
 *
 * Life:    room_subscription_open() .. room_subscription_close(), before the connection
 *          is closed; the loop then frees the memory. on_news may call any of these.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_ROOM_SUBSCRIPTION_UV_H
#define CLIENT_NET_ROOM_SUBSCRIPTION_UV_H

#include <stdbool.h>

#include "client/model/room/membership.h"
#include "client/model/room/offline_queue.h"
#include "client/net/connection_uv.h"
#include "client/net/loop_uv.h"

struct room_subscription;

#define ROOM_PASSCODE_TRIES 3

/* How to enter a room. Texts are copied; NULL is the same as "". */
struct room_entry {
	const char *room_id;  /* upper case */
	const char *user_key; /* "": a new seat */
	const char *name;     /* "": subscribe without joining */
	bool is_spectator;
	bool is_bot;
	const char *passcode; /* for a new seat */
	const char *host_key; /* "": none */
	/* send host_key with the subscription; false: only after a refusal without it */
	bool shows_host_key;
	/* send it with the subscription, and claim host if the room has none */
	bool wants_host;
	/*
	 * Called if the room needs a passcode and the entry has none, up to
	 * ROOM_PASSCODE_TRIES times; tries: how many were wrong so far. Writes a
	 * passcode and returns true to try it, false to give up. May block; the loop
	 * is suspended. NULL: the refusal is final.
	 */
	bool (*ask_passcode)(void *asker, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]);
	void *asker;
	/* which requests of room_client_hold() to drop; NULL: none are held */
	offline_refuses *refuses;
};

/* loop and connection are borrowed. @on_news  gets bits of enum membership_news, never 0. */
struct room_subscription *room_subscription_open(struct loop *loop, struct connection *connection,
						 void (*on_news)(void *owner, unsigned news), void *owner);
/* on_news is not called after this. */
void room_subscription_close(struct room_subscription *s);

/* Enter this room. There must be no room before. */
void room_subscription_enter(struct room_subscription *s, const struct room_entry *entry);
/* Leave the room: drop its pending requests and unsubscribe. Without a room, do nothing. */
void room_subscription_exit(struct room_subscription *s);
bool room_subscription_has_room(const struct room_subscription *s);
/*
 * The state of the room and what is wanted in it; empty without a room. Owned by the subscription.
 */
struct membership *room_subscription_membership(struct room_subscription *s);

/* Send what the membership wants now; call it after each membership_want_*(). */
void room_subscription_go(struct room_subscription *s);
/*
 * Tell it that the connection is open, was lost, or brought a notification. Without a room they do
 * nothing.
 */
void room_subscription_up(struct room_subscription *s);
void room_subscription_down(struct room_subscription *s);
/* The connection goes to another node: forget what is unanswered; room_subscription_up() follows. */
void room_subscription_move(struct room_subscription *s);
void room_subscription_notice(struct room_subscription *s, enum notice notice, const void *update);

#endif
