/*
 * record_read.c - from MessagePack into structs, refusing what the rows do not allow.
 *
 * Recursion here follows our own rows, never the peer's nesting.
 * What a text has to be is in record_text.c, the other direction in record_write.c.
 */
#include "proto/records/record.h"

#include <float.h>
#include <msgpack.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "proto/base/frame_scan.h"
#include "proto/base/limits.h"
#include "proto/keys/room_code.h"
#include "proto/records/record_fault.h"
#include "proto/records/record_pack.h"
#include "proto/records/record_text.h"
#include "proto/text/quantity.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"

/* Rows of one record, so that those seen fit one word; and records within records. */
#define RECORD_FIELDS_MAX 64
#define RECORD_DEPTH_MAX  4
#define RECORD_ZONE_BYTES 4096
/* 2^53: up to there a double tells every integer from its neighbours. */
#define RECORD_FLOAT_INT_MAX 9007199254740992.0

struct record_reader {
	enum record_mode mode;
	struct arena *arena;
	struct fault *fault;
};

/* Where a value is, linked from the inside out; it becomes a path only when something is wrong
 * there. */
struct record_place {
	const struct record_place *in;
	const char *name; /* NULL for an element of a list */
	size_t index;
};

#define RECORD_PATH_BYTES sizeof(((struct fault *)NULL)->field)

static const char *record_path(const struct record_place *at, char path[RECORD_PATH_BYTES])
{
	const struct record_place *places[2 * RECORD_DEPTH_MAX];
	size_t n = 0, len = 0;
	for (; at != NULL; at = at->in) {
		ASSERT_CMP(n, <, 2 * RECORD_DEPTH_MAX);
		places[n++] = at;
	}
	path[0] = '\0';
	while (n-- > 0) {
		const struct record_place *p = places[n];
		if (p->name == NULL) {
			len += format_to(path + len, RECORD_PATH_BYTES - len, "[%zu]", p->index);
		} else {
			const char *dot = len > 0 ? "." : "";
			len += format_to(path + len, RECORD_PATH_BYTES - len, "%s%s", dot, p->name);
		}
	}
	return path;
}

static enum err record_refuse(const struct record_reader *r, const struct record_place *at,
			      const char *claim)
{
	char path[RECORD_PATH_BYTES];
	fault_field(r->fault, record_path(at, path), "%s", claim);
	return ERR_INVALID;
}

static enum err record_refuse_range(const struct record_reader *r, const struct record_place *at,
				    const struct field *f, enum fault_rule rule, const char *unit)
{
	char path[RECORD_PATH_BYTES];
	record_fault_range(r->fault, record_path(at, path), f, rule, unit);
	return ERR_INVALID;
}

static enum err record_read_map(const struct record_reader *r, const struct record *rec,
				const msgpack_object *map, const struct record_place *at,
				void *out);

static bool record_in_range(const struct field *f, size_t n)
{
	return (uint64_t)n >= (uint64_t)f->min && (uint64_t)n <= (uint64_t)f->max;
}

/* msgpack-c leaves a stale or NULL pointer where a string is empty; here NULL means nil. */
static struct slice record_text(const msgpack_object *value)
{
	return value->via.str.size == 0 ? SLICE("")
					: slice_of(value->via.str.ptr, value->via.str.size);
}

static enum err record_read_int(const struct record_reader *r, const struct field *f,
				const msgpack_object *value, const struct record_place *at,
				int64_t *out)
{
	if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
		if (value->via.u64 > INT64_MAX) {
			return record_refuse_range(r, at, f, FAULT_RULE_RANGE, "");
		}
		*out = (int64_t)value->via.u64;
	} else if (value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
		*out = value->via.i64;
	} else if ((value->type == MSGPACK_OBJECT_FLOAT32 ||
		    value->type == MSGPACK_OBJECT_FLOAT64) &&
		   value->via.f64 >= -RECORD_FLOAT_INT_MAX &&
		   value->via.f64 <= RECORD_FLOAT_INT_MAX &&
		   (double)(int64_t)value->via.f64 == value->via.f64) {
		*out = (int64_t)value->via.f64; /* as some codecs write integers beyond 32 bits */
	} else {
		return record_refuse(r, at, "must be an integer");
	}
	return *out < f->min || *out > f->max ? record_refuse_range(r, at, f, FAULT_RULE_RANGE, "")
					      : OK;
}

