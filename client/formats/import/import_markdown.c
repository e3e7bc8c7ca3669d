/*
 * import_markdown.c - see import_markdown.h.
 *
 * A line without a mark stays as it is: only of what is plainly Markdown are the
 * inline marks taken away.
 */
#include "client/formats/import/import_markdown.h"

#include <string.h>

#include "client/formats/import/import_table.h"
#include "client/formats/import/issue_address.h"
#include "client/model/memory.h"

/* ---- marks within a line ---- */

/* What stands for one character where export_write.c escapes it, and what for none. */
static const struct {
	const char *coded;
	char is; /* '\0': nothing */
} import_codes[] = {{"&lt;", '<'},  {"&gt;", '>'},	{"&amp;", '&'}, {"&nbsp;", ' '},
		    {"&#9;", '\t'}, {"<!-- -->", '\0'}, {"**", '\0'},	{"<br>", '\n'}};

/* How many bytes such a code has here; 0: none stands here. */
static size_t import_code(struct slice rest, char *out, size_t *len)
{
	for (size_t i = 0; i < sizeof(import_codes) / sizeof(import_codes[0]); i++) {
		if (slice_starts(rest, slice_str(import_codes[i].coded))) {
			if (import_codes[i].is != '\0') {
				out[(*len)++] = import_codes[i].is;
			}
			return strlen(import_codes[i].coded);
		}
	}
	return 0;
}

/* Where the address of a link begins and ends, behind "](": (<a>) or (a); 0 where it has no end. */
static size_t import_address(struct slice rest, struct slice *link)
{
	bool is_angled = rest.len > 0 && rest.data[0] == '<';
	const char *end = memchr(rest.data, is_angled ? '>' : ')', rest.len);
	if (end == NULL) {
		return 0;
	}
	size_t len = (size_t)(end - rest.data);
	*link = slice_of(rest.data + is_angled, len - is_angled);
	const char *closing = memchr(end, ')', rest.len - len);
	return closing == NULL ? 0 : (size_t)(closing - rest.data) + 1;
}

/* Text without escapes, stars and backticks; a link leaves its text, the first one its address in *link. */
static struct slice import_unmarked(struct import *im, struct slice in, struct slice *link)
{
	char *out = memory_have(arena_alloc(im->arena, in.len + 1));
	size_t len = 0;
	bool has_bracket = false; /* one that begins a link */
	for (size_t i = 0; i < in.len;) {
		struct slice rest = slice_of(in.data + i, in.len - i);
		char c = rest.data[0];
		bool is_escape = c == '\\' && rest.len > 1 && (unsigned char)rest.data[1] < 0x80 &&
				 strchr("\\`*_{}[]()#+-.!|~$<>&@", rest.data[1]) != NULL;
		size_t code = import_code(rest, out, &len);
		if (code > 0) {
			i += code;
		} else if (is_escape) {
			out[len++] = rest.data[1];
			i += 2;
		} else if (c == '[' && memchr(rest.data, ']', rest.len) != NULL && !has_bracket) {
			struct slice ignored;
			const char *close = memchr(rest.data, ']', rest.len);
			size_t to = (size_t)(close - rest.data);
			has_bracket = to + 2 < rest.len && close[1] == '(' &&
				      import_address(slice_of(close + 2, rest.len - to - 2),
						     &ignored) > 0;
			if (!has_bracket) {
				out[len++] = c;
			}
			i++;
		} else if (c == ']' && has_bracket) {
			struct slice address;
			i += 2 + import_address(slice_of(rest.data + 2, rest.len - 2), &address);
			*link = link->len == 0 ? address : *link;
			has_bracket = false;
		} else {
			if (c != '`') {
				out[len++] = c;
			}
			i++;
		}
	}
	return slice_of(out, len);
}

/* ---- marks in front of a line ---- */

static bool import_begins_box(struct slice s)
{
	return s.len > 3 && s.data[0] == '[' && strchr(" xX", s.data[1]) != NULL &&
	       s.data[1] != '\0' && s.data[2] == ']' && s.data[3] == ' ';
}

/* "- ", "* ", "+ ", the sign of a list that was copied, "12. " or "12) ", and a box behind it: their length. */
static size_t import_mark(struct slice line)
{
	static const char *const bullets[] = {"- ", "* ", "+ ", "\xe2\x80\xa2 ", "\xe2\x97\xa6 "};
	size_t len = 0;
	for (size_t i = 0; i < sizeof(bullets) / sizeof(bullets[0]) && len == 0; i++) {
		len = slice_starts(line, slice_str(bullets[i])) ? strlen(bullets[i]) : 0;
	}
	size_t digits = 0;
	while (digits < line.len && line.data[digits] >= '0' && line.data[digits] <= '9') {
		digits++;
	}
	if (digits > 0 && digits < 4 && digits + 1 < line.len && line.data[digits + 1] == ' ' &&
	    (line.data[digits] == '.' || line.data[digits] == ')')) {
		len = digits + 2;
	}
	while (len > 0 && len < line.len && line.data[len] == ' ') {
		len++;
	}
	return import_begins_box(slice_of(line.data + len, line.len - len)) ? len + 4 : len;
}

