/*
 * room_bucket.h - the rooms of one bucket at one node, from taking it to leaving it.
 *
 *   FREE --a room is asked for--> TAKING --taken--> HELD --its home is another,--> LEAVING
 *    ^  ^                          |                       or it was lost            |
 *    |  +----------failed----------+                                                 |
 *    |                                                                        no room in memory
 *    +<-----answered------ GIVING_UP <---- it was not lost ---------------------------+
 *    +<------------------------------------it was lost--------------------------------+
 *
 * A bucket is taken under a fence (store.h), and nothing of it is loaded before. Every load and
 * commit of its rooms names the fence. If one is refused with ERR_FENCED, another node has taken
 * the bucket: it is lost. It is not taken again before a list was read, which says whose it is.
 *
 * A bucket that is left takes no more requests. Each of its rooms stays until the commit that is
 * on its way is answered; then its subscribers' connections end, so that they come back to the
 * new home, and the room is forgotten. They end sooner where that takes longer than a lease, or
 * the bucket is lost: what waits to be sent to them may be older than what the new home has.
 */
#ifndef SERVER_CORE_CLUSTER_ROOM_BUCKET_H
#define SERVER_CORE_CLUSTER_ROOM_BUCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/core/ticket.h"
#include "store/store.h"

struct cluster_node;
struct event;
struct fault;
struct partition;
struct server;

enum room_bucket_state {
	BUCKET_FREE,      /* not this node's: no room of it is in memory */
	BUCKET_TAKING,    /* its rooms wait */
	BUCKET_HELD,      /* has a fence */
	BUCKET_LEAVING,   /* in cluster->leaving */
	BUCKET_GIVING_UP, /* no room of it is in memory any more */
};

struct room_bucket {
	unsigned char state; /* enum room_bucket_state */
	bool is_lost;        /* LEAVING: another node has taken it */
	bool is_checked;     /* HELD: waits for the result of room_bucket_check() */
	bool was_in_flight;  /* a commit was on its way when the check was sent */
	struct store_fence fence;
	uint64_t version;         /* the last that this node was answered */
	uint64_t checked_version; /* the same when the check was sent */
	int64_t lost_ms;          /* when it was lost, on the clock of the lease; 0: never */
	int64_t left_ms;          /* LEAVING: since when, likewise */
	struct partition *partitions; /* utlist by bucket_next */
	struct ticket ticket;         /* of the taking, the check, or the giving up */
	struct room_bucket *next, *prev;
};

/*
 * Return the node that is home of the room; NULL if it is this one, or there is none. Valid until
 * the next list.
 */
const struct cluster_node *room_bucket_home(struct server *s, const char *room_id);
/*
 * Fill in ELSEWHERE for a room of which another node is home; borrows room_id, and until the next
 * list the address that this node announces.
 */
void room_bucket_elsewhere(struct server *s, const char *room_id, struct fault *fault);
#define ROOM_ELSEWHERE "another server has this room now; connect again"

/* Return the bucket of a room; NULL if this server is alone, or it is the code of no room. */
struct room_bucket *room_bucket_of(struct server *s, const char *room_id);
/* Return whether rooms of the bucket may be in memory here: it is held, or may be taken. */
bool room_bucket_is_here(const struct server *s, const struct room_bucket *b);
/*
 * Take the bucket if it is FREE. The rooms of it that wait are loaded then, or given up. Returns
 * false if it cannot be taken, or memory is out.
 */
bool room_bucket_take(struct server *s, struct room_bucket *b);
/* A load or a commit of the bucket was answered with this version. */
void room_bucket_answered(struct room_bucket *b, uint64_t version);
/* Another node has taken the bucket. */
void room_bucket_lose(struct server *s, struct room_bucket *b);
/* Leave the bucket as soon as its rooms allow; nothing if it is not HELD. */
void room_bucket_leave(struct server *s, struct room_bucket *b);
/* Go on with leaving it. */
void room_bucket_go_on_leaving(struct server *s, struct room_bucket *b);
/*
 * Ask whether the bucket still has the fence, and which version it has; cluster_checked() is
 * called when that is known. Returns false if there is nothing to ask for.
 */
bool room_bucket_check(struct server *s, struct room_bucket *b);
/* The answer to the bucket's ticket. */
void room_bucket_done(struct server *s, struct room_bucket *b, const struct event *e);

#endif
