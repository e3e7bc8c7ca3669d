/*
 * rendezvous.h - which node is home of a bucket of rooms.
 *
 * Every node has a weight in every bucket, and the heaviest of those that live is its home. So
 * all nodes that know of the same ones agree without asking each other, each gets an equal share,
 * and when a node comes or goes, no bucket moves except to it or from it.
 */
#ifndef SERVER_CORE_CLUSTER_RENDEZVOUS_H
#define SERVER_CORE_CLUSTER_RENDEZVOUS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Return the home of the bucket: one of these nodes, in whatever order they stand; 0 if there are
 * none. Nodes of different versions must agree: the result never changes.
 */
uint64_t rendezvous_home(const uint64_t *nodes, size_t n, unsigned bucket);

#endif
