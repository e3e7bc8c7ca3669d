/*
 * inbox_uv.h - the questions of whoever is logged in at home: what the screen wants to read and
 * send goes to the server, and what comes of it into the model (inbox.h).
 *
 * The list of those that wait is read again when the connection is there, when one comes back
 * from a room, when a question was sent out (question.notice), and every minute meanwhile.
 * An answer that was sent and not answered is sent again with its idempotency key, on the next
 * connection: the server takes it once.
 *
 * Life:    app_inbox_init() .. app_inbox_close(). Threads: loop thread only.
 */
#ifndef CLIENT_APP_INBOX_UV_H
#define CLIENT_APP_INBOX_UV_H

#include "client/app/screen_uv.h"
#include "client/model/questions/inbox.h"
#include "client/net/room_client_uv.h"

struct app_inbox {
	struct app_screen *screen;
	struct inbox inbox;
	struct room_client *client; /* up, and logged in; NULL: there is none now */
	uv_timer_t again;	    /* the next reading of the list */
	struct request *answer;	    /* that has no end yet; NULL: none */
};

void app_inbox_init(struct app_inbox *x, struct app_screen *screen);
void app_inbox_close(struct app_inbox *x);

/* Read and send on this client from now on; NULL: on none. */
void app_inbox_use(struct app_inbox *x, struct room_client *client);
/* Questions may wait that did not before. */
void app_inbox_refresh(struct app_inbox *x);

/* A request of the screen; false where it is about no question. */
bool app_inbox_do(struct app_inbox *x, struct request *r);

#endif
