/*
 * web_socket.c - one frame after another from wslay, piece by piece as they arrive.
 *
 * wslay takes bytes from `in` into a buffer of its own and gives the payload out of that. What it
 * holds beyond the frames it has given is counted in `held`, so that at the end of the bytes it is
 * known whether anything is unfinished; where not, its memory is freed.
 */
#include "server/web/web_socket.h"

#include <stdlib.h>
#include <string.h>

#include <wslay/wslay.h>

#include "proto/base/buf.h"
#include "proto/base/limits.h"
#include "proto/base/wipe.h"
#include "proto/text/utf8.h"

struct web_reading {
	wslay_frame_context_ptr frames;
	struct slice in; /* what wslay may take, during a call */
	size_t held;
	bool in_frame;	 /* the header of a frame was read, but not all of its payload */
	bool in_message; /* a fragment came, and not yet the last one */
	bool is_given;	 /* `message` was returned: the next call empties it */
	uint64_t left;	 /* bytes of the frame's payload that are missing */
	uint8_t opcode;	 /* of the frame */
	bool is_last;	 /* of the frame: it ends its message */
	struct buf message;
	size_t control_len;
	char control[WEB_CONTROL_BYTES_MAX];
};

static ssize_t web_give_bytes(uint8_t *to, size_t cap, int flags, void *arg)
{
	struct web_reading *r = arg;
	size_t n = r->in.len < cap ? r->in.len : cap;
	(void)flags;
	if (n == 0) {
		return -1;
	}
	memcpy(to, r->in.data, n);
	r->in = slice_of(r->in.data + n, r->in.len - n);
	r->held += n;
	return (ssize_t)n;
}

static bool web_reading_begin(struct web_socket *s)
{
	static const struct wslay_frame_callbacks callbacks = {.recv_callback = web_give_bytes};
	struct web_reading *r = s->reading != NULL ? s->reading : calloc(1, sizeof(*r));
	if (r != NULL && s->reading == NULL) {
		buf_init(&r->message, MAX_FRAME_BYTES);
		if (wslay_frame_context_init(&r->frames, &callbacks, r) != 0) {
			free(r);
			r = NULL;
		}
	}
	s->reading = r;
	return r != NULL;
}

void web_socket_finish(struct web_socket *s)
{
	struct web_reading *r = s->reading;
	if (r != NULL) {
		wslay_frame_context_free(r->frames);
		buf_finish(&r->message);
		wipe(r->control, sizeof(r->control));
		free(r);
		s->reading = NULL;
	}
}

bool web_socket_is_amid(const struct web_socket *s)
{
	const struct web_reading *r = s->reading;
	return r != NULL && (r->held > 0 || r->in_frame || r->in_message);
}

bool web_socket_is_fragmented(const struct web_socket *s)
{
	return s->reading != NULL && s->reading->in_message;
}

/* ---- one frame ---- */

static struct web_event web_broken(enum web_close close, const char *why)
{
	return (struct web_event){.kind = WEB_EVENT_BROKEN, .close = close, .why = why};
}

static bool is_control(uint8_t opcode)
{
	return wslay_is_ctrl_frame(opcode);
}

/* What is wrong with a frame, by its header alone: nothing of a bad one is kept. */
static struct web_event web_check_header(const struct web_reading *r,
					 const struct wslay_frame_iocb *frame, size_t bytes_max)
{
	if (frame->mask == 0) {
		return web_broken(WEB_CLOSE_PROTOCOL, "a frame is not masked");
	}
	if (frame->rsv != 0) {
		return web_broken(WEB_CLOSE_PROTOCOL, "a frame uses an extension");
	}
	switch (frame->opcode) {
	case WSLAY_CONNECTION_CLOSE:
	case WSLAY_PING:
	case WSLAY_PONG:
		return (struct web_event){0};
	case WSLAY_BINARY_FRAME:
		return web_broken(WEB_CLOSE_NOT_TEXT, "send JSON, as text messages");
	case WSLAY_TEXT_FRAME:
	case WSLAY_CONTINUATION_FRAME:
		if ((frame->opcode == WSLAY_CONTINUATION_FRAME) != r->in_message) {
			return web_broken(WEB_CLOSE_PROTOCOL, "a fragment is out of place");
		}
		if (frame->payload_length > bytes_max - r->message.len) {
			return web_broken(WEB_CLOSE_TOO_LARGE,
					  "a message was larger than the limits allow");
		}
		return (struct web_event){0};
	default:
		return web_broken(WEB_CLOSE_PROTOCOL, "a frame is of no known kind");
	}
}

/* The bytes of a header that extend its length (RFC 6455, 5.2). */
static size_t web_length_bytes(uint64_t payload_len)
{
	return payload_len < 126 ? 0 : payload_len <= UINT16_MAX ? 2 : 8;
}

/* wslay leaves the payload in its buffer, where it would outlive the message. */
static void web_wipe_piece(const struct wslay_frame_iocb *frame)
{
	union {
		const uint8_t *in;
		uint8_t *out;
	} piece = {.in = frame->data};
	wipe(piece.out, frame->data_length);
}

static enum err web_keep_piece(struct web_reading *r, const struct wslay_frame_iocb *frame)
{
	if (is_control(r->opcode)) {
		memcpy(r->control + r->control_len, frame->data, frame->data_length);
		r->control_len += frame->data_length;
		return OK;
	}
	return buf_append(&r->message, frame->data, frame->data_length);
}

