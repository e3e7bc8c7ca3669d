/*
 * send_queue.c - what a connection alone is to be sent: its own messages, and among
 * them full updates that many share, quoted and not copied.
 *
 * Most connections have nothing in it at any moment, so they have none; those
 * that were emptied are kept for the next ones, with their memory where it is
 * small.
 *
 * What all of them hold together has a limit, OUT_BYTES_ALL: messages by the memory
 * they take, a shared frame once. Beyond it the connections whose peers take
 * nothing end, before anybody else is refused anything.
 */
#include "server/core/conns/send_queue.h"

#include <stdlib.h>

#include <utlist.h>

#include "server/core/conns/conn.h"
#include "server/core/rooms/subscription.h"
#include "server/core/server_priv.h"

/*
 * Reading waits when OUT_BYTES are owed, so what can be here at once is that
 * and one answer more; the largest is a page with one round of a full room.
 */
#define SEND_QUEUE_BYTES_MAX   (MAX_OUT_BYTES + ((size_t)16 << 20))
#define SEND_QUEUE_SPARE_MAX   256 /* as many as one turn fills */
#define SEND_QUEUE_SPARE_BYTES 1024

/* Its send queue, made where there is none; NULL when memory is out. */
static struct send_queue *send_queue_of(struct server *s, struct conn *c)
{
	if (c->send_queue != NULL) {
		return c->send_queue;
	}
	struct send_queue *box = s->spare_send_queues;
	if (box != NULL) {
		LL_DELETE(s->spare_send_queues, box);
		s->spare_send_queues_n--;
	} else if ((box = calloc(1, sizeof(*box))) == NULL) {
		return NULL;
	}
	box->messages.max = SEND_QUEUE_BYTES_MAX;
	s->counters.out_bytes_now += box->messages.capacity;
	c->send_queue = box;
	return box;
}

bool send_queue_add(struct server *s, struct conn *c, struct slice bytes, bool is_begun)
{
	struct send_queue *box = send_queue_of(s, c);
	if (box == NULL) {
		return false;
	}
	size_t before = box->messages.capacity;
	bool ok = buf_append_slice(&box->messages, bytes) == OK;
	s->counters.out_bytes_now += box->messages.capacity - before;
	box->is_begun = box->is_begun || is_begun;
	return ok;
}

bool send_queue_quote(struct server *s, struct conn *c, struct frame *f, size_t from,
		      bool is_answer)
{
	struct send_queue *box = send_queue_of(s, c);
	struct quote *q = box == NULL ? NULL : malloc(sizeof(*q));
	if (q == NULL) {
		return false;
	}
	*q = (struct quote){.frame = frame_ref(f),
			    .from = from,
			    .at = box->messages.len,
			    .is_answer = is_answer};
	LL_APPEND(box->quotes, q);
	box->answers += is_answer ? f->len - from : 0;
	box->is_begun = box->is_begun || !is_answer;
	return true;
}

static void send_queue_unquote(struct server *s, struct send_queue *box)
{
	struct quote *q = box->quotes;
	box->answers -= q->is_answer ? q->frame->len - q->from : 0;
	LL_DELETE(box->quotes, q);
	frame_unref(s, q->frame);
	free(q);
}

static void send_queue_destroy(struct send_queue *box)
{
	buf_finish(&box->messages);
	free(box);
}

void send_queue_drop(struct server *s, struct conn *c)
{
	struct send_queue *box = c->send_queue;
	if (box == NULL) {
		return;
	}
	c->send_queue = NULL;
	while (box->quotes != NULL) {
		send_queue_unquote(s, box);
	}
	s->counters.out_bytes_now -= box->messages.capacity;
	box->is_begun = false;
	buf_clear(&box->messages);
	if (s->spare_send_queues_n >= SEND_QUEUE_SPARE_MAX ||
	    box->messages.capacity > SEND_QUEUE_SPARE_BYTES) {
		send_queue_destroy(box);
		return;
	}
	LL_PREPEND(s->spare_send_queues, box);
	s->spare_send_queues_n++;
}

void send_queue_finish(struct server *s)
{
	while (s->spare_send_queues != NULL) {
		struct send_queue *box = s->spare_send_queues;
		LL_DELETE(s->spare_send_queues, box);
		send_queue_destroy(box);
	}
}

size_t send_queue_own(const struct conn *c)
{
	return c->send_queue == NULL ? 0 : c->send_queue->messages.len;
}

size_t send_queue_len(const struct conn *c)
{
	return c->send_queue == NULL ? 0 : c->send_queue->messages.len + c->send_queue->answers;
}

