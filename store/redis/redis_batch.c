/*
 * redis_batch.c - commits that wait together go in one command, and each gets its own result.
 *
 * A script costs Redis several times what the commands in it cost, so it is shared by as many commits as wait.
 * They are made in their order, and one that is refused changes nothing for the others. What
 * happens to the command happens to all of them: it was not sent, it was lost, Redis refuses writes for
 * now. Only where a script fails on the way is it unknown whose fault that is: then each is sent alone.
 * In a cluster a batch is of one scope, as a script's keys must lie in one slot.
 */
#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/redis/redis_table.h"

/* Redis does nothing else while it makes them: that is to take milliseconds. */
#define BATCH_COMMITS_MAX 64
#define BATCH_OPS_MAX	  256
#define BATCH_BYTES_MAX	  ((size_t)1 << 20) /* of values; a commit that has more goes alone */

struct redis_batch {
	struct redis_lane *lane;
	enum redis_script script;
	size_t n, ops, bytes;
	struct redis_job *jobs[BATCH_COMMITS_MAX];
};

/* ---- answered ---- */

/* The number of the last publication, then an element for each commit, of which this is the first; NULL: no such reply. */
static const struct redis_reply *batch_answers(const struct redis_batch *b, enum redis_end end,
					       const struct redis_reply *reply)
{
	bool is_one = end == REDIS_END_OK && reply->kind == REDIS_ARRAY && reply->n == b->n + 1 &&
		      reply->first->kind == REDIS_INTEGER;
	return is_one ? reply->first->next : NULL;
}

static void on_batch_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_batch *b = arg;
	struct redis_table *t = b->lane->t;
	const struct redis_reply *answer = batch_answers(b, end, reply);
	uint64_t number = answer == NULL ? 0 : (uint64_t)reply->first->integer;
	size_t written = 0;
	for (size_t i = 0; i < b->n; i++) {
		struct redis_job *job = b->jobs[i];
		written += answer != NULL && slice_starts(answer->text, SLICE("OK:"));
		job->number = job->scope == ITEM_SCOPE_DIRECTORY ? number : 0;
		job->is_alone = end == REDIS_END_REFUSED && b->n > 1;
		(void)redis_job_answer(job, job->is_alone ? REDIS_END_LOST : end, answer);
		answer = answer == NULL ? NULL : answer->next;
	}
	if (written > 0) {
		histogram_add(&t->batch, HISTOGRAM_SIZE, written);
	}
	redis_lane_settle(b->lane);
	free(b);
}

/* ---- sent ---- */

static void batch_remove(struct redis_batch *b, size_t at, enum err e)
{
	struct redis_job *job = b->jobs[at];
	b->n--;
	for (size_t i = at; i < b->n; i++) {
		b->jobs[i] = b->jobs[i + 1];
	}
	redis_job_fail(job, e);
}

/* The keys, of all commits alike, so that the script reads those at the head in one command. Returns how many those are. */
static size_t batch_keys(const struct redis_batch *b, struct redis_args *args)
{
	for (size_t i = 0; i < b->n; i++) {
		redis_args_key(args, b->jobs[i]->scope, "t:", redis_commit_token(b->jobs[i]));
	}
	for (size_t i = 0; i < b->n; i++) {
		redis_args_key(args, b->jobs[i]->scope, "v", NO_SLICE);
	}
	for (size_t i = 0; i < b->n; i++) {
		const struct redis_job *job = b->jobs[i];
		if (job->scope == ITEM_SCOPE_DIRECTORY) {
			redis_args_key(args, job->scope, "p", NO_SLICE);
		} else if (!store_fence_is_none(&job->w->commit.fence)) {
			redis_args_key(args, job->scope, "h", NO_SLICE);
		}
	}
	size_t heads = args->n - 1;
	for (size_t i = 0; i < b->n; i++) {
		redis_commit_add_partitions(b->jobs[i]);
	}
	for (size_t i = 0; i < b->n; i++) {
		redis_commit_add_indexes(b->jobs[i]);
	}
	return heads;
}

