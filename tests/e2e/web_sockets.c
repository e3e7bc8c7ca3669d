/*
 * web_sockets.c - a real server and peers that are bad at WebSockets: each is told why by a code, costs a
 * bounded amount, and nobody else notices. What they do inside of a WebSocket is tested with what they do
 * without: see NET_TEST_OVER_TRANSPORTS().
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "tests/support/web_kit.h"

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
	struct net_peer owner;
	long broken = 0;
	web_start(s, &owner, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct buf out = {.max = WEB_TEXT_BYTES};
		struct buf got;
		buf_append_slice(&out, SLICE(WEB_OPEN));
		client_frame_put(&out, rows[i].first, rows[i].payload);
		web_ask(s, buf_slice(&out), &got);
		web_assert_status(&got, 101);
		assert_int_equal(close_code(&got), rows[i].code);
		assert_int_equal(web_count(&got, "server.closing"), rows[i].told != NULL);
		assert_int_equal(rows[i].told == NULL ? 1 : web_count(&got, rows[i].told), 1);
		broken += rows[i].told != NULL;
		buf_finish(&out);
		buf_finish(&got);
	}
	assert_int_equal(net_figure(&owner, "broken_frames_total"), broken);
	assert_int_equal(net_figure(&owner, "websockets"), 0);
	net_finish(s, &owner);
}

WEB_TEST(an_unmasked_frame_and_one_that_is_too_long_are_refused, s)
{
	struct net_peer owner;
	struct buf got;
	web_start(s, &owner, NULL);
	web_ask(s, SLICE(WEB_OPEN "\x81\x02{}"), &got);
	assert_int_equal(close_code(&got), 1002);
	buf_finish(&got);
	/* Before hello 4,096 bytes are the most; a length is refused before its bytes come. */
	web_ask(s, SLICE(WEB_OPEN "\x81\xfe\x10\x01zzzz{"), &got);
	assert_int_equal(close_code(&got), 1009);
	buf_finish(&got);
	int fd = web_open(s);
	net_send(fd, "\x81\xff\x00\x00\x01\x00\x00\x00\x00\x00zzzz{", 15);
	web_receive(fd, &got);
	assert_int_equal(close_code(&got), 1009);
	buf_finish(&got);
	net_finish(s, &owner);
}

/* Empty fragments add nothing to the message: only its time ends it. */
WEB_TEST(fragments_without_end_are_ended_by_the_time_of_a_message, s)
{
	static const char *const more[] = {"--limit", "frame_ms=300", NULL};
	struct net_peer owner;
	struct buf out = {.max = WEB_TEXT_BYTES};
	struct buf got;
	web_start(s, &owner, more);
	int fd = web_open(s);
	client_frame_put(&out, FRAME_TEXT, SLICE(" "));
	for (int i = 0; i < 1000; i++) {
		client_frame_put(&out, FRAME_CONTINUED, SLICE(""));
	}
	net_send(fd, out.data, out.len);
	web_receive(fd, &got);
	assert_int_equal(close_code(&got), 1008);
	assert_int_equal(web_count(&got, "not finished in time"), 1);
	buf_finish(&got);
	buf_finish(&out);
	net_finish(s, &owner);
}

