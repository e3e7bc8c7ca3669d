/*
 * text.c - the one policy about people's text, on libutf8proc's tables.
 *
 * Nothing is allocated: text that matters here is short, and what is longer
 * than TEXT_BYTES_MAX is refused or cut before it is normalised.
 */
#include "proto/text.h"

#include <stdbool.h>
#include <utf8proc.h>

#include "proto/assert.h"
#include "proto/limits.h"

#define TEXT_BYTES_MAX (4 * MAX_QUESTION_ANSWER_CHARS) /* no text of people is longer */
#define TEXT_MARKS_MAX 2
#define TEXT_REPLACED  0xfffd
/* Canonical decomposition makes at most four code points of three bytes. */
#define TEXT_POINTS_MAX (TEXT_BYTES_MAX / 3 * 4 + 4)

enum text_class {
	TEXT_GOOD,
	TEXT_SPACE,
	TEXT_MARK,
	TEXT_CONTROL,	/* refused; when drawn, a replacement sign */
	TEXT_INVISIBLE, /* refused; when drawn, nothing */
};

/* Characters that other categories hold, but that show nothing or nothing of their own. */
static bool text_is_blank(int32_t c)
{
	return c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 ||
	       (c >= 0x180b && c <= 0x180f) || c == 0x2800 || c == 0x3164 || c == 0xffa0 ||
	       (c >= 0xe0000 && c <= 0xe007f) || (c >= 0x1d173 && c <= 0x1d17a);
}

static enum text_class text_class_of(int32_t c)
{
	if (c < 0x7f) {
		return c > 0x20 ? TEXT_GOOD : c == 0x20 ? TEXT_SPACE : TEXT_CONTROL;
	}
	if (text_is_blank(c)) {
		return TEXT_INVISIBLE;
	}
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_CN:
		return TEXT_CONTROL;
	case UTF8PROC_CATEGORY_CF: /* bidi controls, zero widths and tags are all here */
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return TEXT_INVISIBLE;
	case UTF8PROC_CATEGORY_ZS:
		return TEXT_SPACE;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ME:
		return TEXT_MARK;
	default:
		return TEXT_GOOD;
	}
}

bool text_is_id(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];
		if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		      c == '-' || c == '_')) {
			return false;
		}
	}
	return true;
}

bool text_is_shown(int32_t point)
{
	enum text_class class = text_class_of(point);
	return class != TEXT_CONTROL && class != TEXT_INVISIBLE;
}

/* The code point at *at, which moves on; -1 where the bytes are not UTF-8 (one byte is taken then).
 */
static int32_t text_point(struct slice s, size_t *at)
{
	int32_t c;
	utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s.data + *at,
					      (utf8proc_ssize_t)(s.len - *at), &c);
	if (n <= 0) {
		*at += 1;
		return -1;
	}
	*at += (size_t)n;
	return c;
}

static size_t text_encoded(int32_t c, char out[4])
{
	return (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)out);
}

/* Text on its way: folded and allowed, but not yet normalised. */
struct text_draft {
	char bytes[TEXT_BYTES_MAX];
	size_t len;
	bool owes_space;
};

/* Its bytes are left as they are: there are many, and a text has many lines. */
static void text_draft_begin(struct text_draft *d)
{
	d->len = 0;
	d->owes_space = false;
}

static bool text_draft_add(struct text_draft *d, int32_t c)
{
	char one[4];
	size_t n = text_encoded(c, one);
	size_t space = d->owes_space && d->len > 0 ? 1 : 0;
	if (d->len + space + n > sizeof(d->bytes)) {
		return false;
	}
	if (space > 0) {
		d->bytes[d->len++] = ' ';
	}
	d->owes_space = false;
	memcpy(d->bytes + d->len, one, n);
	d->len += n;
	return true;
}

/* NFC of the draft as code points; their number. */
static size_t text_compose(const struct text_draft *d, int32_t points[TEXT_POINTS_MAX])
{
	if (d->len == 0) {
		return 0;
	}
	const utf8proc_option_t options = UTF8PROC_COMPOSE | UTF8PROC_STABLE;
	utf8proc_ssize_t n =
		utf8proc_decompose((const utf8proc_uint8_t *)d->bytes, (utf8proc_ssize_t)d->len,
				   points, TEXT_POINTS_MAX, options);
	ASSERT_CMP(n, >=, 0);
	ASSERT_CMP(n, <=, TEXT_POINTS_MAX);
	n = utf8proc_normalize_utf32(points, n, options);
	ASSERT_CMP(n, >=, 0);
	return (size_t)n;
}

