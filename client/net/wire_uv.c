/*
 * wire_uv.c - connecting, reading, writing; see wire_uv.h for the promises.
 */
#include "client/net/wire_uv.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "proto/assert.h"
#include "proto/format.h"
#include "proto/frame_scan.h"

/* How much room a read gets. */
#define WIRE_READ_BYTES 65536

struct wire {
	uv_loop_t *loop;
	struct wire_handler on;
	void *owner;
	bool is_detached; /* nobody listens any more */

	union {
		uv_handle_t handle;
		uv_stream_t stream;
		uv_pipe_t pipe;
		uv_tcp_t tcp;
	} end;
	bool has_handle;
	bool is_open;
	bool is_closing;
	bool is_failed;
	char why[160];

	uv_getaddrinfo_t lookup;
	bool is_looking;
	struct addrinfo *found; /* all addresses of the host */
	struct addrinfo *next;	/* the one to try next */

	uv_connect_t connecting;
	uv_write_t writing;
	bool is_writing;
	unsigned holds;	    /* above 0: what is to be sent gathers */
	struct buf out;	    /* waits */
	struct buf sending; /* the write request's, until its callback */
	struct buf in;
	struct frame_scan scan;
};

static void wire_connect(struct wire *w);

void wire_hold(struct wire *w)
{
	w->holds++;
}

void wire_let_go(struct wire *w)
{
	ASSERT_CMP(w->holds, >, 0);
	w->holds--;
	wire_flush(w);
}

static void wire_free(struct wire *w)
{
	if (w->found != NULL) {
		uv_freeaddrinfo(w->found);
	}
	buf_finish(&w->out);
	buf_finish(&w->sending);
	buf_finish(&w->in);
	free(w);
}

/* The handle and the lookup are both done with: tell, or try the next address. */
static void wire_settle(struct wire *w)
{
	if (w->has_handle || w->is_looking) {
		return;
	}
	if (!w->is_detached && !w->is_failed) {
		wire_connect(w);
		return;
	}
	if (!w->is_detached) {
		w->is_detached = true;
		w->on.on_end(w->owner, w->why);
	}
	wire_free(w);
}

static void wire_on_closed(uv_handle_t *handle)
{
	struct wire *w = handle->data;
	w->has_handle = false;
	w->is_closing = false;
	wire_settle(w);
}

static void wire_shut(struct wire *w)
{
	w->is_open = false;
	if (w->is_looking) {
		/* Where it is too late to cancel, its callback comes all the same. */
		(void)uv_cancel((uv_req_t *)&w->lookup);
	}
	if (w->has_handle && !w->is_closing) {
		w->is_closing = true;
		uv_close(&w->end.handle, wire_on_closed);
	}
}

static void wire_fail(struct wire *w, const char *why)
{
	if (!w->is_failed) {
		w->is_failed = true;
		format_to(w->why, sizeof(w->why), "%s", why);
	}
	wire_shut(w);
}

/* ---- in ---- */

/* Hand on every whole message; leaves the beginning of the next one in w->in. */
static void wire_take_frames(struct wire *w)
{
	size_t used = 0;
	enum err e = OK;
	wire_hold(w);
	while (!w->is_detached && !w->is_failed && used < w->in.len) {
		struct slice rest = slice_of(w->in.data + used, w->in.len - used);
		e = frame_scan_value(&w->scan, rest, WIRE_FRAME_BYTES);
		if (e != OK) {
			break;
		}
		struct slice frame = slice_of(rest.data, w->scan.at);
		used += frame.len;
		frame_scan_init(&w->scan);
		w->on.on_frame(w->owner, frame);
	}
	if (e != OK && e != ERR_MORE) {
		wire_fail(w, e == ERR_TOO_LARGE
				     ? "the server sent a message beyond the limits"
				     : "what answers there does not speak aye's protocol");
	}
	buf_drop(&w->in, used);
	wire_let_go(w);
}

static void wire_on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
	struct wire *w = handle->data;
	(void)suggested;
	char *at = buf_reserve(&w->in, WIRE_READ_BYTES);
	*room = uv_buf_init(at, at == NULL ? 0 : WIRE_READ_BYTES);
}

static void wire_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *room)
{
	struct wire *w = stream->data;
	(void)room;
	if (n > 0) {
		w->in.len += (size_t)n;
		wire_take_frames(w);
	} else if (n == UV_EOF) {
		wire_fail(w, "the server closed the connection");
	} else if (n < 0) {
		wire_fail(w, uv_strerror((int)n));
	}
}

/* ---- out ---- */

struct buf *wire_out(struct wire *w)
{
	return &w->out;
}

static void wire_on_written(uv_write_t *request, int status)
{
	struct wire *w = request->data;
	w->is_writing = false;
	if (status < 0) {
		wire_fail(w, uv_strerror(status));
		return;
	}
	buf_clear(&w->sending);
	wire_flush(w);
}

