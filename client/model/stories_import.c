/*
 * stories_import.c - lines, CSV and JSON as stories; see stories_import.h.
 */
#include "client/model/stories_import.h"

#include <string.h>

#include <jansson.h>

#include "client/model/csv.h"
#include "client/model/import_check.h"
#include "client/model/memory.h"
#include "proto/format.h"

static const struct {
	const char *name;
	enum import_format format;
} import_formats[] = {{"lines", IMPORT_LINES},
		      {"csv", IMPORT_CSV},
		      {"json", IMPORT_JSON},
		      {"jsonl", IMPORT_JSON}};

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

/* ---- lines ---- */

static struct slice import_without_mark(struct slice text)
{
	return slice_starts(text, SLICE("\xef\xbb\xbf")) ? slice_of(text.data + 3, text.len - 3)
							 : text;
}

/* The next line without its end; false at the end of the text. */
static bool import_next_line(struct slice text, size_t *at, struct slice *line)
{
	if (*at >= text.len) {
		return false;
	}
	const char *end = memchr(text.data + *at, '\n', text.len - *at);
	size_t len = end == NULL ? text.len - *at : (size_t)(end - text.data) - *at;
	*line = slice_of(text.data + *at, len);
	line->len -= len > 0 && line->data[len - 1] == '\r';
	*at += len + 1;
	return true;
}

static void import_lines(struct import *im, struct slice text)
{
	struct slice line;
	size_t at = 0;
	for (size_t number = 1; import_goes_on(im) && import_next_line(text, &at, &line);
	     number++) {
		struct import_raw raw = {.line = number, .title = line};
		if (!import_is_blank(line)) {
			import_take(im, &raw);
		}
	}
}

/* ---- CSV ---- */

enum import_column {
	COLUMN_TITLE,
	COLUMN_KEY,
	COLUMN_LINK,
	COLUMN_NOTES,
	COLUMN_STATUS,
	COLUMN_ESTIMATE,
	COLUMN_RECORD, /* of our own export: what kind of row it is */
	COLUMN_COUNT
};

/* Names of columns, ours and those of other programs; the first column of a kind counts. */
static const struct {
	const char *name;
	enum import_column column;
} import_columns[] = {
	{"title", COLUMN_TITLE},
	{"summary", COLUMN_TITLE},
	{"story", COLUMN_TITLE},
	{"name", COLUMN_TITLE},
	{"key", COLUMN_KEY},
	{"issue key", COLUMN_KEY},
	{"link", COLUMN_LINK},
	{"url", COLUMN_LINK},
	{"notes", COLUMN_NOTES},
	{"description", COLUMN_NOTES},
	{"status", COLUMN_STATUS},
	{"estimate", COLUMN_ESTIMATE},
	{"story points", COLUMN_ESTIMATE},
	{"custom field (story points)", COLUMN_ESTIMATE},
	{"points", COLUMN_ESTIMATE},
	{"record", COLUMN_RECORD},
};

struct import_header {
	bool is_there;
	bool is_foreign; /* as Jira writes it: its states are not ours */
	bool is_own;
	size_t at[COLUMN_COUNT]; /* CSV_CELLS_MAX: no such column */
};

static bool import_same_word(struct slice cell, const char *name)
{
	while (cell.len > 0 && cell.data[0] == ' ') {
		cell = slice_of(cell.data + 1, cell.len - 1);
	}
	while (cell.len > 0 && cell.data[cell.len - 1] == ' ') {
		cell.len--;
	}
	if (cell.len != strlen(name)) {
		return false;
	}
	for (size_t i = 0; i < cell.len; i++) {
		char c = cell.data[i];
		c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		if (c != name[i]) {
			return false;
		}
	}
	return true;
}

static void import_read_header(const struct csv_record *first, struct import_header *h)
{
	*h = (struct import_header){0};
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		h->at[i] = CSV_CELLS_MAX;
	}
	for (size_t cell = 0; first->bad == NULL && cell < first->n; cell++) {
		for (size_t i = 0; i < sizeof(import_columns) / sizeof(import_columns[0]); i++) {
			size_t *at = &h->at[import_columns[i].column];
			if (import_same_word(first->cells[cell], import_columns[i].name) &&
			    *at == CSV_CELLS_MAX) {
				*at = cell;
			}
		}
		h->is_foreign = h->is_foreign || import_same_word(first->cells[cell], "summary") ||
				import_same_word(first->cells[cell], "issue key");
	}
	h->is_there = h->at[COLUMN_TITLE] != CSV_CELLS_MAX;
	h->is_own = h->is_there && h->at[COLUMN_RECORD] == 0;
	if (!h->is_there) {
		h->at[COLUMN_TITLE] = 0;
		h->at[COLUMN_LINK] = 1;
		h->at[COLUMN_NOTES] = 2;
		h->at[COLUMN_STATUS] = h->at[COLUMN_KEY] = h->at[COLUMN_ESTIMATE] = CSV_CELLS_MAX;
	}
}

