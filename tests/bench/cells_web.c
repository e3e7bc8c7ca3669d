/*
 * cells_web.c - what a guest in a browser costs: a delivery over a WebSocket, as JSON, beside one over
 * TCP. A vote is translated once for all who are sent it, so most of a delivery is the same.
 */
#include "tests/bench/cell.h"

#define DELIVERS(name, kind, rooms, members)                                           \
	{                                                                              \
		name, SERVER_##kind, run_load, {{rooms, members, 1, 1, 0, 0}}, 1, NULL \
	}
#define COMPARES(number, size, rooms, members)                                               \
	{                                                                                    \
		.id = number,                                                                \
		.title = size ", one vote outstanding a room, over WebSockets and over TCP", \
		.contenders = {DELIVERS("aye", AYE, rooms, members),                         \
			       DELIVERS("aye web", AYE_WEB, rooms, members)},                \
		.figures = {FIGURE_DELIVERY_NS, FIGURE_DELIVERIES}, .figures_n = 2,          \
		.targets = {{"CPU per delivery over a WebSocket, of that over TCP",          \
			     FIGURE_DELIVERY_NS, "aye web", "aye", false, 1.5}},             \
	}

const struct cell cells_web[] = {
	COMPARES("22", "20 rooms x 100", 20, 100),
	COMPARES("23", "1 room x 2,000", 1, 2000),
	{0},
};
