/*
 * engine.h - what an engine brings, and what all engines share. Private to store/.
 *
 * store.c keeps the contract's promises towards the caller: inputs copied,
 * bounds, callbacks once and only in store_poll(), following. An engine takes
 * works and hands them back finished; in what order commits are applied and
 * when they are durable is its part. What a commit, a load, a query and a count are is
 * in apply.h and read.h.
 */
#ifndef STORE_ENGINE_H
#define STORE_ENGINE_H

#include "proto/arena.h"
#include "store/follow.h"
#include "store/store.h"
#include "store/store_request.h"

/*
 * All of these on the loop thread; none calls back.
 *
 * submit   take a work; it comes back through collect, whatever happens.
 * flush    begin with what was taken; NULL where submit does.
 * collect  everything finished since the last time, in order, appended to `done`.
 * settle   finish everything that was submitted, and end the engine's threads; what is submitted later comes back with ERR_CLOSED.
 * destroy  give back the engine's own struct, of which `struct store` is the first member.
 */
struct engine {
	void (*submit)(struct store *s, struct store_request *w);
	void (*flush)(struct store *s);
	void (*collect)(struct store *s, struct store_requests *done);
	void (*status)(struct store *s, struct store_status *out);
	void (*settle)(struct store *s);
	void (*destroy)(struct store *s);
};

/*
 * Reads return nothing, so one that could not even be written down has to be
 * remembered without memory: as many as one turn of the loop may ever lose.
 */
#define ENGINE_LOST_READS_MAX 256
struct lost_read {
	enum store_request_kind kind;
	store_items_cb *load;
	store_query_cb *query;
	store_count_cb *count;
	void *arg;
};

struct store {
	const struct engine *engine;
	store_wake_cb *wake; /* or NULL */
	void *wake_arg;
	size_t outstanding;   /* works whose callback has not run */
	size_t commits;       /* of them */
	size_t commits_bytes; /* of those */
	bool is_polling;
	struct lost_read lost[ENGINE_LOST_READS_MAX];
	size_t lost_n;
	struct follows follows;
	struct arena arena; /* for looking at what commits bring */
};

/* version: of what is there at open. */
void store_init(struct store *s, const struct engine *engine, uint64_t version);
void store_finish(struct store *s);

#endif
