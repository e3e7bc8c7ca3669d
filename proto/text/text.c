/*
 * text.c - the one policy about people's text, on libutf8proc's tables.
 *
 * Nothing is allocated: text that matters here is short, and what is longer
 * than TEXT_BYTES_MAX is refused or cut before it is normalised.
 */
#include "proto/base/ascii.h"
#include "proto/text/text.h"

#include <stdbool.h>
#include <utf8proc.h>

#include "proto/base/assert.h"
#include "proto/base/limits.h"

#define TEXT_BYTES_MAX (4 * MAX_QUESTION_ANSWER_CHARS) /* no text of people is longer */
#define TEXT_MARKS_MAX 2
/* Pointed Hebrew has three, with a sign of cantillation four, and a cell of ncurses holds no more. */
#define TEXT_LINES_MARKS_MAX 4
#define TEXT_EMOJI_JOINS_MAX 3 /* as in the longest sequences that Unicode recommends */
#define TEXT_TAB_CELLS	     8
#define TEXT_REPLACED	     0xfffd
#define TEXT_ZWNJ	     0x200c
#define TEXT_ZWJ	     0x200d
/* Canonical decomposition makes at most four code points of three bytes. */
#define TEXT_POINTS_MAX (TEXT_BYTES_MAX / 3 * 4 + 4)

enum text_class {
	TEXT_GOOD,
	TEXT_SPACE,
	TEXT_MARK,
	TEXT_CONTROL,	/* refused; when drawn, a replacement sign */
	TEXT_INVISIBLE, /* refused; when drawn, nothing */
	TEXT_JOINER,	/* ZWJ and ZWNJ: invisible but where they join what is around them */
	TEXT_DIRECTION, /* marks of direction, no stronger than a letter: invisible but in lines */
	TEXT_HINT,	/* soft hyphens and byte order marks: invisible; left out of lines */
};

/* What a text is: a name, a title, a card; or lines, which keep their blanks. */
enum text_form { TEXT_NAME, TEXT_LINES };

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
	switch (c) {
	case TEXT_ZWNJ:
	case TEXT_ZWJ:
		return TEXT_JOINER;
	case 0x061c:
	case 0x200e:
	case 0x200f:
		return TEXT_DIRECTION;
	case 0x00ad:
	case 0xfeff:
		return TEXT_HINT;
	default:
		break;
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
		if (!ascii_is_alnum(c) && c != '-' && c != '_') {
			return false;
		}
	}
	return true;
}

