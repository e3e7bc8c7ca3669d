/*
 * stream_web_uv.c - connections of web listeners: what lies between HTTP or a WebSocket and the core's
 * MessagePack.
 *
 * Happy path: the connection enters the core when it is accepted, as any other. Its requests for the
 * page are answered here, and the core sees nothing of them. Once one asks for the WebSocket, each text
 * message is translated and passed to the core, and each message of the core becomes a frame.
 *
 * The socket takes no more: what is translated already waits here, as references to frames that all
 * share, and nothing more is translated; the core keeps the rest, as for others. Each piece that the
 * socket takes of it counts as progress. Requests behind an answer that waits are not read.
 * No request comes, or no WebSocket: the core's time for session.hello ends it, with an answer that says
 * so, unless one was given already. An answer that is still being sent then is sent to its end.
 * What is no HTTP is refused with a status, and what is no WebSocket or no request as a broken message
 * is: counted, logged, told, closed.
 * Behind a proxy, who connects is known only from the request for the WebSocket: the connection then
 * leaves the core and enters again as that peer, whose limits hold for it from there on.
 * A peer that has vanished answers no pings and is dropped.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/tls/websocket_accept.h"
#include "server/net/event_loop_uv.h"
#include "server/web/http_head.h"
#include "server/web/web_reply.h"

#define WEB_LOOK_EVERY_MS 1000
/* What one read brings, of which no request may be answered at present. */
#define WEB_UNREAD_BYTES (2 * EVENT_LOOP_READ_BYTES)
#define WEB_REASON_BYTES 256

static struct webs *webs_of(const struct stream *c)
{
	return c->web->webs;
}

static struct counters *counters_of(const struct stream *c)
{
	return server_counters(stream_loop(c)->server);
}

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
	webs_of(c)->is_over = webs_of(c)->frame_bytes > webs_of(c)->limits.bytes_all;
	return ok;
}

static void web_drop_waits(struct stream_web *web)
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

/*
 * Send one frame, whose reference is taken, on a connection that is not blocked; NULL: memory was out.
 */
static void web_put(struct stream *c, struct web_frame *f)
{
	struct web_queue *batch = &webs_of(c)->batch;
	ASSERT(c->blocked == NULL);
	if (f == NULL) {
		stream_drop(c);
		return;
	}
	web_queue_add(batch, f);
	if (web_flush(c, batch)) {
		web_tell_blocked(c);
	}
}

static struct web_frame *web_frame_of(struct stream *c, enum web_opcode opcode,
				      struct slice payload)
{
	char header[WEB_HEADER_BYTES_MAX];
	size_t len = web_socket_header(opcode, payload.len, header);
	return web_frame_create(&webs_of(c)->frame_bytes, slice_of(header, len), payload);
}

/* ---- HTTP out ---- */

static int64_t wall_ms(void)
{
	struct timespec now = {0};
	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Send the head in webs.reply, and behind it the body, which may be NULL. */
static void web_send_reply(struct stream *c, struct web_frame *body)
{
	struct webs *webs = webs_of(c);
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
	if (web_flush(c, &webs->batch)) {
		web_tell_blocked(c);
	}
}

/* Read no more; end when all that waits was sent. */
static void web_end_reading(struct stream *c)
{
	c->web->is_ending = true;
	stream_follow(c);
	if (c->blocked == NULL && !c->is_closing) {
		stream_pass_eof(c);
	}
}

static void web_log_refused(struct stream *c, int status, const char *why)
{
	struct log_line l;
	counters_of(c)->web_requests_refused++;
	log_begin(&l, stream_loop(c)->config.log, LOG_DEBUG, "web_refused");
	log_int(&l, "status", status);
	log_str(&l, "reason", why);
	log_end(&l);
}

/* What the core says before there is a WebSocket is why it ends the connection. */
static void web_say_closing(struct stream *c, const struct slice *pieces, size_t n)
{
	struct stream_web *web = c->web;
	struct webs *webs = webs_of(c);
	struct web_reply reply = {.wall_ms = wall_ms()};
	struct slice reason;
	char text[WEB_REASON_BYTES];
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
	web_log_refused(c, status, why);
	web_reply_status(&webs->reply, &reply, status, why);
	web_send_reply(c, NULL);
}

/* ---- WebSocket out ---- */

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
	struct webs *webs = webs_of(c);
	struct slice slices[STREAM_SLICES_MAX];
	bool is_more = c->blocked == NULL;
	web_tell_blocked(c);
	while (is_more) {
		size_t n = server_gather(loop->server, stream_id(c), slices, STREAM_SLICES_MAX);
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
			web_say_closing(c, slices, n);
		}
		counters_of(c)->web_translations = webs->translations;
		if (e != OK || used == 0) {
			log_pair(loop->config.log, LOG_ERROR, "web_not_translated", "reason",
				 err_text(e));
			web_queue_clear(&webs->batch);
			stream_drop(c);
		} else if (!c->is_closing) {
			(void)web_flush(c, &webs->batch);
		}
		bool is_blocked = c->blocked != NULL || c->is_closing;
		server_wrote(loop->server, stream_id(c), used, is_blocked,
			     event_loop_mono_ms(loop));
		is_more = !is_blocked && (used < all || n == STREAM_SLICES_MAX);
	}
}

