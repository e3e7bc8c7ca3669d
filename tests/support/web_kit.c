/*
 * web_kit.c - see web_kit.h.
 */
#include "tests/support/web_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

void web_start(struct net_server *s, struct net_peer *insider, const char *const *more)
{
	net_start(s, more);
	net_insider(s, insider);
}

int web_connect(const struct net_server *s)
{
	return net_connect_tcp("127.0.0.1", net_port(s, " http://127.0.0.1:"));
}

void web_receive(int fd, struct buf *got)
{
	buf_init(got, WEB_TEXT_BYTES);
	net_receive_all(fd, got);
	(void)close(fd);
	assert_int_equal(buf_append(got, "", 1), OK);
}

void web_ask(const struct net_server *s, struct slice bytes, struct buf *got)
{
	int fd = web_connect(s);
	net_send(fd, bytes.data, bytes.len);
	web_receive(fd, got);
}

size_t web_count(const struct buf *got, const char *what)
{
	size_t n = 0;
	for (const char *at = strstr(got->data, what); at != NULL; at = strstr(at + 1, what)) {
		n++;
	}
	return n;
}

void web_assert_status(const struct buf *got, int status)
{
	char begin[32];
	(void)snprintf(begin, sizeof(begin), "HTTP/1.1 %d ", status);
	if (strncmp(got->data, begin, strlen(begin)) != 0) {
		fail_msg("not %d: %s", status, got->data);
	}
}

void web_receive_up_to(int fd, const char *text, struct buf *got)
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

int web_open(const struct net_server *s)
{
	struct buf out = {.max = WEB_TEXT_BYTES};
	struct buf got = {.max = WEB_TEXT_BYTES};
	int fd = web_connect(s);
	buf_append_slice(&out, SLICE(WEB_OPEN));
	client_frame_put(&out, FRAME_LAST | FRAME_TEXT, SLICE(WEB_HELLO));
	net_send(fd, out.data, out.len);
	web_receive_up_to(fd, "\"id\":1,\"result\"", &got);
	buf_finish(&out);
	buf_finish(&got);
	return fd;
}
