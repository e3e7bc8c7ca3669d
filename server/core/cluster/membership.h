/*
 * membership.h - which nodes there are, as one of them sees it, from the lists that it reads.
 *
 * Nodes read the list at different times, so for a second or two they may disagree on who is home
 * of a bucket. That costs pauses, and nothing else: what keeps two homes from one room is the
 * fence in the table (store.h).
 */
#ifndef SERVER_CORE_CLUSTER_MEMBERSHIP_H
#define SERVER_CORE_CLUSTER_MEMBERSHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/server.h"

#define NODES_MAX 256 /* further ones are no home of anything */
/* A node is absent when it is missing from so many lists, one after the other. */
#define NODE_MISSING_LISTS 2

struct member_node {
	struct cluster_node node; /* as the latest list that has it */
	unsigned missing; /* the latest lists that lack it */
	unsigned differs; /* in what it is known to: enum node_difference */
};

struct membership {
	uint64_t self;
	bool is_leaving; /* this node is */
	struct member_node others[NODES_MAX];
	size_t others_n;
	unsigned died; /* nodes that have gone, and had not said that they had left */
	int64_t counted_ms; /* when a list was last taken for one that may lack a node */
	uint64_t living[NODES_MAX + 1]; /* those that may be home */
	size_t living_n;
};

void membership_begin(struct membership *m, uint64_t self);

/*
 * Take a list, read at that time. Return whether the nodes that may be home are others now.
 *
 * @proves_absence  nodes that it lacks count as missing (lease_proves_absence()); a second must
 *                  have passed since the last list that did, so that they could renew their keys.
 */
bool membership_listed(struct membership *m, const struct cluster_node *nodes, size_t n, int64_t boot_ms,
		       bool proves_absence);

/* This node is about to end: it is no home from now on. */
void membership_leave(struct membership *m);

/*
 * Return what is known of another node; NULL if the number is of none that is there, or of this one.
 * Valid until the next list.
 */
const struct cluster_node *membership_node(const struct membership *m, uint64_t number);

/* Return the home of the bucket; 0 if there is none. */
uint64_t membership_home(const struct membership *m, unsigned bucket);

#endif
