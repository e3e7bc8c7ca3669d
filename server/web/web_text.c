/*
 * web_text.c - see web_text.h.
 */
#include "server/web/web_text.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/frame_scan.h"
#include "proto/base/limits.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/records/record.h"
#include "proto/rpc.h"
#include "server/web/web_socket.h"

/* More than the core may owe at once: its largest answer is a page with one round of a full room. */
#define WEB_TEXT_BYTES_MAX (64u << 20)
#define WEB_KNOWN	   8
/* Of messages that are kept; one that is larger is kept alone. */
#define WEB_KNOWN_BYTES (1u << 20)
/* Of the memory for translating, after each message: most are smaller by far. */
#define WEB_TEXT_KEPT_BYTES (256u << 10)
#define WEB_METHOD_BYTES    64

#define RECORD_web_request(F)                                                              \
	F(INT, id, _, FIELD_REQ, 0, UINT32_MAX, "Chosen by the client; the answer has it") \
	F(STR, method, _, FIELD_REQ, 1, WEB_METHOD_BYTES, "As in the list of methods")     \
	F(ANY, params, _, FIELD_OPT, 1, MAX_FRAME_BYTES, "A map")
RECORD_DECLARE(web_request)
RECORD_DEFINE(web_request)

/* A message that was sent lately. */
struct web_known {
	struct buf message;
	struct web_frame *frame; /* NULL: none */
};

struct web_text {
	uint64_t *bytes_all;
	uint64_t *translations;
	struct decoder decoder;
	struct arena arena;
	struct buf map;	    /* a request as one map */
	struct buf message; /* a request as it is passed on */
	struct buf joined;  /* a message that lies in several pieces */
	struct buf json;
	struct web_known known[WEB_KNOWN];
	size_t known_next; /* to be replaced next */
	size_t known_bytes;
};

struct web_text *web_text_create(uint64_t *bytes_all, uint64_t *translations)
{
	struct web_text *t = calloc(1, sizeof(*t));
	if (t == NULL) {
		return NULL;
	}
	t->bytes_all = bytes_all;
	t->translations = translations;
	buf_init(&t->map, 2 * MAX_FRAME_BYTES);
	buf_init(&t->message, MAX_FRAME_BYTES);
	buf_init(&t->joined, WEB_TEXT_BYTES_MAX);
	buf_init(&t->json, 4 * (size_t)WEB_TEXT_BYTES_MAX);
	for (size_t i = 0; i < WEB_KNOWN; i++) {
		buf_init(&t->known[i].message, WEB_TEXT_BYTES_MAX);
	}
	return t;
}

static void web_known_drop(struct web_text *t, struct web_known *known)
{
	t->known_bytes -= known->message.len;
	web_frame_unref(known->frame);
	buf_finish(&known->message);
	*known = (struct web_known){.message = {.max = WEB_TEXT_BYTES_MAX}};
}

void web_text_destroy(struct web_text *t)
{
	if (t == NULL) {
		return;
	}
	for (size_t i = 0; i < WEB_KNOWN; i++) {
		web_known_drop(t, &t->known[i]);
	}
	decoder_finish(&t->decoder);
	arena_finish(&t->arena);
	buf_finish(&t->map);
	buf_finish(&t->message);
	buf_finish(&t->joined);
	buf_finish(&t->json);
	free(t);
}

/* ---- in ---- */

enum err web_text_request(struct web_text *t, struct slice json, struct slice *message,
			  struct errmsg *why)
{
	struct web_request request;
	struct fault fault = {0};
	buf_clear(&t->map);
	buf_clear(&t->message);
	enum err e = json_to_bytes(json, &t->map, why);
	if (e == OK) {
		arena_reset(&t->arena);
		e = record_from_bytes(&record_web_request, buf_slice(&t->map), RECORD_STRICT,
				      &t->arena, &request, &fault);
	}
	if (e == ERR_INVALID && fault.code != FAULT_NONE) {
		errmsg_set(why, "%s%s%s", fault.field, fault.field[0] == '\0' ? "" : " ",
			   fault.message);
	}
	if (e == OK) {
		struct slice params = request.with_params ? request.params : SLICE("\x80");
		rpc_write_request_raw(&t->message, (uint32_t)request.id, request.method, params);
		e = t->message.error;
	}
	buf_clear(&t->map);
	*message = buf_slice(&t->message);
	return e;
}

