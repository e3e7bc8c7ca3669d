/*
 * stream_uv.c - connections: accepting, reading, writing, closing.
 *
 * Happy path: accept, give the core an event, read into the event loop's one buffer
 * and pass each piece to the core; write straight from the core's slices.
 *
 * The socket takes no more: one small piece is copied into a write request, so
 * that the loop says when there is room again, and the core keeps the rest; a
 * slow reader costs that piece and nothing else here.
 * End of file or an error of the peer: the connection ends, there are no half-open
 * ones.
 * Closing: unread bytes of the peer are discarded first, since the kernel would
 * answer them with a reset that may overtake the last notification.
 *
 * Connections to a web listener are the same, with stream_web_uv.c between their bytes and
 * the core's.
 *
 * A struct stream lives until the loop has closed its handle. All others name it
 * by slot and generation, so events of an earlier connection find nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "proto/base/assert.h"
#include "proto/base/wipe.h"
#include "server/net/event_loop_uv.h"

#define STREAM_BLOCKED_BYTES   2048
#define STREAM_SLOTS_FIRST     64
#define STREAM_DRAIN_READS_MAX 16
#define STREAM_SHAKING_BYTES   4096 /* of a read before the handshake is over: it may have to wait */

struct stream_blocked {
	uv_write_t request; /* .data is this */
	struct stream *stream;
	char bytes[STREAM_BLOCKED_BYTES];
};

struct event_loop *stream_loop(const struct stream *c)
{
	return c->uv.handle.loop->data;
}

struct conn_id stream_id(const struct stream *c)
{
	return (struct conn_id){c->slot, stream_loop(c)->streams.slots[c->slot].generation};
}

/* ---- table ---- */

static bool streams_enter(struct streams *cs, struct stream *c)
{
	if (cs->first_free == STREAM_NO_SLOT) {
		uint32_t n = cs->n == 0 ? STREAM_SLOTS_FIRST : cs->n * 2;
		struct stream_slot *grown = realloc(cs->slots, n * sizeof(*grown));
		if (grown == NULL) {
			return false;
		}
		cs->slots = grown;
		for (uint32_t i = n; i > cs->n; i--) {
			cs->slots[i - 1] = (struct stream_slot){NULL, 0, cs->first_free};
			cs->first_free = i - 1;
		}
		cs->n = n;
	}
	c->slot = cs->first_free;
	struct stream_slot *slot = &cs->slots[c->slot];
	slot->generation++;
	cs->first_free = slot->next_free;
	slot->stream = c;
	cs->open++;
	return true;
}

void streams_finish(struct streams *cs)
{
	ASSERT_CMP(cs->handles, ==, 0);
	free(cs->slots);
}

struct stream *stream_find(struct event_loop *loop, struct conn_id id)
{
	if (id.slot >= loop->streams.n) {
		return NULL;
	}
	const struct stream_slot *slot = &loop->streams.slots[id.slot];
	bool is_it = slot->stream != NULL && slot->generation == id.generation &&
		     !slot->stream->is_closing;
	return is_it ? slot->stream : NULL;
}

/* ---- closing ---- */

void stream_leave(struct stream *c)
{
	struct event_loop *loop = stream_loop(c);
	struct event e = {.kind = EVENT_CLOSED, .conn = stream_id(c)};
	event_loop_step(loop, &e);
	struct stream_slot *slot = &loop->streams.slots[c->slot];
	ASSERT(slot->stream == c);
	slot->stream = NULL;
	slot->next_free = loop->streams.first_free;
	loop->streams.first_free = c->slot;
	loop->streams.open--;
	c->slot = STREAM_NO_SLOT;
}

static void stream_on_close(uv_handle_t *handle)
{
	struct stream *c = handle->data;
	struct event_loop *loop = stream_loop(c);
	if (c->slot != STREAM_NO_SLOT) {
		stream_leave(c);
	}
	loop->streams.handles--;
	stream_tls_free(c);
	stream_web_free(c);
	free(c);
	stop_on_connections(loop);
}

