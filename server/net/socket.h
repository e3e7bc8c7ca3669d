/*
 * socket.h - sockets that listen: made here, or handed over by a service manager.
 *
 * Plain descriptors, no loop. listen_uv.c watches them.
 *
 * TCP sockets that are accepted need nothing set any more: writes go out at once
 * (TCP_NODELAY), and a peer that vanished is detected after about a minute
 * (SO_KEEPALIVE).
 */
#ifndef SERVER_NET_SOCKET_H
#define SERVER_NET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "proto/base/err.h"
#include "server/net/address.h"

#define SOCKET_BACKLOG        4096
#define SOCKET_NAME_BYTES_MAX 300

struct listening {
	int fd; /* -1: none */
	bool is_unix;
	bool is_tls;     /* TCP, and encrypted */
	bool is_any;     /* TCP, and bound to all addresses of this machine */
	bool is_exposed; /* TCP, and bound to more than loopback */
	char name[SOCKET_NAME_BYTES_MAX]; /* as in the ready line, with the real port */
	char path[ADDRESS_PATH_BYTES_MAX + 1]; /* of a unix socket we made, "" otherwise */
	dev_t device;
	ino_t inode;
};

/*
 * Bind and listen. A unix socket gets `mode`; a socket file that nobody
 * listens on is replaced, anything else at its path is left alone.
 *
 * ERR_BUSY  a server listens there.  ERR_IO  all else. *why names the address, the reason and what to do.
 */
NODISCARD enum err socket_listen(const struct address *at, mode_t mode, struct listening *out,
				 struct errmsg *why);

/*
 * Take over the sockets of socket activation (LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES,
 * which are unset; sd_listen_fds(3)): up to max, *n of them. Those named "tls" are encrypted.
 *
 * ERR_INVALID  one of them is no listening stream socket, or a unix socket named "tls", or there are more than max.
 */
NODISCARD enum err socket_inherit(struct listening *out, size_t max, size_t *n, struct errmsg *why);

/* Close; the file of a unix socket goes too, unless another server has put its own there since. */
void socket_close(struct listening *l);

#endif
