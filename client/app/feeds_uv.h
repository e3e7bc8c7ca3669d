/*
 * feeds_uv.h - what the screen shows of the server's is read: the pages and watches that its feeds
 * want go to the server, and what comes of them into the feeds (feed.h).
 *
 * Each feed has one request on its way at most, and a few feeds at a time. None is about a room,
 * whose requests end with it.
 *
 * Life:    app_feeds_init() .. app_feeds_finish(). Threads: loop thread only.
 */
#ifndef CLIENT_APP_FEEDS_UV_H
#define CLIENT_APP_FEEDS_UV_H

#include "client/app/screen_uv.h"
#include "client/model/feed.h"
#include "client/net/room_client_uv.h"

enum { APP_FEEDS_READ_MAX = 4 };

struct app_feeds {
	struct app_screen *screen;
	struct room_client *client; /* NULL: there is none now */
	void (*on_refusal)(void *owner, const struct feed *feed);
	void *owner;
	struct app_feed_read {
		struct app_feeds *x;
		struct feed *feed;	 /* NULL: none is read here */
		struct request *request; /* that is on its way */
	} reads[APP_FEEDS_READ_MAX];
};

/* @on_refusal  a feed was refused, and the person told. */
void app_feeds_init(struct app_feeds *x, struct app_screen *screen,
		    void (*on_refusal)(void *owner, const struct feed *feed), void *owner);
void app_feeds_finish(struct app_feeds *x);
/* Read on this client from now on; NULL: on none. What was on its way comes no more: feed_lost(). */
void app_feeds_use(struct app_feeds *x, struct room_client *client);
/* Ask this of the feed; where it cannot be sent now, the screen asks again. */
void app_feeds_read(struct app_feeds *x, struct feed *feed, struct request *r);

#endif
