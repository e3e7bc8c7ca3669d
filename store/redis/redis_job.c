/*
 * redis_job.c - requests on their way: sent, answered, sent again, ended.
 *
 * How a command ended decides (redis_reply.h): what has not run is sent again for as long as the job
 * has time; what may have run is sent again, too, as reads change nothing and commits have tokens.
 * Order: a job that is sent again goes before all that wait. Jobs whose commands were under way when the
 * connection ended come back in their order, so commits of a scope stay in the order of their
 * calls. Where Redis refuses single commands for the moment, those behind them may overtake.
 */
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "store/redis/redis_table.h"

/* ---- replies ---- */

const struct redis_reply *redis_reply_at(const struct redis_reply *reply, size_t i)
{
	if (reply == NULL || reply->kind != REDIS_ARRAY || i >= reply->n) {
		return NULL;
	}
	const struct redis_reply *at = reply->first;
	while (i-- > 0) {
		at = at->next;
	}
	return at;
}

bool redis_reply_u64(const struct redis_reply *reply, uint64_t *out)
{
	if (reply == NULL || reply->kind != REDIS_STRING ||
	    (reply->text.len != 0 && reply->text.len != 8)) {
		return false;
	}
	*out = reply->text.len == 0 ? 0 : key_get_u64((const unsigned char *)reply->text.data);
	return true;
}

/* ---- ending ---- */

void redis_table_finish(struct redis_table *t, struct store_request *w)
{
	bool was_empty = t->done.n == 0;
	store_requests_push(&t->done, w);
	if (was_empty && t->store.wake != NULL) {
		t->store.wake(t->store.wake_arg);
	}
}

static bool job_is_commit(const struct redis_job *job)
{
	return job->w->kind == STORE_REQUEST_COMMIT || job->w->kind == STORE_REQUEST_TAKE;
}

/* Of a job that is in no list. */
void redis_job_end(struct redis_job *job, enum err result)
{
	struct redis_table *t = job->t;
	struct store_request *w = job->w;
	ASSERT_CMP(job->outstanding, ==, 0);
	w->result = result;
	if (result != OK && w->kind != STORE_REQUEST_CHECK) {
		store_found_finish(&w->found);
		w->counted = 0;
	}
	redis_query_destroy(job->query);
	job->query = NULL;
	redis_check_destroy(job->check);
	job->check = NULL;
	if (redis_publication_is_due(job)) {
		job->held_ms = redis_now(t);
		DL_APPEND(t->held, job);
		return;
	}
	t->jobs--;
	if (result == ERR_UNKNOWN && w->kind == STORE_REQUEST_COMMIT) {
		redis_give_up(job);
	} else {
		free(job);
	}
	redis_table_finish(t, w);
}

/* Its time is over, or nothing will help. */
static void job_give_up(struct redis_job *job)
{
	redis_job_end(job, job->may_be_made ? ERR_UNKNOWN : ERR_IO);
}

/* ---- sending ---- */

void redis_job_again(struct redis_job *job)
{
	DL_PREPEND(job->lane->waiting, job);
}

static bool job_has_time(const struct redis_job *job)
{
	return redis_now(job->t) < job->until_ms;
}

/* The stage failed, and nothing of it is under way any more. */
static void job_fail(struct redis_job *job)
{
	enum redis_then then = redis_ends[job->failed].then;
	bool is_made = job_is_commit(job) && job->stage == REDIS_STAGE_SECOND;
	enum redis_end failed = job->failed;
	job->failed = REDIS_END_OK;
	job->may_be_made = job->may_be_made || (is_made && then == REDIS_THEN_UNKNOWN);
	job->kind->on_failure(job);
	if (then == REDIS_THEN_FULL && !job->may_be_made) {
		redis_wait_behind(job, ERR_FULL);
	} else if (failed == REDIS_END_REFUSED || !job_has_time(job)) {
		job_give_up(job);
	} else {
		/* What the connection did not take can follow at once on the next one. */
		if (failed != REDIS_END_LOST && failed != REDIS_END_UNSENT) {
			job->lane->paused_until_ms = redis_now(job->t) + REDIS_PAUSE_MS;
			redis_link_wake(job->t->commits.link, job->lane->paused_until_ms);
		}
		DL_APPEND(job->lane->again, job);
	}
}

