/*
 * stream_web_uv.h - connections of web listeners, for the event loop's parts; event_loop_uv.h includes
 * it.
 *
 *   stream_web_uv.c        what stream_uv.c asks of them: input, output, their end
 *   stream_http_uv.c       requests for the page, until one asks for the WebSocket
 *   stream_websocket_uv.c  messages of a WebSocket, in and out
 *   webs_uv.c              what is decided for all of them: pings, deadlines, memory
 */
#ifndef SERVER_NET_STREAM_WEB_UV_H
#define SERVER_NET_STREAM_WEB_UV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "server/core/server.h"
#include "server/web/http_head.h"
#include "server/web/web_frame.h"
#include "server/web/web_request.h"
#include "server/web/web_socket.h"
#include "server/web/web_text.h"

struct event_loop;
struct stream;

/*
 * Of a connection to a web listener. It is in the table, and known to the core, from the start, so
 * that the core's deadlines and limits hold before there is a WebSocket.
 */
struct stream_web {
	struct stream *stream;
	struct webs *webs;
	struct http_head *head;   /* the request being read; NULL: none has begun */
	struct buf unread;        /* requests that wait until answers were sent */
	struct web_queue *waits;  /* what the socket does not accept yet; NULL: nothing */
	struct web_socket socket;
	bool is_proxied;  /* its peer is the proxy of --web-proxy */
	bool is_open;     /* it is a WebSocket */
	bool has_spoken;  /* its first message has come */
	bool is_ending;   /* nothing more is read; it ends when everything was sent */
	bool is_lingering; /* the core has closed it; an answer is still being sent */
	bool is_amid;     /* a message is incomplete: in webs.amid */
	unsigned requests;
	enum web_close close; /* the code with which it will be closed */
	int64_t opened_ms;
	int64_t heard_ms; /* when its peer last sent anything; of a WebSocket also, took anything */
	int64_t look_ms;  /* when it is looked at next */
	int64_t since_ms; /* start of the incomplete message */
	struct stream_web *next, *prev;           /* in webs.all */
	struct stream_web *next_amid, *prev_amid;
};

struct webs {
	struct stream_web *all;  /* utlist, by look_ms */
	struct stream_web *amid; /* utlist, in the order in which their messages began */
	uv_timer_t timer;        /* runs while there are any */
	struct web_text *text;
	struct web_file files[WEB_FILE_COUNT];
	struct web_frame *bodies[WEB_FILE_COUNT]; /* the bytes of the files */
	struct web_queue batch;  /* what is being sent now */
	struct buf reply;        /* a head that is being written */
	struct buf refusal;      /* of stream_http_refusal() */
	uint64_t frame_bytes;    /* memory of all frames that wait or are kept */
	uint64_t translations;
	struct {
		int64_t hello_ms;
		int64_t frame_ms;
		int64_t ping_ms;
		int64_t silent_ms;
		uint64_t bytes_all;
	} limits;
};

/* ---- for stream_uv.c: stream_web_uv.c ---- */

/* The accepted connection speaks HTTP. Returns false if memory is out. */
bool stream_web_begin(struct stream *c, int fd);
/* The peer that the core is told before the head of a request says more. */
struct peer stream_web_peer(const struct stream *c, const struct peer *peer);
void stream_web_on_bytes(struct stream *c, struct slice bytes);
void stream_web_on_eof(struct stream *c);
/* The socket accepts more. Returns false if that was used up, or the connection was dropped. */
bool stream_web_on_room(struct stream *c);
/* As stream_write(). */
void stream_web_write(struct stream *c);
/* Send the end of the WebSocket, if the socket accepts it now. */
void stream_web_end(struct stream *c);
/* Return whether it must not be closed yet, as an answer is still being sent: it is closed after that. */
bool stream_web_lingers(struct stream *c);
/* Return whether its peer is not read at present. */
bool stream_web_is_held(const struct stream *c);
/* Its peer is read from now on: what was not read before was not its delay. */
void stream_web_is_read(struct stream *c);
void stream_web_free(struct stream *c);

/* ---- for its parts: stream_web_uv.c ---- */

/*
 * Send what is in webs.batch, on a connection that is not blocked; the rest waits. If memory is out,
 * the connection is dropped.
 */
void stream_web_send(struct stream *c);
/* Forget what the socket does not accept yet, of a connection that is dropped. */
void stream_web_drop_waits(struct stream_web *web);
/* Read no more; end when all that waits was sent. */
void stream_web_end_reading(struct stream *c);

/* ---- requests and answers: stream_http_uv.c ---- */

/* Read requests and answer them. Returns what of the bytes is no request of HTTP any more. */
struct slice stream_http_read(struct stream *c, struct slice in);
/* What the core says before there is a WebSocket is why it ends the connection. */
void stream_http_tell_closing(struct stream *c, const struct slice *pieces, size_t n);
/* The answer to a connection that is refused; valid until the next call. */
struct slice stream_http_refusal(struct webs *webs);
/* Forget the request that is being read, if any. */
void stream_http_forget(struct stream_web *web);

/* ---- messages: stream_websocket_uv.c ---- */

void stream_websocket_read(struct stream *c, struct slice in);
void stream_websocket_ping(struct stream *c);
/* Send the frame that closes it, with web->close. */
void stream_websocket_close(struct stream *c);
/* End the connection as the core ends one whose MessagePack is broken. */
void stream_websocket_break(struct stream *c, enum web_close close, const char *why);

/* ---- all of them: webs_uv.c ---- */

NODISCARD enum err webs_init(struct event_loop *loop);
void webs_finish(struct event_loop *loop);
/* End those whose time is over, ping those that are due. */
void webs_look(struct event_loop *loop);
/* Let connections go that hold too much of what waits for all. */
void webs_turn(struct event_loop *loop);
/* From now on the connection is pinged, and ends when it is silent. */
void webs_enter(struct stream_web *web, int64_t now_ms);
void webs_leave(struct stream_web *web);
/*
 * The WebSocket was read: time a message that has begun, unless it is timed already and no other has
 * ended since.
 */
void webs_time_message(struct stream_web *web, bool has_ended);

#endif
