/*
 * guess_limit.c - how often callers without any proof may try room codes.
 *
 * What a caller may prove: the user_key of a seat that exists, the room's
 * host_key, a login that has a seat in the room, or (in a room that lets anybody
 * in) that this connection was there before. A caller with proof is never
 * refused here, however many others guess from the same address.
 *
 * Everybody else is counted by the outcome, never by the attempt: the room is
 * looked up first, loaded if need be. code_guess.c counts.
 *
 * Loads are bounded: ROOM_LOADS at a time for one address, ROOM_LOADS_WAITING
 * behind them, and a caller beyond that is refused with RATE_LIMITED.
 */
#include "server/core/conns/guess_limit.h"

#include <utlist.h>

#include "proto/base/format.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/rooms/partition.h"
#include "server/core/server_priv.h"

#define RETRY_MS 1000 /* when too many loads wait */

bool guess_has_claim(const struct request *rq)
{
	return param_text(rq, SHARED_USER_KEY).len > 0 || param_text(rq, SHARED_HOST_KEY).len > 0 ||
	       rq->conn->session != NULL || rq->conn->hosts_n > 0;
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
	guess_count(s, rq->conn);
	if (a != NULL) {
		a->missed_load = rq->load;
	}
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
			fault_set(fault, FAULT_RATE_LIMITED,
				  "too many room look-ups from your address at once; try again");
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
