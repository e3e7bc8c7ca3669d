/*
 * peer_uv.c - a handshake on a loop of its own; see peer_uv.h.
 */
#include "client/net/transport/peer_uv.h"

#include "client/net/loop_uv.h"
#include "client/net/transport/transport_uv.h"

struct peer_watch {
	struct loop loop;
	struct transport *transport; /* NULL: it has ended */
	struct tls_peer *out;
	bool is_seen;
};

static void peer_on_peer(void *owner, const struct tls_peer *peer)
{
	struct peer_watch *p = owner;
	*p->out = *peer;
	p->is_seen = true;
	transport_close(p->transport);
	p->transport = NULL;
	loop_wake(&p->loop);
}

static void peer_on_open(void *owner)
{
	(void)owner; /* not reached: it is closed before */
}

static void peer_on_frame(void *owner, struct slice frame)
{
	(void)owner, (void)frame;
}

static void peer_on_end(void *owner, const char *why)
{
	struct peer_watch *p = owner;
	(void)why;
	p->transport = NULL;
	loop_wake(&p->loop);
}

static bool peer_is_over(const void *arg)
{
	return ((const struct peer_watch *)arg)->transport == NULL;
}

enum err peer_look(const struct address *address, int64_t timeout_ms, struct tls_peer *out)
{
	static const struct transport_handler handler = {
		.on_peer = peer_on_peer,
		.on_open = peer_on_open,
		.on_frame = peer_on_frame,
		.on_end = peer_on_end,
	};
	struct peer_watch p = {.out = out};
	loop_open(&p.loop, NULL, NULL);
	p.transport = transport_open(&p.loop.uv, address, false, &handler, &p);
	bool is_over = loop_run(&p.loop, peer_is_over, &p, timeout_ms);
	transport_close(p.transport);
	loop_close(&p.loop);
	return p.is_seen ? OK : is_over ? ERR_CLOSED : ERR_UNKNOWN;
}