static bool web_code_is_good(unsigned code)
{
	bool is_reserved = code == 1004 || code == 1005 || code == 1006;
	return (code >= 1000 && code <= 1014 && !is_reserved) || (code >= 3000 && code <= 4999);
}

static struct web_event web_said_close(const struct web_reading *r)
{
	const unsigned char *payload = (const unsigned char *)r->control;
	struct slice reason = {0};
	if (r->control_len == 0) {
		return (struct web_event){.kind = WEB_EVENT_CLOSE, .close = WEB_CLOSE_NORMAL};
	}
	if (r->control_len >= 2) {
		reason = slice_of(r->control + 2, r->control_len - 2);
	}
	if (r->control_len == 1 || !web_code_is_good((unsigned)payload[0] << 8 | payload[1])) {
		return web_broken(WEB_CLOSE_PROTOCOL, "the code of a close is not valid");
	}
	if (!utf8_is_valid(reason)) {
		return web_broken(WEB_CLOSE_NOT_UTF8, "the reason of a close is not UTF-8");
	}
	return (struct web_event){.kind = WEB_EVENT_CLOSE, .close = WEB_CLOSE_NORMAL};
}

/* A frame is whole: what it is, where it ends something. */
static struct web_event web_said(struct web_reading *r)
{
	struct slice control = slice_of(r->control, r->control_len);
	switch (r->opcode) {
	case WSLAY_CONNECTION_CLOSE:
		return web_said_close(r);
	case WSLAY_PING:
		return (struct web_event){.kind = WEB_EVENT_PING, .bytes = control};
	case WSLAY_PONG:
		return (struct web_event){.kind = WEB_EVENT_PONG};
	default:
		break;
	}
	r->in_message = !r->is_last;
	if (r->in_message) {
		return (struct web_event){0};
	}
	if (!utf8_is_valid(buf_slice(&r->message))) {
		return web_broken(WEB_CLOSE_NOT_UTF8, "a message is not UTF-8");
	}
	r->is_given = true;
	return (struct web_event){.kind = WEB_EVENT_MESSAGE, .bytes = buf_slice(&r->message)};
}

/* A frame's next piece, which may be its last. */
static struct web_event web_take_piece(struct web_reading *r, const struct wslay_frame_iocb *frame,
				       size_t bytes_max)
{
	if (!r->in_frame) {
		struct web_event wrong = web_check_header(r, frame, bytes_max);
		if (wrong.kind != WEB_EVENT_NONE) {
			return wrong;
		}
		r->in_frame = true;
		r->opcode = frame->opcode;
		r->is_last = frame->fin != 0;
		r->left = frame->payload_length;
		r->control_len = 0;
		r->held -= 2 + web_length_bytes(frame->payload_length) + 4; /* the mask's key */
	}
	enum err e = web_keep_piece(r, frame);
	web_wipe_piece(frame);
	r->left -= frame->data_length;
	r->held -= frame->data_length;
	if (e != OK) {
		return (struct web_event){.kind = WEB_EVENT_NOMEM};
	}
	if (r->left > 0) {
		return (struct web_event){0};
	}
	r->in_frame = false;
	return web_said(r);
}

struct web_event web_socket_next(struct web_socket *s, struct slice *in, size_t bytes_max)
{
	struct wslay_frame_iocb frame;
	struct web_event event = {0};
	if (!web_reading_begin(s)) {
		return (struct web_event){.kind = WEB_EVENT_NOMEM};
	}
	struct web_reading *r = s->reading;
	if (r->is_given) {
		r->is_given = false;
		buf_clear(&r->message);
	}
	r->in = *in;
	while (event.kind == WEB_EVENT_NONE) {
		ssize_t n = wslay_frame_recv(r->frames, &frame);
		if (n == WSLAY_ERR_WANT_READ && r->in.len > 0) {
			continue; /* it asks once a call, and may need another part of a header */
		}
		if (n == WSLAY_ERR_WANT_READ) {
			break;
		}
		event = n < 0 ? web_broken(WEB_CLOSE_PROTOCOL, "a frame is broken")
			      : web_take_piece(r, &frame, bytes_max);
	}
	*in = r->in;
	r->in = (struct slice){0};
	if (event.kind == WEB_EVENT_NONE && !web_socket_is_amid(s)) {
		web_socket_finish(s);
	}
	return event;
}

/* ---- out ---- */

size_t web_socket_header(enum web_opcode opcode, size_t len, char out[WEB_HEADER_BYTES_MAX])
{
	size_t digits = web_length_bytes(len);
	out[0] = (char)(0x80 | opcode); /* whole, and never masked: that is for clients */
	out[1] = (char)(digits == 0 ? len : digits == 2 ? 126 : 127);
	for (size_t i = 0; i < digits; i++) {
		out[2 + i] = (char)((uint64_t)len >> (8 * (digits - 1 - i)));
	}
	return 2 + digits;
}

size_t web_socket_close_payload(enum web_close close, char out[WEB_CONTROL_BYTES_MAX])
{
	out[0] = (char)((unsigned)close >> 8);
	out[1] = (char)close;
	return 2;
}