bool text_is_shown(int32_t point)
{
	enum text_class class = text_class_of(point);
	return class == TEXT_GOOD || class == TEXT_SPACE || class == TEXT_MARK;
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

/* ---- joiners ---- */

/* Blocks of scripts in which letters join or stack, so that a joiner between them shows. */
static const struct {
	int32_t first, last;
} text_joining[] = {
	{0x0620, 0x08ff},   /* Arabic, Syriac, N'Ko, Mandaic */
	{0x0900, 0x0dff},   /* the scripts of India and Sri Lanka */
	{0x0f40, 0x109f},   /* Tibetan, Burmese */
	{0x1780, 0x18aa},   /* Khmer, Mongolian */
	{0x1900, 0x1cff},   /* Limbu to Vedic signs */
	{0xa800, 0xabff},   /* Sylheti to Meitei */
	{0x10a00, 0x10fff}, /* Kharosthi, Manichaean, Rohingya, Sogdian */
	{0x11000, 0x11fff}, /* Brahmi and what came of it */
	{0x1e900, 0x1e95f}, /* Adlam */
};

static bool text_is_joining_letter(int32_t c)
{
	utf8proc_category_t category = utf8proc_category(c);
	for (size_t i = 0; i < sizeof(text_joining) / sizeof(text_joining[0]); i++) {
		if (c >= text_joining[i].first && c <= text_joining[i].last) {
			return category == UTF8PROC_CATEGORY_LO ||
			       category == UTF8PROC_CATEGORY_LM ||
			       category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL;
		}
	}
	return false;
}

static bool text_is_picture(int32_t c)
{
	return c >= 0 && text_class_of(c) == TEXT_GOOD &&
	       utf8proc_get_property(c)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/* What came before, as far as a joiner depends on it. */
struct text_before {
	bool is_letter;	 /* of a joining script, with its marks */
	bool is_picture; /* an emoji with its variation and skin tone */
	size_t joins;	 /* that made one emoji of several, up to here */
	bool is_joined;	 /* by the code point before */
};

static void text_before_take(struct text_before *b, int32_t c, enum text_class class)
{
	bool is_joined = b->is_joined;
	b->is_joined = false;
	if (class == TEXT_MARK || (class == TEXT_GOOD && utf8proc_get_property(c)->boundclass ==
								 UTF8PROC_BOUNDCLASS_EXTEND)) {
		return;
	}
	b->is_letter = text_is_joining_letter(c);
	b->is_picture = text_is_picture(c);
	b->joins = is_joined ? b->joins : 0;
}

/*
 * Whether a joiner may stand here. As RFC 5892 has it for names (CONTEXTJ), with what running text
 * has besides: a joiner at the end of a word, and before a virama. @next is -1 where the text ends.
 */
static bool text_may_join(struct text_before *b, enum text_form form, int32_t c, int32_t next)
{
	if (b->is_joined) {
		return false;
	}
	if (c == TEXT_ZWJ && b->is_picture && b->joins < TEXT_EMOJI_JOINS_MAX &&
	    text_is_picture(next)) {
		b->joins++;
		b->is_joined = true;
		return true;
	}
	b->is_joined = form == TEXT_LINES && b->is_letter;
	return b->is_joined;
}

/* ---- cleaning ---- */

/* Text on its way: folded and allowed, but not yet normalised. */
struct text_draft {
	char bytes[TEXT_BYTES_MAX];
	size_t len;
	bool owes_space;
	enum text_form form;
	struct text_before before;
};

/* Its bytes are left as they are: there are many, and a text has many lines. */
static void text_draft_begin(struct text_draft *d, enum text_form form)
{
	d->len = 0;
	d->owes_space = false;
	d->form = form;
	d->before = (struct text_before){.is_letter = false};
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

/* What becomes of a code point where it stands: its class, or that of what it is here. */
static enum text_class text_class_here(struct text_draft *d, int32_t c, struct slice in, size_t at)
{
	enum text_class class = c < 0 ? TEXT_CONTROL : text_class_of(c);
	switch (class) {
	case TEXT_JOINER:
		return text_may_join(&d->before, d->form, c, at < in.len ? text_point(in, &at) : -1)
			       ? TEXT_GOOD
			       : TEXT_INVISIBLE;
	case TEXT_DIRECTION:
		text_before_take(&d->before, c, class);
		return d->form == TEXT_LINES ? TEXT_GOOD : TEXT_INVISIBLE;
	case TEXT_HINT:
		return d->form == TEXT_LINES ? TEXT_HINT : TEXT_INVISIBLE;
	case TEXT_CONTROL:
		text_before_take(&d->before, TEXT_REPLACED, TEXT_GOOD);
		return d->form == TEXT_LINES && c == '\t' ? TEXT_GOOD : TEXT_CONTROL;
	case TEXT_SPACE:
		text_before_take(&d->before, c, class);
		return d->form == TEXT_LINES ? TEXT_GOOD : TEXT_SPACE;
	case TEXT_GOOD:
	case TEXT_MARK:
		text_before_take(&d->before, c, class);
		break;
	case TEXT_INVISIBLE:
		break;
	}
	return class;
}

static enum err text_draft_clean(struct slice in, struct text_draft *d, int32_t *bad)
{
	for (size_t at = 0; at < in.len;) {
		int32_t c = text_point(in, &at);
		enum text_class class = text_class_here(d, c, in, at);
		if (class == TEXT_CONTROL || class == TEXT_INVISIBLE) {
			*bad = c;
			return ERR_INVALID;
		}
		if (class == TEXT_SPACE) {
			d->owes_space = true;
		} else if (class != TEXT_HINT && !text_draft_add(d, c)) {
			return ERR_TOO_LARGE;
		}
	}
	return OK;
}

/* Most text is ASCII, and then it is in NFC already. */
static bool text_is_plain(struct slice s, enum text_form form)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.data[i];
		if ((c < 0x20 || c > 0x7e) && !(c == '\t' && form == TEXT_LINES)) {
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

/* How many marks there are on the base before a code point, of `most`; as many where there is no base. */
static size_t text_marks_behind(int32_t c, size_t marks, size_t most)
{
	enum text_class class = text_class_of(c);
	bool is_no_base = class == TEXT_DIRECTION || class == TEXT_CONTROL;
	return class == TEXT_MARK     ? marks + 1
	       : class == TEXT_JOINER ? marks
	       : is_no_base	      ? most
				      : 0;
}

static enum err text_clean_line(struct slice in, enum text_form form, char *out, size_t cap,
				size_t *len, int32_t *bad)
{
	struct text_draft draft;
	text_draft_begin(&draft, form);
	enum err e = text_draft_clean(in, &draft, bad);
	if (e != OK) {
		return e;
	}
	int32_t points[TEXT_POINTS_MAX];
	size_t n = text_compose(&draft, points);
	const size_t most = form == TEXT_LINES ? TEXT_LINES_MARKS_MAX : TEXT_MARKS_MAX;
	size_t marks = most; /* a mark needs a base before it */
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		marks = text_marks_behind(points[i], marks, most);
		if (marks > most) {
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

enum err text_clean(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad)
{
	return text_is_plain(in, TEXT_NAME) ? text_clean_plain(in, out, cap, len)
					    : text_clean_line(in, TEXT_NAME, out, cap, len, bad);
}

/* The line at *at, which moves behind its end, a newline, a carriage return or both; whether it has an end. */
static bool text_line(struct slice in, size_t *at, struct slice *line)
{
	size_t end = *at;
	while (end < in.len && in.data[end] != '\n' && in.data[end] != '\r') {
		end++;
	}
	*line = slice_of(in.data + *at, end - *at);
	bool has_end = end < in.len;
	bool is_pair = end + 1 < in.len && in.data[end] == '\r' && in.data[end + 1] == '\n';
	*at = end + has_end + is_pair;
	return has_end;
}

enum err text_clean_lines(struct slice in, char *out, size_t cap, size_t *len, int32_t *bad)
{
	size_t used = 0;
	for (size_t at = 0; at < in.len;) {
		struct slice line;
		bool has_end = text_line(in, &at, &line);
		size_t clean = line.len;
		if (!text_is_plain(line, TEXT_LINES)) {
			enum err e = text_clean_line(line, TEXT_LINES, out + used, cap - used,
						     &clean, bad);
			if (e != OK) {
				return e;
			}
		} else if (clean > cap - used) {
			return ERR_TOO_LARGE;
		} else if (clean > 0) {
			memcpy(out + used, line.data, clean);
		}
		used += clean;
		if (has_end && used == cap) {
			return ERR_TOO_LARGE;
		}
		if (has_end) {
			out[used++] = '\n';
		}
	}
	*len = used;
	return OK;
}

/* ---- softening ---- */

/* False where it was cut. */
static bool text_draft_soften(struct slice in, struct text_draft *d)
{
	for (size_t at = 0; at < in.len;) {
		int32_t c = text_point(in, &at);
		enum text_class class = text_class_here(d, c, in, at);
		bool is_blank = class == TEXT_SPACE || c == '\t' || c == '\n' || c == '\r';
		if (is_blank && d->form == TEXT_NAME) {
			d->owes_space = true;
		} else if (class != TEXT_INVISIBLE && class != TEXT_HINT &&
			   !text_draft_add(d, class == TEXT_CONTROL ? TEXT_REPLACED : c)) {
			return false;
		}
	}
	return true;
}

/* Where a text was cut nothing follows that a joiner could join. */
static size_t text_without_joiner(const char *text, size_t len)
{
	enum { JOINER_BYTES = 3 };
	while (len >= JOINER_BYTES && memcmp(text + len - JOINER_BYTES, "\xe2\x80", 2) == 0 &&
	       (text[len - 1] == '\x8c' || text[len - 1] == '\x8d')) {
		len -= JOINER_BYTES;
	}
	return len;
}

static size_t text_soften_line(struct slice in, enum text_form form, char *out, size_t cap)
{
	struct text_draft draft;
	text_draft_begin(&draft, form);
	bool is_cut = !text_draft_soften(in, &draft);
	int32_t points[TEXT_POINTS_MAX];
	size_t n = text_compose(&draft, points);
	const size_t most = form == TEXT_LINES ? TEXT_LINES_MARKS_MAX : TEXT_MARKS_MAX;
	size_t marks = most;
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		enum text_class class = text_class_of(points[i]);
		/* What leads the text must not become a space, and marks need a base there. */
		if (class == TEXT_MARK && marks >= most) {
			continue;
		}
		if (class == TEXT_SPACE && used == 0 && form == TEXT_NAME) {
			continue;
		}
		marks = text_marks_behind(points[i], marks, most);
		char one[4];
		size_t bytes = text_encoded(points[i], one);
		if (bytes > cap - used) {
			is_cut = true;
			break;
		}
		memcpy(out + used, one, bytes);
		used += bytes;
	}
	used = is_cut ? text_without_joiner(out, used) : used;
	return used > 0 && out[used - 1] == ' ' && form == TEXT_NAME ? used - 1 : used;
}

size_t text_soften(struct slice in, char *out, size_t cap)
{
	size_t plain;
	if (in.len <= cap && in.len <= TEXT_BYTES_MAX && text_is_plain(in, TEXT_NAME) &&
	    text_clean_plain(in, out, cap, &plain) == OK) {
		return plain;
	}
	return text_soften_line(in, TEXT_NAME, out, cap);
}

size_t text_soften_lines(struct slice in, char *out, size_t cap)
{
	size_t len = 0;
	for (size_t at = 0; at < in.len && len < cap;) {
		struct slice line;
		bool has_end = text_line(in, &at, &line);
		if (line.len <= cap - len && text_is_plain(line, TEXT_LINES)) {
			memcpy(out + len, line.len == 0 ? "" : line.data, line.len);
			len += line.len;
		} else {
			len += text_soften_line(line, TEXT_LINES, out + len, cap - len);
		}
		if (has_end && len < cap) {
			out[len++] = '\n';
		}
	}
	return len;
}

struct slice text_trim_lines(struct slice text)
{
	size_t begin = 0, end = 0;
	bool is_blank = true;
	for (size_t at = 0; at < text.len;) {
		int32_t c = text_point(text, &at);
		bool is_space =
			c == '\n' || c == '\t' || (c >= 0 && text_class_of(c) == TEXT_SPACE);
		is_blank = is_blank && is_space;
		begin = is_blank && c == '\n' ? at : begin;
		end = is_space ? end : at;
	}
	return end == 0 ? SLICE("") : slice_of(text.data + begin, end - begin);
}

/* What draws nothing and takes no cell by itself. */
static bool text_is_narrow(int32_t c)
{
	enum text_class class = text_class_of(c);
	return class == TEXT_MARK || class == TEXT_JOINER || class == TEXT_DIRECTION;
}

struct slice text_next(struct slice clean, size_t *at, size_t column, size_t *cells)
{
	size_t start = *at, end = *at;
	size_t width = 0;
	int32_t before = -1, state = 0;
	bool only_marks = true;
	if (start < clean.len && clean.data[start] == '\t') {
		*cells = TEXT_TAB_CELLS - column % TEXT_TAB_CELLS;
		*at = start + 1;
		return slice_of(clean.data + start, 1);
	}
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
		only_marks = only_marks && text_is_narrow(c);
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

bool text_is_space(struct slice grapheme)
{
	size_t at = 0;
	int32_t c = grapheme.len == 0 ? -1 : text_point(grapheme, &at);
	return c == '\t' || (c >= 0 && text_class_of(c) == TEXT_SPACE);
}

size_t text_cells(struct slice clean)
{
	size_t cells = 0, one;
	for (size_t at = 0; at < clean.len;) {
		text_next(clean, &at, cells, &one);
		cells += one;
	}
	return cells;
}

size_t text_fit(struct slice clean, size_t cells)
{
	size_t used = 0, at = 0;
	while (at < clean.len) {
		size_t next = at, one;
		text_next(clean, &next, used, &one);
		if (one > cells - used) {
			break;
		}
		used += one;
		at = next;
	}
	return at;
}
