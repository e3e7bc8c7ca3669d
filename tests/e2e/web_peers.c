/*
 * web_peers.c - a real server and peers that are bad at HTTP: each is told why by a status, costs a
 * bounded amount, and nobody else notices; and who the server takes them for. What they do with a
 * WebSocket is web_sockets.c's, and what inside of it is tested with what they do without: see
 * NET_TEST_OVER_TRANSPORTS().
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "tests/support/web_kit.h"

#define HALF_OPEN    10000
#define HALF_AT_ONCE 200
/* A head that is begun holds its bytes; with what AddressSanitizer adds it is several times that. */
#define HALF_BYTES_MAX ((size_t)64 << 10)

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
		{SLICE_INIT("GET / HTTP/1.1\r\n" WEB_HOST WEB_HOST "\r\n"), 400},
		{SLICE_INIT("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 421},
		{SLICE_INIT("GET /nothing HTTP/1.1\r\n" WEB_HOST "\r\n"), 404},
		{SLICE_INIT("GET /%2e%2e/etc/passwd HTTP/1.1\r\n" WEB_HOST "\r\n"), 404},
		{SLICE_INIT("POST / HTTP/1.1\r\n" WEB_HOST "\r\n"), 405},
		{SLICE_INIT("GET / HTTP/1.1\r\n" WEB_HOST "Content-Length: 3\r\n\r\nabc"), 501},
		{SLICE_INIT("GET / HTTP/1.1\r\n" WEB_HOST
			    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
		 501},
		{SLICE_INIT("GET /ws HTTP/1.1\r\n" WEB_HOST "\r\n"), 426},
		{SLICE_INIT("GET /ws HTTP/1.1\r\n" WEB_HOST CLIENT_UPGRADE
			    "Origin: https://evil.example\r\n\r\n"),
		 403},
	};
	struct net_peer owner;
	web_start(s, &owner, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf got;
		web_ask(s, rows[i].bytes, &got);
		web_assert_status(&got, rows[i].status);
		assert_int_equal(web_count(&got, "HTTP/1.1 "), 1);
		assert_int_equal(web_count(&got, "frame-ancestors 'none'"), 1);
		buf_finish(&got);
	}
	assert_int_equal(net_figure(&owner, "web_requests_refused_total"),
			 sizeof(rows) / sizeof(rows[0]));
	net_finish(s, &owner);
}

WEB_TEST(a_head_without_end_is_refused_at_its_bound, s)
{
	struct net_peer owner;
	struct buf got;
	struct buf head = {.max = WEB_TEXT_BYTES};
	web_start(s, &owner, NULL);
	buf_append_slice(&head, SLICE("GET / HTTP/1.1\r\n" WEB_HOST));
	while (head.len < 100000) {
		buf_append_slice(&head, SLICE("X-More: and more\r\n"));
	}
	web_ask(s, buf_slice(&head), &got);
	web_assert_status(&got, 431);
	buf_finish(&got);
	buf_finish(&head);
	net_finish(s, &owner);
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
		{SLICE_INIT("GET / HTTP/1.1\r\n" WEB_HOST "\r\n"), 200},
	};
	struct net_peer owner;
	web_start(s, &owner, more);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf got;
		web_ask(s, rows[i].bytes, &got);
		web_assert_status(&got, rows[i].status);
		assert_int_equal(web_count(&got, "HTTP/1.1 "), 1);
		buf_finish(&got);
	}
	net_finish(s, &owner);
}

/* Two thousand in one write: a hundred are answered, and the last of them says that it is the last. */
WEB_TEST(pipelined_requests_are_answered_in_order_up_to_their_bound, s)
{
	struct net_peer owner;
	struct buf got;
	struct buf all = {.max = WEB_TEXT_BYTES};
	web_start(s, &owner, NULL);
	for (int i = 0; i < 2000; i++) {
		buf_append_slice(&all,
				 i % 2 == 0 ? SLICE("GET / HTTP/1.1\r\n" WEB_HOST "\r\n")
					    : SLICE("HEAD /app.js HTTP/1.1\r\n" WEB_HOST "\r\n"));
	}
	web_ask(s, buf_slice(&all), &got);
	assert_int_equal(web_count(&got, "HTTP/1.1 200 OK"), 100);
	assert_int_equal(web_count(&got, "Content-Type: text/html"), 50);
	assert_int_equal(web_count(&got, "Connection: close"), 1);
	buf_finish(&got);
	buf_finish(&all);
	net_finish(s, &owner);
}

/* Its connection ends for the core long before it has taken the page. */
WEB_TEST(an_answer_is_sent_to_its_end_however_slowly_it_is_taken, s)
{
	static const char *const more[] = {"--limit", "hello_ms=200", NULL};
	struct net_peer owner;
	struct buf all = {.max = WEB_TEXT_BYTES};
	struct buf got = {.max = 16 * WEB_TEXT_BYTES};
	int fd;
	web_start(s, &owner, more);
	fd = web_connect(s);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){1}, sizeof(int)), 0);
	/* Half a megabyte: what the system holds of more is out of the server's sight for longer than it waits. */
	for (int i = 0; i < 100; i++) {
		buf_append_slice(&all, SLICE("GET /wire.js HTTP/1.1\r\n" WEB_HOST "\r\n"));
	}
	net_send(fd, all.data, all.len);
	/* It is known to have been too late when another that came after it was told so. */
	struct buf other;
	web_ask(s, SLICE(""), &other);
	web_assert_status(&other, 408);
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
	net_finish(s, &owner);
}

