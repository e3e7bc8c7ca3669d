/*
 * rate_limit.c - rates: token buckets, and the addresses that have them.
 *
 * Buckets are kept as a single time (the generic cell rate algorithm): taking
 * a token moves it on by period / rate, and it may run ahead of now by at most
 * `burst` tokens. Failures are counted, not attempts: a client that
 * guesses runs out of tokens, one that works does not.
 */
#include "server/core/conns/rate_limit.h"

#include <stdlib.h>

#include "proto/base/format.h"
#include "server/core/conns/conn.h"
#include "server/core/server_priv.h"

#define NETWORK_BYTES 6 /* a /48: what one IPv6 site has at most */

static int64_t bucket_cost_us(int64_t per_period, int64_t period_ms)
{
	int64_t cost = per_period <= 0 ? period_ms * 1000 : period_ms * 1000 / per_period;
	return cost > 0 ? cost : 1;
}

int64_t bucket_wait_ms(const struct bucket *b, int64_t mono_ms, int64_t per_period,
		       int64_t period_ms, int64_t burst)
{
	int64_t cost = bucket_cost_us(per_period, period_ms);
	int64_t ahead = b->drained_at_us + cost - mono_ms * 1000;
	int64_t over = ahead - cost * (burst > 0 ? burst : 1);
	return over <= 0 ? 0 : over / 1000 + 1;
}

void bucket_charge(struct bucket *b, int64_t mono_ms, int64_t cost_us)
{
	int64_t now_us = mono_ms * 1000;
	b->drained_at_us = (b->drained_at_us > now_us ? b->drained_at_us : now_us) + cost_us;
}

bool bucket_take(struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms,
		 int64_t burst)
{
	if (bucket_wait_ms(b, mono_ms, per_period, period_ms, burst) > 0) {
		return false;
	}
	bucket_charge(b, mono_ms, bucket_cost_us(per_period, period_ms));
	return true;
}

static int64_t bucket_cost_n_us(int64_t n, int64_t per_period, int64_t period_ms)
{
	return n * (period_ms * 1000) / (per_period > 0 ? per_period : 1);
}

int64_t bucket_wait_n_ms(const struct bucket *b, int64_t mono_ms, int64_t n, int64_t per_period,
			 int64_t period_ms)
{
	const int64_t now_us = mono_ms * 1000;
	int64_t from_us = b->drained_at_us > now_us ? b->drained_at_us : now_us;
	int64_t over_us =
		from_us + bucket_cost_n_us(n, per_period, period_ms) - now_us - period_ms * 1000;
	return over_us > 0 ? over_us / 1000 + 1 : 0;
}

int64_t bucket_take_n(struct bucket *b, int64_t mono_ms, int64_t n, int64_t per_period,
		      int64_t period_ms)
{
	int64_t wait_ms = bucket_wait_n_ms(b, mono_ms, n, per_period, period_ms);
	if (wait_ms == 0) {
		bucket_charge(b, mono_ms, bucket_cost_n_us(n, per_period, period_ms));
	}
	return wait_ms;
}

static struct address *address_find_or_add(struct server *s, const struct address_key *key)
{
	struct address *a = NULL;
	HASH_FIND(hh, s->addresses, key, sizeof(a->key), a);
	if (a == NULL) {
		a = calloc(1, sizeof(*a));
		if (a == NULL) {
			return NULL;
		}
		a->key = *key;
		HASH_ADD(hh, s->addresses, key, sizeof(a->key), a);
		if (a->hh.tbl == NULL) {
			free(a);
			return NULL;
		}
	}
	return a;
}

struct address *address_get(struct server *s, const struct peer *peer)
{
	/* IPv4 travels as ::ffff:a.b.c.d, and loopback as ::1: neither has a network above it here. */
	static const unsigned char v4[12] = {[10] = 0xff, [11] = 0xff};
	struct address_key key = {.kind = peer->kind == PEER_UNIX ? ADDRESS_UID : ADDRESS_HOST};
	struct address *network = NULL;
	if (peer->kind == PEER_UNIX) {
		memcpy(key.bytes, &peer->uid, sizeof(peer->uid));
	} else {
		memcpy(key.bytes, peer->address, sizeof(key.bytes));
	}
	if (peer->kind == PEER_NETWORK && memcmp(peer->address, v4, sizeof(v4)) != 0) {
		struct address_key above = {.kind = ADDRESS_NETWORK};
		memcpy(above.bytes, peer->address, NETWORK_BYTES);
		network = address_find_or_add(s, &above);
		if (network == NULL) {
			return NULL;
		}
	}
	struct address *a = address_find_or_add(s, &key);
	if (a == NULL) {
		return NULL; /* the network is forgotten with the next that are quiet */
	}
	if (a->network == NULL && network != NULL) {
		a->network = network;
		network->connections++;
	}
	a->connections++;
	return a;
}

int64_t address_wait_ms(const struct server *s, const struct bucket *b, enum limit limit)
{
	int64_t rate = server_limit(s, limit);
	return bucket_wait_ms(b, s->now.mono_ms, rate, 60000, rate);
}

