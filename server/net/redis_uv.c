/*
 * redis_uv.c - the wires of links to Redis: sockets, TLS and timers of libuv.
 *
 * Happy path: open() looks the host up and tries its addresses one after the other; with TLS, the
 * handshake follows, and the certificate is judged; then the link is told. What the socket does
 * not take at once is copied, a piece at a time, and owned by the write request until its end.
 * Failure: whatever ends the connection is one redis_link_on_end(), never from inside a call of the
 * link. A connection that was closed or has ended lives on without its wire until libuv has let go
 * of it; the wire may have another by then.
 */
#include "server/net/redis_uv.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "proto/base/assert.h"
#include "proto/base/wipe.h"
#include "store/redis/link/redis_address.h"
#include "store/redis/link/redis_link.h"

#define READ_BYTES   65536
#define RECORD_BYTES 16384 /* most that a record of TLS has (RFC 8446, 5.1) */
#define PIECE_BYTES  65536 /* of what the socket does not take, in one request */
#define SLICES_MAX   64	   /* of one write; as many as the link gives */
/* Enough for a piece, or for a record and what frames it; and for a handshake. */
#define REST_BYTES_MAX (2 * PIECE_BYTES)

struct redis_uv {
	struct redis_net net;
	uv_loop_t *loop;
	const struct tls_context *tls;
	size_t wires; /* attached */
	/* shared by all: each read and each record is dealt with before the next */
	char received[READ_BYTES];
	char plain[READ_BYTES];
	char record[RECORD_BYTES];
};

struct conn;

struct wire {
	struct redis_uv *net;
	struct redis_link *link;
	const struct redis_address *address;
	struct conn *conn; /* NULL: none */
	uv_timer_t timer;
	int64_t wake_ms;    /* INT64_MAX: the link has no wish */
	bool is_second;	    /* the time has come, and what had arrived before was read */
	const char *failed; /* to be told by the timer; static text; NULL: nothing */
};

/* One attempt, and the connection that it becomes. Freed when nothing of libuv is left. */
struct conn {
	struct redis_uv *net;
	struct wire *wire; /* NULL: given up */
	union {
		uv_handle_t handle;
		uv_stream_t stream;
		uv_tcp_t tcp;
		uv_pipe_t pipe;
	} uv;
	bool has_handle;
	bool is_closing;
	bool is_open; /* the link was told */
	bool is_looking;
	bool is_writing;
	uv_getaddrinfo_t lookup;
	struct addrinfo *found; /* all addresses of the host */
	struct addrinfo *next;	/* the one to try next */
	uv_connect_t connecting;
	uv_write_t writing;
	struct buf rest; /* the write request's, until its callback */
	struct tls_channel *tls;
};

static void conn_connect(struct conn *c);
static void wire_arm(struct wire *w);

/* ---- ends ---- */

static void conn_free(struct conn *c)
{
	ASSERT(c->wire == NULL);
	if (c->found != NULL) {
		uv_freeaddrinfo(c->found);
	}
	tls_channel_free(c->tls);
	buf_finish(&c->rest);
	free(c);
}

/* Nothing of libuv is left: try the next address, or be gone. */
static void conn_settle(struct conn *c)
{
	if (c->has_handle || c->is_looking) {
		return;
	}
	if (c->wire != NULL) {
		conn_connect(c);
	} else {
		conn_free(c);
	}
}

static void conn_on_closed(uv_handle_t *handle)
{
	struct conn *c = handle->data;
	c->has_handle = false;
	c->is_closing = false;
	conn_settle(c);
}

static void conn_shut(struct conn *c)
{
	if (c->is_looking) {
		/* Where it is too late to cancel, its callback comes all the same. */
		(void)uv_cancel((uv_req_t *)&c->lookup);
	}
	if (c->has_handle && !c->is_closing) {
		c->is_closing = true;
		uv_close(&c->uv.handle, conn_on_closed);
	}
}

