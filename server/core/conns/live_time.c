/*
 * live_time.c - see rate_limit.h.
 */
#include "server/core/conns/rate_limit.h"

#include <stdlib.h>

#include "proto/keys/key_hash.h"
#include "server/core/server_priv.h"

static struct live_time *find(struct live_time *table, const unsigned char *key)
{
	struct live_time *t = NULL;
	HASH_FIND(hh, table, key, LIVE_TIME_KEY_BYTES, t);
	return t;
}

static void forget(struct live_time **table, struct live_time *t)
{
	HASH_DELETE(hh, *table, t);
	free(t);
}

struct live_time *live_time_find(const struct server *s, struct live_time *table,
				 const char *domain, struct slice what)
{
	unsigned char key[LIVE_TIME_KEY_BYTES];
	derive_bytes(s->config.server_key, domain, what, key, sizeof(key));
	return find(table, key);
}

struct live_time *live_time_get(const struct server *s, struct live_time **table, size_t max,
				const char *domain, struct slice what, int64_t at)
{
	unsigned char key[LIVE_TIME_KEY_BYTES];
	derive_bytes(s->config.server_key, domain, what, key, sizeof(key));
	struct live_time *t = find(*table, key);
	if (t != NULL || (t = calloc(1, sizeof(*t))) == NULL) {
		return t;
	}
	memcpy(t->key, key, sizeof(key));
	t->at = at;
	HASH_ADD(hh, *table, key, sizeof(t->key), t);
	if (t->hh.tbl == NULL) {
		free(t);
		return NULL;
	}
	if (HASH_COUNT(*table) > max) {
		forget(table, *table); /* a hash keeps the order in which they came */
	}
	return t;
}

void live_times_forget(struct live_time **table, int64_t at)
{
	struct live_time *t;
	struct live_time *later;
	HASH_ITER (hh, *table, t, later) {
		if (t->at <= at) {
			forget(table, t);
		}
	}
}
