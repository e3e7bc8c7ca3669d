/*
 * code_guess.c - see guess_limit.h.
 *
 * Each address has a bucket, each IPv6 /48 another, each user of a unix socket one.
 * When all together guess too much, an address is down to one guess a minute, so
 * the first guess of an address is never refused because others guess.
 */
#include "server/core/conns/guess_limit.h"

#include "server/core/conns/conn.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/server_priv.h"

#define MINUTE_MS 60000

static int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* When all together guess too much: until a minute has passed since the address's own last miss, at the most. */
static int64_t wait_for_all(const struct server *s, const struct address *a)
{
	int64_t rate = server_limit(s, LIMIT_ROOM_MISSES_IN_ALL);
	int64_t wait = bucket_wait_ms(&s->misses, s->now.mono_ms, rate, MINUTE_MS, rate);
	int64_t own = a->missed_mono == 0 ? 0 : a->missed_mono + MINUTE_MS - s->now.mono_ms;
	own = own > 0 ? own : 0;
	return wait < own ? wait : own;
}

int64_t guess_wait_ms(const struct server *s, const struct conn *c)
{
	const struct address *a = c->guesser;
	int64_t now = s->now.mono_ms;
	if (a == NULL) {
		return 0;
	}
	int64_t rate = server_limit(s, LIMIT_ROOM_MISSES_PER_MINUTE);
	int64_t wait = bucket_wait_ms(&a->misses, now, rate, MINUTE_MS, rate);
	if (a->network != NULL) {
		rate = server_limit(s, LIMIT_ROOM_MISSES_PER_NETWORK);
		wait = later_of(wait,
				bucket_wait_ms(&a->network->misses, now, rate, MINUTE_MS, rate));
	}
	return later_of(wait, wait_for_all(s, a));
}

bool guess_may(struct server *s, const struct conn *c, struct fault *fault)
{
	int64_t wait_ms = guess_wait_ms(s, c);
	if (wait_ms == 0) {
		return true;
	}
	fault_set(fault, FAULT_RATE_LIMITED,
		  "too many wrong codes; check the code, wait, and try again");
	fault->retry_after_ms = wait_ms;
	return false;
}

/* Nothing is taken where nothing is left, so no address adds more to the wait of all than its own limit. */
void guess_count(struct server *s, const struct conn *c)
{
	struct address *a = c->guesser;
	s->counters.room_misses++;
	if (a == NULL) {
		return;
	}
	const int64_t now = s->now.mono_ms;
	int64_t rate = server_limit(s, LIMIT_ROOM_MISSES_PER_MINUTE);
	(void)bucket_take(&a->misses, now, rate, MINUTE_MS, rate);
	if (a->network != NULL) {
		rate = server_limit(s, LIMIT_ROOM_MISSES_PER_NETWORK);
		(void)bucket_take(&a->network->misses, now, rate, MINUTE_MS, rate);
	}
	rate = server_limit(s, LIMIT_ROOM_MISSES_IN_ALL);
	(void)bucket_take(&s->misses, now, rate, MINUTE_MS, rate);
	a->missed_mono = now;
}
