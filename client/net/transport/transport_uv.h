/*
 * transport_uv.h - one connection to a server: whole messages in, bytes out.
 *
 * Opens the socket or ssh, does TLS and checks the server's certificate, splits the
 * received bytes into messages, and bounds the buffers in both directions. What a
 * message means, and reconnecting, is connection_uv.h's business.
 *
 * Happy path: transport_open(), on_open, then on_frame for each message received;
 * transport_out() and transport_flush() send.
 * Failure: any failure at any time (unknown host, refused, reset, an invalid frame,
 * a full buffer) is one call of on_end, never from inside a transport_ call; the
 * transport is gone when it returns.
 *
 * Life:    transport_open() .. on_end returned, or transport_close(). The loop frees the
 *          memory later.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_TRANSPORT_UV_H
#define CLIENT_NET_TRANSPORT_UV_H

#include <stddef.h>

#include <uv.h>

#include "client/net/transport/address.h"
#include "proto/base/buf.h"
#include "proto/tls/tls.h"
#include "proto/base/slice.h"

/* The largest message accepted from a server; a full update of the largest room is about 1 MiB. */
#define TRANSPORT_FRAME_BYTES (4u << 20)
/* The most bytes that may wait to be sent. */
#define TRANSPORT_OUT_BYTES (1u << 20)

struct transport;

struct transport_handler {
	/*
	 * tls:// only; may be NULL. The certificate of the handshake, before it is checked. May
	 * call transport_close().
	 */
	void (*on_peer)(void *owner, const struct tls_peer *peer);
	void (*on_open)(void *owner);
	/* A whole message; valid only during the call. May call transport_close(). */
	void (*on_frame)(void *owner, struct slice frame);
	/* why: for people; valid only during the call. */
	void (*on_end)(void *owner, const char *why);
};

/*
 * Start to connect; *on is copied. Returns NULL if no descriptor is available.
 * @may_ask  ssh:// only: ssh may prompt on the terminal before it connects (ssh_child_uv.h).
 */
struct transport *transport_open(uv_loop_t *loop, const struct address *address, bool may_ask,
				 const struct transport_handler *on, void *owner);

/* No callback is called after this. NULL is allowed. */
void transport_close(struct transport *w);

/*
 * The buffer to append whole messages to; flush afterwards. If it has an error, the flush ends the
 * connection.
 */
struct buf *transport_out(struct transport *w);
void transport_flush(struct transport *w);

/*
 * Messages flushed between the two are sent in one write by the last transport_let_go().
 * on_open and on_frame are already called between the two.
 */
void transport_hold(struct transport *w);
void transport_let_go(struct transport *w);

#endif