/* The wire lets go of it. */
static void conn_give_up(struct conn *c)
{
	c->wire->conn = NULL;
	c->wire = NULL;
	conn_shut(c);
	conn_settle(c);
}

/* From callbacks of libuv: the connection has ended, or all addresses have failed. */
static void conn_end(struct conn *c, const char *why)
{
	struct wire *w = c->wire;
	if (w != NULL) {
		w->failed = NULL; /* a write of this turn may have failed, too: one end is told */
		conn_give_up(c);
		redis_link_on_end(w->link, why);
	}
}

/* From calls of the link, which is told by the timer. */
static void wire_fail(struct wire *w, const char *why)
{
	w->failed = why;
	wire_arm(w);
}

/* ---- out ---- */

static bool conn_flush_tls(struct conn *c);

static void conn_on_written(uv_write_t *request, int status)
{
	struct conn *c = request->data;
	c->is_writing = false;
	buf_clear(&c->rest);
	if (c->wire == NULL) {
		return;
	}
	if (status < 0) {
		conn_end(c, uv_strerror(status));
		return;
	}
	if (c->tls != NULL && !conn_flush_tls(c)) {
		conn_end(c, "writing failed");
		return;
	}
	if (c->is_open && !c->is_writing) {
		redis_link_on_room(c->wire->link);
	}
}

/* Copy to the write request, which must be free. Returns false if that fails. */
static bool conn_write_rest(struct conn *c, struct slice bytes)
{
	ASSERT(!c->is_writing && c->rest.len == 0);
	if (buf_append_slice(&c->rest, bytes) != OK) {
		return false;
	}
	uv_buf_t rest = uv_buf_init(c->rest.data, (unsigned)c->rest.len);
	c->writing.data = c;
	c->is_writing = uv_write(&c->writing, &c->uv.stream, &rest, 1, conn_on_written) == 0;
	return c->is_writing;
}

/* How many bytes the socket takes now; negative: an error of libuv. */
static int conn_try(struct conn *c, const uv_buf_t *bufs, size_t n)
{
	int taken = uv_try_write(&c->uv.stream, bufs, (unsigned)n);
	return taken == UV_EAGAIN ? 0 : taken;
}

/* Send what is encrypted, as far as the socket takes it; the rest becomes the write request's. */
static bool conn_flush_tls(struct conn *c)
{
	struct slice waits = tls_channel_output(c->tls);
	if (waits.len == 0 || c->is_writing) {
		return true;
	}
	union {
		const char *in;
		char *out;
	} bytes = {.in = waits.data}; /* libuv's buffers are not const */
	uv_buf_t buf = uv_buf_init(bytes.out, (unsigned)waits.len);
	int taken = conn_try(c, &buf, 1);
	if (taken < 0) {
		return false;
	}
	struct slice rest = slice_of(waits.data + taken, waits.len - (size_t)taken);
	bool is_good = rest.len == 0 || conn_write_rest(c, rest);
	tls_channel_sent(c->tls, waits.len);
	return is_good;
}

/* Join bytes of the slices, from *i and in it *at on, up to a record. */
static size_t join(const struct slice *slices, size_t n, size_t *i, size_t *at,
		   char out[RECORD_BYTES])
{
	size_t len = 0;
	while (*i < n && len < RECORD_BYTES) {
		size_t part = slices[*i].len - *at;
		part = part < RECORD_BYTES - len ? part : RECORD_BYTES - len;
		memcpy(out + len, slices[*i].data + *at, part);
		len += part;
		*at += part;
		if (*at == slices[*i].len) {
			*at = 0;
			(*i)++;
		}
	}
	return len;
}

