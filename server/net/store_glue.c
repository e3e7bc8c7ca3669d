/*
 * store_glue.c - effects to store calls, callbacks to events.
 *
 * Each call carries a small heap block with the ticket, freed by the callback,
 * which the store promises to run exactly once.
 */
#include "server/net/store_glue.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "server/core/cluster/lease.h"
#include "server/core/cluster/node_record.h"

struct store_job {
	struct store_glue *glue;
	uint64_t ticket;
};

void store_glue_init(struct store_glue *g, struct store *store, store_glue_cb *on_answer, void *arg)
{
	*g = (struct store_glue){.store = store, .on_answer = on_answer, .arg = arg};
}

static void store_glue_answer(struct store_job *job, struct event *e)
{
	struct store_glue *g = job->glue;
	e->ticket = job->ticket;
	free(job);
	if (e->result == ERR_UNKNOWN) {
		struct store_status status;
		store_status(g->store, &status);
		g->is_broken = g->is_broken || status.state == STORE_BROKEN;
	}
	if (!g->is_broken && !g->is_muted) {
		g->on_answer(g->arg, e);
	}
}

static void store_glue_on_loaded(void *arg, enum err e, const struct store_item *items, size_t n,
				 uint64_t version, bool has_more)
{
	struct event event = {.kind = EVENT_LOADED,
			      .result = e,
			      .items = items,
			      .n = n,
			      .version = version,
			      .has_more = has_more};
	store_glue_answer(arg, &event);
}

static void store_glue_on_found(void *arg, enum err e, const struct store_item *items, size_t n,
				struct slice next, bool is_partial)
{
	struct event event = {.kind = EVENT_DUE,
			      .result = e,
			      .items = items,
			      .n = n,
			      .next = next,
			      .is_partial = is_partial};
	store_glue_answer(arg, &event);
}

static void store_glue_on_counted(void *arg, enum err e, size_t n)
{
	struct event event = {.kind = EVENT_COUNTED, .result = e, .n = n};
	store_glue_answer(arg, &event);
}

static void store_glue_on_committed(void *arg, enum err e, uint64_t version)
{
	struct event event = {.kind = EVENT_COMMITTED, .result = e, .version = version};
	store_glue_answer(arg, &event);
}

static void store_glue_on_published(void *arg, uint64_t number, struct slice body)
{
	struct store_glue *g = arg;
	struct event event = {.kind = EVENT_PUBLISHED, .number = number, .bytes = body};
	if (!g->is_broken && !g->is_muted) {
		g->on_answer(g->arg, &event);
	}
}

void store_glue_subscribe(struct store_glue *g)
{
	store_subscribe(g->store, store_glue_on_published, g);
}

static void store_glue_on_taken(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	struct event event = {.kind = EVENT_TAKEN, .result = e, .version = version};
	(void)had;
	store_glue_answer(arg, &event);
}

static void store_glue_on_renewed(void *arg, enum err e, uint64_t since)
{
	struct store_job *job = arg;
	struct event event = {.kind = EVENT_RENEWED,
			      .result = e,
			      .is_lapsed = since != job->glue->node_since};
	job->glue->node_since = e == OK ? since : job->glue->node_since;
	store_glue_answer(job, &event);
}

static void store_glue_on_nodes(void *arg, enum err e, const struct store_item *items, size_t n)
{
	struct arena arena = {NULL};
	struct cluster_node *nodes = malloc((n + 1) * sizeof(*nodes));
	for (size_t i = 0; i < n && nodes != NULL; i++) {
		node_record_read(items[i].version, items[i].value, &arena, &nodes[i]);
		arena_reset(&arena);
	}
	struct event event = {.kind = EVENT_LISTED,
			      .result = nodes == NULL ? ERR_NOMEM : e,
			      .nodes = nodes,
			      .n = nodes == NULL ? 0 : n};
	store_glue_answer(arg, &event);
	arena_finish(&arena);
	free(nodes);
}

static enum err store_glue_renew(struct store_job *job, const struct cluster_node *node)
{
	struct buf value;
	buf_init(&value, STORE_NODE_BYTES_MAX);
	node_record_write(node, &value);
	enum err e = value.error;
	if (e == OK) {
		struct store_renewal r = {.node = node->number,
					  .life_ms = NODE_LIFE_MS,
					  .value = buf_slice(&value)};
		store_renew(job->glue->store, &r, store_glue_on_renewed, job);
	}
	buf_finish(&value);
	return e;
}

static enum err store_glue_commit(struct store_job *job, const struct effect *fx, int64_t wall_ms)
{
	struct store_commit c = {
		.token = fx->token,
		.token_is_local = true, /* the core keeps them in memory */
		.ops = fx->ops,
		.n = fx->n,
		.now_ms = wall_ms,
		.publish = fx->publish,
		.fence = fx->fence,
	};
	return store_commit(job->glue->store, &c, store_glue_on_committed, job);
}

enum err store_glue_begin(struct store_glue *g, const struct effect *fx, int64_t wall_ms)
{
	struct store_job *job = malloc(sizeof(*job));
	if (job == NULL) {
		return ERR_NOMEM;
	}
	*job = (struct store_job){g, fx->ticket};
	enum err e = OK;
	if (fx->kind == FX_LOAD) {
		store_load(g->store, &fx->load, store_glue_on_loaded, job);
	} else if (fx->kind == FX_QUERY) {
		store_query(g->store, &fx->query, store_glue_on_found, job);
	} else if (fx->kind == FX_COUNT) {
		struct store_count c = store_count_of(&fx->query);
		store_count(g->store, &c, store_glue_on_counted, job);
	} else if (fx->kind == FX_RENEW) {
		e = store_glue_renew(job, fx->node);
	} else if (fx->kind == FX_LIST) {
		store_nodes(g->store, store_glue_on_nodes, job);
	} else if (fx->kind == FX_TAKE) {
		e = store_take(g->store, &fx->take, store_glue_on_taken, job);
	} else {
		ASSERT(fx->kind == FX_COMMIT);
		e = store_glue_commit(job, fx, wall_ms);
	}
	if (e != OK) {
		free(job);
	}
	return e;
}

void store_glue_flush(struct store_glue *g)
{
	store_flush(g->store);
}

void store_glue_poll(struct store_glue *g)
{
	/* What is still on its way wakes the loop again when it has arrived. */
	(void)store_poll(g->store);
}

void store_glue_finish(struct store_glue *g)
{
	g->is_muted = true;
	store_close(g->store);
	*g = (struct store_glue){0};
}
