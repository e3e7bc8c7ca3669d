/*
 * cells_votes.c - what a delivery costs, by how many votes there are to merge.
 *
 * Closed loops: the server always has something to do. `direct` is what one
 * write() per member per vote costs, `log` what a shared log with one flush a
 * turn makes of it; neither knows anything of votes, and neither they nor the
 * peers put anything on a disk. aye does, for every vote.
 */
#include "tests/bench/cell.h"

#define EVERYBODY(rooms, members, publishers, outstanding)                                  \
	{                                                                                   \
		CONTENDER("direct", DIRECT, rooms, members, publishers, outstanding),       \
			CONTENDER("log", LOG, rooms, members, publishers, outstanding),     \
			CONTENDER("aye", AYE, rooms, members, publishers, outstanding),     \
			CONTENDER("redis", REDIS, rooms, members, publishers, outstanding), \
			CONTENDER("nats", NATS, rooms, members, publishers, outstanding),   \
			CONTENDER("mosquitto", MOSQUITTO, rooms, members, publishers,       \
				  outstanding),                                             \
	}
#define CONTENDER(name, kind, rooms, members, publishers, outstanding)                            \
	{                                                                                         \
		name, SERVER_##kind, run_load, {{rooms, members, publishers, outstanding, 0, 0}}, \
			1, NULL                                                                   \
	}
#define SHOWN                                                       \
	{                                                           \
		FIGURE_DELIVERY_NS, FIGURE_DELIVERIES, FIGURE_VOTES \
	}
#define CPU_TARGET(what, value)                                         \
	{                                                               \
		what, FIGURE_DELIVERY_NS, "aye", "direct", false, value \
	}

const struct cell cells_votes[] = {
	{"1",
	 "20 rooms x 100, one vote outstanding a room",
	 EVERYBODY(20, 100, 1, 1),
	 SHOWN,
	 3,
	 {CPU_TARGET("CPU per delivery", 1.05)}},
	{"2",
	 "200 rooms x 10, one vote outstanding a room",
	 EVERYBODY(200, 10, 1, 1),
	 SHOWN,
	 3,
	 {CPU_TARGET("CPU per delivery", 1.20)}},
	{"3",
	 "200 rooms x 10, all ten vote at once",
	 EVERYBODY(200, 10, 10, 1),
	 SHOWN,
	 3,
	 {CPU_TARGET("CPU per delivery", 0.35),
	  CPU_TARGET("CPU per delivery, updates of a seat merged", 0.20)}},
	{"4",
	 "20 rooms x 100, 16 votes outstanding a room",
	 EVERYBODY(20, 100, 1, 16),
	 SHOWN,
	 3,
	 {CPU_TARGET("CPU per delivery", 0.12)}},
	{0},
};