/* Returns the number of bytes taken. A record that the socket has not taken whole is the last. */
static size_t conn_write_tls(struct conn *c, const struct slice *slices, size_t n, bool *failed)
{
	char *record = c->net->record;
	size_t i = 0;
	size_t at = 0;
	size_t taken = 0;
	while (i < n && !c->is_writing && !*failed) {
		size_t len = join(slices, n, &i, &at, record);
		*failed = tls_channel_write(c->tls, slice_of(record, len)) != OK ||
			  !conn_flush_tls(c);
		wipe(record, len);
		taken += len;
	}
	return taken;
}

static size_t conn_write_plain(struct conn *c, const struct slice *slices, size_t n, bool *failed)
{
	uv_buf_t bufs[SLICES_MAX] = {{0}};
	ASSERT_CMP(n, <=, SLICES_MAX);
	for (size_t i = 0; i < n; i++) {
		union {
			const char *in;
			char *out;
		} bytes = {.in = slices[i].data};
		bufs[i] = uv_buf_init(bytes.out, (unsigned)slices[i].len);
	}
	int done = conn_try(c, bufs, n);
	size_t taken = done < 0 ? 0 : (size_t)done;
	*failed = done < 0;
	/* Of the slice where the socket stopped, a piece. */
	size_t skip = taken;
	for (size_t i = 0; i < n && !*failed; i++) {
		if (skip < slices[i].len) {
			size_t len = slices[i].len - skip;
			len = len < PIECE_BYTES ? len : PIECE_BYTES;
			*failed = !conn_write_rest(c, slice_of(slices[i].data + skip, len));
			return taken + (*failed ? 0 : len);
		}
		skip -= slices[i].len;
	}
	return taken;
}

static size_t wire_write(void *wire, const struct slice *slices, size_t n)
{
	struct wire *w = wire;
	struct conn *c = w->conn;
	bool failed = false;
	if (c == NULL || c->is_writing || w->failed != NULL) {
		return 0;
	}
	size_t taken = c->tls != NULL ? conn_write_tls(c, slices, n, &failed)
				      : conn_write_plain(c, slices, n, &failed);
	if (failed) {
		wire_fail(w, "writing failed");
	}
	return taken;
}

/* ---- in ---- */

static void conn_on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
	struct conn *c = handle->data;
	(void)suggested;
	*room = uv_buf_init(c->net->received, READ_BYTES);
}

static void conn_be_open(struct conn *c)
{
	c->is_open = true;
	redis_link_on_open(c->wire->link);
}

/* The handshake is over: whether this is the server that is meant. Ends the connection if not. */
static bool conn_judge(struct conn *c)
{
	struct tls_peer peer;
	struct errmsg why;
	tls_channel_peer(c->tls, &peer);
	if (!peer.is_vouched) {
		errmsg_set(&why, "cannot verify its certificate, which %s", peer.why);
		conn_end(c, why.text);
		return false;
	}
	conn_be_open(c);
	return true;
}

/* The link may give the connection up at each call. */
static void conn_decrypt(struct conn *c, struct slice bytes)
{
	char *plain = c->net->plain;
	size_t n = 1;
	enum tls_state state = tls_channel_receive(c->tls, bytes);
	if (state == TLS_OPEN && !c->is_open && !conn_judge(c)) {
		return;
	}
	while (n > 0 && c->wire != NULL && c->is_open) {
		n = tls_channel_read(c->tls, plain, READ_BYTES);
		if (n > 0) {
			redis_link_on_bytes(c->wire->link, slice_of(plain, n));
			wipe(plain, n);
		}
	}
	if (c->wire == NULL) {
		return;
	}
	bool is_good = conn_flush_tls(c);
	state = tls_channel_state(c->tls);
	if (state == TLS_FAILED) {
		struct errmsg why;
		errmsg_set(&why, "TLS failed: %s", tls_channel_why(c->tls));
		conn_end(c, why.text);
	} else if (state == TLS_ENDED || !is_good) {
		conn_end(c, is_good ? "the server closed the connection" : "writing failed");
	}
}