/* The socket takes no more now: what is left waits in a write request that owns it. */
static void wire_write_rest(struct wire *w)
{
	struct buf swap = w->sending;
	w->sending = w->out;
	w->out = swap;
	uv_buf_t bytes = uv_buf_init(w->sending.data, (unsigned)w->sending.len);
	w->writing.data = w;
	int status = uv_write(&w->writing, &w->end.stream, &bytes, 1, wire_on_written);
	if (status < 0) {
		wire_fail(w, uv_strerror(status));
		return;
	}
	w->is_writing = true;
}

static void wire_put(struct wire *w)
{
	if (w->out.error != OK) {
		wire_fail(w, err_text(w->out.error));
		return;
	}
	if (!w->is_open || w->is_writing || w->out.len == 0) {
		return;
	}
	uv_buf_t bytes = uv_buf_init(w->out.data, (unsigned)w->out.len);
	int n = uv_try_write(&w->end.stream, &bytes, 1);
	if (n < 0 && n != UV_EAGAIN) {
		wire_fail(w, uv_strerror(n));
		return;
	}
	buf_drop(&w->out, n > 0 ? (size_t)n : 0);
	if (w->out.len > 0) {
		wire_write_rest(w);
	}
}

void wire_flush(struct wire *w)
{
	if (w->holds == 0) {
		wire_put(w);
	}
}

/* ---- connecting ---- */

static void wire_on_connected(uv_connect_t *request, int status)
{
	struct wire *w = request->data;
	if (w->is_closing) {
		return;
	}
	if (status == 0) {
		status = uv_read_start(&w->end.stream, wire_on_room, wire_on_read);
	}
	if (status < 0 && w->next != NULL) {
		wire_shut(w); /* wire_settle() goes on with the next address */
		return;
	}
	if (status < 0) {
		wire_fail(w, uv_strerror(status));
		return;
	}
	w->is_open = true;
	wire_hold(w);
	w->on.on_open(w->owner);
	wire_let_go(w);
}

static void wire_on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
	struct wire *w = request->data;
	w->is_looking = false;
	w->found = found;
	w->next = found;
	if (status < 0 && !w->is_failed) {
		w->is_failed = true;
		format_to(w->why, sizeof(w->why), "%s", uv_strerror(status));
	}
	wire_settle(w);
}

/* Try the address that is next, or end with what the last one said. */
static void wire_connect(struct wire *w)
{
	struct addrinfo *at = w->next;
	int status = at == NULL ? UV_EADDRNOTAVAIL : uv_tcp_init(w->loop, &w->end.tcp);
	w->end.handle.data = w;
	w->has_handle = status == 0;
	if (status == 0) {
		w->next = at->ai_next;
		(void)uv_tcp_nodelay(&w->end.tcp, 1);
		status =
			uv_tcp_connect(&w->connecting, &w->end.tcp, at->ai_addr, wire_on_connected);
	}
	if (status < 0) {
		wire_fail(w, uv_strerror(status));
		wire_settle(w);
	}
}

static int wire_start_tcp(struct wire *w, const struct address *address)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	w->lookup.data = w;
	int status = uv_getaddrinfo(w->loop, &w->lookup, wire_on_found, address->host,
				    address->port, &hints);
	w->is_looking = status == 0;
	return status;
}

static int wire_start_unix(struct wire *w, const struct address *address)
{
	int status = uv_pipe_init(w->loop, &w->end.pipe, 0);
	if (status == 0) {
		w->has_handle = true;
		w->end.handle.data = w;
		uv_pipe_connect(&w->connecting, &w->end.pipe, address->path, wire_on_connected);
	}
	return status;
}

struct wire *wire_open(uv_loop_t *loop, const struct address *address,
		       const struct wire_handler *on, void *owner)
{
	struct wire *w = calloc(1, sizeof(*w));
	if (w == NULL) {
		return NULL;
	}
	w->loop = loop;
	w->on = *on;
	w->owner = owner;
	w->connecting.data = w;
	buf_init(&w->out, WIRE_OUT_BYTES);
	buf_init(&w->sending, WIRE_OUT_BYTES);
	buf_init(&w->in, WIRE_FRAME_BYTES + 2 * WIRE_READ_BYTES);
	frame_scan_init(&w->scan);
	int status = address->is_unix ? wire_start_unix(w, address) : wire_start_tcp(w, address);
	if (status < 0) {
		/* libuv fails here only for want of memory or descriptors. */
		wire_free(w);
		return NULL;
	}
	return w;
}

void wire_close(struct wire *w)
{
	if (w == NULL || w->is_detached) {
		return;
	}
	wire_put(w); /* what was said before the end is not lost to being held */
	w->is_detached = true;
	wire_shut(w);
	ASSERT(w->has_handle || w->is_looking);
}
