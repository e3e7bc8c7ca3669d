/*
 * transport_uv.c - connecting, reading, writing; see transport_uv.h for the promises.
 */
#include "client/net/transport/transport_uv.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "client/net/transport/ssh_child_uv.h"
#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/base/frame_scan.h"
#include "proto/tls/tls.h"

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
	bool is_open; /* what is to be sent may leave */
	bool is_closing;
	bool is_failed;
	char why[320];

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

	struct address address;
	struct tls_context *context; /* tls:// alone, and what follows */
	struct tls_channel *tls;     /* NULL: not connected yet */
	char *received;		     /* TRANSPORT_READ_BYTES, encrypted */
	struct buf encrypted;	     /* waits */

	struct ssh_child *ssh; /* ssh:// alone; NULL: it has not begun, or is no more */
	bool is_cut;	       /* failed by the end of the bytes, which the child may explain */
	bool is_explained;     /* why is what it said */
};

static void transport_connect(struct transport *w);
static void transport_put(struct transport *w);

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
	buf_finish(&w->encrypted);
	tls_channel_free(w->tls);
	tls_context_free(w->context);
	free(w->received);
	free(w);
}

/* The handle, the lookup and ssh are all done with: tell, or try the next address. */
static void transport_settle(struct transport *w)
{
	if (w->has_handle || w->is_looking || w->ssh != NULL) {
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
	if (w->ssh != NULL) {
		ssh_child_end(w->ssh, w->is_detached);
	}
}

static void transport_fail(struct transport *w, const char *why)
{
	if (!w->is_failed) {
		w->is_failed = true;
		if (!w->is_explained) {
			format_to(w->why, sizeof(w->why), "%s", why);
		}
	}
	transport_shut(w);
}

/* No bytes come, or go, any more. */
static void transport_cut(struct transport *w, const char *why)
{
	w->is_cut = w->is_cut || !w->is_failed;
	transport_fail(w, why);
}

/* Both sides know each other: tell. */
static void transport_begin(struct transport *w)
{
	w->is_open = true;
	transport_hold(w);
	w->on.on_open(w->owner);
	transport_let_go(w);
}

/* ---- in ---- */

/* Hand on every whole message; leaves the beginning of the next one in w->in. */
static void transport_take_frames(struct transport *w)
{
	size_t used = 0;
	enum err e = OK;
	if (w->tls == NULL && tls_is_alert(buf_slice(&w->in))) {
		transport_fail(w, "the server uses TLS: its address starts with tls://");
		return;
	}
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
					  : "the server there does not speak aye's protocol");
	}
	buf_drop(&w->in, used);
	transport_let_go(w);
}

/* The handshake is over: whether this is the server that is meant. Ends the connection where it is not. */
static bool transport_judge(struct transport *w)
{
	const struct address *a = &w->address;
	struct tls_peer peer;
	char why[sizeof(w->why)];
	tls_channel_peer(w->tls, &peer);
	if (w->on.on_peer != NULL) {
		w->on.on_peer(w->owner, &peer);
	}
	if (w->is_detached || w->is_failed) {
		return false;
	}
	if (peer.is_weak) {
		(void)format_to(why, sizeof(why),
				"its certificate %s; its administrator must replace it", peer.why);
		transport_fail(w, why);
		return false;
	}
	if (a->fingerprint.text[0] == '\0' ? peer.is_vouched
					   : fingerprint_pins(&a->fingerprint, &peer.fingerprint)) {
		return true;
	}
	struct fingerprint shown = fingerprint_shorten(&peer.fingerprint);
	struct fingerprint pinned = fingerprint_shorten(&a->fingerprint);
	if (a->fingerprint.text[0] == '\0') {
		(void)format_to(why, sizeof(why),
				"cannot verify its certificate, which %s; if the administrator "
				"confirms it, use %s#%s",
				peer.why, a->text, shown.text);
	} else {
		const char *place = a->text + strlen("tls://");
		(void)format_to(why, sizeof(why),
				"its certificate is %s, not %s: it was reinstalled, or someone is "
				"in between; %s%.*s",
				shown.text, pinned.text,
				a->is_noted ? "to accept it: aye server forget "
					    : "ask its administrator for its address",
				a->is_noted ? (int)strcspn(place, "#") : 0, place);
	}
	transport_fail(w, why);
	return false;
}

static void transport_decrypt(struct transport *w, struct slice bytes)
{
	enum tls_state state = tls_channel_receive(w->tls, bytes);
	if (state == TLS_OPEN && !w->is_open) {
		if (!transport_judge(w)) {
			return;
		}
		transport_begin(w);
	}
	size_t n = 1;
	while (n > 0 && !w->is_detached && !w->is_failed) {
		char *at = memory_have(buf_reserve(&w->in, TRANSPORT_READ_BYTES));
		n = tls_channel_read(w->tls, at, TRANSPORT_READ_BYTES);
		w->in.len += n;
		transport_take_frames(w);
	}
	if (w->is_detached || w->is_failed) {
		return;
	}
	state = tls_channel_state(w->tls);
	transport_put(w); /* of a handshake, or an alert */
	if (state == TLS_ENDED) {
		transport_fail(w, "the server closed the connection");
	} else if (state == TLS_FAILED) {
		char why[sizeof(w->why)];
		(void)format_to(why, sizeof(why), "no TLS with it: %s", tls_channel_why(w->tls));
		transport_fail(w, why);
	}
}

static void transport_on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
	struct transport *w = handle->data;
	(void)suggested;
	char *at = w->tls != NULL ? w->received
				  : memory_have(buf_reserve(&w->in, TRANSPORT_READ_BYTES));
	*room = uv_buf_init(at, TRANSPORT_READ_BYTES);
}

