/*
 * feeds_uv.h - reads lists for the screen: sends the requests for the pages and watches of its
 * feeds, and passes the results to the feeds (feed.h).
 *
 * Each feed has at most one pending request, and at most APP_FEEDS_READ_MAX feeds have one at a
 * time. None is about a room, since the requests of a room are dropped when it is left.
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
	struct room_client *client; /* NULL: none now */
	void (*on_refusal)(void *owner, const struct feed *feed);
	void *owner;
	struct app_feed_read {
		struct app_feeds *x;
		struct feed *feed;	 /* NULL: this slot is free */
		struct request *request; /* pending */
	} reads[APP_FEEDS_READ_MAX];
};

/* @on_refusal  called when a request of a feed was refused, before the user is told. */
void app_feeds_init(struct app_feeds *x, struct app_screen *screen,
		    void (*on_refusal)(void *owner, const struct feed *feed), void *owner);
void app_feeds_finish(struct app_feeds *x);
/*
 * Read on this client from now on; NULL: on none. If it is another client, pending requests are
 * dropped; their owners call feed_lost().
 */
void app_feeds_use(struct app_feeds *x, struct room_client *client);
/*
 * Send this request of the feed. If it cannot be sent now, it is dropped, and the screen asks
 * again.
 */
void app_feeds_read(struct app_feeds *x, struct feed *feed, struct request *r);

#endif
