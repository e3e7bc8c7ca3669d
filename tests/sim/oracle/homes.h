/*
 * homes.h - what holds of several nodes on one table: a node whose lease is over is silent, what
 * a node shows of a room is not older than a lease, and when all is quiet a room is in the memory of its home
 * alone.
 */
#ifndef TESTS_SIM_ORACLE_HOMES_H
#define TESTS_SIM_ORACLE_HOMES_H

#include <stdint.h>

struct conn;
struct rpc_message;
struct sim_commit;
struct world;

/* A commit was made of that state of its room: what other nodes have of the room is old from now on. */
void homes_commit(struct world *w, const struct sim_commit *c);
/* A frame leaves. */
void homes_leaves(struct world *w, const struct conn *c, const struct rpc_message *m);
/* An update of the room in that epoch has left. */
void homes_shows(struct world *w, const struct conn *c, int room, int64_t epoch);
/* All is quiet. */
void homes_settled(struct world *w);

#endif
