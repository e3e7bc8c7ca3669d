/*
 * tls_peers.c - a real server and peers that are bad at TLS itself: each ends, costs a
 * bounded amount, and nobody else notices. What peers do inside of TLS is tested with
 * what they do without: see NET_TEST_OVER_TRANSPORTS().
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/tls/tls.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define HALF_HANDSHAKES 10000
#define HALF_AT_ONCE	200
#define AT_ONCE		300
#define SILENT_AT_ONCE	200
/* A channel is some 20 KB; with what AddressSanitizer adds it is three times that. ThreadSanitizer has four bytes for each. */
#ifdef __SANITIZE_THREAD__
#define HALF_BYTES_MAX ((size_t)512 << 10)
#else
#define HALF_BYTES_MAX ((size_t)128 << 10)
#endif

static void start(struct net_server *s, struct net_peer *insider, const char *limit,
		  const char *second)
{
	const char *args[] = {"--limit", limit, second == NULL ? NULL : "--limit", second, NULL};
	net_start(s, args);
	net_insider(s, insider);
}

static int connect_bare(const struct net_server *s)
{
	return net_connect_tcp("127.0.0.1", net_port(s, " tls://127.0.0.1:"));
}

static int connect_from(const struct net_server *s, const char *address)
{
	return net_connect_tcp_from(address, "127.0.0.1", net_port(s, " tls://127.0.0.1:"));
}

/* ---- a client of TLS, step by step ---- */

struct shaker {
	int fd;
	struct tls_channel *channel;
};

static struct tls_context *context(void)
{
	static struct tls_context *made;
	if (made == NULL) {
		assert_int_equal(tls_context_connect(false, &made), OK);
	}
	return made;
}

static void shaker_send(struct shaker *k)
{
	struct slice out = tls_channel_output(k->channel);
	net_send(k->fd, out.data, out.len);
	tls_channel_sent(k->channel, out.len);
}

/* Connected, with its hello sent. */
static void shaker_begin(struct shaker *k, int fd)
{
	k->fd = fd;
	k->channel = tls_channel_new(context(), "127.0.0.1");
	assert_non_null(k->channel);
	(void)tls_channel_receive(k->channel, (struct slice){0});
	shaker_send(k);
}

static void shaker_open(const struct net_server *s, struct shaker *k)
{
	shaker_begin(k, connect_bare(s));
}

/* False where the server ended it. */
static bool shaker_receive(struct shaker *k)
{
	char bytes[4096];
	size_t n = net_receive(k->fd, bytes, sizeof(bytes));
	(void)tls_channel_receive(k->channel, slice_of(bytes, n));
	return n > 0;
}

/* Until the server has said something inside of TLS, where it sends tickets too. False where it ended the connection. */
static bool shaker_hears(struct shaker *k)
{
	char words[256];
	size_t n = 0;
	while (n == 0 && shaker_receive(k)) {
		n = tls_channel_read(k->channel, words, sizeof(words));
	}
	return n > 0;
}

static void shaker_go_on(struct shaker *k)
{
	while (tls_channel_state(k->channel) == TLS_SHAKING) {
		assert_true(shaker_receive(k));
		shaker_send(k);
	}
	assert_int_equal(tls_channel_state(k->channel), TLS_OPEN);
}

static void shaker_close(struct shaker *k)
{
	(void)close(k->fd);
	tls_channel_free(k->channel);
}

static void assert_ended(int fd)
{
	struct buf rest = {.max = 65536};
	net_receive_all(fd, &rest);
	buf_finish(&rest);
	(void)close(fd);
}

/* ---- tests ---- */

#define TLS_TEST(name, s) TEST_IN(name, struct net_server, s, net_given_tls, net_gone)

/* What lay in the sockets when it went on is more than a turn has time for. */
TLS_TEST(many_handshakes_at_once_are_spread_over_turns_and_all_are_served, s)
{
	static struct shaker shakers[AT_ONCE];
	struct net_peer owner;
	int status;
	start(s, &owner, "hello_ms=600000", "handshake_ms=600000");
	assert_int_equal(kill(s->pid, SIGSTOP), 0);
	assert_int_equal(waitpid(s->pid, &status, WUNTRACED), s->pid);
	for (size_t i = 0; i < AT_ONCE; i++) {
		shaker_open(s, &shakers[i]);
	}
	assert_int_equal(kill(s->pid, SIGCONT), 0);
	for (size_t i = 0; i < AT_ONCE; i++) {
		shaker_go_on(&shakers[i]);
		(void)net_must(&owner, "server.ping", "{}");
	}
	/* Those that were put off are done in later turns, between which it answers. */
	while (net_figure(&owner, "tls_handshakes_done_total") < AT_ONCE) {
	}
	assert_true(net_figure(&owner, "tls_handshakes_deferred_total") > 0);
	for (size_t i = 0; i < AT_ONCE; i++) {
		shaker_close(&shakers[i]);
	}
	net_finish(s, &owner);
}

