/*
 * redis_given_up.c - commits that were answered with ERR_UNKNOWN.
 *
 * The command of such a commit may still come: it waits in the buffers of a server that hangs, or the
 * kernel sends it again after a network that was away, long after its connection was closed. By then the
 * caller has read the data without it. So before anything else is sent, give_up.lua takes the
 * token away from it: the commit was made before that, and everything called since ERR_UNKNOWN sees it; or it
 * is answered as a repeat when it comes, and writes nothing. Such a token lives for as long as any, which is
 * longer than a command stays under way.
 *
 * In a cluster that is done at the master of the commit's bucket. Nothing is sent to the others either until
 * then: what is read there may be compared with the bucket.
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
	if (end != REDIS_END_OK) { /* again, until it is, where the bucket is by then */
		bool has_moved = end == REDIS_END_MOVED || end == REDIS_END_CLUSTERDOWN;
		t->seek.is_wanted = t->seek.is_wanted || has_moved;
		job->lane->paused_until_ms = redis_now(t) + REDIS_PAUSE_MS;
		redis_link_wake(t->commits.link, job->lane->paused_until_ms);
		return;
	}
	DL_DELETE(t->given_up, job);
	free(job);
	if (t->given_up == NULL) {
		redis_lanes_run(t);
		redis_lanes_flush(t);
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
	job->outstanding =
		args->error == OK && redis_link_send(job->lane->link, &c, on_given_up, job) == OK;
	if (job->outstanding == 1) {
		redis_link_flush(job->lane->link);
	}
}

static bool given_up_is_due(struct redis_job *job)
{
	struct redis_table *t = job->t;
	if (job->outstanding > 0) {
		return false;
	}
	job->lane = redis_lane_of(t, job->scope, true);
	return redis_lane_open(job->lane) == OK && redis_link_is_ready(job->lane->link) &&
	       redis_now(t) >= job->lane->paused_until_ms;
}

bool redis_given_up_settle(struct redis_table *t)
{
	struct redis_job *job;
	DL_FOREACH (t->given_up, job) {
		if (given_up_is_due(job)) {
			given_up_send(job);
		}
	}
	return t->given_up == NULL;
}

void redis_given_up_finish(struct redis_table *t)
{
	struct redis_job *job;
	while ((job = t->given_up) != NULL) {
		DL_DELETE(t->given_up, job);
		free(job);
	}
}
