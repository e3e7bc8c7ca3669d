/*
 * redis_wait.c - commits that were made, and are acknowledged when so many replicas have them.
 *
 * Happy path: behind the first of them a WAIT follows on their own connection. Replies come in the order of
 * the commands, so when that of WAIT comes, all that were answered before were made before it, and it
 * speaks of all of them. Those that are answered later get the next one.
 * Failure: too few have them in time, or the connection ends, and perhaps the master with it: each is
 * sent again with its token. Where the master still has it, the script writes all the same, as a WAIT behind
 * no write would count replicas that lack it.
 * In a cluster, entries that lead into rooms are on another server than the room: they are waited for before
 * the commit is sent.
 */
#include <utlist.h>

#include "proto/base/format.h"
#include "store/redis/redis_table.h"

#define WAIT_MS \
	"1000" /* Redis answers by then, with the replicas that have it; less than a silence */

static void wait_reach(struct redis_lane *lane)
{
	struct redis_job *reached = lane->made;
	struct redis_job *job;
	struct redis_job *next;
	lane->made = NULL;
	DL_FOREACH_SAFE (reached, job, next) {
		if (job->stage == REDIS_STAGE_FIRST && job->error == OK) {
			redis_commit_listed(job);
		} else {
			redis_job_end(job, job->error);
		}
	}
}

static void wait_miss(struct redis_lane *lane)
{
	struct redis_job *missed = lane->made;
	lane->made = NULL;
	redis_jobs_repeat(lane, missed);
}

static void wait_pause(struct redis_lane *lane)
{
	lane->paused_until_ms = redis_now(lane->t) + REDIS_PAUSE_MS;
	redis_link_wake(lane->t->commits.link, lane->paused_until_ms);
}

/* In a cluster, what waited at this server may go on at another. */
static void wait_go_on(struct redis_lane *lane)
{
	if (lane->t->address.is_cluster) {
		redis_lanes_run(lane->t);
		redis_lanes_flush(lane->t);
	}
}

static void on_wait(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_lane *lane = arg;
	bool is_counted = end == REDIS_END_OK && reply->kind == REDIS_INTEGER;
	lane->waits = false;
	if (is_counted && reply->integer >= lane->t->replicas) {
		wait_reach(lane);
		wait_go_on(lane);
		return;
	}
	lane->t->waits_missed += is_counted;
	if (!is_counted && end != REDIS_END_LOST && end != REDIS_END_UNSENT) {
		wait_pause(lane);
	}
	wait_miss(lane);
	redis_lane_run(lane);
	wait_go_on(lane);
}

enum err redis_wait_call(struct redis_lane *lane, redis_end_cb *cb, void *arg)
{
	char number[12];
	size_t len = format_to(number, sizeof(number), "%d", (int)lane->t->replicas);
	struct slice words[] = {SLICE("WAIT"), slice_of(number, len), SLICE(WAIT_MS)};
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = words,
				  .n = 3,
				  /* as many commits may stand before it as the link takes */
				  .within_ms = REDIS_COMMIT_MS};
	return redis_link_send(lane->link, &c, cb, arg);
}

static void wait_send(struct redis_lane *lane)
{
	enum err e = redis_wait_call(lane, on_wait, lane);
	lane->waits = e == OK;
	if (e != OK && e != ERR_BUSY) { /* no memory for it */
		wait_pause(lane);
		wait_miss(lane);
	}
}

void redis_wait_run(struct redis_lane *lane)
{
	if (lane->made == NULL || lane->waits) {
		return;
	}
	if (lane->link != NULL && redis_link_is_ready(lane->link)) {
		wait_send(lane);
	} else {
		wait_miss(lane);
	}
}

void redis_wait_behind(struct redis_job *job, enum err result)
{
	if (job->lane->made == NULL) {
		redis_job_end(job, result);
		return;
	}
	job->error = result;
	DL_APPEND(job->lane->made, job);
}

void redis_wait_for(struct redis_job *job)
{
	struct redis_lane *lane = job->lane;
	if (lane->t->replicas == 0) {
		redis_job_end(job, OK);
		return;
	}
	job->may_be_made = job->may_be_made || job->stage == REDIS_STAGE_SECOND;
	DL_APPEND(lane->made, job);
	redis_wait_run(lane);
}
