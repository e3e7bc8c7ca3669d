/*
 * membership.c - see membership.h.
 */
#include "server/core/cluster/membership.h"

#include <string.h>

#include "server/core/cluster/lease.h"
#include "server/core/cluster/rendezvous.h"
#include "server/core/server.h"

/* Set the nodes that may be home; returns whether they are others now. */
static bool membership_settle(struct membership *m)
{
	uint64_t before[NODES_MAX + 1];
	const size_t before_n = m->living_n;
	memcpy(before, m->living, before_n * sizeof(before[0]));
	m->living_n = 0;
	if (!m->is_leaving) {
		m->living[m->living_n++] = m->self;
	}
	for (size_t i = 0; i < m->others_n; i++) {
		if (!m->others[i].node.is_leaving) {
			m->living[m->living_n++] = m->others[i].node.number;
		}
	}
	return m->living_n != before_n ||
	       memcmp(m->living, before, before_n * sizeof(before[0])) != 0;
}

void membership_begin(struct membership *m, uint64_t self)
{
	*m = (struct membership){.self = self};
	(void)membership_settle(m);
}

static size_t membership_find(const struct membership *m, uint64_t number)
{
	size_t i = 0;
	while (i < m->others_n && m->others[i].node.number != number) {
		i++;
	}
	return i;
}

const struct cluster_node *membership_node(const struct membership *m, uint64_t number)
{
	size_t at = membership_find(m, number);
	return at < m->others_n ? &m->others[at].node : NULL;
}

static const struct cluster_node *list_find(const struct cluster_node *nodes, size_t n,
					    uint64_t number)
{
	for (size_t i = 0; i < n; i++) {
		if (nodes[i].number == number) {
			return &nodes[i];
		}
	}
	return NULL;
}

/* Those that the list lacks: one more time, or none at all where it proves nothing. */
static void membership_miss(struct membership *m, const struct cluster_node *nodes, size_t n,
			    bool counts, bool proves_absence)
{
	size_t kept = 0;
	for (size_t i = 0; i < m->others_n; i++) {
		struct member_node *node = &m->others[i];
		bool is_missing = list_find(nodes, n, node->node.number) == NULL;
		node->missing = !is_missing || !proves_absence ? 0 : node->missing + counts;
		if (node->missing < NODE_MISSING_LISTS) {
			m->others[kept++] = *node;
		} else {
			m->died += !node->node.has_left;
		}
	}
	m->others_n = kept;
}

bool membership_listed(struct membership *m, const struct cluster_node *nodes, size_t n,
		       int64_t boot_ms, bool proves_absence)
{
	bool counts =
		proves_absence && (m->counted_ms == 0 || boot_ms - m->counted_ms >= LEASE_EVERY_MS);
	m->counted_ms = counts ? boot_ms : m->counted_ms;
	membership_miss(m, nodes, n, counts, proves_absence);
	for (size_t i = 0; i < n; i++) {
		size_t at = membership_find(m, nodes[i].number);
		if (nodes[i].number == m->self || at == NODES_MAX) {
			continue;
		}
		if (at == m->others_n) {
			m->others[m->others_n++] = (struct member_node){.missing = 0};
		}
		m->others[at].node = nodes[i];
	}
	return membership_settle(m);
}

void membership_leave(struct membership *m)
{
	m->is_leaving = true;
	(void)membership_settle(m);
}

uint64_t membership_home(const struct membership *m, unsigned bucket)
{
	return rendezvous_home(m->living, m->living_n, bucket);
}
