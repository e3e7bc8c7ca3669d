/*
 * reads.c - reads of a process on their way to the master: sent, answered, and told when everything is that was
 * published before (subscription.h).
 */
#include "tests/sim/disk/engine.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/store_request.h"
#include "tests/sim/world/world.h"

struct engine_read {
	struct engine_read *next;
	struct sim_engine *g;
	struct store_request *w; /* with its callback, and the answer while it waits */
	bool is_sent, is_answered;
	bool is_over; /* the process has ended */
	int64_t answered_mono;
	struct sim_number number; /* as it was at the answer */
};

static void read_free(struct engine_read *r)
{
	store_request_destroy(r->w);
	free(r);
}

static void read_take_out(struct engine_read *r)
{
	struct engine_read **at = &r->g->reads;
	while (*at != r) {
		at = &(*at)->next;
	}
	*at = r->next;
}

static void read_tell(struct store_request *w, enum err e)
{
	const struct store_found *f = &w->found;
	if (w->kind == STORE_REQUEST_LOAD) {
		w->cb.load(w->arg, e, f->items, f->n, f->version, f->has_more);
	} else if (w->kind == STORE_REQUEST_QUERY) {
		w->cb.query(w->arg, e, f->items, f->n, f->next, f->is_partial);
	} else {
		w->cb.count(w->arg, e, w->counted);
	}
}

/* It is kept for later, or told now. */
static void read_end(struct engine_read *r, enum err e)
{
	store_found_settle(&r->w->found);
	r->w->result = e;
	r->number = r->g->w->master.published;
	r->answered_mono = r->g->w->mono_ms;
	r->is_answered = !r->is_over && subscription_is_behind(r->g, r->number);
	if (r->is_answered) {
		return;
	}
	if (!r->is_over) {
		read_take_out(r);
	}
	read_tell(r->w, e);
	read_free(r);
}

static void read_keep(struct store_request *w, const struct store_item *items, size_t n,
		      struct slice next)
{
	enum err e = OK;
	for (size_t i = 0; i < n && e == OK; i++) {
		e = store_found_add(&w->found, items[i].pk, items[i].sk, items[i].value,
				    items[i].version);
	}
	e = e == OK ? store_found_next(&w->found, next) : e;
	ASSERT_CMP(e, ==, OK);
}

static void read_on_load(void *arg, enum err e, const struct store_item *items, size_t n,
			 uint64_t version, bool has_more)
{
	struct engine_read *r = arg;
	r->w->found.version = version;
	r->w->found.has_more = has_more;
	read_keep(r->w, items, n, (struct slice){0});
	read_end(r, e);
}

static void read_on_query(void *arg, enum err e, const struct store_item *items, size_t n,
			  struct slice next, bool is_partial)
{
	struct engine_read *r = arg;
	r->w->found.is_partial = is_partial;
	read_keep(r->w, items, n, next);
	read_end(r, e);
}

static void read_on_count(void *arg, enum err e, size_t n)
{
	struct engine_read *r = arg;
	r->w->counted = n;
	read_end(r, e);
}

static unsigned read_scope(const struct engine_read *r)
{
	return r->w->kind == STORE_REQUEST_LOAD ? item_scope_of(r->w->load.pk)
						: ITEM_SCOPE_DIRECTORY;
}

/* It waits while its scope moves: where that goes to, it would find nothing. */
static void read_send(struct engine_read *r)
{
	struct world *w = r->g->w;
	struct store *s = w->store;
	bool is_moving = master_is_moving(w, read_scope(r));
	if (is_moving && r->w->kind == STORE_REQUEST_LOAD && planted(w, BREAK_FOLLOW_ASK, 1)) {
		r->is_sent = true;
		r->is_answered = true;
		return;
	}
	if (is_moving) {
		return;
	}
	r->is_sent = true;
	if (r->w->kind == STORE_REQUEST_LOAD) {
		store_load(s, &r->w->load, read_on_load, r);
	} else if (r->w->kind == STORE_REQUEST_QUERY) {
		store_query(s, &r->w->query, read_on_query, r);
	} else {
		store_count(s, &r->w->count, read_on_count, r);
	}
}

static void read_begin(struct sim_engine *g, struct store_request *w, union store_request_cb cb,
		       void *arg)
{
	struct engine_read *r = calloc(1, sizeof(*r));
	struct engine_read **at = &g->reads;
	ASSERT(r != NULL && w != NULL);
	*r = (struct engine_read){.g = g, .w = w};
	w->cb = cb;
	w->arg = arg;
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = r;
	read_send(r);
}

void engine_load(struct sim_engine *g, const struct store_load *l, store_items_cb *cb, void *arg)
{
	read_begin(g, store_request_of_load(l), (union store_request_cb){.load = cb}, arg);
}

void engine_query(struct sim_engine *g, const struct store_query *q, store_query_cb *cb, void *arg)
{
	read_begin(g, store_request_of_query(q), (union store_request_cb){.query = cb}, arg);
}

void engine_count(struct sim_engine *g, const struct store_count *c, store_count_cb *cb, void *arg)
{
	read_begin(g, store_request_of_count(c), (union store_request_cb){.count = cb}, arg);
}

void reads_send(struct sim_engine *g)
{
	for (struct engine_read *r = g->reads; r != NULL; r = r->next) {
		if (!r->is_sent) {
			read_send(r);
		}
	}
}

/* Told, it may ask for more, which goes to the end. */
void reads_release(struct sim_engine *g)
{
	struct engine_read *r = g->reads;
	while (r != NULL) {
		if (!r->is_answered || subscription_is_behind(g, r->number)) {
			r = r->next;
			continue;
		}
		read_take_out(r);
		read_tell(r->w, r->w->result);
		read_free(r);
		r = g->reads;
	}
}

int64_t reads_wait_since(const struct sim_engine *g)
{
	int64_t since = INT64_MAX;
	for (const struct engine_read *r = g->reads; r != NULL; r = r->next) {
		since = r->is_answered && r->answered_mono < since ? r->answered_mono : since;
	}
	return since;
}

/* Those that the table has call back yet. */
void reads_forget(struct sim_engine *g)
{
	while (g->reads != NULL) {
		struct engine_read *r = g->reads;
		g->reads = r->next;
		r->is_over = true;
		if (r->is_answered || !r->is_sent) {
			read_tell(r->w, ERR_CLOSED);
			read_free(r);
		}
	}
}
