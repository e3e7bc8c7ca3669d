/*
 * test_web_socket.c - WebSocket frames from untrusted bytes: messages in any pieces, and each thing
 * that the protocol forbids.
 */
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/limits.h"
#include "server/web/web_socket.h"
#include "tests/support/client_frame.h"
#include "tests/support/heap_test.h"
#include "tests/support/test.h"

/* Everything said, in order, as text: M for a message, P ping, p pong, C close, B and the code. */
static void hear(struct web_socket *s, struct slice in, struct buf *said)
{
	struct web_event e = {.kind = WEB_EVENT_PONG};
	while (e.kind != WEB_EVENT_NONE && e.kind != WEB_EVENT_BROKEN) {
		e = web_socket_next(s, &in, MAX_FRAME_BYTES);
		switch (e.kind) {
		case WEB_EVENT_MESSAGE:
			buf_printf(said, "M(%.*s)", (int)e.bytes.len, e.bytes.data);
			break;
		case WEB_EVENT_PING:
			buf_printf(said, "P(%.*s)", (int)e.bytes.len, e.bytes.data);
			break;
		case WEB_EVENT_PONG:
			buf_printf(said, "p");
			break;
		case WEB_EVENT_CLOSE:
			buf_printf(said, "C%d", (int)e.close);
			break;
		case WEB_EVENT_BROKEN:
			assert_non_null(e.why);
			buf_printf(said, "B%d", (int)e.close);
			break;
		case WEB_EVENT_NONE:
			assert_int_equal(in.len, 0);
			break;
		case WEB_EVENT_NOMEM:
			fail();
		}
	}
}

static void assert_said(struct buf *said, const char *want)
{
	buf_append(said, "", 1);
	assert_string_equal(said->data, want);
	buf_finish(said);
}

static void assert_hears(struct slice in, const char *want)
{
	struct web_socket s = {0};
	struct buf said = {.max = 1 << 20};
	hear(&s, in, &said);
	assert_said(&said, want);
	web_socket_finish(&s);
}

struct scene {
	struct buf bytes;
};

#define SCENE_TEST(name) \
	TEST_OF(name, struct scene, s, buf_init(&s->bytes, 1 << 20), buf_finish(&s->bytes))

/* Messages whole and in fragments, with control frames between them. */
static void put_talk(struct buf *b)
{
	client_frame_put(b, FRAME_LAST | FRAME_TEXT, SLICE("one"));
	client_frame_put(b, FRAME_TEXT, SLICE("tw"));
	client_frame_put(b, FRAME_LAST | FRAME_PING, SLICE("ping"));
	client_frame_put(b, FRAME_CONTINUED, SLICE(""));
	client_frame_put(b, FRAME_LAST | FRAME_CONTINUED,
			 SLICE("o \xe2\x88"
			       "\x9e"));
	client_frame_put(b, FRAME_LAST | FRAME_PONG, SLICE(""));
	client_frame_put(b, FRAME_LAST | FRAME_TEXT, SLICE(""));
	client_frame_put(b, FRAME_LAST | FRAME_CLOSE,
			 SLICE("\x03\xe8"
			       "bye"));
}
#define TALK "M(one)P(ping)M(two \xe2\x88\x9e)pM()C1000"

SCENE_TEST(test_messages_are_the_same_however_their_bytes_arrive)
{
	put_talk(&s->bytes);
	struct slice all = buf_slice(&s->bytes);
	assert_hears(all, TALK);
	for (size_t cut = 0; cut <= all.len; cut++) {
		struct web_socket socket = {0};
		struct buf said = {.max = 1 << 20};
		hear(&socket, slice_of(all.data, cut), &said);
		hear(&socket, slice_of(all.data + cut, all.len - cut), &said);
		assert_said(&said, TALK);
		assert_false(web_socket_is_amid(&socket));
		web_socket_finish(&socket);
	}
	struct web_socket socket = {0};
	struct buf said = {.max = 1 << 20};
	for (size_t i = 0; i < all.len; i++) {
		hear(&socket, slice_of(all.data + i, 1), &said);
	}
	assert_said(&said, TALK);
	web_socket_finish(&socket);
}

/* A fragment that ends within a character is part of a message that does not. */
SCENE_TEST(test_a_character_may_be_cut_by_fragments_but_not_by_the_end)
{
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE("\xe2\x88"));
	client_frame_put(&s->bytes, FRAME_LAST | FRAME_CONTINUED, SLICE("\x9e"));
	assert_hears(buf_slice(&s->bytes), "M(\xe2\x88\x9e)");
	buf_clear(&s->bytes);
	client_frame_put(&s->bytes, FRAME_LAST | FRAME_TEXT, SLICE("\xe2\x88"));
	assert_hears(buf_slice(&s->bytes), "B1007");
}

