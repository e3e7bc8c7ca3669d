/*
 * rpc.c - the three kinds of message, read and written.
 */
#include "proto/rpc.h"

#include <inttypes.h>
#include <msgpack.h>

#include "proto/records/record_pack.h"
#include "proto/records/records.h"
#include "proto/text/text.h"

/* Holds a usual message whole; the zone keeps one chunk from message to message. */
#define RPC_ZONE_BYTES 8192

void decoder_finish(struct decoder *d)
{
	if (d->zone != NULL) {
		msgpack_zone_free(d->zone);
	}
	d->zone = NULL;
}

static bool rpc_read_method(const msgpack_object *value, struct slice *out)
{
	if (value->type != MSGPACK_OBJECT_STR) {
		return false;
	}
	*out = slice_of(value->via.str.ptr, value->via.str.size);
	return true;
}

static bool rpc_read_params(const msgpack_object *value, const msgpack_object **out)
{
	if (value->type != MSGPACK_OBJECT_ARRAY || value->via.array.size > 1) {
		return false;
	}
	*out = value->via.array.size == 0 ? NULL : value->via.array.ptr;
	return *out == NULL || (*out)->type == MSGPACK_OBJECT_MAP;
}

static bool rpc_read_msgid(const msgpack_object *value, uint32_t *out)
{
	if (value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > UINT32_MAX) {
		return false;
	}
	*out = (uint32_t)value->via.u64;
	return true;
}

enum err rpc_decode(struct decoder *d, struct slice bytes, struct rpc_message *out,
		    bool *answerable)
{
	*answerable = false;
	*out = (struct rpc_message){.kind = RPC_REQUEST};
	if (d->zone == NULL) {
		d->zone = msgpack_zone_new(RPC_ZONE_BYTES);
		if (d->zone == NULL) {
			return ERR_NOMEM;
		}
	}
	msgpack_zone_clear(d->zone);
	msgpack_object message;
	enum err e = record_unpack_scanned(d->zone, bytes, &message);
	if (e != OK) {
		return e;
	}
	const msgpack_object_array *a = &message.via.array;
	if (message.type != MSGPACK_OBJECT_ARRAY || a->size == 0 ||
	    a->ptr[0].type != MSGPACK_OBJECT_POSITIVE_INTEGER) {
		return ERR_PROTO;
	}
	switch (a->ptr[0].via.u64) {
	case RPC_REQUEST:
		*answerable = a->size >= 2 && rpc_read_msgid(&a->ptr[1], &out->msgid);
		return *answerable && a->size == 4 && rpc_read_method(&a->ptr[2], &out->method) &&
				       rpc_read_params(&a->ptr[3], &out->params)
			       ? OK
			       : ERR_PROTO;
	case RPC_RESPONSE:
		out->kind = RPC_RESPONSE;
		if (a->size != 4 || !rpc_read_msgid(&a->ptr[1], &out->msgid)) {
			return ERR_PROTO;
		}
		out->error = a->ptr[2].type == MSGPACK_OBJECT_NIL ? NULL : &a->ptr[2];
		out->result = a->ptr[3].type == MSGPACK_OBJECT_NIL ? NULL : &a->ptr[3];
		return OK;
	case RPC_NOTICE:
		out->kind = RPC_NOTICE;
		if (a->size != 3) {
			return ERR_PROTO;
		}
		/* It gets no answer, so one in another form is not refused either: it has no name. */
		if (!rpc_read_method(&a->ptr[1], &out->method) ||
		    !rpc_read_params(&a->ptr[2], &out->params)) {
			out->method = SLICE("");
			out->params = NULL;
		}
		return OK;
	default:
		return ERR_PROTO;
	}
}

/* What stands before the params, or the result. */
static void rpc_begin_request(msgpack_packer *p, struct buf *b, uint32_t msgid, struct slice method)
{
	msgpack_packer_init(p, b, record_pack_bytes);
	msgpack_pack_array(p, 4);
	msgpack_pack_uint8(p, RPC_REQUEST);
	msgpack_pack_uint32(p, msgid);
	record_pack_text(p, method);
	msgpack_pack_array(p, 1);
}

static void rpc_begin_notice(msgpack_packer *p, struct buf *b, struct slice method)
{
	msgpack_packer_init(p, b, record_pack_bytes);
	msgpack_pack_array(p, 3);
	msgpack_pack_uint8(p, RPC_NOTICE);
	record_pack_text(p, method);
	msgpack_pack_array(p, 1);
}

static void rpc_begin_response(msgpack_packer *p, struct buf *b, uint32_t msgid)
{
	msgpack_packer_init(p, b, record_pack_bytes);
	msgpack_pack_array(p, 4);
	msgpack_pack_uint8(p, RPC_RESPONSE);
	msgpack_pack_uint32(p, msgid);
}

