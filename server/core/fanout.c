/*
 * fanout.c - who is written to next, and what.
 *
 * What a connection is sent, in this order: the rest of a full update that went
 * out in part, its own words, then for each room it follows a full update (if
 * it begins or fell behind) and the log from its cursor on. Words and frames
 * that are there at the same time leave in one write.
 *
 * A write that ends inside a frame copies that frame's rest to the connection's
 * own words, so a cursor always stands at a frame's beginning and the log may
 * move on without it. A full update is not copied: its rest is quoted.
 */
#include "server/core/topic.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"

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

void output_ready(struct server *s, struct conn *c)
{
	if (!c->is_ready && !c->is_blocked) {
		c->is_ready = true;
		DL_APPEND2(s->ready, c, ready_prev, ready_next);
	}
}

void output_forget(struct server *s, struct conn *c)
{
	if (c->is_ready) {
		c->is_ready = false;
		DL_DELETE2(s->ready, c, ready_prev, ready_next);
	}
}

void output_mark(struct server *s, struct partition *p)
{
	if (p->watches == NULL) {
		return;
	}
	if (p->is_marked) {
		p->fan_again = true;
		return;
	}
	p->is_marked = true;
	p->is_large = p->watches_n > OUTPUT_TURN;
	p->fan_next = p->watches;
	s->large_n += p->is_large;
	DL_APPEND2(s->marked, p, marked_prev, marked_next);
}

void output_unmark(struct server *s, struct partition *p)
{
	p->is_marked = false;
	p->fan_again = false;
	p->fan_next = NULL;
	s->large_n -= p->is_large;
	DL_DELETE2(s->marked, p, marked_prev, marked_next);
}

/*
 * Everybody who reads has read. What stays is for those who come back: as long as
 * the frames they missed are clearly less than everything anew.
 */
static void output_end_fan(struct server *s, struct partition *p)
{
	update_log_keep(&p->log, p->full_bytes / 2);
	output_unmark(s, p);
}

/* The log holds what comes after its cursor; where it has moved past, only everything anew helps.
 */
static bool watch_can_read_on(const struct watch *w)
{
	return w->at >= w->partition->log.start && w->at < w->partition->log.end;
}

static bool watch_has_news(const struct watch *w)
{
	return w->state == WATCH_LIVE && (w->full != NULL || watch_can_read_on(w));
}

/* The log has moved past it, or words for it alone were not kept; in the lobby there are no others.
 */
static bool watch_fell_behind(const struct watch *w)
{
	bool is_past = w->at < w->partition->log.start;
	if ((!is_past && !w->missed_tell) || w->is_ending) {
		return false;
	}
	return w->state == WATCH_LIVE || (w->state == WATCH_NEW && w->is_told && w->missed_tell);
}

/* Whether there is something to write now; what fell behind begins anew and has something later. */
static bool watch_has_output(struct server *s, struct watch *w)
{
	if (watch_fell_behind(w)) {
		watch_start_over(s, w);
	}
	return watch_has_news(w);
}

static bool conn_has_output(struct server *s, struct conn *c)
{
	bool has = c->outbox != NULL;
	for (struct pass *pass = c->passes; pass != NULL; pass = pass->next) {
		has = (pass->watch.conn != NULL && watch_has_output(s, &pass->watch)) || has;
	}
	return has;
}

/* The next watcher of the partition in front whose connection can be written to. */
static struct conn *output_fan(struct server *s, struct partition *p)
{
	const unsigned slice = p->is_large ? OUTPUT_SLICE : OUTPUT_TURN;
	while (p->fan_next != NULL && s->slice_used < slice) {
		struct watch *w = p->fan_next;
		p->fan_next = w->next;
		s->slice_used++;
		if (!w->conn->is_blocked && watch_has_output(s, w)) {
			return w->conn;
		}
	}
	return NULL;
}

static struct conn *output_from_ready(struct server *s)
{
	while (s->ready != NULL) {
		struct conn *c = s->ready;
		output_forget(s, c);
		if (!c->is_blocked && conn_has_output(s, c)) {
			return c;
		}
	}
	return NULL;
}

static struct conn *output_from_marked(struct server *s)
{
	while (s->marked != NULL) {
		struct partition *p = s->marked;
		struct conn *c = output_fan(s, p);
		if (c != NULL) {
			return c;
		}
		s->slice_used = 0;
		if (p->fan_next != NULL) {
			DL_DELETE2(s->marked, p, marked_prev, marked_next);
			DL_APPEND2(s->marked, p, marked_prev, marked_next);
		} else if (p->fan_again) {
			p->fan_again = false;
			p->fan_next = p->watches;
		} else {
			output_end_fan(s, p);
		}
	}
	return NULL;
}

