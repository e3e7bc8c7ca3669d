/*
 * unit_of_work.c - the unit of work: what handlers did to a partition leaves it as one
 * commit, and comes back as answers and one update for everybody.
 *
 *   handlers mark --> open --close--> flight --committed--> published (publish.c)
 *                                     |  ^ |
 *     BUSY, UNKNOWN: the same again --+--+ +--CONFLICT---> run again on the room as it is now (unit_undo.c)
 *                                          +--any other--> requests refused, room loaded again
 *
 * Encoding happens at the close, when the state is exactly what the commit
 * brings; by the time it is durable the room may have moved on. While a unit is
 * in flight, what comes in gathers in the open one: the disk makes the batch.
 * A unit that changes nothing durable is published at once.
 */
#include "server/core/unit_of_work.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"
#include "server/core/room_partition.h"
#include "server/core/server_priv.h"
#include "server/core/subscription.h"
#include "server/core/ticket.h"
#include "server/core/update_log.h"

/* Subscriptions on seats that are gone, or of a room that is, end; their connections are notified when that is durable. */
static void unit_end_subscriptions(struct server *s, struct partition *p)
{
	struct room *r = p->room;
	struct seat *seat = NULL;
	struct subscription *sub;
	while ((seat = room_ended_seat(r, seat)) != NULL) {
		while ((sub = *seat_subscriptions(seat)) != NULL) {
			LL_DELETE2(*seat_subscriptions(seat), sub, seat_next);
			sub->seat = NULL;
			room_detach(r, seat, s->now.mono_ms, s->config.limits);
			unit_add_ending(s, p, sub);
		}
	}
	if (room_is_deleted(r)) {
		DL_FOREACH (p->subscriptions, sub) {
			if (sub->seat != NULL) { /* else it is ending already */
				unit_add_ending(s, p, sub);
			}
		}
	}
	room_end_change(r);
}

/* Whether the log has everything after the subscriber's copy, and no transient notification that
 * would be replayed; then sub->at is where it resumes. */
static bool subscription_can_resume(struct partition *p, struct subscription *sub)
{
	if (!sub->resumes || sub->since_epoch != room_epoch(p->room)) {
		return false;
	}
	if (sub->since_version == room_shown_version(p->room)) {
		sub->at = p->log.end;
		return true;
	}
	return update_log_find(&p->log, sub->since_version, &sub->at) &&
	       sub->at >= p->notifications_end;
}

struct full_needs {
	bool full;
	bool full_sparse;
};

/* Decide how each new subscription begins, and which full updates that takes. */
static struct full_needs unit_take_pending(struct server *s, struct partition *p)
{
	struct full_needs needs = {false, false};
	struct subscription *sub;
	DL_FOREACH2(p->pending, sub, pending_next)
	{
		/* A member in the lobby receives room.you but no room data. */
		if (seat_is_waiting(sub->seat)) {
			if (sub->state != SUBSCRIPTION_LOBBY || sub->missed_you) {
				room_tell(p->room, sub->seat);
			}
			sub->missed_you = false;
			if (sub->state != SUBSCRIPTION_LOBBY) {
				subscription_move(s, sub,
						  sub->state == SUBSCRIPTION_NEW
							  ? SUBSCRIPTION_NEW_LOBBY
							  : SUBSCRIPTION_LOBBY);
			}
			continue;
		}
		sub->needs_full = !subscription_can_resume(p, sub);
		needs.full = needs.full || (sub->needs_full && !sub->spares_data);
		needs.full_sparse = needs.full_sparse || (sub->needs_full && sub->spares_data);
		sub->missed_you = false;
		subscription_move(s, sub,
				  sub->state == SUBSCRIPTION_NEW ? SUBSCRIPTION_NEW_FLIGHT
								 : SUBSCRIPTION_STALE_FLIGHT);
		room_tell(p->room, sub->seat);
	}
	return needs;
}

static struct frame *unit_encode_full(struct server *s, struct partition *p, bool with_data)
{
	struct frame *f = partition_full(s, p, with_data);
	if (f == NULL) {
		p->is_broken = true;
	} else {
		/* One without shared data is no measure of what the others are sent. */
		p->full_bytes = with_data || f->len > p->full_bytes ? f->len : p->full_bytes;
		s->counters.full_updates++;
	}
	return f;
}

/* room.you for members whose view of themselves has changed; then transient notifications, in order: those for all behind the
 * update, the others for one seat. */
