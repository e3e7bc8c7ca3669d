/*
 * commits.h - commits on a table, of any engine, as votes make them.
 *
 * Each is of a room of its own: it expects one seat as it is, and overwrites another. So many are kept waiting at
 * a time; each that is answered is followed by the next.
 */
#ifndef TESTS_BENCH_COMMITS_H
#define TESTS_BENCH_COMMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "store/store.h"

#define COMMITS_ROOMS_MAX 500

struct commits_room {
	struct commits *all;
	char pk[16];
	uint64_t version; /* of what is expected */
};

struct commits {
	struct store *s;
	void (*wait)(void *arg); /* until store_poll() may have work */
	void *arg;
	struct commits_room rooms[COMMITS_ROOMS_MAX];
	unsigned long issued, answered;
	bool is_over; /* no more follow */
	enum err error; /* of the first that failed; nothing is called behind that */
	struct buf value;
};

/* Make the rooms. The first error. */
NODISCARD enum err commits_begin(struct commits *c, struct store *s, void (*wait)(void *arg), void *arg);
void commits_end(struct commits *c);
/* Keep so many waiting for so long, at most COMMITS_ROOMS_MAX, and wait for the last of them. */
NODISCARD enum err commits_run(struct commits *c, size_t pending, double seconds);

/* The transactions of the engine so far: its writes on the disk, or its commands. */
double commits_transactions(const struct commits *c);

double commits_now_s(void);

#endif
