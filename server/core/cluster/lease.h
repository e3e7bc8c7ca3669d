/*
 * lease.h - how long a node may answer and send.
 *
 * A node renews its key in the table and reads the list of nodes, each once a second. Its key
 * lives for NODE_LIFE_MS after it was renewed; where it is gone, other nodes take the node's
 * rooms. The node itself must be silent by then, so it may go on only for LEASE_MS from when it
 * *sent* the last renewal that was answered. It is the same with the list: by it the node sees
 * that another one is home of its rooms now.
 *
 * All times are those of a clock that goes on while the process is stopped and the machine
 * sleeps (struct clocks, boot_ms).
 */
#ifndef SERVER_CORE_CLUSTER_LEASE_H
#define SERVER_CORE_CLUSTER_LEASE_H

#include <stdbool.h>
#include <stdint.h>

#define NODE_LIFE_MS   5000
#define LEASE_MS       3500
#define LEASE_EVERY_MS 1000 /* from one renewal, or list, to the next */
/* so long after a renewal failed, no other node counts as absent */
#define LEASE_REST_MS  3000

/* A request that is made each second: one at a time, so a late answer delays the next. */
struct lease_round {
	bool is_sent;     /* and not answered */
	int64_t sent_ms;  /* when the last one was sent */
	int64_t good_ms;  /* when the last one that succeeded was sent; 0: none has */
};

struct lease {
	struct lease_round renewal;
	struct lease_round list;
	int64_t failed_ms; /* when a renewal last failed, or was found to be late */
};

/* Return whether it is time to send the next one; when that is, if none is under way. */
bool lease_round_is_due(const struct lease_round *r, int64_t boot_ms);
int64_t lease_round_due_ms(const struct lease_round *r);
void lease_round_sent(struct lease_round *r, int64_t boot_ms);
void lease_round_answered(struct lease_round *r, bool is_good);

/*
 * A renewal was answered. It has failed, too, if the key had lapsed: then others may have seen
 * the node as absent; or all keys were lost, and others have not renewed theirs yet.
 */
void lease_renewed(struct lease *l, bool is_good, bool is_lapsed, int64_t boot_ms);

bool lease_is_fresh(const struct lease *l, int64_t boot_ms);

/*
 * Return whether a node that is not in the list just read may be absent: this node has renewed
 * its own key without trouble for LEASE_REST_MS. After a failover the keys of all nodes are gone,
 * and the first that is back would take everything.
 */
bool lease_proves_absence(const struct lease *l, int64_t boot_ms);

#endif
