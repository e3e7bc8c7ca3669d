/*
 * web_reply.h - answers to HTTP requests: heads, with what they tell a browser to refuse, and short texts.
 *
 * Every answer forbids the browser to run or fetch anything from elsewhere, to guess types, to show the
 * page in a frame, and to tell other sites where it has been.
 *
 * The functions append to a buffer, which keeps errors.
 */
#ifndef SERVER_WEB_WEB_REPLY_H
#define SERVER_WEB_WEB_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"
#include "server/web/web_files.h"

/* Enough for any head, and the longest reason. */
#define WEB_REPLY_BYTES_MAX 2048

/* What is the same for all answers. */
struct web_reply {
	int64_t wall_ms;   /* for Date */
	bool keeps_alive;  /* false: Connection: close */
	bool without_body; /* HEAD */
};

/* The head of a file, whose bytes follow; or of 304, which has none. */
void web_reply_file(struct buf *b, const struct web_reply *r, const struct web_file *file, bool is_same);
/* A status with a sentence as its body, which ends with a newline. */
void web_reply_status(struct buf *b, const struct web_reply *r, int status, const char *text);
/*
 * The change to the WebSocket protocol.
 *
 * @accept          what follows from Sec-WebSocket-Key (websocket_accept()).
 * @names_protocol  the client offered WEB_SUBPROTOCOL.
 */
void web_reply_socket(struct buf *b, const char *accept, bool names_protocol);

#endif
