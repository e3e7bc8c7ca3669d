/*
 * issue_key.c - see issue_key.h.
 */
#include "proto/text/issue_key.h"

#include "proto/base/ascii.h"
#include "proto/base/limits.h"

static size_t digits_from(struct slice s, size_t from)
{
	size_t at = from;
	while (at < s.len && s.data[at] >= '0' && s.data[at] <= '9') {
		at++;
	}
	return at - from;
}

static size_t project_len(struct slice s)
{
	size_t n = 0;
	while (n < s.len && ((ascii_lower(s.data[n]) >= 'a' && ascii_lower(s.data[n]) <= 'z') ||
			     (n > 0 && (s.data[n] == '_' || digits_from(s, n) > 0)))) {
		n++;
	}
	return n;
}

size_t issue_key_front(struct slice text)
{
	size_t project = project_len(text);
	bool is_project = project >= 2 && project < text.len && text.data[project] == '-';
	bool is_number = text.len > 1 && text.data[0] == '#';
	size_t from = is_number ? 1 : project + 1;
	size_t digits = is_project || is_number ? digits_from(text, from) : 0;
	size_t len = from + digits;
	bool ends = len == text.len || (len < text.len && text.data[len] == ' ');
	return digits > 0 && ends && len <= MAX_STORY_KEY_CELLS ? len : 0;
}
