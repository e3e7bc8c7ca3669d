/*
 * cluster.h - the scene of table.h at a server that is a node of a cluster: ada and bob are in a
 * room whose bucket it has taken. There is no other node yet.
 */
#ifndef TESTS_UNIT_SERVER_CLUSTER_H
#define TESTS_UNIT_SERVER_CLUSTER_H

#include "tests/unit/server/table.h"

static inline int cluster_lay(void **state)
{
	struct table *t = scene_init(state, sizeof(*t));
	t->r.config.node = RIG_NODE;
	strcpy(t->r.config.node_address, "10.0.0.1:7000");
	strcpy(t->r.config.node_announce, "tls://ayed1:7433");
	return table_begin(t);
}

#define CLUSTER_TEST(name, t) TEST_IN(name, struct table, t, cluster_lay, scene_clear)

/* The table answers nothing for so long. */
static inline void cut_for(struct table *t, int64_t ms)
{
	rig_hold(&t->r);
	rig_advance(&t->r, ms);
}

/* Another node comes that is home of the room, and the server has read so. */
static inline uint64_t rival_comes(struct table *t)
{
	uint64_t rival = rig_rival(&t->r);
	rig_node(&t->r, rival, false);
	rig_advance(&t->r, 2000);
	return rival;
}

#endif
