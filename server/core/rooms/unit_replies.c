/*
 * unit_replies.c - what a unit of work holds until it is durable: answers and the
 * requests they answer, notifications for single seats, subscriptions that end
 * or change; and the memory for it.
 *
 * A partition has a unit only while there is something to do or on its way.
 * Those that are done with are kept for the next, with their memory where it
 * is small, so that a vote allocates next to nothing.
 *
 * A request's bytes are kept in front of its answer. They count as owed to its
 * connection, which is read no further when that is too much (OUT_BYTES), so
 * what peers can make a unit hold stays as bounded as without them.
 */
#include <stdlib.h>

#include <utlist.h>

#include "server/core/conns/conn.h"
#include "server/core/conns/request.h"
#include "server/core/conns/send_queue.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/subscription.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/server_priv.h"

#define UNIT_SPARE_MAX	 128
#define UNIT_SPARE_BYTES 4096
#define UNIT_SPARE_ITEMS 16

static void unit_destroy(struct unit *u)
{
	buf_finish(&u->bytes);
	buf_finish(&u->delta);
	arena_finish(&u->arena);
	free(u);
}

struct unit *unit_open(struct server *s, struct partition *p)
{
	if (p->open != NULL) {
		return p->open;
	}
	struct unit *u = s->spare_units;
	if (u != NULL) {
		LL_DELETE(s->spare_units, u);
		s->spare_units_n--;
	} else if ((u = calloc(1, sizeof(*u))) == NULL) {
		p->is_broken = true;
		return NULL;
	}
	u->bytes.max = UNIT_BYTES_MAX;
	u->delta.max = UNIT_BYTES_MAX;
	p->open = u;
	return u;
}

void unit_drop(struct server *s, struct unit *u)
{
	if (u == NULL) {
		return;
	}
	frame_unref(s, u->full);
	frame_unref(s, u->full_sparse);
	const struct reply *r;
	DL_FOREACH (u->replies, r) {
		frame_unref(s, r->full);
	}
	for (struct data_frame *f; (f = u->data) != NULL; data_frame_destroy(f)) {
		u->data = f->next;
	}
	bool is_small = u->bytes.capacity <= UNIT_SPARE_BYTES &&
			u->delta.capacity <= UNIT_SPARE_BYTES && u->ops_n <= UNIT_SPARE_ITEMS;
	if (s->spare_units_n >= UNIT_SPARE_MAX || !is_small) {
		unit_destroy(u);
		return;
	}
	buf_clear(&u->bytes);
	buf_clear(&u->delta);
	arena_reset(&u->arena);
	*u = (struct unit){.bytes = u->bytes, .delta = u->delta, .arena = u->arena};
	LL_PREPEND(s->spare_units, u);
	s->spare_units_n++;
}

void unit_finish_spare(struct server *s)
{
	while (s->spare_units != NULL) {
		struct unit *u = s->spare_units;
		LL_DELETE(s->spare_units, u);
		unit_destroy(u);
	}
}

/* ---- answers ---- */

static void unit_lose_reply(struct server *s, struct partition *p, struct conn *c)
{
	p->is_broken = true;
	conn_end(s, c, "the server is out of memory; connect again");
}

/* A reply whose bytes are to follow those of the request in p->open->bytes; NULL where memory is out and it is lost. */
static struct reply *unit_begin_reply(struct server *s, struct partition *p,
				      const struct request *rq)
{
	struct unit *u = unit_open(s, p);
	struct reply *r = u == NULL ? NULL : arena_alloc(&u->arena, sizeof(*r));
	if (r == NULL) {
		unit_lose_reply(s, p, rq->conn);
		return NULL;
	}
	(void)buf_append_slice(&u->bytes, rq->message);
	*r = (struct reply){
		.conn = rq->conn->id,
		.msgid = rq->msgid,
		.method = rq->method,
		.runs = rq->runs,
		.is_guess = rq->is_guess,
		.asked = rq->message.len,
		.at = u->bytes.len,
	};
	return r;
}

static void unit_end_reply(struct server *s, struct partition *p, const struct request *rq,
			   struct reply *r)
{
	struct unit *u = p->open;
	if (u->bytes.error != OK) {
		frame_unref(s, r->full);
		unit_lose_reply(s, p, rq->conn);
		return;
	}
	r->len = u->bytes.len - r->at;
	DL_APPEND(u->replies, r);
	rq->conn->owed += r->asked + reply_bytes(r);
	if (rq->runs == 0) { /* a client does not pay for the server's running it again */
		conn_charge(s, rq->conn, reply_bytes(r));
	}
}

void unit_result(struct server *s, struct partition *p, const struct request *rq,
		 const struct record *rec, const void *result)
{
	struct reply *r = unit_begin_reply(s, p, rq);
	if (r != NULL) {
		rpc_write_result(&p->open->bytes, rq->msgid, rec, result);
		unit_end_reply(s, p, rq, r);
	}
}

