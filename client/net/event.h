/*
 * event.h - the events that a client program handles, in one struct.
 *
 * Events come in the order in which things happened. A handler may make
 * requests, stop the loop, and close the source of the event. The reply to a
 * request is not an event: it goes to the request's callback (room_client_uv.h).
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
	/* of a room client; each with the members of struct event that are set */
	EVENT_OPEN,    /* requests may be made; those made now are sent in one write with hello */
	EVENT_UP,      /* the server has also answered hello */
	EVENT_SILENT,  /* a ping to an idle server has been unanswered for a while */
	EVENT_DOWN,    /* why, retry_ms: there is no connection */
	/* notice, update, name, value: a notification as received, before it is applied */
	EVENT_NOTICE,
	EVENT_NEWS,    /* news: about the room */
	/*
	 * There was news of the room; at most five of these a second, and always one after the last
	 * news.
	 */
	EVENT_SNAPSHOT,
	/*
	 * request: a held request to send now, NULL: none; why: why others were dropped, a line
	 * each, or "".
	 */
	EVENT_HELD,
	EVENT_WAKE,    /* the time set by room_client_wake_in() has come */
	/* of a loop */
	/* line: from standard input; or error: ERR_TOO_LARGE, the line was skipped */
	EVENT_LINE,
	EVENT_INPUT_END, /* error: OK at the end of input, or why no more lines come */
	EVENT_SIGNAL,    /* signal */
	EVENT_REST       /* all pending events were handled, and the loop is about to wait */
};

/* Everything pointed to is valid only during the call. */
struct event {
	enum event_kind kind;
	unsigned news; /* bits of enum membership_news, never 0 */
	enum err error; /* LINE, INPUT_END */
	enum notice notice; /* NOTICE_COUNT: an unknown notification, or one that cannot be read */
	/* NOTICE: of the notification's record; NULL if notice is NOTICE_COUNT */
	const void *update;
	const struct msgpack_object *value; /* NOTICE: the params; NULL: none */
	struct request *request;
	struct slice name;
	struct slice line;
	const char *why;
	int64_t retry_ms; /* the delay before the next attempt; -1: there is none */
	int signal;
};

typedef void (*event_cb)(void *owner, const struct event *event);

#endif
