/*
 * store_request.h - one accepted call of store.h, from the call to its callback.
 *
 * The inputs are copied into the same allocation as the struct. The loop thread creates it, the
 * engine fills in the result, the loop thread runs the callback and frees it. It belongs to one
 * thread at a time and needs no lock.
 *
 * Life: store_request_of_*() .. store_request_destroy().
 */
#ifndef STORE_STORE_REQUEST_H
#define STORE_STORE_REQUEST_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "store/store.h"

enum store_request_kind {
	STORE_REQUEST_LOAD,
	STORE_REQUEST_QUERY,
	STORE_REQUEST_COUNT,
	STORE_REQUEST_PARTITIONS, /* its callback is that of a query */
	STORE_REQUEST_CHECK,
	STORE_REQUEST_COMMIT,
	STORE_REQUEST_TAKE,
	STORE_REQUEST_RENEW,
	STORE_REQUEST_NODES,
	/* made by the engine, not by a call: `published` and `commit.publish` alone are set */
	STORE_REQUEST_PUBLICATION
};

/* Items that a load or a query found, copied out of the engine. Life: a zeroed struct .. store_found_finish(). */
struct store_found {
	struct buf bytes; /* PK, SK, value of each item, one after the other */
	struct store_item *items;
	size_t n;
	size_t capacity;
	struct slice next; /* of a query */
	bool has_more;     /* of a load */
	bool is_partial;   /* of a query */
	uint64_t version;
};

union store_request_cb {
	store_items_cb *load;
	store_query_cb *query;
	store_count_cb *count;
	store_check_cb *check;
	store_commit_cb *commit;
	store_take_cb *take;
	store_renew_cb *renew;
	store_nodes_cb *nodes;
};

struct store_request {
	struct store_request *next;
	enum store_request_kind kind;
	size_t bytes; /* of this whole allocation */
	union store_request_cb cb;
	void *arg;
	union {
		struct store_load load;
		struct store_query query;
		struct store_count count;
		struct slice cursor; /* of a check or a part of the partitions */
		struct store_commit commit;
		struct store_take take;
		struct store_renewal renewal;
	};

	/* The result. */
	enum err result;
	/* load, query, nodes; of a check only `bytes`: the cursor, then the lines */
	struct store_found found;
	size_t counted;
	struct store_checked checked; /* its slices are set last */
	uint64_t version; /* commit, take; of a renewal, `since` */
	struct store_fence had; /* take */
	bool is_written; /* written by this request: not refused, and not the repeat of a token */
	uint64_t published; /* number of the publication that comes with it; 0: none */
};

/* Create a request; NULL when memory is out. The preconditions of store.h are asserted. */
struct store_request *store_request_of_load(const struct store_load *l);
struct store_request *store_request_of_query(const struct store_query *q);
struct store_request *store_request_of_count(const struct store_count *c);
struct store_request *store_request_of_partitions(struct slice cursor);
struct store_request *store_request_of_check(struct slice cursor);
struct store_request *store_request_of_take(const struct store_take *t);
struct store_request *store_request_of_renewal(const struct store_renewal *r);
struct store_request *store_request_of_nodes(void);
struct store_request *store_request_of_publication(uint64_t number, struct slice body);

/*
 * Create a commit request. Asserts the preconditions of store.h: one room or the directory, valid
 * keys of known kinds and, with ASSERT_SLOW, values that decode. The arena is used to decode
 * them, and is reset.
 *
 * ERR_NOMEM  *out is untouched.
 */
NODISCARD enum err store_request_of_commit(const struct store_commit *c, struct arena *arena, struct store_request **out);

void store_request_destroy(struct store_request *w);

/* Return whether all bytes are zero. */
bool store_token_is_none(const struct store_token *t);
bool store_fence_is_none(const struct store_fence *f);

/* Add an item. ERR_NOMEM, also for more data than a partition can have. */
NODISCARD enum err store_found_add(struct store_found *f, struct slice pk, struct slice sk, struct slice value,
			     uint64_t version);
/* Set the cursor of the next part, after the last item; there may be none. Empty: there is no more. ERR_NOMEM. */
NODISCARD enum err store_found_next(struct store_found *f, struct slice next);
/* Set the pointers of the items: call once, after all of these. */
void store_found_settle(struct store_found *f);
void store_found_finish(struct store_found *f);

/* A queue, first in, first out. */
struct store_requests {
	struct store_request *first;
	struct store_request *last;
	size_t n;
};
void store_requests_push(struct store_requests *q, struct store_request *w);
struct store_request *store_requests_pop(struct store_requests *q);
/* Move everything to the end of another queue. */
void store_requests_move(struct store_requests *from, struct store_requests *to);

#endif
