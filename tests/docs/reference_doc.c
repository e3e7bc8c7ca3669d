/*
 * reference_doc.c - one function a section, nothing but formatting; and putting
 * sections where a document marks them.
 */
#include "tests/docs/reference_doc.h"

#include <inttypes.h>
#include <string.h>

#include "proto/base/fault.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/deck.h"
#include "proto/methods.h"

#define REFERENCE_NAME_BYTES 32

static const char *reference_who(enum method_who who)
{
	switch (who) {
	case WHO_ANYONE:
		return "anyone";
	case WHO_GREETED:
		return "after session.hello";
	case WHO_USER:
		return "a login";
	case WHO_KEYED:
		return "a login with a key";
	case WHO_SEATED:
		return "user_key";
	case WHO_MEMBER:
		return "user_key or host_key; policy";
	case WHO_HOST:
		return "host, or host_key";
	case WHO_OWNER:
		return "the server's own user";
	case WHO_KIOSK:
		return "the host's ssh kiosk";
	}
	return "";
}

static const char *reference_effect(enum method_effect effect)
{
	switch (effect) {
	case EFFECT_READS:
		return "reads";
	case EFFECT_ATTENDS:
		return "subscribes";
	case EFFECT_CHANGES:
		return "changes";
	}
	return "";
}

/* A record by name, linked to its table; one without fields is just an empty map. */
static void reference_link(const struct record *rec, struct buf *out)
{
	if (rec->n == 0) {
		buf_printf(out, "`{}`");
	} else {
		buf_printf(out, "[%s](#%s)", rec->name, rec->name);
	}
}

/* What stands before the dot. */
static struct slice reference_subject(int m)
{
	const char *name = method_rows[m].name;
	return slice_of(name, strcspn(name, "."));
}

/* The first method of the subject that m has. */
static int reference_first(int m)
{
	int first = 0;
	while (!slice_eq(reference_subject(first), reference_subject(m))) {
		first++;
	}
	return first;
}

static void reference_method(const struct method_row *row, struct buf *out)
{
	buf_printf(out, "| `%s` | %s | %s | ", row->name, reference_who(row->who),
		   reference_effect(row->effect));
	reference_link(row->params, out);
	buf_printf(out, " | ");
	reference_link(row->result, out);
	buf_printf(out, " | %s |\n", row->help);
}

/* A table for each subject. */
static void reference_methods(struct buf *out)
{
	for (int first = 0; first < METHOD_COUNT; first++) {
		struct slice subject = reference_subject(first);
		if (reference_first(first) != first) {
			continue;
		}
		buf_printf(
			out,
			"%s### %.*s\n\n"
			"| method | who may call it | effect | params | result | what it is for |\n"
			"|---|---|---|---|---|---|\n",
			first == 0 ? "" : "\n", (int)subject.len, subject.data);
		for (int m = first; m < METHOD_COUNT; m++) {
			if (reference_first(m) == first) {
				reference_method(&method_rows[m], out);
			}
		}
	}
}

static void reference_notices(struct buf *out)
{
	buf_printf(out, "| notification | params | what it says |\n|---|---|---|\n");
	for (int n = 0; n < NOTICE_COUNT; n++) {
		buf_printf(out, "| `%s` | ", notice_rows[n].name);
		reference_link(notice_rows[n].record, out);
		buf_printf(out, " | %s |\n", notice_rows[n].help);
	}
}

/* min..max with a unit, as short as possible. */
static void reference_range(const struct field *f, const char *unit, struct buf *out)
{
	if (f->min == f->max) {
		buf_printf(out, "%" PRId64 "%s", f->min, unit);
	} else if (f->max == INT64_MAX) {
		buf_printf(out, "%" PRId64 " or more%s", f->min, unit);
	} else {
		buf_printf(out, "%" PRId64 " to %" PRId64 "%s", f->min, f->max, unit);
	}
}

/* `todo`, `done` or `skipped` */
static void reference_words(const struct field *f, struct buf *out)
{
	for (int64_t i = f->min; i <= f->max; i++) {
		buf_printf(out, "%s`%s`",
			   i == f->min	 ? ""
			   : i == f->max ? " or "
					 : ", ",
			   words_text(f->words, (int)i));
	}
}

