/*
 * stories_import.c - what a text is taken for, and JSON; see stories_import.h.
 */
#include "client/formats/import/stories_import.h"

#include <string.h>

#include <jansson.h>

#include "client/formats/csv.h"
#include "client/formats/import/import_check.h"
#include "client/formats/import/import_markdown.h"
#include "client/formats/import/import_table.h"
#include "client/model/memory.h"
#include "proto/base/format.h"

static const struct {
	const char *name;
	enum import_format format;
} import_formats[] = {{"lines", IMPORT_LINES}, {"md", IMPORT_MARKDOWN}, {"csv", IMPORT_CSV},
		      {"tsv", IMPORT_TABS},    {"json", IMPORT_JSON},	{"jsonl", IMPORT_JSON}};

const char *stories_import_format_name(size_t i)
{
	return i < sizeof(import_formats) / sizeof(import_formats[0]) ? import_formats[i].name
								      : NULL;
}

bool stories_import_format(struct slice name, enum import_format *out)
{
	for (size_t i = 0; stories_import_format_name(i) != NULL; i++) {
		if (slice_eq(name, slice_str(import_formats[i].name))) {
			*out = import_formats[i].format;
			return true;
		}
	}
	return false;
}

size_t stories_import_skipped(const struct stories_import *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->remarks_n; i++) {
		n += s->remarks[i].is_skipped;
	}
	return n;
}

/* ---- lines, CSV and tabs ---- */

static struct slice import_without_mark(struct slice text)
{
	return slice_starts(text, SLICE("\xef\xbb\xbf")) ? slice_of(text.data + 3, text.len - 3)
							 : text;
}

static void import_lines(struct import *im, struct slice text)
{
	struct slice line;
	size_t at = 0;
	for (size_t number = 1; import_goes_on(im) && import_next_line(text, &at, &line);
	     number++) {
		struct import_raw raw = {.line = number, .title = line};
		if (!import_is_blank(line)) {
			im->take(im, &raw);
		}
	}
}

static void import_csv(struct import *im, struct slice text)
{
	struct csv_record *row = memory_have(arena_alloc(im->arena, sizeof(*row)));
	struct import_header h = {0};
	struct csv c;
	csv_begin(&c, text);
	for (bool is_first = true; import_goes_on(im) && csv_next(&c, im->arena, row);
	     is_first = false) {
		if (is_first) {
			import_header_read(row, &h);
			im->out->lacks_header = !h.is_there && row->n > 1;
		}
		if (!h.is_there) {
			import_row_bare(im, row, false);
		} else if (!is_first) {
			import_row(im, &h, row);
		}
	}
}

/* With a header it is CSV; without one no cell is quoted. */
static void import_tabs(struct import *im, struct slice text)
{
	struct csv_record *row = memory_have(arena_alloc(im->arena, sizeof(*row)));
	struct slice line;
	size_t at = 0;
	for (size_t number = 1; import_goes_on(im) && import_next_line(text, &at, &line);
	     number++) {
		if (!import_is_blank(line)) {
			csv_split_tabs(line, row);
			row->line = number;
			import_row_bare(im, row, true);
		}
	}
}

/* ---- JSON ---- */

/* A member as text in the arena: numbers are estimates that somebody wrote without quotes. */
static struct slice import_text(struct import *im, const json_t *value)
{
	char number[32];
	if (json_is_string(value)) {
		return memory_copy(im->arena,
				   slice_of(json_string_value(value), json_string_length(value)));
	}
	if (json_is_number(value)) {
		size_t len = format_to(number, sizeof(number), "%.15g", json_number_value(value));
		return memory_copy(im->arena, slice_of(number, len));
	}
	return (struct slice){0};
}

/*
 * The first of these members that is one, ours or of the APIs of GitHub, GitLab and Jira; of Jira
 * most are in `fields`.
 */
static struct slice import_member(struct import *im, const json_t *object,
				  const char *const names[])
{
	const json_t *fields = json_object_get(object, "fields");
	struct slice found = {0};
	for (size_t i = 0; names[i] != NULL && found.len == 0; i++) {
		found = import_text(im, json_object_get(object, names[i]));
		if (found.len == 0) {
			found = import_text(im, json_object_get(fields, names[i]));
		}
	}
	return found;
}
#define IMPORT_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void import_object(struct import *im, size_t line, const json_t *object)
{
	if (!json_is_object(object)) {
		import_remark(im, line, true, "is not a JSON object");
		return;
	}
	if (json_is_true(json_object_get(object, "is_removed"))) {
		return;
	}
	struct import_raw raw = {
		.line = line,
		.key = import_member(im, object, IMPORT_NAMES("key")),
		.title = import_member(im, object, IMPORT_NAMES("title", "summary", "name")),
		.link = import_member(im, object,
				      IMPORT_NAMES("link", "html_url", "web_url", "url")),
		.description = import_member(im, object,
					     IMPORT_NAMES("description", "notes", "note", "body")),
		.status = import_member(im, object, IMPORT_NAMES("status")),
		.estimate = import_member(im, object, IMPORT_NAMES("estimate", "points", "weight")),
		.unit = import_member(im, object, IMPORT_NAMES("unit")),
		.quantity = import_member(im, object, IMPORT_NAMES("quantity")),
		.category = import_member(im, object, IMPORT_NAMES("category")),
		.expiry = import_member(im, object, IMPORT_NAMES("expiry")),
	};
	if (raw.key.len == 0) {
		raw.key = import_number_key(im, import_member(im, object,
							      IMPORT_NAMES("number", "iid")));
	}
	im->take(im, &raw);
}

