/*
 * export_write.c - a sheet as Markdown, as HTML, and as text for terminals.
 *
 * The three escapers are what keeps a title from being anything but a title.
 */
#include <string.h>

#include "client/formats/export_sheet.h"
#include "proto/base/ascii.h"
#include "proto/text/text.h"

/* ---- Markdown ---- */

static bool sheet_is_alnum(char c)
{
	return ascii_is_alnum(c) || ((unsigned char)c & 0x80) != 0;
}

/*
 * Whether this character would be a mark there. Brackets open a link only together with an opening
 * square one; _ marks only at the edge of a word; # and ! only in front, or in front of those.
 */
static bool sheet_is_mark(struct slice text, size_t i)
{
	char c = text.data[i];
	char before = i == 0 ? ' ' : text.data[i - 1];
	char after = i + 1 == text.len ? ' ' : text.data[i + 1];
	switch (c) {
	case '#':
		return i == 0;
	case '!':
		return after == '[';
	case '_':
		return !sheet_is_alnum(before) || !sheet_is_alnum(after);
	default:
		return c != '\0' && strchr("\\`*[]|~$", c) != NULL;
	}
}

/* A blank that Markdown would leave out: at either end of a line, and beside another. */
static bool sheet_is_lost_blank(struct slice text, size_t i)
{
	bool is_first = i == 0 || strchr(" \t\n", text.data[i - 1]) != NULL;
	bool is_last = i + 1 == text.len || text.data[i + 1] == '\n';
	return text.data[i] == ' ' && (is_first || is_last);
}

/* In a table of GitHub's dialect: nothing of it opens markup, HTML, a cell or a mention. Read back by import_markdown.c. */
static void sheet_put_markdown(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c == '\n') {
			(void)buf_append_slice(out, SLICE("<br>"));
		} else if (c == '\t') {
			(void)buf_append_slice(out, SLICE("&#9;"));
		} else if (sheet_is_lost_blank(text, i)) {
			(void)buf_append_slice(out, SLICE("&nbsp;"));
		} else if (c == '<') {
			(void)buf_append_slice(out, SLICE("&lt;"));
		} else if (c == '>') {
			(void)buf_append_slice(out, SLICE("&gt;"));
		} else if (c == '&') {
			(void)buf_append_slice(out, SLICE("&amp;"));
		} else if (c == '@') {
			/* An empty comment: looks the same, and rings nobody. */
			(void)buf_append_slice(out, SLICE("@<!-- -->"));
		} else {
			bool is_mark = sheet_is_mark(text, i);
			(void)buf_append_slice(out, is_mark ? SLICE("\\") : SLICE(""));
			(void)buf_append(out, &c, 1);
		}
	}
}

/* An address between < and >: what could end it, or the cell, is percent-encoded. */
static void sheet_put_address(struct buf *out, struct slice link)
{
	static const char digits[] = "0123456789ABCDEF";
	for (size_t i = 0; i < link.len; i++) {
		unsigned char c = (unsigned char)link.data[i];
		if (c <= ' ' || strchr("<>|\\`\"'", (int)c) != NULL) {
			char coded[3] = {'%', digits[c >> 4], digits[c & 15]};
			(void)buf_append(out, coded, sizeof(coded));
		} else {
			(void)buf_append(out, &link.data[i], 1);
		}
	}
}

static void sheet_markdown_cell(struct buf *out, const struct sheet_cell *cell)
{
	(void)buf_append_slice(out, SLICE(" "));
	if (cell->link.len > 0) {
		(void)buf_append_slice(out, SLICE("["));
		sheet_put_markdown(out, cell->text);
		(void)buf_append_slice(out, SLICE("](<"));
		sheet_put_address(out, cell->link);
		(void)buf_append_slice(out, SLICE(">)"));
	} else {
		sheet_put_markdown(out, cell->text);
	}
	(void)buf_append_slice(out, SLICE(" |"));
}

static void sheet_markdown_table(const struct sheet_table *t, struct buf *out)
{
	(void)buf_printf(out, "\n### %s\n\n|", t->title);
	for (size_t i = 0; i < t->columns_n; i++) {
		(void)buf_printf(out, " %s%s |", strcmp(t->columns[i], "#") == 0 ? "\\" : "",
				 t->columns[i]);
	}
	(void)buf_append_slice(out, SLICE("\n|"));
	for (size_t i = 0; i < t->columns_n; i++) {
		(void)buf_append_slice(out, SLICE(" --- |"));
	}
	for (size_t row = 0; row < t->rows_n; row++) {
		(void)buf_append_slice(out, SLICE("\n|"));
		for (size_t i = 0; i < t->columns_n; i++) {
			sheet_markdown_cell(out, &t->cells[row * t->columns_n + i]);
		}
	}
	(void)buf_append_slice(out, SLICE("\n"));
}

