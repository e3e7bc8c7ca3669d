/*
 * json.c - MessagePack as JSON lines; the other direction is json_read.c.
 */
#include "proto/json.h"

#include <msgpack.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/records/record_pack.h"
#include "proto/text/text.h"

#define JSON_ZONE_BYTES 4096

static void json_write_escape(int32_t c, struct buf *out)
{
	switch (c) {
	case '\n':
		buf_append(out, "\\n", 2);
		return;
	case '\t':
		buf_append(out, "\\t", 2);
		return;
	case '\r':
		buf_append(out, "\\r", 2);
		return;
	default:
		break;
	}
	if (c > 0xffff) {
		uint32_t rest = (uint32_t)c - 0x10000;
		buf_printf(out, "\\u%04x\\u%04x", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
	} else {
		buf_printf(out, "\\u%04x", (unsigned)c);
	}
}

static enum err json_write_str(struct slice s, struct buf *out)
{
	const utf8proc_uint8_t *p = (const utf8proc_uint8_t *)s.data;
	size_t done = 0; /* what lies before it is written */
	buf_append(out, "\"", 1);
	for (size_t at = 0; at < s.len;) {
		int32_t c;
		if (p[at] >= ' ' && p[at] < 0x7f && p[at] != '"' && p[at] != '\\') {
			at++; /* nearly all there is */
			continue;
		}
		utf8proc_ssize_t n = utf8proc_iterate(p + at, (utf8proc_ssize_t)(s.len - at), &c);
		if (n <= 0) {
			return ERR_INVALID;
		}
		bool is_quoted = c == '"' || c == '\\';
		if (is_quoted || (c != ' ' && !text_is_shown(c))) {
			buf_append(out, s.data + done, at - done);
			if (is_quoted) {
				buf_append(out, "\\", 1);
			} else {
				json_write_escape(c, out);
			}
			done = is_quoted ? at : at + (size_t)n;
		}
		at += (size_t)n;
	}
	buf_append(out, s.data + done, s.len - done);
	buf_append(out, "\"", 1);
	return OK;
}

static void json_write_number(bool is_negative, uint64_t n, struct buf *out)
{
	char digits[21];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	if (is_negative) {
		digits[--at] = '-';
	}
	buf_append(out, digits + at, sizeof(digits) - at);
}

/* The shortest of the usual precisions that reads back as the same number, and always recognisable
 * as no integer. */
static enum err json_write_float(double value, struct buf *out)
{
	if (!(value - value == 0)) {
		return ERR_INVALID; /* NaN and the infinities */
	}
	char text[40];
	size_t len = 0;
	for (int digits = 15; digits <= 17; digits++) {
		len = format_to(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value) {
			break;
		}
	}
	char *comma = strchr(text, ','); /* some locales' decimal point */
	if (comma != NULL) {
		*comma = '.';
	}
	buf_append(out, text, len);
	if (strpbrk(text, ".e") == NULL) {
		buf_append(out, ".0", 2);
	}
	return OK;
}

/* depth: how many containers are around the value. */
static enum err json_write(const msgpack_object *value, size_t depth, struct buf *out)
{
	enum err e = OK;
	switch (value->type) {
	case MSGPACK_OBJECT_NIL:
		buf_append(out, "null", 4);
		return OK;
	case MSGPACK_OBJECT_BOOLEAN:
		buf_append_slice(out, value->via.boolean ? SLICE("true") : SLICE("false"));
		return OK;
	case MSGPACK_OBJECT_POSITIVE_INTEGER:
		json_write_number(false, value->via.u64, out);
		return OK;
	case MSGPACK_OBJECT_NEGATIVE_INTEGER:
		json_write_number(true, 0 - (uint64_t)value->via.i64, out);
		return OK;
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
		return json_write_float(value->via.f64, out);
	case MSGPACK_OBJECT_STR:
		return json_write_str(slice_of(value->via.str.ptr, value->via.str.size), out);
	case MSGPACK_OBJECT_ARRAY:
		if (depth == MAX_FRAME_DEPTH) {
			return ERR_INVALID;
		}
		buf_append(out, "[", 1);
		for (uint32_t i = 0; i < value->via.array.size && e == OK; i++) {
			buf_append(out, ",", i > 0 ? 1 : 0);
			e = json_write(&value->via.array.ptr[i], depth + 1, out);
		}
		buf_append(out, "]", 1);
		return e;
	case MSGPACK_OBJECT_MAP:
		if (depth == MAX_FRAME_DEPTH) {
			return ERR_INVALID;
		}
		buf_append(out, "{", 1);
		for (uint32_t i = 0; i < value->via.map.size && e == OK; i++) {
			const msgpack_object_kv *entry = &value->via.map.ptr[i];
			if (entry->key.type != MSGPACK_OBJECT_STR) {
				return ERR_INVALID;
			}
			buf_append(out, ",", i > 0 ? 1 : 0);
			e = json_write(&entry->key, depth + 1, out);
			buf_append(out, ":", 1);
			e = e == OK ? json_write(&entry->val, depth + 1, out) : e;
		}
		buf_append(out, "}", 1);
		return e;
	case MSGPACK_OBJECT_BIN:
	case MSGPACK_OBJECT_EXT:
		return ERR_INVALID;
	}
	return ERR_INVALID;
}

enum err json_from_object(const struct msgpack_object *value, struct buf *out)
{
	size_t len = out->len;
	enum err e = json_write(value, 0, out);
	e = e == OK ? out->error : e;
	if (e != OK) {
		out->len = len;
	}
	return e;
}

enum err json_from_text(struct slice text, struct buf *out)
{
	size_t len = out->len;
	enum err e = json_write_str(text, out);
	e = e == OK ? out->error : e;
	if (e != OK) {
		out->len = len;
	}
	return e;
}

enum err json_from_bytes(struct slice msgpack, struct buf *out)
{
	msgpack_zone zone;
	if (!msgpack_zone_init(&zone, JSON_ZONE_BYTES)) {
		return ERR_NOMEM;
	}
	msgpack_object value;
	enum err e = record_unpack(&zone, msgpack, &value);
	if (e == OK) {
		e = json_from_object(&value, out);
	}
	msgpack_zone_destroy(&zone);
	return e;
}