/* NULL: it is no JSON. */
static json_t *import_load(struct slice text)
{
	return json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES, NULL);
}

static void import_json_lines(struct import *im, struct slice text)
{
	struct slice line;
	size_t at = 0;
	for (size_t number = 1; import_goes_on(im) && import_next_line(text, &at, &line);
	     number++) {
		if (import_is_blank(line)) {
			continue;
		}
		json_t *object = import_load(line);
		if (object == NULL) {
			import_remark(im, number, true, "is not JSON");
		} else {
			import_object(im, number, object);
		}
		json_decref(object);
	}
}

/* One document, where the text is one; else an object a line. */
static void import_json(struct import *im, struct slice text)
{
	json_t *whole = import_load(text);
	const json_t *list = json_is_array(whole) ? whole : json_object_get(whole, "stories");
	list = list == NULL ? json_object_get(whole, "issues") : list;
	list = list == NULL ? json_object_get(whole, "items") : list;
	if (!json_is_array(list)) {
		json_decref(whole);
		import_json_lines(im, text);
		return;
	}
	im->out->is_document = true;
	for (size_t i = 0; i < json_array_size(list) && import_goes_on(im); i++) {
		import_object(im, i + 1, json_array_get(list, i));
	}
	json_decref(whole);
}

/* ---- all of them ---- */

/* A first line that names columns makes it CSV; a single column must be one that nobody calls a
 * story. */
static bool import_has_header(struct import *im, struct slice text)
{
	struct csv_record *first = memory_have(arena_alloc(im->arena, sizeof(*first)));
	struct import_header h;
	struct csv c;
	csv_begin(&c, text);
	if (!csv_next(&c, im->arena, first)) {
		return false;
	}
	import_header_read(first, &h);
	struct slice only = import_trim(first->cells[0]);
	return h.is_there &&
	       (first->n > 1 || slice_eq(only, SLICE("title")) || slice_eq(only, SLICE("Title")) ||
		slice_eq(only, SLICE("Summary")) || slice_eq(only, SLICE("name")));
}

/* "{", or "[" with an object or nothing in it: "[x] a task" and "[PAY-1] Pay" are none. */
static bool import_is_json(struct slice text)
{
	if (text.len == 0) {
		return false;
	}
	char first = text.data[0];
	struct slice inner = import_trim(slice_of(text.data + 1, text.len - 1));
	char second = inner.len > 0 ? inner.data[0] : '\0';
	return first == '{' || (first == '[' && (second == '{' || second == '[' || second == ']'));
}

static bool import_has_tabs(struct slice text)
{
	struct slice line = {0};
	size_t at = 0;
	while (import_is_blank(line) && import_next_line(text, &at, &line)) {
	}
	line = import_trim(line);
	return line.len > 0 && memchr(line.data, '\t', line.len) != NULL;
}

static enum import_format import_guess(struct import *im, struct slice text)
{
	if (import_is_json(import_trim(text))) {
		return IMPORT_JSON;
	}
	if (import_has_header(im, text)) {
		return IMPORT_CSV;
	}
	return import_has_tabs(text) ? IMPORT_TABS : IMPORT_MARKDOWN;
}

static void import_text_as(struct import *im, struct slice text, enum import_format format)
{
	text = import_without_mark(text);
	bool is_guessed =
		format == IMPORT_GUESS || (format == IMPORT_TABS && import_has_header(im, text));
	im->out->format = is_guessed ? import_guess(im, text) : format;
	switch (im->out->format) {
	case IMPORT_GUESS:
	case IMPORT_MARKDOWN:
		import_markdown(im, text);
		break;
	case IMPORT_LINES:
		import_lines(im, text);
		break;
	case IMPORT_CSV:
		import_csv(im, text);
		break;
	case IMPORT_TABS:
		import_tabs(im, text);
		break;
	case IMPORT_JSON:
		import_json(im, text);
		break;
	}
}

void stories_import_read(struct slice text, enum import_format format, struct slices deck,
			 struct arena *arena, struct stories_import *out)
{
	*out = (struct stories_import){.stories = NULL};
	struct import im = {.out = out, .take = import_take_story, .arena = arena, .deck = deck};
	import_text_as(&im, text, format);
	import_drop_doubles(&im);
}

void items_import_read(struct slice text, enum import_format format, struct arena *arena,
		       struct stories_import *out)
{
	*out = (struct stories_import){.stories = NULL};
	struct import im = {.out = out, .take = import_take_item, .arena = arena};
	import_text_as(&im, text, format);
	import_drop_doubles(&im);
}
