/*
 * web_relay.c - one loop of poll() over all connections; see web_relay.h.
 */
#include "tests/support/web_relay.h"

#include <errno.h>
#include <msgpack.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "proto/tls/websocket_accept.h"
#include "tests/support/client_frame.h"
#include "tests/support/relay.h"

#define RELAY_CONNS_MAX	 512
#define RELAY_READ_BYTES 65536
#define RELAY_BYTES_MAX	 (64u << 20)

#define KEY "dGhlIHNhbXBsZSBub25jZQ=="

struct relayed {
	int plain; /* -1: this place is free */
	int web;
	bool is_open;	  /* the server has agreed to the WebSocket */
	bool plain_ended; /* the test sends no more */
	bool web_ended;
	bool is_amid; /* the beginning of a message was sent, as a fragment */
	struct buf from_plain, from_web;
	struct buf to_plain, to_web;
};

struct relay {
	int listener;
	int port;
	struct decoder decoder;
	struct relayed conns[RELAY_CONNS_MAX];
};

static void relayed_close(struct relayed *c)
{
	(void)close(c->plain);
	(void)close(c->web);
	buf_finish(&c->from_plain);
	buf_finish(&c->from_web);
	buf_finish(&c->to_plain);
	buf_finish(&c->to_web);
	c->plain = -1;
}

static void relay_accept(struct relay *r)
{
	struct relayed *c = r->conns;
	while (c < r->conns + RELAY_CONNS_MAX && c->plain != -1) {
		c++;
	}
	if (c == r->conns + RELAY_CONNS_MAX) {
		return; /* it waits in the socket */
	}
	*c = (struct relayed){.plain = accept(r->listener, NULL, NULL)};
	c->web = relay_connect(r->port);
	buf_init(&c->from_plain, RELAY_BYTES_MAX);
	buf_init(&c->from_web, RELAY_BYTES_MAX);
	buf_init(&c->to_plain, RELAY_BYTES_MAX);
	buf_init(&c->to_web, RELAY_BYTES_MAX);
	(void)buf_append_slice(&c->to_web,
			       SLICE("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
				     "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
				     "Sec-WebSocket-Key: " KEY "\r\n"
				     "Sec-WebSocket-Protocol: aye.v1\r\n\r\n"));
	if (c->web < 0) {
		relayed_close(c);
	}
}

/* ---- to the server ---- */

static void relayed_send_text(struct relayed *c, struct slice text)
{
	client_frame_put(&c->to_web, FRAME_LAST | (c->is_amid ? FRAME_CONTINUED : FRAME_TEXT),
			 text);
	c->is_amid = false;
}

/* A request, which is all that a test sends. */
static void relayed_send_message(struct relay *r, struct relayed *c, struct slice message)
{
	struct rpc_message m;
	bool answerable;
	struct buf text = {.max = RELAY_BYTES_MAX};
	if (rpc_decode(&r->decoder, message, &m, &answerable) != OK || m.kind != RPC_REQUEST) {
		relayed_send_text(c, message);
		return;
	}
	(void)buf_printf(&text, "{\"id\":%lu,\"method\":", (unsigned long)m.msgid);
	enum err e = json_from_text(m.method, &text);
	(void)buf_append_slice(&text, SLICE(",\"params\":"));
	e = e != OK || m.params == NULL ? e : json_from_object(m.params, &text);
	(void)buf_append_slice(&text, m.params == NULL ? SLICE("{}}") : SLICE("}"));
	if (e == OK) {
		relayed_send_text(c, buf_slice(&text));
	}
	buf_finish(&text);
}

static void relayed_pass_on(struct relay *r, struct relayed *c)
{
	enum err e = OK;
	while (e == OK && c->from_plain.len > 0) {
		struct frame_scan scan;
		frame_scan_init(&scan);
		e = frame_scan_value(&scan, buf_slice(&c->from_plain), RELAY_BYTES_MAX);
		if (e == OK) {
			relayed_send_message(r, c, slice_of(c->from_plain.data, scan.at));
			buf_drop(&c->from_plain, scan.at);
		}
	}
	if (e == ERR_MORE && !c->is_amid) {
		client_frame_put(&c->to_web, FRAME_TEXT, SLICE(" "));
		c->is_amid = true;
	} else if (e != OK && e != ERR_MORE) {
		relayed_send_text(c, buf_slice(&c->from_plain));
		buf_clear(&c->from_plain);
	}
}

/* ---- from the server ---- */