/* A connection that was given up in a call of the link is read no further, and lives until its handle is closed. */
static void conn_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *room)
{
	struct conn *c = stream->data;
	if (n == 0 || c->wire == NULL) {
		return;
	}
	if (n == UV_EOF) {
		conn_end(c, "the server closed the connection");
	} else if (n < 0) {
		conn_end(c, uv_strerror((int)n));
	} else if (c->tls != NULL) {
		conn_decrypt(c, slice_of(room->base, (size_t)n));
	} else {
		redis_link_on_bytes(c->wire->link, slice_of(room->base, (size_t)n));
	}
}

/* ---- connecting ---- */

static void conn_begin_tls(struct conn *c)
{
	c->tls = tls_channel_new(c->net->tls, c->wire->address->at.host);
	if (c->tls == NULL) {
		conn_end(c, "out of memory");
		return;
	}
	(void)tls_channel_receive(c->tls, (struct slice){0});
	if (!conn_flush_tls(c)) {
		conn_end(c, "writing failed");
	}
}

static void conn_on_connected(uv_connect_t *request, int status)
{
	struct conn *c = request->data;
	if (c->wire == NULL) {
		return;
	}
	if (status == 0) {
		status = uv_read_start(&c->uv.stream, conn_on_room, conn_on_read);
	}
	if (status < 0 && c->next != NULL) {
		conn_shut(c); /* conn_settle() goes on with the next address */
	} else if (status < 0) {
		conn_end(c, uv_strerror(status));
	} else if (c->wire->address->is_tls) {
		conn_begin_tls(c);
	} else {
		conn_be_open(c);
	}
}

/* The next address of the host. */
static void conn_connect(struct conn *c)
{
	struct addrinfo *at = c->next;
	int status = at == NULL ? UV_EADDRNOTAVAIL : uv_tcp_init(c->net->loop, &c->uv.tcp);
	c->uv.handle.data = c;
	c->has_handle = status == 0;
	if (status == 0) {
		c->next = at->ai_next;
		(void)uv_tcp_nodelay(&c->uv.tcp, 1);
		status = uv_tcp_connect(&c->connecting, &c->uv.tcp, at->ai_addr, conn_on_connected);
	}
	if (status < 0) {
		conn_end(c, uv_strerror(status));
	}
}

static void conn_on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
	struct conn *c = request->data;
	c->is_looking = false;
	c->found = found;
	c->next = found;
	if (status < 0 && c->wire != NULL) {
		c->is_looking = true; /* conn_end() is not to free it */
		conn_end(c, uv_strerror(status));
		c->is_looking = false;
	}
	conn_settle(c);
}

static int conn_start(struct conn *c, const struct redis_address *a)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	if (!a->is_unix) {
		int status = uv_getaddrinfo(c->net->loop, &c->lookup, conn_on_found, a->at.host,
					    a->at.port, &hints);
		c->is_looking = status == 0;
		return status;
	}
	int status = uv_pipe_init(c->net->loop, &c->uv.pipe, 0);
	if (status == 0) {
		c->has_handle = true;
		c->uv.handle.data = c;
		uv_pipe_connect(&c->connecting, &c->uv.pipe, a->path, conn_on_connected);
	}
	return status;
}

static void wire_open(void *wire)
{
	struct wire *w = wire;
	struct conn *c = calloc(1, sizeof(*c));
	ASSERT(w->conn == NULL);
	if (w->address->is_tls && w->net->tls == NULL) {
		free(c);
		wire_fail(w, "TLS is not set up");
		return;
	}
	if (c == NULL) {
		wire_fail(w, "out of memory");
		return;
	}
	c->net = w->net;
	c->connecting.data = c;
	c->lookup.data = c;
	buf_init(&c->rest, REST_BYTES_MAX);
	int status = conn_start(c, w->address);
	if (status < 0) {
		free(c);
		wire_fail(w, uv_strerror(status));
		return;
	}
	c->wire = w;
	w->conn = c;
}

