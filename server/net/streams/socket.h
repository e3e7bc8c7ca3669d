/*
 * socket.h - listening sockets: created here, or inherited from a service manager.
 *
 * Only descriptors, no event loop: listen_uv.c watches them.
 *
 * Accepted TCP sockets need no further options: they have TCP_NODELAY and SO_KEEPALIVE, which
 * detects a vanished peer after about a minute.
 */
#ifndef SERVER_NET_SOCKET_H
#define SERVER_NET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "proto/base/err.h"
#include "server/net/streams/address.h"

#define SOCKET_BACKLOG        4096
#define SOCKET_NAME_BYTES_MAX 300

struct listening {
	int fd; /* -1: none */
	bool is_unix;
	bool is_tls;     /* TCP with TLS */
	bool is_web;     /* TCP with HTTP, inside TLS if is_tls */
	bool is_node;    /* TCP with TLS, for other nodes and their key */
	bool is_any;     /* TCP, bound to all addresses of this machine */
	bool is_exposed; /* TCP, bound to more than loopback */
	char name[SOCKET_NAME_BYTES_MAX]; /* as in the ready line, with the actual port */
	char path[ADDRESS_PATH_BYTES_MAX + 1]; /* of a unix socket created here; otherwise "" */
	dev_t device;
	ino_t inode;
};

/*
 * Bind and listen. A unix socket gets `mode`; a socket file on which no process listens is
 * replaced, anything else at its path is left alone.
 *
 * ERR_BUSY  a server is listening there.
 * ERR_IO    any other failure.
 *
 * *why has the address, the reason and what to do.
 */
NODISCARD enum err socket_listen(const struct address *at, mode_t mode, struct listening *out,
				 struct errmsg *why);

/*
 * Inherit the sockets of socket activation (LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES, which are
 * then unset; sd_listen_fds(3)): up to max, *n of them. Their names say what they speak, as the schemes
 * of addresses: "tls", "http", "https"; any other is MessagePack without TLS.
 *
 * ERR_INVALID  one of them is not a listening stream socket, or is a unix socket with such a name, or
 *              there are more than max.
 */
NODISCARD enum err socket_inherit(struct listening *out, size_t max, size_t *n, struct errmsg *why);

/*
 * Of a connection from node to node, or a socket that listens for them: find within some seconds that
 * the other machine is silent. Returns false if the kernel refuses.
 */
bool socket_watch_peer(int fd);

/*
 * Close the socket, and remove the file of a unix socket unless another server has since created
 * its own.
 */
void socket_close(struct listening *l);

#endif
