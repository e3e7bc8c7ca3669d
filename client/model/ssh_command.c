/*
 * ssh_command.c - the grammar of a command that came by ssh; see ssh_command.h.
 */
#include "client/model/ssh_command.h"

#include <string.h>

#include "proto/utf8.h"

enum ssh_takes { SSH_TAKES_NOTHING, SSH_TAKES_CODE, SSH_TAKES_NAME, SSH_TAKES_OPTION };

static const struct ssh_row {
	const char *verb;
	enum ssh_takes takes;
} ssh_rows[] = {
	{"join", SSH_TAKES_CODE},      {"new", SSH_TAKES_OPTION},     {"login", SSH_TAKES_NAME},
	{"logout", SSH_TAKES_NOTHING}, {"whoami", SSH_TAKES_NOTHING},
};
enum { SSH_ROWS_N = sizeof(ssh_rows) / sizeof(ssh_rows[0]) };

/* ---- words ---- */

static struct slice ssh_trim(struct slice s)
{
	while (s.len > 0 && s.data[0] == ' ') {
		s = slice_of(s.data + 1, s.len - 1);
	}
	while (s.len > 0 && s.data[s.len - 1] == ' ') {
		s.len--;
	}
	return s;
}

/* Takes the first word off a text without blanks at its ends; empty where there is none. */
static struct slice ssh_take_word(struct slice *rest)
{
	struct slice word = *rest;
	const char *blank = word.len == 0 ? NULL : memchr(word.data, ' ', word.len);
	if (blank != NULL) {
		word.len = (size_t)(blank - (const char *)word.data);
	}
	*rest = ssh_trim(slice_of(rest->data + word.len, rest->len - word.len));
	return word;
}

static bool ssh_is_text(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char byte = (unsigned char)s.data[i];
		if (byte < 0x20 || byte == 0x7f) {
			return false;
		}
	}
	return utf8_is_valid(s);
}

/* A name is text, and no option. */
static bool ssh_copy_name(struct slice s, char out[MAX_NAME_BYTES + 1])
{
	if (s.len == 0 || s.len > MAX_NAME_BYTES || s.data[0] == '-') {
		return false;
	}
	memcpy(out, s.data, s.len);
	out[s.len] = '\0';
	return true;
}

/* ---- the grammar ---- */

/* Nothing, or --name. */
static bool ssh_parse_option(struct slice rest, struct ssh_command *out)
{
	return rest.len == 0 || (slice_eq(ssh_take_word(&rest), slice_str("--name")) &&
				 ssh_copy_name(rest, out->name));
}

static bool ssh_parse_room(struct slice code, struct slice rest, struct ssh_command *out)
{
	out->verb = "join";
	if (!code_normalise(code, out->word)) {
		return false;
	}
	return ssh_parse_option(rest, out);
}

static bool ssh_parse_row(const struct ssh_row *row, struct slice rest, struct ssh_command *out)
{
	out->verb = row->verb;
	switch (row->takes) {
	case SSH_TAKES_NOTHING:
		return rest.len == 0;
	case SSH_TAKES_NAME:
		return ssh_copy_name(rest, out->word);
	case SSH_TAKES_OPTION:
		return ssh_parse_option(rest, out);
	case SSH_TAKES_CODE:
		break;
	}
	struct slice code = ssh_take_word(&rest);
	return ssh_parse_room(code, rest, out);
}

static bool ssh_parse(struct slice text, struct ssh_command *out)
{
	struct slice rest = ssh_trim(text);
	if (rest.len == 0) {
		out->verb = "home";
		return true;
	}
	struct slice first = ssh_take_word(&rest);
	for (size_t i = 0; i < SSH_ROWS_N; i++) {
		if (slice_eq(first, slice_str(ssh_rows[i].verb))) {
			return ssh_parse_row(&ssh_rows[i], rest, out);
		}
	}
	return ssh_parse_room(first, rest, out);
}

enum err ssh_command_parse(struct slice text, struct ssh_command *out)
{
	struct ssh_command found = {.verb = NULL};
	if (text.len > SSH_COMMAND_BYTES_MAX || !ssh_is_text(text) || !ssh_parse(text, &found)) {
		return ERR_INVALID;
	}
	*out = found;
	return OK;
}
