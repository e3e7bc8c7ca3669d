/*
 * settings.c - the table of settings, and their file as text; see settings.h.
 */
#include "client/model/settings.h"

#include <stdbool.h>

#include "client/model/memory.h"
#include "proto/base/format.h"

const struct setting_row setting_rows[SETTING_COUNT] = {
#define CHOICE_WORD(symbol, word) word,
#define SETTING_ROW(symbol, name, choices, fallback, help) \
	[SETTING_##symbol] = {#name, {choices(CHOICE_WORD)}, fallback, help},
	SETTINGS(SETTING_ROW)
#undef SETTING_ROW
#undef CHOICE_WORD
};

void settings_defaults(struct settings *s)
{
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		s->value[i] = setting_rows[i].fallback;
	}
}

enum setting settings_find(struct slice name)
{
	enum setting i = 0;
	while (i < SETTING_COUNT && !slice_eq(slice_str(setting_rows[i].name), name)) {
		i++;
	}
	return i;
}

const char *settings_word(const struct settings *s, enum setting which)
{
	return setting_rows[which].choices[s->value[which]];
}

/* ---- changing one ---- */

/* What a person typed may be long; its beginning is enough to find it again. */
enum { SETTINGS_QUOTED_BYTES = 40 };

static int settings_quoted(struct slice text)
{
	return text.len < SETTINGS_QUOTED_BYTES ? (int)text.len : SETTINGS_QUOTED_BYTES;
}

/* "a, b or c"; what stands between the last two is told. */
static void settings_list(char *out, size_t cap, const char *const *words, size_t n,
			  const char *last)
{
	size_t len = 0;
	out[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		len += format_to(out + len, cap - len, "%s%s", format_between(i, n, last),
				 words[i]);
	}
}

static enum err settings_no_setting(struct slice name, struct errmsg *why)
{
	const char *names[SETTING_COUNT];
	char list[128];
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		names[i] = setting_rows[i].name;
	}
	settings_list(list, sizeof(list), names, SETTING_COUNT, " and ");
	errmsg_set(why, "no setting %.*s; settings: %s", settings_quoted(name),
		   name.len == 0 ? "" : name.data, list);
	return ERR_NOT_FOUND;
}

static enum err settings_no_choice(const struct setting_row *row, struct slice value,
				   struct errmsg *why)
{
	char list[128];
	size_t n = 0;
	while (row->choices[n] != NULL) {
		n++;
	}
	settings_list(list, sizeof(list), row->choices, n, " or ");
	if (value.len == 0) {
		errmsg_set(why, "%s must be %s", row->name, list);
	} else {
		errmsg_set(why, "%s must be %s, not %.*s", row->name, list, settings_quoted(value),
			   value.data);
	}
	return ERR_INVALID;
}

enum err settings_set(struct settings *s, struct slice name, struct slice value, struct errmsg *why)
{
	enum setting which = settings_find(name);
	if (which == SETTING_COUNT) {
		return settings_no_setting(name, why);
	}
	const struct setting_row *row = &setting_rows[which];
	for (uint8_t i = 0; row->choices[i] != NULL; i++) {
		if (slice_eq(slice_str(row->choices[i]), value)) {
			s->value[which] = i;
			return OK;
		}
	}
	return settings_no_choice(row, value, why);
}

/* ---- the file ---- */

struct settings_line {
	struct slice whole; /* with its end */
	struct slice name;  /* without the blanks around it; of a comment or an empty line: "" */
	struct slice value;
	bool is_pair; /* there is a = behind the name */
};

static bool settings_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct slice settings_trim(struct slice s)
{
	while (s.len > 0 && settings_is_blank(s.data[s.len - 1])) {
		s.len--;
	}
	while (s.len > 0 && settings_is_blank(s.data[0])) {
		s.data++;
		s.len--;
	}
	return s;
}