void sheet_markdown(const struct sheet *s, struct buf *out)
{
	(void)buf_append_slice(out, SLICE("## "));
	sheet_put_markdown(out, s->title);
	(void)buf_append_slice(out, SLICE("\n\n"));
	for (size_t i = 0; i < s->lines_n; i++) {
		(void)buf_append_slice(out, SLICE("- "));
		sheet_put_markdown(out, s->lines[i]);
		(void)buf_append_slice(out, SLICE("\n"));
	}
	for (size_t i = 0; i < s->tables_n; i++) {
		sheet_markdown_table(&s->tables[i], out);
	}
}

/* ---- HTML ---- */

/* For text and for quoted attributes alike. */
static void sheet_put_html(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		switch (text.data[i]) {
		case '&':
			(void)buf_append_slice(out, SLICE("&amp;"));
			break;
		case '<':
			(void)buf_append_slice(out, SLICE("&lt;"));
			break;
		case '>':
			(void)buf_append_slice(out, SLICE("&gt;"));
			break;
		case '"':
			(void)buf_append_slice(out, SLICE("&quot;"));
			break;
		case '\'':
			(void)buf_append_slice(out, SLICE("&#39;"));
			break;
		default:
			(void)buf_append(out, &text.data[i], 1);
			break;
		}
	}
}

/*
 * Nothing may be loaded or run, whatever stands in the page; its own style is all there is. A column is as
 * wide as its heading at least, however long the votes beside it are; on a phone each row is a
 * block of lines, with the headings in front.
 */
static const char sheet_html_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char sheet_html_style[] =
	"<style>\n"
	":root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --line: #d0d7de; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  :root { --ink: #e6edf3; --paper: #0d1117; --line: #30363d; }\n}\n"
	"body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: "
	"var(--paper);\n"
	"  max-width: 80rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }\n"
	"table { border-collapse: collapse; width: 100%; }\n"
	"th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left;\n"
	"  vertical-align: top; }\n"
	"th { white-space: nowrap; }\n"
	"td[data-label=note] { white-space: pre-wrap; }\n"
	"td[data-label=Story] { min-width: 12rem; }\n"
	"td[data-label=Votes] { min-width: 10rem; }\n"
	"a { color: inherit; }\n"
	".table { overflow-x: auto; }\n"
	".bar { display: flex; align-items: center; gap: .4rem; min-width: 8rem; }\n"
	".bar b { min-width: 2rem; text-align: right; }\n"
	".bar i { display: block; height: .8rem; background: #4c8dd6; border-radius: .15rem; }\n"
	"@media (max-width: 45rem) {\n"
	"  thead, td:empty { display: none; }\n"
	"  tr, td { display: block; }\n"
	"  tr { border: 1px solid var(--line); margin-bottom: .8rem; padding: .3rem .6rem; }\n"
	"  td { border: 0; padding: .1rem 0; }\n"
	"  td::before { content: attr(data-label) \": \"; font-weight: 600; }\n"
	"}\n"
	"</style>\n";

/* Cards beside bars as long as their votes are many; the longest takes two thirds of the cell. */
static void sheet_html_bars(struct buf *out, const struct sheet_cell *cell)
{
	for (size_t i = 0; i < cell->bars_n; i++) {
		const struct sheet_bar *bar = &cell->bars[i];
		(void)buf_append_slice(out, SLICE("<div class=\"bar\"><b>"));
		sheet_put_html(out, bar->card);
		(void)buf_printf(out, "</b> <i style=\"width:%d%%\"></i> %lld</div>",
				 bar->percent * 2 / 3, (long long)bar->votes);
	}
}

static void sheet_html_cell(struct buf *out, const char *column, const struct sheet_cell *cell)
{
	(void)buf_printf(out, "<td data-label=\"%s\">", column);
	sheet_html_bars(out, cell);
	if (cell->link.len > 0) {
		(void)buf_append_slice(out, SLICE("<a rel=\"noopener noreferrer\" href=\""));
		sheet_put_html(out, cell->link);
		(void)buf_append_slice(out, SLICE("\">"));
		sheet_put_html(out, cell->text);
		(void)buf_append_slice(out, SLICE("</a>"));
	} else {
		sheet_put_html(out, cell->text);
	}
	(void)buf_append_slice(out, SLICE("</td>"));
}

