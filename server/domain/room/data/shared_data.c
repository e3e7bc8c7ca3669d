/*
 * shared_data.c - the containers behind shared_data.h.
 */
#include "server/domain/room/data/shared_data.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/arena.h"
#include "proto/base/assert.h"
#include "proto/base/format.h"

/* What an entry counts towards DATA_BYTES: its value, its id, and a little for what is around them.
 */
static size_t entry_bytes(const struct data_entry_state *e)
{
	return e->value_len + strlen(e->id) + DATA_ENTRY_BYTES;
}

static void copy_id(char *out, struct slice id)
{
	ASSERT_CMP(id.len, <=, MAX_DATA_NAME_BYTES);
	memcpy(out, id.data, id.len);
	out[id.len] = '\0';
}

/* ---- sets ---- */

struct data_set *data_find(struct data_store *d, enum data_kind kind, struct slice name)
{
	struct data_set *set;
	DL_FOREACH (d->sets, set) {
		if (set->kind == kind && slice_eq(slice_str(set->name), name)) {
			return set;
		}
	}
	return NULL;
}

struct data_set *data_add(struct data_store *d, enum data_kind kind, struct slice name,
			  int64_t wall_ms)
{
	struct data_set *set = calloc(1, sizeof(*set));
	if (set == NULL) {
		return NULL;
	}
	set->kind = kind;
	set->created_on = wall_ms;
	copy_id(set->name, name);
	DL_APPEND(d->sets, set);
	d->n++;
	return set;
}

void data_clear(struct data_store *d, struct data_set *set)
{
	while (set->entries != NULL) {
		data_entry_remove(d, set, set->entries);
	}
}

void data_remove(struct data_store *d, struct data_set *set)
{
	data_clear(d, set);
	DL_DELETE(d->sets, set);
	d->n--;
	free(set);
}

static void data_free_gone(struct data_store *d)
{
	while (d->gone != NULL) {
		struct gone_data *gone = d->gone;
		LL_DELETE(d->gone, gone);
		free(gone);
	}
}

void data_finish(struct data_store *d)
{
	while (d->sets != NULL) {
		data_remove(d, d->sets);
	}
	data_free_gone(d);
}

/* ---- entries ---- */

struct data_entry_state *data_entry(struct data_set *set, struct slice id)
{
	struct data_entry_state *e = NULL;
	HASH_FIND(hh, set->by_id, id.data, id.len, e);
	return e;
}

static bool entry_copy(struct data_entry_state *e, struct slice value)
{
	char *copy = malloc(value.len + 1);
	if (copy == NULL) {
		return false;
	}
	memcpy(copy, value.data, value.len);
	free(e->value);
	e->value = copy;
	e->value_len = value.len;
	return true;
}

struct data_entry_state *data_entry_add(struct data_store *d, struct data_set *set, struct slice id,
					struct slice value)
{
	struct data_entry_state *e = calloc(1, sizeof(*e));
	if (e == NULL || !entry_copy(e, value)) {
		free(e);
		return NULL;
	}
	copy_id(e->id, id);
	HASH_ADD_KEYPTR(hh, set->by_id, e->id, (unsigned)id.len, e);
	if (e->hh.tbl == NULL) {
		free(e->value);
		free(e);
		return NULL;
	}
	DL_APPEND(set->entries, e);
	set->n++;
	d->bytes += entry_bytes(e);
	return e;
}

bool data_entry_set(struct data_store *d, struct data_entry_state *e, struct slice value)
{
	size_t before = entry_bytes(e);
	if (!entry_copy(e, value)) {
		return false;
	}
	d->bytes = d->bytes - before + entry_bytes(e);
	return true;
}

void data_entry_remove(struct data_store *d, struct data_set *set, struct data_entry_state *e)
{
	d->bytes -= entry_bytes(e);
	HASH_DELETE(hh, set->by_id, e);
	DL_DELETE(set->entries, e);
	set->n--;
	free(e->value);
	free(e);
}

/* ---- marks ---- */

size_t data_sk_of(const struct data_set *set, struct slice rest, bool is_prefix,
		  char out[DATA_SK_BYTES_MAX])
{
	static const char *const kinds[] = {
		[DATA_PRESENCE] = "PRESENCE",
		[DATA_MAP] = "MAP",
		[DATA_LIST] = "LIST",
	};
	const char *split = rest.len > 0 || is_prefix ? "#" : "";
	return format_to(out, DATA_SK_BYTES_MAX, "%s#%s%s%.*s", kinds[set->kind], set->name, split,
			 (int)rest.len, rest.len > 0 ? rest.data : "");
}

bool data_gone(struct data_store *d, const struct data_set *set, struct slice rest, bool is_prefix)
{
	struct gone_data *gone = calloc(1, sizeof(*gone));
	if (gone == NULL) {
		return false;
	}
	gone->sk_len = data_sk_of(set, rest, is_prefix, gone->sk);
	gone->is_prefix = is_prefix;
	LL_PREPEND(d->gone, gone);
	d->is_marked = true;
	return true;
}

void data_clear_marks(struct data_store *d)
{
	struct data_set *set;
	struct data_entry_state *e;
	if (!d->is_marked) {
		return;
	}
	DL_FOREACH (d->sets, set) {
		set->needs_write = false;
		DL_FOREACH (set->kind == DATA_PRESENCE ? NULL : set->entries, e) {
			if (e->needs_write) {
				e->needs_write = false;
				e->stored_rank = e->rank;
			}
		}
	}
	data_free_gone(d);
	d->is_marked = false;
}

/* ---- wire ---- */

static void view_entry(const struct data_set *set, const struct data_entry_state *e,
		       bool with_value, struct data_entry *out)
{
	*out = (struct data_entry){
		.entry_id = slice_str(e->id),
		.rank = slice_str(set->kind == DATA_LIST ? e->rank.text : ""),
		.value = slice_of(e->value, with_value && !e->is_gone ? e->value_len : 0),
		.revision = set->kind == DATA_PRESENCE || e->is_gone ? 0 : e->revision,
		.by = slice_str(e->by),
		.is_gone = e->is_gone,
	};
}

bool data_view(const struct data_set *set, const struct data_entry_state *only, bool with_value,
	       struct arena *arena, struct data_change *out)
{
	*out = (struct data_change){.kind = set->kind, .name = slice_str(set->name)};
	out->entries = arena_alloc(arena, (only != NULL ? 1 : set->n + 1) * sizeof(*out->entries));
	if (out->entries == NULL) {
		return false;
	}
	if (only != NULL) {
		view_entry(set, only, with_value, &out->entries[out->entries_n++]);
		return true;
	}
	const struct data_entry_state *e;
	DL_FOREACH (set->entries, e) {
		if (!e->is_gone) {
			view_entry(set, e, with_value, &out->entries[out->entries_n++]);
		}
	}
	return true;
}
