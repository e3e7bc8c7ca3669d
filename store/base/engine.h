/*
 * engine.h - the interface of an engine, and what all engines share. Private to store/.
 *
 * store.c implements the parts of the contract that concern the caller: copied inputs, limits,
 * callbacks exactly once and only in store_poll(). An engine receives requests and returns them
 * finished; it decides the order of commits, and when they are durable. What commits, loads,
 * queries and counts do is in apply.h and read.h.
 */
#ifndef STORE_ENGINE_H
#define STORE_ENGINE_H

#include "proto/base/arena.h"
#include "store/store.h"
#include "store/store_request.h"

/*
 * All functions run on the loop thread; none calls back.
 *
 * submit   accept a request; collect returns it, whatever happens.
 * flush    start the submitted requests; NULL if submit starts them.
 * collect  append all requests finished since the last call, in order, to `done`.
 * pulse    see store_pulse(); NULL if only the caller writes.
 * settle   finish all submitted requests and end the engine's threads; later requests are
 * returned with ERR_CLOSED.
 * destroy  free the engine's own struct, whose first member is `struct store`.
 */
struct engine {
	void (*submit)(struct store *s, struct store_request *w);
	void (*flush)(struct store *s);
	void (*collect)(struct store *s, struct store_requests *done);
	void (*status)(struct store *s, struct store_status *out);
	bool (*pulse)(struct store *s); /* as store_pulse(); NULL: always alive */
	void (*settle)(struct store *s);
	void (*destroy)(struct store *s);
	int64_t token_life_ms;
	/*
	 * Several processes may use the data at once. The engine has fences, numbers publications
	 * itself, and returns each as a part of its commit or as a STORE_REQUEST_PUBLICATION
	 */
	bool is_shared;
};

/*
 * Reads cannot return an error. A read for which memory is out needs a place that is already
 * allocated: as many as one loop turn can ever have.
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
	size_t commits;       /* how many of them are commits */
	size_t commits_bytes; /* bytes of these commits */
	bool is_polling;
	store_published_cb *on_published; /* or NULL */
	void *on_published_arg;
	uint64_t published; /* number of the last publication, where the engine does not number them */
	struct lost_read lost[ENGINE_LOST_READS_MAX];
	size_t lost_n;
	struct arena arena; /* used to check the values of commits */
};

void store_init(struct store *s, const struct engine *engine);
void store_finish(struct store *s);

#endif
