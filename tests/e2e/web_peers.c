/*
 * web_peers.c - a real server and peers that are bad at HTTP or WebSockets: each is told why by a status
 * or a code, costs a bounded amount, and nobody else notices. What peers do inside of a WebSocket is
 * tested with what they do without: see NET_TEST_OVER_ALL().
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "tests/support/client_frame.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define HALF_OPEN    10000
#define HALF_AT_ONCE 200
#define TEXT_BYTES   (1u << 22)
/* A head that is begun holds its bytes; with what AddressSanitizer adds it is several times that. */
#define HALF_BYTES_MAX ((size_t)64 << 10)

#define HOST "Host: 127.0.0.1\r\n"
#define SOCKET                                                                       \
	"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" \
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
#define OPEN  "GET /ws HTTP/1.1\r\n" HOST SOCKET "\r\n"
#define HELLO "{\"id\":1,\"method\":\"session.hello\",\"params\":{\"protocol\":1,\"client\":\"t\"}}"

struct owner {
	struct net_peer peer;
};

static void start(struct net_server *s, struct owner *o, const char *const *more)
{
	net_start(s, more);
	net_peer_open(&o->peer, net_connect_unix(s->socket));
	net_hello(&o->peer);
}

static void finish(struct net_server *s, struct owner *o)
{
	(void)net_must(&o->peer, "server.ping", "{}");
	net_peer_close(&o->peer);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

static long figure(struct owner *o, const char *name)
{
	char begin[64];
	(void)snprintf(begin, sizeof(begin), "\"%s\":", name);
	const char *at = strstr(net_must(&o->peer, "server.stats", "{}"), begin);
	assert_non_null(at);
	return strtol(at + strlen(begin), NULL, 10);
}

static int connect_web(const struct net_server *s)
{
	return net_connect_tcp("127.0.0.1", net_port(s, " http://127.0.0.1:"));
}

/* All that a peer receives until the end, as a text. */
static void receive_text(int fd, struct buf *got)
{
	buf_init(got, TEXT_BYTES);
	net_receive_all(fd, got);
	(void)close(fd);
	assert_int_equal(buf_append(got, "", 1), OK);
}

static void ask(const struct net_server *s, struct slice bytes, struct buf *got)
{
	int fd = connect_web(s);
	net_send(fd, bytes.data, bytes.len);
	receive_text(fd, got);
}

static size_t count(const struct buf *got, const char *what)
{
	size_t n = 0;
	for (const char *at = strstr(got->data, what); at != NULL; at = strstr(at + 1, what)) {
		n++;
	}
	return n;
}

static void assert_status(const struct buf *got, int status)
{
	char begin[32];
	(void)snprintf(begin, sizeof(begin), "HTTP/1.1 %d ", status);
	if (strncmp(got->data, begin, strlen(begin)) != 0) {
		fail_msg("not %d: %s", status, got->data);
	}
}

/* Receive until the text is there. */
static void receive_up_to(int fd, const char *text, struct buf *got)
{
	char bytes[4096];
	bool is_there = false;
	while (!is_there) {
		size_t n = net_receive(fd, bytes, sizeof(bytes));
		if (n == 0) {
			fail_msg("no %s in %.*s", text, (int)got->len, got->data);
		}
		assert_int_equal(buf_append(got, bytes, n), OK);
		assert_int_equal(buf_append(got, "", 1), OK);
		got->len--;
		is_there = strstr(got->data, text) != NULL;
	}
}

/* A WebSocket that has said hello. */
static int open_socket(const struct net_server *s)
{
	struct buf out = {.max = TEXT_BYTES};
	struct buf got = {.max = TEXT_BYTES};
	int fd = connect_web(s);
	buf_append_slice(&out, SLICE(OPEN));
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, SLICE(HELLO));
	net_send(fd, out.data, out.len);
	receive_up_to(fd, "\"id\":1,\"result\"", &got);
	buf_finish(&out);
	buf_finish(&got);
	return fd;
}

#define WEB_TEST(name, s) TEST_IN(name, struct net_server, s, net_given_web, net_gone)

/* ---- HTTP ---- */

