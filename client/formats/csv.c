/*
 * csv.c - cells in and out; see csv.h.
 */
#include "client/formats/csv.h"

#include <string.h>

#include "client/model/memory.h"

/* ---- reading ---- */

static bool csv_is_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Commas, unless the first line has none and something else that is usual. */
static char csv_find_between(struct slice text)
{
	bool is_quoted = false;
	bool has_tab = false;
	bool has_semicolon = false;
	for (size_t i = 0; i < text.len && (is_quoted || !csv_is_end(text.data[i])); i++) {
		is_quoted = is_quoted != (text.data[i] == '"');
		if (!is_quoted && text.data[i] == ',') {
			return ',';
		}
		has_tab = has_tab || (!is_quoted && text.data[i] == '\t');
		has_semicolon = has_semicolon || (!is_quoted && text.data[i] == ';');
	}
	if (has_semicolon) {
		return ';';
	}
	return has_tab ? '\t' : ',';
}

void csv_begin(struct csv *c, struct slice text)
{
	if (slice_starts(text, SLICE("\xef\xbb\xbf"))) {
		text = slice_of(text.data + 3, text.len - 3);
	}
	*c = (struct csv){.text = text, .line = 1, .between = csv_find_between(text)};
}

static bool csv_is_over(const struct csv *c)
{
	return c->at == c->text.len;
}

/* Past one line end, of either kind. */
static void csv_skip_end(struct csv *c)
{
	if (c->at + 1 < c->text.len && c->text.data[c->at] == '\r' &&
	    c->text.data[c->at + 1] == '\n') {
		c->at++;
	}
	c->at += !csv_is_over(c);
	c->line++;
}

static struct slice csv_plain_cell(struct csv *c)
{
	size_t from = c->at;
	while (!csv_is_over(c) && c->text.data[c->at] != c->between &&
	       !csv_is_end(c->text.data[c->at])) {
		c->at++;
	}
	return slice_of(c->text.data + from, c->at - from);
}

/* The text between quotes with each "" as one. */
static struct slice csv_unquote(struct slice raw, struct arena *arena)
{
	char *cell = memory_have(arena_alloc(arena, raw.len + 1));
	size_t len = 0;
	for (size_t i = 0; i < raw.len; i++) {
		cell[len++] = raw.data[i];
		i += raw.data[i] == '"';
	}
	return slice_of(cell, len);
}

/* Behind the opening quote. */
static struct slice csv_quoted_cell(struct csv *c, struct arena *arena, const char **bad)
{
	size_t from = ++c->at;
	bool has_pairs = false;
	for (; !csv_is_over(c); c->at++) {
		char here = c->text.data[c->at];
		bool is_pair = c->at + 1 < c->text.len && c->text.data[c->at + 1] == '"';
		if (here == '"' && !is_pair) {
			break;
		}
		has_pairs = has_pairs || here == '"';
		c->at += here == '"';
		bool is_crlf =
			here == '\r' && c->at + 1 < c->text.len && c->text.data[c->at + 1] == '\n';
		c->line += csv_is_end(here) && !is_crlf;
	}
	struct slice raw = slice_of(c->text.data + from, c->at - from);
	if (csv_is_over(c)) {
		*bad = "a quote is never closed";
		return raw;
	}
	c->at++;
	if (!csv_is_over(c) && c->text.data[c->at] != c->between &&
	    !csv_is_end(c->text.data[c->at])) {
		*bad = "text after a closing quote";
		return raw;
	}
	return has_pairs ? csv_unquote(raw, arena) : raw;
}

/* What a bad record leaves is passed over up to the line's end; an unclosed quote costs only its
 * line. */
static void csv_recover(struct csv *c, size_t begin, size_t line)
{
	if (csv_is_over(c)) {
		c->at = begin;
		c->line = line;
	}
	while (!csv_is_over(c) && !csv_is_end(c->text.data[c->at])) {
		c->at++;
	}
}