static bool import_is_heading(struct slice line)
{
	size_t n = 0;
	while (n < line.len && line.data[n] == '#') {
		n++;
	}
	return n > 0 && n <= 6 && n < line.len && line.data[n] == ' ';
}

/* "---", "* * *", "|---|:--|": nothing but signs of a rule. */
static bool import_is_rule(struct slice line, const char *signs)
{
	size_t marks = 0;
	for (size_t i = 0; i < line.len; i++) {
		if (line.data[i] == '\0' || strchr(signs, line.data[i]) == NULL) {
			return false;
		}
		marks += line.data[i] != ' ' && line.data[i] != '|' && line.data[i] != ':';
	}
	return marks >= 3;
}

/* ---- tables ---- */

static bool import_is_table(struct slice line)
{
	return line.len > 1 && line.data[0] == '|';
}

static void import_cells(struct import *im, struct slice line, struct csv_record *row,
			 struct slice *link)
{
	size_t from = 1;
	row->n = 0;
	row->bad = NULL;
	for (size_t i = 1; i <= line.len && row->n < CSV_CELLS_MAX; i++) {
		bool is_escaped = i < line.len && line.data[i - 1] == '\\';
		if (i < line.len && (line.data[i] != '|' || is_escaped)) {
			continue;
		}
		struct slice cell = import_trim(slice_of(line.data + from, i - from));
		if (i < line.len || cell.len > 0) {
			row->cells[row->n++] = import_unmarked(im, cell, link);
		}
		from = i + 1;
	}
}

struct import_table {
	bool is_open;
	bool has_names; /* its header says which column is the title */
	struct import_header header;
	struct csv_record *row; /* large */
};

/* Behind the header stands a rule; a link in a cell is the story's. */
static void import_table_line(struct import *im, struct import_table *t, struct slice line,
			      struct slice next, size_t number)
{
	struct slice link = {0};
	bool is_header = !t->is_open && import_is_rule(import_trim(next), "|-: ");
	size_t before = im->out->stories_n;
	if (t->row == NULL) {
		t->row = memory_have(arena_alloc(im->arena, sizeof(*t->row)));
	}
	import_cells(im, line, t->row, &link);
	t->row->line = number;
	if (is_header) {
		import_header_read(t->row, &t->header);
		t->has_names = t->header.is_there;
	} else if (t->has_names) {
		import_row(im, &t->header, t->row);
	} else if (t->row->n > 0) {
		im->out->lacks_header = true;
		import_row_bare(im, t->row, false);
	}
	t->is_open = true;
	bool is_added = im->out->stories_n > before;
	if (is_added && link.len > 0 && im->out->stories[before].link.len == 0 &&
	    link.len <= MAX_STORY_LINK_BYTES) {
		im->out->stories[before].link = link;
	}
}

/* ---- the text ---- */

/* An issue's address in front of a title, or behind it as the address of a link. */
static void import_take_address(struct import *im, struct import_raw *raw)
{
	struct issue_address address;
	struct slice link;
	if (issue_address_take(&raw->title, &link, &address)) {
		raw->link = link;
	} else if (!issue_address_read(raw->link, &address)) {
		return;
	}
	raw->key = memory_copy(im->arena, slice_str(address.key));
	raw->title = raw->title.data == address.key ? raw->key : raw->title;
}

void import_markdown(struct import *im, struct slice text)
{
	struct import_table table = {0};
	struct slice line;
	size_t at = 0;
	for (size_t number = 1; import_goes_on(im) && import_next_line(text, &at, &line);
	     number++) {
		struct slice next = {0};
		size_t behind = at;
		line = import_trim(line);
		if (import_is_table(line)) {
			if (!import_is_rule(line, "|-: ")) {
				(void)import_next_line(text, &behind, &next);
				import_table_line(im, &table, line, next, number);
			}
			continue;
		}
		table.is_open = table.has_names = false;
		if (import_is_blank(line) || import_is_rule(line, "-*_ ")) {
			continue;
		}
		if (import_is_heading(line)) {
			import_remark(im, number, true, "is a heading");
			continue;
		}
		struct import_raw raw = {.line = number, .title = line};
		size_t mark = import_mark(line);
		if (mark > 0) {
			raw.title = import_unmarked(im, slice_of(line.data + mark, line.len - mark),
						    &raw.link);
		}
		import_take_address(im, &raw);
		if (raw.key.len == 0) {
			raw.key = import_take_key(&raw.title);
		}
		im->take(im, &raw);
	}
}
