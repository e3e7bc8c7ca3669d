/*
 * export_json.c - the room as one JSON document, complete: its records, with the names that the wire has.
 */
#include <stdlib.h>

#include "client/formats/export.h"
#include "client/formats/export_json.h"
#include "client/model/memory.h"

/* A value that jansson has made, or could not for want of memory. */
static json_t *export_made(json_t *value)
{
	return memory_have(value);
}

static json_t *export_text(struct slice text)
{
	return export_made(json_stringn(text.len == 0 ? "" : text.data, text.len));
}

static void export_set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0) {
		memory_is_out();
	}
}

static void export_append(json_t *list, json_t *value)
{
	if (json_array_append_new(list, value) != 0) {
		memory_is_out();
	}
}

/* NULL where there is nothing to say: what is nil, empty, or absent and none. */
static json_t *export_value(const struct field *f, const void *in)
{
	const void *member = field_member(f, in);
	const struct slice *text = member;
	const struct slices *strs = member;
	bool is_there = (f->flags & FIELD_REQ) != 0 || field_with(f, in);
	json_t *list;
	switch (f->kind) {
	case FIELD_BOOL:
		is_there = is_there || *(const bool *)member;
		return is_there ? export_made(json_boolean(*(const bool *)member)) : NULL;
	case FIELD_INT:
		is_there =
			*(const int64_t *)member != 0 || (is_there && (f->flags & FIELD_NIL) == 0);
		return is_there ? export_made(json_integer(*(const int64_t *)member)) : NULL;
	case FIELD_NUM:
		return is_there ? export_made(json_real(*(const double *)member)) : NULL;
	case FIELD_STR:
	case FIELD_TEXT:
		return text->len > 0 ? export_text(*text) : NULL;
	case FIELD_ENUM:
		return is_there ? export_text(f->words->list[field_enum(f, in)]) : NULL;
	case FIELD_STRS:
		list = strs->n > 0 ? export_made(json_array()) : NULL;
		for (size_t i = 0; i < strs->n; i++) {
			export_append(list, export_text(strs->items[i]));
		}
		return list;
	case FIELD_REC:
		return is_there ? export_record(f->of, member) : NULL;
	case FIELD_RECS: {
		const char *items;
		memcpy(&items, member, sizeof(items));
		list = is_there ? export_made(json_array()) : NULL;
		for (size_t i = 0; list != NULL && i < field_recs_n(member); i++) {
			export_append(list, export_record(f->of, items + i * f->of->size));
		}
		return list;
	}
	case FIELD_ANY:
		break; /* no record here has one */
	}
	return NULL;
}

json_t *export_record(const struct record *rec, const void *in)
{
	json_t *object = export_made(json_object());
	for (size_t i = 0; i < rec->n; i++) {
		json_t *value = export_value(&rec->fields[i], in);
		if (value != NULL) {
			export_set(object, rec->fields[i].name, value);
		}
	}
	return object;
}

/* Those with a name; what is not to be known of them is not said. */
static json_t *export_users(const struct replica *r)
{
	json_t *list = export_made(json_array());
	for (size_t i = 0; i < r->users.n; i++) {
		struct user_view m = *replica_member_at(r, i);
		if (replica_hides_voters(r)) {
			m.has_vote = m.with_has_vote = false;
		}
		if (m.username.data != NULL) {
			export_append(list, export_record(&record_user_view, &m));
		}
	}
	return list;
}

void export_json(const struct export_room *x, struct buf *out)
{
	const struct replica *r = x->room;
	struct export_stats stats;
	json_t *whole = export_record(&record_room_view, &r->room);
	json_t *stories = export_made(json_array());
	json_t *rounds = export_made(json_array());
	json_t *left = export_made(json_array());
	for (size_t i = 0; i < r->stories.n + r->removed.n; i++) {
		export_append(stories, export_record(&record_story_view, replica_story_at(r, i)));
	}
	for (size_t i = 0; i < r->left.n; i++) {
		export_append(left, export_record(&record_round_vote, r->left.items[i]));
	}
	for (size_t i = 0; i < x->rounds.n; i++) {
		export_append(rounds, export_record(&record_round_view, export_round_at(x, i)));
	}
	export_count(x, &stats);
	export_set(whole, "room_id", export_text(slice_str(r->room_id)));
	export_set(whole, "users", export_users(r));
	export_set(whole, "left_votes", left);
	export_set(whole, "stories", stories);
	export_set(whole, "rounds", rounds);
	export_set(whole, "statistics", export_record(&record_export_stats, &stats));
	char *text = memory_have(json_dumps(whole, JSON_INDENT(2) | JSON_REAL_PRECISION(10)));
	(void)buf_append_slice(out, slice_str(text));
	(void)buf_append(out, "\n", 1);
	free(text);
	json_decref(whole);
}
