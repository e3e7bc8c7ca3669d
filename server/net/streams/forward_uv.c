/*
 * forward_uv.c - connections that are forwarded to another node: what lies between a client's
 * connection and one that is opened for it to its room's home.
 *
 * Happy path: the home's address is looked up, connected to, and shaken hands with, by the key that
 * the nodes have in common; then the preface and what the client has sent leaves, and from then on
 * bytes are moved, encrypted on the way, and looked at by nobody here. To and from the client they
 * take the way that those of the core take, so it may use TLS or a WebSocket.
 *
 * The home cannot be reached in time: the core is told, which refuses the hello.
 * One side takes no more: the other one is read again when there is room, so that slow readers and
 * those that send too much are the home's to judge.
 * The client sends no more: so does this, and the home answers what it has. The home sends no more:
 * the client is closed when it has all. Either is reset, or dropped here: so is the other.
 * Silence of the home's machine is found by the kernel (socket_watch_peer()), and by the list of
 * nodes.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/base/wipe.h"
#include "proto/keys/key_hash.h"
#include "proto/text/host_port.h"
#include "server/net/event_loop_uv.h"

#define FORWARD_CONNECT_MS 2500
/* So much may wait for the one side before the other is not read. */
#define FORWARD_HELD_BYTES 131072

struct forward {
	struct stream *client; /* NULL: gone */
	struct event_loop *loop;
	uint64_t ticket;
	struct tls_channel *channel;
	struct buf first; /* for the home, until it is there */
	struct buf in;	  /* for the client: what it did not take when it came */
	struct slice
		fresh;	 /* for the client, behind `in`: what has just come, only while it does */
	struct buf rest; /* the write request's, until its callback */
	union stream_handle uv; /* of TCP */
	uv_timer_t timer;
	uv_getaddrinfo_t lookup;
	uv_connect_t connecting;
	uv_write_t writing;
	unsigned handles; /* of uv, timer and lookup, those that libuv has not let go of */
	bool is_looking;
	bool is_writing;
	bool is_open;
	bool is_held;	  /* the home is not read: too much waits for the client */
	bool is_eof;	  /* the client sends no more */
	bool has_said_so; /* and the home knows */
	bool has_ended;	  /* the home sends no more */
};

/* ---- ends ---- */

static void forward_let_go(struct forward *f)
{
	struct event_loop *loop = f->loop;
	if (--f->handles > 0) {
		return;
	}
	tls_channel_free(f->channel);
	wipe(f->first.data, f->first.len);
	wipe(f->in.data, f->in.len);
	buf_finish(&f->first);
	buf_finish(&f->in);
	buf_finish(&f->rest);
	free(f);
	loop->streams.handles--;
	stop_on_connections(loop);
}

static void forward_on_close(uv_handle_t *handle)
{
	forward_let_go(handle->data);
}

/* The client is another's, or nobody's, from now on. The home is told at once that it is gone. */
static void forward_end(struct forward *f)
{
	f->client->forward = NULL;
	f->client = NULL;
	if (f->is_looking) {
		/* Where it is too late to cancel, its callback comes all the same. */
		(void)uv_cancel((uv_req_t *)&f->lookup);
	}
	uv_close((uv_handle_t *)&f->timer, forward_on_close);
	if (f->has_ended || uv_tcp_close_reset(&f->uv.tcp, forward_on_close) != 0) {
		uv_close(&f->uv.handle, forward_on_close);
	}
}

void stream_forward_drop(struct stream *c)
{
	if (c->forward != NULL) {
		forward_end(c->forward);
	}
}

/* Before anything has left. */
static void forward_fail(struct forward *f, const char *why)
{
	struct event_loop *loop = f->loop;
	struct event e = {.kind = EVENT_UNREACHED,
			  .conn = stream_id(f->client),
			  .ticket = f->ticket};
	log_pair(loop->config.log, LOG_WARN, "forward_failed", "reason", why);
	forward_end(f);
	event_loop_step(loop, &e);
}

/* The connection to the home is broken. */
static void forward_break(struct forward *f, const char *why)
{
	if (!f->is_open) {
		forward_fail(f, why);
		return;
	}
	log_pair(f->loop->config.log, LOG_DEBUG, "forward_ended", "reason", why);
	stream_drop(f->client);
}

