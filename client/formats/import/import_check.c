/*
 * import_check.c - titles, links, description and estimates made clean, or remarked upon.
 */
#include "client/formats/import/import_check.h"

#include <stdint.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/deck.h"
#include "proto/link.h"
#include "proto/text/issue_key.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"

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

void *import_grown(struct import *im, void *entries, size_t n, size_t size)
{
	if (n < im->cap) {
		return entries;
	}
	im->cap = im->cap == 0 ? 256 : 2 * im->cap;
	void *grown = memory_have(arena_alloc(im->arena, im->cap * size));
	if (n > 0) {
		memcpy(grown, entries, n * size);
	}
	return grown;
}

/* ---- what all readers look for ---- */

bool import_is_blank(struct slice s)
{
	return import_trim(s).len == 0;
}

static bool import_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct slice import_trim(struct slice s)
{
	while (s.len > 0 && import_is_space(s.data[s.len - 1])) {
		s.len--;
	}
	while (s.len > 0 && import_is_space(s.data[0])) {
		s = slice_of(s.data + 1, s.len - 1);
	}
	return s;
}

bool import_next_line(struct slice text, size_t *at, struct slice *line)
{
	if (*at >= text.len) {
		return false;
	}
	size_t end = *at;
	while (end < text.len && text.data[end] != '\n' && text.data[end] != '\r') {
		end++;
	}
	bool is_crlf = end + 1 < text.len && text.data[end] == '\r' && text.data[end + 1] == '\n';
	*line = slice_of(text.data + *at, end - *at);
	*at = end + (is_crlf ? 2 : 1);
	return true;
}

static size_t import_digits(struct slice s, size_t from)
{
	size_t at = from;
	while (at < s.len && s.data[at] >= '0' && s.data[at] <= '9') {
		at++;
	}
	return at - from;
}

bool import_is_key(struct slice s)
{
	bool is_lower = false;
	for (size_t i = 0; i < s.len; i++) {
		is_lower = is_lower || (s.data[i] >= 'a' && s.data[i] <= 'z');
	}
	return !is_lower && s.len > 0 && issue_key_front(s) == s.len;
}

struct slice import_name_key(struct slice name)
{
	const char *blank = name.len == 0 ? NULL : memchr(name.data, ' ', name.len);
	struct slice word = slice_of(name.data, blank == NULL ? 0 : (size_t)(blank - name.data));
	return import_is_key(word) ? word : (struct slice){0};
}

struct slice import_number_key(struct import *im, struct slice number)
{
	number = import_trim(number);
	if (slice_starts(number, SLICE("#"))) {
		number = slice_of(number.data + 1, number.len - 1);
	}
	if (number.len == 0 || import_digits(number, 0) != number.len) {
		return (struct slice){0};
	}
	char *key = memory_have(arena_alloc(im->arena, number.len + 1));
	key[0] = '#';
	memcpy(key + 1, number.data, number.len);
	return slice_of(key, number.len + 1);
}

struct slice import_take_key(struct slice *title)
{
	struct slice s = import_trim(*title);
	size_t len = 0;
	while (len < s.len && !import_is_space(s.data[len])) {
		len++;
	}
	struct slice key = slice_of(s.data, len);
	if (key.len > 0 && key.data[key.len - 1] == ':') {
		key.len--;
	}
	if (key.len > 2 && key.data[0] == '[' && key.data[key.len - 1] == ']') {
		key = slice_of(key.data + 1, key.len - 2);
	}
	struct slice rest = import_trim(slice_of(s.data + len, s.len - len));
	if (!import_is_key(key) || rest.len == 0) {
		return (struct slice){0};
	}
	*title = rest;
	return key;
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
	if (e == OK && len > 0) {
		clean[len] = '\0';
		*out = slice_of(clean, len);
	}
	return e;
}

struct slice import_description(struct import *im, size_t line, struct slice in)
{
	/* Softened text is at most three times as long. */
	size_t cap = 3 * in.len;
	size_t len = 0;
	int32_t bad;
	char *text = memory_have(arena_alloc(im->arena, cap + 1));
	enum err e = text_clean_lines(in, text, cap, &len, &bad);
	if (e != OK) {
		len = text_soften_lines(in, text, cap);
	}
	if (e == ERR_INVALID) {
		import_remark(im, line, false,
			      "has a description with characters that may not be shown; "
			      "they were replaced");
	}
	if (len > MAX_STORY_DESCRIPTION_BYTES) {
		len = text_soften_lines(in, text, MAX_STORY_DESCRIPTION_BYTES);
		import_remark(im, line, false,
			      "has a description of more than 4096 bytes; it was cut");
	}
	bool is_blank = text_trim_lines(slice_of(text, len)).len == 0;
	return is_blank ? (struct slice){0} : memory_copy(im->arena, slice_of(text, len));
}

