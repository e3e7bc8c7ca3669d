/*
 * cells_connect.c - what it costs that somebody comes in.
 *
 * Each connection has a room to itself, made before: with others in the room,
 * what they are told would be counted as a cost of connecting. Nobody waits for
 * more than their protocol asks for: nats for the server's INFO, the others only
 * for their answers.
 */
#include "tests/bench/cell.h"

#define COMES_IN(name, kind)                                                     \
	{                                                                        \
		name, SERVER_##kind, run_joins, {{2000, 1, 0, 0, 0, 0}}, 1, NULL \
	}

const struct cell cells_connect[] = {
	{"10",
	 "2,000 connections: connect; hello, subscribe, join (durable) in one write",
	 {COMES_IN("direct", DIRECT), COMES_IN("aye", AYE), COMES_IN("redis", REDIS),
	  COMES_IN("nats", NATS), COMES_IN("mosquitto", MOSQUITTO)},
	 {FIGURE_CONNECT_US, FIGURE_CONNECTS},
	 2,
	 {{"CPU per connect", FIGURE_CONNECT_US, "aye", "direct", false, 2.0},
	  {"connects/s", FIGURE_CONNECTS, "aye", "redis", true, 1.0}}},
	{0},
};