static void transport_on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *room)
{
	struct transport *w = stream->data;
	if (n > 0 && w->ssh != NULL) {
		ssh_child_has_answered(w->ssh);
	}
	if (n > 0 && w->tls != NULL) {
		transport_decrypt(w, slice_of(room->base, (size_t)n));
	} else if (n > 0) {
		w->in.len += (size_t)n;
		transport_take_frames(w);
	} else if (n == UV_EOF && w->tls != NULL && !w->is_open) {
		transport_cut(
			w,
			"the server closed the connection before TLS was set up; it may be full");
	} else if (n == UV_EOF) {
		transport_cut(w, "the server closed the connection");
	} else if (n < 0) {
		transport_cut(w, uv_strerror((int)n));
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
		transport_cut(w, uv_strerror(status));
		return;
	}
	buf_clear(&w->sending);
	transport_flush(w);
}

/* The socket takes no more now: what is left waits in a write request that owns it. */
static void transport_write_rest(struct transport *w, struct buf *waits)
{
	struct buf swap = w->sending;
	w->sending = *waits;
	*waits = swap;
	uv_buf_t bytes = uv_buf_init(w->sending.data, (unsigned)w->sending.len);
	w->writing.data = w;
	int status = uv_write(&w->writing, &w->end.stream, &bytes, 1, transport_on_written);
	if (status < 0) {
		transport_fail(w, uv_strerror(status));
		return;
	}
	w->is_writing = true;
}

/* What is to be sent, encrypted: behind what waits already of a handshake. */
static enum err transport_encrypt(struct transport *w)
{
	bool may = w->is_open && w->out.len > 0 && tls_channel_state(w->tls) == TLS_OPEN;
	enum err e = may ? tls_channel_write(w->tls, buf_slice(&w->out)) : OK;
	if (may) {
		buf_clear(&w->out);
	}
	struct slice output = tls_channel_output(w->tls);
	e = e != OK ? e : memory_check(buf_append_slice(&w->encrypted, output));
	tls_channel_sent(w->tls, output.len);
	return e;
}

static void transport_put(struct transport *w)
{
	struct buf *waits = w->tls != NULL ? &w->encrypted : &w->out;
	if (memory_check(w->out.error) != OK) {
		transport_fail(w, err_text(w->out.error));
		return;
	}
	if ((w->tls == NULL && !w->is_open) || w->is_writing || w->is_closing) {
		return;
	}
	enum err e = w->tls != NULL ? transport_encrypt(w) : OK;
	if (e != OK) {
		transport_fail(w, err_text(e));
		return;
	}
	if (waits->len == 0) {
		return;
	}
	uv_buf_t bytes = uv_buf_init(waits->data, (unsigned)waits->len);
	int n = uv_try_write(&w->end.stream, &bytes, 1);
	if (n < 0 && n != UV_EAGAIN) {
		transport_cut(w, uv_strerror(n));
		return;
	}
	buf_drop(waits, n > 0 ? (size_t)n : 0);
	if (waits->len > 0) {
		transport_write_rest(w, waits);
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
	if (w->address.is_tls) {
		w->tls = memory_have(tls_channel_new(w->context, w->address.host));
		(void)tls_channel_receive(w->tls, (struct slice){0});
		transport_put(w);
	} else {
		transport_begin(w);
	}
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

static void transport_on_ssh_started(void *owner)
{
	struct transport *w = owner;
	if (!w->is_detached && !w->is_failed) {
		transport_begin(w);
	}
}

/* Frames that it has brought may lie in the socket: their end is what fails, where nothing has. */
static void transport_on_ssh_end(void *owner, const char *why)
{
	struct transport *w = owner;
	w->ssh = NULL;
	if (!w->is_failed || w->is_cut) {
		format_to(w->why, sizeof(w->why), "%s", why);
		w->is_explained = true;
	}
	transport_settle(w);
}

static int transport_start_ssh(struct transport *w, const struct address *address, bool may_ask)
{
	static const struct ssh_child_handler handler = {
		.on_started = transport_on_ssh_started,
		.on_end = transport_on_ssh_end,
	};
	int end;
	w->ssh = ssh_child_start(w->loop, address, may_ask, &handler, w, &end);
	if (w->ssh == NULL) {
		return UV_EMFILE;
	}
	/* None of these has a way to fail for a socket of our own. */
	int status = uv_pipe_init(w->loop, &w->end.pipe, 0);
	w->has_handle = true;
	w->end.handle.data = w;
	status = status == 0 ? uv_pipe_open(&w->end.pipe, end) : status;
	status = status == 0 ? uv_read_start(&w->end.stream, transport_on_room, transport_on_read)
			     : status;
	ASSERT_CMP(status, ==, 0);
	return 0;
}

struct transport *transport_open(uv_loop_t *loop, const struct address *address, bool may_ask,
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
	buf_init(&w->encrypted, 2 * TRANSPORT_OUT_BYTES);
	frame_scan_init(&w->scan);
	w->address = *address;
	if (address->is_tls) {
		bool is_pinned = address->fingerprint.text[0] != '\0';
		(void)memory_check(tls_context_connect(!is_pinned, &w->context));
		w->received = memory_new(1, TRANSPORT_READ_BYTES);
	}
	int status = address->is_unix  ? transport_start_unix(w, address)
		     : address->is_ssh ? transport_start_ssh(w, address, may_ask)
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
	if (w->tls != NULL) {
		tls_channel_end(w->tls);
		transport_put(w);
	}
	w->is_detached = true;
	transport_shut(w);
	ASSERT(w->has_handle || w->is_looking || w->ssh != NULL);
}
