/*
 * event_loop.h - the event loop around the core: turns sockets, timers, signals and callbacks of
 * the store into events, performs effects and writes output.
 *
 * Use: event_loop_create(), open the store with event_loop_wake() as its wake callback, then
 * event_loop_attach(), event_loop_serve(), event_loop_run(), event_loop_destroy().
 *
 * Threads: the thread that created it; event_loop_wake() from any thread.
 */
#ifndef SERVER_NET_EVENT_LOOP_H
#define SERVER_NET_EVENT_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/tls/tls.h"
#include "server/core/server.h"
#include "server/net/log.h"
#include "server/net/streams/peer_cred.h"
#include "server/net/streams/socket.h"
#include "server/web/web_request.h"
#include "store/store.h"

struct event_loop;
struct redis_net;

struct event_loop_config {
	const struct log *log; /* must outlive the event loop */
	/* LIMIT_COUNT of them, only read by event_loop_create(): see event_loop_use_limits() */
	const int64_t *limits;
	int64_t idle_exit_ms; /* 0: never */
	/* pages that may open a WebSocket, besides the server's own; must outlive the event loop */
	const struct web_origins *web_origins;
	/* the proxy whose X-Forwarded-For counts; NULL: none. Must outlive the event loop */
	const struct whole_address *web_proxy;
	/* path of the notification command; NULL: none. Must outlive the event loop */
	const char *notify_command;
	/* how often to notify the service manager that loop and store are alive; 0: never */
	int64_t watchdog_ms;
	bool is_node; /* the core's config names a node: its lease is looked at before output leaves */
	void (*on_hangup)(void *arg); /* called on SIGHUP */
	/*
	 * Called when server.share needs a certificate: must call event_loop_use_certificate(),
	 * or return an error with *why.
	 */
	enum err (*on_certificate)(void *arg, struct errmsg *why);
	void *on_arg; /* for both callbacks */
};

/* Create an event loop. ERR_NOMEM, ERR_IO. */
NODISCARD enum err event_loop_create(const struct event_loop_config *c, struct event_loop **out, struct errmsg *why);

/*
 * The store's wake callback: makes the loop call store_poll(). `arg` is the struct event_loop.
 * Any thread.
 */
void event_loop_wake(void *arg);

/*
 * Reach Redis on this loop: set *out to the net for store_open_redis(), valid until the event loop
 * is destroyed. Call it once at most, before event_loop_attach().
 *
 * @tls  for an address with TLS, else NULL. The event loop owns it, even on failure.
 *
 * ERR_NOMEM
 */
NODISCARD enum err event_loop_use_redis(struct event_loop *loop, struct tls_context *tls,
					const struct redis_net **out, struct errmsg *why);

/*
 * Set the core and the store to serve with. The event loop owns the store from now on; the caller
 * keeps the core, which must outlive the event loop.
 */
void event_loop_attach(struct event_loop *loop, struct server *server, struct store *store);

/*
 * Listen on these sockets, whose descriptors the event loop owns from now on; the array stays the
 * caller's. ERR_NOMEM, ERR_IO: event_loop_destroy() cleans up.
 */
NODISCARD enum err event_loop_serve(struct event_loop *loop, struct listening *sockets, size_t n, struct errmsg *why);

/*
 * Set the certificate of new connections to tls:// sockets. The event loop owns it, even on
 * failure. ERR_NOMEM.
 */
NODISCARD enum err event_loop_use_certificate(struct event_loop *loop, struct tls_context *certificate);

/*
 * This is one of several nodes: have those that have the same key forward their clients to listeners
 * with is_node, and forward some to them. Call it once at most, before event_loop_serve(). ERR_NOMEM.
 */
NODISCARD enum err event_loop_use_nodes(struct event_loop *loop, const unsigned char server_key[SEED_BYTES]);

/* Replace the limits that the loop itself applies, for everything that starts from now on. */
void event_loop_use_limits(struct event_loop *loop, const int64_t limits[LIMIT_COUNT]);

enum event_loop_end {
	EVENT_LOOP_STOPPED, /* every request was answered, or the time limit for that has passed */
	EVENT_LOOP_ABORTED, /* a second signal */
	/* the store does not know what is on disk, or its file was removed or replaced */
	EVENT_LOOP_BROKEN
};

/* Serve until a signal, or until there were no connections for idle_exit_ms. */
enum event_loop_end event_loop_run(struct event_loop *loop);

/*
 * After EVENT_LOOP_STOPPED, or a failed start: close the store and free everything. loop may be
 * NULL.
 */
void event_loop_destroy(struct event_loop *loop);

#endif