/* The first line of *rest, which begins behind it afterwards; false at the end. */
static bool settings_next(struct slice *rest, struct settings_line *out)
{
	if (rest->len == 0) {
		return false;
	}
	const char *end = memchr(rest->data, '\n', rest->len);
	size_t len = end == NULL ? rest->len : (size_t)(end - rest->data) + 1;
	*out = (struct settings_line){.whole = slice_of(rest->data, len)};
	*rest = slice_of(rest->data + len, rest->len - len);

	const char *comment = memchr(out->whole.data, '#', len);
	len = comment == NULL ? len : (size_t)(comment - out->whole.data);
	const char *equals = memchr(out->whole.data, '=', len);
	size_t name_len = equals == NULL ? len : (size_t)(equals - out->whole.data);
	out->is_pair = equals != NULL;
	out->name = settings_trim(slice_of(out->whole.data, name_len));
	if (out->is_pair) {
		out->value = settings_trim(slice_of(equals + 1, len - name_len - 1));
	}
	return true;
}

/* A byte-order mark in front is no part of the first name. */
static struct slice settings_text(struct slice text)
{
	static const struct slice mark = {"\xef\xbb\xbf", 3};
	return slice_starts(text, mark) ? slice_of(text.data + 3, text.len - 3) : text;
}

void settings_parse(struct slice text, struct settings *s, settings_fault_cb on_fault, void *owner)
{
	struct settings_line line;
	struct slice rest = settings_text(text);
	for (size_t number = 1; settings_next(&rest, &line); number++) {
		struct errmsg why;
		if (!line.is_pair && line.name.len == 0) {
			continue;
		}
		if (!line.is_pair) {
			errmsg_set(&why, "%.*s is not a setting; use name = value",
				   settings_quoted(line.name), line.name.data);
			on_fault(owner, number, why.text);
		} else if (settings_set(s, line.name, line.value, &why) != OK) {
			on_fault(owner, number, why.text);
		}
	}
}

/* ---- and back ---- */

static void settings_ignore(void *owner, size_t line, const char *what)
{
	(void)owner;
	(void)line;
	(void)what;
}

/* For each setting the last line that names it, from 1; 0: none. */
static void settings_find_lines(struct slice text, size_t lines[SETTING_COUNT])
{
	struct settings_line line;
	struct slice rest = settings_text(text);
	for (size_t number = 1; settings_next(&rest, &line); number++) {
		enum setting which = line.is_pair ? settings_find(line.name) : SETTING_COUNT;
		if (which != SETTING_COUNT) {
			lines[which] = number;
		}
	}
}

static void settings_put_line(struct buf *out, const struct settings_line *line, const char *value)
{
	size_t before = (size_t)(line->value.data - line->whole.data);
	size_t behind = before + line->value.len;
	(void)buf_append(out, line->whole.data, before);
	(void)buf_printf(out, "%s%s", line->value.len == 0 ? " " : "", value);
	(void)buf_append(out, line->whole.data + behind, line->whole.len - behind);
}

enum err settings_format(struct slice text, const struct settings *s, struct buf *out)
{
	size_t lines[SETTING_COUNT] = {0};
	struct settings old;
	struct settings_line line;
	struct slice rest = settings_text(text);
	settings_defaults(&old);
	settings_parse(text, &old, settings_ignore, NULL);
	settings_find_lines(text, lines);
	(void)buf_append(out, text.data, text.len - rest.len);
	for (size_t number = 1; settings_next(&rest, &line); number++) {
		enum setting which = line.is_pair ? settings_find(line.name) : SETTING_COUNT;
		if (which != SETTING_COUNT && lines[which] == number &&
		    s->value[which] != old.value[which]) {
			settings_put_line(out, &line, settings_word(s, which));
		} else {
			(void)buf_append_slice(out, line.whole);
		}
	}
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (lines[i] == 0 && s->value[i] != old.value[i]) {
			bool is_open = out->len > 0 && out->data[out->len - 1] != '\n';
			(void)buf_printf(out, "%s%s = %s\n", is_open ? "\n" : "",
					 setting_rows[i].name, settings_word(s, (enum setting)i));
		}
	}
	return memory_check(out->error);
}