static void rpc_pack_params(msgpack_packer *p, const struct record *rec, const void *params,
			    struct buf *b)
{
	if (rec == NULL || params == NULL) {
		msgpack_pack_map(p, 0);
	} else {
		record_write(rec, params, b);
	}
}

void rpc_write_request(struct buf *b, uint32_t msgid, struct slice method, const struct record *rec,
		       const void *params)
{
	msgpack_packer p;
	rpc_begin_request(&p, b, msgid, method);
	rpc_pack_params(&p, rec, params, b);
}

void rpc_write_request_raw(struct buf *b, uint32_t msgid, struct slice method, struct slice params)
{
	msgpack_packer p;
	rpc_begin_request(&p, b, msgid, method);
	buf_append_slice(b, params);
}

void rpc_write_result(struct buf *b, uint32_t msgid, const struct record *rec, const void *result)
{
	msgpack_packer p;
	rpc_begin_response(&p, b, msgid);
	msgpack_pack_nil(&p);
	if (rec == NULL || result == NULL) {
		msgpack_pack_nil(&p);
	} else {
		record_write(rec, result, b);
	}
}

void rpc_write_result_raw(struct buf *b, uint32_t msgid, struct slice result)
{
	msgpack_packer p;
	rpc_begin_response(&p, b, msgid);
	msgpack_pack_nil(&p);
	buf_append_slice(b, result);
}

struct error_view rpc_fault_view(const struct fault *f)
{
	bool has_most =
		f->rule != FAULT_RULE_NONE && f->rule != FAULT_RULE_CHOICE && f->most != INT64_MAX;
	return (struct error_view){
		.code = slice_str(fault_code_name(f->code)),
		.message = slice_str(f->message),
		.field = slice_str(f->field),
		.rule = f->rule,
		.with_rule = f->rule != FAULT_RULE_NONE,
		.least = f->least,
		.with_least = f->least != 0,
		.most = has_most ? f->most : 0,
		.with_most = has_most,
		.unit = slice_str(f->unit),
		.retry_after_ms = f->retry_after_ms,
		.room_id = f->room_id,
		.home = f->home,
		.current = f->current,
	};
}

void rpc_write_fault(struct buf *b, uint32_t msgid, const struct fault *f)
{
	msgpack_packer p;
	struct error_view view = rpc_fault_view(f);
	rpc_begin_response(&p, b, msgid);
	record_write(&record_error_view, &view, b);
	msgpack_pack_nil(&p);
}

void rpc_write_notice(struct buf *b, struct slice method, const struct record *rec,
		      const void *params)
{
	msgpack_packer p;
	rpc_begin_notice(&p, b, method);
	rpc_pack_params(&p, rec, params, b);
}

void rpc_write_notice_raw(struct buf *b, struct slice method, struct slice params)
{
	msgpack_packer p;
	rpc_begin_notice(&p, b, method);
	buf_append_slice(b, params);
}

void rpc_write_object(struct buf *b, const struct msgpack_object *value)
{
	msgpack_packer p;
	msgpack_packer_init(&p, b, record_pack_bytes);
	msgpack_pack_object(&p, *value);
}

/* Into a fixed field of a fault: cleaned for a terminal, cut, terminated. */
static void rpc_soften(struct slice in, char *out, size_t cap)
{
	out[text_soften(in, out, cap - 1)] = '\0';
}

void rpc_read_fault(const struct msgpack_object *error, struct arena *arena, struct fault *out)
{
	struct arena own = {0};
	struct error_view view;
	struct fault why;
	struct fault f = {.code = FAULT_SERVER_ERROR};
	if (record_from_object(&record_error_view, error, RECORD_LENIENT,
			       arena != NULL ? arena : &own, &view, &why) != OK) {
		fault_set(&f, FAULT_SERVER_ERROR, "the server sent an unreadable error");
	} else {
		enum fault_code code = fault_code_of(view.code);
		char message[sizeof(f.message)];
		rpc_soften(view.message, message, sizeof(message));
		if (code == FAULT_NONE) {
			char name[64];
			rpc_soften(view.code, name, sizeof(name));
			fault_set(&f, FAULT_SERVER_ERROR, "%s: %s", name, message);
		} else {
			fault_set(&f, code, "%s", message);
		}
		rpc_soften(view.field, f.field, sizeof(f.field));
		f.rule = view.rule;
		f.least = view.least;
		f.most = view.with_most ? view.most : INT64_MAX;
		rpc_soften(view.unit, f.unit, sizeof(f.unit));
		f.retry_after_ms = view.retry_after_ms;
		if (arena != NULL) {
			f.room_id = view.room_id;
			f.home = view.home;
			f.current = view.current;
		}
	}
	arena_finish(&own);
	*out = f;
}
