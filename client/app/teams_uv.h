/*
 * teams_uv.h - the teams of whoever is logged in, at home and in a room: what the screen wants to
 * change goes to the server, and what comes of it into the model (teams.h). feeds_uv.h reads.
 *
 * One change is made at a time, in the order of the keys. A change that
 * was sent and not answered is sent again with its idempotency key, on the next connection: it is
 * made once.
 *
 * Life:    app_teams_init() .. app_teams_finish(). Threads: loop thread only.
 */
#ifndef CLIENT_APP_TEAMS_UV_H
#define CLIENT_APP_TEAMS_UV_H

#include "client/app/screen_uv.h"
#include "client/model/lists/teams.h"
#include "client/net/room_client_uv.h"

/* Changes that wait for the one before; a key that is held down gets no further ahead. */
enum { APP_TEAMS_CHANGES_MAX = 64 };

struct app_teams {
	struct app_screen *screen;
	struct teams teams;
	struct room_client *client; /* up, and logged in; NULL: there is none now */
	char server[RECENT_SERVER_BYTES_MAX + 1]; /* of what is known; "": nothing is */
	struct request *changes[APP_TEAMS_CHANGES_MAX]; /* the first is on its way, where there is a client */
	size_t changes_n;
};

void app_teams_init(struct app_teams *x, struct app_screen *screen);
void app_teams_finish(struct app_teams *x);

/* Change on this client from now on, which is connected to that server; NULL: on none. */
void app_teams_use(struct app_teams *x, struct room_client *client, const char *server);

/* A request of the screen; false where it changes no team. */
bool app_teams_do(struct app_teams *x, struct request *r);
/* Others have changed something; is_gone: what is open, as by that method. */
void app_teams_take_update(struct app_teams *x, bool is_gone, enum method by);

#endif
