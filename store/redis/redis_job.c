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
#include "proto/text/decimal.h"
#include "store/redis/redis_item.h"
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
void redis_job_give_up(struct redis_job *job)
{
	bool is_behind_walk = job->walk.is_end && job->is_moving;
	redis_job_end(job, job->may_be_made ? ERR_UNKNOWN : is_behind_walk ? ERR_BUSY : ERR_IO);
}

/* ---- sending ---- */

void redis_job_again(struct redis_job *job)
{
	if (job_is_commit(job)) { /* the bucket may have moved */
		job->lane = redis_lane_of(job->t, job->scope, true);
	}
	redis_lane_go_on(job);
}

static bool job_has_time(const struct redis_job *job)
{
	return !job->t->is_left && redis_now(job->t) < job->until_ms;
}

/* The stage failed, and nothing of it is under way any more. */
static void job_fail(struct redis_job *job)
{
	enum redis_then then = redis_ends[job->failed].then;
	bool is_made = job_is_commit(job) && job->stage == REDIS_STAGE_SECOND;
	enum redis_end failed = job->failed;
	job->failed = REDIS_END_OK;
	job->is_moving = job->is_moving || failed == REDIS_END_ASK || failed == REDIS_END_TRYAGAIN;
	job->may_be_made = job->may_be_made || (is_made && then == REDIS_THEN_UNKNOWN);
	job->kind->on_failure(job);
	if (then == REDIS_THEN_FULL && !job->may_be_made) {
		redis_wait_behind(job, ERR_FULL);
	} else if (failed == REDIS_END_REFUSED || !job_has_time(job)) {
		redis_job_give_up(job);
	} else {
		if (failed == REDIS_END_MOVED || failed == REDIS_END_CLUSTERDOWN) {
			job->t->seek.is_wanted = true;
		}
		/* What the connection did not take can follow at once on the next one. */
		if (failed != REDIS_END_LOST && failed != REDIS_END_UNSENT) {
			job->lane->paused_until_ms =
				redis_now(job->t) +
				(job->walk.is_end ? REDIS_MOVE_PAUSE_MS : REDIS_PAUSE_MS);
			redis_link_wake(job->t->commits.link, job->lane->paused_until_ms);
		}
		redis_lane_return(job);
	}
}

void redis_jobs_repeat(struct redis_lane *lane, struct redis_job *jobs)
{
	struct redis_job *job;
	struct redis_job *next;
	DL_FOREACH_SAFE (jobs, job, next) {
		if (job->error == OK) {
			job->kind->on_failure(job);
		}
		job->error = OK;
		if (job_has_time(job) && !lane->t->is_lost) {
			redis_lane_return(job);
		} else {
			redis_job_give_up(job);
		}
	}
}

static void job_send_later(struct redis_job *job);
static void job_land(struct redis_job *job);

/* All commands of the stage have ended. */
static void job_settle(struct redis_job *job)
{
	job->in_any_order = false;
	if (job->error != OK) {
		job->kind->on_failure(job);
		redis_wait_behind(job, job->error);
	} else if (job->failed != REDIS_END_OK) {
		job_fail(job);
	} else {
		job->kind->on_stage(job);
	}
}

bool redis_job_answer(struct redis_job *job, enum redis_end end, const struct redis_reply *reply)
{
	job->outstanding--;
	if (end != REDIS_END_OK) {
		job->failed = job->failed == REDIS_END_OK ? end : job->failed;
	} else if (job->failed == REDIS_END_OK && job->error == OK) {
		memcpy(job->history, redis_link_server(job->at->link)->history,
		       sizeof(job->history));
		job->error = job->kind->on_reply(job, reply);
	}
	if (job->outstanding == 0) {
		job_send_later(job);
	}
	bool is_over = job->outstanding == 0;
	if (is_over) {
		job_land(job);
		job_settle(job);
	}
	return is_over;
}

static void on_job_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_job *job = arg;
	struct redis_lane *lane = job->lane;
	if (redis_job_answer(job, end, reply)) {
		redis_lane_settle(lane);
	}
}

static enum err job_call(struct redis_job *job, struct redis_lane *lane, int script,
			 const struct redis_args *args)
{
	int64_t within_ms = job->until_ms - redis_now(job->t);
	struct redis_command c = {.script = script,
				  .args = args->at,
				  .n = args->n,
				  .within_ms = within_ms > 0 ? within_ms : 1};
	enum err e = redis_lane_open(lane);
	e = e == OK ? redis_link_send(lane->link, &c, on_job_end, job) : e;
	job->outstanding += e == OK;
	job->at = lane;
	if (lane != job->lane && e == OK) {
		redis_link_flush(lane->link);
	}
	return e;
}