WEB_TEST(each_bad_request_gets_its_status_and_an_end, s)
{
	static const struct {
		struct slice bytes;
		int status;
	} rows[] = {
		{SLICE_INIT("\x16\x03\x01\x02\x00\x01"), 400},
		{SLICE_INIT("\x94\x00\x01\xadsession.hello\x91\x80"), 400},
		{SLICE_INIT("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400},
		{SLICE_INIT("GET / HTTP/1.1\r\n\r\n"), 400},
		{SLICE_INIT("GET / HTTP/1.1\r\n" HOST HOST "\r\n"), 400},
		{SLICE_INIT("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 421},
		{SLICE_INIT("GET /nothing HTTP/1.1\r\n" HOST "\r\n"), 404},
		{SLICE_INIT("GET /%2e%2e/etc/passwd HTTP/1.1\r\n" HOST "\r\n"), 404},
		{SLICE_INIT("POST / HTTP/1.1\r\n" HOST "\r\n"), 405},
		{SLICE_INIT("GET / HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc"), 501},
		{SLICE_INIT("GET / HTTP/1.1\r\n" HOST
			    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
		 501},
		{SLICE_INIT("GET /ws HTTP/1.1\r\n" HOST "\r\n"), 426},
		{SLICE_INIT("GET /ws HTTP/1.1\r\n" HOST SOCKET
			    "Origin: https://evil.example\r\n\r\n"),
		 403},
	};
	struct owner o;
	start(s, &o, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf got;
		ask(s, rows[i].bytes, &got);
		assert_status(&got, rows[i].status);
		assert_int_equal(count(&got, "HTTP/1.1 "), 1);
		assert_int_equal(count(&got, "frame-ancestors 'none'"), 1);
		buf_finish(&got);
	}
	assert_int_equal(figure(&o, "web_requests_refused_total"), sizeof(rows) / sizeof(rows[0]));
	finish(s, &o);
}

WEB_TEST(a_head_without_end_is_refused_at_its_bound, s)
{
	struct owner o;
	struct buf got;
	struct buf head = {.max = TEXT_BYTES};
	start(s, &o, NULL);
	buf_append_slice(&head, SLICE("GET / HTTP/1.1\r\n" HOST));
	while (head.len < 100000) {
		buf_append_slice(&head, SLICE("X-More: and more\r\n"));
	}
	ask(s, buf_slice(&head), &got);
	assert_status(&got, 431);
	buf_finish(&got);
	buf_finish(&head);
	finish(s, &o);
}

WEB_TEST(a_request_that_is_not_finished_is_told_when_its_time_is_over, s)
{
	static const char *const more[] = {"--limit", "hello_ms=200", NULL};
	static const struct {
		struct slice bytes;
		int status; /* 0: nothing is said to one that has its answer */
	} rows[] = {
		{SLICE_INIT(""), 408},
		{SLICE_INIT("GET / HT"), 408},
		{SLICE_INIT("GET / HTTP/1.1\r\n" HOST "\r\n"), 200},
	};
	struct owner o;
	start(s, &o, more);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf got;
		ask(s, rows[i].bytes, &got);
		assert_status(&got, rows[i].status);
		assert_int_equal(count(&got, "HTTP/1.1 "), 1);
		buf_finish(&got);
	}
	finish(s, &o);
}

/* Two thousand in one write: a hundred are answered, and the last of them says that it is the last. */
WEB_TEST(pipelined_requests_are_answered_in_order_up_to_their_bound, s)
{
	struct owner o;
	struct buf got;
	struct buf all = {.max = TEXT_BYTES};
	start(s, &o, NULL);
	for (int i = 0; i < 2000; i++) {
		buf_append_slice(&all, i % 2 == 0 ? SLICE("GET / HTTP/1.1\r\n" HOST "\r\n")
						  : SLICE("HEAD /app.js HTTP/1.1\r\n" HOST "\r\n"));
	}
	ask(s, buf_slice(&all), &got);
	assert_int_equal(count(&got, "HTTP/1.1 200 OK"), 100);
	assert_int_equal(count(&got, "Content-Type: text/html"), 50);
	assert_int_equal(count(&got, "Connection: close"), 1);
	buf_finish(&got);
	buf_finish(&all);
	finish(s, &o);
}

/* Its connection ends for the core long before it has taken the page. */
WEB_TEST(an_answer_is_sent_to_its_end_however_slowly_it_is_taken, s)
{
	static const char *const more[] = {"--limit", "hello_ms=200", NULL};
	struct owner o;
	struct buf all = {.max = TEXT_BYTES};
	struct buf got = {.max = 16 * TEXT_BYTES};
	int fd;
	start(s, &o, more);
	fd = connect_web(s);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){1}, sizeof(int)), 0);
	for (int i = 0; i < 100; i++) {
		buf_append_slice(&all, SLICE("GET /app.js HTTP/1.1\r\n" HOST "\r\n"));
	}
	net_send(fd, all.data, all.len);
	/* It is known to have been too late when another that came after it was told so. */
	struct buf other;
	ask(s, SLICE(""), &other);
	assert_status(&other, 408);
	net_receive_all(fd, &got);
	(void)close(fd);
	assert_int_equal(buf_append(&got, "", 1), OK);
	const char *last = NULL;
	for (const char *at = strstr(got.data, "HTTP/1.1 200 OK"); at != NULL;
	     at = strstr(at + 1, "HTTP/1.1 200 OK")) {
		last = at;
	}
	assert_non_null(last);
	const char *length = strstr(last, "Content-Length: ");
	const char *body = strstr(last, "\r\n\r\n");
	assert_non_null(length);
	assert_non_null(body);
	assert_int_equal(strlen(body + 4), strtoul(length + strlen("Content-Length: "), NULL, 10));
	buf_finish(&other);
	buf_finish(&got);
	buf_finish(&all);
	finish(s, &o);
}

/* AddressSanitizer holds back what was freed: not in a server whose memory is measured. */
static void keep_nothing_freed(void)
{
	char options[512];
	const char *set = getenv("ASAN_OPTIONS");
	(void)snprintf(options, sizeof(options), "%.300s:quarantine_size_mb=1",
		       set == NULL ? "" : set);
	assert_int_equal(setenv("ASAN_OPTIONS", options, 1), 0);
}

/* Heads that are begun, and WebSockets that never say hello, in turn. */
WEB_TEST(ten_thousand_half_open_ones_cost_a_bounded_amount_and_others_are_served, s)
{
	static int held[HALF_AT_ONCE];
	static const char *const more[] = {"--limit", "hello_ms=600000", NULL};
	struct owner o;
	keep_nothing_freed();
	start(s, &o, more);
	int inside = open_socket(s);
	size_t before = net_resident_bytes(s);
	for (size_t i = 0; i < HALF_OPEN; i++) {
		int *place = &held[i % HALF_AT_ONCE];
		if (i >= HALF_AT_ONCE) {
			(void)close(*place);
		}
		*place = connect_web(s);
		net_send(*place, OPEN, strlen(OPEN) - i % strlen(OPEN));
		if (i % 500 == 0) {
			(void)net_must(&o.peer, "server.ping", "{}");
		}
	}
	assert_true(net_resident_bytes(s) < before + HALF_AT_ONCE * HALF_BYTES_MAX);
	for (size_t i = 0; i < HALF_AT_ONCE; i++) {
		(void)close(held[i]);
	}
	(void)close(inside);
	finish(s, &o);
}

WEB_TEST(a_balancer_learns_that_the_server_is_well, s)
{
	struct owner o;
	struct buf got;
	start(s, &o, NULL);
	ask(s, SLICE("GET /healthz HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n"), &got);
	assert_status(&got, 200);
	assert_int_equal(count(&got, "\r\n\r\nok\n"), 1);
	buf_finish(&got);
	finish(s, &o);
}

/* ---- WebSockets ---- */

/* The last two bytes of what a peer received, in a frame that closes. */
static unsigned close_code(const struct buf *got)
{
	size_t end = got->len - 1; /* without the NUL */
	assert_true(end >= 4);
	assert_memory_equal(got->data + end - 4, "\x88\x02", 2);
	return (unsigned)(unsigned char)got->data[end - 2] << 8 | (unsigned char)got->data[end - 1];
}

WEB_TEST(what_a_websocket_forbids_is_told_and_closed_with_its_code, s)
{
	static const struct {
		unsigned first;
		struct slice payload;
		unsigned code;
		const char *told; /* NULL: nothing, as it is no mistake */
	} rows[] = {
		{FRAME_LAST | FRAME_BINARY, SLICE_INIT("{}"), 1003, "as text messages"},
		{FRAME_LAST | FRAME_RESERVED | FRAME_TEXT, SLICE_INIT("{}"), 1002, "an extension"},
		{FRAME_LAST | FRAME_CONTINUED, SLICE_INIT("{}"), 1002, "out of place"},
		{FRAME_LAST | FRAME_TEXT, SLICE_INIT("\xff"), 1007, "not UTF-8"},
		{FRAME_LAST | FRAME_TEXT, SLICE_INIT("nonsense"), 1008, "JSON line 1"},
		{FRAME_LAST | FRAME_TEXT, SLICE_INIT("{\"id\":1}"), 1008, "method required"},
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xe8"), 1000, NULL},
	};
	struct owner o;
	long broken = 0;
	start(s, &o, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out = {.max = TEXT_BYTES};
		struct buf got;
		buf_append_slice(&out, SLICE(OPEN));
		client_frame_put(&out, rows[i].first, rows[i].payload);
		ask(s, buf_slice(&out), &got);
		assert_status(&got, 101);
		assert_int_equal(close_code(&got), rows[i].code);
		assert_int_equal(count(&got, "server.closing"), rows[i].told != NULL);
		assert_int_equal(rows[i].told == NULL ? 1 : count(&got, rows[i].told), 1);
		broken += rows[i].told != NULL;
		buf_finish(&out);
		buf_finish(&got);
	}
	assert_int_equal(figure(&o, "broken_frames_total"), broken);
	assert_int_equal(figure(&o, "websockets"), 0);
	finish(s, &o);
}

WEB_TEST(an_unmasked_frame_and_one_that_is_too_long_are_refused, s)
{
	struct owner o;
	struct buf got;
	start(s, &o, NULL);
	ask(s, SLICE(OPEN "\x81\x02{}"), &got);
	assert_int_equal(close_code(&got), 1002);
	buf_finish(&got);
	/* Before hello 4,096 bytes are the most; a length is refused before its bytes come. */
	ask(s, SLICE(OPEN "\x81\xfe\x10\x01zzzz{"), &got);
	assert_int_equal(close_code(&got), 1009);
	buf_finish(&got);
	int fd = open_socket(s);
	net_send(fd, "\x81\xff\x00\x00\x01\x00\x00\x00\x00\x00zzzz{", 15);
	receive_text(fd, &got);
	assert_int_equal(close_code(&got), 1009);
	buf_finish(&got);
	finish(s, &o);
}

/* Empty fragments add nothing to the message: only its time ends it. */
WEB_TEST(fragments_without_end_are_ended_by_the_time_of_a_message, s)
{
	static const char *const more[] = {"--limit", "frame_ms=300", NULL};
	struct owner o;
	struct buf out = {.max = TEXT_BYTES};
	struct buf got;
	start(s, &o, more);
	int fd = open_socket(s);
	client_frame_put(&out, FRAME_TEXT, SLICE(" "));
	for (int i = 0; i < 1000; i++) {
		client_frame_put(&out, FRAME_CONTINUED, SLICE(""));
	}
	net_send(fd, out.data, out.len);
	receive_text(fd, &got);
	assert_int_equal(close_code(&got), 1008);
	assert_int_equal(count(&got, "not finished in time"), 1);
	buf_finish(&got);
	buf_finish(&out);
	finish(s, &o);
}

/* Each write has the end of one message and the beginning of the next: none is late, however long it goes on. */
WEB_TEST(messages_that_overlap_the_reads_are_each_timed_by_themselves, s)
{
	static const char *const more[] = {"--limit", "frame_ms=300", NULL};
	static const char text[] = "{\"id\":2,\"method\":\"server.ping\"}";
	struct owner o;
	struct buf out = {.max = TEXT_BYTES};
	struct buf got = {.max = TEXT_BYTES};
	long began_ms = 0;
	long now_ms = 0;
	start(s, &o, more);
	int fd = open_socket(s);
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, slice_str(text));
	size_t half = out.len / 2;
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, slice_str(text));
	net_send(fd, out.data, half);
	while (now_ms < began_ms + 3000 || began_ms == 0) {
		buf_clear(&got);
		net_send(fd, out.data + half, out.len / 2);
		receive_up_to(fd, "{\"id\":2,",
			      &got); /* an answer, if only that it asks too often */
		now_ms = strtol(strstr(net_must(&o.peer, "server.ping", "{}"), "\"now\":") + 6,
				NULL, 10);
		began_ms = began_ms == 0 ? now_ms : began_ms;
	}
	assert_int_equal(figure(&o, "websockets"), 1);
	assert_int_equal(figure(&o, "broken_frames_total"), 0);
	(void)close(fd);
	buf_finish(&out);
	buf_finish(&got);
	finish(s, &o);
}

