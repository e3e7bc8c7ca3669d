/*
 * socket.c - makes and takes over listening sockets.
 *
 * Of two servers with the same data the later one fails at the store's lock, before
 * it makes a socket. Of two with different data and one socket path, the later one
 * connects to the path, finds that the earlier one listens, and is refused.
 */
#include "server/net/streams/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/base/format.h"

#define SOCKET_HOST_BYTES 128 /* an IPv6 address with the name of its interface */
#define SOCKET_PORT_BYTES 8

/* Keepalive: idle seconds before the first probe, seconds between probes, probes. */
#define SOCKET_KEEPALIVE_S	 60
#define SOCKET_KEEPALIVE_EVERY_S 1
#define SOCKET_KEEPALIVE_TIMES	 10

/* From node to node: a probe each so many seconds of silence; the connection ends after so many. */
#define SOCKET_NODE_PROBE_S  1
#define SOCKET_NODE_SILENT_S 4

union socket_address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
	struct sockaddr_storage storage;
};

/* ---- naming ---- */

/* The name comes from the socket itself, so that port 0 shows as what it became. */
static enum err socket_name(struct listening *l, struct errmsg *why)
{
	union socket_address a = {0};
	socklen_t len = sizeof(a);
	if (getsockname(l->fd, &a.any, &len) != 0) {
		errmsg_set(why, "cannot ask a socket for its name: %s", strerror(errno));
		return ERR_IO;
	}
	if (a.any.sa_family == AF_UNIX) {
		l->is_unix = true;
		(void)format_to(l->name, sizeof(l->name), "unix:%.*s", ADDRESS_PATH_BYTES_MAX,
				a.un.sun_path);
		return OK;
	}
	char host[SOCKET_HOST_BYTES];
	char port[SOCKET_PORT_BYTES];
	if ((a.any.sa_family != AF_INET && a.any.sa_family != AF_INET6) ||
	    getnameinfo(&a.any, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
		errmsg_set(why, "a socket is neither unix nor TCP");
		return ERR_INVALID;
	}
	const char *scheme = address_scheme(l->is_tls, l->is_web);
	if (a.any.sa_family == AF_INET6) {
		l->is_exposed = !IN6_IS_ADDR_LOOPBACK(&a.in6.sin6_addr);
		l->is_any = IN6_IS_ADDR_UNSPECIFIED(&a.in6.sin6_addr) != 0;
		(void)format_to(l->name, sizeof(l->name), "%s://[%.200s]:%s", scheme, host, port);
	} else {
		l->is_exposed = ntohl(a.in.sin_addr.s_addr) >> 24 != 127;
		l->is_any = a.in.sin_addr.s_addr == htonl(INADDR_ANY);
		(void)format_to(l->name, sizeof(l->name), "%s://%.200s:%s", scheme, host, port);
	}
	return OK;
}

/* ---- unix ---- */

enum socket_probe { SOCKET_STALE, SOCKET_ALIVE, SOCKET_FOREIGN };

/* What is at the path: never waits, and never touches what is no socket. */
static enum socket_probe socket_probe(const struct sockaddr_un *at)
{
	struct stat st;
	if (lstat(at->sun_path, &st) != 0 || !S_ISSOCK(st.st_mode)) {
		return SOCKET_FOREIGN;
	}
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		return SOCKET_FOREIGN;
	}
	int failed = connect(fd, (const struct sockaddr *)at, sizeof(*at));
	int reason = errno;
	(void)close(fd);
	if (failed == 0 || reason == EAGAIN) {
		return SOCKET_ALIVE;
	}
	return reason == ECONNREFUSED ? SOCKET_STALE : SOCKET_FOREIGN;
}

static int socket_bind_unix(int fd, const struct sockaddr_un *at, mode_t mode)
{
	mode_t before = umask(0777 & ~mode);
	int failed = bind(fd, (const struct sockaddr *)at, sizeof(*at));
	int reason = errno;
	(void)umask(before);
	errno = reason;
	return failed;
}

static enum err socket_explain_unix(const char *path, int reason, struct errmsg *why)
{
	const char *hint = reason == ENOENT ? "; create its directory first"
			   : reason == EACCES
				   ? "; this user needs write permission on its directory"
				   : "";
	errmsg_set(why, "cannot listen on unix:%s: %s%s", path, strerror(reason), hint);
	return ERR_IO;
}

