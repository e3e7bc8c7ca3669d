/*
 * import_compare.c - what of an import is there already: a file that was imported before
 * and is imported again, with what has changed in it and what came since.
 *
 * Not here: what is sent (client/cli/rooms/import_send.c).
 */
#include <stdlib.h>
#include <string.h>

#include "client/formats/import_check.h"
#include "client/formats/stories_import.h"
#include "client/model/memory.h"
#include "proto/base/buf.h"

/* ---- what is there, by what it is known by ---- */

struct known {
	struct slice by;
	const void *is;
	size_t at; /* in its list */
};

/* A key, or two texts: what is shown has no separator, so that neither is taken for the other. */
static struct slice known_by(struct arena *arena, struct slice key, struct slice name,
			     struct slice more)
{
	bool has_key = key.len > 0;
	struct buf text;
	buf_init(&text, SIZE_MAX);
	(void)buf_append_slice(&text, has_key ? key : name);
	(void)buf_append_slice(&text, SLICE("\x1f"));
	(void)buf_append_slice(&text, has_key ? SLICE("") : more);
	(void)buf_append_slice(&text, has_key ? SLICE("") : SLICE("\x1f"));
	(void)memory_check(text.error);
	struct slice by = memory_copy(arena, buf_slice(&text));
	buf_finish(&text);
	return by;
}

static int by_text(struct slice a, struct slice b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = memcmp(a.data, b.data, len);
	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_text_and_place(const void *left, const void *right)
{
	const struct known *a = left;
	const struct known *b = right;
	int order = by_text(a->by, b->by);
	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* The first of those; NULL: there is none. */
static const void *known_find(const struct known *all, size_t n, struct slice by)
{
	size_t from = 0;
	size_t to = n;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (by_text(all[middle].by, by) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from < n && by_text(all[from].by, by) == 0 ? all[from].is : NULL;
}

/* What is not said in the import stays as it is. */
static bool differs(struct slice said, struct slice is)
{
	return said.len > 0 && !slice_eq(said, is);
}

/* ---- stories ---- */

size_t stories_import_compare(struct stories_import *out, const struct replica *room,
			      struct arena *arena)
{
	size_t bytes = (out->stories_n + 1) * sizeof(*out->stories);
	struct import_story *all = memory_have(arena_alloc(arena, bytes));
	struct import_story *changed = memory_have(arena_alloc(arena, bytes));
	size_t has = room->stories.n;
	struct known *known = memory_new(has, sizeof(*known));
	size_t known_n = 0;
	size_t changed_n = 0;
	size_t n = 0;
	for (size_t i = 0; i < has; i++) {
		const struct story_view *is = replica_story_at(room, i);
		known[i] = (struct known){known_by(arena, is->key, is->title, is->link), is, i};
	}
	qsort(known, has, sizeof(*known), by_text_and_place);
	for (size_t i = 0; i < out->stories_n; i++) {
		struct import_story s = out->stories[i];
		const struct story_view *is =
			known_find(known, has, known_by(arena, s.key, s.title, s.link));
		if (is == NULL) {
			all[n++] = s;
			continue;
		}
		known_n++;
		if (differs(s.title, is->title) || differs(s.link, is->link) ||
		    differs(s.description, is->description)) {
			s.story_id = memory_copy(arena, is->story_id);
			changed[changed_n++] = s;
		}
	}
	free(known);
	memcpy(all + n, changed, changed_n * sizeof(*all));
	out->stories = all;
	out->stories_n = n + changed_n;
	return known_n;
}

/* ---- items ---- */

/* The word that a name begins with, where that is a key; empty: it has none. */
static struct slice name_key(struct slice name)
{
	const char *blank = memchr(name.data, ' ', name.len);
	struct slice word = slice_of(name.data, blank == NULL ? 0 : (size_t)(blank - name.data));
	return import_is_key(word) ? word : (struct slice){0};
}

static struct slice item_known_by(struct arena *arena, struct slice name)
{
	return known_by(arena, name_key(name), name, (struct slice){0});
}

size_t items_import_compare(struct stories_import *out, const struct item_view *const *items,
			    size_t n, struct arena *arena)
{
	size_t bytes = (out->items_n + 1) * sizeof(*out->items);
	struct import_item *all = memory_have(arena_alloc(arena, bytes));
	struct import_item *changed = memory_have(arena_alloc(arena, bytes));
	struct known *known = memory_new(n, sizeof(*known));
	size_t known_n = 0;
	size_t changed_n = 0;
	size_t new_n = 0;
	for (size_t i = 0; i < n; i++) {
		known[i] = (struct known){item_known_by(arena, items[i]->name), items[i], i};
	}
	qsort(known, n, sizeof(*known), by_text_and_place);
	for (size_t i = 0; i < out->items_n; i++) {
		struct import_item item = out->items[i];
		const struct item_view *is = known_find(known, n, item_known_by(arena, item.name));
		if (is == NULL) {
			all[new_n++] = item;
			continue;
		}
		known_n++;
		if (differs(item.name, is->name) || differs(item.note, is->note)) {
			item.item_id = memory_copy(arena, is->item_id);
			changed[changed_n++] = item;
		}
	}
	free(known);
	memcpy(all + new_n, changed, changed_n * sizeof(*all));
	out->items = all;
	out->items_n = new_n + changed_n;
	return known_n;
}