/* ---- to the home ---- */

static size_t forward_waiting(const struct forward *f)
{
	return f->is_open ? tls_channel_output(f->channel).len + f->rest.len : f->first.len;
}

static bool forward_flush(struct forward *f);

static void forward_on_written(uv_write_t *request, int status)
{
	struct forward *f = request->data;
	f->is_writing = false;
	buf_clear(&f->rest);
	if (f->client == NULL) {
		return;
	}
	if (status < 0 || !forward_flush(f)) {
		forward_break(f, status < 0 ? uv_strerror(status) : "writing failed");
		return;
	}
	stream_follow(f->client);
}

/* Send what is encrypted, as far as the socket takes it; the rest becomes the write request's. */
static bool forward_flush(struct forward *f)
{
	struct slice waits = tls_channel_output(f->channel);
	if (waits.len == 0 || f->is_writing) {
		return true;
	}
	union {
		const char *in;
		char *out;
	} bytes = {.in = waits.data}; /* libuv's buffers are not const */
	uv_buf_t buf = uv_buf_init(bytes.out, (unsigned)waits.len);
	int taken = uv_try_write(&f->uv.stream, &buf, 1);
	taken = taken == UV_EAGAIN ? 0 : taken;
	if (taken < 0) {
		return false;
	}
	bool is_good = true;
	if ((size_t)taken < waits.len) {
		is_good = buf_append(&f->rest, waits.data + taken, waits.len - (size_t)taken) == OK;
		uv_buf_t rest = uv_buf_init(f->rest.data, (unsigned)f->rest.len);
		is_good = is_good &&
			  uv_write(&f->writing, &f->uv.stream, &rest, 1, forward_on_written) == 0;
		f->is_writing = is_good;
	}
	tls_channel_sent(f->channel, waits.len);
	return is_good;
}

/* A record at a time, so that none is larger than the socket's room asks for. */
static bool forward_send(struct forward *f, struct slice bytes)
{
	bool is_good = true;
	while (bytes.len > 0 && is_good) {
		size_t len = bytes.len < TLS_RECORD_BYTES ? bytes.len : TLS_RECORD_BYTES;
		is_good = tls_channel_write(f->channel, slice_of(bytes.data, len)) == OK &&
			  forward_flush(f);
		bytes = slice_of(bytes.data + len, bytes.len - len);
	}
	if (is_good && f->is_eof && !f->has_said_so) {
		f->has_said_so = true;
		tls_channel_end(f->channel);
		is_good = forward_flush(f);
	}
	return is_good;
}

void stream_forward_bytes(struct stream *c, struct slice bytes)
{
	struct forward *f = c->forward;
	event_loop_turn_begins(f->loop);
	server_counters(f->loop->server)->forwarded_in += bytes.len;
	bool is_good =
		f->is_open ? forward_send(f, bytes) : buf_append_slice(&f->first, bytes) == OK;
	if (!is_good) {
		forward_break(f, "writing failed");
	} else if (forward_waiting(f) > FORWARD_HELD_BYTES) {
		stream_follow(c);
	}
}

void stream_forward_eof(struct stream *c)
{
	struct forward *f = c->forward;
	f->is_eof = true;
	if (f->is_open && !forward_send(f, (struct slice){0})) {
		forward_break(f, "writing failed");
	}
}

bool stream_forward_holds(const struct stream *c)
{
	return c->forward != NULL && forward_waiting(c->forward) > FORWARD_HELD_BYTES;
}

/* ---- to the client ---- */

static void forward_read(struct forward *f);

size_t stream_forward_gather(const struct stream *c, struct slice out[2])
{
	const struct forward *f = c->forward;
	size_t n = 0;
	if (f != NULL && f->in.len > 0) {
		out[n++] = buf_slice(&f->in);
	}
	if (f != NULL && f->fresh.len > 0) {
		out[n++] = f->fresh;
	}
	return n;
}

