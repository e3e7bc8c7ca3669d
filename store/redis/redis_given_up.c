/*
 * redis_given_up.c - commits that were answered with ERR_UNKNOWN.
 *
 * The command of such a commit may still come: it waits in the buffers of a server that hangs, or the
 * kernel sends it again after a network that was away, long after its connection was closed. By then the
 * caller has read the data without it. So before anything else is sent that concerns its scope, give_up.lua takes the
 * token away from it: the commit was made before that, and everything called since ERR_UNKNOWN sees it; or it
 * is answered as a repeat when it comes, and writes nothing. Such a token lives for as long as any, which is
 * longer than a command stays under way.
 *
 * If it was made, replicas may lack it still: that is why nobody knows. Whoever reads it could be shown a vote that
 * a failover takes back; and its client, who repeats it with the same key, would be told from what was read that it is
 * made. So replicas must have all of that, too, before the scope is read again: a WAIT follows, behind a write.
 *
 * In a cluster that is done at the master of the scope. If that is lost, or the slot is moving, only this scope
 * waits, and what may list its items: other rooms, and the directory, go on.
 */
#include <stdlib.h>

#include <utlist.h>

#include "store/redis/redis_table.h"

void redis_give_up(struct redis_job *job)
{
	struct redis_table *t = job->t;
	job->token = job->w->commit.token;
	job->stage = REDIS_STAGE_FIRST;
	t->in_doubt[job->scope]++;
	t->rooms_in_doubt += job->scope != ITEM_SCOPE_DIRECTORY;
	DL_APPEND(t->given_up, job);
}

/* Whether the index leads into rooms. */
static bool given_up_is_of_rooms(enum index_id index)
{
	bool is = false;
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		const struct item_row *item = &item_rows[row->kind];
		is = is || (row->index == index &&
			    item_scope_of(slice_of(item->pk_prefix, item->pk_prefix_len)) !=
				    ITEM_SCOPE_DIRECTORY);
	}
	return is;
}

static bool given_up_holds_index(const struct redis_table *t, enum index_id index)
{
	return t->in_doubt[ITEM_SCOPE_DIRECTORY] > 0 ||
	       (t->rooms_in_doubt > 0 && given_up_is_of_rooms(index));
}

bool redis_given_up_holds(const struct redis_job *job)
{
	const struct redis_table *t = job->t;
	const struct store_request *w = job->w;
	if (t->given_up == NULL) {
		return false;
	}
	switch (w->kind) {
	case STORE_REQUEST_LOAD:
	case STORE_REQUEST_COMMIT:
	case STORE_REQUEST_TAKE:
		return t->in_doubt[job->scope] > 0;
	case STORE_REQUEST_QUERY:
		return given_up_holds_index(t, w->query.index);
	case STORE_REQUEST_COUNT:
		return given_up_holds_index(t, w->count.index);
	case STORE_REQUEST_RENEW:
	case STORE_REQUEST_NODES:
		return false; /* they read nothing that a commit writes */
	case STORE_REQUEST_PARTITIONS:
	case STORE_REQUEST_CHECK:
	case STORE_REQUEST_PUBLICATION:
		break;
	}
	return true; /* they go through all scopes */
}

/* ---- answers ---- */

/* From the beginning, after a moment, where the bucket is by then. */
static void given_up_fail(struct redis_job *job, enum redis_end end)
{
	struct redis_table *t = job->t;
	bool has_moved = end == REDIS_END_MOVED || end == REDIS_END_CLUSTERDOWN;
	t->seek.is_wanted = t->seek.is_wanted || has_moved;
	job->stage = REDIS_STAGE_FIRST;
	job->lane->paused_until_ms = redis_now(t) + REDIS_PAUSE_MS;
	redis_link_wake(t->commits.link, job->lane->paused_until_ms);
}

/* Its scope goes on. */
static void given_up_end(struct redis_job *job)
{
	struct redis_table *t = job->t;
	t->in_doubt[job->scope]--;
	t->rooms_in_doubt -= job->scope != ITEM_SCOPE_DIRECTORY;
	DL_DELETE(t->given_up, job);
	free(job);
}

static void given_up_wait(struct redis_lane *lane);