static void unit_encode_notifications(struct partition *p)
{
	struct unit *u = p->open;
	struct room *r = p->room;
	struct seat *seat = NULL;
	while ((seat = room_told_seat(r, seat)) != NULL) {
		if (*seat_subscriptions(seat) != NULL) {
			size_t at = u->bytes.len;
			room_write_you(r, seat, &u->bytes);
			unit_add_notification(p, seat, at);
		}
	}
	for (const struct room_notification *n = room_notifications(r); n != NULL; n = n->next) {
		if (n->is_for_all) {
			u->since = u->delta.len == 0 ? room_shown_version(r) : u->since;
			u->version = room_shown_version(r);
			u->has_notifications = true;
			buf_append(&u->delta, n->bytes, n->len);
		} else if ((seat = room_seat_by_key(r, &n->key_hash)) != NULL) {
			size_t at = u->bytes.len;
			buf_append(&u->bytes, n->bytes, n->len);
			unit_add_notification(p, seat, at);
		}
	}
}

/* Everything that the marks ask for, encoded while the state is exactly that. */
static void unit_encode(struct server *s, struct partition *p)
{
	struct unit *u = p->open;
	unit_end_subscriptions(s, p);
	u->ends_room = room_is_deleted(p->room);
	if (u->ends_room) {
		return;
	}
	u->data = room_take_data_frames(p->room);
	struct full_needs needs = unit_take_pending(s, p);
	if (room_needs_update(p->room)) {
		u->since = room_shown_version(p->room);
		room_write_delta(p->room, &s->scratch, &u->delta);
		/* Writing it may have raised the version, above that of shared data. */
		u->version = room_version(p->room);
		s->counters.updates_encoded++;
	}
	if (needs.full) {
		u->full = unit_encode_full(s, p, true);
	}
	if (needs.full_sparse) {
		u->full_sparse = unit_encode_full(s, p, false);
	}
	unit_encode_notifications(p);
	p->is_broken = p->is_broken || u->bytes.error != OK || u->delta.error != OK ||
		       room_is_short_of_memory(p->room);
}

/* With the token of the first time, where it is not the first. */
static void unit_send(struct server *s, struct partition *p)
{
	struct unit *u = p->flight;
	if (!p->to_resend) {
		/* A token that no other commit has, of whatever process. */
		const uint64_t number = s->last_ticket + 1;
		u->token = s->token;
		memcpy(u->token.bytes + sizeof(u->token.bytes) - sizeof(number), &number,
		       sizeof(number));
	}
	struct effect fx = {.kind = FX_COMMIT, .token = u->token, .ops = u->ops, .n = u->ops_n};
	s->counters.commits_total++;
	if (ticket_send(s, &p->ticket, TICKET_PARTITION, &fx)) {
		p->to_resend = false;
	} else if (p->to_resend) {
		partition_dirty(s, p); /* it may be done already: no failure may be reported */
	} else {
		unit_fail(s, p, ERR_NOMEM);
	}
}

void unit_close(struct server *s, struct partition *p)
{
	bool needs_write = false;
	if (p->flight != NULL) {
		if (p->to_resend) {
			unit_send(s, p);
		}
		return;
	}
	if (p->state == PARTITION_LOADING) {
		return;
	}
	if (unit_open(s, p) != NULL && p->room != NULL) {
		struct unit *u = p->open;
		bool ok = true;
		unit_encode(s, p);
		needs_write = room_needs_write(p->room);
		if (needs_write) {
			ok = room_take_ops(p->room, s->now.wall_ms, &u->arena, &u->ops,
					   &u->ops_n) == OK;
			bool has_accounts = true;
			u->accounts = room_account_changes(p->room, &u->arena, &has_accounts);
			ok = ok && has_accounts;
		}
		p->is_broken = p->is_broken || !ok;
		room_clear_marks(p->room);
	}
	p->flight = p->open;
	p->open = NULL;
	if (p->is_broken) {
		unit_fail(s, p, ERR_NOMEM);
	} else if (needs_write) {
		unit_send(s, p);
	} else {
		unit_publish(s, p);
	}
}

void unit_committed(struct server *s, struct partition *p, const struct event *e)
{
	if (p->flight == NULL) {
		return;
	}
	if (e->result == OK) {
		room_stored(p->room, p->flight->ops, e->version);
		unit_publish(s, p);
	} else if (e->result == ERR_BUSY || e->result == ERR_UNKNOWN) {
		p->to_resend = true; /* whatever became of it: its token is done once */
	} else if (e->result == ERR_CONFLICT) {
		unit_conflict(s, p);
	} else {
		unit_fail(s, p, e->result);
	}
	partition_dirty(s, p);
}
