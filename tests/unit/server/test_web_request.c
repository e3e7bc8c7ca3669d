/*
 * test_web_request.c - who gets what: files, the WebSocket, or a refusal; and the heads of answers.
 */
#include <stdio.h>
#include <string.h>

#include "proto/base/buf.h"
#include "server/web/web_reply.h"
#include "server/web/web_request.h"
#include "tests/support/client_frame.h"
#include "tests/support/test.h"

struct site {
	struct web_file files[WEB_FILE_COUNT];
	struct web_origins origins;
	struct web_way way;
	struct http_head head;
};

static void site_lay(struct site *s)
{
	struct errmsg why;
	web_files_list(s->files);
	s->origins = (struct web_origins){.n = 1};
	assert_int_equal(web_origin_parse("https://poker.example/", &s->origins.items[0], &why),
			 OK);
	s->way = (struct web_way){.origins = &s->origins, .files = s->files};
	http_head_init(&s->head);
}

static void site_clear(struct site *s)
{
	http_head_finish(&s->head);
}

#define SITE_TEST(name) TEST_OF(name, struct site, s, site_lay(s), site_clear(s))

/* What a request line with these fields asks for. */
static struct web_want ask(struct site *s, const char *line, const char *fields)
{
	char text[1024];
	(void)snprintf(text, sizeof(text), "%s\r\n%s\r\n", line, fields);
	http_head_finish(&s->head);
	http_head_init(&s->head);
	(void)http_head_take(&s->head, slice_str(text));
	assert_int_equal(s->head.state, HTTP_HEAD_WHOLE);
	return web_request_want(&s->head, &s->way);
}

static void assert_refused(struct web_want want, int status)
{
	assert_int_equal(want.kind, WEB_WANT_NOTHING);
	assert_int_equal(want.status, status);
	assert_non_null(want.why);
}

SITE_TEST(test_each_file_of_the_page_is_there_and_nothing_else_is)
{
	char line[64];
	for (size_t i = 0; i < WEB_FILE_COUNT; i++) {
		(void)snprintf(line, sizeof(line), "GET %.*s HTTP/1.1", (int)s->files[i].path.len,
			       s->files[i].path.data);
		struct web_want want = ask(s, line, "Host: localhost\r\n");
		assert_int_equal(want.kind, WEB_WANT_FILE);
		assert_ptr_equal(want.file, &s->files[i]);
		assert_true(want.file->bytes.len > 0);
	}
	assert_refused(ask(s, "GET /../etc/passwd HTTP/1.1", "Host: localhost\r\n"), 404);
	assert_refused(ask(s, "GET /index.html HTTP/1.1", "Host: localhost\r\n"), 404);
	assert_refused(ask(s, "GET http://localhost/ HTTP/1.1", "Host: localhost\r\n"), 404);
	assert_int_equal(ask(s, "GET /healthz HTTP/1.1", "Host: localhost\r\n").kind,
			 WEB_WANT_HEALTH);
}

SITE_TEST(test_who_has_the_same_bytes_is_not_sent_them_again)
{
	char fields[128];
	static const char *const before[] = {"", "\"x\", W/"};
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		(void)snprintf(fields, sizeof(fields), "Host: localhost\r\nIf-None-Match: %s%s\r\n",
			       before[i], s->files[0].etag);
		assert_int_equal(ask(s, "GET / HTTP/1.1", fields).kind, WEB_WANT_SAME);
		assert_int_equal(ask(s, "GET /app.js HTTP/1.1", fields).kind, WEB_WANT_FILE);
	}
}

