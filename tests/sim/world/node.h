/*
 * node.h - a process: a server, and what its shell keeps for it. Mostly there is one; see cluster.h.
 */
#ifndef TESTS_SIM_WORLD_NODE_H
#define TESTS_SIM_WORLD_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"
#include "tests/sim/disk/engine.h"
#include "tests/sim/sizes.h"

struct sim_node {
	struct server *server;
	uint64_t life;		  /* counts servers */
	struct sim_engine engine; /* its way to the master, where the store is one */
	struct effects fx;
	bool must_crash;  /* the store is broken by ERR_UNKNOWN: a shell would stop the process; or it is to end just here */
	bool is_stopping; /* EVENT_STOP was given */
	int64_t stop_mono;
	bool is_shared; /* this life of the server */
	struct sim_share {
		struct conn_id conn;
		uint64_t ticket;
		bool has_address;
	} shares[SIM_SHARES_MAX]; /* FX_SHARE that wait for the end of the turn */
	size_t shares_n;
	uint64_t commands[SIM_COMMANDS_MAX]; /* FX_COMMANDs that wait likewise: their tickets */
	size_t commands_n;
	struct {
		uint64_t ticket;
		enum err e;
	} refused[64]; /* commits the store did not take */
	size_t refused_n;

	/* one of several: cluster.h */
	uint64_t number;      /* of this life */
	int64_t down_until;   /* without a server: mono, when the next one starts */
	int64_t renewed_mono; /* when the last renewal that was answered, and the last list, were sent */
	int64_t listed_mono;
	uint64_t published; /* number of the last publication that its server was told */
	int64_t gap_mono; /* when it was last told that it may have missed publications */
	int64_t away_mono; /* when it last could not reach the table */
	int64_t slept_ms; /* a planted fault: by so much the clock of its lease is behind */
	struct sim_asked *asked; /* oldest first */
	struct sim_answer *answers;
};

#endif