void stream_drop(struct stream *c)
{
	uv_os_fd_t fd;
	if (c->is_closing) {
		return;
	}
	c->is_closing = true;
	stream_forward_drop(c);
	if (c->tls != NULL) {
		stream_tls_settle(c->tls);
	}
	bool is_open = uv_fileno(&c->uv.handle, &fd) == 0;
	if (is_open) {
		(void)shutdown(fd, SHUT_WR);
	}
	for (int i = 0; i < STREAM_DRAIN_READS_MAX && is_open; i++) {
		is_open = recv(fd, stream_loop(c)->read_bytes, EVENT_LOOP_READ_BYTES,
			       MSG_DONTWAIT) > 0;
	}
	uv_close(&c->uv.handle, stream_on_close);
}

void stream_close(struct stream *c)
{
	if (c->blocked == NULL && !c->is_closing) {
		stream_write(c);
		if (c->web != NULL && !c->is_closing) {
			stream_web_end(c);
		}
	}
	if (c->web != NULL && stream_web_lingers(c)) {
		return;
	}
	if (c->tls != NULL && c->blocked == NULL && !c->is_closing) {
		stream_tls_end(c);
	}
	stream_drop(c);
}

void stream_close_all(struct event_loop *loop)
{
	for (uint32_t i = 0; i < loop->streams.n; i++) {
		if (loop->streams.slots[i].stream != NULL) {
			stream_close(loop->streams.slots[i].stream);
		}
	}
}

/* ---- writing ---- */

static void stream_on_room(uv_write_t *request, int status)
{
	struct stream_blocked *b = request->data;
	struct stream *c = b->stream;
	c->blocked = NULL;
	stream_loop(c)->streams.blocked--;
	wipe(b->bytes, sizeof(b->bytes));
	free(b);
	if (c->is_closing) {
		return;
	}
	if (status != 0) {
		stream_drop(c);
		return;
	}
	if ((c->tls != NULL && !stream_tls_on_room(c)) ||
	    (c->web != NULL && !stream_web_on_room(c))) {
		return;
	}
	if (c->slot != STREAM_NO_SLOT) {
		server_writable(stream_loop(c)->server, stream_id(c));
		stream_loop(c)->is_dirty = true;
	}
	if (c->forward != NULL) {
		stream_forward_on_room(c);
	}
}

/*
 * The socket took `taken` bytes and no more: hand a copied piece of the rest to
 * the loop. Returns how many bytes it holds, or -1 where the connection has to be closed.
 */
static ssize_t stream_block(struct stream *c, const uv_buf_t *bufs, size_t n, size_t taken)
{
	struct stream_blocked *b = malloc(sizeof(*b));
	if (b == NULL) {
		return -1;
	}
	size_t len = 0;
	for (size_t i = 0; i < n && len < sizeof(b->bytes); i++) {
		size_t skip = taken < bufs[i].len ? taken : bufs[i].len;
		size_t part = bufs[i].len - skip;
		part = part < sizeof(b->bytes) - len ? part : sizeof(b->bytes) - len;
		memcpy(b->bytes + len, bufs[i].base + skip, part);
		len += part;
		taken -= skip;
	}
	b->stream = c;
	b->request.data = b;
	uv_buf_t buf = uv_buf_init(b->bytes, (unsigned)len);
	if (uv_write(&b->request, &c->uv.stream, &buf, 1, stream_on_room) != 0) {
		free(b);
		return -1;
	}
	c->blocked = b;
	stream_loop(c)->streams.blocked++;
	return (ssize_t)len;
}

/* libuv's buffers are not const, though writing only reads them. */
static uv_buf_t stream_uv_buf(struct slice bytes)
{
	union {
		const char *in;
		char *out;
	} base = {.in = bytes.data};
	return uv_buf_init(base.out, (unsigned)bytes.len);
}