/* What replicas have of those of the third stage; others have come to the second meanwhile. */
static void on_given_up_wait(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_lane *lane = arg;
	struct redis_table *t = lane->t;
	struct redis_job *job;
	struct redis_job *next;
	bool is_counted = end == REDIS_END_OK && reply->kind == REDIS_INTEGER;
	bool have_it = is_counted && reply->integer >= t->replicas;
	lane->waits_given_up = false;
	t->waits_missed += is_counted && !have_it;
	if (!t->is_open) {
		return;
	}
	DL_FOREACH_SAFE (t->given_up, job, next) {
		bool is_meant = job->lane == lane && job->stage == REDIS_STAGE_THIRD;
		if (is_meant && have_it) {
			given_up_end(job);
		} else if (is_meant) {
			given_up_fail(job, end);
		}
	}
	given_up_wait(lane);
	redis_lanes_run(t);
	redis_lanes_flush(t);
}

/* One for all whose tokens were taken at that server since the last. */
static void given_up_wait(struct redis_lane *lane)
{
	struct redis_table *t = lane->t;
	struct redis_job *job;
	bool is_needed = false;
	DL_FOREACH (t->given_up, job) {
		is_needed = is_needed || (job->lane == lane && job->stage == REDIS_STAGE_SECOND);
	}
	if (!is_needed || lane->waits_given_up) {
		return;
	}
	lane->waits_given_up = redis_wait_call(lane, on_given_up_wait, lane) == OK;
	DL_FOREACH (t->given_up, job) {
		if (job->lane == lane && job->stage == REDIS_STAGE_SECOND) {
			job->stage = lane->waits_given_up ? REDIS_STAGE_THIRD : REDIS_STAGE_FIRST;
		}
	}
}

static void on_given_up(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_job *job = arg;
	struct redis_table *t = job->t;
	struct redis_lane *lane = job->lane;
	(void)reply;
	job->outstanding = 0;
	if (!t->is_open) {
		return;
	}
	if (end != REDIS_END_OK) {
		given_up_fail(job, end);
		return;
	}
	if (t->replicas > 0) {
		job->stage = REDIS_STAGE_SECOND;
		given_up_wait(lane);
	} else {
		given_up_end(job);
	}
	redis_lanes_run(t);
	redis_lanes_flush(t);
}

/* ---- sending ---- */

enum err redis_give_up_call(struct redis_lane *lane, unsigned scope,
			    const struct store_token *token, redis_end_cb *cb, void *arg)
{
	struct redis_args *args = &lane->t->args;
	redis_args_clear(args);
	redis_args_add(args, SLICE("1"));
	redis_args_key(args, scope, "t:", slice_of(token->bytes, sizeof(token->bytes)));
	redis_args_number(args, REDIS_TOKEN_LIFE_MS);
	struct redis_command c = {.script = REDIS_SCRIPT_GIVE_UP,
				  .args = args->at,
				  .n = args->n,
				  .within_ms = REDIS_COMMIT_MS};
	return args->error != OK ? args->error : redis_link_send(lane->link, &c, cb, arg);
}

static void given_up_send(struct redis_job *job)
{
	job->outstanding =
		redis_give_up_call(job->lane, job->scope, &job->token, on_given_up, job) == OK;
	if (job->outstanding == 1) {
		redis_link_flush(job->lane->link);
	}
}

static bool given_up_is_due(struct redis_job *job)
{
	struct redis_table *t = job->t;
	if (job->outstanding > 0 || job->stage != REDIS_STAGE_FIRST) {
		return false;
	}
	job->lane = redis_lane_of(t, job->scope, true);
	return redis_lane_open(job->lane) == OK && redis_link_is_ready(job->lane->link) &&
	       redis_now(t) >= job->lane->paused_until_ms;
}

void redis_given_up_settle(struct redis_table *t)
{
	struct redis_job *job;
	DL_FOREACH (t->given_up, job) {
		if (given_up_is_due(job)) {
			given_up_send(job);
		}
	}
}

void redis_given_up_finish(struct redis_table *t)
{
	struct redis_job *job;
	while ((job = t->given_up) != NULL) {
		DL_DELETE(t->given_up, job);
		free(job);
	}
}
