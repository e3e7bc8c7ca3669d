/*
 * tls_relay.c - one loop of poll() over all connections; see tls_relay.h.
 */
#include "tests/support/tls_relay.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/tls/tls.h"
#include "tests/support/relay.h"

#define RELAY_CONNS_MAX 512
#define RELAY_BYTES	16384

struct relayed {
	int plain; /* -1: this place is free */
	int tls;
	struct tls_channel *channel;
	bool plain_ended;
	bool tls_ended;
	char waits[RELAY_BYTES]; /* for the plain side */
	size_t waits_n;
};

struct relay {
	int listener;
	int port;
	struct tls_context *context;
	struct relayed conns[RELAY_CONNS_MAX];
};

static void relayed_close(struct relayed *c)
{
	(void)close(c->plain);
	(void)close(c->tls);
	tls_channel_free(c->channel);
	c->plain = -1;
}

static void relay_accept(struct relay *r)
{
	struct relayed *c = r->conns;
	while (c < r->conns + RELAY_CONNS_MAX && c->plain != -1) {
		c++;
	}
	if (c == r->conns + RELAY_CONNS_MAX) {
		return; /* it waits in the socket */
	}
	*c = (struct relayed){.plain = accept(r->listener, NULL, NULL)};
	c->tls = relay_connect(r->port);
	c->channel = tls_channel_new(r->context, "relay.test");
	if (c->channel == NULL || c->tls < 0) {
		relayed_close(c);
		return;
	}
	(void)tls_channel_receive(c->channel, (struct slice){0});
}

/* Each of these returns false where the connection is over. */

static bool relayed_take_plain(struct relayed *c)
{
	char bytes[RELAY_BYTES];
	ssize_t n = recv(c->plain, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0) {
		return errno == EAGAIN;
	}
	if (n == 0) {
		c->plain_ended = true;
		tls_channel_end(c->channel);
		return true;
	}
	return tls_channel_write(c->channel, slice_of(bytes, (size_t)n)) == OK;
}

static bool relayed_take_tls(struct relayed *c)
{
	char bytes[RELAY_BYTES];
	ssize_t n = recv(c->tls, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN) {
		return true;
	}
	c->tls_ended = n <= 0;
	return n <= 0 || tls_channel_receive(c->channel, slice_of(bytes, (size_t)n)) != TLS_FAILED;
}

/* Who takes no more may still have sent something, which is read first. */
static void relayed_send(struct relayed *c)
{
	struct slice out = tls_channel_output(c->channel);
	ssize_t n = out.len == 0 ? 0 : send(c->tls, out.data, out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	bool is_broken = n < 0 && errno != EAGAIN;
	tls_channel_sent(c->channel, is_broken ? out.len : n > 0 ? (size_t)n : 0);
}

static bool relayed_give_plain(struct relayed *c)
{
	ssize_t n = 1;
	while (n > 0) {
		if (c->waits_n == 0) {
			c->waits_n = tls_channel_read(c->channel, c->waits, sizeof(c->waits));
		}
		n = c->waits_n == 0
			    ? 0
			    : send(c->plain, c->waits, c->waits_n, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && errno != EAGAIN) {
			return false;
		}
		if (n > 0) {
			c->waits_n -= (size_t)n;
			memmove(c->waits, c->waits + n, c->waits_n);
		}
	}
	enum tls_state state = tls_channel_state(c->channel);
	bool is_over = c->tls_ended || state == TLS_ENDED || state == TLS_FAILED;
	return c->waits_n > 0 || !is_over;
}

static void relayed_watch(const struct relayed *c, struct pollfd polls[2])
{
	bool is_open = tls_channel_state(c->channel) == TLS_OPEN;
	bool sends = tls_channel_output(c->channel).len > 0;
	polls[0] = (struct pollfd){.fd = c->plain};
	polls[1] = (struct pollfd){.fd = c->tls};
	polls[0].events |= is_open && !sends && !c->plain_ended ? POLLIN : 0;
	polls[0].events |= c->waits_n > 0 ? POLLOUT : 0;
	polls[1].events |= c->waits_n == 0 && !c->tls_ended ? POLLIN : 0;
	polls[1].events |= sends ? POLLOUT : 0;
	/* poll() tells of a hang-up whether it is asked for or not, again and again. */
	polls[0].fd = polls[0].events == 0 ? -1 : c->plain;
	polls[1].fd = polls[1].events == 0 ? -1 : c->tls;
}

static void relayed_go_on(struct relayed *c, const struct pollfd polls[2])
{
	bool goes_on = true;
	if (polls[0].revents != 0 && (polls[0].events & POLLIN) != 0) {
		goes_on = relayed_take_plain(c);
	}
	if (goes_on && polls[1].revents != 0 && (polls[1].events & POLLIN) != 0) {
		goes_on = relayed_take_tls(c);
	}
	relayed_send(c);
	if (!relayed_give_plain(c) || !goes_on) {
		relayed_close(c);
	}
}

static void relay_take_all(struct relay *r)
{
	static struct pollfd polls[2 * RELAY_CONNS_MAX + 1];
	for (;;) {
		polls[2 * RELAY_CONNS_MAX] = (struct pollfd){.fd = r->listener, .events = POLLIN};
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			polls[2 * i].fd = -1;
			polls[2 * i + 1].fd = -1;
			if (r->conns[i].plain != -1) {
				relayed_watch(&r->conns[i], &polls[2 * i]);
			}
		}
		(void)poll(polls, sizeof(polls) / sizeof(polls[0]), -1);
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			if (r->conns[i].plain != -1 &&
			    (polls[2 * i].revents != 0 || polls[2 * i + 1].revents != 0)) {
				relayed_go_on(&r->conns[i], &polls[2 * i]);
			}
		}
		if (polls[2 * RELAY_CONNS_MAX].revents != 0) {
			relay_accept(r);
		}
	}
}

static void tls_relay_run(int listener, int port)
{
	struct relay *r = calloc(1, sizeof(*r));
	if (r != NULL && tls_context_connect(false, &r->context) == OK) {
		r->listener = listener;
		r->port = port;
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			r->conns[i].plain = -1;
		}
		relay_take_all(r);
	}
}

pid_t tls_relay_start(const char *path, int port)
{
	return relay_start(path, port, tls_relay_run);
}