SITE_TEST(test_only_get_and_head_are_served)
{
	static const struct {
		const char *line, *fields;
	} heads[] = {
		{"HEAD / HTTP/1.1", "Host: localhost\r\n"},
		{"HEAD /x HTTP/1.1", "Host: localhost\r\n"},
		{"HEAD /ws HTTP/1.1", "Host: localhost\r\n" CLIENT_UPGRADE},
		{"HEAD / HTTP/1.1", "Host: evil.example\r\n"},
		{"HEAD / HTTP/1.1", ""},
	};
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		assert_true(ask(s, heads[i].line, heads[i].fields).without_body);
	}
	assert_refused(ask(s, "POST / HTTP/1.1", "Host: localhost\r\n"), 405);
	assert_refused(ask(s, "OPTIONS * HTTP/1.1", "Host: localhost\r\n"), 405);
	assert_refused(ask(s, "CONNECT a:1 HTTP/1.1", "Host: localhost\r\n"), 405);
	assert_refused(ask(s, "HEAD /ws HTTP/1.1", "Host: localhost\r\n" CLIENT_UPGRADE), 405);
	assert_refused(ask(s, "GET / HTTP/2.0", "Host: localhost\r\n"), 505);
}

/* Whose name is pointed at this server from elsewhere must get nothing over plain HTTP. */
SITE_TEST(test_a_foreign_host_is_refused_unless_tls_or_a_proxy_answers_for_it)
{
	static const char *const ours[] = {"127.0.0.1",		"127.0.0.1:2938", "[::1]:80",
					   "[2001:db8::7]",	"LocalHost:1",	  "poker.example",
					   "Poker.Example:8080"};
	static const char *const foreign[] = {"evil.example", "localhost.evil.example",
					      "127.0.0.1.evil.example", "1.2.3",
					      "poker.example.org"};
	static const char *const broken[] = {"",	"a b",	 "[::1", "a:b",
					     "a:99999", "a:1:2", "a/b",	 "user@localhost"};
	char fields[128];
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		(void)snprintf(fields, sizeof(fields), "Host: %s\r\n", ours[i]);
		assert_int_equal(ask(s, "GET / HTTP/1.1", fields).kind, WEB_WANT_FILE);
	}
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		(void)snprintf(fields, sizeof(fields), "Host: %s\r\n", foreign[i]);
		assert_refused(ask(s, "GET / HTTP/1.1", fields), 421);
		s->way.is_tls = true;
		assert_int_equal(ask(s, "GET / HTTP/1.1", fields).kind, WEB_WANT_FILE);
		s->way = (struct web_way){.is_proxied = true,
					  .origins = &s->origins,
					  .files = s->files};
		assert_int_equal(ask(s, "GET / HTTP/1.1", fields).kind, WEB_WANT_FILE);
		s->way.is_proxied = false;
	}
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		(void)snprintf(fields, sizeof(fields), "Host: %s\r\n", broken[i]);
		assert_refused(ask(s, "GET / HTTP/1.1", fields), 400);
	}
	assert_refused(ask(s, "GET / HTTP/1.1", ""), 400);
	assert_int_equal(ask(s, "GET / HTTP/1.0", "").kind, WEB_WANT_FILE);
}

