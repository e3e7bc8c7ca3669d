/*
 * guess_limit.c - how often callers without any proof may try room codes.
 *
 * What a caller may prove: the user_key of a seat that exists, the room's
 * host_key, a login that has a seat in the room, or (in a room that lets anybody
 * in) that this connection was there before. A caller with proof is never
 * refused here, however many others guess from the same address.
 *
 * Everybody else is counted by the outcome, never by the attempt: the room is
 * looked up first, loaded if need be. Each address has a bucket, each IPv6 /48
 * another, each user of a unix socket one. When all together guess too much, an
 * address is down to one guess a minute, so the first guess of an address is
 * never refused because others guess.
 *
 * Loads are bounded: ROOM_LOADS at a time for one address, ROOM_LOADS_WAITING
 * behind them, and a caller beyond that is refused with RATE_LIMITED.
 */
#include "server/core/guess_limit.h"

#include <utlist.h>

#include "proto/format.h"
#include "server/core/conn.h"
#include "server/core/rate_limit.h"
#include "server/core/request.h"
#include "server/core/room_partition.h"
#include "server/core/server_priv.h"

#define MINUTE_MS 60000
#define RETRY_MS  1000 /* when too many loads wait */

bool guess_has_claim(const struct request *rq)
{
	return param_text(rq, SHARED_USER_KEY).len > 0 || param_text(rq, SHARED_HOST_KEY).len > 0 ||
	       rq->conn->session != NULL || rq->conn->hosts_n > 0;
}

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
	s->counters.rate_limited++;
	fault_set(fault, FAULT_RATE_LIMITED, "too many wrong room codes; wait and check the code");
	fault->retry_after_ms = wait_ms;
	return false;
}

/*
 * Clients pipeline room.join after room.subscribe. If the subscribe already
 * counted as a failed guess, one join without a key for the same room is not
 * counted again.
 */
static bool is_refused_again(struct server *s, const struct request *rq, const char *room_id)
{
	struct address *a = rq->conn->guesser;
	char *missed = a == NULL ? s->missed : a->missed;
	bool is_again = rq->method == METHOD_ROOM_JOIN && room_id[0] != '\0' &&
			param_text(rq, SHARED_USER_KEY).len == 0 && strcmp(missed, room_id) == 0;
	bool is_first = rq->method == METHOD_ROOM_SUBSCRIBE;
	(void)format_to(missed, sizeof(a->missed), "%s", is_first ? room_id : "");
	return is_again;
}

bool guess_miss(struct server *s, const struct request *rq, const char *room_id,
		struct fault *fault)
{
	struct address *a = rq->conn->guesser;
	if (rq->runs > 0) {
		return true;
	}
	/* First of all, as where the room exists: what would be free is refused then, too. */
	if (!guess_may(s, rq->conn, fault)) {
		(a == NULL ? s->missed : a->missed)[0] = '\0';
		return false;
	}
	if (is_refused_again(s, rq, room_id) ||
	    (a != NULL && rq->load != 0 && a->missed_load == rq->load)) {
		return true;
	}
	s->counters.room_misses++;
	if (a == NULL) {
		return true;
	}
	/* Nothing is taken where nothing is left, so no address adds more to the wait of all than its own limit. */
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
	a->missed_load = rq->load;
	return true;
}

/* ---- loads ---- */

static void load_counts_for(struct partition *p, struct address *a)
{
	p->asker = a;
	a->loads++;
}

struct partition *guess_partition(struct server *s, const struct conn *c, const char *room_id,
				  struct fault *fault)
{
	struct address *a = c->guesser;
	struct partition *p = partition_find(s, room_id);
	if (p != NULL && p->waits_to_load && (a == NULL || a->loads < MAX_ROOM_LOADS)) {
		/* A request of an address that has loads left waits for it, too: it need not wait its turn. */
		guess_load_forget(p);
		if (partition_begin_load(s, p) &&
		    a != NULL) { /* else its timer has been set, and tries again */
			load_counts_for(p, a);
		}
	} else if (p != NULL) {
		return p;
	} else if (a != NULL && a->loads >= MAX_ROOM_LOADS) {
		if (a->loads_waiting_n >= MAX_ROOM_LOADS_WAITING) {
			s->counters.rate_limited++;
			fault_set(fault, FAULT_RATE_LIMITED,
				  "too many rooms are looked for from your address at once; try "
				  "again");
			fault->retry_after_ms = RETRY_MS;
			return NULL;
		}
		p = partition_add(s, room_id);
		if (p != NULL) {
			p->asker = a;
			p->waits_to_load = true;
			a->loads_waiting_n++;
			DL_APPEND2(a->loads_waiting, p, wait_prev, wait_next);
		}
	} else {
		p = partition_get(s, room_id);
		if (p != NULL && a != NULL) {
			load_counts_for(p, a);
		}
	}
	if (p == NULL) {
		fault_set(fault, FAULT_UNAVAILABLE, ROOMS_FULL);
	}
	return p;
}

/* No code has the sign, so nothing is found under it; it waits its turn as any other guess. */
bool guess_wait_for_nothing(struct server *s, struct request *rq, const char *room_id,
			    struct fault *fault)
{
	char nowhere[CODE_CHARS_MAX + 1];
	if (!rq->is_guess || rq->load != 0) {
		return false;
	}
	(void)format_to(nowhere, sizeof(nowhere), "!%s", room_id + 1);
	struct partition *p = guess_partition(s, rq->conn, nowhere, fault);
	if (p == NULL || p->state != PARTITION_LOADING) {
		return false;
	}
	request_park(s, p, rq);
	return true;
}

void guess_load_forget(struct partition *p)
{
	struct address *a = p->asker;
	if (a == NULL) {
		return;
	}
	if (p->waits_to_load) {
		DL_DELETE2(a->loads_waiting, p, wait_prev, wait_next);
		a->loads_waiting_n--;
		p->waits_to_load = false;
	} else {
		a->loads--;
	}
	p->asker = NULL;
}

void guess_load_ended(struct server *s, struct partition *p)
{
	struct address *a = p->asker;
	guess_load_forget(p);
	while (a != NULL && a->loads < MAX_ROOM_LOADS && a->loads_waiting != NULL) {
		struct partition *next = a->loads_waiting;
		guess_load_forget(next);
		if (partition_begin_load(s, next)) {
			load_counts_for(next, a);
		} else {
			partition_give_up(s, next);
		}
	}
}