void stream_web_end(struct stream *c)
{
	char payload[WEB_CONTROL_BYTES_MAX];
	if (c->web->is_open && c->blocked == NULL) {
		size_t len = web_socket_close_payload(c->web->close, payload);
		web_put(c, web_frame_of(c, WEB_CLOSING, slice_of(payload, len)));
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

/* ---- in: HTTP ---- */

static void web_forget_head(struct stream_web *web)
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
static bool web_enter_again(struct stream *c, struct slice forwarded)
{
	struct peer peer;
	if (!peer_of_text(forwarded, &peer)) {
		stream_drop(c);
		return false;
	}
	stream_leave(c);
	c->web->is_proxied = false;
	return stream_enter(c, &peer) && !c->is_closing && !c->web->is_ending;
}

static void web_open(struct stream *c, const struct web_want *want)
{
	struct stream_web *web = c->web;
	struct webs *webs = webs_of(c);
	char accept[WEBSOCKET_ACCEPT_CHARS + 1];
	if (!websocket_accept(want->key, accept)) {
		stream_drop(c);
		return;
	}
	if (web->is_proxied && !web_enter_again(c, want->forwarded)) {
		return;
	}
	web_reply_socket(&webs->reply, accept, want->names_protocol);
	web_send_reply(c, NULL);
	web->is_open = true;
	counters_of(c)->web_sockets_total++;
	counters_of(c)->web_sockets_now++;
}

/* Answer a head that is whole, or refused. */
static void web_answer(struct stream *c)
{
	struct stream_web *web = c->web;
	struct webs *webs = webs_of(c);
	struct event_loop *loop = stream_loop(c);
	const struct http_head *head = web->head;
	const struct web_way way = {.is_tls = c->tls != NULL,
				    .is_proxied = web->is_proxied,
				    .origins = loop->config.web_origins,
				    .files = webs->files};
	struct web_want want = head->state == HTTP_HEAD_WHOLE
				       ? web_request_want(head, &way)
				       : (struct web_want){.kind = WEB_WANT_NOTHING,
							   .status = head->status,
							   .why = head->why};
	struct web_reply reply = {
		.wall_ms = wall_ms(),
		.keeps_alive = head->state == HTTP_HEAD_WHOLE && head->keeps_alive &&
			       want.kind != WEB_WANT_NOTHING &&
			       web->requests + 1 < MAX_WEB_REQUESTS,
		.without_body = want.without_body,
	};
	web->requests++;
	counters_of(c)->web_requests++;
	switch (want.kind) {
	case WEB_WANT_SOCKET:
		web_open(c, &want);
		web_forget_head(web);
		return;
	case WEB_WANT_FILE:
	case WEB_WANT_SAME: {
		bool is_same = want.kind == WEB_WANT_SAME;
		web_reply_file(&webs->reply, &reply, want.file, is_same);
		web_send_reply(c, is_same || want.without_body
					  ? NULL
					  : webs->bodies[want.file - webs->files]);
		break;
	}
	case WEB_WANT_HEALTH: {
		bool is_well = loop->phase == EVENT_LOOP_SERVING;
		web_reply_status(&webs->reply, &reply, is_well ? 200 : 503,
				 is_well ? "ok" : "the server is stopping");
		web_send_reply(c, NULL);
		break;
	}
	case WEB_WANT_NOTHING:
		web_log_refused(c, want.status, want.why);
		web_reply_status(&webs->reply, &reply, want.status, want.why);
		web_send_reply(c, NULL);
		break;
	}
	web_forget_head(web);
	if (!reply.keeps_alive && !c->is_closing) {
		web_end_reading(c);
	}
}

/* Returns what of the bytes is no request of HTTP any more. */
static struct slice web_read_requests(struct stream *c, struct slice in)
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
			web_answer(c);
		}
	}
	return in;
}

/* ---- in: WebSocket ---- */

