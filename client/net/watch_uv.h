/*
 * watch_uv.h - a room followed by a program that listens, or is talked to in lines.
 *
 * Runs a loop of its own until the room ends, the handler says stop, a signal
 * comes, or the time is over. What happens is told as words of the model; what
 * is printed, and what lines mean, is the caller's business.
 *
 * Life:    watch_run() begins and ends it all.
 * Threads: one thread.
 */
#ifndef CLIENT_NET_WATCH_UV_H
#define CLIENT_NET_WATCH_UV_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/membership.h"
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
	bool wants_host; /* lead with that key where nobody does; else it only opens the door */
	const char *passcode; /* for a new seat; NULL or "": none */
	bool has_card;        /* vote as soon as possible */
	const char *card;     /* NULL: retract */
	const char *note;     /* goes with it; NULL: what was there stays */
	int confidence;       /* likewise; 0: as it was */
	int64_t timeout_ms;   /* negative: none */
	bool gives_up;        /* end at the first loss, instead of coming back */
	bool takes_lines;     /* from standard input, for on_line() */
};

enum watch_end {
	WATCH_STOPPED,   /* the handler said so, or a signal */
	WATCH_ENDED,     /* the room, for us: attend->reason */
	WATCH_REFUSED,   /* likewise, by a refusal: attend->fault */
	WATCH_LOST,      /* the server could not be reached at all, or was lost with gives_up */
	WATCH_TIMED_OUT,
	WATCH_NO_MEMORY
};

struct watch; /* one that runs */

/* Each that returns something returns whether to go on. The attend is valid for the call. Any may be NULL. */
struct watch_handler {
	/* Before all others. */
	void (*on_start)(void *owner, struct watch *w);
	bool (*on_news)(void *owner, struct membership *a, unsigned news);
	bool (*on_link)(void *owner, struct membership *a, bool is_up, const char *why);
	bool (*on_raw)(void *owner, struct slice method, const struct msgpack_object *params);
	/* Of what was asked through watch_follow(), as follow_uv.h has them. */
	void (*on_refusal)(void *owner, enum method method, const struct fault *f);
	void (*on_done)(void *owner, enum method method);
	void (*on_result)(void *owner, enum method method, const struct msgpack_object *result);
	/* A line of the input, as stdin_lines_uv.h has it; none comes before watch_take_lines(), nor after watch_hold_lines(). */
	void (*on_line)(void *owner, struct slice line);
	void (*on_lines_end)(void *owner, enum err e);
	/* Everything that has happened was told, and nothing more will before something happens. Only with takes_lines. */
	void (*on_rest)(void *owner);
};

struct follow *watch_follow(struct watch *w);
/* Let lines come, or no more of them for now. ERR_IO where there is no input to watch; ERR_NOMEM. */
NODISCARD enum err watch_take_lines(struct watch *w);
void watch_hold_lines(struct watch *w);
/* End as WATCH_STOPPED: now, or in so many ms at the latest. */
void watch_end(struct watch *w);
void watch_end_in(struct watch *w, uint64_t ms);

/* How it ended, described in *why where that is not plain; *fault for WATCH_REFUSED. */
enum watch_end watch_run(const struct watch_options *o, const struct watch_handler *on, void *owner,
			 struct fault *fault, struct errmsg *why);

#endif
