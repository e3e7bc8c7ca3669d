/*
 * question_wait.h - aye ask --wait and aye question watch: until a question has ended.
 *
 * The question is asked once, whatever happens to the connection meanwhile: every
 * repeat has the key of the first request. After a loss the client connects again,
 * logs in as before, and watches again.
 */
#ifndef CLIENT_CLI_PEOPLE_QUESTION_WAIT_H
#define CLIENT_CLI_PEOPLE_QUESTION_WAIT_H

#include "client/cli/verbs.h"
#include "client/model/request.h"

struct question_wish {
	struct request *ask;	 /* question.ask; NULL: it has been asked */
	const char *question_id; /* then */
	enum verb_needs needs;	 /* who asks or watches: NEEDS_LOGIN, NEEDS_ASKER or NEEDS_NEW_ASKER */
	const char *expect;	 /* the option that most should choose; NULL: none */
};

/*
 * Print how it goes, and what came of it: the exit code is 0, 4 for too few answers in its time, 5 where
 * most said something else than what was expected, 6 where it was cancelled; 4 also where the time of
 * --timeout was up, or a signal ended it, and the question is left as it is.
 */
int question_wait(struct cli *c, const struct question_wish *wish);

#endif