void stream_forward_wrote(struct stream *c, size_t n)
{
	struct forward *f = c->forward;
	size_t of_in = n < f->in.len ? n : f->in.len;
	server_counters(f->loop->server)->forwarded_out += n;
	wipe(f->in.data, of_in);
	buf_drop(&f->in, of_in);
	f->fresh = slice_of(f->fresh.data + (n - of_in), f->fresh.len - (n - of_in));
}

/* The client has taken what it takes now. */
static void forward_settle(struct forward *f)
{
	if (f->has_ended && f->client->blocked == NULL) { /* part of a message may be left */
		stream_close(f->client);
		return;
	}
	bool holds = f->in.len > FORWARD_HELD_BYTES;
	if (holds != f->is_held && !f->has_ended) {
		f->is_held = holds;
		if (holds) {
			(void)uv_read_stop(&f->uv.stream);
		} else {
			forward_read(f);
		}
	}
}

void stream_forward_on_room(struct stream *c)
{
	if (c->blocked == NULL) {
		stream_write(c);
	}
	if (c->forward != NULL) {
		forward_settle(c->forward);
	}
}

/* What has come goes on as it is, and only what is not taken at once is kept. */
static void forward_pass(struct forward *f, struct slice bytes)
{
	struct stream *c = f->client;
	f->fresh = bytes;
	if (c->blocked == NULL) {
		stream_write(c);
	}
	if (c->forward != f) {
		return; /* it was dropped */
	}
	bool is_kept = f->fresh.len == 0 || buf_append_slice(&f->in, f->fresh) == OK;
	f->fresh = (struct slice){0};
	if (!is_kept) {
		forward_break(f, "too much waits for the client");
	}
}

/* ---- from the home ---- */

/* The home has proved the key, and nothing was lost that it has not. */
static bool forward_begin(struct forward *f)
{
	struct buf first = f->first;
	f->is_open = true;
	(void)uv_timer_stop(&f->timer);
	buf_init(&f->first, SIZE_MAX);
	bool is_good = forward_send(f, buf_slice(&first));
	wipe(first.data, first.len);
	buf_finish(&first);
	if (is_good) {
		stream_follow(f->client);
	}
	return is_good;
}

static void forward_take(struct forward *f, struct slice bytes)
{
	char *plain = f->loop->handshakes.room->plain;
	struct stream *c = f->client;
	enum tls_state state = tls_channel_receive(f->channel, bytes);
	bool is_good = state != TLS_FAILED && forward_flush(f);
	if (is_good && state == TLS_OPEN && !f->is_open) {
		is_good = forward_begin(f);
	}
	if (!is_good) {
		forward_break(f,
			      state == TLS_FAILED ? tls_channel_why(f->channel) : "writing failed");
		return;
	}
	for (size_t n = 1; n > 0 && c->forward == f;) {
		n = tls_channel_read(f->channel, plain, TLS_PLAIN_BYTES);
		if (n > 0) {
			forward_pass(f, slice_of(plain, n));
			wipe(plain, n);
		}
	}
	if (c->forward != f) {
		return;
	}
	state = tls_channel_state(f->channel);
	if (state == TLS_FAILED) {
		forward_break(f, tls_channel_why(f->channel));
		return;
	}
	f->has_ended = f->has_ended || state == TLS_ENDED;
	forward_settle(f);
}

static void forward_on_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	const struct forward *f = handle->data;
	(void)suggested;
	*buf = uv_buf_init(f->loop->read_bytes, EVENT_LOOP_READ_BYTES);
}

static void forward_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct forward *f = stream->data;
	event_loop_turn_begins(f->loop);
	if (n == UV_EOF && f->is_open) {
		(void)uv_read_stop(stream);
		f->has_ended = true;
		forward_settle(f);
	} else if (n < 0) {
		forward_break(f, uv_strerror((int)n));
	} else if (n > 0) {
		forward_take(f, slice_of(buf->base, (size_t)n));
	}
}

static void forward_read(struct forward *f)
{
	int failed = uv_read_start(&f->uv.stream, forward_on_buffer, forward_on_read);
	if (failed != 0 && failed != UV_EALREADY) {
		forward_break(f, uv_strerror(failed));
	}
}

/* ---- reaching it ---- */

