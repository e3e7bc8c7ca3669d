/*
 * web_socket.h - messages of WebSocket clients out of frames (RFC 6455), and headers of frames to
 * send.
 *
 * wslay reads the frames; here they become messages, within the bounds that every peer is held to:
 * fragments together, masked, UTF-8. Extensions are never agreed on, so reserved bits are an error.
 *
 * Not here: what a message says (web_text.h), and when a ping is due.
 *
 * Life: a zeroed struct .. web_socket_finish(). It holds memory only between the bytes of a frame or
 * of a fragmented message: a connection that is silent costs nothing.
 */
#ifndef SERVER_WEB_WEB_SOCKET_H
#define SERVER_WEB_WEB_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"

/* Reasons for which a connection is closed (RFC 6455, 7.4.1). */
enum web_close {
	WEB_CLOSE_NORMAL = 1000,
	WEB_CLOSE_GOING_AWAY = 1001,
	WEB_CLOSE_PROTOCOL = 1002,
	WEB_CLOSE_NOT_TEXT = 1003,
	WEB_CLOSE_NOT_UTF8 = 1007,
	WEB_CLOSE_REFUSED = 1008,   /* a text that is no request */
	WEB_CLOSE_TOO_LARGE = 1009,
};

#define WEB_CONTROL_BYTES_MAX 125
/* Of a header that a server sends. */
#define WEB_HEADER_BYTES_MAX 10

enum web_event_kind {
	WEB_EVENT_NONE,    /* all bytes were used */
	WEB_EVENT_MESSAGE, /* `bytes` is a text message */
	WEB_EVENT_PING,    /* answer with a pong of `bytes` */
	WEB_EVENT_PONG,
	WEB_EVENT_CLOSE,   /* the client closes, with `close`; read no more */
	WEB_EVENT_BROKEN,  /* not what the protocol allows: close with `close`; `why` is for people */
	WEB_EVENT_NOMEM
};

struct web_event {
	enum web_event_kind kind;
	struct slice bytes; /* valid until the next call */
	enum web_close close;
	const char *why; /* static */
};

struct web_reading; /* a frame or a message that is incomplete */

struct web_socket {
	struct web_reading *reading; /* NULL: none */
};

void web_socket_finish(struct web_socket *s);

/*
 * Read on until something is complete.
 *
 * @in         the bytes received; advanced past those that were used.
 * @bytes_max  the largest message.
 */
struct web_event web_socket_next(struct web_socket *s, struct slice *in, size_t bytes_max);

/* Return whether the end of a frame or of a message is awaited. */
bool web_socket_is_amid(const struct web_socket *s);
/* Return whether fragments of a message have come, and not its last. */
bool web_socket_is_fragmented(const struct web_socket *s);

enum web_opcode { WEB_TEXT = 1, WEB_CLOSING = 8, WEB_PING = 9, WEB_PONG = 10 };

/* Write the header of a whole, unmasked frame with a payload of len bytes; returns its length. */
size_t web_socket_header(enum web_opcode opcode, size_t len, char out[WEB_HEADER_BYTES_MAX]);
/* The payload of a frame that closes; returns its length. */
size_t web_socket_close_payload(enum web_close close, char out[WEB_CONTROL_BYTES_MAX]);

#endif