static enum err record_read_num(const struct record_reader *r, const struct field *f,
				const msgpack_object *value, const struct record_place *at,
				double *out)
{
	if (value->type == MSGPACK_OBJECT_FLOAT32 || value->type == MSGPACK_OBJECT_FLOAT64) {
		*out = value->via.f64;
	} else if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
		*out = (double)value->via.u64;
	} else if (value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
		*out = (double)value->via.i64;
	} else {
		return record_refuse(r, at, "must be a number");
	}
	/* Written so that what is not a number is out of range. */
	bool in_range = *out >= (double)f->min && *out <= (double)f->max;
	return in_range ? OK : record_refuse_range(r, at, f, FAULT_RULE_RANGE, "");
}

static enum err record_clean(const struct record_reader *r, const struct field *f,
			     const struct record_place *at, struct slice *text)
{
	char path[RECORD_PATH_BYTES];
	enum err e = record_clean_text(f, r->arena, text, r->fault);
	if (e == ERR_INVALID) {
		format_to(r->fault->field, sizeof(r->fault->field), "%s", record_path(at, path));
	}
	return e;
}

/* Of a STR that is read RECORD_LENIENT. */
static enum err record_check_form(const struct record_reader *r, const struct field *f,
				  const struct record_place *at, struct slice *text)
{
	char code[CODE_CHARS_MAX + 1];
	if ((f->flags & FIELD_CODE) != 0 &&
	    !(code_normalise(*text, code) && slice_eq(slice_str(code), *text))) {
		return record_refuse(r, at, "must be a room's code");
	}
	if ((f->flags & FIELD_ID) != 0 && !text_is_id(*text)) {
		return record_refuse(r, at, "must be letters, digits, - and _");
	}
	return (f->flags & FIELD_LINE) != 0 ? record_soften_text(f, r->arena, text) : OK;
}

/* A number for a quantity, which is as its text would be. */
static enum err record_read_quantity(const struct record_reader *r, const msgpack_object *value,
				     const struct record_place *at, struct slice *out)
{
	char text[QUANTITY_BYTES_MAX + 1];
	const char *why;
	bool ok = true;
	double number;
	if (value->type == MSGPACK_OBJECT_FLOAT32 || value->type == MSGPACK_OBJECT_FLOAT64) {
		number = value->via.f64;
	} else if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
		number = (double)value->via.u64;
	} else if (value->type == MSGPACK_OBJECT_NEGATIVE_INTEGER) {
		number = (double)value->via.i64;
	} else {
		return record_refuse(r, at, "must be a string or a number");
	}
	size_t len = quantity_of_number(number, text, &why);
	if (len == 0) {
		return record_refuse(r, at, why);
	}
	*out = arena_copy(r->arena, slice_of(text, len), &ok);
	return ok ? OK : ERR_NOMEM;
}

static enum err record_read_str(const struct record_reader *r, const struct field *f,
				const msgpack_object *value, const struct record_place *at,
				struct slice *out)
{
	if (value->type != MSGPACK_OBJECT_STR) {
		return (f->flags & FIELD_QUANTITY) != 0 ? record_read_quantity(r, value, at, out)
							: record_refuse(r, at, "must be a string");
	}
	*out = record_text(value);
	if (!record_in_range(f, out->len)) {
		return record_refuse_range(r, at, f, FAULT_RULE_LENGTH, "bytes");
	}
	if (!utf8_is_valid(*out)) {
		return record_refuse(r, at, "must be valid UTF-8");
	}
	return r->mode == RECORD_STRICT ? OK : record_check_form(r, f, at, out);
}

