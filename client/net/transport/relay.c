/*
 * relay.c - see relay.h.
 *
 * One loop and two buffers. A write to a descriptor that is ready takes no more than PIPE_BUF bytes,
 * so that it does not wait even where the descriptor is set to: while it waited, the other
 * direction would stand still, and with it, sooner or later, both ends.
 */
#include "client/net/transport/relay.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "client/model/memory.h"

struct relay_way {
	int from;
	int to;
	bool is_ended; /* nothing more comes */
	size_t at;     /* what is on its way: at .. len */
	size_t len;
	char bytes[RELAY_BYTES];
};

struct relay {
	struct relay_way there; /* to the server */
	struct relay_way back;
	bool is_told; /* the server, that nothing more comes */
};

static enum err relay_connect(const struct address *address, int *out, struct errmsg *why)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	size_t len = strlen(address->path);
	memcpy(name.sun_path, address->path, len + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&name, sizeof(name)) != 0) {
		errmsg_set(why, "no server at %s (%s)", address->path, strerror(errno));
		if (fd >= 0) {
			(void)close(fd);
		}
		return ERR_CLOSED;
	}
	*out = fd;
	return OK;
}

static bool relay_is_empty(const struct relay_way *w)
{
	return w->at == w->len;
}

/* False: it has failed for good. */
static bool relay_has_moved(ssize_t n)
{
	return n >= 0 || errno == EAGAIN || errno == EINTR;
}

static void relay_read(struct relay_way *w)
{
	ssize_t n = read(w->from, w->bytes, sizeof(w->bytes));
	w->at = 0;
	w->len = n > 0 ? (size_t)n : 0;
	w->is_ended = n == 0 || !relay_has_moved(n);
}

/* False: nobody reads it any more. */
static bool relay_write(struct relay_way *w)
{
	size_t n = w->len - w->at;
	ssize_t done = write(w->to, w->bytes + w->at, n < PIPE_BUF ? n : PIPE_BUF);
	w->at += done > 0 ? (size_t)done : 0;
	return relay_has_moved(done);
}

/* What a way waits for; a descriptor below 0 is passed over by poll(). */
static void relay_ask(const struct relay_way *w, struct pollfd *from, struct pollfd *to)
{
	bool is_empty = relay_is_empty(w);
	*from = (struct pollfd){.fd = is_empty && !w->is_ended ? w->from : -1, .events = POLLIN};
	*to = (struct pollfd){.fd = is_empty ? -1 : w->to, .events = POLLOUT};
}

/* False: it is over. */
static bool relay_turn(struct relay *r)
{
	struct pollfd files[4];
	relay_ask(&r->there, &files[0], &files[1]);
	relay_ask(&r->back, &files[2], &files[3]);
	if (poll(files, 4, -1) < 0) {
		return errno == EINTR;
	}
	if (files[0].revents != 0) {
		relay_read(&r->there);
	}
	if (files[2].revents != 0) {
		relay_read(&r->back);
	}
	if (files[1].revents != 0 && !relay_write(&r->there)) {
		/* The server reads no more; what it has said comes still. */
		r->there.at = r->there.len = 0;
		r->there.is_ended = true;
	}
	if (files[3].revents != 0 && !relay_write(&r->back)) {
		return false;
	}
	if (r->there.is_ended && relay_is_empty(&r->there) && !r->is_told) {
		r->is_told = true;
		(void)shutdown(r->there.to, SHUT_WR);
	}
	return !r->back.is_ended || !relay_is_empty(&r->back);
}

enum err relay_run(const struct address *address, int from, int to, struct errmsg *why)
{
	int server;
	enum err e = relay_connect(address, &server, why);
	if (e != OK) {
		return e;
	}
	struct relay *r = memory_new(1, sizeof(*r));
	r->there.from = from;
	r->there.to = server;
	r->back.from = server;
	r->back.to = to;
	while (relay_turn(r)) {
	}
	free(r);
	(void)close(server);
	return OK;
}