static void reference_type(const struct field *f, struct buf *out)
{
	switch (f->kind) {
	case FIELD_BOOL:
		buf_printf(out, "boolean");
		break;
	case FIELD_INT:
		buf_printf(out, "integer, ");
		reference_range(f, "", out);
		break;
	case FIELD_NUM:
		buf_printf(out, "number");
		break;
	case FIELD_STR:
		buf_printf(out,
			   (f->flags & FIELD_QUANTITY) != 0 ? "number, or string, " : "string, ");
		reference_range(f, " bytes", out);
		break;
	case FIELD_TEXT:
		buf_printf(out, "%s, ", (f->flags & FIELD_LINES) != 0 ? "lines of text" : "text");
		if ((f->flags & FIELD_CHARS) != 0) {
			buf_printf(out, "%" PRId64 " to %zu characters", f->min, f->cells);
			break;
		}
		if (f->cells != 0) {
			buf_printf(out, "up to %zu cells, ", f->cells);
		}
		reference_range(f, " bytes", out);
		break;
	case FIELD_ENUM:
		reference_words(f, out);
		break;
	case FIELD_STRS:
		reference_range(f, f->cells != 0 ? " texts" : " strings", out);
		if (f->cells != 0) {
			buf_printf(out, ", each of 1 to %zu characters", f->cells);
		}
		break;
	case FIELD_REC:
		reference_link(f->of, out);
		break;
	case FIELD_RECS:
		reference_range(f, " of ", out);
		reference_link(f->of, out);
		break;
	case FIELD_ANY:
		buf_printf(out, "any value, ");
		reference_range(f, " bytes", out);
		break;
	}
}

void reference_doc_record(const struct record *rec, struct buf *out)
{
	buf_printf(out, "| field | type | | meaning |\n|---|---|---|---|\n");
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		buf_printf(out, "| `%s` | ", f->name);
		reference_type(f, out);
		buf_printf(out, " | %s%s%s | %s |\n",
			   (f->flags & FIELD_REQ) != 0 ? "required" : "optional",
			   (f->flags & FIELD_NIL) != 0 ? ", may be nil" : "",
			   (f->flags & FIELD_SECRET) != 0   ? ", secret"
			   : (f->flags & FIELD_HIDDEN) != 0 ? ", hidden"
							    : "",
			   f->help);
	}
}

static void reference_records(struct buf *out)
{
	const char *gap = "";
	for (const struct record *const *rec = wire_records; *rec != NULL; rec++) {
		if ((*rec)->n == 0) {
			continue;
		}
		buf_printf(out, "%s#### %s\n\n", gap, (*rec)->name);
		reference_doc_record(*rec, out);
		gap = "\n";
	}
}

static void reference_errors(struct buf *out)
{
	buf_printf(out, "| code | meaning |\n|---|---|\n");
#define REFERENCE_ERROR(code, meaning) buf_printf(out, "| `%s` | %s |\n", #code, (meaning));
	FAULT_CODES(REFERENCE_ERROR)
#undef REFERENCE_ERROR
}

static void reference_limits(struct buf *out)
{
	buf_printf(out, "| limit | value | unit | can be set | what it bounds |\n"
			"|---|---:|---|---|---|\n");
	for (int i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *row = &limit_rows[i];
		buf_printf(out, "| `%s` | %" PRId64 " | %s | %s | %s |\n", row->name, row->value,
			   row->unit, row->changeable == LIMIT_SET ? "yes" : "", row->help);
	}
}

static void reference_decks(struct buf *out)
{
	buf_printf(out, "| deck | cards |\n|---|---|\n");
	for (const struct deck_row *row = deck_rows; row->name != NULL; row++) {
		buf_printf(out, "| `%s` | %s |\n", row->name, row->cards);
	}
}

/* A name as it stands in a frame: the header of a short string, then its bytes. */
static void reference_word(const char *word, struct buf *out)
{
	size_t len = strlen(word);
	if (len < 32) {
		buf_printf(out, "\"\\x%02x%s\"\n", (unsigned)(0xa0 | len), word);
	} else {
		buf_printf(out, "\"\\xd9\\x%02x%s\"\n", (unsigned)len, word);
	}
}

static void reference_dictionary(struct buf *out)
{
	buf_printf(out, "\"\\x94\\x00\"\n\"\\x94\\x01\"\n\"\\x93\\x02\"\n\"\\x91\\x80\"\n");
	for (int m = 0; m < METHOD_COUNT; m++) {
		reference_word(method_rows[m].name, out);
	}
	for (int n = 0; n < NOTICE_COUNT; n++) {
		reference_word(notice_rows[n].name, out);
	}
	for (const struct record *const *rec = wire_records; *rec != NULL; rec++) {
		for (size_t i = 0; i < (*rec)->n; i++) {
			reference_word((*rec)->fields[i].name, out);
		}
	}
	for (const struct words *const *words = word_enums; *words != NULL; words++) {
		for (int i = 0; i < (*words)->n; i++) {
			reference_word(words_text(*words, i), out);
		}
	}
}

