/*
 * filling.h - a server's data as it is after long use: made by fill.c, once, for all rounds.
 *
 * A million of anything takes half a minute and 2 GB of disk: --quick leaves them out, and
 * so does a disk that is too small.
 */
#ifndef TESTS_BENCH_FILLING_H
#define TESTS_BENCH_FILLING_H

#include "tests/bench/cell.h"

#define FILLING_LARGE 1000000

/* Of the session of the group's owner: a user with a key, as far as the table knows. */
#define FILLING_TOKEN "token-of-the-owner-0123456789-0123456789-012"

struct filling {
	unsigned long rooms;
	unsigned long questions; /* open ones, of users of their own */
	long due_s;		 /* from now, when all that is over */
	unsigned long users;	 /* of a group; 0: no group */
	unsigned long items;	 /* in its containers */
};

#define FILLING_WORDS_MAX 8

/*
 * run_start() on such data (the cell's `more` is a struct filling), which is made where it is not there yet.
 * False with out->why; and with nothing measured where it would take too long.
 * @words  more of the server's command line, FILLING_WORDS_MAX at most, ended by NULL; NULL: none.
 */
bool filling_start(const struct bench *b, const struct contender *c, const char *const *words, struct run *r,
		   struct sample *out);

/* Remove the data, which a run has changed too much to be of use to the next. The server must have ended. */
void filling_drop(const struct bench *b, const struct contender *c);

#endif
