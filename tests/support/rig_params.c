/*
 * rig_params.c - the params of a request as their record asks for them.
 */
#include "tests/support/rig.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

static void params_put(struct buf *out, const char *text)
{
	assert_int_equal(buf_append(out, text, strlen(text)), OK);
}

static void params_record(struct buf *out, const struct record *rec, bool is_in_room,
			  const char *also);

/* The least that the row allows. A text is of zeros, which are a key, an id, a card and a number, too. */
static void params_value(struct buf *out, const struct field *f)
{
	char number[32];
	int64_t least = f->min > 0 ? f->min : 1;
	switch (f->kind) {
	case FIELD_BOOL:
		params_put(out, "true");
		return;
	case FIELD_INT:
	case FIELD_NUM:
		(void)snprintf(number, sizeof(number), "%lld",
			       (long long)(least < f->max ? least : f->max));
		params_put(out, number);
		return;
	case FIELD_STR:
	case FIELD_TEXT:
		params_put(out, "'");
		for (int64_t i = 0; i < least; i++) {
			params_put(out, "0");
		}
		params_put(out, "'");
		return;
	case FIELD_ENUM:
		params_put(out, "'");
		params_put(out, f->words->list[f->min].data);
		params_put(out, "'");
		return;
	case FIELD_STRS:
		for (int64_t i = 0; i < least; i++) {
			(void)snprintf(number, sizeof(number), "%s'%lld'", i == 0 ? "[" : ",",
				       (long long)i);
			params_put(out, number);
		}
		params_put(out, "]");
		return;
	case FIELD_REC:
		params_put(out, "{");
		params_record(out, f->of, false, NULL);
		params_put(out, "}");
		return;
	case FIELD_RECS:
		params_put(out, "[]");
		return;
	case FIELD_ANY:
		params_put(out, "0");
		return;
	}
}

/* The fields that have to be there, of a place the one before something, and `also`. */
static void params_record(struct buf *out, const struct record *rec, bool is_in_room,
			  const char *also)
{
	bool is_first = true;
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		bool is_asked_for = (f->flags & FIELD_REQ) != 0 || strcmp(f->name, "before") == 0 ||
				    (also != NULL && strcmp(f->name, also) == 0);
		if (!is_asked_for || (is_in_room && strcmp(f->name, "room_id") == 0)) {
			continue;
		}
		params_put(out, is_first ? "'" : ",'");
		params_put(out, f->name);
		params_put(out, "':");
		params_value(out, f);
		is_first = false;
	}
}

char *rig_least_params(enum method method, const char *room_id, const char *also)
{
	struct buf out = {.max = SIZE_MAX / 2};
	const struct record *rec = method_rows[method].params;
	struct buf rest = {.max = SIZE_MAX / 2};
	params_record(&rest, rec, room_id != NULL, also);
	if (room_id != NULL) {
		params_put(&out, "'room_id':'");
		params_put(&out, room_id);
		params_put(&out, rest.len > 0 ? "'," : "'");
	}
	if (rest.len > 0) {
		assert_int_equal(buf_append_slice(&out, buf_slice(&rest)), OK);
	}
	buf_finish(&rest);
	assert_int_equal(buf_append(&out, "", 1), OK);
	return buf_take(&out);
}