TLS_TEST(ten_thousand_half_handshakes_cost_a_bounded_amount_and_others_are_served, s)
{
	static int held[HALF_AT_ONCE];
	struct net_peer owner;
	struct net_peer inside;
	struct shaker k;
	net_keep_nothing_freed();
	start(s, &owner, "handshakes=200", "handshake_ms=600000");
	net_peer_open(&inside, net_connect(s));
	net_hello(&inside);
	k.fd = -1;
	k.channel = tls_channel_new(context(), "127.0.0.1");
	(void)tls_channel_receive(k.channel, (struct slice){0});
	struct slice hello = tls_channel_output(k.channel);
	size_t before = net_resident_bytes(s);
	for (size_t i = 0; i < HALF_HANDSHAKES; i++) {
		int *place = &held[i % HALF_AT_ONCE];
		if (i >= HALF_AT_ONCE) {
			(void)close(*place);
		}
		*place = connect_bare(s);
		net_send(*place, hello.data, hello.len - i % hello.len);
		if (i % 500 == 0) {
			(void)net_must(&inside, "server.ping", "{}");
		}
	}
	assert_true(net_resident_bytes(s) < before + HALF_AT_ONCE * HALF_BYTES_MAX);
	tls_channel_free(k.channel);
	for (size_t i = 0; i < HALF_AT_ONCE; i++) {
		(void)close(held[i]);
	}
	net_peer_close(&inside);
	net_finish(s, &owner);
}

TLS_TEST(a_handshake_that_stops_ends_when_its_time_is_over, s)
{
	struct net_peer owner;
	struct shaker k;
	start(s, &owner, "handshake_ms=200", NULL);
	int silent = connect_bare(s);
	shaker_open(s, &k); /* its hello, and no more */
	assert_ended(silent);
	while (shaker_receive(&k)) {
	}
	shaker_close(&k);
	assert_int_equal(net_figure(&owner, "tls_handshakes_failed_total"), 2);
	assert_int_equal(net_figure(&owner, "connections_accepted_total"), 1); /* the owner's */
	net_finish(s, &owner);
}

/* From 16 addresses of one network, as many as there is room for, and again while somebody from elsewhere is at it. */
TLS_TEST(silent_connections_keep_no_newcomer_out, s)
{
	static int held[2 * SILENT_AT_ONCE];
	struct net_peer owner;
	struct shaker k;
	start(s, &owner, "handshakes=200", "handshake_ms=600000");
	for (size_t i = 0; i < SILENT_AT_ONCE; i++) {
		char from[32];
		format_to(from, sizeof(from), "127.0.0.%zu", 2 + i % 16);
		held[i] = connect_from(s, from);
	}
	shaker_begin(&k, connect_from(s, "127.1.0.1"));
	assert_true(shaker_receive(&k)); /* taken in, and answered */
	for (size_t i = SILENT_AT_ONCE; i < 2 * SILENT_AT_ONCE; i++) {
		char from[32];
		format_to(from, sizeof(from), "127.0.0.%zu", 2 + i % 16);
		held[i] = connect_from(s, from);
	}
	shaker_send(&k);
	shaker_go_on(&k);
	shaker_close(&k);
	for (size_t i = 0; i < 2 * SILENT_AT_ONCE; i++) {
		(void)close(held[i]);
	}
	net_finish(s, &owner);
}

TLS_TEST(a_connection_that_sends_nothing_ends_before_one_that_does, s)
{
	struct net_peer owner;
	struct shaker k;
	start(s, &owner, "handshake_first_byte_ms=200", "handshake_ms=600000");
	shaker_open(s, &k);
	assert_ended(connect_bare(s));
	shaker_go_on(&k);
	shaker_close(&k);
	net_finish(s, &owner);
}

