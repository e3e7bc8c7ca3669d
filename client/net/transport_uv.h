/*
 * transport_uv.h - one connection to a server: whole messages in, bytes out.
 *
 * Knows addresses and sockets, ssh, TLS and whether the certificate is the right one, finds
 * where a message ends, and bounds what
 * waits in both directions. What a message means, and coming back after the
 * end, is connection_uv.h's business.
 *
 * Happy path: transport_open(), on_open, then on_frame for each message while
 * transport_out() and transport_flush() carry ours.
 * Failure: whatever goes wrong at whatever time (no such host, refused, reset,
 * a frame that is none, too much waiting) ends in one on_end, never from inside
 * a wire_ call, and the wire is gone after it.
 *
 * Life:    transport_open() .. on_end returned, or transport_close(). The memory is given
 *          back by the loop afterwards.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_TRANSPORT_UV_H
#define CLIENT_NET_TRANSPORT_UV_H

#include <stddef.h>

#include <uv.h>

#include "client/net/address.h"
#include "proto/base/buf.h"
#include "proto/tls/tls.h"
#include "proto/base/slice.h"

/* The largest message we take from a server: a full update of the largest room is about 1 MiB. */
#define TRANSPORT_FRAME_BYTES (4u << 20)
/* What may wait to be sent. */
#define TRANSPORT_OUT_BYTES (1u << 20)

struct transport;

struct transport_handler {
	/* tls:// alone; may be NULL: whom the handshake has found, before it is judged. May call transport_close(). */
	void (*on_peer)(void *owner, const struct tls_peer *peer);
	void (*on_open)(void *owner);
	/* A whole message; the bytes are valid for the call. May call transport_close(). */
	void (*on_frame)(void *owner, struct slice frame);
	/* why: for people, valid for the call. */
	void (*on_end)(void *owner, const char *why);
};

/*
 * @may_ask  ssh:// alone: ssh may ask a person on the terminal before it connects (ssh_child_uv.h).
 * NULL where the system gives no descriptor.
 */
struct transport *transport_open(uv_loop_t *loop, const struct address *address, bool may_ask,
				 const struct transport_handler *on, void *owner);

/* No callback comes after this. NULL is fine. */
void transport_close(struct transport *w);

/* Where to append whole messages; flush afterwards. Its sticky error ends the connection at the flush. */
struct buf *transport_out(struct transport *w);
void transport_flush(struct transport *w);

/*
 * Between the two, what is flushed gathers, and leaves in one write at the last
 * transport_let_go(). Every callback but on_end is held like that by itself.
 */
void transport_hold(struct transport *w);
void transport_let_go(struct transport *w);

#endif