bool address_may(struct server *s, const struct conn *c, struct bucket *b, enum limit limit,
		 const char *what, struct fault *fault)
{
	int64_t rate = server_limit(s, limit);
	if (b == NULL || bucket_take(b, s->now.mono_ms, rate, 60000, rate)) {
		return true;
	}
	fault_set(fault, FAULT_RATE_LIMITED, "more than %lld %s a minute from your %s",
		  (long long)rate, what, c->peer_kind == PEER_UNIX ? "user" : "address");
	fault->retry_after_ms = bucket_wait_ms(b, s->now.mono_ms, rate, 60000, rate);
	return false;
}

/* An address that reconnects for every guess must not begin with full buckets each time. */
static bool address_is_quiet(const struct address *a, int64_t mono_ms)
{
	return a->connections == 0 && a->loads == 0 && a->loads_waiting == NULL &&
	       (a->missed_mono == 0 || mono_ms - a->missed_mono >= 60000) &&
	       a->creates.drained_at_us <= mono_ms * 1000 &&
	       a->misses.drained_at_us <= mono_ms * 1000 &&
	       a->logins.drained_at_us <= mono_ms * 1000 &&
	       a->login_misses.drained_at_us <= mono_ms * 1000 &&
	       a->seats.drained_at_us <= mono_ms * 1000;
}

/* The caller checks its network: it may be the next of a list that is walked. */
static void address_free(struct server *s, struct address *a)
{
	if (a->network != NULL) {
		a->network->connections--;
	}
	HASH_DELETE(hh, s->addresses, a);
	free(a);
}

size_t address_name(const struct conn *c, char *out, size_t cap)
{
	const struct address *a = conn_address(c);
	if (a == NULL) {
		return format_to(out, cap, "uid %lu", (unsigned long)c->uid);
	}
	size_t len = format_to(out, cap, "address ");
	for (size_t i = 0; i < sizeof(a->key.bytes); i++) {
		len += format_to(out + len, cap - len, "%02x", a->key.bytes[i]);
	}
	return len;
}

void address_release(struct server *s, struct address *a)
{
	if (a == NULL) {
		return;
	}
	struct address *network = a->network;
	a->connections--;
	if (address_is_quiet(a, s->now.mono_ms)) {
		address_free(s, a);
		if (network != NULL && address_is_quiet(network, s->now.mono_ms)) {
			address_free(s, network);
		}
	}
}

void address_forget_quiet(struct server *s)
{
	struct address *a;
	struct address *later;
	HASH_ITER (hh, s->addresses, a, later) {
		if (address_is_quiet(a, s->now.mono_ms)) {
			address_free(s, a);
		}
	}
}

void address_forget_all(struct server *s)
{
	struct address *a;
	struct address *later;
	HASH_ITER (hh, s->addresses, a, later) {
		HASH_DELETE(hh, s->addresses, a);
		free(a);
	}
}

/* ---- bytes of rooms ---- */

#define HOUR_MS INT64_C(3600000)

/* Of whom they are taken. */
struct payer {
	char name[96];
	size_t len;
	int64_t per_hour;
};

/* Returns how many there are. */
static size_t payers_of(struct server *s, struct conn *c, struct payer out[2])
{
	const int64_t per_hour = server_limit(s, LIMIT_ROOM_BYTES_PER_HOUR);
	const struct conn_user user = conn_user(s, c);
	int64_t users = 1;
	size_t n = 0;
	if (c->guesser == NULL) {
		return 0;
	}
	if (user.is_keyed) {
		users = server_limit(s, LIMIT_ADDRESS_USERS);
		out[n].len = format_to(out[n].name, sizeof(out[n].name), "user %.*s",
				       (int)user.id.len, user.id.data);
		out[n++].per_hour = per_hour;
	}
	out[n].len = address_name(c, out[n].name, sizeof(out[n].name));
	out[n++].per_hour = per_hour * users;
	return n;
}

static const char *room_bytes_domain(void)
{
	return limit_rows[LIMIT_ROOM_BYTES_PER_HOUR].name;
}

int64_t room_bytes_wait_ms(struct server *s, struct conn *c, int64_t bytes)
{
	struct payer payers[2];
	size_t n = payers_of(s, c, payers);
	int64_t longest_ms = 0;
	for (size_t i = 0; i < n; i++) {
		const struct payer *payer = &payers[i];
		const struct live_time *drained =
			live_time_find(s, s->user_rates, room_bytes_domain(),
				       slice_of(payer->name, payer->len));
		const struct bucket bucket = {.drained_at_us = drained == NULL ? 0 : drained->at};
		int64_t wait_ms =
			bucket_wait_n_ms(&bucket, s->now.mono_ms, bytes, payer->per_hour, HOUR_MS);
		longest_ms = wait_ms > longest_ms ? wait_ms : longest_ms;
	}
	return longest_ms;
}

void room_bytes_take(struct server *s, struct conn *c, int64_t bytes)
{
	struct payer payers[2];
	size_t n = bytes == 0 ? 0 : payers_of(s, c, payers);
	for (size_t i = 0; i < n; i++) {
		const struct payer *payer = &payers[i];
		struct live_time *drained =
			live_time_get(s, &s->user_rates, MAX_USER_RATES, room_bytes_domain(),
				      slice_of(payer->name, payer->len), 0);
		if (drained == NULL) {
			continue; /* memory is out: these are free */
		}
		struct bucket bucket = {.drained_at_us = drained->at};
		bucket_charge(&bucket, s->now.mono_ms,
			      bucket_cost_n_us(bytes, payer->per_hour, HOUR_MS));
		drained->at = bucket.drained_at_us;
	}
}