/* They are no connections yet, so that nothing is said to them, and they are not waited for. */
TLS_TEST(a_server_that_stops_ends_handshakes_under_way, s)
{
	struct net_peer owner;
	struct shaker k;
	start(s, &owner, "handshake_first_byte_ms=600000", "handshake_ms=600000");
	int silent = connect_bare(s);
	shaker_open(s, &k);
	assert_true(shaker_receive(&k));
	net_peer_close(&owner);
	assert_int_equal(kill(s->pid, SIGTERM), 0);
	assert_ended(silent);
	while (shaker_receive(&k)) {
	}
	shaker_close(&k);
	assert_false(net_wait_log(s, "stop_deadline"));
	assert_int_equal(net_wait(s), 0);
}

/* Wherever it stops; one that is between two records has all the time of a connection. */
TLS_TEST(a_record_that_is_begun_and_not_finished_ends_the_connection, s)
{
	static const size_t left_out[] = {1,  16, 18,
					  19, 20, 23}; /* of 24 bytes, 5 of them the header */
	struct net_peer owner;
	struct shaker idle;
	struct shaker k;
	start(s, &owner, "frame_ms=200", "hello_ms=600000");
	shaker_open(s, &idle);
	shaker_go_on(&idle);
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
		shaker_open(s, &k);
		shaker_go_on(&k);
		assert_int_equal(tls_channel_write(k.channel, SLICE("\x94\x00")), OK);
		struct slice record = tls_channel_output(k.channel);
		assert_true(record.len > left_out[i]);
		net_send(k.fd, record.data, record.len - left_out[i]);
		while (shaker_receive(&k)) {
		}
		shaker_close(&k);
	}
	assert_int_equal(tls_channel_write(idle.channel, SLICE("\x91\x00")), OK);
	shaker_send(&idle);
	assert_true(shaker_hears(&idle)); /* that is no message */
	shaker_close(&idle);
	net_finish(s, &owner);
}

TLS_TEST(a_record_whose_rest_lay_in_the_socket_is_read_after_a_stall, s)
{
	const struct timespec longer = {2, 300000000};
	struct net_peer owner;
	struct shaker k;
	start(s, &owner, "frame_ms=2000", NULL);
	shaker_open(s, &k);
	shaker_go_on(&k);
	assert_int_equal(tls_channel_write(k.channel, SLICE("\x91\x00")), OK);
	struct slice record = tls_channel_output(k.channel);
	net_send(k.fd, record.data, record.len - 1);
	(void)net_must(&owner, "server.ping", "{}"); /* behind it: the first part has been read */
	net_stop_asleep(s);
	net_send(k.fd, record.data + record.len - 1, 1);
	assert_int_equal(nanosleep(&longer, NULL), 0);
	assert_int_equal(kill(s->pid, SIGCONT), 0);
	assert_true(shaker_hears(&k)); /* that is no message */
	shaker_close(&k);
	net_finish(s, &owner);
}

TLS_TEST(plain_text_is_answered_with_an_alert, s)
{
	static const char alert[] = {21, 3, 1, 0, 2, 2, 10};
	static const char *const texts[] = {"GET / HTTP/1.1\r\n\r\n",
					    "\x93\x00\x01\xadsession.hello", "\xc1\xc1\xc1\xc1"};
	struct net_peer owner;
	start(s, &owner, "handshake_ms=60000", NULL);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct buf got = {.max = 65536};
		int fd = connect_bare(s);
		net_send(fd, texts[i], strlen(texts[i] + 1) + 1);
		net_receive_all(fd, &got);
		assert_int_equal(got.len, sizeof(alert));
		assert_memory_equal(got.data, alert, sizeof(alert));
		buf_finish(&got);
		(void)close(fd);
	}
	assert_int_equal(net_figure(&owner, "tls_handshakes_failed_total"), 3);
	net_finish(s, &owner);
}

/* What was changed on the way, in the handshake and behind it, ends the connection. */
TLS_TEST(a_record_that_was_changed_on_the_way_ends_the_connection, s)
{
	struct net_peer owner;
	struct shaker k;
	start(s, &owner, "handshake_ms=60000", NULL);
	for (int is_open = 0; is_open < 2; is_open++) {
		char record[4096];
		shaker_open(s, &k);
		if (is_open) {
			shaker_go_on(&k);
			assert_int_equal(tls_channel_write(k.channel, SLICE("a request")), OK);
		} else {
			assert_true(shaker_receive(&k));
		}
		struct slice out = tls_channel_output(k.channel);
		assert_in_range(out.len, 1, sizeof(record));
		memcpy(record, out.data, out.len);
		record[out.len - 1] ^= 1;
		net_send(k.fd, record, out.len);
		while (shaker_receive(&k)) {
		}
		shaker_close(&k);
		(void)net_must(&owner, "server.ping", "{}");
	}
	net_finish(s, &owner);
}