void redis_jobs_repeat(struct redis_lane *lane, struct redis_job *jobs)
{
	struct redis_job *repeated = NULL;
	struct redis_job *job;
	struct redis_job *next;
	DL_FOREACH_SAFE (jobs, job, next) {
		job->error = OK;
		if (job_has_time(job) && !lane->t->is_lost) {
			DL_APPEND(repeated, job);
		} else {
			job_give_up(job);
		}
	}
	DL_CONCAT(repeated, lane->again);
	lane->again = repeated;
}

/* All commands of the stage have ended. */
static void job_settle(struct redis_job *job)
{
	struct redis_lane *lane = job->lane;
	if (job->error != OK) {
		job->kind->on_failure(job);
		redis_wait_behind(job, job->error);
	} else if (job->failed != REDIS_END_OK) {
		job_fail(job);
	} else {
		job->kind->on_stage(job);
	}
	redis_lane_run(lane);
}

static void on_job_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_job *job = arg;
	job->outstanding--;
	if (end != REDIS_END_OK) {
		job->failed = job->failed == REDIS_END_OK ? end : job->failed;
	} else if (job->failed == REDIS_END_OK && job->error == OK) {
		memcpy(job->history, redis_link_server(job->lane->link)->history,
		       sizeof(job->history));
		job->error = job->kind->on_reply(job, reply);
	}
	if (job->outstanding == 0) {
		job_settle(job);
	}
}

enum err redis_job_call(struct redis_job *job, int script)
{
	const struct redis_args *args = &job->t->args;
	if (args->error != OK) {
		return args->error;
	}
	int64_t within_ms = job->until_ms - redis_now(job->t);
	struct redis_command c = {.script = script,
				  .args = args->at,
				  .n = args->n,
				  .within_ms = within_ms > 0 ? within_ms : 1};
	enum err e = redis_link_send(job->lane->link, &c, on_job_end, job);
	job->outstanding += e == OK;
	return e;
}

/* false: the link takes no more now. */
static bool lane_send(struct redis_lane *lane, struct redis_job *job)
{
	enum err e = job->kind->send(job);
	if (e == ERR_BUSY && job->outstanding == 0) {
		return false;
	}
	DL_DELETE(lane->waiting, job);
	if (e == ERR_BUSY) {
		job->failed = REDIS_END_UNSENT;
	} else if (e != OK) {
		job->error = e;
	}
	if (job->outstanding == 0 && e != OK) {
		redis_job_end(job, job->may_be_made ? ERR_UNKNOWN : e);
	}
	return e != ERR_BUSY;
}

void redis_lane_run(struct redis_lane *lane)
{
	struct redis_job *job;
	struct redis_job *next;
	redis_wait_run(lane);
	if (lane->again == NULL && lane->waiting == NULL) {
		return;
	}
	struct redis_table *t = lane->t;
	bool is_held_back = lane == &t->commits && t->is_unsure;
	if (!redis_link_is_ready(lane->link) || redis_now(t) < lane->paused_until_ms ||
	    is_held_back || !redis_given_up_settle(t)) {
		return;
	}
	DL_CONCAT(lane->again, lane->waiting);
	lane->waiting = lane->again;
	lane->again = NULL;
	DL_FOREACH_SAFE (lane->waiting, job, next) {
		bool is_behind = lane == &t->commits && t->listing[job->scope];
		if (!is_behind && !lane_send(lane, job)) {
			break;
		}
	}
}

static void lane_expire_list(struct redis_job **list, int64_t now_ms)
{
	struct redis_job *job;
	struct redis_job *next;
	DL_FOREACH_SAFE (*list, job, next) {
		if (now_ms >= job->until_ms) {
			DL_DELETE(*list, job);
			job_give_up(job);
		}
	}
}

void redis_lane_expire(struct redis_lane *lane, int64_t now_ms)
{
	lane_expire_list(&lane->again, now_ms);
	lane_expire_list(&lane->waiting, now_ms);
}