static const msgpack_object *member_of(const msgpack_object *map, const char *name)
{
	for (uint32_t i = 0; i < map->via.map.size; i++) {
		const msgpack_object_kv *entry = &map->via.map.ptr[i];
		if (entry->key.via.str.size == strlen(name) &&
		    memcmp(entry->key.via.str.ptr, name, strlen(name)) == 0) {
			return &entry->val;
		}
	}
	return NULL;
}

static void write_member(struct buf *out, const msgpack_object *value)
{
	if (value == NULL) {
		(void)buf_append_slice(out, SLICE("\xc0"));
	} else {
		rpc_write_object(out, value);
	}
}

static void message_write(struct buf *out, const msgpack_object *map)
{
	const msgpack_object *id = member_of(map, "id");
	if (id == NULL) {
		(void)buf_append_slice(out, SLICE("\x93\x02"));
		write_member(out, member_of(map, "method"));
		(void)buf_append_slice(out, SLICE("\x91"));
		write_member(out, member_of(map, "params"));
	} else {
		(void)buf_append_slice(out, SLICE("\x94\x01"));
		write_member(out, id);
		write_member(out, member_of(map, "error"));
		write_member(out, member_of(map, "result"));
	}
}

/* False where the server sent no JSON object. */
static bool relayed_receive_text(struct relayed *c, struct slice text)
{
	struct errmsg why;
	struct buf bytes = {.max = RELAY_BYTES_MAX};
	msgpack_unpacked value;
	msgpack_unpacked_init(&value);
	bool ok = json_to_bytes(text, &bytes, &why) == OK &&
		  msgpack_unpack_next(&value, bytes.data, bytes.len, NULL) ==
			  MSGPACK_UNPACK_SUCCESS &&
		  value.data.type == MSGPACK_OBJECT_MAP;
	if (ok) {
		message_write(&c->to_plain, &value.data);
	}
	msgpack_unpacked_destroy(&value);
	buf_finish(&bytes);
	return ok;
}

/* The length of the frame in front; 0: it has not come whole. */
static size_t frame_find(struct slice in, unsigned *opcode, struct slice *payload)
{
	const unsigned char *at = (const unsigned char *)in.data;
	size_t digits = in.len < 2 ? 0 : at[1] == 126 ? 2 : at[1] == 127 ? 8 : 0;
	size_t len = in.len < 2 ? 0 : at[1];
	if (in.len < 2 + digits) {
		return 0;
	}
	for (size_t i = 0; i < digits; i++) {
		len = (i == 0 ? 0 : len << 8) | at[2 + i];
	}
	if (in.len < 2 + digits + len) {
		return 0;
	}
	*opcode = at[0];
	*payload = slice_of(in.data + 2 + digits, len);
	return 2 + digits + len;
}

/* Each of these returns false where the connection is over. */

/* A server's frames are whole and not masked; anything else is its mistake. */
static bool relayed_take_frames(struct relayed *c)
{
	unsigned opcode;
	struct slice payload;
	size_t len;
	bool ok = true;
	while (ok && (len = frame_find(buf_slice(&c->from_web), &opcode, &payload)) > 0) {
		if (opcode == (FRAME_LAST | FRAME_TEXT)) {
			ok = relayed_receive_text(c, payload);
		} else if (opcode == (FRAME_LAST | FRAME_PING)) {
			client_frame_put(&c->to_web, FRAME_LAST | FRAME_PONG, payload);
		} else if (opcode == (FRAME_LAST | FRAME_CLOSE)) {
			c->web_ended = true;
		} else {
			ok = opcode == (FRAME_LAST | FRAME_PONG);
		}
		buf_drop(&c->from_web, len);
	}
	return ok;
}

static const char *text_find(struct slice in, const char *what)
{
	size_t n = strlen(what);
	for (size_t i = 0; i + n <= in.len; i++) {
		if (memcmp(in.data + i, what, n) == 0) {
			return in.data + i;
		}
	}
	return NULL;
}

static void relayed_refused(struct relayed *c, struct slice body)
{
	struct closing_notice notice = {.reason = body, .with_reason = true};
	if (body.len > 0) {
		rpc_write_notice(&c->to_plain, slice_str(notice_rows[NOTICE_SERVER_CLOSING].name),
				 &record_closing_notice, &notice);
	}
	c->web_ended = true;
}

/* The answer to the request for the WebSocket; a refusal is whole when the server has ended. */
static void relayed_take_answer(struct relayed *c)
{
	char accept[WEBSOCKET_ACCEPT_CHARS + 1];
	struct slice in = buf_slice(&c->from_web);
	const char *end = text_find(in, "\r\n\r\n");
	if (end == NULL) {
		return;
	}
	size_t head = (size_t)(end - in.data) + 4;
	c->is_open = slice_starts(in, SLICE("HTTP/1.1 101 ")) &&
		     websocket_accept(SLICE(KEY), accept) && text_find(in, accept) != NULL;
	if (c->is_open) {
		buf_drop(&c->from_web, head);
	} else if (c->web_ended) {
		size_t newline = in.len > head ? 1 : 0;
		relayed_refused(c, slice_of(in.data + head, in.len - head - newline));
	}
}

