/*
 * stream_http_uv.c - requests of HTTP on a connection of a web listener, until one asks for the
 * WebSocket: they are answered from memory, and the core sees nothing of them.
 *
 * Requests behind an answer that waits are not read.
 * No request comes, or no WebSocket: the core's time for session.hello ends the connection, with an
 * answer that says so, unless one was given already.
 * What is no HTTP is refused with a status.
 * Behind a proxy, who connects is known only from the request for the WebSocket: the connection then
 * leaves the core and enters again as that peer, whose limits hold for it from there on.
 */
#include <stdlib.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/tls/websocket_accept.h"
#include "server/net/event_loop_uv.h"
#include "server/web/web_reply.h"

/* ---- answers ---- */

/* Send the head in webs.reply, and behind it the body, which may be NULL. */
static void http_send(struct stream *c, struct web_frame *body)
{
	struct webs *webs = c->web->webs;
	struct web_frame *head = webs->reply.error == OK ? web_frame_create(&webs->frame_bytes,
									    buf_slice(&webs->reply),
									    (struct slice){0})
							 : NULL;
	buf_clear(&webs->reply);
	if (head == NULL) {
		stream_drop(c);
		return;
	}
	web_queue_add(&webs->batch, head);
	if (body != NULL) {
		web_queue_add(&webs->batch, web_frame_ref(body));
	}
	stream_web_send(c);
}

static void http_log_refused(struct stream *c, int status, const char *why)
{
	struct log_line l;
	server_counters(stream_loop(c)->server)->web_requests_refused++;
	log_begin(&l, stream_loop(c)->config.log, LOG_DEBUG, "web_refused");
	log_int(&l, "status", status);
	log_str(&l, "reason", why);
	log_end(&l);
}

void stream_http_tell_closing(struct stream *c, const struct slice *pieces, size_t n)
{
	struct stream_web *web = c->web;
	struct webs *webs = web->webs;
	struct web_reply reply = {.wall_ms = event_loop_wall_ms()};
	struct slice reason;
	char text[MAX_CLOSING_REASON_BYTES + 1];
	bool is_late = event_loop_mono_ms(stream_loop(c)) - web->opened_ms >= webs->limits.hello_ms;
	if (web->requests > 0 && web->head == NULL) {
		return; /* it has its answer, and asked for nothing more */
	}
	web_text_reason(webs->text, pieces, n, &reason);
	(void)format_to(text, sizeof(text), "%.*s", (int)reason.len, reason.data);
	int status = is_late ? 408 : 503;
	const char *why = is_late	    ? "the request did not arrive in time"
			  : text[0] != '\0' ? text
					    : "the connection is closed";
	http_log_refused(c, status, why);
	web_reply_status(&webs->reply, &reply, status, why);
	http_send(c, NULL);
}

struct slice stream_http_refusal(struct webs *webs)
{
	struct web_reply reply = {.wall_ms = event_loop_wall_ms()};
	buf_clear(&webs->refusal);
	web_reply_status(&webs->refusal, &reply, 503, EVENT_LOOP_FULL);
	return buf_slice(&webs->refusal);
}

/* ---- requests ---- */

void stream_http_forget(struct stream_web *web)
{
	if (web->head != NULL) {
		http_head_finish(web->head);
		free(web->head);
		web->head = NULL;
	}
}

/*
 * The core is told who it is that connects, which only the proxy's field says. False where the core
 * does not want that peer, which was told so.
 */
static bool http_enter_again(struct stream *c, struct slice forwarded)
{
	struct peer peer;
	bool is_address = peer_of_text(forwarded, &peer);
	ASSERT(is_address); /* http_want() refused anything else */
	stream_leave(c);
	c->web->is_proxied = false;
	return stream_enter(c, &peer) && !c->is_closing && !c->web->is_ending;
}