/* promise: web-origins */
SITE_TEST(test_a_websocket_is_opened_for_pages_of_this_server_and_of_its_origins)
{
	static const struct {
		const char *fields;
		int status; /* 0: it is opened */
	} rows[] = {
		{"Host: localhost:2938\r\n" CLIENT_UPGRADE, 0},
		{"Host: localhost:2938\r\nOrigin: http://localhost:2938\r\n" CLIENT_UPGRADE, 0},
		{"Host: localhost:2938\r\nOrigin: https://POKER.example\r\n" CLIENT_UPGRADE, 0},
		{"Host: localhost:2938\r\nOrigin: http://localhost\r\n" CLIENT_UPGRADE, 403},
		{"Host: localhost:2938\r\nOrigin: https://evil.example\r\n" CLIENT_UPGRADE, 403},
		{"Host: localhost\r\nOrigin: https://localhost.evil.example\r\n" CLIENT_UPGRADE,
		 403},
		{"Host: localhost\r\nOrigin: http://poker.example\r\n" CLIENT_UPGRADE, 403},
		{"Host: localhost\r\nOrigin: null\r\n" CLIENT_UPGRADE, 403},
		{"Host: localhost\r\nOrigin:\r\n" CLIENT_UPGRADE, 403},
		{"Host: localhost\r\nSec-WebSocket-Protocol: chat, aye.v1\r\n" CLIENT_UPGRADE, 0},
		{"Host: localhost\r\nSec-WebSocket-Protocol: chat\r\n" CLIENT_UPGRADE, 400},
		{"Host: localhost\r\n", 426},
		{"Host: localhost\r\nUpgrade: websocket\r\n", 426},
		{"Host: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n", 426},
		{"Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		 "Sec-WebSocket-Version: 8\r\n",
		 426},
		{"Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		 "Sec-WebSocket-Version: 13\r\n",
		 400},
		{"Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25j!Q==\r\n",
		 400},
		{"Host: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub24Q==\r\n",
		 400},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct web_want want = ask(s, "GET /ws HTTP/1.1", rows[i].fields);
		bool is_open = want.kind == WEB_WANT_SOCKET;
		if (is_open != (rows[i].status == 0) ||
		    (!is_open && want.status != rows[i].status)) {
			fail_msg("row %zu: %d", i, want.status);
		}
	}
	assert_true(ask(s, "GET /ws HTTP/1.1", rows[9].fields).names_protocol);
	assert_false(ask(s, "GET /ws HTTP/1.1", rows[0].fields).names_protocol);
}

/* What stands before the last address was claimed by the client. */
SITE_TEST(test_of_a_proxy_only_the_last_address_is_believed)
{
	s->way.is_proxied = true;
	struct web_want want =
		ask(s, "GET /ws HTTP/1.1",
		    "Host: a\r\nX-Forwarded-For: 127.0.0.1, 192.0.2.9\r\n" CLIENT_UPGRADE);
	assert_int_equal(want.kind, WEB_WANT_SOCKET);
	assert_true(slice_eq(want.forwarded, SLICE("192.0.2.9")));
	want = ask(s, "GET /ws HTTP/1.1",
		   "Host: a\r\nX-Forwarded-For: 127.0.0.1,192.0.2.9\r\n" CLIENT_UPGRADE);
	assert_true(slice_eq(want.forwarded, SLICE("192.0.2.9")));
	assert_refused(ask(s, "GET /ws HTTP/1.1", "Host: a\r\n" CLIENT_UPGRADE), 400);
	s->way.is_proxied = false;
	want = ask(s, "GET /ws HTTP/1.1",
		   "Host: localhost\r\nX-Forwarded-For: 127.0.0.1\r\n" CLIENT_UPGRADE);
	assert_int_equal(want.forwarded.len, 0);
}

TEST(test_an_origin_is_a_scheme_a_host_and_perhaps_a_port)
{
	static const struct {
		const char *url;
		const char *origin; /* NULL: refused */
	} rows[] = {
		{"https://poker.example", "https://poker.example"},
		{"https://poker.example/", "https://poker.example"},
		{"https://poker.example:443/", "https://poker.example"},
		{"http://poker.example:80", "http://poker.example"},
		{"http://poker.example:8080", "http://poker.example:8080"},
		{"http://[2001:db8::7]:2938", "http://[2001:db8::7]:2938"},
		{"poker.example", NULL},
		{"https://", NULL},
		{"https:///", NULL},
		{"https://a/b", NULL},
		{"https://a?b", NULL},
		{"https://user@a", NULL},
		{"https://a:port", NULL},
		{"ftp://a", NULL},
		{"", NULL},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct web_origin origin = {""};
		struct errmsg why = {""};
		enum err e = web_origin_parse(rows[i].url, &origin, &why);
		if (rows[i].origin == NULL) {
			assert_int_equal(e, ERR_INVALID);
			assert_true(why.text[0] != '\0');
		} else {
			assert_int_equal(e, OK);
			assert_string_equal(origin.text, rows[i].origin);
		}
	}
}

