/*
 * cells_web.c - what a guest in a browser costs: a delivery over a WebSocket, as JSON, beside one over
 * TCP. A vote is translated once for all who are sent it, so most of a delivery is the same.
 */
#include "tests/bench/cell.h"

#define DELIVERS(name, kind, ...)                                       \
	{                                                               \
		name, SERVER_##kind, run_load, {{__VA_ARGS__}}, 1, NULL \
	}

const struct cell cells_web[] = {
	{"22",
	 "20 rooms x 100, one vote outstanding a room, over WebSockets and over TCP",
	 {DELIVERS("aye", AYE, 20, 100, 1, 1, 0, 0),
	  DELIVERS("aye web", AYE_WEB, 20, 100, 1, 1, 0, 0)},
	 {FIGURE_DELIVERY_NS, FIGURE_DELIVERIES},
	 2,
	 {{"CPU per delivery over a WebSocket, of that over TCP", FIGURE_DELIVERY_NS, "aye web",
	   "aye", false, 1.5}}},
	{"23",
	 "one room x 2,000, one vote outstanding, over WebSockets and over TCP",
	 {DELIVERS("aye", AYE, 1, 2000, 1, 1, 0, 0),
	  DELIVERS("aye web", AYE_WEB, 1, 2000, 1, 1, 0, 0)},
	 {FIGURE_DELIVERY_NS, FIGURE_DELIVERIES},
	 2,
	 {{"CPU per delivery over a WebSocket, of that over TCP", FIGURE_DELIVERY_NS, "aye web",
	   "aye", false, 1.5}}},
	{0},
};
