/*
 * request.c - params filled by the names of their fields; see request.h.
 */
#include "client/model/request.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/records/record_text.h"
#include "proto/text/decimal.h"
#include "proto/text/utf8.h"

struct request *request_make(enum method method)
{
	struct request *r = memory_new(1, sizeof(*r));
	r->method = method;
	r->params = memory_new(1, method_rows[method].params->size);
	r->refs = 1;
	return r;
}

struct request *request_ref(struct request *r)
{
	r->refs++;
	return r;
}

void request_free(struct request *r)
{
	if (r != NULL && --r->refs == 0) {
		arena_finish(&r->texts);
		free(r->params);
		free(r);
	}
}

/* ---- places ---- */

/* Where a field stands: of a path, in the record that its last dot leads into. */
struct request_place {
	const struct record *rec; /* without a field where the path leads nowhere */
	char *in;
	struct slice name;
	const struct field *field; /* NULL: there is none */
};

/* @fills  what leads there is there from now on. */
static struct request_place request_find(const struct request *r, const char *path, bool fills)
{
	struct request_place p = {.rec = method_rows[r->method].params, .in = r->params};
	for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1) {
		const struct field *f = record_field(p.rec, slice_of(path, (size_t)(dot - path)));
		if (f == NULL || f->kind != FIELD_REC) {
			p.rec = &record_nothing;
			break;
		}
		if (fills) {
			const bool with = true;
			memcpy(p.in + f->offset + f->size, &with, sizeof(with));
		}
		p.rec = f->of;
		p.in += f->offset;
	}
	p.name = slice_str(path);
	p.field = record_field(p.rec, p.name);
	return p;
}

const struct field *request_field(const struct request *r, const char *name, const void **in)
{
	struct request_place p = request_find(r, name, false);
	*in = p.in;
	return p.field;
}

bool request_has(const struct request *r, const char *name)
{
	struct request_place p = request_find(r, name, false);
	return p.field != NULL && field_with(p.field, p.in);
}

static bool request_holds_secret(const struct record *rec, const char *in)
{
	bool is_found = false;
	for (size_t i = 0; i < rec->n && !is_found; i++) {
		const struct field *f = &rec->fields[i];
		bool is_secret = (f->flags & FIELD_SECRET) != 0;
		is_found = field_with(f, in) &&
			   (is_secret ||
			    (f->kind == FIELD_REC && request_holds_secret(f->of, in + f->offset)));
	}
	return is_found;
}

bool request_is_secret(const struct request *r)
{
	return request_holds_secret(method_rows[r->method].params, r->params);
}

/* ---- values ---- */

/* The first one that is refused says why. */
static void request_note(struct request *r, bool is_set, const struct fault *fault)
{
	if (!is_set && r->fault.code == FAULT_NONE) {
		r->fault = *fault;
	}
}

static struct slice request_own_text(struct request *r, struct slice text)
{
	char *copy = memory_have(arena_alloc(&r->texts, text.len + 1));
	if (text.len > 0) {
		memcpy(copy, text.data, text.len);
	}
	return slice_of(copy, text.len);
}

void request_text(struct request *r, const char *name, const char *text)
{
	struct fault fault;
	struct slice value = slice_str(text);
	struct request_place p = request_find(r, name, true);
	if (p.field != NULL && p.field->kind == FIELD_TEXT && utf8_is_valid(value) &&
	    memory_check(record_clean_text(p.field, &r->texts, &value, &fault)) != OK) {
		request_note(r, false, &fault);
		return;
	}
	value = request_own_text(r, value);
	request_note(r, record_set_text(p.rec, p.in, p.name, value, &fault), &fault);
}

void request_int(struct request *r, const char *name, int64_t value)
{
	struct fault fault;
	struct request_place p = request_find(r, name, true);
	request_note(r, record_set_int(p.rec, p.in, p.name, value, &fault), &fault);
}

void request_bool(struct request *r, const char *name, bool value)
{
	struct fault fault;
	struct request_place p = request_find(r, name, true);
	request_note(r, record_set_bool(p.rec, p.in, p.name, value, &fault), &fault);
}

void request_nil(struct request *r, const char *name)
{
	struct fault fault;
	struct request_place p = request_find(r, name, true);
	request_note(r, record_set_nil(p.rec, p.in, p.name, &fault), &fault);
}

