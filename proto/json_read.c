/*
 * json_read.c - JSON text, read by jansson, as MessagePack.
 */
#include "proto/json.h"

#include <jansson.h>
#include <msgpack.h>
#include <string.h>

#include "proto/limits.h"
#include "proto/record_pack.h"

static enum err json_read_value(msgpack_packer *p, json_t *value, size_t depth);

static enum err json_read_array(msgpack_packer *p, json_t *array, size_t depth)
{
	size_t n = json_array_size(array);
	msgpack_pack_array(p, n);
	for (size_t i = 0; i < n; i++) {
		enum err e = json_read_value(p, json_array_get(array, i), depth + 1);
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

static enum err json_read_object(msgpack_packer *p, json_t *object, size_t depth)
{
	msgpack_pack_map(p, json_object_size(object));
	const char *key;
	json_t *value;
	json_object_foreach(object, key, value)
	{
		record_pack_text(p, slice_str(key));
		enum err e = json_read_value(p, value, depth + 1);
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

static enum err json_read_value(msgpack_packer *p, json_t *value, size_t depth)
{
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
		return depth < MAX_FRAME_DEPTH ? json_read_array(p, value, depth) : ERR_INVALID;
	case JSON_OBJECT:
		return depth < MAX_FRAME_DEPTH ? json_read_object(p, value, depth) : ERR_INVALID;
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
