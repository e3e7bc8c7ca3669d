/*
 * shared_data_methods.c - maps and lists that the members of a room share.
 *
 * Each change is a data frame of its own, encoded when it happens: its value may
 * be large, and the connection that sent it need not receive it back. Values are
 * not merged; a client that must not overwrite another's change uses if_revision.
 */
#include "server/domain/room/room_state.h"

#include <stdlib.h>
#include <string.h>

#include <msgpack.h>
#include <utlist.h>

#include "proto/records/record_pack.h"
#include "proto/text/text.h"

/* ---- data frames ---- */

void data_frame_destroy(struct data_frame *f)
{
	if (f == NULL) {
		return;
	}
	buf_finish(&f->whole);
	buf_finish(&f->for_author);
	buf_finish(&f->without);
	free(f);
}

void room_free_data_frames(struct room *r)
{
	while (r->data_frames != NULL) {
		struct data_frame *f = r->data_frames;
		LL_DELETE(r->data_frames, f);
		data_frame_destroy(f);
	}
}

void room_emit_data(struct room *r, const struct data_set *set, const struct data_entry_state *e,
		    bool with_value, bool is_gone, uint64_t author)
{
	struct arena arena = {0};
	struct data_change change;
	struct data_change short_change;
	struct data_frame *f = calloc(1, sizeof(*f));
	struct room_update u = {
		.room_id = slice_str(r->room_id),
		.epoch = r->epoch,
		.since = r->shown_version,
		.version = r->version + 1,
	};
	bool ok = f != NULL && data_view(set, e, with_value, &arena, &change) &&
		  data_view(set, e, false, &arena, &short_change);
	if (ok) {
		f->whole.max = f->for_author.max = f->without.max = (size_t)32 << 20;
		change.is_gone = is_gone;
		short_change.is_gone = is_gone;
		room_write_update(&u, &f->without);
		u.data_n = 1;
		u.data = &change;
		room_write_update(&u, &f->whole);
		u.data = &short_change;
		room_write_update(&u, &f->for_author);
		ok = f->whole.error == OK && f->for_author.error == OK && f->without.error == OK;
	}
	arena_finish(&arena);
	if (!ok) {
		data_frame_destroy(f);
		r->is_short_of_memory = true;
		return;
	}
	r->owes_delta = r->owes_delta || r->version != r->shown_version;
	f->author = author;
	f->since = u.since;
	f->version = u.version;
	r->version = u.version;
	r->shown_version = u.version;
	LL_APPEND(r->data_frames, f);
}

/* ---- checks ---- */

/* A name is part of a key: without the sign that splits keys. */
static enum fault_code check_name(struct room_call *c, struct slice name)
{
	return memchr(name.data, '#', name.len) != NULL
		       ? fault_field(c->fault, "name", "must not contain #")
		       : FAULT_NONE;
}

struct data_set *room_data_find(struct room *r, struct room_call *c, enum data_kind kind,
				struct slice name)
{
	if (check_name(c, name) != FAULT_NONE) {
		return NULL;
	}
	struct data_set *set = data_find(&r->data, kind, name);
	if (set == NULL) {
		fault_set_field(c->fault, FAULT_NOT_FOUND, "name",
				"is not a %s of this room; create it first",
				words_text(&words_data_kind, (int)kind));
	}
	return set;
}

/* NULL with *c->fault; where set is NULL, that is filled already. */
static struct data_entry_state *find_entry(struct room_call *c, struct data_set *set,
					   const char *field, struct slice id)
{
	struct data_entry_state *e = set == NULL ? NULL : data_entry(set, id);
	if (set != NULL && e == NULL) {
		fault_set_field(c->fault, FAULT_NOT_FOUND, field, "is not an entry of the %s",
				words_text(&words_data_kind, (int)set->kind));
	}
	return e;
}

/* {value, revision, by?}, or {} for nothing. */
static void pack_current(struct buf *b, const struct data_entry_state *e)
{
	msgpack_packer p;
	msgpack_packer_init(&p, b, record_pack_bytes);
	if (e == NULL) {
		(void)msgpack_pack_map(&p, 0);
		return;
	}
	(void)msgpack_pack_map(&p, e->by[0] == '\0' ? 2 : 3);
	record_pack_text(&p, SLICE("value"));
	buf_append(b, e->value, e->value_len);
	record_pack_text(&p, SLICE("revision"));
	(void)msgpack_pack_int64(&p, e->revision);
	if (e->by[0] != '\0') {
		record_pack_text(&p, SLICE("by"));
		record_pack_text(&p, slice_str(e->by));
	}
}

