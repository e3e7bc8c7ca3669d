/*
 * watch_uv.h - a room followed by a program that only listens.
 *
 * Runs a loop of its own until the room ends, the handler says stop, a signal
 * comes, or the time is over. What happens is told as words of the model; what
 * is printed is the caller's business.
 *
 * Life:    watch_run() begins and ends it all.
 * Threads: one thread.
 */
#ifndef CLIENT_NET_WATCH_UV_H
#define CLIENT_NET_WATCH_UV_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/attend.h"
#include "client/model/sign_in.h"
#include "client/net/address.h"

struct watch_options {
	struct address address;
	const char *room_id;  /* upper case */
	const char *user_key; /* "": a new seat */
	const char *name;     /* NULL: only watch */
	bool is_spectator;
	bool is_bot;
	struct sign_in *sign_in; /* borrowed; NULL: a stranger */
	const char *host_key; /* "": not ours */
	const char *passcode; /* for a new seat; NULL or "": none */
	bool has_card;        /* vote as soon as possible */
	const char *card;     /* NULL: retract */
	const char *note;     /* goes with it; NULL: what was there stays */
	int confidence;       /* likewise; 0: as it was */
	int64_t timeout_ms;   /* negative: none */
	bool gives_up;        /* end at the first loss, instead of coming back */
};

enum watch_end {
	WATCH_STOPPED,   /* the handler said so, or a signal */
	WATCH_ENDED,     /* the room, for us: attend->reason */
	WATCH_REFUSED,   /* likewise, by a refusal: attend->fault */
	WATCH_LOST,      /* the server could not be reached at all, or was lost with gives_up */
	WATCH_TIMED_OUT,
	WATCH_NO_MEMORY
};

/* Each returns whether to go on. The attend is valid for the call. Any may be NULL. */
struct watch_handler {
	bool (*on_news)(void *owner, struct attend *a, unsigned news);
	bool (*on_link)(void *owner, struct attend *a, bool is_up, const char *why);
	bool (*on_raw)(void *owner, struct slice method, const struct msgpack_object *params);
};

/* How it ended, described in *why where that is not plain; *fault for WATCH_REFUSED. */
enum watch_end watch_run(const struct watch_options *o, const struct watch_handler *on, void *owner,
			 struct fault *fault, struct errmsg *why);

#endif
