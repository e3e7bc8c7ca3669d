/*
 * issue_address.c - see issue_address.h.
 *
 * Known by its path: the same trackers run on hosts of any name.
 */
#include "client/formats/import/issue_address.h"

#include <string.h>

#include "client/formats/import/import_check.h"
#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/link.h"

static bool is_digits(struct slice s)
{
	size_t n = 0;
	while (n < s.len && s.data[n] >= '0' && s.data[n] <= '9') {
		n++;
	}
	return n > 0 && n == s.len;
}

bool issue_is_number(struct slice key)
{
	return key.len > 1 && key.data[0] == '#' && is_digits(slice_of(key.data + 1, key.len - 1));
}

static bool is_one_of(struct slice word, const char *const words[])
{
	size_t i = 0;
	while (words[i] != NULL && !slice_eq(word, slice_str(words[i]))) {
		i++;
	}
	return words[i] != NULL;
}

/* A key as Jira has it in capitals; its addresses work in small letters as well. */
static bool read_key(struct slice text, struct issue_address *out)
{
	if (text.len == 0 || text.len >= sizeof(out->key)) {
		return false;
	}
	for (size_t i = 0; i < text.len; i++) {
		out->key[i] = ascii_upper(text.data[i]);
	}
	out->key[text.len] = '\0';
	return out->key[0] != '#' && import_is_key(slice_str(out->key));
}

/* A part of the path, by the one before it. */
static bool read_part(struct slice before, struct slice part, struct issue_address *out)
{
	static const char *const of_number[] = {"issues", "pull", "work_items", "merge_requests",
						NULL};
	static const char *const of_key[] = {"browse", "issue", "issues", NULL};
	if (is_one_of(before, of_number) && is_digits(part)) {
		return format_to(out->key, sizeof(out->key), "#%.*s", (int)part.len, part.data) ==
			       part.len + 1 &&
		       import_is_key(slice_str(out->key));
	}
	return is_one_of(before, of_key) && read_key(part, out);
}

static struct slice up_to(struct slice text, const char *ends)
{
	size_t len = 0;
	while (len < text.len && text.data[len] != '\0' && strchr(ends, text.data[len]) == NULL) {
		len++;
	}
	return slice_of(text.data, len);
}

static struct slice behind(struct slice text, size_t len)
{
	len = len < text.len ? len : text.len;
	return slice_of(text.data + len, text.len - len);
}

/* An issue that is open in front of a board: ?selectedIssue=PAY-7. */
static bool read_selected(struct slice query, struct issue_address *out)
{
	static const char name[] = "selectedIssue=";
	while (query.len > 0) {
		query = behind(query, 1);
		struct slice part = up_to(query, "&#");
		if (slice_starts(part, slice_str(name))) {
			return read_key(behind(part, strlen(name)), out);
		}
		query = behind(query, part.len);
	}
	return false;
}

bool issue_address_read(struct slice text, struct issue_address *out)
{
	if (!link_is_web(text) || text.len > MAX_STORY_LINK_BYTES ||
	    up_to(text, " \t\r\n").len < text.len) {
		return false;
	}
	const char *host = memchr(text.data, '/', text.len);
	struct slice rest = behind(text, (size_t)(host - text.data) + 2);
	struct slice query = behind(rest, up_to(rest, "?#").len);
	struct slice path = slice_of(rest.data, rest.len - query.len);
	struct slice before = {0};
	path = behind(path, up_to(path, "/").len);
	while (path.len > 0) {
		path = behind(path, 1);
		struct slice part = up_to(path, "/");
		if (read_part(before, part, out)) {
			return true;
		}
		before = part;
		path = behind(path, part.len);
	}
	return read_selected(query, out);
}

bool issue_address_take(struct slice *title, struct slice *link, struct issue_address *out)
{
	struct slice text = import_trim(*title);
	struct slice word = up_to(text, " \t\r\n");
	struct slice rest = import_trim(behind(text, word.len));
	bool has_mark = word.len > 0 && strchr(":,;", word.data[word.len - 1]) != NULL;
	word.len -= has_mark;
	if (!issue_address_read(word, out)) {
		return false;
	}
	*link = word;
	*title = rest.len > 0 ? rest : slice_str(out->key);
	return true;
}
