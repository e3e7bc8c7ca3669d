/*
 * question_wait.h - aye ask --wait and aye question watch: wait until a question has ended.
 *
 * The question is asked once, even if the connection is lost, since a repeated request
 * has the idempotency key of the first. After a loss the client reconnects, logs in as
 * before, and watches again.
 */
#ifndef CLIENT_CLI_PEOPLE_QUESTION_WAIT_H
#define CLIENT_CLI_PEOPLE_QUESTION_WAIT_H

#include "client/cli/verbs.h"
#include "client/model/request.h"

struct question_wish {
	struct request *ask;	 /* question.ask; NULL: it was asked already */
	const char *question_id; /* of a question asked already */
	/* who asks or watches: NEEDS_LOGIN, NEEDS_ASKER or NEEDS_NEW_ASKER */
	enum verb_needs needs;
	const char *expect;	 /* the option expected to win; NULL: none */
};

/*
 * Print the progress and the result. Returns the exit code: EXIT_DONE; EXIT_TIMED_OUT if the
 * question expired with too few answers, or --timeout or a signal ended the wait, which leaves the
 * question open; EXIT_NO if another option than the expected one won; EXIT_CANCELLED if it was
 * cancelled.
 */
int question_wait(struct cli *c, const struct question_wish *wish);

#endif