WEB_TEST(compression_that_is_asked_for_is_declined, s)
{
	struct owner o;
	struct buf got;
	start(s, &o, NULL);
	ask(s,
	    SLICE("GET /ws HTTP/1.1\r\n" HOST SOCKET
		  "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n\x88\x80zzzz"),
	    &got);
	assert_status(&got, 101);
	assert_int_equal(count(&got, "Sec-WebSocket-Extensions"), 0);
	assert_int_equal(close_code(&got), 1000);
	buf_finish(&got);
	finish(s, &o);
}

WEB_TEST(a_peer_that_answers_pings_stays_and_one_that_is_silent_ends, s)
{
	static const char *const more[] = {"--limit", "web_ping_ms=300", "--limit",
					   "web_silent_ms=5000", NULL};
	struct owner o;
	struct buf got = {.max = TEXT_BYTES};
	struct buf pong = {.max = TEXT_BYTES};
	start(s, &o, more);
	int silent = open_socket(s);
	int lively = open_socket(s);
	bool is_over = false;
	client_frame_put(&pong, FRAME_LAST | FRAME_PONG, SLICE(""));
	/* Each ping of the one is answered until the other has ended. */
	while (!is_over) {
		char bytes[4096];
		size_t n = net_receive(lively, bytes, sizeof(bytes));
		assert_true(n > 0);
		if (memchr(bytes, 0x89, n) != NULL) { /* in no text of ours */
			net_send(lively, pong.data, pong.len);
		}
		is_over = figure(&o, "websockets") == 1;
	}
	net_receive_all(silent, &got);
	assert_true(got.len >= 2); /* it was pinged */
	assert_int_equal(figure(&o, "websockets"), 1);
	(void)close(silent);
	(void)close(lively);
	buf_finish(&got);
	buf_finish(&pong);
	finish(s, &o);
}