static bool relayed_take_web(struct relayed *c)
{
	static char bytes[RELAY_READ_BYTES];
	ssize_t n = recv(c->web, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN) {
		return true;
	}
	c->web_ended = n <= 0;
	(void)buf_append(&c->from_web, bytes, n > 0 ? (size_t)n : 0);
	if (!c->is_open) {
		relayed_take_answer(c);
	}
	return !c->is_open || relayed_take_frames(c);
}

static bool relayed_take_plain(struct relay *r, struct relayed *c)
{
	static char bytes[RELAY_READ_BYTES];
	ssize_t n = recv(c->plain, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0) {
		return errno == EAGAIN;
	}
	if (n == 0) {
		c->plain_ended = true;
		client_frame_put(&c->to_web, FRAME_LAST | FRAME_CLOSE, (struct slice){0});
		return true;
	}
	(void)buf_append(&c->from_plain, bytes, (size_t)n);
	relayed_pass_on(r, c);
	return true;
}

/* Who takes no more may still have sent something, which is read first. */
static bool relayed_send(int fd, struct buf *out)
{
	ssize_t n = out->len == 0 ? 0 : send(fd, out->data, out->len, MSG_DONTWAIT | MSG_NOSIGNAL);
	bool is_broken = n < 0 && errno != EAGAIN;
	buf_drop(out, is_broken ? out->len : n > 0 ? (size_t)n : 0);
	return !is_broken;
}

static void relayed_watch(const struct relayed *c, struct pollfd polls[2])
{
	bool takes = c->is_open && c->to_web.len == 0 && !c->plain_ended;
	polls[0] = (struct pollfd){.fd = c->plain};
	polls[1] = (struct pollfd){.fd = c->web};
	polls[0].events |= takes ? POLLIN : 0;
	polls[0].events |= c->to_plain.len > 0 ? POLLOUT : 0;
	polls[1].events |= c->to_plain.len == 0 && !c->web_ended ? POLLIN : 0;
	polls[1].events |= c->to_web.len > 0 ? POLLOUT : 0;
	/* poll() tells of a hang-up whether it is asked for or not, again and again. */
	polls[0].fd = polls[0].events == 0 ? -1 : c->plain;
	polls[1].fd = polls[1].events == 0 ? -1 : c->web;
}

static void relayed_go_on(struct relay *r, struct relayed *c, const struct pollfd polls[2])
{
	bool goes_on = true;
	if (polls[0].revents != 0 && (polls[0].events & POLLIN) != 0) {
		goes_on = relayed_take_plain(r, c);
	}
	if (goes_on && polls[1].revents != 0 && (polls[1].events & POLLIN) != 0) {
		goes_on = relayed_take_web(c);
	}
	(void)relayed_send(c->web, &c->to_web);
	bool is_taken = relayed_send(c->plain, &c->to_plain);
	if (!goes_on || !is_taken || (c->web_ended && c->to_plain.len == 0)) {
		relayed_close(c);
	}
}

static void relay_take_all(struct relay *r)
{
	static struct pollfd polls[2 * RELAY_CONNS_MAX + 1];
	for (;;) {
		polls[2 * RELAY_CONNS_MAX] = (struct pollfd){.fd = r->listener, .events = POLLIN};
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			polls[2 * i].fd = -1;
			polls[2 * i + 1].fd = -1;
			if (r->conns[i].plain != -1) {
				relayed_watch(&r->conns[i], &polls[2 * i]);
			}
		}
		(void)poll(polls, sizeof(polls) / sizeof(polls[0]), -1);
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			if (r->conns[i].plain != -1 &&
			    (polls[2 * i].revents != 0 || polls[2 * i + 1].revents != 0)) {
				relayed_go_on(r, &r->conns[i], &polls[2 * i]);
			}
		}
		if (polls[2 * RELAY_CONNS_MAX].revents != 0) {
			relay_accept(r);
		}
	}
}

static void web_relay_run(int listener, int port)
{
	struct relay *r = calloc(1, sizeof(*r));
	if (r != NULL) {
		r->listener = listener;
		r->port = port;
		for (size_t i = 0; i < RELAY_CONNS_MAX; i++) {
			r->conns[i].plain = -1;
		}
		relay_take_all(r);
	}
}

pid_t web_relay_start(const char *path, int port)
{
	return relay_start(path, port, web_relay_run);
}