/* ---- out ---- */

/* Where reading the pieces stands. */
struct web_cursor {
	const struct slice *pieces;
	size_t n;
	size_t i;  /* of the piece */
	size_t at; /* in it */
};

static struct slice web_cursor_rest(const struct web_cursor *c)
{
	return slice_of(c->pieces[c->i].data + c->at, c->pieces[c->i].len - c->at);
}

static void web_cursor_skip(struct web_cursor *c, size_t len)
{
	while (len > 0) {
		size_t rest = c->pieces[c->i].len - c->at;
		size_t part = len < rest ? len : rest;
		c->at += part;
		len -= part;
		if (c->at == c->pieces[c->i].len) {
			c->i++;
			c->at = 0;
		}
	}
}

/* The next whole message, without moving on. ERR_MORE: its end is not in the pieces. */
static enum err web_text_message(struct web_text *t, const struct web_cursor *c,
				 struct slice *message)
{
	struct frame_scan scan;
	*message = web_cursor_rest(c);
	frame_scan_init(&scan);
	enum err e = frame_scan_value(&scan, *message, WEB_TEXT_BYTES_MAX);
	if (e == ERR_MORE) {
		buf_clear(&t->joined);
		e = buf_append_slice(&t->joined, *message);
		e = e == OK ? ERR_MORE : e;
	}
	for (size_t i = c->i + 1; i < c->n && e == ERR_MORE; i++) {
		e = buf_append_slice(&t->joined, c->pieces[i]);
		*message = buf_slice(&t->joined);
		e = e != OK ? e : frame_scan_value(&scan, *message, WEB_TEXT_BYTES_MAX);
	}
	message->len = scan.at;
	return e == OK || e == ERR_MORE || e == ERR_NOMEM ? e : ERR_PROTO;
}

static enum err web_json_member(struct buf *out, struct slice name,
				const struct msgpack_object *value, struct slice otherwise)
{
	(void)buf_append_slice(out, name);
	return value == NULL ? buf_append_slice(out, otherwise) : json_from_object(value, out);
}

static enum err web_text_json(struct web_text *t, struct slice message)
{
	struct rpc_message m;
	bool answerable;
	struct buf *out = &t->json;
	buf_clear(out);
	enum err e = rpc_decode(&t->decoder, message, &m, &answerable);
	if (e != OK) {
		return e;
	}
	if (m.kind == RPC_NOTICE) {
		(void)buf_append_slice(out, SLICE("{\"method\":"));
		e = json_from_text(m.method, out);
		e = e != OK ? e
			    : web_json_member(out, SLICE(",\"params\":"), m.params, SLICE("{}"));
	} else if (m.kind == RPC_RESPONSE) {
		(void)buf_printf(out, "{\"id\":%lu,", (unsigned long)m.msgid);
		e = m.error != NULL
			    ? web_json_member(out, SLICE("\"error\":"), m.error, SLICE("null"))
			    : web_json_member(out, SLICE("\"result\":"), m.result, SLICE("null"));
	} else {
		e = ERR_PROTO;
	}
	(void)buf_append_slice(out, SLICE("}"));
	e = e != OK ? e : out->error;
	return e == ERR_INVALID ? ERR_PROTO : e;
}

static bool web_is_notice(struct slice message)
{
	return slice_starts(message, SLICE("\x93\x02"));
}

