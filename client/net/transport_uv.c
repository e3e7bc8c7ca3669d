/*
 * transport_uv.c - connecting, reading, writing; see transport_uv.h for the promises.
 */
#include "client/net/transport_uv.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/assert.h"
#include "proto/format.h"
#include "proto/frame_scan.h"

/* How much room a read gets. */
#define TRANSPORT_READ_BYTES 65536

struct transport {
	uv_loop_t *loop;
	struct transport_handler on;
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

static void transport_connect(struct transport *w);

void transport_hold(struct transport *w)
{
	w->holds++;
}

void transport_let_go(struct transport *w)
{
	ASSERT_CMP(w->holds, >, 0);
	w->holds--;
	transport_flush(w);
}

static void transport_free(struct transport *w)
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
static void transport_settle(struct transport *w)
{
	if (w->has_handle || w->is_looking) {
		return;
	}
	if (!w->is_detached && !w->is_failed) {
		transport_connect(w);
		return;
	}
	if (!w->is_detached) {
		w->is_detached = true;
		w->on.on_end(w->owner, w->why);
	}
	transport_free(w);
}

static void transport_on_closed(uv_handle_t *handle)
{
	struct transport *w = handle->data;
	w->has_handle = false;
	w->is_closing = false;
	transport_settle(w);
}

static void transport_shut(struct transport *w)
{
	w->is_open = false;
	if (w->is_looking) {
		/* Where it is too late to cancel, its callback comes all the same. */
		(void)uv_cancel((uv_req_t *)&w->lookup);
	}
	if (w->has_handle && !w->is_closing) {
		w->is_closing = true;
		uv_close(&w->end.handle, transport_on_closed);
	}
}

static void transport_fail(struct transport *w, const char *why)
{
	if (!w->is_failed) {
		w->is_failed = true;
		format_to(w->why, sizeof(w->why), "%s", why);
	}
	transport_shut(w);
}

/* ---- in ---- */

/* Hand on every whole message; leaves the beginning of the next one in w->in. */
static void transport_take_frames(struct transport *w)
{
	size_t used = 0;
	enum err e = OK;
	transport_hold(w);
	while (!w->is_detached && !w->is_failed && used < w->in.len) {
		struct slice rest = slice_of(w->in.data + used, w->in.len - used);
		e = frame_scan_value(&w->scan, rest, TRANSPORT_FRAME_BYTES);
		if (e != OK) {
			break;
		}
		struct slice frame = slice_of(rest.data, w->scan.at);
		used += frame.len;
		frame_scan_init(&w->scan);
		w->on.on_frame(w->owner, frame);
	}
	if (e != OK && e != ERR_MORE) {
		transport_fail(w, e == ERR_TOO_LARGE
					  ? "the server sent a message beyond the limits"
					  : "what answers there does not speak aye's protocol");
	}
	buf_drop(&w->in, used);
	transport_let_go(w);
}

static void transport_on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
	struct transport *w = handle->data;
	(void)suggested;
	char *at = memory_have(buf_reserve(&w->in, TRANSPORT_READ_BYTES));
	*room = uv_buf_init(at, TRANSPORT_READ_BYTES);
}

static void transport_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *room)
{
	struct transport *w = stream->data;
	(void)room;
	if (n > 0) {
		w->in.len += (size_t)n;
		transport_take_frames(w);
	} else if (n == UV_EOF) {
		transport_fail(w, "the server closed the connection");
	} else if (n < 0) {
		transport_fail(w, uv_strerror((int)n));
	}
}

/* ---- out ---- */

struct buf *transport_out(struct transport *w)
{
	return &w->out;
}

static void transport_on_written(uv_write_t *request, int status)
{
	struct transport *w = request->data;
	w->is_writing = false;
	if (status < 0) {
		transport_fail(w, uv_strerror(status));
		return;
	}
	buf_clear(&w->sending);
	transport_flush(w);
}

/* The socket takes no more now: what is left waits in a write request that owns it. */
static void transport_write_rest(struct transport *w)
{
	struct buf swap = w->sending;
	w->sending = w->out;
	w->out = swap;
	uv_buf_t bytes = uv_buf_init(w->sending.data, (unsigned)w->sending.len);
	w->writing.data = w;
	int status = uv_write(&w->writing, &w->end.stream, &bytes, 1, transport_on_written);
	if (status < 0) {
		transport_fail(w, uv_strerror(status));
		return;
	}
	w->is_writing = true;
}

