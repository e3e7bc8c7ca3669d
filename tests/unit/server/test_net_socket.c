/*
 * test_net_socket.c - what an accepted connection has from the socket that
 * listened, made here or handed over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/streams/peer_cred.h"
#include "server/net/streams/socket.h"
#include "tests/support/test.h"

#define FIRST_INHERITED 3

static int option(int fd, int level, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);
	assert_int_equal(getsockopt(fd, level, name, &value, &len), 0);
	return value;
}

static void assert_accepts_ready(int listener)
{
	struct sockaddr_storage at;
	socklen_t len = sizeof(at);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
	int near = socket(at.ss_family, SOCK_STREAM, 0);
	assert_int_equal(connect(near, (struct sockaddr *)&at, len), 0);
	int fd = accept(listener, NULL, NULL);
	assert_true(fd >= 0);
	assert_int_equal(option(fd, IPPROTO_TCP, TCP_NODELAY), 1);
	assert_int_equal(option(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
	assert_int_equal(option(fd, IPPROTO_TCP, TCP_KEEPIDLE), 60);
	assert_int_equal(option(fd, IPPROTO_TCP, TCP_KEEPINTVL), 1);
	assert_int_equal(option(fd, IPPROTO_TCP, TCP_KEEPCNT), 10);
	(void)close(fd);
	(void)close(near);
}

TEST(test_what_is_accepted_needs_no_option_set)
{
	static const char *const hosts[] = {"127.0.0.1", "::1"};
	for (size_t i = 0; i < 2; i++) {
		struct address at = {.kind = ADDRESS_TCP, .port = "0"};
		struct listening l;
		struct errmsg why;
		strcpy(at.host, hosts[i]);
		assert_int_equal(socket_listen(&at, 0600, &l, &why), OK);
		assert_accepts_ready(l.fd);
		socket_close(&l);
	}
}

/* The service manager's socket has none of it. */
TEST(test_what_a_socket_handed_over_accepts_needs_none_either)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 4), 0);
	int kept = fcntl(FIRST_INHERITED, F_DUPFD_CLOEXEC, FIRST_INHERITED + 1);
	if (fd != FIRST_INHERITED) {
		assert_int_equal(dup2(fd, FIRST_INHERITED), FIRST_INHERITED);
		(void)close(fd);
	}
	char pid[16];
	(void)snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	(void)setenv("LISTEN_PID", pid, 1);
	(void)setenv("LISTEN_FDS", "1", 1);
	struct listening l;
	struct errmsg why;
	size_t n = 0;
	assert_int_equal(socket_inherit(&l, 1, &n, &why), OK);
	assert_int_equal(n, 1);
	assert_accepts_ready(l.fd);
	socket_close(&l);
	if (kept >= 0) {
		assert_int_equal(dup2(kept, FIRST_INHERITED), FIRST_INHERITED);
		(void)close(kept);
	}
}

/* ---- who is there ---- */

static struct peer peer_at(const char *host)
{
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
	struct sockaddr_storage at = {0};
	struct peer p;
	assert_int_equal(inet_pton(AF_INET6, host, &in6.sin6_addr), 1);
	memcpy(&at, &in6, sizeof(in6));
	assert_true(peer_of_address(&at, &p));
	return p;
}

static bool share_limits(const char *one, const char *other)
{
	struct peer a = peer_at(one);
	struct peer b = peer_at(other);
	return a.kind == b.kind && memcmp(a.address, b.address, sizeof(a.address)) == 0;
}

/* A /64 is the least that one customer has, so that each of its addresses is the same peer's. */
TEST(test_the_addresses_of_one_ipv6_prefix_are_one_peer)
{
	assert_true(share_limits("2001:db8:1:2::1", "2001:db8:1:2:ffff:1:2:3"));
	assert_false(share_limits("2001:db8:1:2::1", "2001:db8:1:3::1"));
	assert_int_equal(peer_at("2001:db8:1:2::1").kind, PEER_NETWORK);
	/* What a socket for both families says of an IPv4 peer is that peer's own address. */
	assert_false(share_limits("::ffff:192.0.2.7", "::ffff:192.0.2.8"));
	assert_int_equal(peer_at("::ffff:127.0.0.1").kind, PEER_LOOPBACK);
	assert_int_equal(peer_at("::1").kind, PEER_LOOPBACK);
}

TEST(test_the_peer_that_a_proxy_names_is_one_as_any_other)
{
	static const struct {
		const char *text;
		const char *host; /* NULL: refused */
	} rows[] = {
		{"192.0.2.7", "::ffff:192.0.2.7"},
		{"192.0.2.7:1234", "::ffff:192.0.2.7"},
		{"2001:db8:1:2::1", "2001:db8:1:2::1"},
		{"[2001:db8:1:2::1]", "2001:db8:1:2::1"},
		{"[2001:db8:1:2::1]:1234", "2001:db8:1:2::1"},
		{"127.0.0.1", "::1"},
		{"", NULL},
		{"unknown", NULL},
		{"[::1", NULL},
		{"192.0.2", NULL},
		{"192.0.2.7.8", NULL},
		{"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb", NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct peer p = {.kind = PEER_UNIX};
		bool ok = peer_of_text(slice_str(rows[i].text), &p);
		assert_int_equal(ok, rows[i].host != NULL);
		if (ok) {
			struct peer want = peer_at(rows[i].host);
			assert_int_equal(p.kind, want.kind);
			assert_true(p.kind == PEER_LOOPBACK ||
				    memcmp(p.address, want.address, sizeof(p.address)) == 0);
		}
	}
}

/* A proxy is one machine, not all that share its network. */
TEST(test_a_proxy_is_known_by_its_whole_address)
{
	struct address at = {.kind = ADDRESS_TCP, .host = "127.0.0.1", .port = "0"};
	struct listening l;
	struct errmsg why;
	struct whole_address whole;
	struct sockaddr_in in = {0};
	socklen_t len = sizeof(in);
	assert_int_equal(socket_listen(&at, 0, &l, &why), OK);
	assert_int_equal(getsockname(l.fd, (struct sockaddr *)&in, &len), 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(client, (struct sockaddr *)&in, sizeof(in)), 0);
	int fd = accept(l.fd, NULL, NULL);
	assert_true(whole_address_parse(SLICE("127.0.0.1"), &whole));
	assert_true(whole_address_is_peer(&whole, fd));
	assert_true(whole_address_parse(SLICE("127.0.0.2"), &whole));
	assert_false(whole_address_is_peer(&whole, fd));
	assert_true(whole_address_parse(SLICE("::1"), &whole));
	assert_false(whole_address_is_peer(&whole, fd));
	assert_false(whole_address_parse(SLICE("localhost"), &whole));
	(void)close(fd);
	(void)close(client);
	socket_close(&l);
}