bool csv_next(struct csv *c, struct arena *arena, struct csv_record *out)
{
	while (!csv_is_over(c) && csv_is_end(c->text.data[c->at])) {
		csv_skip_end(c);
	}
	if (csv_is_over(c)) {
		return false;
	}
	size_t begin = c->at;
	out->n = 0;
	out->line = c->line;
	out->bad = NULL;
	for (;;) {
		bool is_quoted = !csv_is_over(c) && c->text.data[c->at] == '"';
		if (out->n == CSV_CELLS_MAX) {
			out->bad = "it has too many fields";
		} else {
			out->cells[out->n++] = is_quoted ? csv_quoted_cell(c, arena, &out->bad)
							 : csv_plain_cell(c);
		}
		if (out->bad != NULL) {
			csv_recover(c, begin, out->line);
			break;
		}
		if (csv_is_over(c) || c->text.data[c->at] != c->between) {
			break;
		}
		c->at++;
	}
	if (!csv_is_over(c)) {
		csv_skip_end(c);
	}
	return true;
}

void csv_split_tabs(struct slice line, struct csv_record *out)
{
	out->n = 0;
	out->bad = NULL;
	for (size_t at = 0; at <= line.len && out->n < CSV_CELLS_MAX;) {
		const char *tab = memchr(line.data + at, '\t', line.len - at);
		size_t end = tab == NULL ? line.len : (size_t)(tab - line.data);
		out->cells[out->n++] = slice_of(line.data + at, end - at);
		at = end + 1;
	}
}

/* ---- writing ---- */

static bool csv_needs_quotes(struct slice cell)
{
	bool is_edged = cell.len > 0 && (cell.data[0] == ' ' || cell.data[cell.len - 1] == ' ');
	for (size_t i = 0; i < cell.len && !is_edged; i++) {
		is_edged = strchr(",;\t\"\r\n", cell.data[i]) != NULL && cell.data[i] != '\0';
	}
	return is_edged;
}

/* before: put in front of the cell, inside its quotes. */
static void csv_put_cell(struct buf *out, struct slice before, struct slice cell, bool is_first)
{
	(void)buf_append_slice(out, is_first ? SLICE("") : SLICE(","));
	if (!csv_needs_quotes(cell)) {
		(void)buf_append_slice(out, before);
		(void)buf_append_slice(out, cell);
		return;
	}
	(void)buf_append_slice(out, SLICE("\""));
	(void)buf_append_slice(out, before);
	for (size_t i = 0; i < cell.len; i++) {
		(void)buf_append_slice(out, cell.data[i] == '"' ? SLICE("\"") : SLICE(""));
		(void)buf_append(out, &cell.data[i], 1);
	}
	(void)buf_append_slice(out, SLICE("\""));
}

void csv_put(struct buf *out, struct slice cell, bool is_first)
{
	csv_put_cell(out, SLICE(""), cell, is_first);
}

void csv_end_record(struct buf *out)
{
	(void)buf_append_slice(out, SLICE("\r\n"));
}

/* Whether a spreadsheet would see a formula behind the apostrophes, if there were none: some take full-width signs for it, too. */
static bool csv_is_risky(struct slice cell)
{
	static const char *const signs[] = {"=",      "+",	"-",	  "@",
					    "\uff1d", "\uff0b", "\uff0d", "\uff20"};
	size_t i = 0;
	while (i < cell.len && cell.data[i] == '\'') {
		i++;
	}
	struct slice text = slice_of(cell.data + i, cell.len - i);
	bool is_risky = text.len > 0 && text.data[0] != '\0' && (unsigned char)text.data[0] < ' ';
	for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++) {
		is_risky = is_risky || slice_starts(text, slice_str(signs[k]));
	}
	return is_risky;
}

void csv_put_guarded(struct buf *out, struct slice cell, bool is_first)
{
	csv_put_cell(out, csv_is_risky(cell) ? SLICE("'") : SLICE(""), cell, is_first);
}

struct slice csv_unguard(struct slice cell)
{
	bool is_guarded = cell.len > 0 && cell.data[0] == '\'' && csv_is_risky(cell);
	return is_guarded ? slice_of(cell.data + 1, cell.len - 1) : cell;
}