bool server_next_output(struct server *s, struct conn_id *conn)
{
	struct conn *c = output_from_ready(s);
	c = c == NULL ? output_from_marked(s) : c;
	if (c == NULL) {
		return false;
	}
	*conn = c->id;
	return true;
}

size_t server_output_turn(const struct server *s)
{
	return s->large_n > 0 ? OUTPUT_SLICE : OUTPUT_TURN;
}

static struct log_reader watch_reader(const struct watch *w)
{
	return (struct log_reader){.id = conn_number(w->conn), .wants_data = !w->spares_data};
}

/* Whether the connection is being sent of it what there is. */
static bool watch_is_read(const struct watch *w)
{
	return w->conn != NULL && watch_has_news(w) && !watch_fell_behind(w);
}

static size_t gather_log(const struct watch *w, struct slice *out, size_t max)
{
	const struct update_log *log = &w->partition->log;
	const struct log_reader reader = watch_reader(w);
	size_t n = 0;
	for (uint64_t at = w->at; at >= log->start && at < log->end && n < max;) {
		out[n++] = update_log_next(log, &reader, at, &at);
	}
	return n;
}

size_t server_gather(struct server *s, struct conn_id conn, struct slice *out, size_t max)
{
	struct conn *c = conn_find(s, conn);
	size_t n = 0;
	if (c == NULL || max == 0) {
		return 0;
	}
	n = outbox_gather(c, out, max);
	for (const struct pass *pass = c->passes; pass != NULL && n < max; pass = pass->next) {
		const struct watch *w = &pass->watch;
		if (!watch_is_read(w)) {
			continue;
		}
		if (w->full != NULL) {
			out[n++] = slice_of(w->full->bytes, w->full->len);
		}
		n += gather_log(w, out + n, max - n);
	}
	return n;
}

/* ---- what has gone out ---- */

/* What is left of the full update is the connection's own: it is finished before anything else is
 * sent. */
static bool wrote_full(struct server *s, struct watch *w, size_t *n)
{
	bool ok = true;
	if (*n >= w->full->len) {
		*n -= w->full->len;
	} else {
		ok = outbox_quote(s, w->conn, w->full, *n, false);
		*n = 0;
	}
	frame_unref(s, w->full);
	w->full = NULL;
	return ok;
}

/* Run by run as they were gathered; the rest of a frame that was cut becomes the connection's own
 * words. */
static bool wrote_log(struct server *s, struct watch *w, size_t *n)
{
	const struct update_log *log = &w->partition->log;
	const struct log_reader reader = watch_reader(w);
	if (log->variant_bytes == 0 && *n >= log->end - w->at) { /* all of it, the same for all */
		*n -= (size_t)(log->end - w->at);
		w->at = log->end;
		return true;
	}
	while (*n > 0 && w->at >= log->start && w->at < log->end) {
		uint64_t next;
		struct slice run = update_log_next(log, &reader, w->at, &next);
		if (*n >= run.len) {
			*n -= run.len;
			w->at = next;
			continue;
		}
		struct slice rest;
		w->at = update_log_cut(log, &reader, w->at, *n, &rest);
		*n = 0;
		return rest.len == 0 || outbox_add(s, w->conn, rest, true);
	}
	return true;
}

static void wrote_watches(struct server *s, struct conn *c, size_t n)
{
	bool ok = true;
	for (struct pass *pass = c->passes; pass != NULL && n > 0 && ok; pass = pass->next) {
		struct watch *w = &pass->watch;
		if (!watch_is_read(w)) {
			continue;
		}
		if (w->full != NULL) {
			ok = wrote_full(s, w, &n);
		}
		if (ok && n > 0 && watch_can_read_on(w)) {
			ok = wrote_log(s, w, &n);
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
	n = outbox_wrote(s, c, n);
	if (c->outbox == NULL && c->subscriptions != NULL) {
		topic_reset_slow(s, c);
	}
	if (n > 0) {
		wrote_watches(s, c, n);
	}
	c->is_blocked = blocked;
	if (blocked) {
		s->to_relieve =
			s->to_relieve ||
			s->counters.out_bytes_now > (uint64_t)server_limit(s, LIMIT_OUT_BYTES_ALL);
		timers_set_earlier(&s->timers, &c->timer,
				   mono_ms + server_limit(s, LIMIT_STALL_MS));
	} else if (conn_has_output(s, c)) {
		output_ready(s, c);
	}
	conn_resume_soon(s, c);
}

void server_writable(struct server *s, struct conn_id conn)
{
	struct conn *c = conn_find(s, conn);
	if (c != NULL) {
		c->is_blocked = false;
		output_ready(s, c);
	}
}
