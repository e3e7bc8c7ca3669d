/*
 * store_glue.h - performs the effects of the core that are calls of the store: loads, queries, counts,
 * commits, and what a node of a cluster asks.
 *
 * The store's callbacks become events: one event for each effect that was started. The caller
 * answers those that could not be started.
 */
#ifndef SERVER_NET_STORE_GLUE_H
#define SERVER_NET_STORE_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"
#include "store/store.h"

/*
 * Called with an answer, without its clocks; valid until the callback returns. It may start
 * further effects.
 */
typedef void store_glue_cb(void *arg, struct event *e);

struct store_glue {
	struct store *store;
	store_glue_cb *on_answer;
	void *arg;
	/*
	 * the result of a commit is unknown, and the engine is broken by that: no answer was given, nor
	 * will be, and the process must end
	 */
	bool is_broken;
	uint64_t node_since; /* of this node's entry, as it was last answered; 0: none was */
	bool is_muted;  /* closing: callbacks of the store produce no events */
};

void store_glue_init(struct store_glue *g, struct store *store, store_glue_cb *on_answer, void *arg);

/*
 * Have what commits publish become EVENT_PUBLISHED, of a node of a cluster; before the first
 * effect.
 */
void store_glue_subscribe(struct store_glue *g);

/*
 * Start FX_LOAD, FX_QUERY, FX_COUNT, FX_COMMIT, FX_RENEW, FX_LIST or FX_TAKE.
 *
 * ERR_BUSY   too many commits are waiting; stop reading from clients until the next answer.
 * ERR_NOMEM  memory is out.
 *
 * After an error there is no answer.
 */
NODISCARD enum err store_glue_begin(struct store_glue *g, const struct effect *fx, int64_t wall_ms);

/* Pass the calls of this turn to the store; call at the end of each loop turn. */
void store_glue_flush(struct store_glue *g);

/* Deliver the answers of finished calls. */
void store_glue_poll(struct store_glue *g);

/* Finish accepted calls and close the store, without events. *g may be zeroed. */
void store_glue_finish(struct store_glue *g);

#endif
