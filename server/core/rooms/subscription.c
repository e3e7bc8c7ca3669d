/*
 * subscription.c - which connections follow a room.
 *
 * A subscription is one connection's following of one room, on one seat. It begins
 * with the unit of work of its subscription, so that the answer, room.you and
 * the first update leave together, and never before they are durable.
 */
#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/guess_limit.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/conns/request.h"
#include "server/core/conns/send_queue.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/subscription.h"
#include "server/core/server_priv.h"

/* ---- states ---- */

#define TO(symbol) MACHINE_TO(SUBSCRIPTION_##symbol)

/* A room that is thrown away and loaded again makes all its subscriptions STALE. */
const struct machine subscription_machine = {
	"subscription",
	{
		[SUBSCRIPTION_NONE] = {"NONE", TO(NEW) | TO(STALE)},
		[SUBSCRIPTION_NEW] = {"NEW", TO(NEW_FLIGHT) | TO(NEW_LOBBY) | TO(NEW_ENDING) |
						     TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_NEW_FLIGHT] = {"NEW_FLIGHT",
					     TO(LIVE) | TO(NEW_AGAIN) | TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_NEW_LOBBY] = {"NEW_LOBBY",
					    TO(LOBBY) | TO(NEW_AGAIN) | TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_NEW_AGAIN] = {"NEW_AGAIN", TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_NEW_ENDING] = {"NEW_ENDING", TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_LIVE] = {"LIVE", TO(STALE) | TO(ENDING) | TO(NONE)},
		[SUBSCRIPTION_LOBBY] = {"LOBBY",
					TO(STALE_FLIGHT) | TO(STALE) | TO(ENDING) | TO(NONE)},
		[SUBSCRIPTION_STALE] = {"STALE",
					TO(STALE_FLIGHT) | TO(LOBBY) | TO(ENDING) | TO(NONE)},
		[SUBSCRIPTION_STALE_FLIGHT] = {"STALE_FLIGHT",
					       TO(LIVE) | TO(STALE_AGAIN) | TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_STALE_AGAIN] = {"STALE_AGAIN", TO(STALE) | TO(NONE)},
		[SUBSCRIPTION_ENDING] = {"ENDING", TO(STALE) | TO(NONE)},
	},
};

/* In p->pending: the next unit, or the outcome of the flight, concerns it. */
static const unsigned pending_states = TO(NEW) | TO(NEW_FLIGHT) | TO(NEW_LOBBY) | TO(NEW_AGAIN) |
				       TO(LOBBY) | TO(STALE) | TO(STALE_FLIGHT) | TO(STALE_AGAIN);
static const unsigned ended_states = TO(NEW_ENDING) | TO(ENDING) | TO(NONE);

void subscription_move(struct server *s, struct subscription *sub, enum subscription_state to)
{
	char whose[CODE_CHARS_MAX + 32] = "";
	struct partition *p = sub->partition;
	bool was_pending = (pending_states & 1u << sub->state) != 0;
	bool is_pending = (pending_states & 1u << to) != 0;
	ASSERT(sub->conn != NULL && p != NULL);
	if (s->config.trace != NULL) {
		(void)format_to(whose, sizeof(whose), "%s of %u.%u", p->room_id, sub->conn->id.slot,
				sub->conn->id.generation);
	}
	machine_move(&subscription_machine, s->config.trace, whose, sub->state, to);
	if (was_pending && !is_pending) {
		DL_DELETE2(p->pending, sub, pending_prev, pending_next);
	}
	if (is_pending && !was_pending) {
		DL_APPEND2(p->pending, sub, pending_prev, pending_next);
	}
	sub->state = (unsigned char)to;
	ASSERT(sub->seat != NULL || (ended_states & 1u << to) != 0 || p->room == NULL);
	ASSERT(sub->full == NULL || ((ended_states | TO(LIVE)) & 1u << to) != 0);
}

/* ---- subscriptions ---- */

struct subscription *subscription_begin(struct server *s, struct partition *p, struct conn *c,
					struct pass *pass, struct seat *seat,
					enum subscription_state state)
{
	struct subscription *sub = &pass->subscription;
	ASSERT(sub->state == SUBSCRIPTION_NONE);
	*sub = (struct subscription){.conn = c, .partition = p, .seat = seat};
	subscription_move(s, sub, state);
	DL_APPEND(p->subscriptions, sub);
	if (seat != NULL) {
		LL_APPEND2(*seat_subscriptions(seat), sub, seat_next);
	}
	p->subscriptions_n++;
	s->counters.subscriptions_now++;
	return sub;
}