size_t send_queue_gather(const struct conn *c, struct slice *out, size_t max)
{
	const struct send_queue *box = c->send_queue;
	size_t n = 0;
	size_t at = 0;
	if (box == NULL) {
		return 0;
	}
	for (const struct quote *q = box->quotes; q != NULL && n < max; q = q->next) {
		if (q->at > at) {
			out[n++] = slice_of(box->messages.data + at, q->at - at);
			at = q->at;
		}
		if (n < max) {
			out[n++] = slice_of(q->frame->bytes + q->from, q->frame->len - q->from);
		}
	}
	if (box->messages.len > at && n < max) {
		out[n++] = slice_of(box->messages.data + at, box->messages.len - at);
	}
	return n;
}

static size_t take(size_t *n, size_t have)
{
	size_t taken = *n < have ? *n : have;
	*n -= taken;
	return taken;
}

size_t send_queue_wrote(struct server *s, struct conn *c, size_t n)
{
	struct send_queue *box = c->send_queue;
	size_t words = 0;
	struct quote *q;
	if (box == NULL) {
		return n;
	}
	box->is_begun = box->is_begun || n > 0;
	while (box->quotes != NULL) {
		q = box->quotes;
		words += take(&n, q->at - words);
		if (words < q->at) {
			break;
		}
		size_t of_frame = take(&n, q->frame->len - q->from);
		q->from += of_frame;
		box->answers -= q->is_answer ? of_frame : 0;
		if (q->from < q->frame->len) {
			break;
		}
		send_queue_unquote(s, box);
	}
	words += box->quotes == NULL ? take(&n, box->messages.len - words) : 0;
	buf_drop(&box->messages, words);
	LL_FOREACH (box->quotes, q) {
		q->at -= words;
	}
	if (box->quotes == NULL && box->messages.len == 0) {
		send_queue_drop(s, c);
	}
	return n;
}

/* ---- all of them together ---- */

/* A connection that could be closed to free memory. */
struct hoarder {
	struct conn *conn;
	uint64_t weight; /* what it holds, times how long its peer has taken nothing */
};

static size_t conn_holds(const struct conn *c)
{
	size_t bytes = 0;
	if (c->send_queue != NULL) {
		const struct quote *q;
		bytes = c->send_queue->messages.capacity;
		LL_FOREACH (c->send_queue->quotes, q) {
			bytes += q->frame->len - q->from;
		}
	}
	for (const struct pass *pass = c->passes; pass != NULL; pass = pass->next) {
		bytes += pass->subscription.full == NULL ? 0 : pass->subscription.full->len;
	}
	return bytes;
}

static int hoarder_by_weight(const void *a, const void *b)
{
	const struct hoarder *x = a;
	const struct hoarder *y = b;
	if (x->weight != y->weight) {
		return x->weight > y->weight ? -1 : 1;
	}
	return (x->conn->id.slot > y->conn->id.slot) - (x->conn->id.slot < y->conn->id.slot);
}

/* The reason is written where no message has gone out in part. */
static void hoarder_end(struct server *s, struct conn *c)
{
	bool is_begun = c->send_queue == NULL || c->send_queue->is_begun;
	s->counters.connections_shed++;
	server_log(s, LOG_WARN, "event=shed conn=%u.%u bytes=%zu idle_ms=%lld", c->id.slot,
		   c->id.generation, conn_holds(c), (long long)(s->now.mono_ms - c->progress_mono));
	send_queue_drop(s, c);
	if (is_begun) {
		conn_lose(s, c);
	} else {
		conn_end(s, c,
			 "the server's queues are full and you were not reading; connect again");
	}
}

void send_queue_relieve(struct server *s)
{
	uint64_t most = (uint64_t)server_limit(s, LIMIT_OUT_BYTES_ALL);
	if (!s->to_relieve || s->counters.out_bytes_now <= most) {
		s->to_relieve = false;
		return;
	}
	struct hoarder *all = arena_alloc(&s->scratch, s->conns_n * sizeof(*all));
	size_t n = 0;
	/* Peers that take what they are sent are not among them, however much that is. */
	for (size_t i = 0; all != NULL && i < s->conns_capacity; i++) {
		struct conn *c = s->conns[i];
		size_t bytes = c == NULL || !c->is_blocked || c->is_closing ? 0 : conn_holds(c);
		if (bytes > 0) {
			int64_t idle_ms = s->now.mono_ms - c->progress_mono;
			all[n++] = (struct hoarder){c, bytes * (uint64_t)(idle_ms + 1)};
		}
	}
	if (n > 0) {
		qsort(all, n, sizeof(*all), hoarder_by_weight);
	}
	/* A little further than needed, so that the next is not at once. */
	for (size_t i = 0; i < n && s->counters.out_bytes_now > most - most / 8; i++) {
		hoarder_end(s, all[i].conn);
	}
	s->to_relieve = false;
}
