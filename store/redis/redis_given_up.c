/*
 * redis_given_up.c - commits that were answered with ERR_UNKNOWN.
 *
 * The command of such a commit may still come: it waits in the buffers of a server that hangs, or the
 * kernel sends it again after a network that was away, long after its connection was closed. By then the
 * caller has read the data without it. So before anything else is sent, give_up.lua takes the
 * token away from it: the commit was made before that, and everything called since ERR_UNKNOWN sees it; or it
 * is answered as a repeat when it comes, and writes nothing. Such a token lives for as long as any, which is
 * longer than a command stays under way.
 */
#include <stdlib.h>

#include <utlist.h>

#include "store/redis/redis_table.h"

void redis_give_up(struct redis_job *job)
{
	struct redis_table *t = job->t;
	job->token = job->w->commit.token;
	DL_APPEND(t->given_up, job);
}

static void on_given_up(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_job *job = arg;
	struct redis_table *t = job->t;
	(void)reply;
	job->outstanding = 0;
	if (!t->is_open) {
		return;
	}
	if (end != REDIS_END_OK) { /* again, until it is */
		t->commits.paused_until_ms = redis_now(t) + REDIS_PAUSE_MS;
		redis_link_wake(t->commits.link, t->commits.paused_until_ms);
		return;
	}
	DL_DELETE(t->given_up, job);
	free(job);
	if (t->given_up == NULL) {
		redis_lane_run(&t->commits);
		redis_lane_run(&t->reads);
		redis_link_flush(t->reads.link);
	}
}

static void given_up_send(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	redis_args_clear(args);
	redis_args_add(args, SLICE("1"));
	redis_args_key(args, job->scope,
		       "t:", slice_of(job->token.bytes, sizeof(job->token.bytes)));
	redis_args_number(args, REDIS_TOKEN_LIFE_MS);
	struct redis_command c = {.script = REDIS_SCRIPT_GIVE_UP,
				  .args = args->at,
				  .n = args->n,
				  .within_ms = REDIS_COMMIT_MS};
	job->outstanding = args->error == OK &&
			   redis_link_send(job->t->commits.link, &c, on_given_up, job) == OK;
}

bool redis_given_up_settle(struct redis_table *t)
{
	struct redis_job *job;
	if (t->given_up == NULL) {
		return true;
	}
	if (redis_link_is_ready(t->commits.link) && redis_now(t) >= t->commits.paused_until_ms) {
		DL_FOREACH (t->given_up, job) {
			if (job->outstanding == 0) {
				given_up_send(job);
			}
		}
	}
	return false;
}

void redis_given_up_finish(struct redis_table *t)
{
	struct redis_job *job;
	while ((job = t->given_up) != NULL) {
		DL_DELETE(t->given_up, job);
		free(job);
	}
}