/* Heads that are begun, and WebSockets that never say hello, in turn. */
WEB_TEST(ten_thousand_half_open_ones_cost_a_bounded_amount_and_others_are_served, s)
{
	static int held[HALF_AT_ONCE];
	static const char *const more[] = {"--limit", "hello_ms=600000", NULL};
	struct net_peer owner;
	net_keep_nothing_freed();
	web_start(s, &owner, more);
	int inside = web_open(s);
	size_t before = net_resident_bytes(s);
	for (size_t i = 0; i < HALF_OPEN; i++) {
		int *place = &held[i % HALF_AT_ONCE];
		if (i >= HALF_AT_ONCE) {
			(void)close(*place);
		}
		*place = web_connect(s);
		net_send(*place, WEB_OPEN, strlen(WEB_OPEN) - i % strlen(WEB_OPEN));
		if (i % 500 == 0) {
			(void)net_must(&owner, "server.ping", "{}");
		}
	}
	assert_true(net_resident_bytes(s) < before + HALF_AT_ONCE * HALF_BYTES_MAX);
	for (size_t i = 0; i < HALF_AT_ONCE; i++) {
		(void)close(held[i]);
	}
	(void)close(inside);
	net_finish(s, &owner);
}

WEB_TEST(a_balancer_learns_that_the_server_is_well, s)
{
	struct net_peer owner;
	struct buf got;
	web_start(s, &owner, NULL);
	web_ask(s, SLICE("GET /healthz HTTP/1.1\r\n" WEB_HOST "Connection: close\r\n\r\n"), &got);
	web_assert_status(&got, 200);
	assert_int_equal(web_count(&got, "\r\n\r\nok\n"), 1);
	buf_finish(&got);
	net_finish(s, &owner);
}

/* ---- who it is ---- */

static void open_for(const struct net_server *s, const char *forwarded, struct buf *got)
{
	struct buf out = {.max = WEB_TEXT_BYTES};
	(void)buf_printf(&out,
			 "GET /ws HTTP/1.1\r\nHost: poker.example\r\n%s%s%s" CLIENT_UPGRADE "\r\n",
			 forwarded == NULL ? "" : "X-Forwarded-For: ",
			 forwarded == NULL ? "" : forwarded, forwarded == NULL ? "" : "\r\n");
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, SLICE(WEB_HELLO));
	client_frame_put(&out, FRAME_LAST | FRAME_CLOSE, SLICE(""));
	web_ask(s, buf_slice(&out), got);
	buf_finish(&out);
}

/* Two may come from an address; a third, and only of that address, is told that it is too many. */
WEB_TEST(behind_a_proxy_the_limits_of_an_address_are_those_of_the_client, s)
{
	static const char *const more[] = {"--web-proxy", "127.0.0.1", "--limit",
					   "connections_per_address=2", NULL};
	struct net_peer owner;
	struct buf got;
	int held[2];
	web_start(s, &owner, more);
	for (size_t i = 0; i < 2; i++) {
		struct buf begin = {.max = WEB_TEXT_BYTES};
		static const char open[] =
			"GET /ws HTTP/1.1\r\nHost: poker.example\r\n"
			"X-Forwarded-For: 127.0.0.1, 192.0.2.7\r\n" CLIENT_UPGRADE "\r\n";
		held[i] = web_connect(s);
		net_send(held[i], open, strlen(open));
		web_receive_up_to(held[i], "101 Switching", &begin);
		buf_finish(&begin);
	}
	open_for(s, "10.0.0.1, 192.0.2.7", &got);
	web_assert_status(&got, 503);
	assert_int_equal(web_count(&got, "too many connections from your address"), 1);
	buf_finish(&got);
	open_for(s, "192.0.2.7, 192.0.2.8", &got);
	web_assert_status(&got, 101);
	assert_int_equal(web_count(&got, "\"result\""), 1);
	buf_finish(&got);
	open_for(s, NULL, &got);
	web_assert_status(&got, 400);
	buf_finish(&got);
	open_for(s, "192.0.2.9, unknown", &got);
	web_assert_status(&got, 400);
	buf_finish(&got);
	for (size_t i = 0; i < 2; i++) {
		(void)close(held[i]);
	}
	net_finish(s, &owner);
}

/* Who is not the proxy may claim what they like. */
WEB_TEST(of_others_the_field_of_a_proxy_is_not_believed, s)
{
	static const char *const more[] = {"--web-proxy", "192.0.2.1", "--web-origin",
					   "http://poker.example", NULL};
	struct net_peer owner;
	struct buf got;
	web_start(s, &owner, more);
	open_for(s, "192.0.2.7", &got);
	web_assert_status(&got, 101);
	buf_finish(&got);
	open_for(s, "nonsense", &got);
	web_assert_status(&got, 101);
	buf_finish(&got);
	net_finish(s, &owner);
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
