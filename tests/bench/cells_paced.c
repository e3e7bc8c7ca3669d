/*
 * cells_paced.c - how long a vote takes to be seen while the server has time.
 *
 * Open loops: votes are due at even times; latency counts from then.
 */
#include "tests/bench/cell.h"

#define SMALL                          \
	{                              \
		200, 10, 1, 0, 2000, 0 \
	}
#define LARGE                        \
	{                            \
		1, 2000, 1, 0, 20, 0 \
	}
#define ALONE(name, kind)                                       \
	{                                                       \
		name, SERVER_##kind, run_load, {SMALL}, 1, NULL \
	}
#define BESIDE(name, kind)                                             \
	{                                                              \
		name, SERVER_##kind, run_load, {SMALL, LARGE}, 2, NULL \
	}
#define SHOWN                                                              \
	{                                                                  \
		FIGURE_P50_US, FIGURE_P99_US, FIGURE_P999_US, FIGURE_VOTES \
	}

const struct cell cells_paced[] = {
	{"5",
	 "1 room x 2,000 at 20 votes/s beside 200 x 10 at 2,000/s; the small rooms' times",
	 {ALONE("aye alone", AYE), BESIDE("aye", AYE), ALONE("redis alone", REDIS),
	  BESIDE("redis", REDIS), ALONE("nats alone", NATS), BESIDE("nats", NATS),
	  ALONE("mosquitto alone", MOSQUITTO), BESIDE("mosquitto", MOSQUITTO)},
	 SHOWN,
	 4,
	 {{"p99 of the small rooms", FIGURE_P99_US, "aye", "aye alone", false, 3}}},
	{"6",
	 "200 rooms x 10 at 2,000 votes/s",
	 {ALONE("direct", DIRECT), ALONE("log", LOG), ALONE("aye", AYE), ALONE("redis", REDIS),
	  ALONE("nats", NATS), ALONE("mosquitto", MOSQUITTO)},
	 SHOWN,
	 4,
	 {{"p50 vote to update, durable", FIGURE_P50_US, "aye", "direct", false, 3}}},
	{0},
};