/* Move what a buffer holds into the call's arena; empty when memory is out. */
struct slice data_into_arena(struct room_call *c, struct buf *b)
{
	bool ok = b->error == OK;
	struct slice kept = ok ? arena_copy(c->arena, buf_slice(b), &ok) : (struct slice){0};
	buf_finish(b);
	return ok ? kept : (struct slice){0};
}

static enum fault_code check_revision(struct room_call *c, const struct data_entry_state *e,
				      bool given, int64_t wanted)
{
	struct buf b = {.max = 2 * MAX_DATA_VALUE_BYTES};
	if (!given || wanted == (e == NULL ? 0 : e->revision)) {
		return FAULT_NONE;
	}
	pack_current(&b, e);
	fault_set(c->fault, FAULT_CONFLICT, "changed since that revision; see `current`");
	c->fault->current = data_into_arena(c, &b);
	return c->fault->code;
}

/* ---- the sets themselves ---- */

static void data_marked(struct room *r, struct room_call *c)
{
	r->data.is_marked = true;
	room_extend(r, c->wall_ms, room_life_ms(r, c->limits));
}

static enum fault_code data_create(struct room *r, struct room_call *c, enum data_kind kind)
{
	const struct data_params *p = c->params;
	enum fault_code f = check_name(c, p->name);
	if (f != FAULT_NONE || data_find(&r->data, kind, p->name) != NULL) {
		return f;
	}
	if (r->data.n >= MAX_DATA_NAMES) {
		(void)fault_set_field(
			c->fault, FAULT_TOO_LARGE, "name",
			"is one too many; a room has at most %d presences, maps and lists",
			MAX_DATA_NAMES);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_DATA_NAMES, "names");
	}
	if (room_check_growth(r, c, p->name.len) != FAULT_NONE) {
		return c->fault->code;
	}
	struct data_set *set = data_add(&r->data, kind, p->name, c->wall_ms);
	if (set == NULL) {
		return room_out_of_memory(c);
	}
	memcpy(set->by, c->seat->user_id, sizeof(set->by));
	set->needs_write = true;
	data_marked(r, c);
	room_emit_data(r, set, NULL, false, false, 0);
	return FAULT_NONE;
}

static enum fault_code data_delete(struct room *r, struct room_call *c, enum data_kind kind)
{
	const struct data_params *p = c->params;
	struct data_set *set = room_data_find(r, c, kind, p->name);
	if (set == NULL || room_check_delete(r, c, set->by) != FAULT_NONE) {
		return c->fault->code;
	}
	if (!data_gone(&r->data, set, (struct slice){0}, false) ||
	    !data_gone(&r->data, set, (struct slice){0}, true)) {
		r->is_short_of_memory = true; /* half of it is marked: write none */
		return room_out_of_memory(c);
	}
	data_clear(&r->data, set);
	data_marked(r, c);
	room_emit_data(r, set, NULL, false, true, 0);
	data_remove(&r->data, set);
	return FAULT_NONE;
}

static void entry_changed(struct room *r, struct room_call *c, struct data_set *set,
			  struct data_entry_state *e, bool with_value)
{
	e->revision++;
	memcpy(e->by, c->seat->user_id, sizeof(e->by));
	e->needs_write = true;
	data_marked(r, c);
	room_emit_data(r, set, e, with_value, false, with_value ? c->caller : 0);
}

static enum fault_code remove_entry(struct room *r, struct room_call *c, struct data_set *set,
				    struct data_entry_state *e, struct slice rest)
{
	if (rest.len > 0 && !data_gone(&r->data, set, rest, false)) {
		return room_out_of_memory(c);
	}
	data_marked(r, c);
	memcpy(e->by, c->seat->user_id, sizeof(e->by));
	e->is_gone = true;
	room_emit_data(r, set, e, false, false, 0);
	data_entry_remove(&r->data, set, e);
	return FAULT_NONE;
}

/* ---- maps ---- */

enum fault_code on_MAP_SET(struct room *r, struct room_call *c)
{
	const struct map_set_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_MAP, p->name);
	struct data_entry_state *e = set == NULL ? NULL : data_entry(set, p->key);
	if (set == NULL ||
	    check_revision(c, e, p->with_if_revision, p->if_revision) != FAULT_NONE ||
	    room_data_check_value(r, c, set, p->value, e == NULL ? 0 : e->value_len) !=
		    FAULT_NONE) {
		return c->fault->code;
	}
	if (e == NULL && set->n >= MAX_MAP_KEYS) {
		(void)fault_set_field(c->fault, FAULT_TOO_LARGE, "key",
				      "is one too many; a map has at most %d", MAX_MAP_KEYS);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_MAP_KEYS, "keys");
	}
	if (e != NULL ? !data_entry_set(&r->data, e, p->value)
		      : (e = data_entry_add(&r->data, set, p->key, p->value)) == NULL) {
		return room_out_of_memory(c);
	}
	e->created_on = e->created_on != 0 ? e->created_on : c->wall_ms;
	entry_changed(r, c, set, e, true);
	struct revision_result *result = c->result;
	result->revision = e->revision;
	return FAULT_NONE;
}