static enum err text_draft_clean(struct slice in, struct text_draft *d, int32_t *bad)
{
	for (size_t at = 0; at < in.len;) {
		int32_t c = text_point(in, &at);
		enum text_class class = c < 0 ? TEXT_CONTROL : text_class_of(c);
		if (class == TEXT_CONTROL || class == TEXT_INVISIBLE) {
			*bad = c;
			return ERR_INVALID;
		}
		if (class == TEXT_SPACE) {
			d->owes_space = true;
		} else if (!text_draft_add(d, c)) {
			return ERR_TOO_LARGE;
		}
	}
	return OK;
}

/* Most text is ASCII, and then it is in NFC already. */
static bool text_is_plain(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];
		if (c < 0x20 || c > 0x7e) {
			return false;
		}
	}
	return true;
}

static enum err text_clean_plain(struct slice in, char *out, size_t cap, size_t *len)
{
	size_t n = 0;
	bool owes_space = false;
	for (size_t i = 0; i < in.len; i++) {
		if (in.data[i] == ' ') {
			owes_space = n > 0;
			continue;
		}
		if (n + (owes_space ? 2 : 1) > cap) {
			return ERR_TOO_LARGE;
		}
		if (owes_space) {
			out[n++] = ' ';
		}
		owes_space = false;
		out[n++] = in.data[i];
	}
	*len = n;
	return OK;
}

enum err text_clean(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad)
{
	if (text_is_plain(in)) {
		return text_clean_plain(in, out, cap, len);
	}
	struct text_draft draft;
	text_draft_begin(&draft);
	enum err e = text_draft_clean(in, &draft, bad);
	if (e != OK) {
		return e;
	}
	int32_t points[TEXT_POINTS_MAX];
	size_t n = text_compose(&draft, points);
	size_t marks = TEXT_MARKS_MAX; /* a mark needs a base before it */
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		marks = text_class_of(points[i]) == TEXT_MARK ? marks + 1 : 0;
		if (marks > TEXT_MARKS_MAX) {
			*bad = points[i];
			return ERR_INVALID;
		}
		char one[4];
		size_t bytes = text_encoded(points[i], one);
		if (bytes > cap - used) {
			return ERR_TOO_LARGE;
		}
		memcpy(out + used, one, bytes);
		used += bytes;
	}
	*len = used;
	return OK;
}

static void text_draft_soften(struct slice in, struct text_draft *d)
{
	for (size_t at = 0; at < in.len;) {
		int32_t c = text_point(in, &at);
		enum text_class class = c < 0 ? TEXT_CONTROL : text_class_of(c);
		if (class == TEXT_SPACE || c == '\t' || c == '\n' || c == '\r') {
			d->owes_space = true;
		} else if (class != TEXT_INVISIBLE &&
			   !text_draft_add(d, class == TEXT_CONTROL ? TEXT_REPLACED : c)) {
			return;
		}
	}
}

size_t text_soften(struct slice in, char *out, size_t cap)
{
	size_t plain;
	if (in.len <= cap && in.len <= TEXT_BYTES_MAX && text_is_plain(in) &&
	    text_clean_plain(in, out, cap, &plain) == OK) {
		return plain;
	}
	struct text_draft draft;
	text_draft_begin(&draft);
	text_draft_soften(in, &draft);
	int32_t points[TEXT_POINTS_MAX];
	size_t n = text_compose(&draft, points);
	size_t marks = TEXT_MARKS_MAX;
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		enum text_class class = text_class_of(points[i]);
		/* What leads the text must not become a space, and marks need a base there. */
		if (class == TEXT_MARK && marks >= TEXT_MARKS_MAX) {
			continue;
		}
		if (class == TEXT_SPACE && used == 0) {
			continue;
		}
		marks = class == TEXT_MARK ? marks + 1 : 0;
		char one[4];
		size_t bytes = text_encoded(points[i], one);
		if (bytes > cap - used) {
			break;
		}
		memcpy(out + used, one, bytes);
		used += bytes;
	}
	return used > 0 && out[used - 1] == ' ' ? used - 1 : used;
}

size_t text_soften_lines(struct slice in, char *out, size_t cap)
{
	size_t len = 0;
	for (size_t at = 0; at < in.len && len < cap;) {
		const char *end = memchr(in.data + at, '\n', in.len - at);
		size_t line = end == NULL ? in.len - at : (size_t)(end - in.data) - at;
		len += text_soften(slice_of(in.data + at, line), out + len, cap - len);
		if (end != NULL && len < cap) {
			out[len++] = '\n';
		}
		at += line + (end != NULL);
	}
	return len;
}

