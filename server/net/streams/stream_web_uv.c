/*
 * stream_web_uv.c - connections of web listeners: what lies between a socket and HTTP or a WebSocket.
 *
 * Happy path: the connection enters the core when it is accepted, as any other. Its requests for the
 * page are answered here, and the core sees nothing of them (stream_http_uv.c). Once one asks for the
 * WebSocket, each text message is translated and passed to the core (stream_websocket_uv.c), and each
 * message of the core becomes a frame.
 *
 * The socket takes no more: what is translated already waits here, as references to frames that all
 * share, and nothing more is translated; the core keeps the rest, as for others. Each piece that the
 * socket takes of it counts as progress.
 * The core ends the connection: an answer that is still being sent then is sent to its end.
 */
#include <stdlib.h>

#include "server/net/event_loop_uv.h"

/* What one read brings, of which no request may be answered at present. */
#define WEB_UNREAD_BYTES (2 * EVENT_LOOP_READ_BYTES)

/* ---- out ---- */

/*
 * Send what is in the queue, as far as the socket takes it; the rest waits. False where the connection
 * had to be dropped.
 */
static bool web_flush(struct stream *c, struct web_queue *q)
{
	struct stream_web *web = c->web;
	struct slice slices[WEB_QUEUE_FRAMES];
	size_t sent = 0;
	size_t n = web_queue_slices(q, slices);
	enum stream_wrote wrote =
		n == 0 ? STREAM_WROTE_ALL : stream_send_secure(c, slices, n, &sent);
	bool ok = wrote != STREAM_WROTE_FAILED;
	web_queue_sent(q, sent);
	if (ok && q->n > 0 && q != web->waits) {
		web->waits = malloc(sizeof(*web->waits));
		ok = web->waits != NULL;
		if (ok) {
			*web->waits = *q;
			*q = (struct web_queue){0};
		}
	}
	if (!ok) {
		web_queue_clear(q);
		stream_drop(c);
	}
	return ok;
}

void stream_web_drop_waits(struct stream_web *web)
{
	if (web->waits != NULL) {
		web_queue_clear(web->waits);
		free(web->waits);
		web->waits = NULL;
	}
}

/* The core times how long the peer takes nothing. */
static void web_tell_blocked(struct stream *c)
{
	struct event_loop *loop = stream_loop(c);
	if (c->blocked != NULL && c->slot != STREAM_NO_SLOT) {
		server_wrote(loop->server, stream_id(c), 0, true, event_loop_mono_ms(loop));
	}
}

void stream_web_send(struct stream *c)
{
	if (web_flush(c, &c->web->webs->batch)) {
		web_tell_blocked(c);
	}
}

static size_t bytes_of(const struct slice *slices, size_t n)
{
	size_t bytes = 0;
	for (size_t i = 0; i < n; i++) {
		bytes += slices[i].len;
	}
	return bytes;
}

void stream_web_write(struct stream *c)
{
	struct event_loop *loop = stream_loop(c);
	struct webs *webs = c->web->webs;
	struct slice slices[STREAM_SLICES_MAX];
	bool is_more = c->blocked == NULL;
	web_tell_blocked(c);
	while (is_more) {
		bool is_forwarded = false;
		size_t n = stream_gather(c, slices, &is_forwarded);
		size_t all = bytes_of(slices, n);
		size_t used = all;
		enum err e = OK;
		if (n == 0) {
			return;
		}
		if (c->web->is_open) {
			e = web_text_frames(webs->text, slices, n, MAX_WEB_OUT_BYTES, &webs->batch,
					    &used);
		} else {
			stream_http_tell_closing(c, slices, n);
		}
		server_counters(loop->server)->web_translations = webs->translations;
		if (e == OK && used == 0 && is_forwarded) {
			return; /* of a message that has not come whole */
		}
		if (e != OK || used == 0) {
			log_pair(loop->config.log, LOG_ERROR, "web_not_translated", "reason",
				 err_text(e));
			web_queue_clear(&webs->batch);
			stream_drop(c);
		} else if (!c->is_closing) {
			(void)web_flush(c, &webs->batch);
		}
		bool is_blocked = c->blocked != NULL || c->is_closing;
		if (is_forwarded && c->is_closing) {
			return;
		}
		stream_took(c, used, is_forwarded, is_blocked);
		is_more = !is_blocked && (used < all || n == STREAM_SLICES_MAX ||
					  (!is_forwarded && c->forward != NULL));
	}
}

