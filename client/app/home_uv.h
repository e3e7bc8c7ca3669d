/*
 * home_uv.h - home: the recent rooms, and the server on which rooms are created.
 *
 * Shows the list, finds and keeps a connection to that server, and creates rooms
 * there. Entering and leaving rooms is app_uv.c's business; during a stay the
 * connection is lent to it.
 *
 * Life:    app_home_init() .. app_home_close(). Threads: loop thread only.
 */
#ifndef CLIENT_APP_HOME_UV_H
#define CLIENT_APP_HOME_UV_H

#include "client/app/screen_uv.h"
#include "client/net/room_client_uv.h"

struct app_home {
	struct app_screen *screen;
	const struct app_options *o;
	event_cb on_event; /* for opening the client */
	void (*on_made)(void *owner, const struct room_create_result *r);
	void *owner;
	struct home shown; /* what the screen shows of the members below */
	struct recent_rooms recent;
	char name[APP_NAME_BYTES_MAX + 1];
	struct app_place place;
	bool has_place;
	char server[ADDRESS_HOST_MAX + 64]; /* its label, and where it is shared */
	struct room_client *client; /* of that place; NULL: not connecting, or lent */
	uv_timer_t seek;	    /* the next search for the server */
	bool is_creating;	    /* a room is being created */
};

void app_home_init(struct app_home *h, struct app_screen *screen, const struct app_options *o,
		   event_cb on_event,
		   void (*on_made)(void *owner, const struct room_create_result *r), void *owner);
/* Put home on the screen, opening it, and look for the server. */
void app_home_open(struct app_home *h);
void app_home_close(struct app_home *h);

/*
 * Show home again, or with is_on_screen only update it. @client  the lent client, returned; or
 * NULL.
 */
void app_home_return(struct app_home *h, struct room_client *client, bool is_on_screen);
/* Show why home is shown, and look for the server again if there is no connection to it. */
void app_home_stay(struct app_home *h, const char *why);
/* Whether this is the server on which rooms are created. */
bool app_home_is_at(const struct app_home *h, const struct address *server);
/* Lend the client for a room; NULL: there is none now. */
struct room_client *app_home_lend(struct app_home *h);
/* Disconnect, before a login on another server reuses the memory of this one's. */
void app_home_disconnect(struct app_home *h);

/* Handle an event of its client. */
void app_home_take_event(struct app_home *h, const struct event *event);

/* Send room.create; on_made() is called when the room exists. */
void app_home_create(struct app_home *h, struct request *r);
/* Send any other request: a refusal is told, and that the server is no longer shared. */
void app_home_ask(struct app_home *h, struct request *r);
void app_home_forget(struct app_home *h, const char *server, const char *room_id);
void app_home_rename(struct app_home *h, const char *name);

/*
 * Say how a stay ended, or failed to start.
 * @why      of APP_ENDED and APP_LOST.
 * @is_gone  the room no longer exists.
 */
void app_home_explain(struct app_home *h, enum app_end end, const struct app_entry *entry, bool is_gone,
		      const struct fault *fault, const char *why);

#endif
