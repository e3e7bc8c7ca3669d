/*
 * cluster.h - this server as one of several nodes that share a table.
 *
 * Each bucket of rooms has one home among the nodes, and only there are its rooms in memory
 * (room_bucket.h). A node renews its key, reads the list of nodes (lease.h, membership.h), and answers
 * and sends only while its lease is fresh. Else it is frozen:
 *
 *   fresh --the lease ends, or its key had lapsed--> frozen --fresh again--> checking --all the same--> fresh
 *                                                      |                        |
 *                                                      +<---the lease ends------+
 *
 *   frozen      Nothing leaves, no room does anything by itself, and nothing is forgotten.
 *               Requests wait in their connections, for FROZEN_WAIT_MS; then they are refused.
 *   checking    Likewise, until it is known of each bucket whether another node has taken it, or
 *               a failover of the table has lost a commit of it. Rooms of the one are left, of
 *               the other loaded again; all others go on, with presence and countdown.
 *
 * Without a node number in the config there is no struct cluster, and nothing of this happens.
 */
#ifndef SERVER_CORE_CLUSTER_CLUSTER_H
#define SERVER_CORE_CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/cluster/room_bucket.h"
#include "server/core/cluster/lease.h"
#include "server/core/cluster/membership.h"
#include "proto/base/slice.h"
#include "server/core/ticket.h"
#include "store/items.h"

struct event;
struct request;
struct server;

/* So long after it was frozen a node refuses the requests that wait, and all further ones. */
#define FROZEN_WAIT_MS 10000
#define FROZEN_REFUSAL "this server cannot reach its table; try again"

struct cluster {
	struct lease lease;
	struct membership members;
	struct cluster_node self;
	struct ticket renewal;
	struct ticket list;
	int64_t frozen_ms; /* on the clock of the lease */
	int64_t thawed_mono; /* when it last thawed; 0: never yet */
	bool is_checking;
	size_t checks_n;   /* buckets that wait for the result */
	struct room_bucket *leaving; /* utlist: those that are left as soon as their rooms allow */
	struct room_bucket buckets[ITEM_BUCKETS];
};

/* The node is the config's. ERR_NOMEM leaves s->cluster NULL. */
NODISCARD enum err cluster_create(struct server *s);
void cluster_destroy(struct server *s);

/* At the beginning of each step and turn: freeze the server if its lease has ended. */
void cluster_look(struct server *s);
/* Renew, and read the list, when it is time. */
void cluster_tick(struct server *s);
/* At the end of a turn: leave what can be left. */
void cluster_turn(struct server *s);
/* Return when cluster_tick() has something to do, on the monotonic clock. */
int64_t cluster_deadline(const struct server *s);

void cluster_renewed(struct server *s, const struct event *e);
void cluster_listed(struct server *s, const struct event *e);
/* Read the list now: something shows that it is another one than the last. */
void cluster_list_soon(struct server *s);
/* Return whether this node is home of the room, as far as it knows. */
bool cluster_is_home(const struct server *s, struct slice room_id);
/* Return whether there are other nodes, as far as it knows. */
bool cluster_has_others(const struct server *s);
/* The result of one check is there. */
void cluster_checked(struct server *s);

/*
 * The server is about to end: leave all buckets. Then cluster_has_left(), once they are left, what
 * their rooms had for other nodes is published, and the list says so; a frozen server waits for no
 * list. Where a node goes without having said so, the others read again (news_lost()).
 */
void cluster_leave(struct server *s);
bool cluster_has_left(const struct server *s);

/*
 * Refuse a request of a server that has been frozen for long. The refusal leaves at once if nothing
 * else waits to be sent to the connection; else the connection is closed, and sent nothing more.
 */
void cluster_refuse(struct server *s, const struct request *rq);

#endif
