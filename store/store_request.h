/*
 * store_request.h - one accepted call of store.h, from the call to its callback.
 *
 * The inputs are copied into one piece of memory with the struct. The loop
 * thread creates it, the engine fills in the result, the loop thread runs the
 * callback and frees it: it belongs to one thread at a time, and needs no lock of
 * its own.
 *
 * Life: store_request_of_*() .. store_request_destroy().
 */
#ifndef STORE_STORE_REQUEST_H
#define STORE_STORE_REQUEST_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "store/store.h"

enum store_request_kind { STORE_REQUEST_LOAD, STORE_REQUEST_QUERY, STORE_REQUEST_COUNT, STORE_REQUEST_CHECK, STORE_REQUEST_COMMIT };

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
		struct slice check; /* the cursor */
		struct store_commit commit;
	};

	/* The result. */
	enum err result;
	struct store_found found; /* load, query; of a check the bytes: of the cursor, then the lines */
	size_t counted;
	struct store_checked checked; /* its slices are set last */
	uint64_t version; /* commit */
	bool has_more;
	bool is_written; /* by this very request: not refused, and not a repeat of a token */
};

/* NULL when memory is out. What store.h asks of the call is asserted. */
struct store_request *store_request_of_load(const struct store_load *l);
struct store_request *store_request_of_query(const struct store_query *q);
struct store_request *store_request_of_count(const struct store_count *c);
struct store_request *store_request_of_check(struct slice cursor);

/*
 * Asserts what store.h asks of a commit: one room xor directory, keys that fit
 * and are of a known kind; where slow checks are built (ASSERT_SLOW) also values
 * that decode. The arena is for decoding and is reset.
 * ERR_NOMEM  *out is untouched.
 */
NODISCARD enum err store_request_of_commit(const struct store_commit *c, struct arena *arena, struct store_request **out);

void store_request_destroy(struct store_request *w);

/* Whether all its bytes are zero. */
bool store_token_is_none(const struct store_token *t);

/* ERR_NOMEM, also for more than could ever be one partition. */
NODISCARD enum err store_found_add(struct store_found *f, struct slice pk, struct slice sk, struct slice value,
			     uint64_t version);
/* Point the items at their bytes: once, after the last store_found_add(). */
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