enum stream_wrote stream_send(struct stream *c, const struct slice *slices, size_t n, size_t *sent)
{
	uv_buf_t bufs[STREAM_SLICES_MAX];
	size_t total = 0;
	for (size_t i = 0; i < n; i++) {
		bufs[i] = stream_uv_buf(slices[i]);
		total += slices[i].len;
	}
	int took = uv_try_write(&c->uv.stream, bufs, (unsigned)n);
	*sent = took > 0 ? (size_t)took : 0;
	if (*sent == total) {
		return STREAM_WROTE_ALL;
	}
	bool failed = took < 0 && took != UV_EAGAIN;
	ssize_t copied = failed || c->is_closing ? -1 : stream_block(c, bufs, n, *sent);
	if (copied < 0) {
		return failed || !c->is_closing ? STREAM_WROTE_FAILED : STREAM_WROTE_SOME;
	}
	*sent += (size_t)copied;
	return STREAM_WROTE_SOME;
}

enum stream_wrote stream_send_secure(struct stream *c, const struct slice *slices, size_t n,
				     size_t *sent)
{
	return c->tls != NULL ? stream_tls_send(c, slices, n, sent)
			      : stream_send(c, slices, n, sent);
}

size_t stream_gather(struct stream *c, struct slice out[STREAM_SLICES_MAX], bool *is_forwarded)
{
	size_t n = server_gather(stream_loop(c)->server, stream_id(c), out, STREAM_SLICES_MAX);
	*is_forwarded = n == 0 && c->forward != NULL;
	return *is_forwarded ? stream_forward_gather(c, out) : n;
}

void stream_took(struct stream *c, size_t n, bool is_forwarded, bool is_blocked)
{
	struct event_loop *loop = stream_loop(c);
	if (is_forwarded) {
		stream_forward_wrote(c, n);
	} else {
		server_wrote(loop->server, stream_id(c), n, is_blocked, event_loop_mono_ms(loop));
	}
}

void stream_write(struct stream *c)
{
	struct slice slices[STREAM_SLICES_MAX];
	enum stream_wrote wrote = STREAM_WROTE_ALL;
	size_t n = 0;
	if (c->web != NULL) {
		stream_web_write(c);
		return;
	}
	bool is_forwarded = false;
	do {
		size_t sent = 0;
		n = stream_gather(c, slices, &is_forwarded);
		if (n > 0) {
			wrote = stream_send_secure(c, slices, n, &sent);
			stream_took(c, sent, is_forwarded, wrote != STREAM_WROTE_ALL);
		}
		/* Fewer were all there is, of the core's. */
	} while ((n == STREAM_SLICES_MAX || (n > 0 && !is_forwarded && c->forward != NULL)) &&
		 wrote == STREAM_WROTE_ALL);
	if (wrote == STREAM_WROTE_FAILED) {
		stream_drop(c);
	}
}

/* ---- reading ---- */

static void stream_on_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	(void)suggested;
	const struct stream *c = handle->data;
	bool is_shaking = c->tls != NULL && c->tls->is_shaking;
	*buf = uv_buf_init(stream_loop(c)->read_bytes,
			   is_shaking ? STREAM_SHAKING_BYTES : EVENT_LOOP_READ_BYTES);
}

void stream_pass_bytes(struct stream *c, struct slice bytes)
{
	if (c->forward != NULL) {
		stream_forward_bytes(c, bytes);
		return;
	}
	struct event e = {.kind = EVENT_BYTES, .conn = stream_id(c), .bytes = bytes};
	event_loop_step(stream_loop(c), &e);
}

void stream_pass_eof(struct stream *c)
{
	if (c->forward != NULL) {
		stream_forward_eof(c);
		return;
	}
	struct event e = {.kind = EVENT_EOF, .conn = stream_id(c)};
	event_loop_step(stream_loop(c), &e);
}

void stream_on_bytes(struct stream *c, struct slice bytes)
{
	if (c->web != NULL) {
		stream_web_on_bytes(c, bytes);
	} else {
		stream_pass_bytes(c, bytes);
	}
}

/* The peer may have shut down only its sending side, as `nc -N` does after its input. */
void stream_on_eof(struct stream *c)
{
	(void)uv_read_stop(&c->uv.stream);
	if (c->web != NULL) {
		stream_web_on_eof(c);
	} else {
		stream_pass_eof(c);
	}
}