enum err reference_doc_write(const char *section, struct buf *out)
{
	static const struct {
		const char *name;
		void (*write)(struct buf *out);
	} sections[] = {
		{"methods", reference_methods},	      {"notifications", reference_notices},
		{"records", reference_records},	      {"errors", reference_errors},
		{"limits", reference_limits},	      {"decks", reference_decks},
		{"dictionary", reference_dictionary},
	};
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (strcmp(section, sections[i].name) == 0) {
			sections[i].write(out);
			return out->error;
		}
	}
	return ERR_NOT_FOUND;
}

/* ---- filling a document ---- */

/* Where `needle` begins in text from `from` on, or text.len. */
static size_t reference_find(struct slice text, size_t from, struct slice needle)
{
	for (size_t at = from; at + needle.len <= text.len; at++) {
		if (memcmp(text.data + at, needle.data, needle.len) == 0) {
			return at;
		}
	}
	return text.len;
}

/* The section's name between `from` and `to`, terminated; false where it is none. */
static bool reference_name(struct slice text, size_t from, size_t to, char *name)
{
	if (to == text.len || to - from >= REFERENCE_NAME_BYTES || to == from) {
		return false;
	}
	memcpy(name, text.data + from, to - from);
	name[to - from] = '\0';
	return memchr(name, '\n', to - from) == NULL;
}

/* As GitHub makes the anchor of a heading. */
static void reference_anchor(struct slice heading, struct buf *out)
{
	for (size_t i = 0; i < heading.len; i++) {
		char c = heading.data[i];
		bool is_upper = c >= 'A' && c <= 'Z';
		bool is_kept = is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			       c == '-' || c == '_';
		char made = c == ' ' ? '-' : (char)(is_upper ? c + ('a' - 'A') : c);
		buf_append(out, &made, is_kept || c == ' ');
	}
}

/* The headings of a document, but for its title and the smallest: a line for each chapter, with what it is divided into. */
static void reference_contents(struct slice text, struct buf *out)
{
	bool is_code = false;
	bool is_divided = false;
	bool is_first = true;
	for (size_t at = 0, next; at < text.len; at = next) {
		next = reference_find(text, at, SLICE("\n")) + 1;
		struct slice line = slice_of(text.data + at, next - 1 - at);
		size_t level = 0;
		while (level < line.len && line.data[level] == '#') {
			level++;
		}
		is_code ^= line.len >= 3 && memcmp(line.data, "```", 3) == 0;
		if (is_code || level < 2 || level > 3 || level >= line.len ||
		    line.data[level] != ' ') {
			continue;
		}
		struct slice heading = slice_of(line.data + level + 1, line.len - level - 1);
		buf_printf(out, "%s[%.*s](#",
			   level > 2  ? (is_divided ? ", " : ": ")
			   : is_first ? "- "
				      : "\n- ",
			   (int)heading.len, heading.data);
		reference_anchor(heading, out);
		buf_append(out, ")", 1);
		is_divided = level > 2;
		is_first = false;
	}
	buf_append(out, "\n", !is_first);
}

enum err reference_doc_fill(struct slice text,
			    enum err (*write)(const char *section, struct buf *out),
			    struct buf *out)
{
	const struct slice begin = SLICE("<!-- begin: "), mark_end = SLICE(" -->\n");
	size_t done = 0;
	for (;;) {
		size_t at = reference_find(text, done, begin);
		if (at == text.len) {
			return buf_append(out, text.data + done, text.len - done);
		}
		char name[REFERENCE_NAME_BYTES], end[REFERENCE_NAME_BYTES + 16];
		size_t name_ends = reference_find(text, at, mark_end);
		if (!reference_name(text, at + begin.len, name_ends, name)) {
			return ERR_INVALID;
		}
		size_t body = name_ends + mark_end.len;
		format_to(end, sizeof(end), "<!-- end: %s -->", name);
		size_t next = reference_find(text, body, slice_str(end));
		if (next == text.len) {
			return ERR_INVALID;
		}
		buf_append(out, text.data + done, body - done);
		enum err e = OK;
		if (strcmp(name, "contents") == 0) {
			reference_contents(text, out);
		} else {
			e = write(name, out);
		}
		if (e != OK) {
			return e;
		}
		done = next;
	}
}
