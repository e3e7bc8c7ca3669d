/*
 * teams_uv.h - changes to the teams of the logged-in user, at home and in a room: sends the
 * screen's requests to the server, and applies the results to the model (teams.h). feeds_uv.h
 * reads.
 *
 * Changes are sent one at a time, in the order of the keys. A change that was not answered is sent
 * again on the next connection with the same idempotency key, so it is made once.
 *
 * Life:    app_teams_init() .. app_teams_finish(). Threads: loop thread only.
 */
#ifndef CLIENT_APP_TEAMS_UV_H
#define CLIENT_APP_TEAMS_UV_H

#include "client/app/screen_uv.h"
#include "client/model/lists/teams.h"
#include "client/net/room_client_uv.h"

/* The most changes that may wait; further ones, as of a key held down, are dropped. */
enum { APP_TEAMS_CHANGES_MAX = 64 };

typedef void app_teams_create_fn(void *owner, struct request *r);

struct app_teams {
	struct app_screen *screen;
	struct teams teams;
	struct room_client *client; /* connected and logged in; NULL: none now */
	char server[RECENT_SERVER_BYTES_MAX + 1]; /* the server of the known teams; "": none */
	/* the first is pending if there is a client */
	struct request *changes[APP_TEAMS_CHANGES_MAX];
	size_t changes_n;
	struct request *room; /* to be created once they are made; NULL: none */
	app_teams_create_fn *create;
	void *owner;
};

/* @create  sends a room.create. */
void app_teams_init(struct app_teams *x, struct app_screen *screen, app_teams_create_fn *create,
		    void *owner);
void app_teams_finish(struct app_teams *x);

/* Send changes on this client, which is connected to that server; NULL: on none. */
void app_teams_use(struct app_teams *x, struct room_client *client, const char *server);

/* Take a request of the screen; false: it does not change a team. */
bool app_teams_do(struct app_teams *x, struct request *r);
/* Create a room once the changes before it are made, since it starts with what its team keeps then. */
void app_teams_create_room(struct app_teams *x, struct request *r);
/* Others have changed something; is_gone: what is open was deleted, as by method `by`. */
void app_teams_take_update(struct app_teams *x, bool is_gone, enum method by);

#endif
