/*
 * record_text.c - see record_text.h.
 */
#include "proto/record_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/format.h"
#include "proto/text.h"
#include "proto/utf8.h"

bool record_text_is_soft(struct slice text)
{
	char before = ' ';
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (c < ' ' || c > '~' || (c == ' ' && before == ' ')) {
			return false;
		}
		before = c;
	}
	return text.len == 0 || before != ' ';
}

enum err record_soften_text(const struct field *f, struct arena *arena, struct slice *text)
{
	size_t max = (size_t)f->max;
	if (!record_text_is_soft(*text)) {
		size_t cap = 3 * text->len < max ? 3 * text->len : max;
		char *soft = arena_alloc(arena, cap);
		if (soft == NULL) {
			return ERR_NOMEM;
		}
		*text = slice_of(soft, text_soften(*text, soft, cap));
	}
	text->len = text->len < max ? text->len : max;
	if (f->cells != 0 && (f->flags & FIELD_CHARS) == 0) {
		text->len = text_fit(*text, f->cells);
	}
	/* A cut may have left the space before a word. */
	text->len -= text->len > 0 && text->data[text->len - 1] == ' ';
	if (text->len < (size_t)f->min) {
		*text = SLICE("\xef\xbf\xbd");
	}
	return OK;
}

/* Lines of text: each cleaned by itself, because a line's end is what text_clean() would refuse. */
static enum err record_clean_lines(struct slice in, char *out, size_t cap, size_t *len,
				   int32_t *bad)
{
	size_t used = 0;
	for (size_t at = 0; at < in.len;) {
		const char *end = memchr(in.data + at, '\n', in.len - at);
		size_t line_len = end == NULL ? in.len - at : (size_t)(end - in.data) - at;
		struct slice line = slice_of(in.data + at, line_len);
		line.len -= line.len > 0 && line.data[line.len - 1] == '\r';
		size_t clean = 0;
		enum err e =
			line.len == 0 ? OK : text_clean(line, out + used, cap - used, &clean, bad);
		if (e != OK) {
			return e;
		}
		used += clean;
		if (end != NULL) {
			if (used == cap) {
				return ERR_TOO_LARGE;
			}
			out[used++] = '\n';
		}
		at += line_len + (end != NULL);
	}
	*len = used;
	return OK;
}

/* A blank line before or after lines of text is nobody's text. */
static struct slice record_trim_lines(struct slice text)
{
	while (text.len > 0 && text.data[0] == '\n') {
		text = slice_of(text.data + 1, text.len - 1);
	}
	while (text.len > 0 && text.data[text.len - 1] == '\n') {
		text.len--;
	}
	return text;
}

/* Whether a text has as many characters as its row allows: it is clean, or longer than its row's bytes. */
static enum err record_count_chars(const struct field *f, bool is_long, struct slice text,
				   char *claim, size_t cap)
{
	size_t chars = utf8_chars(text);
	if (is_long || chars > f->cells || (int64_t)chars < f->min) {
		format_to(claim, cap, "must be %" PRId64 " to %zu characters long", f->min,
			  f->cells);
		return ERR_INVALID;
	}
	return OK;
}

/* Most of what people write is clean and stays where it is. */
enum err record_clean_text(const struct field *f, struct arena *arena, struct slice *text,
			   char *claim, size_t cap)
{
	size_t cells = text->len;
	enum err e = OK;
	if (!record_text_is_soft(*text)) {
		char *clean = arena_alloc(arena, (size_t)f->max);
		size_t len = 0;
		int32_t bad = 0;
		if (clean == NULL) {
			return ERR_NOMEM;
		}
		e = (f->flags & FIELD_LINES) != 0
			    ? record_clean_lines(*text, clean, (size_t)f->max, &len, &bad)
			    : text_clean(*text, clean, (size_t)f->max, &len, &bad);
		if (e == ERR_INVALID) {
			format_to(claim, cap, "holds a character that may not be shown (U+%04X)",
				  (unsigned)bad);
			return ERR_INVALID;
		}
		*text = len == 0 ? SLICE("") : slice_of(clean, len);
		cells = f->cells == 0 ? 0 : text_cells(*text);
	}
	if ((f->flags & FIELD_CHARS) != 0) {
		*text = e == OK ? record_trim_lines(*text) : *text;
		return record_count_chars(f, e != OK, *text, claim, cap);
	}
	if (e != OK || text->len > (size_t)f->max) {
		format_to(claim, cap, "is longer than %" PRId64 " bytes", f->max);
	} else if (text->len < (size_t)f->min) {
		format_to(claim, cap, "must not be blank");
	} else if (f->cells != 0 && cells > f->cells) {
		format_to(claim, cap, "is wider than %zu cells", f->cells);
	} else {
		return OK;
	}
	return ERR_INVALID;
}