/* A full update that is half sent must be finished, whatever becomes of the subscription. */
void subscription_end(struct server *s, struct subscription *sub)
{
	struct partition *p = sub->partition;
	subscription_move(s, sub, SUBSCRIPTION_NONE);
	if (p->fan_next == sub) {
		p->fan_next = sub->next;
	}
	DL_DELETE(p->subscriptions, sub);
	p->subscriptions_n--;
	s->counters.subscriptions_now--;
	if (sub->seat != NULL) {
		LL_DELETE2(*seat_subscriptions(sub->seat), sub, seat_next);
		partition_dirty(s, p);
	}
	p->used_mono = s->now.mono_ms;
	frame_unref(s, sub->full);
	*sub = (struct subscription){.conn = NULL};
	partition_schedule(s, p);
}

void subscription_remove(struct server *s, struct subscription *sub)
{
	struct partition *p = sub->partition;
	struct seat *seat = sub->seat;
	if (seat != NULL) {
		room_disconnected(p->room, seat, s->now.mono_ms, s->now.wall_ms, s->config.limits);
	}
	subscription_end(s, sub);
}

void subscription_start_over(struct server *s, struct subscription *sub)
{
	frame_unref(s, sub->full);
	sub->full = NULL;
	sub->resumes = false;
	if (sub->state == SUBSCRIPTION_NEW_FLIGHT || sub->state == SUBSCRIPTION_NEW_LOBBY) {
		subscription_move(s, sub, SUBSCRIPTION_NEW_AGAIN);
	} else if (sub->state == SUBSCRIPTION_STALE_FLIGHT) {
		subscription_move(s, sub, SUBSCRIPTION_STALE_AGAIN);
	} else if (sub->state == SUBSCRIPTION_LIVE || sub->state == SUBSCRIPTION_LOBBY) {
		subscription_move(s, sub, SUBSCRIPTION_STALE);
	}
	partition_dirty(s, sub->partition);
}

void subscription_unseat(struct server *s, struct subscription *sub)
{
	sub->seat = NULL;
	frame_unref(s, sub->full);
	sub->full = NULL;
	if (sub->state != SUBSCRIPTION_STALE) {
		subscription_move(s, sub, SUBSCRIPTION_STALE);
	}
}

/* ---- room.subscribe, room.unsubscribe ---- */

struct room_subscriber subscriber_of(struct server *s, struct conn *c, const char *room_id)
{
	struct pass *pass = conn_pass(c, room_id);
	const struct subscription *sub = pass_subscription(pass);
	struct room_subscriber is = {
		.is_subscribed = sub != NULL,
		.seat = sub == NULL ? NULL : sub->seat,
		.may_subscribe = conn_may_pass(c, room_id),
		.seat_wait_ms = c->guesser == NULL ? 0
						   : address_wait_ms(s, &c->guesser->seats,
								     LIMIT_SEATS_PER_MINUTE),
	};
	if (pass != NULL) {
		is.user_key = pass->user_key;
		is.seats_made = pass->seats_n;
	}
	return is;
}

enum fault_code subscriber_settle(struct server *s, struct partition *p, struct request *rq,
				  const struct room_subscriber *is, enum fault_code code,
				  struct fault *fault)
{
	struct conn *c = rq->conn;
	struct fault ignored;
	if (is->is_wrong_guess) {
		(void)guess_miss(s, rq, p->room_id, &ignored);
	}
	if (is->wants_seat && c->guesser != NULL && rq->runs == 0) {
		(void)address_may(s, c, &c->guesser->seats, LIMIT_SEATS_PER_MINUTE, "", &ignored);
	}
	if (code != FAULT_NONE) {
		return code;
	}
	struct pass *pass = conn_pass_make(c, p->room_id);
	if (pass == NULL) {
		p->is_broken = true; /* the room has a subscriber more than there is memory for */
		return fault_set(fault, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	if (!is->is_subscribed) {
		subscription_end(s, pass_subscription(pass));
		return FAULT_NONE;
	}
	const struct room_subscribe_params *params = &rq->params.ROOM_SUBSCRIBE;
	struct subscription *sub = pass_subscription(pass);
	if (sub != NULL && sub->seat == is->seat) {
		subscription_start_over(s, sub);
	} else {
		if (sub != NULL) {
			subscription_end(s, sub);
		}
		sub = subscription_begin(s, p, c, pass, is->seat, SUBSCRIPTION_NEW);
	}
	bool lacks_data = sub->spares_data; /* a copy made without it cannot go on with it */
	sub->spares_data = params->with_data && !params->data;
	lacks_data = lacks_data && !sub->spares_data;
	/* A new member has no copy to resume from, and no right to what was sent before. */
	sub->resumes = params->with_since && !is->is_new && !lacks_data;
	sub->since_epoch = params->since.epoch;
	sub->since_version = params->since.version;
	pass->user_key = is->user_key;
	pass->seats_n += is->is_new;
	return FAULT_NONE;
}
