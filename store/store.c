/*
 * store.c - the promises of store.h that hold for every engine; see engine.h.
 */
#include "store/store.h"

#include "proto/base/assert.h"
#include "store/base/engine.h"

void store_init(struct store *s, const struct engine *engine)
{
	*s = (struct store){.engine = engine};
}

void store_finish(struct store *s)
{
	arena_finish(&s->arena);
}

static void store_wake(struct store *s)
{
	if (s->wake != NULL) {
		s->wake(s->wake_arg);
	}
}

/* ---- calls ---- */

/* Without memory for the request of a read, its callback gets ERR_NOMEM all the same. */
static void store_read(struct store *s, struct store_request *w, struct lost_read lost)
{
	if (w == NULL) {
		ASSERT_CMP(s->lost_n, <, ENGINE_LOST_READS_MAX);
		s->lost[s->lost_n++] = lost;
		store_wake(s);
		return;
	}
	w->cb = lost.cb;
	w->arg = lost.arg;
	s->outstanding++;
	s->engine->submit(s, w);
}

bool store_is_shared(const struct store *s)
{
	return s->engine->is_shared;
}

void store_load(struct store *s, const struct store_load *l, store_items_cb *cb, void *arg)
{
	ASSERT(s->engine->is_shared || store_fence_is_none(&l->fence));
	store_read(s, store_request_of_load(l),
		   (struct lost_read){STORE_REQUEST_LOAD, {.load = cb}, arg});
}

void store_query(struct store *s, const struct store_query *q, store_query_cb *cb, void *arg)
{
	store_read(s, store_request_of_query(q),
		   (struct lost_read){STORE_REQUEST_QUERY, {.query = cb}, arg});
}

void store_count(struct store *s, const struct store_count *c, store_count_cb *cb, void *arg)
{
	store_read(s, store_request_of_count(c),
		   (struct lost_read){STORE_REQUEST_COUNT, {.count = cb}, arg});
}

void store_partitions(struct store *s, struct slice cursor, store_query_cb *cb, void *arg)
{
	store_read(s, store_request_of_partitions(cursor),
		   (struct lost_read){STORE_REQUEST_PARTITIONS, {.query = cb}, arg});
}

void store_check(struct store *s, struct slice cursor, store_check_cb *cb, void *arg)
{
	store_read(s, store_request_of_check(cursor),
		   (struct lost_read){STORE_REQUEST_CHECK, {.check = cb}, arg});
}

enum err store_commit(struct store *s, const struct store_commit *c, store_commit_cb *cb, void *arg)
{
	struct store_request *w;
	ASSERT(s->engine->is_shared || store_fence_is_none(&c->fence));
	if (s->commits >= STORE_PENDING_MAX || s->commits_bytes >= STORE_PENDING_BYTES_MAX) {
		return ERR_BUSY;
	}
	enum err e = store_request_of_commit(c, &s->arena, &w);
	arena_reset(&s->arena);
	if (e != OK) {
		return e;
	}
	w->cb.commit = cb;
	w->arg = arg;
	s->commits++;
	s->commits_bytes += w->bytes;
	s->outstanding++;
	s->engine->submit(s, w);
	return OK;
}

int64_t store_token_life_ms(const struct store *s)
{
	return s->engine->token_life_ms;
}

enum err store_take(struct store *s, const struct store_take *t, store_take_cb *cb, void *arg)
{
	ASSERT(s->engine->is_shared);
	struct store_request *w = store_request_of_take(t);
	if (w == NULL) {
		return ERR_NOMEM;
	}
	w->cb.take = cb;
	w->arg = arg;
	s->outstanding++;
	s->engine->submit(s, w);
	return OK;
}

void store_renew(struct store *s, const struct store_renewal *r, store_renew_cb *cb, void *arg)
{
	ASSERT(s->engine->is_shared);
	store_read(s, store_request_of_renewal(r),
		   (struct lost_read){STORE_REQUEST_RENEW, {.renew = cb}, arg});
}