/* Put the command together. Returns the first commit of which that fails, and *e why; b->n: none. */
static size_t batch_words(struct redis_batch *b, enum err *e)
{
	struct redis_args *args = &b->lane->t->args;
	redis_args_clear(args);
	redis_args_add(args, NO_SLICE);
	size_t heads = batch_keys(b, args);
	redis_args_count(args, 0, args->n - 1);
	redis_args_number(args, (int64_t)b->n);
	redis_args_number(args, (int64_t)heads);
	redis_args_number(args, REDIS_TOKEN_LIFE_MS);
	redis_args_add(args, slice_str(b->lane->t->channel));
	for (size_t i = 0; i < b->n; i++) {
		*e = redis_commit_add_words(b->jobs[i]);
		if (*e != OK) {
			return i;
		}
	}
	return b->n;
}

static enum err batch_call(struct redis_batch *b)
{
	const struct redis_table *t = b->lane->t;
	int64_t until_ms = INT64_MAX;
	for (size_t i = 0; i < b->n; i++) {
		until_ms = b->jobs[i]->until_ms < until_ms ? b->jobs[i]->until_ms : until_ms;
	}
	int64_t within_ms = until_ms - redis_now(t);
	struct redis_command c = {.script = (int)b->script,
				  .args = t->args.at,
				  .n = t->args.n,
				  .within_ms = within_ms > 0 ? within_ms : 1};
	return redis_link_send(b->lane->link, &c, on_batch_end, b);
}

static void batch_return(struct redis_batch *b)
{
	while (b->n > 0) {
		redis_job_unsent(b->jobs[--b->n]);
	}
	free(b);
}

bool redis_batch_send(struct redis_lane *lane)
{
	struct redis_batch *b = lane->batch;
	if (b == NULL) {
		return true;
	}
	lane->batch = NULL;
	enum err e = OK;
	for (size_t at = batch_words(b, &e); at < b->n; at = batch_words(b, &e)) {
		batch_remove(b, at, e);
	}
	e = b->n > 0 ? batch_call(b) : OK;
	if (e == ERR_BUSY) {
		batch_return(b);
		return false;
	}
	if (e == OK && b->n > 0) {
		return true; /* it is on_batch_end()'s */
	}
	while (b->n > 0) {
		batch_remove(b, b->n - 1, e);
	}
	free(b);
	return true;
}

/* ---- gathered ---- */

static size_t batch_bytes(const struct store_commit *c)
{
	size_t bytes = c->publish.len;
	for (size_t i = 0; i < c->n; i++) {
		bytes += c->ops[i].value.len;
	}
	return bytes;
}

static bool batch_takes(const struct redis_batch *b, const struct redis_job *job,
			enum redis_script script)
{
	const struct redis_job *first = b->jobs[0];
	bool is_near = !job->t->address.is_cluster || job->scope == first->scope;
	return b->n < BATCH_COMMITS_MAX && b->script == script && is_near && !job->is_alone &&
	       !first->is_alone && b->ops + job->w->commit.n <= BATCH_OPS_MAX &&
	       b->bytes + batch_bytes(&job->w->commit) <= BATCH_BYTES_MAX;
}

enum err redis_batch_add(struct redis_job *job, enum redis_script script)
{
	struct redis_lane *lane = job->lane;
	if (lane->batch != NULL && !batch_takes(lane->batch, job, script) &&
	    !redis_batch_send(lane)) {
		return ERR_BUSY;
	}
	if (lane->batch == NULL) {
		lane->batch = calloc(1, sizeof(*lane->batch));
		if (lane->batch == NULL) {
			return ERR_NOMEM;
		}
		lane->batch->lane = lane;
		lane->batch->script = script;
	}
	lane->batch->jobs[lane->batch->n++] = job;
	lane->batch->ops += job->w->commit.n;
	lane->batch->bytes += batch_bytes(&job->w->commit);
	job->outstanding++;
	job->at = lane;
	return OK;
}
