/*
 * engine.h - one process' way to a table that several share (master.h): a network lies between.
 *
 * A commit is made by the master, and acknowledged when the replica has it. Its answer may be lost: it is
 * sent again under its token until it is answered, for 30 s; then nobody knows. What was lost with a master
 * is sent again to the next. A room is loaded and written under a fence; another process may take its bucket.
 * Entries of the directory's indexes that lead into a room are written before its commit, and again after a
 * failover; what a reader finds that fits no item is removed, but not within a minute.
 */
#ifndef TESTS_SIM_DISK_ENGINE_H
#define TESTS_SIM_DISK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"
#include "store/store.h"
#include "tests/sim/disk/subscription.h"
#include "tests/support/store_mem.h"

struct ask;
struct engine_commit;
struct engine_late;
struct engine_read;
struct world;

#define SIM_UNFIT 4

struct sim_engine {
	struct world *w;
	struct sim_engine *next;       /* of another process */
	struct engine_commit *commits; /* asked for and not reported, oldest first */
	struct engine_late *late;      /* given up, and on their way still */
	struct engine_read *reads;     /* asked for and not told, oldest first */
	struct sim_subscription subscription;
	struct {
		unsigned scope;
		struct store_fence fence;
		bool is_taken; /* by another process, and this one does not know */
	} fences[128];
	size_t fences_n;
	struct store_mem_entry unfit[SIM_UNFIT]; /* that a reader found, and asks to remove */
	size_t unfit_n;
	int64_t unfit_ms; /* when: by the master's clock the removal comes a moment later */
	int64_t cut_until;     /* mono: nothing of it comes to the master before that, and no answer back */
	int64_t stopped_until; /* mono: the process does nothing before that */
};

/* A process comes to the world's master. */
void engine_begin(struct sim_engine *g, struct world *w);
/* It ends, and with it what it has sent. It may begin to send again. */
void engine_forget(struct sim_engine *g);
/* Send a commit that commit_take() has noted. */
void engine_commit(struct sim_engine *g, const struct effect *fx, struct ask *ask);
/* The fence of a room's load; the bucket is taken before, if need be. None where it is no load of a room as a whole. */
struct store_fence engine_fence_of_load(struct sim_engine *g, const struct store_load *load);
/* As store_load(), store_query(), store_count(). */
void engine_load(struct sim_engine *g, const struct store_load *l, store_items_cb *cb, void *arg);
void engine_query(struct sim_engine *g, const struct store_query *q, store_query_cb *cb, void *arg);
void engine_count(struct sim_engine *g, const struct store_count *c, store_count_cb *cb, void *arg);
/* Another process has taken the bucket of that load. */
void engine_fenced(struct sim_engine *g, const struct store_load *load);
/* Another process, which has no engine, takes the bucket of the room. */
void engine_other_takes(struct world *w, struct slice pk);
/* Whether a commit of the directory was made that has not been acknowledged: reads see it. */
bool engine_is_unsettled(const struct sim_engine *g);

/* Nothing is under way. */
bool engine_is_quiet(const struct sim_engine *g);

/* ---- from the subscription ---- */

/* More was told: what waited for it is answered. */
void engine_on_told(struct sim_engine *g);
/* Since when the first of them waits; INT64_MAX: none does. */
int64_t engine_waits_since(const struct sim_engine *g);

/* ---- from the master ---- */

/* What waits is sent. */
void engine_send_all(struct sim_engine *g);
/* What has waited for too long ends. */
void engine_expire(struct sim_engine *g);
/* The replica begins to be a copy of the master as it is now; it has become one; it is the master. */
void engine_on_copy(struct sim_engine *g);
void engine_on_copied(struct sim_engine *g);
void engine_on_failover(struct sim_engine *g);

/* ---- reads.c, for the engine ---- */

void reads_send(struct sim_engine *g);
void reads_release(struct sim_engine *g);
int64_t reads_wait_since(const struct sim_engine *g);
void reads_forget(struct sim_engine *g);

#endif
