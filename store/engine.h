/*
 * engine.h - the interface of an engine, and what all engines share. Private to store/.
 *
 * store.c keeps the contract's promises towards the caller: inputs copied, bounds,
 * callbacks once and only in store_poll(). An engine takes requests and
 * returns them finished; it decides in which order commits are applied, and when
 * they are durable. What commits, loads, queries and counts do is in apply.h and
 * read.h.
 */
#ifndef STORE_ENGINE_H
#define STORE_ENGINE_H

#include "proto/base/arena.h"
#include "store/store.h"
#include "store/store_request.h"

/*
 * All of these on the loop thread; none calls back.
 *
 * submit   take a request; collect returns it, whatever happens.
 * flush    start what was submitted; NULL where submit does.
 * collect  append everything finished since the last time, in order, to `done`.
 * pulse    see store_pulse(); NULL where nothing but the caller writes.
 * settle   finish everything that was submitted, and end the engine's threads; later requests are returned with ERR_CLOSED.
 * destroy  free the engine's own struct, of which `struct store` is the first member.
 */
struct engine {
	void (*submit)(struct store *s, struct store_request *w);
	void (*flush)(struct store *s);
	void (*collect)(struct store *s, struct store_requests *done);
	void (*status)(struct store *s, struct store_status *out);
	bool (*pulse)(struct store *s); /* as store_pulse(); NULL: always alive */
	void (*settle)(struct store *s);
	void (*destroy)(struct store *s);
};

/*
 * Reads return no error, so one for which there was no memory needs a place that is
 * allocated already: as many as one turn of the loop may ever have.
 */
#define ENGINE_LOST_READS_MAX 256
struct lost_read {
	enum store_request_kind kind;
	union store_request_cb cb;
	void *arg;
};

struct store {
	const struct engine *engine;
	store_wake_cb *wake; /* or NULL */
	void *wake_arg;
	size_t outstanding;   /* requests whose callback has not run */
	size_t commits;       /* of them */
	size_t commits_bytes; /* of those */
	bool is_polling;
	struct lost_read lost[ENGINE_LOST_READS_MAX];
	size_t lost_n;
	struct arena arena; /* for checking the values of commits */
};

void store_init(struct store *s, const struct engine *engine);
void store_finish(struct store *s);

#endif