void store_nodes(struct store *s, store_nodes_cb *cb, void *arg)
{
	ASSERT(s->engine->is_shared);
	store_read(s, store_request_of_nodes(),
		   (struct lost_read){STORE_REQUEST_NODES, {.nodes = cb}, arg});
}

void store_status(struct store *s, struct store_status *out)
{
	s->engine->status(s, out);
}

bool store_pulse(struct store *s)
{
	return s->engine->pulse == NULL || s->engine->pulse(s);
}

void store_subscribe(struct store *s, store_published_cb *cb, void *arg)
{
	s->on_published = cb;
	s->on_published_arg = arg;
}

/* ---- callbacks ---- */

/* Of a commit before its own callback; and what other processes published. */
static void store_tell(struct store *s, struct store_request *w)
{
	bool is_own = w->kind == STORE_REQUEST_COMMIT && w->is_written && w->result == OK;
	if (is_own && w->commit.publish.len > 0 && !s->engine->is_shared) {
		w->published = ++s->published;
	}
	bool is_told = w->published > 0 || w->kind == STORE_REQUEST_PUBLICATION;
	if (is_told && s->on_published != NULL) {
		s->on_published(s->on_published_arg, w->published, w->commit.publish);
	}
}

static void store_call_back(const struct store_request *w)
{
	const struct store_found *f = &w->found;
	switch (w->kind) {
	case STORE_REQUEST_LOAD:
		w->cb.load(w->arg, w->result, f->items, f->n, f->version, f->has_more);
		break;
	case STORE_REQUEST_QUERY:
	case STORE_REQUEST_PARTITIONS:
		w->cb.query(w->arg, w->result, f->items, f->n, f->next, f->is_partial);
		break;
	case STORE_REQUEST_COUNT:
		w->cb.count(w->arg, w->result, w->counted);
		break;
	case STORE_REQUEST_CHECK:
		w->cb.check(w->arg, w->result, &w->checked);
		break;
	case STORE_REQUEST_COMMIT:
		w->cb.commit(w->arg, w->result, w->version);
		break;
	case STORE_REQUEST_TAKE:
		w->cb.take(w->arg, w->result, w->had, w->version);
		break;
	case STORE_REQUEST_RENEW:
		w->cb.renew(w->arg, w->result, w->version);
		break;
	case STORE_REQUEST_NODES:
		w->cb.nodes(w->arg, w->result, f->items, f->n);
		break;
	case STORE_REQUEST_PUBLICATION:
		break; /* nobody asked for it */
	}
}

void store_flush(struct store *s)
{
	if (s->engine->flush != NULL) {
		s->engine->flush(s);
	}
}

bool store_poll(struct store *s)
{
	struct store_requests done = {NULL, NULL, 0};
	struct store_request *w;

	ASSERT(!s->is_polling);
	s->is_polling = true;
	/* Those that were lost before this poll; a callback may lose more. */
	for (size_t n = s->lost_n; n > 0; n--) {
		struct lost_read first = s->lost[0];
		struct store_request lost = {.kind = first.kind,
					     .cb = first.cb,
					     .arg = first.arg,
					     .result = ERR_NOMEM};
		s->lost_n--;
		memmove(s->lost, s->lost + 1, s->lost_n * sizeof(s->lost[0]));
		store_call_back(&lost);
	}
	s->engine->collect(s, &done);
	while ((w = store_requests_pop(&done)) != NULL) {
		s->outstanding -= w->kind != STORE_REQUEST_PUBLICATION;
		if (w->kind == STORE_REQUEST_COMMIT) {
			s->commits--;
			s->commits_bytes -= w->bytes;
		}
		store_tell(s, w);
		store_call_back(w);
		store_request_destroy(w);
	}
	s->is_polling = false;
	store_flush(s);
	return s->outstanding > 0 || s->lost_n > 0;
}

void store_close(struct store *s)
{
	if (s == NULL) {
		return;
	}
	ASSERT(!s->is_polling);
	s->engine->settle(s);
	while (store_poll(s)) {
	}
	store_finish(s);
	s->engine->destroy(s);
}
