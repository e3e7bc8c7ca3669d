/*
 * test_web_head.c - heads of HTTP requests from untrusted bytes: whole, byte by byte and cut in two;
 * what is refused, and with which status.
 */
#include <string.h>

#include "proto/base/limits.h"
#include "server/web/http_head.h"
#include "tests/support/heap_test.h"
#include "tests/support/test.h"

#define GET "GET / HTTP/1.1\r\n"

static const char whole[] =
	"GET /app.js?v=1 HTTP/1.1\r\nHost:  poker.example \r\nX-Other: a\r\n"
	"X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2, 192.0.2.3\r\n"
	"ORIGIN: https://poker.example\r\nConnection: keep-alive, Upgrade\r\n"
	"Upgrade: WebSocket\r\n\r\nnext";

static void assert_field(const struct http_head *h, enum http_field which, const char *want)
{
	struct slice value = http_head_field(h, which);
	assert_int_equal(value.len, strlen(want));
	assert_memory_equal(value.data, want, value.len);
}

static void assert_is_whole(const struct http_head *h)
{
	struct slice path = http_head_path(h);
	assert_int_equal(h->state, HTTP_HEAD_WHOLE);
	assert_int_equal(http_head_method(h), HTTP_GET);
	assert_true(slice_eq(path, SLICE("/app.js")));
	assert_true(h->is_upgrade);
	assert_field(h, HTTP_HOST, "poker.example");
	assert_field(h, HTTP_FORWARDED_FOR, "192.0.2.2, 192.0.2.3");
	assert_field(h, HTTP_ORIGIN, "https://poker.example");
	assert_field(h, HTTP_UPGRADE, "WebSocket");
	assert_null(http_head_field(h, HTTP_IF_NONE_MATCH).data);
}

/* The head in pieces that end at each of these places. */
static void assert_read_in_pieces(const size_t *ends, size_t n)
{
	struct http_head h;
	size_t at = 0;
	size_t used = 0;
	http_head_init(&h);
	for (size_t i = 0; i < n && h.state == HTTP_HEAD_MORE; i++) {
		used += http_head_take(&h, slice_of(whole + at, ends[i] - at));
		at = ends[i];
	}
	assert_is_whole(&h);
	assert_int_equal(used, strlen(whole) - strlen("next"));
	http_head_finish(&h);
}

TEST(test_a_head_is_the_same_however_its_bytes_arrive)
{
	size_t each[sizeof(whole)];
	size_t end = strlen(whole);
	assert_read_in_pieces(&end, 1);
	for (size_t i = 0; i < end; i++) {
		each[i] = i + 1;
	}
	assert_read_in_pieces(each, end);
	for (size_t cut = 1; cut < end; cut++) {
		size_t two[] = {cut, end};
		assert_read_in_pieces(two, 2);
	}
}

TEST(test_what_follows_a_head_is_the_next_request)
{
	static const char two[] = GET "Host: a\r\n\r\nHEAD /x HTTP/1.1\r\nHost: b\r\n\r\n";
	struct http_head h;
	http_head_init(&h);
	size_t used = http_head_take(&h, slice_str(two));
	assert_field(&h, HTTP_HOST, "a");
	assert_true(h.keeps_alive);
	http_head_finish(&h);
	http_head_init(&h);
	assert_int_equal(http_head_take(&h, slice_str(two + used)), strlen(two) - used);
	assert_int_equal(http_head_method(&h), HTTP_HEAD);
	assert_field(&h, HTTP_HOST, "b");
	http_head_finish(&h);
}

TEST(test_a_request_may_want_its_connection_closed)
{
	static const char *const closing[] = {
		"GET / HTTP/1.0\r\n\r\n",
		GET "Connection: close\r\n\r\n",
	};
	for (size_t i = 0; i < sizeof(closing) / sizeof(closing[0]); i++) {
		struct http_head h;
		http_head_init(&h);
		(void)http_head_take(&h, slice_str(closing[i]));
		assert_int_equal(h.state, HTTP_HEAD_WHOLE);
		assert_false(h.keeps_alive);
		http_head_finish(&h);
	}
}

