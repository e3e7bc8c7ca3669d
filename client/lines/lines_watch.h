/*
 * lines_watch.h - follow a room in lines: for pipes, logs and screen readers.
 */
#ifndef CLIENT_LINES_LINES_WATCH_H
#define CLIENT_LINES_LINES_WATCH_H

#include "client/cli/reach/visit.h"

/* What to do there besides following. */
struct lines_wish {
	const char *name; /* NULL: only follow, on a seat that is not stored */
	bool is_spectator;
	bool is_bot;
	bool has_card;
	const char *card;        /* NULL: retract */
	const char *comment;        /* of the vote; NULL: unchanged, "": none */
	int confidence;          /* of the vote, 1 to 3; 0: unchanged */
	int64_t keep_seconds;         /* how long the vote is kept without a connection; 0: the server's own time */
	bool until_voted;        /* end when the server has the vote */
	bool until_revealed;     /* end after the reveal, once the result is printed */
	bool is_quiet;           /* print nothing else */
};

/* Follow until the room ends, a signal comes, or the wish is fulfilled. Returns the exit code. */
int lines_watch(struct visit *v, const struct lines_wish *wish);

#endif