struct slice import_one_line(struct import *im, struct slice in)
{
	char *line = memory_have(arena_alloc(im->arena, in.len + 1));
	for (size_t i = 0; i < in.len; i++) {
		line[i] = in.data[i];
		if (import_is_space(line[i])) {
			line[i] = ' ';
		}
	}
	return slice_of(line, in.len);
}

static bool import_title(struct import *im, const struct import_raw *raw, struct slice *out)
{
	struct slice title = import_one_line(im, raw->title);
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
		why = "has a title wider than 200 columns";
		break;
	}
	if (why != NULL) {
		import_remark(im, raw->line, true, why);
	}
	return why == NULL;
}

/* 3,5 as spreadsheets write it in half of Europe; 1,000 may be a thousand. */
static struct slice import_point(struct import *im, struct slice s)
{
	size_t whole = import_digits(s, 0);
	bool has_comma = whole > 0 && whole < s.len && s.data[whole] == ',';
	size_t decimals = has_comma ? import_digits(s, whole + 1) : 0;
	if (decimals == 0 || decimals > 2 || whole + 1 + decimals != s.len ||
	    deck_find(im->deck, s) >= 0) {
		return s;
	}
	char *text = memory_have(arena_alloc(im->arena, s.len));
	memcpy(text, s.data, s.len);
	text[whole] = '.';
	return slice_of(text, s.len);
}

struct slice import_number(struct import *im, struct slice s)
{
	double value;
	s = import_point(im, import_trim(s));
	if (s.len == 0 || !card_number(s, &value) || memchr(s.data, '.', s.len) == NULL) {
		return s;
	}
	while (s.data[s.len - 1] == '0') {
		s.len--;
	}
	s.len -= s.data[s.len - 1] == '.';
	return s;
}

/* The deck's own label where the deck has that number. */
static struct slice import_card(struct import *im, struct slice estimate)
{
	double value;
	double other;
	if (deck_find(im->deck, estimate) >= 0 || !card_number(estimate, &value)) {
		return estimate;
	}
	for (size_t i = 0; i < im->deck.n; i++) {
		if (card_number(im->deck.items[i], &other) && !(other < value) &&
		    !(other > value)) {
			(void)import_clean(im, im->deck.items[i], MAX_CARD_BYTES, MAX_CARD_CELLS,
					   &estimate);
			break;
		}
	}
	return estimate;
}

/* Without a status of ours, what has an estimate is done. */
static enum story_status import_status(struct import *im, const struct import_raw *raw,
				       bool has_estimate)
{
	if (raw->status.len == 0 || raw->any_status) {
		return has_estimate ? STORY_DONE : STORY_TODO;
	}
	int status = words_find(&words_story_status, raw->status);
	if (status < 0) {
		import_remark(
			im, raw->line, false,
			"has a status that is not one of todo, done and skipped; it is to do");
		return STORY_TODO;
	}
	return status == STORY_VOTING ? STORY_TODO : (enum story_status)status;
}

void import_take_story(struct import *im, const struct import_raw *raw)
{
	struct import_story s = {.line = raw->line};
	if (!import_title(im, raw, &s.title)) {
		return;
	}
	if (import_clean(im, raw->link, MAX_STORY_LINK_BYTES, SIZE_MAX, &s.link) != OK) {
		import_remark(im, raw->line, false, "has an invalid link; it was left out");
	} else if (s.link.len > 0 && !link_is_web(s.link)) {
		import_remark(im, raw->line, false,
			      "has a link that is not a web address; it was left out");
		s.link = (struct slice){0};
	}
	if (import_clean(im, raw->key, MAX_STORY_KEY_BYTES, MAX_STORY_KEY_CELLS, &s.key) != OK) {
		import_remark(im, raw->line, false, "has an invalid key; it was left out");
	}
	struct slice estimate = import_number(im, raw->estimate);
	if (import_clean(im, estimate, MAX_CARD_BYTES, MAX_CARD_CELLS, &s.estimate) != OK) {
		import_remark(im, raw->line, false,
			      "has an estimate wider than 8 columns; it was left out");
	}
	s.estimate = import_card(im, s.estimate);
	s.description = import_description(im, raw->line, raw->description);
	s.status = import_status(im, raw, s.estimate.len > 0);
	im->out->stories = import_grown(im, im->out->stories, im->out->stories_n, sizeof(s));
	im->out->stories[im->out->stories_n++] = s;
}
