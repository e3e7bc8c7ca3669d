/*
 * unit_of_work.c - the unit of work: what handlers did to a partition leaves it as one
 * commit, and comes back as answers and one update for all subscribers.
 *
 *   handlers mark --> open --close--> flight --committed--> published
 *                                     |  ^ |
 *              BUSY: the same again --+--+ +--CONFLICT---> run again on the room as it is now (unit_undo.c)
 *                                          +--UNKNOWN----> connections closed, room loaded again
 *                                          +--FENCED-----> requests refused, room left (cluster/room_bucket.h)
 *                                          +--any other--> requests refused, room loaded again
 *
 * Encoding happens at the close, when the state is exactly what the commit
 * brings; by the time it is durable the room may have moved on. While a unit is
 * in flight, what comes in gathers in the open one: the disk makes the batch.
 * A unit that changes nothing durable is published at once.
 */
#include "server/core/rooms/unit_of_work.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "server/core/cluster/room_bucket.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/send_queue.h"
#include "server/core/directory_rooms.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/subscription.h"
#include "server/core/rooms/update_log.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"

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
			room_detach(r, seat, s->now.mono_ms, s->now.wall_ms, s->config.limits);
			unit_add_ending(s, p, sub, seat);
		}
	}
	if (room_is_deleted(r)) {
		DL_FOREACH (p->subscriptions, sub) {
			if (sub->seat != NULL) { /* else it is ending already */
				unit_add_ending(s, p, sub, NULL);
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

/* Decide how each new subscription begins, and which full updates that takes: with shared data, and without. */
static void unit_take_pending(struct server *s, struct partition *p, bool *full, bool *full_sparse)
{
	struct subscription *sub;
	DL_FOREACH2(p->pending, sub, pending_next)
	{
		/* A member in the lobby receives room.you but no room data. */
		if (seat_is_waiting(sub->seat)) {
			if (sub->state != SUBSCRIPTION_LOBBY || sub->missed_you) {
				room_tell_all(p->room, sub->seat);
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
		*full |= sub->needs_full && !sub->spares_data;
		*full_sparse |= sub->needs_full && sub->spares_data;
		sub->missed_you = false;
		subscription_move(s, sub,
				  sub->state == SUBSCRIPTION_NEW ? SUBSCRIPTION_NEW_FLIGHT
								 : SUBSCRIPTION_STALE_FLIGHT);
		room_tell_all(p->room, sub->seat);
	}
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
			unit_add_notification(p, seat, false, at);
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
			unit_add_notification(p, seat, n->is_to_sessions, at);
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
	bool needs_full = false;
	bool needs_sparse = false;
	unit_take_pending(s, p, &needs_full, &needs_sparse);
	if (room_needs_update(p->room)) {
		u->since = room_shown_version(p->room);
		room_write_delta(p->room, &s->scratch, &u->delta);
		/* Writing it may have raised the version, above that of shared data. */
		u->version = room_version(p->room);
		s->counters.updates_encoded++;
	}
	if (needs_full) {
		u->full = unit_encode_full(s, p, true);
	}
	if (needs_sparse) {
		u->full_sparse = unit_encode_full(s, p, false);
	}
	unit_encode_notifications(p);
	p->is_broken = p->is_broken || u->bytes.error != OK || u->delta.error != OK ||
		       room_is_short_of_memory(p->room);
}

/* ---- durable: answers, updates and notifications are sent ---- */

static void publish_pending(struct server *s, struct partition *p)
{
	static const unsigned char becomes[SUBSCRIPTION_STATE_COUNT] = {
		[SUBSCRIPTION_NEW] = SUBSCRIPTION_NEW, /* came behind the flight, as a STALE one */
		[SUBSCRIPTION_STALE] = SUBSCRIPTION_STALE,
		[SUBSCRIPTION_NEW_FLIGHT] = SUBSCRIPTION_LIVE,
		[SUBSCRIPTION_STALE_FLIGHT] = SUBSCRIPTION_LIVE,
		[SUBSCRIPTION_NEW_AGAIN] = SUBSCRIPTION_STALE,
		[SUBSCRIPTION_STALE_AGAIN] = SUBSCRIPTION_STALE,
		[SUBSCRIPTION_NEW_LOBBY] = SUBSCRIPTION_LOBBY,
		[SUBSCRIPTION_LOBBY] = SUBSCRIPTION_LOBBY,
	};
	struct subscription *sub;
	struct subscription *later;
	DL_FOREACH_SAFE2(p->pending, sub, later, pending_next)
	{
		enum subscription_state to = becomes[sub->state];
		if (to != sub->state) {
			subscription_move(s, sub, to);
		}
		if (to == SUBSCRIPTION_LIVE && sub->needs_full) {
			sub->full = frame_ref(sub->spares_data ? p->flight->full_sparse
							       : p->flight->full);
			if (sub->at < p->notifications_end) {
				room_repeat_warning(p->room);
			}
			sub->at = p->log.end;
			conn_charge(s, sub->conn, sub->full->len);
		}
	}
}

/* A peer that does not read is not sent more and more of these: it gets everything anew when it
 * reads again. */
static void publish_notifications(struct server *s, struct partition *p)
{
	const struct unit *u = p->flight;
	const struct seat_notification *t;
	DL_FOREACH (u->notifications, t) {
		const struct slice bytes = slice_of(u->bytes.data + t->at, t->len);
		bool is_to_seat = !t->is_to_sessions && !seat_is_gone(t->seat);
		struct subscription *followers = is_to_seat ? *seat_subscriptions(t->seat) : NULL;
		struct subscription *sub;
		struct subscription *later;
		LL_FOREACH_SAFE2(followers, sub, later, seat_next)
		{
			if (sub->state != SUBSCRIPTION_LIVE && sub->state != SUBSCRIPTION_LOBBY) {
				continue; /* the unit that begins it sends it */
			}
			if (sub->conn->is_blocked && send_queue_own(sub->conn) > 0) {
				sub->missed_you = true;
			} else {
				conn_send(s, sub->conn, bytes);
			}
		}
		if (t->is_to_sessions && s->cluster == NULL && !seat_is_gone(t->seat)) {
			user_signal(s, seat_user_id(t->seat), bytes);
		}
	}
	if (s->cluster != NULL) {
		unit_signal_users(s, p, u);
	}
}

static void publish_endings(struct server *s, struct partition *p, enum notice which)
{
	const struct unit *u = p->flight;
	const struct unit_ending *e;
	DL_FOREACH (u->endings, e) {
		struct conn *c = conn_find(s, e->conn);
		struct subscription *sub =
			c == NULL ? NULL : pass_subscription(conn_pass(c, p->room_id));
		if (sub != NULL &&
		    (sub->state == SUBSCRIPTION_ENDING || sub->state == SUBSCRIPTION_NEW_ENDING)) {
			subscription_remove(s, sub);
			partition_send_ended(s, c, which,
					     &(struct kicked_notice){
						     .room_id = slice_str(p->room_id),
						     .by = e->kicked_by,
						     .is_barred = e->is_barred,
						     .with_is_barred = e->is_barred,
					     });
			/* Whatever is undone of the next unit, the connection stays as it has been notified. */
			struct following *f = p->open == NULL ? NULL : p->open->followings;
			for (; f != NULL; f = f->before) {
				f->follows = f->follows && !conn_id_eq(f->conn, e->conn);
			}
		}
	}
}

static void publish_frames(struct server *s, struct partition *p)
{
	const struct unit *u = p->flight;
	const size_t most = (size_t)server_limit(s, LIMIT_ROOM_LOG_BYTES);
	if (u->data != NULL || u->delta.len > 0) {
		p->used_mono = s->now.mono_ms;
	}
	for (const struct data_frame *f = u->data; f != NULL; f = f->next) {
		struct log_frame frame = {.whole = buf_slice(&f->whole),
					  .since = f->since,
					  .version = f->version,
					  .author = f->author,
					  .for_author = buf_slice(&f->for_author),
					  .without = buf_slice(&f->without)};
		(void)update_log_append(&p->log, &frame, most);
	}
	if (u->delta.len > 0) {
		struct log_frame frame = {.whole = buf_slice(&u->delta),
					  .since = u->since,
					  .version = u->version};
		(void)update_log_append(&p->log, &frame, most);
		p->notifications_end = u->has_notifications ? p->log.end : p->notifications_end;
	}
}

/* It is durable (or nothing of it had to be): now it may be sent. */
static void unit_publish(struct server *s, struct partition *p)
{
	struct unit *u = p->flight;
	publish_frames(s, p);
	publish_pending(s, p);
	const struct reply *r;
	DL_FOREACH (u->replies, r) {
		unit_answer(s, u, r, NULL);
	}
	publish_notifications(s, p);
	unit_publish_outside(s, p, u);
	publish_endings(s, p,
			!u->ends_room		   ? NOTICE_ROOM_KICKED
			: room_is_expired(p->room) ? NOTICE_ROOM_EXPIRED
						   : NOTICE_ROOM_DELETED);
	if (u->ends_room) {
		s->counters.rooms_ended++;
		partition_forget_full(p);
		room_destroy(p->room);
		p->room = NULL;
		update_log_clear(&p->log);
	}
	p->flight = NULL;
	unit_drop(s, u);
	fanout_mark(s, p);
	partition_schedule(s, p);
}

/* ---- one commit ---- */

/* Once more, where the store has not taken it. */
static void unit_send(struct server *s, struct partition *p)
{
	struct unit *u = p->flight;
	/* A token that no other commit has, of whatever process. */
	const uint64_t number = s->last_ticket + 1;
	struct store_token token = s->token;
	memcpy(token.bytes + sizeof(token.bytes) - sizeof(number), &number, sizeof(number));
	struct effect fx = {.kind = FX_COMMIT,
			    .token = token,
			    .fence = partition_fence(p),
			    .ops = u->ops,
			    .n = u->ops_n};
	s->counters.commits_total++;
	p->to_resend = false;
	if (!ticket_send(s, &p->ticket, TICKET_PARTITION, &fx)) {
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
		unit_encode(s, p);
		needs_write = room_needs_write(p->room);
		bool ok = !needs_write || room_take_ops(p->room, s->now.wall_ms, &u->arena, &u->ops,
							&u->ops_n) == OK;
		ok = unit_note_outside(s, p, u, needs_write) && ok;
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
		room_bucket_answered(p->bucket, e->version);
		commit_log_made(s);
		room_stored(p->room, p->flight->ops, e->version);
		unit_publish(s, p);
	} else if (e->result == ERR_CONFLICT) {
		unit_conflict(s, p);
	} else if (e->result == ERR_FENCED) {
		room_bucket_lose(s, p->bucket);
		unit_fenced(s, p);
	} else if (e->result == ERR_UNKNOWN) {
		unit_unknown(s, p);
	} else if (e->result == ERR_BUSY) {
		p->to_resend = true;
	} else {
		unit_fail(s, p, e->result);
	}
	partition_dirty(s, p);
}
