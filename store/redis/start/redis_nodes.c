/*
 * redis_nodes.c - entries of nodes, renewed and listed.
 *
 * They go with the reads, so that neither waits for a commit or for replicas, and name no
 * publication. A renewal that was sent twice is as one: `since` shows whether either made the entry.
 */
#include "store/redis/redis_table.h"

static enum err nodes_send(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	const struct store_request *w = job->w;
	redis_args_clear(args);
	redis_args_add(args, SLICE("2"));
	redis_args_key(args, job->scope, "n", NO_SLICE);
	redis_args_key(args, job->scope, "l", NO_SLICE);
	if (w->kind == STORE_REQUEST_NODES) {
		redis_args_add(args, NO_SLICE);
	} else {
		redis_args_u64(args, w->renewal.node);
		redis_args_number(args, w->renewal.life_ms);
		redis_args_add(args, w->renewal.value);
	}
	return redis_job_call(job, REDIS_SCRIPT_NODES);
}

/* Number and value, one after the other, behind the code. */
static enum err nodes_add(struct store_request *w, const struct redis_reply *number)
{
	enum err e = OK;
	while (number != NULL && e == OK) {
		const struct redis_reply *value = number->next;
		uint64_t node = 0;
		bool is_sound = value != NULL && value->kind == REDIS_STRING &&
				redis_reply_u64(number, &node) && node > 0;
		e = is_sound ? store_found_add(&w->found, NO_SLICE, NO_SLICE, value->text, node)
			     : ERR_IO;
		number = is_sound ? value->next : NULL;
	}
	return e;
}

static enum err nodes_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	struct store_request *w = job->w;
	const struct redis_reply *code = redis_reply_at(reply, 0);
	if (code == NULL || code->kind != REDIS_STRING) {
		return ERR_IO;
	}
	if (slice_eq(code->text, SLICE("ALONE"))) {
		redis_table_lose(job->t);
		return ERR_CLOSED;
	}
	if (w->kind == STORE_REQUEST_NODES) {
		return nodes_add(w, code->next);
	}
	return redis_reply_u64(code->next, &w->version) && w->version > 0 ? OK : ERR_IO;
}

static void nodes_on_stage(struct redis_job *job)
{
	store_found_settle(&job->w->found);
	redis_job_end(job, OK);
}

static void nodes_on_failure(struct redis_job *job)
{
	store_found_finish(&job->w->found);
}

const struct redis_job_kind redis_nodes_kind = {nodes_send, nodes_on_reply, nodes_on_stage,
						nodes_on_failure};
