/*
 * fanout.c - write scheduling and fan-out.
 *
 * What a connection is sent, in this order: the rest of a full update that went
 * out in part, its own messages, then for each room it follows a full update (if
 * it begins or fell behind) and the log from its cursor on. Messages and frames
 * that are there at the same time leave in one write.
 *
 * A write that ends inside a frame copies that frame's rest to the connection's
 * own messages, so a cursor always stands at a frame's beginning and the log may
 * move on without it. A full update is not copied: its rest is quoted.
 */
#include "server/core/conns/send_queue.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "server/core/conns/conn.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/subscription.h"
#include "server/core/rooms/update_log.h"
#include "server/core/server_priv.h"
#include "server/core/timers.h"
#include "server/core/txn/topic.h"

struct frame *frame_ref(struct frame *f)
{
	f->refs++;
	return f;
}

void frame_unref(struct server *s, struct frame *f)
{
	if (f == NULL || --f->refs > 0) {
		return;
	}
	if (f->home != NULL) {
		*f->home = NULL;
	}
	s->counters.out_bytes_now -= f->len;
	free(f);
}

void fanout_ready(struct server *s, struct conn *c)
{
	if (!c->is_ready && !c->is_blocked) {
		c->is_ready = true;
		if (c->is_refused) {
			DL_PREPEND2(s->ready, c, ready_prev, ready_next);
		} else {
			DL_APPEND2(s->ready, c, ready_prev, ready_next);
		}
	}
}

void fanout_forget(struct server *s, struct conn *c)
{
	if (c->is_ready) {
		c->is_ready = false;
		DL_DELETE2(s->ready, c, ready_prev, ready_next);
	}
}

void fanout_mark(struct server *s, struct partition *p)
{
	if (p->subscriptions == NULL) {
		return;
	}
	if (p->is_marked) {
		p->fan_again = true;
		return;
	}
	p->is_marked = true;
	p->is_large = p->subscriptions_n > OUTPUT_TURN;
	p->fan_next = p->subscriptions;
	s->large_n += p->is_large;
	DL_APPEND2(s->marked, p, marked_prev, marked_next);
}

void fanout_unmark(struct server *s, struct partition *p)
{
	p->is_marked = false;
	p->fan_again = false;
	p->fan_next = NULL;
	s->large_n -= p->is_large;
	DL_DELETE2(s->marked, p, marked_prev, marked_next);
}

/* The log holds what comes after its cursor; where it has moved past, only everything anew helps.
 */
static bool subscription_can_read_on(const struct subscription *sub)
{
	return sub->at >= sub->partition->log.start && sub->at < sub->partition->log.end;
}

static bool subscription_has_news(const struct subscription *sub)
{
	bool reads = sub->state == SUBSCRIPTION_LIVE || sub->state == SUBSCRIPTION_ENDING;
	return reads && (sub->full != NULL || subscription_can_read_on(sub));
}

/* The log has moved past it, or a room.you was dropped; the lobby is sent nothing else. */
static bool subscription_fell_behind(const struct subscription *sub)
{
	bool is_past = sub->at < sub->partition->log.start;
	return (sub->state == SUBSCRIPTION_LIVE && (is_past || sub->missed_you)) ||
	       (sub->state == SUBSCRIPTION_LOBBY && sub->missed_you);
}

/* Whether there is something to write now; what fell behind begins anew and has something later. */
static bool subscription_has_output(struct server *s, struct subscription *sub)
{
	if (subscription_fell_behind(sub)) {
		subscription_start_over(s, sub);
	}
	return subscription_has_news(sub);
}

static bool conn_has_output(struct server *s, struct conn *c)
{
	bool has = c->send_queue != NULL;
	for (struct pass *pass = c->passes; pass != NULL; pass = pass->next) {
		has = (pass->subscription.conn != NULL &&
		       subscription_has_output(s, &pass->subscription)) ||
		      has;
	}
	return has;
}

/* The next subscriber of the partition in front whose connection can be written to. */
static struct conn *fanout_fan(struct server *s, struct partition *p)
{
	const unsigned slice = p->is_large ? OUTPUT_SLICE : OUTPUT_TURN;
	while (p->fan_next != NULL && s->slice_used < slice) {
		struct subscription *sub = p->fan_next;
		p->fan_next = sub->next;
		s->slice_used++;
		if (!sub->conn->is_blocked && subscription_has_output(s, sub)) {
			return sub->conn;
		}
	}
	return NULL;
}

/* What waits to be sent stays where it is, but for refusals: they are in front. */
static bool frozen_next_output(struct server *s, struct conn_id *conn)
{
	struct conn *c = s->ready;
	if (c == NULL || !c->is_refused) {
		return false;
	}
	fanout_forget(s, c);
	*conn = c->id;
	return true;
}