void unit_result_raw(struct server *s, struct partition *p, const struct request *rq,
		     struct slice result)
{
	struct reply *r = unit_begin_reply(s, p, rq);
	if (r != NULL) {
		rpc_write_result_raw(&p->open->bytes, rq->msgid, result);
		unit_end_reply(s, p, rq, r);
	}
}

bool unit_result_full(struct server *s, struct partition *p, const struct request *rq)
{
	struct frame *full = partition_full(s, p, true);
	struct reply *r = full == NULL ? NULL : unit_begin_reply(s, p, rq);
	if (r != NULL) {
		r->full = full;
		rpc_write_result_raw(&p->open->bytes, rq->msgid, (struct slice){0});
		unit_end_reply(s, p, rq, r);
	} else {
		frame_unref(s, full);
	}
	return full != NULL;
}

void unit_fault(struct server *s, struct partition *p, const struct request *rq,
		const struct fault *fault)
{
	struct reply *r = unit_begin_reply(s, p, rq);
	if (r != NULL) {
		r->code = fault->code;
		rpc_write_fault(&p->open->bytes, rq->msgid, fault);
		unit_end_reply(s, p, rq, r);
	}
}

static void followings_are_over(struct following *f, struct conn_id conn)
{
	for (; f != NULL; f = f->before) {
		f->is_over = f->is_over || conn_id_eq(f->conn, conn);
	}
}

void unit_let_stand(struct partition *p, const struct request *rq)
{
	struct unit *u = p->open;
	struct reply *last = u == NULL || u->replies == NULL ? NULL : u->replies->prev;
	/* Where memory was out for its answer, the last one is another's. */
	bool is_its =
		last != NULL && last->msgid == rq->msgid && conn_id_eq(last->conn, rq->conn->id);
	if (is_its && u->followings->is_durable) {
		last->stands = true;
		u->followings->stands = true;
		followings_are_over(u->followings->before, u->followings->conn);
		followings_are_over(p->flight == NULL ? NULL : p->flight->followings,
				    u->followings->conn);
	}
}

void unit_answer(struct server *s, const struct unit *u, const struct reply *r,
		 const struct fault *fault)
{
	struct conn *c = conn_find(s, r->conn);
	if (c == NULL) {
		return;
	}
	struct slice bytes = slice_of(u->bytes.data + r->at, r->len);
	if (fault != NULL && !r->stands) {
		conn_refuse(s, c, r->method, r->msgid, fault);
	} else {
		counters_answered(&s->counters, r->method, r->code);
		if (r->full != NULL) {
			conn_send_full(s, c, bytes, r->full);
		} else {
			conn_send(s, c, bytes);
		}
	}
	c->owed -= r->asked + reply_bytes(r);
	conn_answered(s, c);
}

/* ---- for single seats and connections ---- */

bool unit_keep_following(struct server *s, struct partition *p, struct conn *c)
{
	struct unit *u = unit_open(s, p);
	struct following *f = u == NULL ? NULL : arena_alloc(&u->arena, sizeof(*f));
	if (f == NULL) {
		return false;
	}
	struct pass *pass = conn_pass(c, p->room_id);
	const struct subscription *sub = pass_subscription(pass);
	*f = (struct following){.conn = c->id, .follows = sub != NULL, .before = u->followings};
	if (pass != NULL) {
		f->user_key = pass->user_key;
		f->seats_n = pass->seats_n;
	}
	if (sub != NULL) {
		f->is_durable = !subscription_is_first(sub);
		f->spares_data = sub->spares_data;
	}
	u->followings = f;
	return true;
}

void unit_add_ending(struct server *s, struct partition *p, struct subscription *sub,
		     const struct seat *seat)
{
	struct unit *u = p->open;
	bool ok = true;
	struct unit_ending *e = arena_alloc(&u->arena, sizeof(*e));
	struct slice by =
		seat == NULL ? (struct slice){0} : arena_copy(&u->arena, seat_kicked_by(seat), &ok);
	if (sub->state != SUBSCRIPTION_LIVE) {
		sub->at =
			UINT64_MAX; /* only what has followed the log may go on with it until then */
	}
	subscription_move(s, sub,
			  sub->state == SUBSCRIPTION_NEW ? SUBSCRIPTION_NEW_ENDING
							 : SUBSCRIPTION_ENDING);
	if (e == NULL || !ok) {
		p->is_broken = true;
		return;
	}
	*e = (struct unit_ending){
		.conn = sub->conn->id,
		.kicked_by = by,
		.is_barred = seat != NULL && room_is_barred(p->room, seat_key_hash(seat)),
	};
	DL_APPEND(u->endings, e);
}

void unit_add_notification(struct partition *p, struct seat *seat, bool is_to_sessions, size_t at)
{
	struct unit *u = p->open;
	struct seat_notification *n =
		u->bytes.error == OK ? arena_alloc(&u->arena, sizeof(*n)) : NULL;
	if (n == NULL) {
		p->is_broken = true;
		return;
	}
	*n = (struct seat_notification){.seat = seat,
					.is_to_sessions = is_to_sessions,
					.at = at,
					.len = u->bytes.len - at};
	DL_APPEND(u->notifications, n);
}