/* ---- answers ---- */

static void assert_has(const struct buf *b, const char *text)
{
	char all[WEB_REPLY_BYTES_MAX + 1];
	memcpy(all, b->data, b->len);
	all[b->len] = '\0';
	if (strstr(all, text) == NULL) {
		fail_msg("no %s in\n%s", text, all);
	}
}

/* promise: quiet-page */
SITE_TEST(test_every_answer_tells_the_browser_what_to_refuse)
{
	static const int statuses[] = {200, 400, 403, 404, 405, 408, 421, 426, 431, 501, 503, 505};
	struct web_reply reply = {.wall_ms = 1795604643000};
	for (size_t i = 0; i <= sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct buf b;
		buf_init(&b, WEB_REPLY_BYTES_MAX);
		if (i == 0) {
			web_reply_file(&b, &reply, &s->files[0], true);
		} else {
			web_reply_status(&b, &reply, statuses[i - 1], "a reason");
			assert_has(&b, "Content-Length: 9\r\n\r\na reason\n");
		}
		assert_int_equal(b.error, OK);
		assert_has(&b, "Content-Security-Policy: default-src 'self'; ");
		assert_has(&b, "frame-ancestors 'none'\r\n");
		assert_has(&b, "X-Content-Type-Options: nosniff\r\n");
		assert_has(&b, "X-Frame-Options: DENY\r\n");
		assert_has(&b, "Cross-Origin-Opener-Policy: same-origin\r\n");
		assert_has(&b, "Cross-Origin-Resource-Policy: same-origin\r\n");
		assert_has(&b, "Referrer-Policy: no-referrer\r\n");
		assert_has(&b, "Date: Wed, 25 Nov 2026 11:04:03 GMT\r\n");
		buf_finish(&b);
	}
}

SITE_TEST(test_the_head_of_a_file_says_how_long_it_is_and_its_tag)
{
	struct web_reply reply = {.keeps_alive = true};
	struct buf b;
	char want[128];
	buf_init(&b, WEB_REPLY_BYTES_MAX);
	web_reply_file(&b, &reply, &s->files[WEB_FILE_STYLE], false);
	(void)snprintf(want, sizeof(want), "Content-Length: %zu\r\n\r\n",
		       s->files[WEB_FILE_STYLE].bytes.len);
	assert_has(&b, want);
	assert_has(&b, s->files[WEB_FILE_STYLE].etag);
	assert_has(&b, "Content-Type: text/css; charset=utf-8\r\n");
	buf_finish(&b);
}

SITE_TEST(test_a_method_that_is_not_served_is_told_which_are)
{
	struct web_reply reply = {.keeps_alive = true};
	struct buf b;
	buf_init(&b, WEB_REPLY_BYTES_MAX);
	web_reply_status(&b, &reply, 405, "a reason");
	assert_has(&b, "Allow: GET, HEAD\r\n");
	buf_finish(&b);
}

SITE_TEST(test_the_answer_to_head_has_no_body)
{
	struct web_reply reply = {.without_body = true};
	struct buf b;
	buf_init(&b, WEB_REPLY_BYTES_MAX);
	web_reply_status(&b, &reply, 404, "a reason");
	assert_has(&b, "Connection: close\r\n"); /* as it is not kept alive */
	assert_true(b.len > 4 && memcmp(b.data + b.len - 4, "\r\n\r\n", 4) == 0);
	assert_has(&b, "Content-Length: 9\r\n");
	buf_finish(&b);
}

/* What a first visit loads: the sentences of rules, which the table makes, come when a room is shown. */
SITE_TEST(test_the_page_is_small)
{
	size_t all = 0;
	for (size_t i = 0; i < WEB_FILE_COUNT; i++) {
		all += i == WEB_FILE_RULES ? 0 : s->files[i].bytes.len;
	}
	assert_in_range(all, 1, 59999);
}