SCENE_TEST(test_the_largest_message_is_read_and_one_byte_more_is_not)
{
	char *text = malloc(MAX_FRAME_BYTES + 1);
	assert_non_null(text);
	memset(text, 'a', MAX_FRAME_BYTES + 1);
	for (size_t more = 0; more < 2; more++) {
		struct web_socket socket = {0};
		buf_clear(&s->bytes);
		client_frame_put(&s->bytes, FRAME_LAST | FRAME_TEXT,
				 slice_of(text, MAX_FRAME_BYTES + more));
		struct slice in = buf_slice(&s->bytes);
		struct web_event e = web_socket_next(&socket, &in, MAX_FRAME_BYTES);
		assert_int_equal(e.kind, more == 0 ? WEB_EVENT_MESSAGE : WEB_EVENT_BROKEN);
		assert_int_equal(more == 0 ? e.bytes.len : (size_t)e.close,
				 more == 0 ? MAX_FRAME_BYTES : (size_t)WEB_CLOSE_TOO_LARGE);
		web_socket_finish(&socket);
	}
	free(text);
}

/* By its header alone: nothing waits for bytes that would be too many. */
SCENE_TEST(test_a_length_is_refused_before_a_byte_of_it_is_kept)
{
	assert_hears(SLICE("\x81\xff\x00\x00\x01\x00\x00\x00\x00\x00zzzz"), "");
	assert_hears(SLICE("\x81\xff\x00\x00\x01\x00\x00\x00\x00\x00zzzzz"), "B1009");
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE("a"));
	buf_append_slice(&s->bytes, SLICE("\x80\xfe\xff\xffzzzz"));
	assert_hears(buf_slice(&s->bytes), "");
	buf_clear(&s->bytes);
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE("ab"));
	buf_append_slice(&s->bytes, SLICE("\x80\xff\x00\x00\x00\x00\x00\x00\xff\xffzzzzz"));
	assert_hears(buf_slice(&s->bytes), "B1002"); /* a length longer than it need be */
	buf_clear(&s->bytes);
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE("ab"));
	buf_append_slice(&s->bytes, SLICE("\x80\xfe\xff\xffzzzzz"));
	assert_hears(buf_slice(&s->bytes), "B1009"); /* both together are too long */
}

SCENE_TEST(test_what_the_protocol_forbids_is_told_by_its_code)
{
	static const struct {
		unsigned first;
		struct slice payload;
		const char *said;
	} rows[] = {
		{FRAME_LAST | FRAME_BINARY, SLICE_INIT("{}"), "B1003"},
		{FRAME_LAST | FRAME_RESERVED | FRAME_TEXT, SLICE_INIT("{}"), "B1002"},
		{FRAME_LAST | 0x20 | FRAME_TEXT, SLICE_INIT("{}"), "B1002"},
		{FRAME_LAST | 0x10 | FRAME_PING, SLICE_INIT(""), "B1002"},
		{FRAME_LAST | 3, SLICE_INIT(""), "B1002"},
		{FRAME_LAST | 7, SLICE_INIT(""), "B1002"},
		{FRAME_LAST | 11, SLICE_INIT(""), "B1002"},
		{FRAME_LAST | 15, SLICE_INIT(""), "B1002"},
		{FRAME_LAST | FRAME_CONTINUED, SLICE_INIT("a"), "B1002"},
		{FRAME_CONTINUED, SLICE_INIT("a"), "B1002"},
		{FRAME_PING, SLICE_INIT("a"), "B1002"},
		{FRAME_CLOSE, SLICE_INIT(""), "B1002"},
		{FRAME_LAST | FRAME_TEXT, SLICE_INIT("\xff"), "B1007"},
		{FRAME_LAST | FRAME_TEXT, SLICE_INIT("\xc0\x80"), "B1007"},
		{FRAME_LAST | FRAME_TEXT, SLICE_INIT("\xed\xa0\x80"), "B1007"},
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT(""), "C1000"},
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03"), "B1002"},
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xe7"), "B1002"}, /* 999 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xec"), "B1002"}, /* 1004 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xed"), "B1002"}, /* 1005 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xf7"), "B1002"}, /* 1015 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x0b\xb7"), "B1002"}, /* 2999 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x0b\xb8"), "C1000"}, /* 3000 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x13\x88"), "B1002"}, /* 5000 */
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xe9gone"), "C1000"},
		{FRAME_LAST | FRAME_CLOSE, SLICE_INIT("\x03\xe9\xff"), "B1007"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_clear(&s->bytes);
		client_frame_put(&s->bytes, rows[i].first, rows[i].payload);
		assert_hears(buf_slice(&s->bytes), rows[i].said);
	}
	assert_hears(SLICE("\x81\x02{}"), "B1002");	       /* not masked */
	assert_hears(SLICE("\x89\xfe\x00\x7ezzzz"), "B1002");  /* a long ping */
	assert_hears(SLICE("\x81\xfe\x00\x01zzzza"), "B1002"); /* a length longer than it need be */
	assert_hears(SLICE("\x81\xff\x80\x00\x00\x00\x00\x00\x00\x00zzzz"), "B1002");
	buf_clear(&s->bytes);
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE("a"));
	client_frame_put(&s->bytes, FRAME_LAST | FRAME_TEXT, SLICE("b"));
	assert_hears(buf_slice(&s->bytes), "B1002"); /* a message within a message */
}