static void forward_on_connected(uv_connect_t *request, int status)
{
	struct forward *f = request->data;
	uv_os_fd_t fd;
	if (f->client == NULL) {
		return;
	}
	f->channel = status != 0 ? NULL : tls_channel_connect_shared(f->loop->nodes);
	bool is_good = f->channel != NULL && uv_fileno(&f->uv.handle, &fd) == 0 &&
		       socket_watch_peer(fd) &&
		       tls_channel_receive(f->channel, (struct slice){0}) != TLS_FAILED &&
		       forward_flush(f);
	if (is_good) {
		forward_read(f);
	} else {
		forward_fail(f, status != 0 ? uv_strerror(status) : "the handshake failed");
	}
}

static void forward_on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
	struct forward *f = request->data;
	f->is_looking = false;
	if (f->client != NULL) {
		int failed = status != 0 ? status
					 : uv_tcp_connect(&f->connecting, &f->uv.tcp,
							  found->ai_addr, forward_on_connected);
		if (failed != 0) {
			forward_fail(f, uv_strerror(failed));
		}
	}
	uv_freeaddrinfo(found);
	forward_let_go(f);
}

static void forward_on_late(uv_timer_t *timer)
{
	forward_fail(timer->data, "no answer in time");
}

/* Numbers need no looking up, which may have to wait for others. */
static int forward_connect(struct forward *f, const char *host, const char *port)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} at;
	int number = atoi(port);
	if (uv_ip4_addr(host, number, &at.in) == 0 || uv_ip6_addr(host, number, &at.in6) == 0) {
		return uv_tcp_connect(&f->connecting, &f->uv.tcp, &at.any, forward_on_connected);
	}
	f->is_looking = uv_getaddrinfo(&f->loop->loop, &f->lookup, forward_on_found, host, port,
				       &hints) == 0;
	f->handles += f->is_looking;
	return f->is_looking ? 0 : UV_ENOMEM;
}

/* HOST:PORT, as nodes write it. */
static bool forward_find(struct forward *f, struct slice address)
{
	char name[NODE_ADDRESS_CHARS + 1];
	char service[8];
	struct slice host;
	struct slice port;
	if (!host_port_split(address, &host, &port) || host.len == 0 || port.len == 0) {
		return false;
	}
	(void)format_to(name, sizeof(name), "%.*s", (int)host.len, host.data);
	(void)format_to(service, sizeof(service), "%.*s", (int)port.len, port.data);
	return forward_connect(f, name, service) == 0;
}

bool stream_forward(struct event_loop *loop, const struct effect *fx)
{
	struct stream *c = stream_find(loop, fx->conn);
	if (c == NULL) {
		return true;
	}
	struct forward *f = loop->nodes == NULL ? NULL : calloc(1, sizeof(*f));
	if (f == NULL) {
		return false;
	}
	f->loop = loop;
	f->client = c;
	f->ticket = fx->ticket;
	f->uv.handle.data = f->timer.data = f->lookup.data = f->connecting.data = f->writing.data =
		f;
	buf_init(&f->first, SIZE_MAX);
	buf_init(&f->in, SIZE_MAX);
	buf_init(&f->rest, SIZE_MAX);
	listeners_init_handle(loop, &f->uv, false);
	(void)uv_timer_init(&loop->loop, &f->timer); /* cannot fail */
	f->handles = 2;
	loop->streams.handles++;
	c->forward = f;
	if (buf_append_slice(&f->first, fx->input) != OK || !forward_find(f, fx->address)) {
		forward_end(f);
		return false;
	}
	(void)uv_timer_start(&f->timer, forward_on_late, FORWARD_CONNECT_MS, 0);
	return true;
}

/* ---- the key ---- */

enum err event_loop_use_nodes(struct event_loop *loop, const unsigned char server_key[SEED_BYTES])
{
	unsigned char key[TLS_SHARED_KEY_BYTES];
	derive_bytes(server_key, "node to node", (struct slice){0}, key, sizeof(key));
	enum err e = handshakes_make_ready(loop);
	e = e != OK ? e : tls_context_share(key, &loop->nodes);
	wipe(key, sizeof(key));
	return e;
}