static enum err record_read_text(const struct record_reader *r, const struct field *f,
				 const msgpack_object *value, const struct record_place *at,
				 struct slice *out)
{
	if (value->type != MSGPACK_OBJECT_STR) {
		return record_refuse(r, at, "must be a string");
	}
	*out = record_text(value);
	if (record_text_is_soft(*out) && record_in_range(f, out->len) &&
	    (f->cells == 0 || out->len <= f->cells)) {
		return OK; /* ASCII, as most of it is */
	}
	if (!utf8_is_valid(*out)) {
		return record_refuse(r, at, "must be valid UTF-8");
	}
	return r->mode == RECORD_STRICT ? record_clean(r, f, at, out)
					: record_soften_text(f, r->arena, out);
}

static enum err record_read_enum(const struct record_reader *r, const struct field *f,
				 const msgpack_object *value, const struct record_place *at,
				 void *member)
{
	int found =
		value->type == MSGPACK_OBJECT_STR ? words_find(f->words, record_text(value)) : -1;
	if (found < f->min || found > f->max) {
		if (r->mode == RECORD_STRICT || value->type != MSGPACK_OBJECT_STR) {
			char path[RECORD_PATH_BYTES];
			record_fault_word(r->fault, record_path(at, path), f);
			return ERR_INVALID;
		}
		found = f->words->otherwise;
	}
	memcpy(member, &found, sizeof(found));
	return OK;
}

