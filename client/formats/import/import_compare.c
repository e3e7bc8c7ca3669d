/*
 * import_compare.c - what of an import is there already: a file that was imported before
 * and is imported again, with what has changed in it and what came since.
 *
 * And what is in an import twice. Not here: what is sent (client/cli/rooms/import_send.c).
 */
#include <stdlib.h>
#include <string.h>

#include "client/formats/import/import_check.h"
#include "client/formats/import/issue_address.h"
#include "client/formats/import/stories_import.h"
#include "client/model/memory.h"
#include "proto/base/ascii.h"
#include "proto/base/buf.h"
#include "proto/base/format.h"
#include "proto/link.h"
#include "proto/text/issue_key.h"

/* ---- what is there, by what it is known by ---- */

struct known {
	struct slice by;
	struct slice link;
	const void *is;
	size_t at; /* in its list */
	size_t line;
};

/*
 * A key, in any case, or two texts: what is shown has no separator, so that neither is taken for
 * the other.
 */
static struct slice known_by(struct arena *arena, struct slice key, struct slice name,
			     struct slice more)
{
	bool has_key = key.len > 0;
	struct buf text;
	buf_init(&text, SIZE_MAX);
	(void)buf_append_slice(&text, has_key ? key : name);
	for (size_t i = 0; has_key && i < text.len; i++) {
		text.data[i] = ascii_lower(text.data[i]);
	}
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
	int order = len == 0 ? 0 : memcmp(a.data, b.data, len);
	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_text_and_place(const void *left, const void *right)
{
	const struct known *a = left;
	const struct known *b = right;
	int order = by_text(a->by, b->by);
	return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

/* A number alone is a key in each repository. */
static bool is_elsewhere(struct slice a, struct slice b)
{
	struct issue_address of_a;
	struct issue_address of_b;
	return !slice_eq(a, b) && issue_address_read(a, &of_a) && issue_address_read(b, &of_b) &&
	       of_a.key[0] == '#' && of_b.key[0] == '#';
}

/* The first of those; NULL: there is none. */
static const struct known *known_find(const struct known *all, size_t n, struct slice by,
				      struct slice link)
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
	for (; from < n && by_text(all[from].by, by) == 0; from++) {
		if (!is_elsewhere(all[from].link, link)) {
			return &all[from];
		}
	}
	return NULL;
}

/* What is not said in the import stays as it is. */
static bool differs(struct slice said, struct slice is)
{
	return said.len > 0 && !slice_eq(said, is);
}

/* ---- stories ---- */

/* One that was made from an item has its key in front of its title. */
static struct slice story_known_by(struct arena *arena, struct slice key, struct slice title,
				   struct slice link)
{
	return known_by(arena, key.len > 0 ? key : import_name_key(title), title, link);
}

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
		struct slice by = story_known_by(arena, is->key, is->title, is->link);
		known[i] = (struct known){.by = by, .link = is->link, .is = is, .at = i};
	}
	qsort(known, has, sizeof(*known), by_text_and_place);
	for (size_t i = 0; i < out->stories_n; i++) {
		struct import_story s = out->stories[i];
		const struct known *found =
			known_find(known, has, story_known_by(arena, s.key, s.title, s.link),
				   s.link);
		if (found == NULL) {
			all[n++] = s;
			continue;
		}
		const struct story_view *is = found->is;
		known_n++;
		s.key = is->key.len > 0 ? (struct slice){0} : s.key;
		if (s.key.len > 0 || differs(s.title, is->title) || differs(s.link, is->link) ||
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

size_t stories_import_new(const struct stories_import *s)
{
	size_t n = 0;
	while (n < s->stories_n && s->stories[n].story_id.len == 0) {
		n++;
	}
	return n;
}

void stories_import_fit(struct stories_import *out, const struct replica *room)
{
	size_t has = room->stories.n + room->removed.n;
	size_t fits = has < MAX_STORIES ? MAX_STORIES - has : 0;
	size_t n = stories_import_new(out);
	if (n > fits) {
		out->left_n = n - fits;
		out->left_line = out->stories[fits].line;
		memmove(out->stories + fits, out->stories + n,
			(out->stories_n - n) * sizeof(*out->stories));
		out->stories_n -= out->left_n;
	}
}

/* ---- items ---- */

/*
 * What is there, by its name and by the key that it begins with in any case: a word such as omega-3 is
 * one only if the import says so.
 */
static size_t items_known(struct arena *arena, const struct item_view *const *items, size_t n,
			  struct known *known)
{
	size_t known_n = 0;
	for (size_t i = 0; i < n; i++) {
		struct slice name = items[i]->name;
		struct slice key = slice_of(name.data, issue_key_front(name));
		struct known is = {.link = link_below(items[i]->note), .is = items[i], .at = i};
		is.by = known_by(arena, (struct slice){0}, name, (struct slice){0});
		known[known_n++] = is;
		is.by = known_by(arena, key, name, (struct slice){0});
		known_n += key.len > 0;
		known[known_n - 1] = is;
	}
	qsort(known, known_n, sizeof(*known), by_text_and_place);
	return known_n;
}

size_t items_import_compare(struct stories_import *out, const struct item_view *const *items,
			    size_t n, struct arena *arena)
{
	size_t bytes = (out->items_n + 1) * sizeof(*out->items);
	struct import_item *all = memory_have(arena_alloc(arena, bytes));
	struct import_item *changed = memory_have(arena_alloc(arena, bytes));
	struct known *known = memory_new(2 * n, sizeof(*known));
	size_t all_n = items_known(arena, items, n, known);
	size_t known_n = 0;
	size_t changed_n = 0;
	size_t new_n = 0;
	for (size_t i = 0; i < out->items_n; i++) {
		struct import_item item = out->items[i];
		const struct known *found =
			known_find(known, all_n,
				   known_by(arena, item.key, item.name, (struct slice){0}),
				   link_below(item.note));
		if (found == NULL) {
			all[new_n++] = item;
			continue;
		}
		const struct item_view *is = found->is;
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

/* ---- within the import ---- */

/* What the entry is known by, if it has a key; else nothing. */
static struct known import_known(struct import *im, size_t i)
{
	const struct stories_import *out = im->out;
	bool is_item = out->items_n > 0;
	struct slice name = is_item ? out->items[i].name : out->stories[i].title;
	struct slice key = is_item ? out->items[i].key : out->stories[i].key;
	key = key.len > 0 ? key : import_name_key(name);
	return (struct known){
		.by = key.len > 0 ? known_by(im->arena, key, name, name) : key,
		.link = is_item ? link_below(out->items[i].note) : out->stories[i].link,
		.at = i,
		.line = is_item ? out->items[i].line : out->stories[i].line,
	};
}

/*
 * In any case, where another entry has such a key: "pay-1 Refund" is known by PAY-1 then, while a word such as
 * omega-3 is none where nothing is called OMEGA-3.
 */
static struct slice import_known_loosely(struct import *im, size_t i)
{
	const struct stories_import *out = im->out;
	bool is_item = out->items_n > 0;
	struct slice name = is_item ? out->items[i].name : out->stories[i].title;
	struct slice key = slice_of(name.data, issue_key_front(name));
	return key.len > 0 ? known_by(im->arena, key, name, name) : key;
}

static void import_remark_double(struct import *im, size_t line, size_t first)
{
	enum { DOUBLE_BYTES = 64 };
	char *text = memory_have(arena_alloc(im->arena, DOUBLE_BYTES));
	(void)format_to(text, DOUBLE_BYTES, "has the same key as %s %zu",
			im->out->is_document ? "number" : "line", first);
	import_remark(im, line, true, text);
}

void import_drop_doubles(struct import *im)
{
	struct stories_import *out = im->out;
	bool is_item = out->items_n > 0;
	size_t n = is_item ? out->items_n : out->stories_n;
	size_t kept = 0;
	bool is_given_up = out->is_given_up; /* all of it has been read */
	struct known *entries = memory_new(n, sizeof(*entries));
	struct known *known = memory_new(n, sizeof(*known));
	for (size_t i = 0; i < n; i++) {
		entries[i] = known[i] = import_known(im, i);
	}
	qsort(known, n, sizeof(*known), by_text_and_place);
	for (size_t i = 0; i < n; i++) {
		const struct known *is = &entries[i];
		bool is_loose = is->by.len == 0;
		struct slice by = is_loose ? import_known_loosely(im, i) : is->by;
		const struct known *first = by.len > 0 ? known_find(known, n, by, is->link) : NULL;
		if (first != NULL && (is_loose || first->at < i)) {
			import_remark_double(im, is->line, first->line);
		} else if (is_item) {
			out->items[kept++] = out->items[i];
		} else {
			out->stories[kept++] = out->stories[i];
		}
	}
	free(entries);
	free(known);
	out->is_given_up = is_given_up;
	*(is_item ? &out->items_n : &out->stories_n) = kept;
}
