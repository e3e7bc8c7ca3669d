/*
 * bend.h - planted faults between the server and what it runs on: what it asks for, is told, or may do is another
 * than in the program. Nothing, unless the world has that fault.
 */
#ifndef TESTS_SIM_WORLD_BEND_H
#define TESTS_SIM_WORLD_BEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/sim/world/world.h"

/*
 * A store that leaves out what a commit of the directory is for. What is to be deleted still is in the oracle's
 * own table.
 */
void bend_ops(struct world *w, struct store_op *ops, size_t n);
/* A load, or a commit as well, that names no taking. */
void bend_fences(struct world *w, struct effect *fx);
/* A server that has another time in mind when it looks at a session, or at a room's end: so much earlier or later. */
int64_t bend_time(struct world *w, const struct event *e);
/* A server in which something lasts longer than its limit says. */
void bend_limits(struct world *w, int64_t limits[LIMIT_COUNT]);

/* The node of the turn hears what it has published itself: true where it is told only when the commit is answered. */
bool bend_holds_news(struct world *w, struct slice body);
/* That commit is answered: what it was not told of it, or nothing. */
struct slice bend_held_news(const struct world *w, uint64_t ticket);

#endif
