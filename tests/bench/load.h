/*
 * load.h - many members in many rooms, and what they see.
 *
 * A load runs in a process of its own, on a core of its own, with one socket
 * for each member. It makes the rooms, connects and joins everybody, waits
 * until all is quiet, lets the members vote, and looks at the clock and at the
 * server's CPU time at the beginning and at the end of a window in between.
 * Then it waits until every vote has reached everybody, and counts.
 *
 * What is counted
 * - A delivery is one member having seen one vote. Where a server merges votes
 *   into one message (aye: an update from `since` to `version`), each version
 *   in it is one delivery: versions are counted, not frames.
 * - A vote is under way until every member of its room has seen it, its voter
 *   included, and the voter has been answered where the server answers.
 * - Lost and duplicate deliveries are counted for each member by the votes'
 *   numbers. Either makes the run a failed one.
 *
 * How votes are cast
 * - Closed loop (rate 0): a room with one publisher keeps `outstanding` votes
 *   under way. With several publishers, each casts `outstanding` votes at once,
 *   and again when everybody has seen all of them: everybody votes.
 * - Open loop (rate > 0): votes are due at even times, whatever the server does,
 *   room after room. Latency is from the time a vote was due to the time a
 *   member has read it, one sample a delivery, so that a server that stops for a
 *   while is not spared the votes that it kept from being sent.
 */
#ifndef TESTS_BENCH_LOAD_H
#define TESTS_BENCH_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tests/bench/dialect.h"
#include "tests/bench/stats.h"

#define LOAD_GROUPS_MAX	  2
#define LOAD_STORES_MAX	  6
#define LOAD_PENDING_MAX  512 /* votes under way in one room; an open loop beyond it has failed */
#define LOAD_WHY_BYTES	  256
#define LOAD_PATIENCE_MS  15000 /* without any progress, in any phase */

/* Rooms that are all alike. */
struct load_group {
	uint32_t rooms;
	uint32_t members;     /* of each room */
	uint32_t publishers;  /* of them, who vote; 0: the room is idle */
	uint32_t outstanding; /* closed loop: at most LOAD_PENDING_MAX / publishers */
	double rate;	      /* open loop: votes a second of all the group's rooms together */
	uint32_t deaf;	      /* members of each room, the last ones, who read nothing any more once all have joined */
};

struct load_spec {
	const struct dialect *dialect;
	struct load_group groups[LOAD_GROUPS_MAX];
	size_t groups_n;
	uint32_t opening; /* connections that set up at the same time; 0: 64 */
	uint32_t flood;	  /* so many times all publishers vote at once, before all others */
	double warm_s;	  /* votes before the window */
	double window_s;  /* 0: nobody votes; everybody connects, joins and stays */
	int port;	  /* on loopback */
	const int *ports; /* NULL, or of each room: where a cluster has it */
	bool is_tls;
	pid_t server;
	/* Servers of Redis besides, such as the one that has the server's table: their CPU is the server's, too. */
	pid_t stores[LOAD_STORES_MAX];
	size_t stores_n;
	const volatile uint64_t *counted; /* NULL, or a number that others count up */
};

struct load_group_result {
	uint64_t votes;	     /* seen by everybody within the window */
	uint64_t deliveries; /* within the window */
	struct quantiles latency_ns; /* open loop: of votes due within the window */
};

struct load_result {
	bool is_done;		  /* otherwise `why` says what went wrong */
	char why[LOAD_WHY_BYTES];

	/* Connecting everybody, rooms being there already. */
	uint64_t connects;
	double connect_s;
	uint64_t connect_cpu_ns; /* the server's */
	uint64_t rss_before;	 /* the server's, before anybody but the maker of the rooms connected */
	uint64_t rss_joined;	 /* and when everybody has joined and all is quiet */
	uint64_t rss_voted;	 /* and at the window's end */

	/* The window. */
	struct load_group_result groups[LOAD_GROUPS_MAX];
	double window_s;
	uint64_t window_cpu_ns; /* the server's */
	uint64_t window_store_ns; /* of it the stores' */
	uint64_t window_counted; /* how much spec's `counted` grew */
	double others[2];	/* what others used of each core, 0 to 1; where nobody votes, while connecting */
	double ours[2];		/* and the server and the load themselves: near 1, it is what holds up the other */

	/* All votes, of warming up and of the window. */
	uint64_t deliveries;
	uint64_t lost;
	uint64_t duplicates;
	uint64_t fulls; /* members that fell so far behind that they were sent everything anew */
};

/*
 * Run the load to its end and fill *out (zeroed before). False where it could
 * not be run, or members did not see each vote exactly once: out->why.
 */
bool load_run(const struct load_spec *spec, struct load_result *out);

#endif
