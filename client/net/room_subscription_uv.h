/*
 * room_subscription_uv.h - being in one room on a connection.
 *
 * Sends what the membership wants, gives it the answers and notifications,
 * waits where it is to wait, and has a passcode asked for. When a connection
 * opens and ends, and what comes on it, is given to it by its owner.
 *
 * Happy path: room_subscription_enter(), the connection opens, and on_news.
 * Failure: a loss of the connection is none; membership.h has the others, and
 * they come as news. What cannot be sent now is sent in a while.
 *
 * Life:    room_subscription_open() .. room_subscription_close(), before the connection
 *          is gone; the loop gives the memory back. on_news may do all of this.
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

/* All it takes to come into a room. Texts are copied; "" and NULL are the same. */
struct room_entry {
	const char *room_id;  /* upper case */
	const char *user_key; /* "": a new seat */
	const char *name;     /* "": only watch */
	bool is_spectator;
	bool is_bot;
	const char *passcode; /* for a new seat */
	const char *host_key; /* "": not ours */
	bool shows_host_key;  /* with the subscription; else only where a stranger is refused */
	bool wants_host;      /* likewise, and lead with that key where nobody does */
	/*
	 * The room has a passcode, and the entry none: ask a person for it, up to
	 * ROOM_PASSCODE_TRIES times; tries: how many of them were wrong. True: it is
	 * tried with what was written. May take its time; the loop stands still.
	 * NULL: the refusal is the end.
	 */
	bool (*ask_passcode)(void *asker, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1]);
	void *asker;
	offline_refuses *refuses; /* what of room_client_hold() means nothing any more; NULL: nothing is held */
};

/* @on_news  bits of enum membership_news, never 0. */
struct room_subscription *room_subscription_open(struct loop *loop, struct connection *connection,
						 void (*on_news)(void *owner, unsigned news), void *owner);
/* No news comes after this. */
void room_subscription_close(struct room_subscription *s);

/* Be in this room from now on; in none before. */
void room_subscription_enter(struct room_subscription *s, const struct room_entry *entry);
/* Be in no room. What it asked has no answer any more. */
void room_subscription_exit(struct room_subscription *s);
bool room_subscription_has_room(const struct room_subscription *s);
/* What is known and wanted of the room; empty without one. */
struct membership *room_subscription_membership(struct room_subscription *s);

/* Send what is to be sent now: after anything else was wanted. */
void room_subscription_go(struct room_subscription *s);
/* The connection is open; it is lost; a notification came. Without a room they do nothing. */
void room_subscription_up(struct room_subscription *s);
void room_subscription_down(struct room_subscription *s);
void room_subscription_notice(struct room_subscription *s, enum notice notice, const void *update);

#endif
