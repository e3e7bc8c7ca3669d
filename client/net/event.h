/*
 * event.h - what happens to a program of the client, one struct for all of it.
 *
 * Events come in the order in which things happened. A handler may make
 * requests, stop the loop, and close what the event came from. What a request
 * ended in is no event: that goes to whoever made it (room_client_uv.h).
 */
#ifndef CLIENT_NET_EVENT_H
#define CLIENT_NET_EVENT_H

#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "proto/methods.h"

struct msgpack_object;
struct request;

enum event_kind {
	/* of a room client */
	EVENT_OPEN,    /* requests may be made: what is sent now leaves in one write with hello */
	EVENT_UP,      /* the server has answered hello, too */
	EVENT_SILENT,  /* an idle server has been asked whether it is there, and has not answered for a while */
	EVENT_DOWN,    /* why, retry_ms: no connection */
	EVENT_NOTICE,  /* notice, update; name, value: a notification as it came, before it is applied */
	EVENT_NEWS,    /* news: of the room */
	EVENT_SNAPSHOT, /* there was news of the room; five of these a second at most, and the last behind the last news */
	EVENT_HELD,    /* request: was held, and is to be sent now, NULL: none; why: lines on those that were dropped, or "" */
	EVENT_WAKE,    /* the time of room_client_wake_in() has come */
	/* of a loop */
	EVENT_LINE,      /* line: of standard input; error: ERR_TOO_LARGE where it was left out */
	EVENT_INPUT_END, /* error: OK at its end, or why no more lines come */
	EVENT_SIGNAL,    /* signal */
	EVENT_REST       /* all that has happened was handled, and the loop is about to wait */
};

/* All that is pointed to is valid for the call. */
struct event {
	enum event_kind kind;
	unsigned news; /* bits of enum membership_news, never 0 */
	enum err error; /* INPUT_END */
	enum notice notice; /* NOTICE_COUNT: no such thing is known here, or it cannot be read */
	const void *update; /* NOTICE: of its record; NULL: likewise */
	const struct msgpack_object *value; /* NOTICE: the params; NULL: none */
	struct request *request;
	struct slice name;
	struct slice line;
	const char *why;
	int64_t retry_ms; /* the pause before the next try, or -1 where there is none */
	int signal;
};

typedef void (*event_cb)(void *owner, const struct event *event);

#endif