static enum err record_read_strs(const struct record_reader *r, const struct field *f,
				 const msgpack_object *value, const struct record_place *at,
				 struct slices *out)
{
	const bool are_texts = f->cells != 0;
	const struct field each = {.kind = are_texts ? FIELD_TEXT : FIELD_STR,
				   .flags = f->flags | (are_texts ? FIELD_CHARS : 0),
				   .cells = f->cells,
				   .min = are_texts,
				   .max = (int64_t)field_each_bytes(f)};
	if (value->type != MSGPACK_OBJECT_ARRAY) {
		return record_refuse(r, at, "must be a list of strings");
	}
	if (!record_in_range(f, value->via.array.size)) {
		return record_refuse_range(r, at, f, FAULT_RULE_COUNT, "strings");
	}
	out->n = value->via.array.size;
	out->items = arena_alloc(r->arena, out->n * sizeof(*out->items));
	if (out->items == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < out->n; i++) {
		struct record_place place = {.in = at, .index = i};
		const msgpack_object *one = &value->via.array.ptr[i];
		enum err e = are_texts ? record_read_text(r, &each, one, &place, &out->items[i])
				       : record_read_str(r, &each, one, &place, &out->items[i]);
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

/* What every client can read and write as JSON. The scan has bounded how deep it is. */
static bool record_is_plain(const msgpack_object *value)
{
	switch (value->type) {
	case MSGPACK_OBJECT_STR:
		return utf8_is_valid(record_text(value));
	case MSGPACK_OBJECT_FLOAT32:
	case MSGPACK_OBJECT_FLOAT64:
		return value->via.f64 >= -DBL_MAX && value->via.f64 <= DBL_MAX;
	case MSGPACK_OBJECT_MAP:
		for (uint32_t i = 0; i < value->via.map.size; i++) {
			const msgpack_object_kv *entry = &value->via.map.ptr[i];
			if (entry->key.type != MSGPACK_OBJECT_STR ||
			    !record_is_plain(&entry->key) || !record_is_plain(&entry->val)) {
				return false;
			}
		}
		return true;
	case MSGPACK_OBJECT_ARRAY:
		for (uint32_t i = 0; i < value->via.array.size; i++) {
			if (!record_is_plain(&value->via.array.ptr[i])) {
				return false;
			}
		}
		return true;
	default:
		return value->type != MSGPACK_OBJECT_BIN && value->type != MSGPACK_OBJECT_EXT;
	}
}

static enum err record_read_any(const struct record_reader *r, const struct field *f,
				const msgpack_object *value, const struct record_place *at,
				struct slice *out)
{
	if (r->mode == RECORD_STRICT && !record_is_plain(value)) {
		return record_refuse(
			r, at,
			"must be UTF-8 text, finite numbers, lists and maps with text as keys");
	}
	struct buf bytes = {.max = (size_t)f->max};
	msgpack_packer packer;
	msgpack_packer_init(&packer, &bytes, record_pack_bytes);
	msgpack_pack_object(&packer, *value);
	enum err e = bytes.error;
	if (e == ERR_TOO_LARGE || (e == OK && !record_in_range(f, bytes.len))) {
		e = record_refuse_range(r, at, f, FAULT_RULE_LENGTH, "bytes");
	}
	if (e == OK) {
		bool ok = true;
		*out = arena_copy(r->arena, buf_slice(&bytes), &ok);
		e = ok ? OK : ERR_NOMEM;
	}
	buf_finish(&bytes);
	return e;
}

static enum err record_read_recs(const struct record_reader *r, const struct field *f,
				 const msgpack_object *value, const struct record_place *at,
				 void *member)
{
	if (value->type != MSGPACK_OBJECT_ARRAY) {
		return record_refuse(r, at, "must be a list of maps");
	}
	size_t n = value->via.array.size;
	if (!record_in_range(f, n)) {
		return record_refuse_range(r, at, f, FAULT_RULE_COUNT, "maps");
	}
	char *items = arena_alloc(r->arena, n * f->of->size);
	if (items == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		struct record_place place = {.in = at, .index = i};
		enum err e = record_read_map(r, f->of, &value->via.array.ptr[i], &place,
					     items + i * f->of->size);
		if (e != OK) {
			return e;
		}
	}
	memcpy(member, &items, sizeof(items));
	memcpy((char *)member + sizeof(items), &n, sizeof(n));
	return OK;
}

static enum err record_read_value(const struct record_reader *r, const struct field *f,
				  const msgpack_object *value, const struct record_place *at,
				  void *member)
{
	if (value->type == MSGPACK_OBJECT_NIL && (f->flags & FIELD_NIL) != 0) {
		return OK;
	}
	if (value->type == MSGPACK_OBJECT_EXT) {
		return record_refuse(r, at, "must not be a MessagePack extension type");
	}
	switch (f->kind) {
	case FIELD_BOOL:
		if (value->type != MSGPACK_OBJECT_BOOLEAN) {
			return record_refuse(r, at, "must be true or false");
		}
		*(bool *)member = value->via.boolean;
		return OK;
	case FIELD_INT:
		return record_read_int(r, f, value, at, member);
	case FIELD_NUM:
		return record_read_num(r, f, value, at, member);
	case FIELD_STR:
		return record_read_str(r, f, value, at, member);
	case FIELD_TEXT:
		return record_read_text(r, f, value, at, member);
	case FIELD_ENUM:
		return record_read_enum(r, f, value, at, member);
	case FIELD_STRS:
		return record_read_strs(r, f, value, at, member);
	case FIELD_REC:
		return record_read_map(r, f->of, value, at, member);
	case FIELD_RECS:
		return record_read_recs(r, f, value, at, member);
	case FIELD_ANY:
		return record_read_any(r, f, value, at, member);
	}
	return ERR_INVALID;
}

/* JavaScript's undefined, as some of its encoders write it. */
static bool record_is_undefined(const msgpack_object *value)
{
	return value->type == MSGPACK_OBJECT_EXT && value->via.ext.type == 0 &&
	       value->via.ext.size == 1;
}

static enum err record_read_map(const struct record_reader *r, const struct record *rec,
				const msgpack_object *map, const struct record_place *at, void *out)
{
	ASSERT_CMP(rec->n, <=, RECORD_FIELDS_MAX);
	memset(out, 0, rec->size);
	if (map->type != MSGPACK_OBJECT_MAP) {
		return record_refuse(r, at, "must be a map");
	}
	uint64_t seen = 0; /* a bit a row */
	size_t from = 0;
	for (uint32_t i = 0; i < map->via.map.size; i++) {
		const msgpack_object_kv *entry = &map->via.map.ptr[i];
		if (entry->key.type != MSGPACK_OBJECT_STR) {
			return record_refuse(r, at, "must have strings as keys");
		}
		struct slice name = record_text(&entry->key);
		size_t row = record_find(rec, name, from);
		if (row == rec->n && r->mode == RECORD_LENIENT) {
			continue;
		}
		if (row == rec->n) {
			char path[RECORD_PATH_BYTES];
			record_fault_unknown(r->fault, record_path(at, path), name);
			return ERR_INVALID;
		}
		const struct field *f = &rec->fields[row];
		struct record_place place = {.in = at, .name = f->name};
		if (record_is_undefined(&entry->val)) {
			continue; /* left out, as JSON would: nil might take something away */
		}
		if ((seen & UINT64_C(1) << row) != 0) {
			return record_refuse(r, &place, "is repeated");
		}
		seen |= UINT64_C(1) << row;
		from = row + 1;
		if (entry->val.type == MSGPACK_OBJECT_NIL && f->kind != FIELD_ANY &&
		    (f->flags & (FIELD_NIL | FIELD_REQ)) == 0) {
			continue; /* as if it were left out */
		}
		char *member = (char *)out + f->offset;
		*(bool *)(member + f->size) = true;
		enum err e = record_read_value(r, f, &entry->val, &place, member);
		if (e != OK) {
			return e;
		}
	}
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		if ((f->flags & FIELD_REQ) != 0 && (seen & UINT64_C(1) << i) == 0) {
			struct record_place place = {.in = at, .name = f->name};
			return record_refuse(r, &place, "required");
		}
	}
	return OK;
}

enum err record_from_object(const struct record *rec, const struct msgpack_object *map,
			    enum record_mode mode, struct arena *arena, void *out,
			    struct fault *fault)
{
	static const struct msgpack_object nothing = {.type = MSGPACK_OBJECT_MAP};
	struct record_reader r = {.mode = mode, .arena = arena, .fault = fault};
	return record_read_map(&r, rec, map == NULL ? &nothing : map, NULL, out);
}

enum err record_unpack_scanned(struct msgpack_zone *zone, struct slice bytes,
			       struct msgpack_object *out)
{
	switch (msgpack_unpack(bytes.data, bytes.len, NULL, zone, out)) {
	case MSGPACK_UNPACK_SUCCESS:
		return OK;
	case MSGPACK_UNPACK_NOMEM_ERROR:
		return ERR_NOMEM;
	default:
		return ERR_PROTO;
	}
}

enum err record_unpack(struct msgpack_zone *zone, struct slice bytes, struct msgpack_object *out)
{
	struct frame_scan scan;
	frame_scan_init(&scan);
	/* The bytes are here and bound what they can hold, a value being one at least: a large
	 * room's update is many small values. */
	size_t max_bytes = MAX_FRAME_BYTES + bytes.len * (MAX_FRAME_BYTES / MAX_FRAME_NODES);
	if (frame_scan_value(&scan, bytes, max_bytes) != OK || scan.at != bytes.len) {
		return ERR_PROTO;
	}
	return record_unpack_scanned(zone, bytes, out);
}

enum err record_from_bytes(const struct record *rec, struct slice bytes, enum record_mode mode,
			   struct arena *arena, void *out, struct fault *fault)
{
	bool ok = true;
	struct slice copy = arena_copy(arena, bytes, &ok);
	msgpack_zone zone;
	if (!ok || !msgpack_zone_init(&zone, RECORD_ZONE_BYTES)) {
		return ERR_NOMEM;
	}
	msgpack_object object;
	enum err e = record_unpack(&zone, copy, &object);
	if (e == OK) {
		e = record_from_object(rec, &object, mode, arena, out, fault);
	}
	msgpack_zone_destroy(&zone);
	return e;
}