static void sheet_html_table(const struct sheet_table *t, struct buf *out)
{
	(void)buf_printf(out, "<h2>%s</h2>\n<div class=\"table\"><table>\n<thead><tr>", t->title);
	for (size_t i = 0; i < t->columns_n; i++) {
		(void)buf_printf(out, "<th scope=\"col\">%s</th>", t->columns[i]);
	}
	(void)buf_append_slice(out, SLICE("</tr></thead>\n<tbody>\n"));
	for (size_t row = 0; row < t->rows_n; row++) {
		(void)buf_append_slice(out, SLICE("<tr>"));
		for (size_t i = 0; i < t->columns_n; i++) {
			sheet_html_cell(out, t->columns[i], &t->cells[row * t->columns_n + i]);
		}
		(void)buf_append_slice(out, SLICE("</tr>\n"));
	}
	(void)buf_append_slice(out, SLICE("</tbody>\n</table></div>\n"));
}

void sheet_html(const struct sheet *s, struct buf *out)
{
	(void)buf_append_slice(out, slice_str(sheet_html_head));
	if (s->is_live) {
		(void)buf_append_slice(out, SLICE("<meta http-equiv=\"refresh\" content=\"5\">\n"));
	}
	(void)buf_append_slice(out, SLICE("<title>"));
	sheet_put_html(out, s->title);
	(void)buf_append_slice(out, SLICE("</title>\n"));
	(void)buf_append_slice(out, slice_str(sheet_html_style));
	(void)buf_append_slice(out, SLICE("</head>\n<body>\n<h1>"));
	sheet_put_html(out, s->title);
	(void)buf_append_slice(out, SLICE("</h1>\n"));
	for (size_t i = 0; i < s->lines_n; i++) {
		(void)buf_append_slice(out, SLICE("<p>"));
		sheet_put_html(out, s->lines[i]);
		(void)buf_append_slice(out, SLICE("</p>\n"));
	}
	for (size_t i = 0; i < s->tables_n; i++) {
		sheet_html_table(&s->tables[i], out);
	}
	(void)buf_append_slice(out, SLICE("</body>\n</html>\n"));
}

/* ---- text ---- */

static void sheet_pad(struct buf *out, size_t from, size_t to)
{
	for (; from < to; from++) {
		(void)buf_append(out, " ", 1);
	}
}

static size_t sheet_width(const struct sheet_table *t, size_t column)
{
	size_t width = strlen(t->columns[column]);
	for (size_t row = 0; row < t->rows_n; row++) {
		size_t cells = text_cells(t->cells[row * t->columns_n + column].text);
		width = cells > width ? cells : width;
	}
	return width;
}

/* One row; blanks are not left behind the last cell that has something. */
static void sheet_text_row(const struct sheet_table *t, const struct slice *texts,
			   const size_t *widths, struct buf *out)
{
	size_t pad = 0;
	for (size_t i = 0; i < t->columns_n; i++) {
		if (texts[i].len > 0) {
			sheet_pad(out, 0, pad);
			(void)buf_append_slice(out, texts[i]);
			pad = 0;
		}
		size_t cells = text_cells(texts[i]);
		pad += widths[i] + 2 - (cells < widths[i] ? cells : widths[i]);
	}
	(void)buf_append_slice(out, SLICE("\n"));
}

static void sheet_text_table(const struct sheet_table *t, struct buf *out)
{
	size_t widths[SHEET_COLUMNS_MAX];
	struct slice texts[SHEET_COLUMNS_MAX];
	(void)buf_printf(out, "\n%s\n\n", t->title);
	for (size_t i = 0; i < t->columns_n; i++) {
		widths[i] = sheet_width(t, i);
		texts[i] = slice_str(t->columns[i]);
	}
	sheet_text_row(t, texts, widths, out);
	for (size_t row = 0; row < t->rows_n; row++) {
		for (size_t i = 0; i < t->columns_n; i++) {
			texts[i] = t->cells[row * t->columns_n + i].text;
		}
		sheet_text_row(t, texts, widths, out);
	}
}

void sheet_text(const struct sheet *s, struct buf *out)
{
	(void)buf_append_slice(out, s->title);
	(void)buf_append_slice(out, SLICE("\n\n"));
	for (size_t i = 0; i < s->lines_n; i++) {
		(void)buf_append_slice(out, s->lines[i]);
		(void)buf_append_slice(out, SLICE("\n"));
	}
	for (size_t i = 0; i < s->tables_n; i++) {
		sheet_text_table(&s->tables[i], out);
	}
}
