/*
 * ssh_child_uv.h - an ssh that carries a connection: started, listened to, ended.
 *
 * Its standard input and output are one socket, whose other end the caller reads and
 * writes. Its standard error is kept to its last line, which says why it ended.
 *
 * May ssh ask (passwords, an unknown host key), it does so on the terminal by itself:
 * it stays in our process group, as whoever reads a terminal has to. Else it gets
 * BatchMode, and a session of its own: without a terminal nothing that it runs
 * can write into a screen, or stop for want of an answer. A signal that ends us does not
 * reach it there: until the far side has answered it is passed on, as SIGTERM.
 *
 * Happy path: ssh_child_start(), on_started, bytes; the caller closes its end, ssh
 * takes that to the far side and ends: on_end.
 * Failure: whatever it is (no ssh, no host, no aye there), on_end says which end it was.
 *
 * Life:    ssh_child_start() .. on_end, which comes once, and never from inside a call.
 * Threads: loop thread only.
 */
#ifndef CLIENT_NET_SSH_CHILD_UV_H
#define CLIENT_NET_SSH_CHILD_UV_H

#include <stdbool.h>

#include <uv.h>

#include "client/net/address.h"

/* What it has to end by itself once nobody needs it; then SIGTERM, and after as long again SIGKILL. */
#define SSH_CHILD_GRACE_MS 1000

struct ssh_child;

struct ssh_child_handler {
	/* What is written from now on goes to the far side once ssh has come so far. */
	void (*on_started)(void *owner);
	/* It is no more, and gone after this call. why: for people, valid for the call. */
	void (*on_end)(void *owner, const char *why);
};

/*
 * Whether ssh may ask on the terminal: the address is an ssh:// one, a person is at standard input and
 * error, we are in the foreground, and no screen has the terminal.
 */
bool ssh_child_may_ask(const struct address *address);

/*
 * @end  set to our end: a socket that does not block, the caller's.
 * NULL  the system gives no descriptor.
 */
struct ssh_child *ssh_child_start(uv_loop_t *loop, const struct address *address, bool may_ask,
				  const struct ssh_child_handler *on, void *owner, int *end);

/* The far side's server has sent something. */
void ssh_child_has_answered(struct ssh_child *c);

/*
 * The caller's end is closed, or about to be. With is_abandoned nobody wants to know any more:
 * an ssh that has come nowhere yet is ended at once.
 */
void ssh_child_end(struct ssh_child *c, bool is_abandoned);

#endif
