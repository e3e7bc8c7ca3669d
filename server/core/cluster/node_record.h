/*
 * node_record.h - what a node says of itself in the list of nodes: a MessagePack map.
 *
 * Nodes of different versions read each other's: fields that a node does not know are passed over,
 * and those that are missing count as not said.
 */
#ifndef SERVER_CORE_CLUSTER_NODE_RECORD_H
#define SERVER_CORE_CLUSTER_NODE_RECORD_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "server/core/server.h"

/* Append what the node says of itself. Errors are those of the buf. */
void node_record_write(const struct cluster_node *node, struct buf *out);

/*
 * Set *out to the node of that number, as it says. Of one that cannot be read only the number is
 * known: it lives all the same. The arena is for what is decoded, and can be reset afterwards.
 */
void node_record_read(uint64_t number, struct slice bytes, struct arena *arena, struct cluster_node *out);

/* Nodes that share a table should be alike in these: a set of bits. */
enum node_difference { NODE_LIMITS = 1, NODE_COMMAND = 2, NODE_PREFACE = 4, NODE_ITEMS = 8 };
/* In which of them the two are not. */
unsigned node_differences(const struct cluster_node *a, const struct cluster_node *b);
/* Return a number that is another one where limits that should be alike differ; above 0. */
int64_t node_limits(const int64_t limits[LIMIT_COUNT]);

#endif