/* A connection that has nothing unfinished has no memory here. */
SCENE_TEST(test_memory_is_held_only_amid_a_frame_or_message)
{
	struct web_socket socket = {0};
	struct buf said = {.max = 1 << 20};
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE("half"));
	size_t half = s->bytes.len;
	client_frame_put(&s->bytes, FRAME_LAST | FRAME_CONTINUED, SLICE(" a message"));
	struct slice all = buf_slice(&s->bytes);
	for (size_t i = 0; i < all.len; i++) {
		hear(&socket, slice_of(all.data + i, 1), &said);
		bool is_amid = i + 1 < all.len;
		assert_int_equal(web_socket_is_amid(&socket), is_amid);
		assert_int_equal(socket.reading != NULL, is_amid);
	}
	assert_in_range(half, 1, all.len);
	assert_said(&said, "M(half a message)");
	web_socket_finish(&socket);
}

SCENE_TEST(test_fragments_without_end_hold_no_more_than_a_message)
{
	struct web_socket socket = {0};
	struct web_event e = {.kind = WEB_EVENT_NONE};
	client_frame_put(&s->bytes, FRAME_TEXT, SLICE(""));
	for (size_t sent = 0; e.kind == WEB_EVENT_NONE; sent += 1000) {
		char text[1000];
		struct slice in = buf_slice(&s->bytes);
		assert_in_range(sent, 0, MAX_FRAME_BYTES + 1000);
		e = web_socket_next(&socket, &in, MAX_FRAME_BYTES);
		memset(text, 'a', sizeof(text));
		buf_clear(&s->bytes);
		client_frame_put(&s->bytes, FRAME_CONTINUED, slice_of(text, sizeof(text)));
	}
	assert_int_equal(e.kind, WEB_EVENT_BROKEN);
	assert_int_equal(e.close, WEB_CLOSE_TOO_LARGE);
	web_socket_finish(&socket);
}

/* What a client reads, as RFC 6455, 5.7, has it. */
TEST(test_headers_of_a_server_are_the_shortest_and_not_masked)
{
	char out[WEB_HEADER_BYTES_MAX];
	assert_int_equal(web_socket_header(WEB_TEXT, 5, out), 2);
	assert_memory_equal(out, "\x81\x05", 2);
	assert_int_equal(web_socket_header(WEB_PONG, 125, out), 2);
	assert_memory_equal(out, "\x8a\x7d", 2);
	assert_int_equal(web_socket_header(WEB_TEXT, 126, out), 4);
	assert_memory_equal(out, "\x81\x7e\x00\x7e", 4);
	assert_int_equal(web_socket_header(WEB_TEXT, 65535, out), 4);
	assert_memory_equal(out, "\x81\x7e\xff\xff", 4);
	assert_int_equal(web_socket_header(WEB_TEXT, 65536, out), 10);
	assert_memory_equal(out, "\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10);
	char payload[WEB_CONTROL_BYTES_MAX];
	assert_int_equal(web_socket_close_payload(WEB_CLOSE_NOT_UTF8, payload), 2);
	assert_memory_equal(payload, "\x03\xef", 2);
}

static int socket_lay(void **scene)
{
	*scene = calloc(1, sizeof(struct web_socket));
	assert_non_null(*scene);
	return 0;
}

static int socket_clear(void **scene)
{
	web_socket_finish(*scene);
	free(*scene);
	return 0;
}

HEAP_TEST_IN(test_without_memory_nothing_breaks_or_leaks, struct web_socket, socket, nth,
	     socket_lay, socket_clear)
{
	struct buf bytes = {.max = 1 << 20};
	put_talk(&bytes);
	struct slice in = buf_slice(&bytes);
	struct web_event e = {.kind = WEB_EVENT_PONG};
	heap_fail_nth(nth, false);
	while (in.len > 0 && e.kind != WEB_EVENT_NONE && e.kind != WEB_EVENT_NOMEM) {
		e = web_socket_next(socket, &in, MAX_FRAME_BYTES);
		assert_int_not_equal(e.kind, WEB_EVENT_BROKEN);
	}
	heap_fail_never();
	assert_true(e.kind != WEB_EVENT_NOMEM || heap_has_failed());
	buf_finish(&bytes);
}
