/*
 * store_glue.c - effects to store calls, callbacks to events.
 *
 * Each call carries a small heap block with the ticket, freed by the callback,
 * which the store promises to run exactly once.
 */
#include "server/net/store_glue.h"

#include <stdlib.h>

#include "proto/base/assert.h"

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

enum err store_glue_begin(struct store_glue *g, const struct effect *fx, int64_t wall_ms)
{
	struct store_job *job = malloc(sizeof(*job));
	if (job == NULL) {
		return ERR_NOMEM;
	}
	*job = (struct store_job){g, fx->ticket};
	if (fx->kind == FX_LOAD) {
		store_load(g->store, &fx->load, store_glue_on_loaded, job);
		return OK;
	}
	if (fx->kind == FX_QUERY) {
		store_query(g->store, &fx->query, store_glue_on_found, job);
		return OK;
	}
	if (fx->kind == FX_COUNT) {
		struct store_count c = store_count_of(&fx->query);
		store_count(g->store, &c, store_glue_on_counted, job);
		return OK;
	}
	ASSERT(fx->kind == FX_COMMIT);
	struct store_commit c = {
		.token = fx->token,
		.token_is_local = true, /* the core keeps them in memory */
		.ops = fx->ops,
		.n = fx->n,
		.now_ms = wall_ms,
		.publish = fx->publish,
		.fence = fx->fence,
	};
	enum err e = store_commit(g->store, &c, store_glue_on_committed, job);
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
