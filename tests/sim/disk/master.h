/*
 * master.h - where a table that several processes share is: on a master, which is the world's store, with a replica
 * of it.
 *
 * What happens here happens to all processes at once. The master may be away, or be lost with what the replica has
 * not: the replica is the master then. A process knows the master through an engine of its own (engine.h).
 *
 * Its chance is its own, so that seeds without it run as they would.
 */
#ifndef TESTS_SIM_DISK_MASTER_H
#define TESTS_SIM_DISK_MASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"
#include "tests/sim/disk/subscription.h"
#include "tests/sim/world/dice.h"

struct sim_engine;
struct world;

#define MASTER_TIME INT64_C(1700000000000) /* its clock does not jump: this, and the world's mono */
#define SIM_GIVEN   64

struct sim_master {
	bool is_on; /* else the world's store is a disk of one process */
	struct dice dice;
	bool lists_ahead; /* entries that lead into rooms are written before the room's commit */
	unsigned away_permille;
	int64_t step_mono;     /* when it last did something */
	int64_t away_until;    /* mono: nothing is sent or answered before that; 0: it is there */
	struct store *replica; /* NULL: it has all that the master has */
	bool loses_all;	       /* what is answered now is not heard */
	struct {	       /* versions, the latest */
		unsigned scope;
		uint64_t version, serial;
	} given[SIM_GIVEN];
	size_t given_n;		    /* of all that were */
	uint64_t commits;	    /* counts */
	struct sim_number published; /* the last publication */
	bool has_history;	     /* else a new one begins: numbers of before do not compare */
	unsigned moving;	     /* a scope, until then: what is asked of it waits */
	int64_t moving_until;
	struct sim_engine *engines; /* of all processes */
};

/* From now on the world's store is one. */
void master_begin(struct world *w);
/* Before the store does something: false where it does nothing, as it is away. */
bool master_step(struct world *w);
/* While it is away there is not much to see: how much longer a step takes then. */
int64_t master_pause(struct world *w);
bool master_may_fail(struct world *w, unsigned permille);
/* That commit has this version: every version is one commit's, whatever was lost. */
void master_gives(struct world *w, unsigned scope, uint64_t version, uint64_t serial);
/* Whether the scope is on its way to another server. */
bool master_is_moving(const struct world *w, unsigned scope);
/* The replica has all that the master has, and what waits for that is acknowledged. */
void master_is_copied(struct world *w);
/* It begins anew with what the world's store has, and without a replica. */
void master_forget(struct world *w);

#endif
