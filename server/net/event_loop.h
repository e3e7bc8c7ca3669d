/*
 * event_loop.h - the loop around the core: sockets, timers, signals and the store's
 * callbacks become events; effects are performed and output is written by it.
 *
 * Use: event_loop_create(), open the store with event_loop_wake() as its wake, then
 * event_loop_attach(), event_loop_serve(), event_loop_run(), event_loop_destroy().
 *
 * Threads: the thread that created it; event_loop_wake() from any.
 */
#ifndef SERVER_NET_EVENT_LOOP_H
#define SERVER_NET_EVENT_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/tls/tls.h"
#include "server/core/server.h"
#include "server/net/log.h"
#include "server/net/socket.h"
#include "store/store.h"

struct event_loop;

struct event_loop_config {
	const struct log *log; /* lives as long as the event loop */
	const int64_t *limits; /* LIMIT_COUNT of them, read at the call: see event_loop_use_limits() */
	int64_t idle_exit_ms; /* 0: never */
	const char *notify_command; /* its path; NULL: none. Outlives the event loop */
	int64_t watchdog_ms; /* how often the service manager is told that loop and store go on; 0: never */
	void (*on_hangup)(void *arg); /* SIGHUP */
	/* server.share wants a certificate: event_loop_use_certificate() follows, or an error with *why. */
	enum err (*on_certificate)(void *arg, struct errmsg *why);
	void *on_arg; /* of both */
};

/* ERR_NOMEM, ERR_IO. */
NODISCARD enum err event_loop_create(const struct event_loop_config *c, struct event_loop **out, struct errmsg *why);

/* The store's wake callback: makes the loop collect what has finished. `arg` is a struct event_loop. */
void event_loop_wake(void *arg);

/*
 * Give it the core and the store to serve with. The store is the event loop's from
 * now on; the core stays the caller's, and has to outlive the event loop.
 */
void event_loop_attach(struct event_loop *loop, struct server *server, struct store *store);

/*
 * Serve on these sockets, whose descriptors are the event loop's from now on (names
 * stay in place). ERR_NOMEM, ERR_IO: event_loop_destroy() cleans up.
 */
NODISCARD enum err event_loop_serve(struct event_loop *loop, struct listening *sockets, size_t n, struct errmsg *why);

/*
 * Connections to tls:// sockets have this certificate from now on. It is the event
 * loop's, whatever comes of it. ERR_NOMEM
 */
NODISCARD enum err event_loop_use_certificate(struct event_loop *loop, struct tls_context *certificate);

/* Those of them that the loop itself keeps, for what begins from now on. */
void event_loop_use_limits(struct event_loop *loop, const int64_t limits[LIMIT_COUNT]);

enum event_loop_end {
	EVENT_LOOP_STOPPED, /* every request was answered, or the time for that was over */
	EVENT_LOOP_ABORTED, /* a second signal */
	EVENT_LOOP_BROKEN   /* the store no longer knows what is on disk, or its file is gone */
};

/* Serve until a signal, or until there was no connection for idle_exit_ms. */
enum event_loop_end event_loop_run(struct event_loop *loop);

/* After EVENT_LOOP_STOPPED, or a start that failed: closes the store and everything else. NULL is fine. */
void event_loop_destroy(struct event_loop *loop);

#endif
