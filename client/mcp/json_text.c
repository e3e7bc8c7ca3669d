/*
 * json_text.c - finds the ends of JSON values; see json_text.h.
 */
#include "client/mcp/json_text.h"

static bool json_text_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t json_text_skip_space(struct slice text, size_t at)
{
	while (at < text.len && json_text_is_space(text.data[at])) {
		at++;
	}
	return at;
}

/* Behind the string that begins at `at`, or the end of the text. */
static size_t json_text_skip_string(struct slice text, size_t at)
{
	for (at++; at < text.len && text.data[at] != '"'; at++) {
		at += text.data[at] == '\\';
	}
	return at < text.len ? at + 1 : text.len;
}

bool json_text_is_flat(struct slice text, size_t depth)
{
	size_t open = 0;
	for (size_t at = 0; at < text.len;) {
		char c = text.data[at];
		if (c == '"') {
			at = json_text_skip_string(text, at);
			continue;
		}
		if ((c == '{' || c == '[') && open++ > depth) {
			return false;
		}
		open -= (c == '}' || c == ']') && open > 0;
		at++;
	}
	return true;
}

/* Behind the value that begins at `at`. */
static size_t json_text_skip_value(struct slice text, size_t at)
{
	size_t open = 0;
	while (at < text.len) {
		char c = text.data[at];
		bool is_end = c == '}' || c == ']';
		if (open == 0 && (c == ',' || is_end || json_text_is_space(c))) {
			return at;
		}
		open += c == '{' || c == '[';
		open -= is_end;
		at = c == '"' ? json_text_skip_string(text, at) : at + 1;
		if (open == 0 && (is_end || c == '"')) {
			return at;
		}
	}
	return at;
}

struct slice json_text_member(struct slice object, const char *name)
{
	size_t at = json_text_skip_space(object, 0);
	if (at == object.len || object.data[at++] != '{') {
		return (struct slice){0};
	}
	while (at < object.len) {
		at = json_text_skip_space(object, at);
		if (at >= object.len || object.data[at] != '"') {
			break; /* the end of the object */
		}
		size_t end = json_text_skip_string(object, at);
		struct slice key = slice_of(object.data + at + 1, end - at - 2);
		at = json_text_skip_space(object, end) + 1; /* the colon */
		at = json_text_skip_space(object, at);
		if (at > object.len) {
			break;
		}
		end = json_text_skip_value(object, at);
		if (slice_eq(key, slice_str(name))) {
			return slice_of(object.data + at, end - at);
		}
		at = json_text_skip_space(object, end) + 1; /* the comma */
	}
	return (struct slice){0};
}