/* A million pings of one that reads nothing are not a million pongs that wait. */
WEB_TEST(a_flood_of_pings_costs_nothing_that_lasts, s)
{
	struct owner o;
	struct buf out = {.max = TEXT_BYTES};
	keep_nothing_freed();
	start(s, &o, NULL);
	int fd = open_socket(s);
	for (int i = 0; i < 10000; i++) {
		client_frame_put(&out, FRAME_LAST | FRAME_PING, SLICE("0123456789"));
	}
	size_t before = net_resident_bytes(s);
	for (int i = 0; i < 100; i++) {
		net_send(fd, out.data, out.len);
	}
	assert_true(net_resident_bytes(s) < before + (4u << 20));
	assert_int_equal(figure(&o, "websockets"), 1);
	(void)close(fd);
	buf_finish(&out);
	finish(s, &o);
}

WEB_TEST(a_server_that_stops_tells_those_who_are_there, s)
{
	struct owner o;
	struct buf got;
	start(s, &o, NULL);
	int idle = connect_web(s);
	int fd = open_socket(s);
	net_peer_close(&o.peer);
	assert_int_equal(kill(s->pid, SIGTERM), 0);
	receive_text(fd, &got);
	assert_int_equal(count(&got, "the server is stopping"), 1);
	assert_int_equal(close_code(&got), 1001);
	buf_finish(&got);
	receive_text(idle, &got);
	assert_status(&got, 503);
	buf_finish(&got);
	assert_int_equal(net_wait(s), 0);
}

