/*
 * inbox_uv.h - the questions of the logged-in user, at home and in a room: sends the screen's requests to the
 * server, and applies the results to the model (inbox.h).
 *
 * The list of waiting questions is reread when the connection is up, when a question was asked
 * (question.notice), and every minute while it is shown. An answer to a question that the
 * server has not confirmed is sent again on the next connection with the same idempotency key,
 * so it is recorded once; so is a question that the user asks.
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
	struct room_client *client; /* connected and logged in; NULL: none now */
	char server[RECENT_SERVER_BYTES_MAX + 1]; /* the server of the known questions; "": none */
	uv_timer_t again;	    /* the next rereading of the list */
	struct request *answer;	    /* not confirmed yet; NULL: none */
	struct request *asks;	    /* a question, likewise */
};

void app_inbox_init(struct app_inbox *x, struct app_screen *screen);
void app_inbox_close(struct app_inbox *x);

/*
 * Read and send on this client from now on, which is connected to that server; NULL: on none.
 * Another server has other questions: what was not sent to the last one is dropped, and said so.
 */
void app_inbox_use(struct app_inbox *x, struct room_client *client, const char *server);
/* Reread the list: there may be new questions. */
void app_inbox_refresh(struct app_inbox *x);

/* Take a request of the screen; false: it is not about a question. */
bool app_inbox_do(struct app_inbox *x, struct request *r);

#endif