/* The entry whose message these bytes begin with: no value is the beginning of another. */
static const struct web_known *web_known_find(const struct web_text *t, struct slice rest)
{
	for (size_t i = 0; i < WEB_KNOWN && web_is_notice(rest); i++) {
		const struct web_known *known = &t->known[i];
		if (known->frame != NULL && slice_starts(rest, buf_slice(&known->message))) {
			return known;
		}
	}
	return NULL;
}

/* Where there is no memory for it, it is translated again for the next connection. */
static void web_known_keep(struct web_text *t, struct slice message, struct web_frame *frame)
{
	struct web_known *known = &t->known[t->known_next];
	web_known_drop(t, known);
	for (size_t i = 1; i < WEB_KNOWN && t->known_bytes + message.len > WEB_KNOWN_BYTES; i++) {
		web_known_drop(t, &t->known[(t->known_next + i) % WEB_KNOWN]);
	}
	t->known_next = (t->known_next + 1) % WEB_KNOWN;
	if (buf_append_slice(&known->message, message) == OK) {
		known->frame = web_frame_ref(frame);
		t->known_bytes += message.len;
	}
}

/* Empty a buffer, and give back what only a large message needed. */
static void web_text_clear(struct buf *b)
{
	buf_clear(b);
	if (b->capacity > WEB_TEXT_KEPT_BYTES) {
		(void)buf_take(b);
	}
}

static enum err web_text_translate(struct web_text *t, struct slice message, struct web_frame **out)
{
	char header[WEB_HEADER_BYTES_MAX];
	enum err e = web_text_json(t, message);
	if (e == OK) {
		size_t len = web_socket_header(WEB_TEXT, t->json.len, header);
		*out = web_frame_create(t->bytes_all, slice_of(header, len), buf_slice(&t->json));
		e = *out == NULL ? ERR_NOMEM : OK;
	}
	web_text_clear(&t->json);
	if (message.len > WEB_TEXT_KEPT_BYTES) {
		decoder_finish(&t->decoder);
	}
	if (e == OK) {
		(*t->translations)++;
		if (web_is_notice(message)) {
			web_known_keep(t, message, *out);
		}
	}
	return e;
}

enum err web_text_frames(struct web_text *t, const struct slice *pieces, size_t n, size_t bytes_max,
			 struct web_queue *out, size_t *used)
{
	struct web_cursor c = {.pieces = pieces, .n = n};
	enum err e = OK;
	*used = 0;
	while (e == OK && c.i < n && !web_queue_is_full(out) && out->bytes < bytes_max) {
		const struct web_known *known = web_known_find(t, web_cursor_rest(&c));
		struct web_frame *frame = NULL;
		struct slice message = {0};
		if (known != NULL) {
			message = buf_slice(&known->message);
			frame = web_frame_ref(known->frame);
		} else {
			e = web_text_message(t, &c, &message);
			e = e != OK ? e : web_text_translate(t, message, &frame);
		}
		if (e == OK) {
			web_queue_add(out, frame);
			web_cursor_skip(&c, message.len);
			*used += message.len;
		}
	}
	web_text_clear(&t->joined);
	return e == ERR_MORE ? OK : e;
}

void web_text_reason(struct web_text *t, const struct slice *pieces, size_t n, struct slice *reason)
{
	struct web_cursor c = {.pieces = pieces, .n = n};
	struct slice message;
	struct rpc_message m;
	bool answerable;
	struct closing_notice closing;
	struct fault fault;
	*reason = (struct slice){0};
	arena_reset(&t->arena);
	if (n > 0 && web_text_message(t, &c, &message) == OK &&
	    rpc_decode(&t->decoder, message, &m, &answerable) == OK && m.kind == RPC_NOTICE &&
	    slice_eq(m.method, slice_str(notice_rows[NOTICE_SERVER_CLOSING].name)) &&
	    record_from_object(&record_closing_notice, m.params, RECORD_LENIENT, &t->arena,
			       &closing, &fault) == OK) {
		*reason = closing.reason;
	}
}
