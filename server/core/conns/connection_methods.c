/*
 * connection_methods.c - the methods that act on the connection and the server itself.
 */
#include <msgpack.h>
#include <string.h>

#include "proto/records/record_pack.h"
#include "server/core/cluster/cluster.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/forward.h"
#include "server/core/conns/request.h"
#include "server/core/rooms/partition.h"
#include "server/core/server_priv.h"

static void pack_entry(msgpack_packer *p, const char *name, int64_t value)
{
	record_pack_text(p, slice_str(name)); /* failures stick to the buffer */
	(void)msgpack_pack_int64(p, value);
}

/* Encoded once, for every session.hello. */
enum err connection_methods_limits(const int64_t *limits, struct buf *out)
{
	msgpack_packer p;
	buf_init(out, MAX_FRAME_BYTES);
	msgpack_packer_init(&p, out, record_pack_bytes);
	(void)msgpack_pack_map(&p, LIMIT_COUNT);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		pack_entry(&p, limit_rows[i].name, limits[i]);
	}
	enum err e = out->error;
	if (e != OK) {
		buf_finish(out);
	}
	return e;
}

static void on_hello(struct server *s, struct request *rq)
{
	struct conn *c = rq->conn;
	struct fault fault = {0};
	if (rq->params.SESSION_HELLO.protocol != PROTOCOL_VERSION) {
		fault_field(&fault, "protocol", "this server speaks protocol %d", PROTOCOL_VERSION);
		request_refuse(s, rq, &fault);
		return;
	}
	struct slice room = param_text(rq, SHARED_ROOM_ID);
	char room_id[CODE_CHARS_MAX + 1];
	if (code_normalise(room, room_id) && partition_is_elsewhere(s, room_id)) {
		if (!forward_begin(s, rq, room_id)) {
			room_bucket_elsewhere(s, room_id, &fault);
			request_refuse(s, rq, &fault);
		}
		return;
	}
	c->hello = ++s->hellos;
	struct key_text nonce = conn_nonce(s, c);
	struct hello_result result = {
		.protocol = PROTOCOL_VERSION,
		.server = SLICE("ayed " AYE_VERSION),
		.limits = buf_slice(&s->hello_limits),
		.now = s->now.wall_ms,
		.nonce = slice_of(nonce.text, KEY_CHARS),
		.web = slice_of(s->web, s->web_len),
	};
	if (room.len > 0 && s->cluster != NULL) {
		result.home = slice_str(s->cluster->self.announce);
	}
	c->is_greeted = true;
	conn_result(s, c, rq->method, rq->msgid, &record_hello_result, &result);
}

static void on_stats(struct server *s, struct request *rq)
{
	struct buf counters = {.max = COUNTERS_BYTES_MAX};
	counters_write(&s->counters, &counters);
	struct stats_result result = {
		.now = s->now.wall_ms,
		.started_at = s->started_wall,
		.counters = buf_slice(&counters),
	};
	if (counters.error == OK) {
		conn_result(s, rq->conn, rq->method, rq->msgid, &record_stats_result, &result);
	} else {
		request_refuse_for(s, rq, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	buf_finish(&counters);
}

/*
 * Listening is done outside; the core keeps nothing of it meanwhile but that an
 * answer is owed. The msgid stands for the ticket.
 */
static void on_share(struct server *s, struct request *rq)
{
	struct slice address = rq->params.SERVER_SHARE.address;
	enum share_web web = rq->params.SERVER_SHARE.web_scheme;
	struct fault fault = {0};
	if (web != SHARE_WEB_NONE && address.len == 0) {
		fault_field(&fault, "web_scheme", "needs an address to listen on");
		request_refuse(s, rq, &fault);
		return;
	}
	if (rq->params.SERVER_SHARE.unshare && address.len > 0) {
		fault_field(&fault, "unshare", "leave it out to listen on an address");
		request_refuse(s, rq, &fault);
		return;
	}
	char *copy = arena_alloc(&s->scratch, address.len + 1);
	struct effect fx = {.kind = FX_SHARE,
			    .conn = rq->conn->id,
			    .ticket = rq->msgid,
			    .web = web,
			    .unshares = rq->params.SERVER_SHARE.unshare};
	if (copy != NULL && address.len > 0) {
		memcpy(copy, address.data, address.len);
		fx.address = slice_of(copy, address.len);
	}
	if (copy == NULL || !server_effect(s, &fx)) {
		request_refuse_for(s, rq, FAULT_UNAVAILABLE, "the server is out of memory");
		return;
	}
	rq->conn->pending++;
}

static enum fault_code share_fault(enum err e)
{
	switch (e) {
	case ERR_INVALID:
		return FAULT_VALIDATION_ERROR;
	case ERR_BUSY: /* somebody has the port */
		return FAULT_CONFLICT;
	case ERR_TOO_LARGE:
		return FAULT_TOO_LARGE;
	default:
		return FAULT_UNAVAILABLE;
	}
}

void connection_shared(struct server *s, const struct event *e)
{
	struct conn *c = conn_find(s, e->conn);
	if (e->result == OK && e->has_listener && s->config.room_code_chars < SHARED_CODE_CHARS) {
		s->other_code_chars = s->config.room_code_chars;
		s->config.room_code_chars = SHARED_CODE_CHARS; /* strangers may guess from now on */
	}
	if (c == NULL) {
		return;
	}
	if (e->result == OK) {
		struct server_share_result result = {.addresses = e->addresses,
						     .fingerprint = e->fingerprint,
						     .with_fingerprint = e->fingerprint.len > 0,
						     .web = slice_of(s->web, s->web_len)};
		conn_result(s, c, METHOD_SERVER_SHARE, (uint32_t)e->ticket,
			    &record_server_share_result, &result);
	} else {
		struct fault fault = {0};
		bool is_field = e->result == ERR_INVALID;
		fault_set_field(&fault, share_fault(e->result), is_field ? "address" : "", "%.*s",
				(int)e->bytes.len, e->bytes.data);
		conn_refuse(s, c, METHOD_SERVER_SHARE, (uint32_t)e->ticket, &fault);
	}
	conn_answered(s, c);
}

void connection_call(struct server *s, struct request *rq)
{
	if (rq->method == METHOD_SESSION_HELLO) {
		on_hello(s, rq);
	} else if (rq->method == METHOD_SERVER_PING) {
		struct ping_result result = {.now = s->now.wall_ms};
		conn_result(s, rq->conn, rq->method, rq->msgid, &record_ping_result, &result);
	} else if (rq->method == METHOD_SERVER_SHARE) {
		on_share(s, rq);
	} else {
		on_stats(s, rq);
	}
}
