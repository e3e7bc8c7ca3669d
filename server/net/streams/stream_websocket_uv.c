/*
 * stream_websocket_uv.c - messages of a WebSocket: text to the core's MessagePack, pings and pongs, the
 * close.
 *
 * What is no WebSocket, or no request, is refused as a broken message is: counted, logged, told, closed.
 */
#include "proto/base/assert.h"
#include "server/net/event_loop_uv.h"

/* ---- out ---- */

static struct web_frame *websocket_frame(struct stream *c, enum web_opcode opcode,
					 struct slice payload)
{
	char header[WEB_HEADER_BYTES_MAX];
	size_t len = web_socket_header(opcode, payload.len, header);
	return web_frame_create(&c->web->webs->frame_bytes, slice_of(header, len), payload);
}

/*
 * Send one frame, whose reference is taken, on a connection that is not blocked; NULL: memory was out.
 */
static void websocket_send(struct stream *c, struct web_frame *f)
{
	ASSERT(c->blocked == NULL);
	if (f == NULL) {
		stream_drop(c);
		return;
	}
	web_queue_add(&c->web->webs->batch, f);
	stream_web_send(c);
}

void stream_websocket_ping(struct stream *c)
{
	websocket_send(c, websocket_frame(c, WEB_PING, (struct slice){0}));
}

void stream_websocket_close(struct stream *c)
{
	char payload[WEB_CONTROL_BYTES_MAX];
	size_t len = web_socket_close_payload(c->web->close, payload);
	websocket_send(c, websocket_frame(c, WEB_CLOSING, slice_of(payload, len)));
}

/* ---- in ---- */

void stream_websocket_break(struct stream *c, enum web_close close, const char *why)
{
	struct event e = {.kind = EVENT_BROKEN, .conn = stream_id(c), .bytes = slice_str(why)};
	c->web->close = close;
	c->web->is_ending = true;
	event_loop_step(stream_loop(c), &e);
}

static void websocket_take(struct stream *c, struct slice text)
{
	struct errmsg why = {""};
	struct slice message;
	c->web->has_spoken = true;
	switch (web_text_request(c->web->webs->text, text, &message, &why)) {
	case OK:
		stream_pass_bytes(c, message);
		break;
	case ERR_NOMEM:
		stream_drop(c);
		break;
	case ERR_TOO_LARGE:
		stream_websocket_break(c, WEB_CLOSE_TOO_LARGE,
				       "a message was larger than the limits allow");
		break;
	default:
		stream_websocket_break(c, WEB_CLOSE_REFUSED, why.text);
		break;
	}
}

/* Of several pings in one read only the last is answered, as RFC 6455, 5.5.3, allows. */
void stream_websocket_read(struct stream *c, struct slice in)
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
			websocket_take(c, event.bytes);
			break;
		case WEB_EVENT_PING:
			web_frame_unref(pong);
			pong = websocket_frame(c, WEB_PONG, event.bytes);
			break;
		case WEB_EVENT_CLOSE:
			web->close = event.close;
			stream_web_end_reading(c);
			break;
		case WEB_EVENT_BROKEN:
			stream_websocket_break(c, event.close, event.why);
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
		websocket_send(c, pong);
	}
	webs_time_message(web, has_ended);
}
