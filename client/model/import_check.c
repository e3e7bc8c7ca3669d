/*
 * import_check.c - titles, links, notes and estimates made clean, or remarked upon.
 */
#include "client/model/import_check.h"

#include <stdint.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/text.h"
#include "proto/utf8.h"

void import_remark(struct import *im, size_t line, bool is_skipped, const char *text)
{
	struct stories_import *out = im->out;
	if (out->remarks_n == im->remarks_cap) {
		size_t cap = im->remarks_cap == 0 ? 16 : 2 * im->remarks_cap;
		struct import_remark *grown =
			memory_have(arena_alloc(im->arena, cap * sizeof(*grown)));
		memcpy(grown, out->remarks_n == 0 ? grown : out->remarks,
		       out->remarks_n * sizeof(*grown));
		out->remarks = grown;
		im->remarks_cap = cap;
	}
	out->remarks[out->remarks_n++] = (struct import_remark){line, is_skipped, text};
	out->is_given_up = out->remarks_n >= IMPORT_REMARKS_MAX;
}

/* ---- checking, as the server will ---- */

/* Clean text in the arena; blank text is empty. ERR_INVALID, ERR_TOO_LARGE. */
static enum err import_clean(struct import *im, struct slice in, size_t bytes_max, size_t cells_max,
			     struct slice *out)
{
	char *clean = memory_have(arena_alloc(im->arena, bytes_max + 1));
	size_t len = 0;
	int32_t bad = 0;
	*out = (struct slice){0};
	enum err e = text_clean(in, clean, bytes_max, &len, &bad);
	if (e == OK && text_cells(slice_of(clean, len)) > cells_max) {
		e = ERR_TOO_LARGE;
	}
	if (e == OK) {
		*out = slice_of(clean, len);
	}
	return e;
}

/* Lines that are longer than what there is room for are broken, and the last part is cut. */
#define IMPORT_LINE_BYTES 1024

static size_t import_break(struct slice line)
{
	size_t len = line.len < IMPORT_LINE_BYTES ? line.len : IMPORT_LINE_BYTES;
	if (len == line.len) {
		return len;
	}
	while (len > 1 && ((unsigned char)line.data[len] & 0xc0) == 0x80) {
		len--;
	}
	return len;
}

struct import_notes {
	char *text;
	size_t len;
	bool is_cut;
	bool is_changed;
};

/* One line of notes, or as much of it as can be had at once; returns how many bytes of it that was.
 */
static size_t import_notes_line(struct slice line, struct import_notes *n)
{
	char clean[MAX_STORY_NOTES_BYTES];
	size_t len = 0;
	int32_t bad;
	size_t used = line.len;
	enum err e = text_clean(line, clean, MAX_STORY_NOTES_BYTES - n->len, &len, &bad);
	if (e == ERR_TOO_LARGE) {
		used = import_break(line);
		e = text_clean(slice_of(line.data, used), clean, sizeof(clean), &len, &bad);
	}
	if (e != OK) {
		len = text_soften(slice_of(line.data, used), clean, sizeof(clean));
		n->is_changed = true;
	}
	if (n->len + len > MAX_STORY_NOTES_BYTES) {
		n->is_cut = true;
		return used;
	}
	memcpy(n->text + n->len, clean, len);
	n->len += len;
	return used;
}

static struct slice import_notes(struct import *im, size_t line, struct slice in)
{
	struct import_notes n = {
		.text = memory_have(arena_alloc(im->arena, MAX_STORY_NOTES_BYTES + 1))};
	for (size_t at = 0; at < in.len && !n.is_cut;) {
		size_t len = 0;
		while (at + len < in.len && in.data[at + len] != '\n' &&
		       in.data[at + len] != '\r') {
			len++;
		}
		size_t used = len == 0 ? 0 : import_notes_line(slice_of(in.data + at, len), &n);
		at += used;
		bool is_crlf = at + 1 < in.len && in.data[at] == '\r' && in.data[at + 1] == '\n';
		bool is_end = used == len && at < in.len;
		if ((is_end || used < len) && n.len < MAX_STORY_NOTES_BYTES) {
			n.text[n.len++] = '\n';
		}
		at += is_end ? 1u + is_crlf : 0u;
	}
	if (n.is_changed) {
		import_remark(im, line, false,
			      "has notes with characters that may not be shown; "
			      "they were replaced");
	}
	if (n.is_cut) {
		import_remark(im, line, false, "has notes of more than 4096 bytes; they were cut");
	}
	return slice_of(n.text, n.len);
}

bool import_is_blank(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (strchr(" \t\r\n", s.data[i]) == NULL || s.data[i] == '\0') {
			return false;
		}
	}
	return true;
}

/* The key of another program's issue in front, where there is one. */
static struct slice import_joined(struct import *im, const struct import_raw *raw)
{
	struct slice title = raw->title;
	if (raw->key.len == 0 || import_is_blank(title)) {
		return title;
	}
	char *joined = memory_have(arena_alloc(im->arena, raw->key.len + title.len + 1));
	memcpy(joined, raw->key.data, raw->key.len);
	joined[raw->key.len] = ' ';
	memcpy(joined + raw->key.len + 1, title.data, title.len);
	return slice_of(joined, raw->key.len + 1 + title.len);
}

static bool import_title(struct import *im, const struct import_raw *raw, struct slice *out)
{
	struct slice title = import_joined(im, raw);
	const char *why = NULL;
	switch (import_clean(im, title, MAX_STORY_TITLE_BYTES, MAX_STORY_TITLE_CELLS, out)) {
	case OK:
		why = out->len == 0 ? "has no title" : NULL;
		break;
	case ERR_INVALID:
		why = utf8_is_valid(title) ? "has a title with a character that may not be shown"
					   : "is not UTF-8";
		break;
	default:
		why = "has a title of more than 200 cells";
		break;
	}
	if (why != NULL) {
		import_remark(im, raw->line, true, why);
	}
	return why == NULL;
}

static enum story_status import_status(struct import *im, const struct import_raw *raw)
{
	if (raw->status.len == 0 || raw->any_status) {
		return STORY_TODO;
	}
	int status = words_find(&words_story_status, raw->status);
	if (status < 0) {
		import_remark(im, raw->line, false,
			      "has a status that is none of todo, done and skipped; it is to do");
		return STORY_TODO;
	}
	return status == STORY_VOTING ? STORY_TODO : (enum story_status)status;
}

void import_take(struct import *im, const struct import_raw *raw)
{
	struct import_story s = {.line = raw->line};
	if (im->out->stories_n == MAX_STORIES) {
		import_remark(im, raw->line, true,
			      "is one too many: a room has at most 500 stories");
		return;
	}
	if (!import_title(im, raw, &s.title)) {
		return;
	}
	if (import_clean(im, raw->link, MAX_STORY_LINK_BYTES, SIZE_MAX, &s.link) != OK) {
		import_remark(im, raw->line, false, "has a link that cannot be; it was left out");
	}
	if (import_clean(im, raw->estimate, MAX_CARD_BYTES, MAX_CARD_CELLS, &s.estimate) != OK) {
		import_remark(im, raw->line, false,
			      "has an estimate of more than 8 cells; it was left out");
	}
	s.notes = import_notes(im, raw->line, raw->notes);
	s.status = import_status(im, raw);
	im->out->stories[im->out->stories_n++] = s;
}
