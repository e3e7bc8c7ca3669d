/*
 * engine.h - an engine that several processes share, between the server and the table: what lies between
 * them is a network, and the table is on a master that has a replica.
 *
 * A commit is made by the master, and acknowledged when the replica has it. Its answer may be lost: it is
 * sent again under its token until it is answered, for 30 s; then nobody knows. The master may be away, or
 * be lost with what the replica has not: that is sent again to the replica, which is the master then. A room is
 * loaded and written under a fence; another process may take its bucket.
 *
 * Its chance is its own, so that seeds without it run as they would.
 */
#ifndef TESTS_SIM_DISK_ENGINE_H
#define TESTS_SIM_DISK_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"
#include "store/store.h"
#include "tests/sim/world/dice.h"

struct ask;
struct engine_commit;
struct world;

#define SIM_GIVEN 64

struct sim_engine {
	bool is_on;
	struct dice dice;
	struct engine_commit *commits; /* asked for and not reported, oldest first */
	int64_t away_until;	       /* mono: nothing is sent or answered before that; 0: it is there */
	struct store *replica;	       /* NULL: it has all that the master has */
	bool loses_all;		       /* what is answered now is not heard */
	struct {
		unsigned scope;
		struct store_fence fence;
		bool is_taken; /* by another process, and the server does not know */
	} fences[128];
	size_t fences_n;
	struct { /* versions, the latest */
		unsigned scope;
		uint64_t version, ticket;
	} given[SIM_GIVEN];
	size_t given_n; /* of all that were */
};

/* From now on the world's store is behind one. */
void engine_begin(struct world *w);
/* Before the store does something: false where it does nothing, as it is away. */
bool engine_step(struct world *w);
/* While it is away there is not much to see: how much longer a step takes then. */
int64_t engine_pause(struct world *w);
/* Send a commit that commit_take() has noted. */
void engine_commit(struct world *w, const struct effect *fx, struct ask *ask);
/* The fence of a room's load; the bucket is taken before, if need be. None where it is no load of a room as a whole. */
struct store_fence engine_fence_of_load(struct world *w, const struct store_load *load);
/* Whether a commit of the directory was made that has not been acknowledged: reads see it. */
bool engine_is_unsettled(const struct world *w);
/* Another process has taken the bucket of that load. */
void engine_fenced(struct world *w, const struct store_load *load);
/* Another process takes the bucket of the room. */
void engine_other_takes(struct world *w, struct slice pk);
/* The server ends, and with it what it has sent. */
void engine_forget(struct world *w);

#endif
