/*
 * store_glue.h - the core's load, query and commit effects, performed by the store.
 *
 * The store's callback becomes an event. One event for each effect that began; the
 * caller answers those that could not begin.
 */
#ifndef SERVER_NET_STORE_GLUE_H
#define SERVER_NET_STORE_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"
#include "store/store.h"

/* An answer, without its clocks; valid until the callback returns. May begin further effects. */
typedef void store_glue_cb(void *arg, struct event *e);

struct store_glue {
	struct store *store;
	store_glue_cb *on_answer;
	void *arg;
	bool is_broken; /* the outcome of a commit is unknown: no answer was given, the process must end */
	bool is_muted;  /* closing: callbacks of the store make no events any more */
};

void store_glue_init(struct store_glue *g, struct store *store, store_glue_cb *on_answer, void *arg);

/*
 * Perform FX_LOAD, FX_QUERY, FX_COUNT or FX_COMMIT.
 *
 * ERR_BUSY   too many commits wait; reading from clients should stop until the next answer.
 * ERR_NOMEM  In both cases there will be no answer.
 */
NODISCARD enum err store_glue_begin(struct store_glue *g, const struct effect *fx, int64_t wall_ms);

/* Pass the calls of this turn to the store: at the end of each turn of the loop. */
void store_glue_flush(struct store_glue *g);

/* Deliver what has finished. */
void store_glue_poll(struct store_glue *g);

/* Finish what was accepted and close the store, without events. A zeroed struct is fine. */
void store_glue_finish(struct store_glue *g);

#endif
