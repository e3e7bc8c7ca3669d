/*
 * web_relay.c - see web_relay.h. memmem() is beyond POSIX.
 */
#define _GNU_SOURCE
#include "tests/support/web_relay.h"

#include <errno.h>
#include <msgpack.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "proto/base/buf.h"
#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "proto/tls/websocket_accept.h"
#include "tests/support/client_frame.h"

#define RELAY_READ_BYTES 65536
#define RELAY_BYTES_MAX	 (64u << 20)

struct web_relayed {
	struct relayed conn;
	bool is_open; /* the server has agreed to the WebSocket */
	bool is_amid; /* the beginning of a message was sent, as a fragment */
	struct buf from_plain, from_server;
	struct buf to_plain, to_server;
};

static struct decoder decoder; /* of all connections of the process */

static struct web_relayed *own(struct relayed *c)
{
	return (struct web_relayed *)c;
}

static bool web_begin(struct relayed *c)
{
	struct web_relayed *w = own(c);
	buf_init(&w->from_plain, RELAY_BYTES_MAX);
	buf_init(&w->from_server, RELAY_BYTES_MAX);
	buf_init(&w->to_plain, RELAY_BYTES_MAX);
	buf_init(&w->to_server, RELAY_BYTES_MAX);
	return buf_append_slice(&w->to_server,
				SLICE("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n" CLIENT_UPGRADE
				      "Sec-WebSocket-Protocol: aye.v1\r\n\r\n")) == OK;
}

/* ---- to the server ---- */

static void web_send_text(struct web_relayed *w, struct slice text)
{
	client_frame_put(&w->to_server, FRAME_LAST | (w->is_amid ? FRAME_CONTINUED : FRAME_TEXT),
			 text);
	w->is_amid = false;
}

/* A request, which is all that a test sends. */
static void web_send_message(struct web_relayed *w, struct slice message)
{
	struct rpc_message m;
	bool answerable;
	struct buf text = {.max = RELAY_BYTES_MAX};
	if (rpc_decode(&decoder, message, &m, &answerable) != OK || m.kind != RPC_REQUEST) {
		web_send_text(w, message);
		return;
	}
	(void)buf_printf(&text, "{\"id\":%lu,\"method\":", (unsigned long)m.msgid);
	enum err e = json_from_text(m.method, &text);
	(void)buf_append_slice(&text, SLICE(",\"params\":"));
	e = e != OK || m.params == NULL ? e : json_from_object(m.params, &text);
	(void)buf_append_slice(&text, m.params == NULL ? SLICE("{}}") : SLICE("}"));
	if (e == OK) {
		web_send_text(w, buf_slice(&text));
	}
	buf_finish(&text);
}

static void web_pass_on(struct web_relayed *w)
{
	enum err e = OK;
	while (e == OK && w->from_plain.len > 0) {
		struct frame_scan scan;
		frame_scan_init(&scan);
		e = frame_scan_value(&scan, buf_slice(&w->from_plain), RELAY_BYTES_MAX);
		if (e == OK) {
			web_send_message(w, slice_of(w->from_plain.data, scan.at));
			buf_drop(&w->from_plain, scan.at);
		}
	}
	if (e == ERR_MORE && !w->is_amid) {
		client_frame_put(&w->to_server, FRAME_TEXT, SLICE(" "));
		w->is_amid = true;
	} else if (e != OK && e != ERR_MORE) {
		web_send_text(w, buf_slice(&w->from_plain));
		buf_clear(&w->from_plain);
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
static bool web_receive_text(struct web_relayed *w, struct slice text)
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
		message_write(&w->to_plain, &value.data);
	}
	msgpack_unpacked_destroy(&value);
	buf_finish(&bytes);
	return ok;
}

/* A server's frames are whole and not masked; anything else is its mistake. */
static bool web_take_frames(struct web_relayed *w)
{
	unsigned opcode;
	struct slice payload;
	size_t len;
	bool ok = true;
	while (ok && (len = client_frame_find(buf_slice(&w->from_server), &opcode, &payload)) > 0) {
		if (opcode == (FRAME_LAST | FRAME_TEXT)) {
			ok = web_receive_text(w, payload);
		} else if (opcode == (FRAME_LAST | FRAME_PING)) {
			client_frame_put(&w->to_server, FRAME_LAST | FRAME_PONG, payload);
		} else if (opcode == (FRAME_LAST | FRAME_CLOSE)) {
			w->conn.server_ended = true;
		} else {
			ok = opcode == (FRAME_LAST | FRAME_PONG);
		}
		buf_drop(&w->from_server, len);
	}
	return ok;
}

