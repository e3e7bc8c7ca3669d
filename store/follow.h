/*
 * follow.h - followers of partitions, and the recent commits that they are given.
 *
 * The recent commits are the requests themselves, freed some time after their
 * callbacks: following costs no copy, and at most FOLLOW_RECENT_BYTES_MAX of
 * memory. They are kept before there is a follower, too, because a load and the first
 * follow from its version must miss nothing. What is older is answered with RESET.
 *
 * The server here is the only process of its data, and follows nothing: this is for
 * engines that several servers share. Loop thread only.
 *
 * Life: follows_init() .. follows_finish().
 */
#ifndef STORE_FOLLOW_H
#define STORE_FOLLOW_H

#include "store/store_request.h"

#define FOLLOW_RECENT_MAX       1024
#define FOLLOW_RECENT_BYTES_MAX ((size_t)1 << 20)

struct follows {
	struct store_follow *list;
	struct store_requests recent; /* versions rising */
	size_t bytes;                 /* of them */
	uint64_t floor;   /* commits up to this version are no longer known */
	uint64_t version; /* of the last commit taken */
	bool is_delivering;
};

/* version: of what was there at open. */
void follows_init(struct follows *f, uint64_t version);
void follows_finish(struct follows *f);

/* NULL when memory is out. */
struct store_follow *follows_add(struct follows *f, struct slice pk, uint64_t version, store_follow_cb *cb, void *arg);
void follows_remove(struct follows *f, struct store_follow *follow);

/* Takes over the request of a commit that was written. */
void follows_take(struct follows *f, struct store_request **commit);

/* Run the callbacks of every follower that is behind. */
void follows_deliver(struct follows *f);
/* Whether one is. */
bool follows_are_behind(const struct follows *f);

#endif