bool server_next_output(struct server *s, struct conn_id *conn)
{
	if (s->is_frozen) {
		return frozen_next_output(s, conn);
	}
	while (s->ready != NULL) {
		struct conn *c = s->ready;
		fanout_forget(s, c);
		if (!c->is_blocked && conn_has_output(s, c)) {
			*conn = c->id;
			return true;
		}
	}
	while (s->marked != NULL) {
		struct partition *p = s->marked;
		struct conn *c = fanout_fan(s, p);
		if (c != NULL) {
			*conn = c->id;
			return true;
		}
		s->slice_used = 0;
		if (p->fan_next != NULL) {
			DL_DELETE2(s->marked, p, marked_prev, marked_next);
			DL_APPEND2(s->marked, p, marked_prev, marked_next);
		} else if (p->fan_again) {
			p->fan_again = false;
			p->fan_next = p->subscriptions;
		} else {
			/* All that can be written to have been. Frames that clients would resume from stay
			 * as long as they are clearly less than a full update. */
			update_log_keep(&p->log, p->full_bytes / 2);
			fanout_unmark(s, p);
		}
	}
	return false;
}

size_t server_output_turn(const struct server *s)
{
	return s->large_n > 0 ? OUTPUT_SLICE : OUTPUT_TURN;
}

static struct log_reader subscription_reader(const struct subscription *sub)
{
	return (struct log_reader){.id = conn_number(sub->conn), .wants_data = !sub->spares_data};
}

/* Whether the connection is being sent of it what there is. */
static bool subscription_is_read(const struct subscription *sub)
{
	return sub->conn != NULL && subscription_has_news(sub) && !subscription_fell_behind(sub);
}

size_t server_gather(struct server *s, struct conn_id conn, struct slice *out, size_t max)
{
	struct conn *c = conn_find(s, conn);
	size_t n = 0;
	if (c == NULL || max == 0) {
		return 0;
	}
	n = send_queue_gather(c, out, max);
	if (s->is_frozen) {
		return n;
	}
	for (const struct pass *pass = c->passes; pass != NULL && n < max; pass = pass->next) {
		const struct subscription *sub = &pass->subscription;
		if (!subscription_is_read(sub)) {
			continue;
		}
		if (sub->full != NULL) {
			out[n++] = slice_of(sub->full->bytes, sub->full->len);
		}
		const struct update_log *log = &sub->partition->log;
		const struct log_reader reader = subscription_reader(sub);
		for (uint64_t at = sub->at; at >= log->start && at < log->end && n < max;) {
			out[n++] = update_log_next(log, &reader, at, &at);
		}
	}
	return n;
}

/* ---- what has gone out ---- */

/* Run by run as they were gathered; the rest of a frame that was cut becomes the connection's
 * own. */
static bool wrote_log(struct server *s, struct subscription *sub, size_t *n)
{
	const struct update_log *log = &sub->partition->log;
	const struct log_reader reader = subscription_reader(sub);
	if (log->variant_bytes == 0 && *n >= log->end - sub->at) { /* all of it, the same for all */
		*n -= (size_t)(log->end - sub->at);
		sub->at = log->end;
		return true;
	}
	while (*n > 0 && sub->at >= log->start && sub->at < log->end) {
		uint64_t next;
		struct slice run = update_log_next(log, &reader, sub->at, &next);
		if (*n >= run.len) {
			*n -= run.len;
			sub->at = next;
			continue;
		}
		struct slice rest;
		sub->at = update_log_cut(log, &reader, sub->at, *n, &rest);
		*n = 0;
		return rest.len == 0 || send_queue_add(s, sub->conn, rest, true);
	}
	return true;
}

static void wrote_subscriptions(struct server *s, struct conn *c, size_t n)
{
	bool ok = true;
	for (struct pass *pass = c->passes; pass != NULL && n > 0 && ok; pass = pass->next) {
		struct subscription *sub = &pass->subscription;
		if (!subscription_is_read(sub)) {
			continue;
		}
		if (sub->full != NULL) {
			/* What is left of it is the connection's own, finished before anything else. */
			size_t sent = n < sub->full->len ? n : sub->full->len;
			ok = sent == sub->full->len ||
			     send_queue_quote(s, c, sub->full, sent, false);
			n -= sent;
			frame_unref(s, sub->full);
			sub->full = NULL;
		}
		if (ok && n > 0 && subscription_can_read_on(sub)) {
			ok = wrote_log(s, sub, &n);
		}
	}
	ASSERT(n == 0 || !ok);
	if (!ok) {
		conn_lose(s, c);
	}
}

void server_wrote(struct server *s, struct conn_id conn, size_t n, bool blocked, int64_t mono_ms)
{
	struct conn *c = conn_find(s, conn);
	if (c == NULL) {
		return;
	}
	s->counters.bytes_out += n;
	if (n > 0 || !c->is_blocked) {
		c->progress_mono = mono_ms;
	}
	n = send_queue_wrote(s, c, n);
	if (c->send_queue == NULL && c->topics != NULL) {
		topic_reset_slow(s, c);
	}
	if (n > 0) {
		wrote_subscriptions(s, c, n);
	}
	c->is_blocked = blocked;
	if (blocked) {
		s->to_relieve =
			s->to_relieve ||
			s->counters.out_bytes_now > (uint64_t)server_limit(s, LIMIT_OUT_BYTES_ALL);
		timers_set_earlier(&s->timers, &c->timer,
				   mono_ms + server_limit(s, LIMIT_STALL_MS));
	} else if (conn_has_output(s, c)) {
		fanout_ready(s, c);
	}
	conn_resume_soon(s, c);
}

void server_writable(struct server *s, struct conn_id conn)
{
	struct conn *c = conn_find(s, conn);
	if (c != NULL) {
		c->is_blocked = false;
		fanout_ready(s, c);
	}
}