/* Time a message that has begun, unless it is timed already and no other has ended since. */
static void web_time_message(struct stream *c, bool has_ended)
{
	struct stream_web *web = c->web;
	bool is_amid = web->is_open && web_socket_is_amid(&web->socket);
	if (web->is_amid && (has_ended || !is_amid)) {
		DL_DELETE2(webs_of(c)->amid, web, prev_amid, next_amid);
		web->is_amid = false;
	}
	if (is_amid && !web->is_amid) {
		web->is_amid = true;
		web->since_ms = event_loop_mono_ms(stream_loop(c));
		DL_APPEND2(webs_of(c)->amid, web, prev_amid, next_amid);
	}
}

/* As the core ends one whose MessagePack is broken. */
static void web_break(struct stream *c, enum web_close close, const char *why)
{
	struct event e = {.kind = EVENT_BROKEN, .conn = stream_id(c), .bytes = slice_str(why)};
	c->web->close = close;
	c->web->is_ending = true;
	event_loop_step(stream_loop(c), &e);
}

static void web_take_message(struct stream *c, struct slice text)
{
	struct errmsg why = {""};
	struct slice message;
	c->web->has_spoken = true;
	switch (web_text_request(webs_of(c)->text, text, &message, &why)) {
	case OK:
		stream_pass_bytes(c, message);
		break;
	case ERR_NOMEM:
		stream_drop(c);
		break;
	case ERR_TOO_LARGE:
		web_break(c, WEB_CLOSE_TOO_LARGE, "a message was larger than the limits allow");
		break;
	default:
		web_break(c, WEB_CLOSE_REFUSED, why.text);
		break;
	}
}

/* Of several pings in one read only the last is answered, as RFC 6455, 5.5.3, allows. */
static void web_read_frames(struct stream *c, struct slice in)
{
	struct stream_web *web = c->web;
	struct web_event event;
	struct web_frame *pong = NULL;
	bool has_ended = false; /* a message, or a frame that is none's */
	do {
		event = web_socket_next(&web->socket, &in,
					web->has_spoken ? MAX_FRAME_BYTES : MAX_FRAME_BYTES_GUEST);
		has_ended = has_ended || (event.kind != WEB_EVENT_NONE &&
					  !web_socket_is_fragmented(&web->socket));
		switch (event.kind) {
		case WEB_EVENT_MESSAGE:
			web_take_message(c, event.bytes);
			break;
		case WEB_EVENT_PING:
			web_frame_unref(pong);
			pong = web_frame_of(c, WEB_PONG, event.bytes);
			break;
		case WEB_EVENT_CLOSE:
			web->close = event.close;
			web_end_reading(c);
			break;
		case WEB_EVENT_BROKEN:
			web_break(c, event.close, event.why);
			break;
		case WEB_EVENT_NOMEM:
			stream_drop(c);
			break;
		case WEB_EVENT_NONE:
		case WEB_EVENT_PONG:
			break;
		}
	} while (event.kind != WEB_EVENT_NONE && !c->is_closing && !web->is_ending);
	if (pong != NULL && (c->is_closing || c->blocked != NULL)) {
		web_frame_unref(pong); /* it does not read: it will not miss that one */
	} else if (pong != NULL) {
		web_put(c, pong);
	}
	web_time_message(c, has_ended);
}

/* ---- in ---- */