static void wire_close(void *wire)
{
	struct wire *w = wire;
	w->failed = NULL;
	if (w->conn == NULL) {
		return;
	}
	struct conn *c = w->conn;
	if (c->tls != NULL && !c->is_writing) { /* a courtesy */
		tls_channel_end(c->tls);
		(void)conn_flush_tls(c);
	}
	conn_give_up(c);
}

/* ---- time ---- */

/*
 * Timers run before reads. After the process was stopped for a while, the time of a reply may be
 * over that is in the socket already: it is read first, in the turn until the timer comes again.
 */
static void wire_on_timer(uv_timer_t *timer)
{
	struct wire *w = timer->data;
	const char *failed = w->failed;
	if (failed != NULL) {
		w->failed = NULL;
		if (w->conn != NULL) {
			conn_give_up(w->conn);
		}
		wire_arm(w);
		redis_link_on_end(w->link, failed);
		return;
	}
	if (!w->is_second) {
		w->is_second = true;
		(void)uv_timer_start(&w->timer, wire_on_timer, 1, 0);
		return;
	}
	w->is_second = false;
	w->wake_ms = INT64_MAX;
	redis_link_on_time(w->link);
}

static void wire_arm(struct wire *w)
{
	int64_t in_ms = w->failed != NULL ? 0 : w->wake_ms - (int64_t)uv_now(w->net->loop);
	w->is_second = false;
	if (w->failed != NULL || w->wake_ms != INT64_MAX) {
		(void)uv_timer_start(&w->timer, wire_on_timer, in_ms > 0 ? (uint64_t)in_ms : 0, 0);
	}
}

static void wire_wake(void *wire, int64_t at_ms)
{
	struct wire *w = wire;
	w->wake_ms = at_ms;
	wire_arm(w);
}

static int64_t net_now(void *arg)
{
	const struct redis_uv *n = arg;
	return (int64_t)uv_now(n->loop);
}

static uint64_t net_random(void *arg)
{
	uint64_t random;
	(void)arg;
	randombytes_buf(&random, sizeof(random));
	return random;
}

static void net_run(void *arg)
{
	const struct redis_uv *n = arg;
	(void)uv_run(n->loop, UV_RUN_ONCE);
}

/* ---- life ---- */

static void *net_attach(void *arg, struct redis_link *link, const struct redis_address *address)
{
	struct redis_uv *n = arg;
	struct wire *w = calloc(1, sizeof(*w));
	if (w == NULL) {
		return NULL;
	}
	*w = (struct wire){.net = n, .link = link, .address = address, .wake_ms = INT64_MAX};
	int failed = uv_timer_init(n->loop, &w->timer); /* never */
	ASSERT_CMP(failed, ==, 0);
	w->timer.data = w;
	n->wires++;
	return w;
}

static void wire_on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static void wire_detach(void *wire)
{
	struct wire *w = wire;
	wire_close(w);
	w->net->wires--;
	uv_close((uv_handle_t *)&w->timer, wire_on_closed);
}

enum err redis_uv_create(uv_loop_t *loop, const struct tls_context *tls, struct redis_uv **out)
{
	struct redis_uv *n = calloc(1, sizeof(*n));
	if (n == NULL) {
		return ERR_NOMEM;
	}
	n->loop = loop;
	n->tls = tls;
	n->net = (struct redis_net){.arg = n,
				    .now_ms = net_now,
				    .random = net_random,
				    .run = net_run,
				    .attach = net_attach,
				    .detach = wire_detach,
				    .open = wire_open,
				    .write = wire_write,
				    .close = wire_close,
				    .wake = wire_wake};
	*out = n;
	return OK;
}

const struct redis_net *redis_uv_net(const struct redis_uv *n)
{
	return &n->net;
}

void redis_uv_destroy(struct redis_uv *n)
{
	if (n != NULL) {
		ASSERT_CMP(n->wires, ==, 0);
		free(n);
	}
}