struct slice text_next(struct slice clean, size_t *at, size_t *cells)
{
	size_t start = *at, end = *at;
	size_t width = 0;
	int32_t before = -1, state = 0;
	bool only_marks = true;
	/* Nothing in ASCII joins the character before it, and most text is that. */
	if (start < clean.len && clean.data[start] >= ' ' && clean.data[start] < 0x7f &&
	    (start + 1 == clean.len || (unsigned char)clean.data[start + 1] < 0x80)) {
		*cells = 1;
		*at = start + 1;
		return slice_of(clean.data + start, 1);
	}
	while (end < clean.len) {
		size_t next = end;
		int32_t c = text_point(clean, &next);
		c = c < 0 ? TEXT_REPLACED : c;
		if (before >= 0 && utf8proc_grapheme_break_stateful(before, c, &state)) {
			break;
		}
		int w = utf8proc_charwidth(c);
		width += w > 0 ? (size_t)w : 0;
		only_marks = only_marks && text_class_of(c) == TEXT_MARK;
		before = c;
		end = next;
	}
	if (width == 0 && end > start && !only_marks) {
		width = 1;
	}
	*cells = width > 2 ? 2 : width;
	*at = end;
	return slice_of(end > start ? clean.data + start : NULL, end - start);
}

size_t text_cells(struct slice clean)
{
	size_t cells = 0, one;
	for (size_t at = 0; at < clean.len;) {
		text_next(clean, &at, &one);
		cells += one;
	}
	return cells;
}

size_t text_fit(struct slice clean, size_t cells)
{
	size_t used = 0, at = 0;
	while (at < clean.len) {
		size_t next = at, one;
		text_next(clean, &next, &one);
		if (one > cells - used) {
			break;
		}
		used += one;
		at = next;
	}
	return at;
}

enum err text_fold(struct slice clean, char *out, size_t cap, size_t *len)
{
	utf8proc_uint8_t *folded = NULL;
	/* IGNORE: marks that draw nothing, such as variation selectors, tell no two names apart. */
	const utf8proc_option_t options = UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD |
					  UTF8PROC_IGNORE | UTF8PROC_STABLE;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)clean.data,
					  (utf8proc_ssize_t)clean.len, &folded, options);
	if (n < 0) {
		return n == UTF8PROC_ERROR_NOMEM ? ERR_NOMEM : ERR_INVALID;
	}
	enum err e = (size_t)n <= cap ? OK : ERR_TOO_LARGE;
	if (e == OK) {
		memcpy(out, folded, (size_t)n);
		*len = (size_t)n;
	}
	free(folded);
	return e;
}

/* ---- scripts ---- */

enum text_script {
	TEXT_OTHER = 0,
	TEXT_LATIN = 1,
	TEXT_GREEK_OR_CYRILLIC = 2,
};

/* Blocks of letters that a folded name may have; libutf8proc has no table of scripts. */
static const struct {
	int32_t first, last;
	enum text_script script;
} text_scripts[] = {
	{'a', 'z', TEXT_LATIN},
	{0x00df, 0x00f6, TEXT_LATIN},
	{0x00f8, 0x02af, TEXT_LATIN},
	{0x0370, 0x03ff, TEXT_GREEK_OR_CYRILLIC},
	{0x0400, 0x052f, TEXT_GREEK_OR_CYRILLIC},
	{0x1c80, 0x1c8f, TEXT_GREEK_OR_CYRILLIC},
	{0x1d00, 0x1d25, TEXT_LATIN},
	{0x1d26, 0x1d2b, TEXT_GREEK_OR_CYRILLIC},
	{0x1d6b, 0x1d77, TEXT_LATIN},
	{0x1d79, 0x1d9a, TEXT_LATIN},
	{0x1e00, 0x1eff, TEXT_LATIN},
	{0x1f00, 0x1fff, TEXT_GREEK_OR_CYRILLIC},
	{0x2c60, 0x2c7f, TEXT_LATIN},
	{0x2de0, 0x2dff, TEXT_GREEK_OR_CYRILLIC},
	{0xa640, 0xa69f, TEXT_GREEK_OR_CYRILLIC},
	{0xa722, 0xa787, TEXT_LATIN},
	{0xa78b, 0xa7ff, TEXT_LATIN},
	{0xab30, 0xab64, TEXT_LATIN},
	{0xab65, 0xab65, TEXT_GREEK_OR_CYRILLIC},
};

static enum text_script text_script_of(int32_t c)
{
	for (size_t i = 0; i < sizeof(text_scripts) / sizeof(text_scripts[0]); i++) {
		if (c >= text_scripts[i].first && c <= text_scripts[i].last) {
			return text_scripts[i].script;
		}
	}
	return TEXT_OTHER;
}

bool text_mixes_scripts(struct slice folded)
{
	unsigned seen = 0;
	for (size_t at = 0; at < folded.len;) {
		int32_t c = text_point(folded, &at);
		if (c < 0) {
			return false; /* no folded text */
		}
		seen |= text_script_of(c);
	}
	return seen == (TEXT_LATIN | TEXT_GREEK_OR_CYRILLIC);
}
