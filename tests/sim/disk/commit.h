/*
 * commit.h - commits between the server and the disk, and what is compared
 * when they arrive, fail, or are cut short by a crash.
 */
#ifndef TESTS_SIM_DISK_COMMIT_H
#define TESTS_SIM_DISK_COMMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "server/core/server.h"
#include "store/store.h"
#include "tests/sim/net/view.h"

struct sim_node;
struct world;

/* A commit between the server and the disk. */
struct sim_commit {
	uint64_t ticket;
	struct sim_node *node; /* that asked for it, in that life */
	uint64_t life;
	bool is_made; /* it has been noted as durable */
	unsigned asked_step; /* when the server first asked for it */
	uint64_t sequence;
	int room;
	struct store_fence fence; /* of a cluster: its node's taking of the room's bucket */
	struct store_op *ops;
	size_t n;
	char *bytes; /* what the ops point into */
	struct slice publish;
	struct view state; /* the room when it was taken */
	bool has_state;
	bool is_dropped; /* a planted fault */
	bool is_told_late; /* likewise: what it publishes is told when it is answered */
	bool is_busy;    /* the store had no room: it will come again */
	struct sim_commit *next;
};

/* It has been asked for; valid until it is settled. */
struct sim_commit *commit_take(struct world *w, const struct effect *fx);
/* Nobody knows whether it was made, but for the store. */
void commit_unknown(struct world *w, uint64_t ticket, bool is_made);
void commit_settle(struct world *w, uint64_t ticket, enum err e);
/*
 * Of several nodes on one table others see a commit as soon as it is made: it is durable from then on. It may be settled
 * later, or never, as its node has ended.
 */
void commit_made(struct world *w, struct sim_commit *c);
/* Its node has ended. */
void commit_drop(struct world *w, struct sim_commit *c);
void commit_forget(struct world *w);
/* Whether the disk that a crash left holds everything that was reported durable. */
void commit_recover(struct world *w, struct store *store);

/* ---- another process: conflict.c ---- */

/* It writes every room that is there. */
void conflict_happens(struct world *w);
/* What the server is told of a room's commit: the outcome, but for planted faults. */
enum err conflict_bend(struct world *w, uint64_t ticket, enum err e);

#endif
