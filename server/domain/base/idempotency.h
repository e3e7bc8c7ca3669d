/*
 * idempotency.h - a cache of results by idempotency key.
 *
 * A repeated request within ONCE_LIFE_MS gets the first result, without a second effect. The
 * cache is part of a partition: its entries are ONCE items, written in the commit of the change
 * that they belong to, so neither exists without the other.
 */
#ifndef SERVER_DOMAIN_BASE_IDEMPOTENCY_H
#define SERVER_DOMAIN_BASE_IDEMPOTENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/domain/base/uthash_config.h"

#include "proto/base/buf.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/methods.h"

/* {caller}#{key}: 43 characters, '#', and up to 64 bytes. */
#define ONCE_KEY_BYTES_MAX (KEY_CHARS + 1 + 64)

struct idempotent_result {
	char key[128]; /* what follows ONCE# in the SK */
	size_t key_len;
	enum method method;
	char *result;
	size_t result_len;
	int64_t created_on;
	int64_t expires_at; /* wall ms */
	bool needs_write;
	struct idempotent_result *next, *prev; /* oldest first */
	UT_hash_handle hh;
};

/* A removed entry, until that is written. */
struct gone_once {
	char key[128];
	size_t key_len;
	struct gone_once *next;
};

struct idempotency_table {
	struct idempotent_result *by_key;
	struct idempotent_result *list;
	size_t n;
	size_t to_store_n;
	struct gone_once *gone;
};

void idempotency_finish(struct idempotency_table *t);
struct idempotent_result *idempotency_find(struct idempotency_table *t, struct slice key);
/*
 * Add a result; if there are too many, the oldest is removed. Returns false if memory is out:
 * nothing changed.
 */
bool idempotency_add(struct idempotency_table *t, struct slice key, enum method method, struct slice result, int64_t created_on,
	      int64_t expires_at, bool needs_write);
/* Sort entries that were added in any order (by a load) by their expiry. */
void idempotency_sort(struct idempotency_table *t);
/* Remove expired entries. */
void idempotency_expire(struct idempotency_table *t, int64_t wall_ms);
void idempotency_clear_marks(struct idempotency_table *t);

#endif