static enum err socket_claim_unix(int fd, const struct sockaddr_un *at, mode_t mode,
				  struct errmsg *why)
{
	if (socket_bind_unix(fd, at, mode) == 0) {
		return OK;
	}
	if (errno != EADDRINUSE) {
		return socket_explain_unix(at->sun_path, errno, why);
	}
	switch (socket_probe(at)) {
	case SOCKET_ALIVE:
		errmsg_set(why,
			   "cannot listen on unix:%s: another server uses it; stop it or choose "
			   "another path",
			   at->sun_path);
		return ERR_BUSY;
	case SOCKET_FOREIGN:
		errmsg_set(why,
			   "cannot listen on unix:%s: the path exists; move it or choose another",
			   at->sun_path);
		return ERR_IO;
	case SOCKET_STALE:
		break;
	}
	if (unlink(at->sun_path) != 0 || socket_bind_unix(fd, at, mode) != 0) {
		return socket_explain_unix(at->sun_path, errno, why);
	}
	return OK;
}

static enum err socket_listen_unix(const struct address *at, mode_t mode, struct listening *out,
				   struct errmsg *why)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	memcpy(sun.sun_path, at->path, sizeof(at->path));
	out->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (out->fd < 0) {
		return socket_explain_unix(at->path, errno, why);
	}
	enum err e = socket_claim_unix(out->fd, &sun, mode, why);
	if (e != OK) {
		return e;
	}
	struct stat st;
	if (stat(at->path, &st) == 0) {
		memcpy(out->path, at->path, sizeof(at->path));
		out->device = st.st_dev;
		out->inode = st.st_ino;
	}
	return listen(out->fd, SOCKET_BACKLOG) == 0 ? OK
						    : socket_explain_unix(at->path, errno, why);
}

/* ---- TCP ---- */

static enum err socket_explain_tcp(const struct address *at, int reason, struct errmsg *why)
{
	/* The system's own words for it, "Cannot assign requested address", say less. */
	const char *what =
		reason == EADDRNOTAVAIL ? "this machine has no such address" : strerror(reason);
	const char *hint =
		reason == EADDRINUSE
			? "; another program uses the port; stop it, choose another, or 0"
		: reason == EACCES ? "; ports below 1024 need the right to bind them"
				   : "";
	errmsg_set(why, "cannot listen on %s port %s: %s%s", at->host, at->port, what, hint);
	return reason == EADDRINUSE ? ERR_BUSY : ERR_IO;
}

/* Send small writes at once, and find out whether a silent peer is there. */
static bool socket_set_probes(int fd, int idle_s, int every_s, int times)
{
	const struct {
		int level, name, value;
	} options[] = {
		{IPPROTO_TCP, TCP_NODELAY, 1},	     {SOL_SOCKET, SO_KEEPALIVE, 1},
		{IPPROTO_TCP, TCP_KEEPIDLE, idle_s}, {IPPROTO_TCP, TCP_KEEPINTVL, every_s},
		{IPPROTO_TCP, TCP_KEEPCNT, times},
	};
	bool ok = true;
	for (size_t n = 0; ok && n < sizeof(options) / sizeof(options[0]); n++) {
		ok = setsockopt(fd, options[n].level, options[n].name, &options[n].value,
				sizeof(options[n].value)) == 0;
	}
	return ok;
}

/*
 * Options for all that will be accepted, set once: a socket that Linux accepts
 * has those of the one that listened. tcp(7) says so in passing ("like many
 * others", under TCP_USER_TIMEOUT), so test_net_socket.c asks the kernel itself.
 */
static bool socket_set_for_accepted(int fd)
{
	return socket_set_probes(fd, SOCKET_KEEPALIVE_S, SOCKET_KEEPALIVE_EVERY_S,
				 SOCKET_KEEPALIVE_TIMES);
}

bool socket_watch_peer(int fd)
{
	return socket_set_probes(fd, SOCKET_NODE_PROBE_S, SOCKET_NODE_PROBE_S,
				 SOCKET_NODE_SILENT_S);
}