enum fault_code on_MAP_REMOVE(struct room *r, struct room_call *c)
{
	const struct map_remove_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_MAP, p->name);
	struct data_entry_state *e = find_entry(c, set, "key", p->key);
	if (e == NULL || check_revision(c, e, p->with_if_revision, p->if_revision) != FAULT_NONE) {
		return c->fault->code;
	}
	return remove_entry(r, c, set, e, slice_str(e->id));
}

enum fault_code on_MAP_GET(struct room *r, struct room_call *c)
{
	const struct data_get_params *p = c->params;
	struct map_get_result *result = c->result;
	struct data_set *set = room_data_find(r, c, DATA_MAP, p->name);
	struct buf b = {.max = 16 * (size_t)MAX_DATA_BYTES};
	msgpack_packer packer;
	if (set == NULL) {
		return c->fault->code;
	}
	msgpack_packer_init(&packer, &b, record_pack_bytes);
	(void)msgpack_pack_map(&packer, set->n);
	const struct data_entry_state *e;
	DL_FOREACH (set->entries, e) {
		record_pack_text(&packer, slice_str(e->id));
		pack_current(&b, e);
	}
	result->epoch = r->epoch;
	result->version = r->version;
	result->entries = data_into_arena(c, &b);
	return result->entries.len > 0 ? FAULT_NONE : room_out_of_memory(c);
}

/* ---- lists ---- */

/* The entry in front of the place that params.before or after name; NULL: the end. */
static enum fault_code find_place(struct room_call *c, struct data_set *set, struct slice before,
				  struct slice after, struct data_entry_state **later)
{
	struct slice named = before.len > 0 ? before : after;
	struct data_entry_state *e = NULL;
	if (before.len > 0 && after.len > 0) {
		return fault_field(c->fault, "after", "cannot be combined with before");
	}
	if (named.len > 0 &&
	    (e = find_entry(c, set, before.len > 0 ? "before" : "after", named)) == NULL) {
		return c->fault->code;
	}
	*later = e != NULL && after.len > 0 ? e->next : e;
	return FAULT_NONE;
}

static void put_entry(struct room *r, struct data_set *set, struct data_entry_state *e,
		      struct data_entry_state *later)
{
	struct data_entry_state *other;
	bool is_renumbered;
	later = later == e ? e->next : later; /* in front of itself is where it stands */
	DL_DELETE(set->entries, e);
	RANK_INSERT(set->entries, e, later, other, is_renumbered);
	DL_FOREACH (is_renumbered ? set->entries : NULL, other) {
		other->needs_write = true;
	}
	if (is_renumbered) {
		/* All subscribers are sent the others' new ranks, without the values; the entry itself, which they may not
		 * know yet, is sent behind them. */
		DL_DELETE(set->entries, e);
		room_emit_data(r, set, NULL, false, false, 0);
		DL_PREPEND_ELEM(set->entries, later, e);
	}
}

/* An entry_id of the caller's choice, or empty: letters that every language takes as part of a name. */
static enum fault_code check_new_id(struct room_call *c, struct data_set *set, struct slice id)
{
	if (!text_is_id(id)) {
		return fault_field(c->fault, "entry_id",
				   "must be made of letters, digits, - and _");
	}
	return id.len == 0 || data_entry(set, id) == NULL
		       ? FAULT_NONE
		       : fault_set_field(c->fault, FAULT_CONFLICT, "entry_id",
					 "the list already has an entry with that entry_id");
}

static void entry_answer(struct room_call *c, const struct data_entry_state *e)
{
	struct entry_result *result = c->result;
	result->entry_id = slice_str(e->id);
	result->rank = slice_str(e->rank.text);
	result->revision = e->revision;
}

static enum fault_code add_entry(struct room *r, struct room_call *c,
				 const struct list_insert_params *p)
{
	struct data_set *set = room_data_find(r, c, DATA_LIST, p->name);
	struct data_entry_state *later = NULL;
	char id[USER_ID_CHARS + 1];
	if (set == NULL || room_data_check_value(r, c, set, p->value, 0) != FAULT_NONE ||
	    check_new_id(c, set, p->entry_id) != FAULT_NONE ||
	    find_place(c, set, p->before, p->after, &later) != FAULT_NONE) {
		return c->fault->code;
	}
	if (set->n >= MAX_LIST_ENTRIES) {
		(void)fault_set(c->fault, FAULT_TOO_LARGE, "a list has at most %d entries",
				MAX_LIST_ENTRIES);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_LIST_ENTRIES, "entries");
	}
	code_make(c->random, id, USER_ID_CHARS);
	struct data_entry_state *e =
		data_entry_add(&r->data, set, p->entry_id.len > 0 ? p->entry_id : slice_str(id),
			       p->value);
	if (e == NULL) {
		return room_out_of_memory(c);
	}
	e->created_on = c->wall_ms;
	put_entry(r, set, e, later);
	entry_changed(r, c, set, e, true);
	entry_answer(c, e);
	return FAULT_NONE;
}