static void http_open(struct stream *c, const struct web_want *want)
{
	struct stream_web *web = c->web;
	struct webs *webs = web->webs;
	char accept[WEBSOCKET_ACCEPT_CHARS + 1];
	if (!websocket_accept(want->key, accept)) {
		stream_drop(c);
		return;
	}
	if (web->is_proxied && !http_enter_again(c, want->forwarded)) {
		return;
	}
	web_reply_socket(&webs->reply, accept, want->names_protocol);
	http_send(c, NULL);
	web->is_open = true;
	server_counters(stream_loop(c)->server)->web_sockets_total++;
	server_counters(stream_loop(c)->server)->web_sockets_now++;
}

static void http_refuse(struct web_want *want, int status, const char *why)
{
	want->kind = WEB_WANT_NOTHING;
	want->status = status;
	want->why = why;
}

/* What a head that is whole, or refused, asks for. */
static struct web_want http_want(const struct stream *c)
{
	const struct event_loop *loop = stream_loop(c);
	const struct http_head *head = c->web->head;
	const struct web_way way = {.is_tls = c->tls != NULL,
				    .is_proxied = c->web->is_proxied,
				    .origins = loop->config.web_origins,
				    .files = loop->webs.files};
	struct peer peer;
	struct web_want want = {.kind = WEB_WANT_NOTHING, .status = head->status, .why = head->why};
	if (head->state == HTTP_HEAD_WHOLE) {
		want = web_request_want(head, &way);
	}
	if (want.kind == WEB_WANT_HEALTH && loop->phase != EVENT_LOOP_SERVING) {
		http_refuse(&want, 503, "the server is stopping");
	}
	if (want.kind == WEB_WANT_SOCKET && way.is_proxied &&
	    !peer_of_text(want.forwarded, &peer)) {
		http_refuse(&want, 400, "the last entry of X-Forwarded-For is not an address");
	}
	return want;
}

static void http_answer(struct stream *c)
{
	struct stream_web *web = c->web;
	struct webs *webs = web->webs;
	struct web_want want = http_want(c);
	struct web_reply reply = {
		.wall_ms = event_loop_wall_ms(),
		.keeps_alive = want.kind != WEB_WANT_NOTHING && web->head->keeps_alive &&
			       web->requests + 1 < MAX_WEB_REQUESTS,
		.without_body = want.without_body,
	};
	web->requests++;
	server_counters(stream_loop(c)->server)->web_requests++;
	switch (want.kind) {
	case WEB_WANT_SOCKET:
		http_open(c, &want);
		stream_http_forget(web);
		return;
	case WEB_WANT_FILE:
	case WEB_WANT_SAME: {
		bool is_same = want.kind == WEB_WANT_SAME;
		web_reply_file(&webs->reply, &reply, want.file, is_same);
		http_send(c, is_same || want.without_body ? NULL
							  : webs->bodies[want.file - webs->files]);
		break;
	}
	case WEB_WANT_HEALTH:
		web_reply_status(&webs->reply, &reply, 200, "ok");
		http_send(c, NULL);
		break;
	case WEB_WANT_NOTHING:
		http_log_refused(c, want.status, want.why);
		web_reply_status(&webs->reply, &reply, want.status, want.why);
		http_send(c, NULL);
		break;
	}
	stream_http_forget(web);
	if (!reply.keeps_alive && !c->is_closing) {
		stream_web_end_reading(c);
	}
}

struct slice stream_http_read(struct stream *c, struct slice in)
{
	struct stream_web *web = c->web;
	while (in.len > 0 && !c->is_closing && !web->is_open && !web->is_ending) {
		if (c->blocked != NULL) {
			if (buf_append_slice(&web->unread, in) != OK) {
				stream_drop(c);
			}
			stream_follow(c);
			return (struct slice){0};
		}
		if (web->head == NULL) {
			web->head = malloc(sizeof(*web->head));
			if (web->head == NULL) {
				stream_drop(c);
				return (struct slice){0};
			}
			http_head_init(web->head);
		}
		size_t used = http_head_take(web->head, in);
		in = slice_of(in.data + used, in.len - used);
		if (web->head->state != HTTP_HEAD_MORE) {
			http_answer(c);
		}
	}
	return in;
}
