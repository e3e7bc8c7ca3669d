/*
 * publish.c - a unit of work that is durable: its answers, updates and notifications are sent.
 */
#include <stdlib.h>

#include <utlist.h>

#include "server/core/conn.h"
#include "server/core/fanout.h"
#include "server/core/room_partition.h"
#include "server/core/send_queue.h"
#include "server/core/server_priv.h"
#include "server/core/subscription.h"
#include "server/core/unit_of_work.h"
#include "server/core/update_log.h"
#include "server/core/user_rooms.h"

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
	for (size_t i = 0; i < u->notifications_n; i++) {
		const struct seat_notification *t = &u->notifications[i];
		struct subscription *followers =
			seat_is_gone(t->seat) ? NULL : *seat_subscriptions(t->seat);
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
				conn_send(s, sub->conn, slice_of(u->bytes.data + t->at, t->len));
			}
		}
	}
}

static void publish_endings(struct server *s, struct partition *p, enum notice which)
{
	const struct unit *u = p->flight;
	for (size_t i = 0; i < u->endings_n; i++) {
		struct conn *c = conn_find(s, u->endings[i]);
		struct subscription *sub =
			c == NULL ? NULL : pass_subscription(conn_pass(c, p->room_id));
		if (sub != NULL &&
		    (sub->state == SUBSCRIPTION_ENDING || sub->state == SUBSCRIPTION_NEW_ENDING)) {
			subscription_remove(s, sub);
			partition_send_ended(s, p, c, which);
		}
	}
}

static void publish_frame(struct server *s, struct partition *p, const struct log_frame *frame)
{
	(void)update_log_append(&p->log, frame, (size_t)server_limit(s, LIMIT_ROOM_LOG_BYTES));
	p->used_mono = s->now.mono_ms;
}

static void publish_frames(struct server *s, struct partition *p)
{
	const struct unit *u = p->flight;
	for (const struct data_frame *f = u->data; f != NULL; f = f->next) {
		publish_frame(s, p,
			      &(struct log_frame){
				      .whole = buf_slice(&f->whole),
				      .since = f->since,
				      .version = f->version,
				      .author = f->author,
				      .for_author = buf_slice(&f->for_author),
				      .without = buf_slice(&f->without),
			      });
	}
	if (u->delta.len > 0) {
		publish_frame(s, p,
			      &(struct log_frame){.whole = buf_slice(&u->delta),
						  .since = u->since,
						  .version = u->version});
		p->notifications_end = u->has_notifications ? p->log.end : p->notifications_end;
	}
}

/* It is durable (or nothing of it had to be): now it may be sent. */
void unit_publish(struct server *s, struct partition *p)
{
	struct unit *u = p->flight;
	publish_frames(s, p);
	publish_pending(s, p);
	for (size_t i = 0; i < u->replies_n; i++) {
		unit_answer(s, u, &u->replies[i], NULL);
	}
	publish_notifications(s, p);
	const struct account_change *change;
	LL_FOREACH (u->accounts, change) {
		user_rooms_changed(s, slice_str(change->user_id), slice_str(p->room_id),
				   change->has_left);
	}
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