static void stream_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct stream *c = stream->data;
	if (n < 0 && c->slot == STREAM_NO_SLOT) {
		stream_drop(c); /* in its handshake */
	} else if (n == UV_EOF) {
		stream_on_eof(c);
	} else if (n < 0) {
		stream_close(c);
	} else if (n > 0 && c->tls != NULL) {
		stream_tls_on_bytes(c, slice_of(buf->base, (size_t)n));
	} else if (n > 0) {
		stream_on_bytes(c, slice_of(buf->base, (size_t)n));
		wipe(buf->base, (size_t)n);
	}
}

void stream_follow(struct stream *c)
{
	if (c->is_closing) {
		return;
	}
	if (c->is_paused || !stream_loop(c)->is_reading || (c->tls != NULL && c->tls->is_waiting) ||
	    (c->web != NULL && stream_web_is_held(c)) || stream_forward_holds(c)) {
		(void)uv_read_stop(&c->uv.stream);
		return;
	}
	int failed = uv_read_start(&c->uv.stream, stream_on_buffer, stream_on_read);
	if (failed == 0 && c->web != NULL) {
		stream_web_is_read(c);
	}
	if (failed != 0 && failed != UV_EALREADY) {
		stream_drop(c);
	}
}

void stream_set_paused(struct stream *c, bool is_paused)
{
	c->is_paused = is_paused;
	stream_follow(c);
}

void stream_set_reading_all(struct event_loop *loop)
{
	for (uint32_t i = 0; i < loop->streams.n; i++) {
		if (loop->streams.slots[i].stream != NULL) {
			stream_follow(loop->streams.slots[i].stream);
		}
	}
	handshakes_follow_all(loop);
}

/* ---- accepting ---- */

struct slice stream_refusal(struct event_loop *loop, bool is_web)
{
	return is_web ? stream_http_refusal(&loop->webs) : buf_slice(&loop->refusal);
}

bool stream_enter(struct stream *c, const struct peer *peer)
{
	struct event_loop *loop = stream_loop(c);
	bool is_full = loop->streams.open >= loop->connections_max;
	if (is_full || !streams_enter(&loop->streams, c)) {
		server_counters(loop->server)->connections_refused++;
		loop->refused_why = is_full ? "limit connections" : "out of memory";
		if (c->tls == NULL) {
			struct slice refusal = stream_refusal(loop, c->web != NULL);
			uv_buf_t buf = stream_uv_buf(refusal);
			(void)uv_try_write(&c->uv.stream, &buf, 1);
		}
		stream_drop(c);
		return false;
	}
	stop_on_connections(loop);
	struct event e = {.kind = EVENT_OPEN, .conn = stream_id(c), .peer = *peer};
	if (c->web != NULL) {
		e.peer = stream_web_peer(c, peer);
	}
	event_loop_step(loop, &e);
	return true;
}

bool stream_accept(struct event_loop *loop, uv_stream_t *listener, const struct listening *socket)
{
	size_t handle_bytes = socket->is_unix ? sizeof(uv_pipe_t) : sizeof(uv_tcp_t);
	struct stream *c = calloc(1, offsetof(struct stream, uv) + handle_bytes);
	struct peer peer;
	uv_os_fd_t fd;
	if (c == NULL) {
		return false;
	}
	c->slot = STREAM_NO_SLOT;
	listeners_init_handle(loop, &c->uv, socket->is_unix);
	c->uv.handle.data = c;
	loop->streams.handles++;
	if (uv_accept(listener, &c->uv.stream) != 0 || uv_fileno(&c->uv.handle, &fd) != 0 ||
	    !peer_identify(fd, &peer) || (socket->is_web && !stream_web_begin(c, fd))) {
		stream_drop(c);
	} else if (socket->is_tls ? stream_tls_begin(c, &peer, socket->is_node)
				  : stream_enter(c, &peer)) {
		stream_follow(c);
	} else {
		stream_drop(c);
	}
	return true;
}
