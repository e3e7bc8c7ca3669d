/*
 * json_read.c - JSON text, read by jansson, as MessagePack.
 */
#include "proto/json.h"

#include <jansson.h>
#include <msgpack.h>
#include <string.h>

#include "proto/base/limits.h"
#include "proto/records/record_pack.h"

/* depth: how many containers are around the value. */
static enum err json_read_value(msgpack_packer *p, json_t *value, size_t depth)
{
	enum err e = OK;
	const char *key;
	json_t *inner;
	switch (json_typeof(value)) {
	case JSON_NULL:
		msgpack_pack_nil(p);
		return OK;
	case JSON_TRUE:
		msgpack_pack_true(p);
		return OK;
	case JSON_FALSE:
		msgpack_pack_false(p);
		return OK;
	case JSON_INTEGER:
		msgpack_pack_int64(p, json_integer_value(value));
		return OK;
	case JSON_REAL:
		msgpack_pack_double(p, json_real_value(value));
		return OK;
	case JSON_STRING:
		record_pack_text(p, slice_of(json_string_value(value), json_string_length(value)));
		return OK;
	case JSON_ARRAY:
		if (depth == MAX_FRAME_DEPTH) {
			return ERR_INVALID;
		}
		msgpack_pack_array(p, json_array_size(value));
		for (size_t i = 0; i < json_array_size(value) && e == OK; i++) {
			e = json_read_value(p, json_array_get(value, i), depth + 1);
		}
		return e;
	case JSON_OBJECT:
		if (depth == MAX_FRAME_DEPTH) {
			return ERR_INVALID;
		}
		msgpack_pack_map(p, json_object_size(value));
		json_object_foreach(value, key, inner)
		{
			record_pack_text(p, slice_str(key));
			e = json_read_value(p, inner, depth + 1);
			if (e != OK) {
				return e;
			}
		}
		return OK;
	}
	return ERR_INVALID;
}

/* jansson ends its messages with " near '...'", which would repeat the text. */
static void json_explain(const json_error_t *error, struct errmsg *why)
{
	const char *near = strstr(error->text, " near ");
	size_t len = near == NULL ? strlen(error->text) : (size_t)(near - error->text);
	if (json_error_code(error) == json_error_duplicate_key) {
		len = strcspn(error->text, "\"'"); /* names the key, which is the text's too */
		len -= len > 0 && error->text[len - 1] == ' ' ? 1 : 0;
	}
	errmsg_set(why, "JSON line %d column %d: %.*s", error->line, error->column, (int)len,
		   error->text);
}

enum err json_to_bytes(struct slice json, struct buf *out, struct errmsg *why)
{
	json_error_t error;
	json_t *value =
		json_loadb(json.len == 0 ? "" : json.data, json.len,
			   JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
	if (value == NULL) {
		json_explain(&error, why);
		return json_error_code(&error) == json_error_out_of_memory ? ERR_NOMEM
									   : ERR_INVALID;
	}
	size_t len = out->len;
	msgpack_packer p;
	msgpack_packer_init(&p, out, record_pack_bytes);
	enum err e = json_read_value(&p, value, 0);
	if (e == ERR_INVALID) {
		errmsg_set(why, "JSON is nested deeper than %d levels", MAX_FRAME_DEPTH);
	}
	e = e == OK ? out->error : e;
	if (e != OK) {
		out->len = len;
	}
	json_decref(value);
	return e;
}
