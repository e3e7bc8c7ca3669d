/*
 * event_loop.h - the loop around the core: sockets, timers, signals and the store's
 * answers become events; effects and output leave through it.
 *
 * Use: shell_create(), open the store with shell_wake() as its wake, then
 * shell_attach(), shell_serve(), shell_run(), shell_destroy().
 *
 * Threads: the thread that created it; shell_wake() from any.
 */
#ifndef SERVER_NET_EVENT_LOOP_H
#define SERVER_NET_EVENT_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "proto/err.h"
#include "server/core/server.h"
#include "server/net/log.h"
#include "server/net/socket.h"
#include "store/store.h"

struct shell;

struct shell_config {
	const struct log *log; /* lives as long as the shell */
	size_t connections_max;
	int64_t idle_exit_ms; /* 0: never */
};

/* ERR_NOMEM, ERR_IO. */
NODISCARD enum err shell_create(const struct shell_config *c, struct shell **out, struct errmsg *why);

/* For the store: makes the loop look at what has finished. `shell` is a struct shell. */
void shell_wake(void *shell);

/*
 * Give it the core and the store to serve with. The store is the shell's from
 * now on; the core stays the caller's, and has to outlive the shell.
 */
void shell_attach(struct shell *sh, struct server *server, struct store *store);

/*
 * Serve on these sockets, whose descriptors are the shell's from now on (names
 * stay in place). ERR_NOMEM, ERR_IO: shell_destroy() cleans up.
 */
NODISCARD enum err shell_serve(struct shell *sh, struct listening *sockets, size_t n, struct errmsg *why);

enum shell_end {
	SHELL_STOPPED, /* everything was answered, or the time to do so was over */
	SHELL_ABORTED, /* a second signal */
	SHELL_BROKEN   /* the store no longer knows what is on disk, or its file is gone */
};

/* Serve until a signal, or until nobody has been there for idle_exit_ms. */
enum shell_end shell_run(struct shell *sh);

/* After SHELL_STOPPED, or a start that failed: closes the store and everything else. NULL is fine. */
void shell_destroy(struct shell *sh);

#endif