enum fault_code on_LIST_PUSH(struct room *r, struct room_call *c)
{
	const struct list_push_params *p = c->params;
	const struct list_insert_params at_end = {.name = p->name,
						  .value = p->value,
						  .entry_id = p->entry_id};
	return add_entry(r, c, &at_end);
}

enum fault_code on_LIST_INSERT(struct room *r, struct room_call *c)
{
	const struct list_insert_params *p = c->params;
	if (p->before.len == 0 && p->after.len == 0) {
		return fault_field(c->fault, "before", "give either before or after");
	}
	return add_entry(r, c, p);
}

enum fault_code on_LIST_SET(struct room *r, struct room_call *c)
{
	const struct list_set_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_LIST, p->name);
	struct data_entry_state *e = find_entry(c, set, "entry_id", p->entry_id);
	if (e == NULL || check_revision(c, e, p->with_if_revision, p->if_revision) != FAULT_NONE ||
	    room_data_check_value(r, c, set, p->value, e->value_len) != FAULT_NONE) {
		return c->fault->code;
	}
	if (!data_entry_set(&r->data, e, p->value)) {
		return room_out_of_memory(c);
	}
	entry_changed(r, c, set, e, true);
	struct revision_result *result = c->result;
	result->revision = e->revision;
	return FAULT_NONE;
}

enum fault_code on_LIST_MOVE(struct room *r, struct room_call *c)
{
	const struct list_move_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_LIST, p->name);
	struct data_entry_state *e = find_entry(c, set, "entry_id", p->entry_id);
	struct data_entry_state *later = NULL;
	if (e == NULL || check_revision(c, e, p->with_if_revision, p->if_revision) != FAULT_NONE) {
		return c->fault->code;
	}
	if (p->before.len == 0 && p->after.len == 0) {
		return fault_field(c->fault, "before", "give either before or after");
	}
	if (find_place(c, set, p->before, p->after, &later) != FAULT_NONE) {
		return c->fault->code;
	}
	put_entry(r, set, e, later);
	entry_changed(r, c, set, e, false); /* its value is the same, and is not sent */
	entry_answer(c, e);
	return FAULT_NONE;
}

enum fault_code on_LIST_REMOVE(struct room *r, struct room_call *c)
{
	const struct list_remove_params *p = c->params;
	struct data_set *set = room_data_find(r, c, DATA_LIST, p->name);
	struct data_entry_state *e = find_entry(c, set, "entry_id", p->entry_id);
	if (e == NULL || check_revision(c, e, p->with_if_revision, p->if_revision) != FAULT_NONE) {
		return c->fault->code;
	}
	return remove_entry(r, c, set, e, slice_str(e->stored_rank.text));
}

enum fault_code on_LIST_GET(struct room *r, struct room_call *c)
{
	const struct data_get_params *p = c->params;
	struct list_get_result *out = c->result;
	struct data_set *set = room_data_find(r, c, DATA_LIST, p->name);
	if (set == NULL) {
		return c->fault->code;
	}
	out->entries = arena_alloc(c->arena, (set->n + 1) * sizeof(*out->entries));
	if (out->entries == NULL) {
		return room_out_of_memory(c);
	}
	const struct data_entry_state *e;
	DL_FOREACH (set->entries, e) {
		out->entries[out->entries_n++] = (struct list_entry){
			.entry_id = slice_str(e->id),
			.rank = slice_str(e->rank.text),
			.value = slice_of(e->value, e->value_len),
			.revision = e->revision,
			.by = slice_str(e->by),
		};
	}
	out->epoch = r->epoch;
	out->version = r->version;
	return FAULT_NONE;
}

/* ---- the same for each kind ---- */

#define SHARED_DATA_KIND(kind)                                                  \
	enum fault_code on_##kind##_CREATE(struct room *r, struct room_call *c) \
	{                                                                       \
		return data_create(r, c, DATA_##kind);                          \
	}                                                                       \
	enum fault_code on_##kind##_DELETE(struct room *r, struct room_call *c) \
	{                                                                       \
		return data_delete(r, c, DATA_##kind);                          \
	}
SHARED_DATA_KIND(PRESENCE)
SHARED_DATA_KIND(MAP)
SHARED_DATA_KIND(LIST)