/* ---- several servers ---- */

/* The first key tells, which is the second word; what has none is for the job's own lane. */
static struct redis_lane *job_lane(const struct redis_job *job, const struct redis_args *args)
{
	struct slice key = args->n > 1 ? args->at[1] : NO_SLICE;
	size_t digits;
	if (!job->t->address.is_cluster || key.len < 3 || key.data[0] != '{') {
		return job->walk.lane != NULL ? job->walk.lane : job->lane;
	}
	unsigned scope = key.data[1] == 'd'
				 ? ITEM_SCOPE_DIRECTORY
				 : (unsigned)decimal_front(slice_of(key.data + 2, key.len - 2),
							   ITEM_BUCKETS - 1, &digits);
	return redis_lane_of(job->t, scope, job->lane->is_commits);
}

static enum err job_call_later(struct redis_job *job, int script)
{
	const struct redis_args *args = &job->t->args;
	struct redis_later *later = calloc(1, sizeof(*later));
	if (later == NULL) {
		return ERR_NOMEM;
	}
	later->script = script;
	for (size_t i = 0; i < args->n; i++) {
		redis_args_copy(&later->args, args->at[i]);
	}
	enum err e = later->args.error;
	if (e == OK) {
		LL_APPEND(job->later, later);
	} else {
		redis_args_finish(&later->args);
		free(later);
	}
	return e;
}

static void job_send_later(struct redis_job *job)
{
	bool is_over = job->failed != REDIS_END_OK || job->error != OK;
	struct redis_later *later;
	while ((later = job->later) != NULL) {
		struct redis_lane *lane = job_lane(job, &later->args);
		if (!is_over && job->outstanding > 0 && lane != job->at) {
			return;
		}
		enum err e = is_over ? OK : job_call(job, lane, later->script, &later->args);
		if (e == ERR_BUSY) {
			job->failed = REDIS_END_UNSENT;
		} else if (e != OK) {
			job->error = e;
		}
		is_over = is_over || e != OK;
		LL_DELETE(job->later, later);
		redis_args_finish(&later->args);
		free(later);
	}
}

enum err redis_job_call(struct redis_job *job, int script)
{
	const struct redis_args *args = &job->t->args;
	if (args->error != OK) {
		return args->error;
	}
	struct redis_lane *lane = job_lane(job, args);
	bool is_next = !job->in_any_order && job->outstanding > 0 && lane != job->at;
	return is_next || job->later != NULL ? job_call_later(job, script)
					     : job_call(job, lane, script, args);
}

enum err redis_job_get(struct redis_job *job, struct slice member)
{
	struct redis_args *args = &job->t->args;
	struct slice entry_key, item_key, pk, sk;
	bool is_member =
		redis_member_split(member, &entry_key, &item_key) && key_split(item_key, &pk, &sk);
	ASSERT(is_member);
	redis_args_clear(args);
	redis_args_add(args, SLICE("HGET"));
	redis_args_key(args, item_scope_of(pk), "i:", pk);
	redis_args_add(args, sk);
	return redis_job_call(job, REDIS_NO_SCRIPT);
}

/* ---- commits of a scope, in one place at a time ---- */

static void job_take_off(struct redis_job *job)
{
	job->is_flying = true;
	job->t->flying[job->scope]++;
	job->t->flying_at[job->scope] = job->lane;
}

static void job_land(struct redis_job *job)
{
	if (job->is_flying) {
		job->is_flying = false;
		job->t->flying[job->scope]--;
	}
}

void redis_job_unsent(struct redis_job *job)
{
	job->outstanding--;
	job_land(job);
	redis_lane_go_on(job);
}

void redis_job_fail(struct redis_job *job, enum err e)
{
	job->outstanding--;
	job_land(job);
	redis_job_end(job, job->may_be_made ? ERR_UNKNOWN : e);
}

bool redis_job_send(struct redis_job *job)
{
	struct redis_lane *lane = job->lane;
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
	if (e == OK && lane->is_commits && job->stage == REDIS_STAGE_SECOND) {
		job_take_off(job);
	}
	if (job->outstanding == 0 && e != OK) {
		redis_job_end(job, job->may_be_made ? ERR_UNKNOWN : e);
	}
	return e != ERR_BUSY;
}
