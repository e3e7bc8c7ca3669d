/*
 * home_uv.h - home: the rooms one was in, and the server where rooms are made.
 *
 * Shows the list, finds and keeps a connection to that server, and makes rooms
 * there. Going into rooms and coming back is app_uv.c's business; meanwhile the
 * connection is lent to the stay.
 *
 * Life:    app_home_init() .. app_home_close(). Threads: loop thread only.
 */
#ifndef CLIENT_APP_HOME_UV_H
#define CLIENT_APP_HOME_UV_H

#include "client/app/inbox_uv.h"
#include "client/app/screen_uv.h"
#include "client/net/room_client_uv.h"

struct app_home {
	struct app_screen *screen;
	const struct app_options *o;
	struct teams *teams; /* borrowed, for the screen */
	event_cb on_event; /* what the client is opened with */
	void (*on_made)(void *owner, const struct room_create_result *r);
	void *owner;
	struct home shown; /* what the screen shows, of what follows */
	struct recent_rooms recent;
	char name[APP_NAME_BYTES_MAX + 1];
	struct app_place place;
	bool has_place;
	struct room_client *client; /* of that place; NULL: not connecting, or lent */
	uv_timer_t seek;	    /* the place is looked for, now or again */
	bool is_creating;	    /* a room is being made */
	struct app_inbox inbox;	    /* on the client, while that is not lent */
};

void app_home_init(struct app_home *h, struct app_screen *screen, const struct app_options *o,
		   struct teams *teams, event_cb on_event,
		   void (*on_made)(void *owner, const struct room_create_result *r), void *owner);
/* Put it on the screen, which opens, and look for the server. */
void app_home_open(struct app_home *h);
void app_home_close(struct app_home *h);

/* Put it on the screen again, or where it still is only what has changed; client as it comes back, or NULL. */
void app_home_return(struct app_home *h, struct room_client *client, bool is_on_screen);
/* Look for the server again where there is no connection to it, and say why one is here. */
void app_home_stay(struct app_home *h, const char *why);
/* Whether rooms are made on that server. */
bool app_home_is_at(const struct app_home *h, const struct address *server);
/* Its client, for a room; NULL: there is none now. */
struct room_client *app_home_lend(struct app_home *h);
/* Before a login on another server takes the memory of this one's. */
void app_home_disconnect(struct app_home *h);

/* What happens to its client. */
void app_home_take_event(struct app_home *h, const struct event *event);

/* room.create; on_made() is called when the room is there. */
void app_home_create(struct app_home *h, struct request *r);
/* Whatever else the server is to do that has nothing to show but a refusal. */
void app_home_ask(struct app_home *h, struct request *r);
void app_home_forget(struct app_home *h, const char *server, const char *room_id);
void app_home_rename(struct app_home *h, const char *name);

/* The end of a stay, or of the way to it. why: of APP_ENDED and APP_LOST. is_gone: the room is no more. */
void app_home_explain(struct app_home *h, enum app_end end, const struct app_entry *entry, bool is_gone,
		      const struct fault *fault, const char *why);

#endif