static void web_refused(struct web_relayed *w, struct slice body)
{
	struct closing_notice notice = {.reason = body, .with_reason = true};
	if (body.len > 0) {
		rpc_write_notice(&w->to_plain, slice_str(notice_rows[NOTICE_SERVER_CLOSING].name),
				 &record_closing_notice, &notice);
	}
	w->conn.server_ended = true;
}

/* The answer to the request for the WebSocket; a refusal is whole when the server has ended. */
static void web_take_answer(struct web_relayed *w)
{
	char accept[WEBSOCKET_ACCEPT_CHARS + 1];
	struct slice in = buf_slice(&w->from_server);
	const char *end = in.len == 0 ? NULL : memmem(in.data, in.len, "\r\n\r\n", 4);
	if (end == NULL) {
		return;
	}
	size_t head = (size_t)(end - in.data) + 4;
	w->is_open = slice_starts(in, SLICE("HTTP/1.1 101 ")) &&
		     websocket_accept(SLICE(CLIENT_KEY), accept) &&
		     memmem(in.data, head, accept, strlen(accept)) != NULL;
	if (w->is_open) {
		buf_drop(&w->from_server, head);
	} else if (w->conn.server_ended) {
		size_t newline = in.len > head ? 1 : 0;
		web_refused(w, slice_of(in.data + head, in.len - head - newline));
	}
}

static bool web_take_server(struct relayed *c)
{
	static char bytes[RELAY_READ_BYTES];
	struct web_relayed *w = own(c);
	ssize_t n = recv(c->server, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN) {
		return true;
	}
	c->server_ended = n <= 0;
	(void)buf_append(&w->from_server, bytes, n > 0 ? (size_t)n : 0);
	if (!w->is_open) {
		web_take_answer(w);
	}
	return !w->is_open || web_take_frames(w);
}

static bool web_take_plain(struct relayed *c)
{
	static char bytes[RELAY_READ_BYTES];
	struct web_relayed *w = own(c);
	ssize_t n = recv(c->plain, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (n < 0) {
		return errno == EAGAIN;
	}
	if (n == 0) {
		c->plain_ended = true;
		client_frame_put(&w->to_server, FRAME_LAST | FRAME_CLOSE, (struct slice){0});
		return true;
	}
	(void)buf_append(&w->from_plain, bytes, (size_t)n);
	web_pass_on(w);
	return true;
}

/* Who takes no more may still have sent something, which is read first. */
static bool web_send(int fd, struct buf *out)
{
	ssize_t n = out->len == 0 ? 0 : send(fd, out->data, out->len, MSG_DONTWAIT | MSG_NOSIGNAL);
	bool is_broken = n < 0 && errno != EAGAIN;
	buf_drop(out, is_broken ? out->len : n > 0 ? (size_t)n : 0);
	return !is_broken;
}

static bool web_give(struct relayed *c)
{
	struct web_relayed *w = own(c);
	(void)web_send(c->server, &w->to_server);
	bool is_taken = web_send(c->plain, &w->to_plain);
	return is_taken && (w->to_plain.len > 0 || !c->server_ended);
}

static struct relay_wish web_wishes(const struct relayed *c)
{
	const struct web_relayed *w = (const struct web_relayed *)c;
	bool takes = w->is_open && w->to_server.len == 0 && !c->plain_ended;
	struct relay_wish wish = {0};
	wish.plain |= takes ? POLLIN : 0;
	wish.plain |= w->to_plain.len > 0 ? POLLOUT : 0;
	wish.server |= w->to_plain.len == 0 && !c->server_ended ? POLLIN : 0;
	wish.server |= w->to_server.len > 0 ? POLLOUT : 0;
	return wish;
}

static void web_finish(struct relayed *c)
{
	buf_finish(&own(c)->from_plain);
	buf_finish(&own(c)->from_server);
	buf_finish(&own(c)->to_plain);
	buf_finish(&own(c)->to_server);
}

const struct relay_way web_relay = {
	.bytes = sizeof(struct web_relayed),
	.begin = web_begin,
	.wishes = web_wishes,
	.take_plain = web_take_plain,
	.take_server = web_take_server,
	.give = web_give,
	.finish = web_finish,
};