static void web_read(struct stream *c, struct slice in)
{
	in = web_read_requests(c, in);
	if (in.len > 0 && c->web->is_open && !c->is_closing && !c->web->is_ending) {
		web_read_frames(c, in);
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
		web_end_reading(c);
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
	if (web->waits != NULL && c->blocked == NULL && !web_flush(c, web->waits)) {
		return false;
	}
	if (web->waits != NULL && web->waits->n == 0) {
		web_drop_waits(web);
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

/* ---- time ---- */

static void webs_look(uv_timer_t *timer);

static void webs_watch(struct webs *webs)
{
	if (uv_is_active((const uv_handle_t *)&webs->timer) == 0) {
		(void)uv_timer_start(&webs->timer, webs_look, WEB_LOOK_EVERY_MS, WEB_LOOK_EVERY_MS);
	}
}

static void web_look_later(struct stream_web *web, int64_t now_ms)
{
	DL_DELETE(web->webs->all, web);
	web->look_ms = now_ms + web->webs->limits.ping_ms;
	DL_APPEND(web->webs->all, web);
}

/* One that the server does not read is not silent. */
static void web_look_at(struct stream_web *web, int64_t now_ms)
{
	struct stream *c = web->stream;
	if (c->is_paused || !stream_loop(c)->is_reading) {
		web->heard_ms = now_ms;
	}
	if (now_ms - web->heard_ms >= web->webs->limits.silent_ms) {
		log_pair(stream_loop(c)->config.log, LOG_DEBUG, "web_silent", "phase",
			 web->is_open ? "websocket" : "http");
		stream_drop(c);
	} else if (web->is_open && !web->is_ending && c->blocked == NULL) {
		web_put(c, web_frame_of(c, WEB_PING, (struct slice){0}));
	}
}

static void webs_look_amid(struct event_loop *loop, int64_t now_ms)
{
	struct stream_web *web;
	struct stream_web *next;
	for (web = loop->webs.amid; web != NULL; web = next) {
		next = web->next_amid;
		struct stream *c = web->stream;
		if (c->is_paused || !loop->is_reading) {
			web->since_ms = now_ms;
		} else if (now_ms - web->since_ms >= loop->webs.limits.frame_ms && !c->is_closing &&
			   !web->is_ending) {
			web_break(c, WEB_CLOSE_REFUSED, "a message was not finished in time");
		}
	}
}

static void webs_look(uv_timer_t *timer)
{
	struct event_loop *loop = timer->data;
	struct webs *webs = &loop->webs;
	int64_t now_ms = event_loop_mono_ms(loop);
	while (webs->all != NULL && webs->all->look_ms <= now_ms) {
		struct stream_web *web = webs->all;
		web_look_later(web, now_ms);
		if (!web->stream->is_closing) {
			web_look_at(web, now_ms);
		}
	}
	webs_look_amid(loop, now_ms);
	if (webs->all == NULL) {
		(void)uv_timer_stop(&webs->timer);
	}
}

/* The one that holds most, weighed by how long its peer has taken nothing. */
static struct stream_web *webs_heaviest(struct webs *webs, int64_t now_ms)
{
	struct stream_web *web;
	struct stream_web *heaviest = NULL;
	uint64_t most = 0;
	DL_FOREACH (webs->all, web) {
		uint64_t held =
			web->waits == NULL || web->stream->is_closing ? 0 : web->waits->bytes;
		uint64_t weight = held * (uint64_t)(now_ms - web->heard_ms + 1);
		if (weight > most) {
			most = weight;
			heaviest = web;
		}
	}
	return heaviest;
}

void webs_turn(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	while (webs->is_over &&
	       webs->frame_bytes > webs->limits.bytes_all - webs->limits.bytes_all / 8) {
		struct stream_web *web = webs_heaviest(webs, event_loop_mono_ms(loop));
		if (web == NULL) {
			break;
		}
		struct log_line l;
		server_counters(loop->server)->connections_shed++;
		log_begin(&l, loop->config.log, LOG_WARN, "shed");
		log_int(&l, "bytes", (int64_t)web->waits->bytes);
		log_end(&l);
		web_drop_waits(web);
		stream_drop(web->stream);
	}
	webs->is_over = false;
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
	DL_APPEND(loop->webs.all, web);
	web_look_later(web, now_ms);
	webs_watch(&loop->webs);
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
		counters_of(c)->web_sockets_now--;
	}
	web_socket_finish(&web->socket);
	web_time_message(c, true);
	DL_DELETE(web->webs->all, web);
	web_drop_waits(web);
	web_forget_head(web);
	buf_finish(&web->unread);
	free(web);
	c->web = NULL;
}

enum err webs_init(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	struct web_reply reply = {.wall_ms = wall_ms()};
	web_files_list(webs->files);
	webs->text = web_text_create(&webs->frame_bytes, &webs->translations);
	bool ok = webs->text != NULL;
	for (size_t i = 0; i < WEB_FILE_COUNT && ok; i++) {
		webs->bodies[i] = web_frame_create(&webs->frame_bytes, webs->files[i].bytes,
						   (struct slice){0});
		ok = webs->bodies[i] != NULL;
	}
	buf_init(&webs->reply, WEB_REPLY_BYTES_MAX);
	buf_init(&loop->web_refusal, WEB_REPLY_BYTES_MAX);
	web_reply_status(&loop->web_refusal, &reply, 503, EVENT_LOOP_FULL);
	return ok && loop->web_refusal.error == OK ? OK : ERR_NOMEM;
}

void webs_finish(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	for (size_t i = 0; i < WEB_FILE_COUNT; i++) {
		web_frame_unref(webs->bodies[i]);
	}
	web_text_destroy(webs->text);
	buf_finish(&webs->reply);
	buf_finish(&loop->web_refusal);
	ASSERT_CMP(webs->frame_bytes, ==, 0);
}