static void transport_put(struct transport *w)
{
	if (memory_check(w->out.error) != OK) {
		transport_fail(w, err_text(w->out.error));
		return;
	}
	if (!w->is_open || w->is_writing || w->out.len == 0) {
		return;
	}
	uv_buf_t bytes = uv_buf_init(w->out.data, (unsigned)w->out.len);
	int n = uv_try_write(&w->end.stream, &bytes, 1);
	if (n < 0 && n != UV_EAGAIN) {
		transport_fail(w, uv_strerror(n));
		return;
	}
	buf_drop(&w->out, n > 0 ? (size_t)n : 0);
	if (w->out.len > 0) {
		transport_write_rest(w);
	}
}

void transport_flush(struct transport *w)
{
	if (w->holds == 0) {
		transport_put(w);
	}
}

/* ---- connecting ---- */

static void transport_on_connected(uv_connect_t *request, int status)
{
	struct transport *w = request->data;
	if (w->is_closing) {
		return;
	}
	if (status == 0) {
		status = uv_read_start(&w->end.stream, transport_on_room, transport_on_read);
	}
	if (status < 0 && w->next != NULL) {
		transport_shut(w); /* transport_settle() goes on with the next address */
		return;
	}
	if (status < 0) {
		transport_fail(w, uv_strerror(status));
		return;
	}
	w->is_open = true;
	transport_hold(w);
	w->on.on_open(w->owner);
	transport_let_go(w);
}

static void transport_on_found(uv_getaddrinfo_t *request, int status, struct addrinfo *found)
{
	struct transport *w = request->data;
	w->is_looking = false;
	w->found = found;
	w->next = found;
	(void)memory_check(status == UV_EAI_MEMORY ? ERR_NOMEM : OK);
	if (status < 0 && !w->is_failed) {
		w->is_failed = true;
		format_to(w->why, sizeof(w->why), "%s", uv_strerror(status));
	}
	transport_settle(w);
}

/* Try the address that is next, or end with what the last one said. */
static void transport_connect(struct transport *w)
{
	struct addrinfo *at = w->next;
	int status = at == NULL ? UV_EADDRNOTAVAIL : uv_tcp_init(w->loop, &w->end.tcp);
	w->end.handle.data = w;
	w->has_handle = status == 0;
	if (status == 0) {
		w->next = at->ai_next;
		(void)uv_tcp_nodelay(&w->end.tcp, 1);
		status = uv_tcp_connect(&w->connecting, &w->end.tcp, at->ai_addr,
					transport_on_connected);
	}
	if (status < 0) {
		transport_fail(w, uv_strerror(status));
		transport_settle(w);
	}
}

static int transport_start_tcp(struct transport *w, const struct address *address)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	w->lookup.data = w;
	int status = uv_getaddrinfo(w->loop, &w->lookup, transport_on_found, address->host,
				    address->port, &hints);
	w->is_looking = status == 0;
	return status;
}

static int transport_start_unix(struct transport *w, const struct address *address)
{
	int status = uv_pipe_init(w->loop, &w->end.pipe, 0);
	if (status == 0) {
		w->has_handle = true;
		w->end.handle.data = w;
		uv_pipe_connect(&w->connecting, &w->end.pipe, address->path,
				transport_on_connected);
	}
	return status;
}

struct transport *transport_open(uv_loop_t *loop, const struct address *address,
				 const struct transport_handler *on, void *owner)
{
	struct transport *w = memory_new(1, sizeof(*w));
	w->loop = loop;
	w->on = *on;
	w->owner = owner;
	w->connecting.data = w;
	buf_init(&w->out, TRANSPORT_OUT_BYTES);
	buf_init(&w->sending, TRANSPORT_OUT_BYTES);
	buf_init(&w->in, TRANSPORT_FRAME_BYTES + 2 * TRANSPORT_READ_BYTES);
	frame_scan_init(&w->scan);
	int status = address->is_unix ? transport_start_unix(w, address)
				      : transport_start_tcp(w, address);
	if (status < 0) {
		/* libuv fails here only for want of memory or descriptors. */
		(void)memory_check(status == UV_ENOMEM ? ERR_NOMEM : OK);
		transport_free(w);
		return NULL;
	}
	return w;
}

void transport_close(struct transport *w)
{
	if (w == NULL || w->is_detached) {
		return;
	}
	transport_put(w); /* what was said before the end is not lost to being held */
	w->is_detached = true;
	transport_shut(w);
	ASSERT(w->has_handle || w->is_looking);
}