/* Each write has the end of one message and the beginning of the next: none is late, however long it goes on. */
WEB_TEST(messages_that_overlap_the_reads_are_each_timed_by_themselves, s)
{
	static const char *const more[] = {"--limit", "frame_ms=300", NULL};
	static const char text[] = "{\"id\":2,\"method\":\"server.ping\"}";
	struct net_peer owner;
	struct buf out = {.max = WEB_TEXT_BYTES};
	struct buf got = {.max = WEB_TEXT_BYTES};
	long began_ms = 0;
	long now_ms = 0;
	web_start(s, &owner, more);
	int fd = web_open(s);
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, slice_str(text));
	size_t half = out.len / 2;
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, slice_str(text));
	net_send(fd, out.data, half);
	while (now_ms < began_ms + 3000 || began_ms == 0) {
		buf_clear(&got);
		net_send(fd, out.data + half, out.len / 2);
		web_receive_up_to(fd, "{\"id\":2,",
				  &got); /* an answer, if only that it asks too often */
		now_ms = strtol(strstr(net_must(&owner, "server.ping", "{}"), "\"now\":") + 6, NULL,
				10);
		began_ms = began_ms == 0 ? now_ms : began_ms;
	}
	assert_int_equal(net_figure(&owner, "websockets"), 1);
	assert_int_equal(net_figure(&owner, "broken_frames_total"), 0);
	(void)close(fd);
	buf_finish(&out);
	buf_finish(&got);
	net_finish(s, &owner);
}

WEB_TEST(compression_that_is_asked_for_is_declined, s)
{
	struct net_peer owner;
	struct buf got;
	web_start(s, &owner, NULL);
	web_ask(s,
		SLICE("GET /ws HTTP/1.1\r\n" WEB_HOST CLIENT_UPGRADE
		      "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n\x88\x80zzzz"),
		&got);
	web_assert_status(&got, 101);
	assert_int_equal(web_count(&got, "Sec-WebSocket-Extensions"), 0);
	assert_int_equal(close_code(&got), 1000);
	buf_finish(&got);
	net_finish(s, &owner);
}

WEB_TEST(a_peer_that_answers_pings_stays_and_one_that_is_silent_ends, s)
{
	static const char *const more[] = {"--limit", "web_ping_ms=300", "--limit",
					   "web_silent_ms=5000", NULL};
	struct net_peer owner;
	struct buf got = {.max = WEB_TEXT_BYTES};
	struct buf pong = {.max = WEB_TEXT_BYTES};
	web_start(s, &owner, more);
	int silent = web_open(s);
	int lively = web_open(s);
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
		is_over = net_figure(&owner, "websockets") == 1;
	}
	net_receive_all(silent, &got);
	assert_true(got.len >= 2); /* it was pinged */
	assert_int_equal(net_figure(&owner, "websockets"), 1);
	(void)close(silent);
	(void)close(lively);
	buf_finish(&got);
	buf_finish(&pong);
	net_finish(s, &owner);
}

/* A million pings of one that reads nothing are not a million pongs that wait. */
WEB_TEST(a_flood_of_pings_costs_nothing_that_lasts, s)
{
	struct net_peer owner;
	struct buf out = {.max = WEB_TEXT_BYTES};
	net_keep_nothing_freed();
	web_start(s, &owner, NULL);
	int fd = web_open(s);
	for (int i = 0; i < 10000; i++) {
		client_frame_put(&out, FRAME_LAST | FRAME_PING, SLICE("0123456789"));
	}
	size_t before = net_resident_bytes(s);
	for (int i = 0; i < 100; i++) {
		net_send(fd, out.data, out.len);
	}
	assert_true(net_resident_bytes(s) < before + (4u << 20));
	assert_int_equal(net_figure(&owner, "websockets"), 1);
	(void)close(fd);
	buf_finish(&out);
	net_finish(s, &owner);
}

WEB_TEST(a_server_that_stops_tells_those_who_are_there, s)
{
	struct net_peer owner;
	struct buf got;
	web_start(s, &owner, NULL);
	int idle = web_connect(s);
	int fd = web_open(s);
	net_peer_close(&owner);
	assert_int_equal(kill(s->pid, SIGTERM), 0);
	web_receive(fd, &got);
	assert_int_equal(web_count(&got, "the server was stopped"), 1);
	assert_int_equal(close_code(&got), 1001);
	buf_finish(&got);
	web_receive(idle, &got);
	web_assert_status(&got, 503);
	buf_finish(&got);
	assert_int_equal(net_wait(s), 0);
}
