/*
 * user_rate.c - see user_rate.h.
 */
#include "server/core/user_rate.h"

#include <stdlib.h>

#include "server/core/server_priv.h"

/* A limit of a rate says in its unit how long its period is. */
static int64_t period_ms(enum limit limit)
{
	return strcmp(limit_rows[limit].unit, "1/h") == 0 ? INT64_C(3600000) : INT64_C(60000);
}

static void user_rate_free(struct server *s, struct user_rate *r)
{
	HASH_DELETE(hh, s->user_rates, r);
	free(r);
}

static struct user_rate *user_rate_find_or_add(struct server *s, enum limit limit, struct slice who)
{
	struct user_rate_key key;
	struct user_rate *r = NULL;
	memset(&key, 0, sizeof(key));
	key.limit = limit;
	memcpy(key.who, who.data, who.len < sizeof(key.who) ? who.len : sizeof(key.who));
	HASH_FIND(hh, s->user_rates, &key, sizeof(key), r);
	if (r != NULL) {
		return r;
	}
	r = calloc(1, sizeof(*r));
	if (r == NULL) {
		return NULL;
	}
	memcpy(&r->key, &key, sizeof(key));
	HASH_ADD(hh, s->user_rates, key, sizeof(r->key), r);
	if (r->hh.tbl == NULL) {
		free(r);
		return NULL;
	}
	if (HASH_COUNT(s->user_rates) > MAX_USER_RATES) {
		user_rate_free(s, s->user_rates); /* a hash keeps the order in which they came */
	}
	return r;
}

enum err user_rate_take(struct server *s, enum limit limit, struct slice who, int64_t *wait_ms)
{
	const int64_t rate = server_limit(s, limit);
	const int64_t period = period_ms(limit);
	struct user_rate *r = user_rate_find_or_add(s, limit, who);
	if (r == NULL) {
		return ERR_NOMEM;
	}
	*wait_ms = bucket_take(&r->bucket, s->now.mono_ms, rate, period, rate)
			   ? 0
			   : bucket_wait_ms(&r->bucket, s->now.mono_ms, rate, period, rate);
	return OK;
}

void user_rates_forget_quiet(struct server *s)
{
	struct user_rate *r;
	struct user_rate *later;
	HASH_ITER (hh, s->user_rates, r, later) {
		if (r->bucket.drained_at_us <= s->now.mono_ms * 1000) {
			user_rate_free(s, r);
		}
	}
}

void user_rates_forget_all(struct server *s)
{
	while (s->user_rates != NULL) {
		user_rate_free(s, s->user_rates);
	}
}