/* The member of a field of that kind, there from now on; NULL, and noted, where it is none. */
static void *request_member(struct request *r, const char *name, enum field_kind kind)
{
	struct fault fault;
	const bool with = true;
	struct request_place p = request_find(r, name, true);
	if (p.field == NULL || p.field->kind != kind) {
		(void)fault_field(&fault, name, "cannot be that");
		request_note(r, false, &fault);
		return NULL;
	}
	memcpy(p.in + p.field->offset + p.field->size, &with, sizeof(with));
	return p.in + p.field->offset;
}

void request_texts(struct request *r, const char *name, const struct slices *texts)
{
	struct fault fault;
	char each[80];
	struct slices *out = request_member(r, name, FIELD_STRS);
	if (out == NULL) {
		return;
	}
	const struct field *f = request_find(r, name, true).field;
	const size_t most = field_each_bytes(f);
	if ((int64_t)texts->n < f->min || (int64_t)texts->n > f->max) {
		(void)fault_field(&fault, name, "must be %lld to %lld strings", (long long)f->min,
				  (long long)f->max);
		fault_bounds(&fault, FAULT_RULE_COUNT, f->min, f->max, "strings");
		request_note(r, false, &fault);
	}
	out->n = texts->n;
	out->items = memory_have(arena_alloc(&r->texts, (texts->n + 1) * sizeof(*out->items)));
	for (size_t i = 0; i < texts->n; i++) {
		out->items[i] = request_own_text(r, texts->items[i]);
		if (texts->items[i].len > most) {
			(void)format_to(each, sizeof(each), "%s[%zu]", name, i);
			(void)fault_field(&fault, each, "must be 0 to %zu bytes long", most);
			fault_bounds(&fault, FAULT_RULE_LENGTH, 0, (int64_t)most, "bytes");
			request_note(r, false, &fault);
		}
	}
}

void request_bytes(struct request *r, const char *name, struct slice bytes)
{
	struct slice *out = request_member(r, name, FIELD_ANY);
	if (out != NULL) {
		*out = request_own_text(r, bytes);
	}
}

void request_value(struct request *r, const char *name, const char *typed)
{
	struct fault fault;
	int64_t number;
	struct request_place p = request_find(r, name, false);
	struct slice text = slice_str(typed == NULL ? "" : typed);
	bool may_be_nil = p.field != NULL && (p.field->flags & FIELD_NIL) != 0;
	enum field_kind kind = p.field == NULL ? FIELD_TEXT : p.field->kind;
	bool is_on = slice_eq(text, SLICE("on")) || slice_eq(text, SLICE("true"));
	bool is_off = slice_eq(text, SLICE("off")) || slice_eq(text, SLICE("false"));
	if (text.len == 0 && may_be_nil) {
		request_nil(r, name);
	} else if (kind == FIELD_BOOL && (is_on || is_off)) {
		request_bool(r, name, is_on);
	} else if (kind == FIELD_INT && decimal_read(text, 0, INT64_MAX, &number)) {
		request_int(r, name, number);
	} else if (kind == FIELD_BOOL || kind == FIELD_INT) {
		(void)fault_field(&fault, p.field->name, "must be %s",
				  kind == FIELD_INT ? "a number" : "on or off");
		request_note(r, false, &fault);
	} else {
		request_text(r, name, text.data);
	}
}

/* ---- what all have ---- */

static void request_fill(struct request *r, const char *name, const char *text)
{
	struct request_place p = request_find(r, name, false);
	if (p.field != NULL && !field_with(p.field, p.in) && text != NULL && text[0] != '\0') {
		request_text(r, name, text);
	}
}

/* A method that can do without a room means something else by one, such as whom a question is for. */
static void request_fill_room(struct request *r, const char *room_id)
{
	struct request_place p = request_find(r, "room_id", false);
	if (p.field != NULL && (p.field->flags & FIELD_REQ) != 0) {
		request_fill(r, "room_id", room_id);
	}
}

void request_fill_common(struct request *r, const struct request_common *common)
{
	request_fill_room(r, common->room_id);
	request_fill(r, "user_key", common->user_key);
	request_fill(r, "host_key", common->host_key);
	request_fill(r, "idempotency_key", common->idempotency_key);
}

bool request_is_partial(enum method method, const void *result)
{
	const struct field *f = record_field(method_rows[method].result, SLICE("unreadable"));
	return f != NULL && *(const bool *)field_member(f, result);
}

enum err request_write(enum method method, const void *params, struct buf *out)
{
	buf_init(out, MAX_FRAME_BYTES);
	record_write(method_rows[method].params, params, out);
	return memory_check(out->error);
}
