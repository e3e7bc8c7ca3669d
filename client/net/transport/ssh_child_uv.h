/*
 * ssh_child_uv.h - an ssh child process that carries a connection.
 *
 * Its standard input and output are one socket; the caller reads and writes the other
 * end. The last line of its standard error says why it ended.
 *
 * If ssh may prompt (for a password, or an unknown host key), it does so on the terminal
 * itself, and therefore stays in this process group. Otherwise it runs with BatchMode in
 * a session of its own: without a terminal, neither it nor its children can write to a
 * screen or wait for input. A signal that ends this process does not reach that session:
 * until the far side has answered, it is passed on as SIGTERM.
 *
 * Happy path: ssh_child_start(), on_started, bytes; the caller closes its end, ssh
 * passes that on to the far side and exits: on_end.
 * Failure: for any failure (no ssh, no host, no aye there) on_end says which side failed.
 *
 * Life:    ssh_child_start() .. on_end, which is called once, never from inside a call.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_SSH_CHILD_UV_H
#define CLIENT_NET_SSH_CHILD_UV_H

#include <stdbool.h>

#include <uv.h>

#include "client/net/transport/address.h"

/*
 * How long it may take to exit once it is not needed; then SIGTERM, and SIGKILL after the same time
 * again.
 */
#define SSH_CHILD_GRACE_MS 1000

struct ssh_child;

struct ssh_child_handler {
	/* The process runs. Bytes written from now on reach the far side once ssh has connected. */
	void (*on_started)(void *owner);
	/*
	 * The process has ended; the object is freed after this call. why: for people; valid only
	 * during the call.
	 */
	void (*on_end)(void *owner, const char *why);
};

/*
 * Whether ssh may prompt on the terminal: the address is ssh://, standard input and error are
 * terminals, this process is in the foreground, and no screen uses the terminal.
 */
bool ssh_child_may_ask(const struct address *address);

/*
 * Start ssh; *on is copied. Returns NULL if no descriptor is available.
 * @end  set to the near end: a non-blocking socket, owned by the caller.
 */
struct ssh_child *ssh_child_start(uv_loop_t *loop, const struct address *address, bool may_ask,
				  const struct ssh_child_handler *on, void *owner, int *end);

/* Tell it that the far side's server has sent something. */
void ssh_child_has_answered(struct ssh_child *c);

/*
 * Tell it that the caller has closed its end, or is about to. With is_abandoned, an ssh from
 * which no answer has come yet is terminated at once.
 */
void ssh_child_end(struct ssh_child *c, bool is_abandoned);

#endif
