/*
 * lines_watch.h - a room followed in lines: for pipes, logs and screen readers.
 */
#ifndef CLIENT_LINES_LINES_WATCH_H
#define CLIENT_LINES_LINES_WATCH_H

#include "client/cli/reach/visit.h"

/* What to do there beside listening. */
struct lines_wish {
	const char *name; /* NULL: only watch, on a seat that is not kept */
	bool is_spectator;
	bool is_bot;
	bool has_card;
	const char *card;        /* NULL: retract */
	const char *comment;        /* goes with it; NULL: what was there stays, "": none */
	int confidence;          /* likewise, 1 to 3; 0: as it was */
	bool until_voted;        /* end when the server has the vote */
	bool until_revealed;     /* end when the cards lie open, having told the result */
	bool is_quiet;           /* say nothing else */
};

/* Follow until the room ends, a signal, or the wish is fulfilled. The exit code. */
int lines_watch(struct visit *v, const struct lines_wish *wish);

#endif