/* ---- in ---- */

static void web_read(struct stream *c, struct slice in)
{
	in = stream_http_read(c, in);
	if (in.len > 0 && c->web->is_open && !c->is_closing && !c->web->is_ending) {
		stream_websocket_read(c, in);
	}
}

void stream_web_on_bytes(struct stream *c, struct slice bytes)
{
	c->web->heard_ms = event_loop_mono_ms(stream_loop(c));
	web_read(c, bytes);
}

void stream_web_on_eof(struct stream *c)
{
	if (!c->web->is_ending) {
		stream_web_end_reading(c);
	}
}

bool stream_web_is_held(const struct stream *c)
{
	return c->web->is_ending || (!c->web->is_open && c->blocked != NULL);
}

void stream_web_is_read(struct stream *c)
{
	c->web->heard_ms = event_loop_mono_ms(stream_loop(c));
	c->web->since_ms = c->web->heard_ms;
}

bool stream_web_on_room(struct stream *c)
{
	struct event_loop *loop = stream_loop(c);
	struct stream_web *web = c->web;
	if (web->is_open) { /* as good as an answer to a ping, which one that is blocked is not sent */
		web->heard_ms = event_loop_mono_ms(loop);
	}
	if (web->waits != NULL && c->blocked == NULL && !web_flush(c, web->waits)) {
		return false;
	}
	if (web->waits != NULL && web->waits->n == 0) {
		stream_web_drop_waits(web);
	}
	if (c->blocked != NULL) {
		server_writable(loop->server, stream_id(c));
		web_tell_blocked(c);
		return false;
	}
	if (web->is_lingering) {
		stream_close(c);
		return false;
	}
	if (web->is_ending) {
		stream_pass_eof(c);
		return !c->is_closing;
	}
	struct buf unread = web->unread;
	buf_init(&web->unread, WEB_UNREAD_BYTES);
	stream_follow(c);
	web_read(c, buf_slice(&unread));
	buf_finish(&unread);
	return !c->is_closing && c->blocked == NULL;
}

/* ---- ends ---- */

void stream_web_end_reading(struct stream *c)
{
	c->web->is_ending = true;
	stream_follow(c);
	if (c->blocked == NULL && !c->is_closing) {
		stream_pass_eof(c);
	}
}

void stream_web_end(struct stream *c)
{
	if (c->web->is_open && c->blocked == NULL) {
		stream_websocket_close(c);
	}
}

bool stream_web_lingers(struct stream *c)
{
	struct stream_web *web = c->web;
	bool may = !web->is_open && c->blocked != NULL && !c->is_closing &&
		   stream_loop(c)->phase == EVENT_LOOP_SERVING;
	if (may) {
		web->is_lingering = true;
		web->is_ending = true;
		stream_follow(c);
	}
	return may;
}

/* ---- life ---- */

bool stream_web_begin(struct stream *c, int fd)
{
	struct event_loop *loop = stream_loop(c);
	int64_t now_ms = event_loop_mono_ms(loop);
	const struct whole_address *proxy = loop->config.web_proxy;
	struct stream_web *web = calloc(1, sizeof(*web));
	if (web == NULL) {
		return false;
	}
	*web = (struct stream_web){
		.stream = c,
		.webs = &loop->webs,
		.is_proxied = proxy != NULL && whole_address_is_peer(proxy, fd),
		.close = WEB_CLOSE_GOING_AWAY,
		.opened_ms = now_ms,
		.heard_ms = now_ms,
	};
	buf_init(&web->unread, WEB_UNREAD_BYTES);
	c->web = web;
	webs_enter(web, now_ms);
	return true;
}

struct peer stream_web_peer(const struct stream *c, const struct peer *peer)
{
	return c->web->is_proxied ? (struct peer){.kind = PEER_LOOPBACK} : *peer;
}

void stream_web_free(struct stream *c)
{
	struct stream_web *web = c->web;
	if (web == NULL) {
		return;
	}
	if (web->is_open) {
		server_counters(stream_loop(c)->server)->web_sockets_now--;
	}
	web_socket_finish(&web->socket);
	webs_leave(web);
	stream_web_drop_waits(web);
	stream_http_forget(web);
	buf_finish(&web->unread);
	free(web);
	c->web = NULL;
}