static const struct {
	const char *bytes;
	int status;
} refused[] = {
	{"nonsense\r\n\r\n", 400},
	{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400}, /* TLS */
	{"\x94\x01\xc0", 400},				       /* MessagePack */
	{"GET / HTTP/9.9.9\r\n\r\n", 400},
	{"GET / FTP/1.1\r\n\r\n", 400},
	{"GET  \r\n\r\n", 400},
	{GET "Host: a\r\nHost: b\r\n\r\n", 400},
	{GET "Sec-WebSocket-Key: a\r\nSec-WebSocket-Key: a\r\n\r\n", 400},
	{GET "Host: a\r\n b\r\n\r\n", 400},
	{GET "Host : a\r\n\r\n", 400},
	{GET "Host: a\x01\r\n\r\n", 400},
	{GET "Content-Length: 1\r\n\r\nx", 501},
	{GET "Content-Length: x\r\n\r\n", 400},
	{GET "Content-Length: 99999999999999999999999\r\n\r\n", 400},
	{GET "Content-Length: 0\r\nContent-Length: 1\r\n\r\n", 400},
	{GET "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
	{GET "Transfer-Encoding: identity\r\n\r\n", 501},
	{GET "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
};

TEST(test_what_is_no_request_or_has_a_body_is_refused_with_a_status)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct http_head h;
		http_head_init(&h);
		(void)http_head_take(&h, slice_str(refused[i].bytes));
		if (h.state != HTTP_HEAD_REFUSED || h.status != refused[i].status) {
			fail_msg("row %zu: state %d, status %d", i, (int)h.state, h.status);
		}
		assert_non_null(h.why);
		http_head_finish(&h);
	}
}

/* In a path, a name, a value, many fields, and empty lines before the request. */
TEST(test_a_head_without_end_is_refused_at_its_bound)
{
	static const char *const begins[] = {"GET /", GET, GET "X: ", GET "X: a\r\n", ""};
	static const char *const repeated[] = {"a", "a", "a", "b: c\r\n", "\r\n"};
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		struct http_head h;
		size_t sent = strlen(begins[i]);
		http_head_init(&h);
		assert_int_equal(http_head_take(&h, slice_str(begins[i])), sent);
		while (h.state == HTTP_HEAD_MORE) {
			sent += http_head_take(&h, slice_str(repeated[i]));
			assert_in_range(h.raw.capacity, 0, MAX_WEB_HEAD_BYTES);
			assert_in_range(sent, 0, MAX_WEB_HEAD_BYTES);
		}
		assert_int_equal(h.state, HTTP_HEAD_REFUSED);
		assert_int_equal(h.status, 431);
		http_head_finish(&h);
	}
}

TEST(test_a_head_of_exactly_the_bound_is_read)
{
	static char bytes[MAX_WEB_HEAD_BYTES + 1];
	struct http_head h;
	size_t begin = strlen(GET "X: ");
	memset(bytes, 'a', MAX_WEB_HEAD_BYTES);
	memcpy(bytes, GET "X: ", begin);
	memcpy(bytes + MAX_WEB_HEAD_BYTES - 4, "\r\n\r\n", 4);
	http_head_init(&h);
	assert_int_equal(http_head_take(&h, slice_str(bytes)), MAX_WEB_HEAD_BYTES);
	assert_int_equal(h.state, HTTP_HEAD_WHOLE);
	http_head_finish(&h);
}

TEST(test_a_token_is_found_in_a_list_in_any_case)
{
	assert_true(http_has_token(SLICE("chat, aye.v1"), SLICE("aye.v1")));
	assert_true(http_has_token(SLICE("\tAYE.V1 ,"), SLICE("aye.v1")));
	assert_false(http_has_token(SLICE("aye.v10,xaye.v1"), SLICE("aye.v1")));
	assert_false(http_has_token(SLICE(",,"), SLICE("aye.v1")));
	assert_false(http_has_token((struct slice){0}, SLICE("aye.v1")));
}

TEST(test_without_memory_a_head_is_refused)
{
	struct http_head h;
	http_head_init(&h);
	heap_fail_nth(0, false);
	(void)http_head_take(&h, slice_str(whole));
	heap_fail_never();
	assert_int_equal(h.state, HTTP_HEAD_REFUSED);
	assert_int_equal(h.status, 503);
	http_head_finish(&h);
}
