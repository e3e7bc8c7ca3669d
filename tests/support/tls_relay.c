/*
 * tls_relay.c - see tls_relay.h.
 */
#include "tests/support/tls_relay.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "proto/tls/tls_priv.h"

#define RELAY_BYTES 16384

struct tls_relayed {
	struct relayed conn;
	struct tls_channel *channel;
	char waits[RELAY_BYTES]; /* for the plain side */
	size_t waits_n;
};

static struct tls_context *context; /* of all connections of the process */

static struct tls_relayed *own(struct relayed *c)
{
	return (struct tls_relayed *)c;
}

static bool tls_begin(struct relayed *c)
{
	if (context == NULL && tls_context_connect(false, &context) != OK) {
		return false;
	}
	own(c)->channel = tls_channel_new(context, "relay.test");
	return own(c)->channel != NULL &&
	       tls_channel_receive(own(c)->channel, (struct slice){0}) != TLS_FAILED;
}

/* The context of aye offers the protocol of aye. */
static bool https_begin(struct relayed *c)
{
	static const unsigned char protocols[] = "\x08http/1.1";
	if (context == NULL &&
	    (tls_context_connect(false, &context) != OK ||
	     SSL_CTX_set_alpn_protos(context->ctx, protocols, sizeof(protocols) - 1) != 0)) {
		return false;
	}
	return tls_begin(c);
}

static struct relay_wish tls_wishes(const struct relayed *c)
{
	const struct tls_relayed *t = (const struct tls_relayed *)c;
	bool is_open = tls_channel_state(t->channel) == TLS_OPEN;
	bool sends = tls_channel_output(t->channel).len > 0;
	struct relay_wish wish = {0};
	wish.plain |= is_open && !sends && !c->plain_ended ? POLLIN : 0;
	wish.plain |= t->waits_n > 0 ? POLLOUT : 0;
	wish.server |= t->waits_n == 0 && !c->server_ended ? POLLIN : 0;
	wish.server |= sends ? POLLOUT : 0;
	return wish;
}

static bool tls_take_plain(struct relayed *c)
{
	char bytes[RELAY_BYTES];
	ssize_t n = recv(c->plain, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0) {
		return errno == EAGAIN;
	}
	if (n == 0) {
		c->plain_ended = true;
		tls_channel_end(own(c)->channel);
		return true;
	}
	return tls_channel_write(own(c)->channel, slice_of(bytes, (size_t)n)) == OK;
}

static bool tls_take_server(struct relayed *c)
{
	char bytes[RELAY_BYTES];
	ssize_t n = recv(c->server, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN) {
		return true;
	}
	c->server_ended = n <= 0;
	return n <= 0 ||
	       tls_channel_receive(own(c)->channel, slice_of(bytes, (size_t)n)) != TLS_FAILED;
}

/* Who takes no more may still have sent something, which is read first. */
static void tls_give_server(struct tls_relayed *t)
{
	struct slice out = tls_channel_output(t->channel);
	ssize_t n = out.len == 0
			    ? 0
			    : send(t->conn.server, out.data, out.len, MSG_DONTWAIT | MSG_NOSIGNAL);
	bool is_broken = n < 0 && errno != EAGAIN;
	tls_channel_sent(t->channel, is_broken ? out.len : n > 0 ? (size_t)n : 0);
}

static bool tls_give(struct relayed *c)
{
	struct tls_relayed *t = own(c);
	ssize_t n = 1;
	tls_give_server(t);
	while (n > 0) {
		if (t->waits_n == 0) {
			t->waits_n = tls_channel_read(t->channel, t->waits, sizeof(t->waits));
		}
		n = t->waits_n == 0
			    ? 0
			    : send(c->plain, t->waits, t->waits_n, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n < 0 && errno != EAGAIN) {
			return false;
		}
		if (n > 0) {
			t->waits_n -= (size_t)n;
			memmove(t->waits, t->waits + n, t->waits_n);
		}
	}
	enum tls_state state = tls_channel_state(t->channel);
	bool is_over = c->server_ended || state == TLS_ENDED || state == TLS_FAILED;
	return t->waits_n > 0 || !is_over;
}

static void tls_finish(struct relayed *c)
{
	tls_channel_free(own(c)->channel);
}

#define TLS_WAY(how)                                                                            \
	{                                                                                       \
		.bytes = sizeof(struct tls_relayed), .begin = (how), .wishes = tls_wishes,      \
		.take_plain = tls_take_plain, .take_server = tls_take_server, .give = tls_give, \
		.finish = tls_finish,                                                           \
	}

const struct relay_way tls_relay = TLS_WAY(tls_begin);
const struct relay_way https_relay = TLS_WAY(https_begin);