/* ---- who it is ---- */

static void open_for(const struct net_server *s, const char *forwarded, struct buf *got)
{
	struct buf out = {.max = TEXT_BYTES};
	(void)buf_printf(&out, "GET /ws HTTP/1.1\r\nHost: poker.example\r\n%s%s%s" SOCKET "\r\n",
			 forwarded == NULL ? "" : "X-Forwarded-For: ",
			 forwarded == NULL ? "" : forwarded, forwarded == NULL ? "" : "\r\n");
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, SLICE(HELLO));
	client_frame_put(&out, FRAME_LAST | FRAME_CLOSE, SLICE(""));
	ask(s, buf_slice(&out), got);
	buf_finish(&out);
}

/* Two may come from an address; a third, and only of that address, is told that it is too many. */
WEB_TEST(behind_a_proxy_the_limits_of_an_address_are_those_of_the_client, s)
{
	static const char *const more[] = {"--web-proxy", "127.0.0.1", "--limit",
					   "connections_per_address=2", NULL};
	struct owner o;
	struct buf got;
	int held[2];
	start(s, &o, more);
	for (size_t i = 0; i < 2; i++) {
		struct buf begin = {.max = TEXT_BYTES};
		static const char open[] =
			"GET /ws HTTP/1.1\r\nHost: poker.example\r\n"
			"X-Forwarded-For: 127.0.0.1, 192.0.2.7\r\n" SOCKET "\r\n";
		held[i] = connect_web(s);
		net_send(held[i], open, strlen(open));
		receive_up_to(held[i], "101 Switching", &begin);
		buf_finish(&begin);
	}
	open_for(s, "10.0.0.1, 192.0.2.7", &got);
	assert_status(&got, 503);
	assert_int_equal(count(&got, "too many connections from your address"), 1);
	buf_finish(&got);
	open_for(s, "192.0.2.7, 192.0.2.8", &got);
	assert_status(&got, 101);
	assert_int_equal(count(&got, "\"result\""), 1);
	buf_finish(&got);
	open_for(s, NULL, &got);
	assert_status(&got, 400);
	buf_finish(&got);
	open_for(s, "192.0.2.9, unknown", &got);
	assert_status(&got, 400);
	buf_finish(&got);
	for (size_t i = 0; i < 2; i++) {
		(void)close(held[i]);
	}
	finish(s, &o);
}