static enum err socket_listen_tcp(const struct address *at, struct listening *out,
				  struct errmsg *why)
{
	struct addrinfo hints = {.ai_family = AF_UNSPEC,
				 .ai_socktype = SOCK_STREAM,
				 .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	int failed = getaddrinfo(at->host, at->port, &hints, &found);
	if (failed != 0) {
		errmsg_set(why,
			   "cannot listen on %s: %s; an address such as 127.0.0.1 or ::1 needs no "
			   "look-up",
			   at->host, gai_strerror(failed));
		return ERR_IO;
	}
	enum err e = OK;
	int on = 1;
	out->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (out->fd < 0 || setsockopt(out->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
	    !socket_set_for_accepted(out->fd) ||
	    bind(out->fd, found->ai_addr, found->ai_addrlen) != 0 ||
	    listen(out->fd, SOCKET_BACKLOG) != 0) {
		e = socket_explain_tcp(at, errno, why);
	}
	freeaddrinfo(found);
	return e;
}

/* ---- both ---- */

enum err socket_listen(const struct address *at, mode_t mode, struct listening *out,
		       struct errmsg *why)
{
	*out = (struct listening){.fd = -1, .is_tls = at->is_tls, .is_web = at->is_web};
	enum err e = at->kind == ADDRESS_UNIX ? socket_listen_unix(at, mode, out, why)
					      : socket_listen_tcp(at, out, why);
	if (e == OK) {
		e = socket_name(out, why);
	}
	if (e != OK) {
		socket_close(out);
	}
	return e;
}

static bool socket_option_is(int fd, int option, int wanted)
{
	int value = 0;
	socklen_t len = sizeof(value);
	return getsockopt(fd, SOL_SOCKET, option, &value, &len) == 0 && value == wanted;
}

/* The scheme of an address in a unit's FileDescriptorName= says what it serves; another name says nothing. */
static enum err socket_take(int fd, struct slice name, struct listening *out, struct errmsg *why)
{
	*out = (struct listening){.fd = fd};
	(void)address_scheme_read(name, &out->is_tls, &out->is_web);
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || !socket_option_is(fd, SO_TYPE, SOCK_STREAM) ||
	    !socket_option_is(fd, SO_ACCEPTCONN, 1)) {
		errmsg_set(why,
			   "descriptor %d from the service manager is not a listening stream "
			   "socket; use ListenStream= in the socket unit",
			   fd);
		return ERR_INVALID;
	}
	enum err e = socket_name(out, why);
	if (e == OK && out->is_unix && (out->is_tls || out->is_web)) {
		errmsg_set(why,
			   "%.150s from the service manager is named %.*s, which is for TCP "
			   "sockets only; remove FileDescriptorName= from its socket unit",
			   out->name, (int)name.len, name.data);
		return ERR_INVALID;
	}
	if (e == OK && !out->is_unix && !socket_set_for_accepted(fd)) {
		errmsg_set(why, "cannot set up %s: %s", out->name, strerror(errno));
		return ERR_IO;
	}
	return e;
}

#define SOCKET_FIRST_INHERITED 3

enum err socket_inherit(struct listening *out, size_t max, size_t *n, struct errmsg *why)
{
	const char *pid = getenv("LISTEN_PID");
	const char *count = getenv("LISTEN_FDS");
	const char *names = getenv("LISTEN_FDNAMES");
	bool ours = pid != NULL && count != NULL && strtol(pid, NULL, 10) == (long)getpid();
	long wanted = ours ? strtol(count, NULL, 10) : 0;
	*n = 0;
	if (wanted < 0 || (unsigned long)wanted > max) {
		errmsg_set(why, "the service manager passed %ld sockets; at most %zu can be used",
			   wanted, max);
		return ERR_INVALID;
	}
	enum err e = OK;
	for (int i = 0; i < (int)wanted && e == OK; i++) {
		size_t len = names == NULL ? 0 : strcspn(names, ":");
		e = socket_take(SOCKET_FIRST_INHERITED + i, slice_of(names, len), &out[i], why);
		names = names == NULL || names[len] == '\0' ? NULL : names + len + 1;
		*n += e == OK ? 1 : 0;
	}
	(void)unsetenv("LISTEN_PID");
	(void)unsetenv("LISTEN_FDS");
	(void)unsetenv("LISTEN_FDNAMES");
	return e;
}

void socket_close(struct listening *l)
{
	struct stat st;
	if (l->path[0] != '\0' && lstat(l->path, &st) == 0 && st.st_dev == l->device &&
	    st.st_ino == l->inode) {
		(void)unlink(l->path);
	}
	if (l->fd >= 0) {
		(void)close(l->fd);
	}
	l->fd = -1;
	l->path[0] = '\0';
}