static struct slice import_cell(const struct import_header *h, const struct csv_record *record,
				enum import_column column)
{
	size_t at = h->at[column];
	if (at >= record->n) {
		return (struct slice){0};
	}
	return h->is_own ? csv_unguard(record->cells[at]) : record->cells[at];
}

static void import_record(struct import *im, const struct import_header *h,
			  const struct csv_record *record)
{
	struct import_raw raw = {
		.line = record->line,
		.key = import_cell(h, record, COLUMN_KEY),
		.title = import_cell(h, record, COLUMN_TITLE),
		.link = import_cell(h, record, COLUMN_LINK),
		.notes = import_cell(h, record, COLUMN_NOTES),
		.status = import_cell(h, record, COLUMN_STATUS),
		.estimate = import_cell(h, record, COLUMN_ESTIMATE),
		.any_status = h->is_foreign,
	};
	bool is_no_story =
		h->is_own && !slice_eq(import_cell(h, record, COLUMN_RECORD), SLICE("story"));
	if (record->bad != NULL) {
		import_remark(im, record->line, true, record->bad);
	} else if (!is_no_story) {
		import_take(im, &raw);
	}
}

static void import_csv(struct import *im, struct slice text)
{
	struct csv_record *record = memory_have(arena_alloc(im->arena, sizeof(*record)));
	struct import_header h;
	struct csv c;
	csv_begin(&c, text);
	for (bool is_first = true; import_goes_on(im) && csv_next(&c, im->arena, record);
	     is_first = false) {
		if (is_first) {
			import_read_header(record, &h);
		}
		if (!is_first || !h.is_there) {
			import_record(im, &h, record);
		}
	}
}

/* ---- JSON ---- */

/* A member as text in the arena: numbers are estimates that somebody wrote without quotes. */
static struct slice import_member(struct import *im, const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);
	char number[32];
	if (json_is_string(value)) {
		return memory_copy(im->arena,
				   slice_of(json_string_value(value), json_string_length(value)));
	}
	if (json_is_number(value)) {
		size_t len = format_to(number, sizeof(number), "%g", json_number_value(value));
		return memory_copy(im->arena, slice_of(number, len));
	}
	return (struct slice){0};
}

static void import_object(struct import *im, size_t line, const json_t *object)
{
	if (!json_is_object(object)) {
		import_remark(im, line, true, "is no JSON object");
		return;
	}
	if (json_is_true(json_object_get(object, "is_removed"))) {
		return;
	}
	struct import_raw raw = {
		.line = line,
		.title = import_member(im, object, "title"),
		.link = import_member(im, object, "link"),
		.notes = import_member(im, object, "notes"),
		.status = import_member(im, object, "status"),
		.estimate = import_member(im, object, "estimate"),
	};
	import_take(im, &raw);
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
			import_remark(im, number, true, "is no JSON");
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
	import_read_header(first, &h);
	return h.is_there && (first->n > 1 || import_same_word(first->cells[0], "title") ||
			      import_same_word(first->cells[0], "summary"));
}

static enum import_format import_guess(struct import *im, struct slice text)
{
	size_t at = 0;
	while (at < text.len && strchr(" \t\r\n", text.data[at]) != NULL) {
		at++;
	}
	if (at < text.len && (text.data[at] == '{' || text.data[at] == '[')) {
		return IMPORT_JSON;
	}
	return import_has_header(im, text) ? IMPORT_CSV : IMPORT_LINES;
}

void stories_import_read(struct slice text, enum import_format format, struct arena *arena,
			 struct stories_import *out)
{
	*out = (struct stories_import){
		.stories = memory_have(arena_alloc(arena, MAX_STORIES * sizeof(*out->stories))),
	};
	struct import im = {.out = out, .arena = arena};
	text = import_without_mark(text);
	out->format = format == IMPORT_GUESS ? import_guess(&im, text) : format;
	if (out->format == IMPORT_CSV) {
		import_csv(&im, text);
	} else if (out->format == IMPORT_JSON) {
		import_json(&im, text);
	} else {
		import_lines(&im, text);
	}
}