/* Who is not the proxy may claim what they like. */
WEB_TEST(of_others_the_field_of_a_proxy_is_not_believed, s)
{
	static const char *const more[] = {"--web-proxy", "192.0.2.1", "--web-origin",
					   "http://poker.example", NULL};
	struct owner o;
	struct buf got;
	start(s, &o, more);
	open_for(s, "192.0.2.7", &got);
	assert_status(&got, 101);
	buf_finish(&got);
	open_for(s, "nonsense", &got);
	assert_status(&got, 101);
	buf_finish(&got);
	finish(s, &o);
}

/* ---- what is refused at the start ---- */

WEB_TEST(http_for_others_is_refused_unless_it_is_asked_for, s)
{
	static const char *const exposed[] = {"--listen", "http://0.0.0.0:0", NULL};
	static const char *const wanted[] = {"--listen", "http://0.0.0.0:0", "--insecure-web",
					     NULL};
	char line[NET_LINE_BYTES];
	bool says_why = false;
	net_spawn(s, exposed);
	while (net_line(s->err, line)) {
		says_why = says_why || (strstr(line, "is not encrypted") != NULL &&
					strstr(line, "--insecure-web") != NULL);
	}
	assert_true(says_why);
	assert_int_equal(net_wait(s), 1);
	net_spawn(s, wanted);
	assert_true(net_line(s->out, s->ready));
	assert_non_null(strstr(s->ready, " http://0.0.0.0:"));
	assert_int_equal(net_end(s, SIGTERM), 0);
}
