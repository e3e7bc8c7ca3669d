/*
 * ssh_command.c - the grammar of a command that came by ssh; see ssh_command.h.
 */
#include "client/model/ssh_command.h"

#include <string.h>

#include "proto/text/utf8.h"

enum ssh_takes {
	SSH_TAKES_NOTHING,
	SSH_TAKES_CODE,
	SSH_TAKES_NAME,
	SSH_TAKES_NAMED,
	SSH_TAKES_QUESTION,
	SSH_TAKES_ANSWER,
	SSH_TAKES_TEXT
};

static const struct ssh_row {
	const char *verb;
	const char *act;
	enum ssh_takes takes;
} ssh_rows[] = {
#define SSH_ROW(verb, act, takes, shape, help) {verb, act, SSH_TAKES_##takes},
	SSH_COMMANDS(SSH_ROW)
#undef SSH_ROW
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

/*
 * Takes a text off the front, up to -o or the end. Any other option in it is refused: somebody meant one. A text that
 * begins with - is standard input, and nothing else.
 */
static bool ssh_take_text(struct slice *rest, char out[SSH_COMMAND_BYTES_MAX + 1])
{
	struct slice text = slice_of(rest->data, 0);
	while (rest->len > 0) {
		struct slice behind = *rest;
		struct slice word = ssh_take_word(&behind);
		if (slice_eq(word, SLICE("-o"))) {
			break;
		}
		if (word.data[0] == '-' && word.len > 1) {
			return false;
		}
		text.len = (size_t)(word.data + word.len - text.data);
		*rest = behind;
	}
	if (text.len == 0 || (text.data[0] == '-' && text.len > 1)) {
		return false;
	}
	memcpy(out, text.data, text.len);
	out[text.len] = '\0';
	return true;
}

static bool ssh_copy_id(struct slice s, char out[SSH_COMMAND_BYTES_MAX + 1])
{
	static const char letters[] =
		"0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	for (size_t i = 0; i < s.len; i++) {
		if (memchr(letters, s.data[i], sizeof(letters) - 1) == NULL) {
			return false;
		}
	}
	memcpy(out, s.data, s.len);
	out[s.len] = '\0';
	return true;
}

/* ---- the grammar ---- */

/* Nothing, or --name. */
static bool ssh_parse_named(struct slice rest, struct ssh_command *out)
{
	return rest.len == 0 ||
	       (slice_eq(ssh_take_word(&rest), SLICE("--name")) && ssh_copy_name(rest, out->name));
}

static bool ssh_parse_room(struct slice code, struct slice rest, struct ssh_command *out)
{
	out->verb = "join";
	out->act = "";
	return code_normalise(code, out->words[0]) && ssh_parse_named(rest, out);
}

static bool ssh_parse_question(struct slice rest, struct ssh_command *out)
{
	bool is_whole = ssh_take_text(&rest, out->words[0]);
	while (is_whole && rest.len > 0) {
		(void)ssh_take_word(&rest); /* -o */
		is_whole = out->options_n < MAX_QUESTION_OPTIONS &&
			   ssh_take_text(&rest, out->options[out->options_n++]);
	}
	return is_whole;
}

static bool ssh_parse_text(struct slice rest, char out[SSH_COMMAND_BYTES_MAX + 1])
{
	return ssh_take_text(&rest, out) && rest.len == 0;
}

static bool ssh_parse_answer(struct slice rest, struct ssh_command *out)
{
	if (rest.len == 0) {
		out->verb = "inbox";
		return true;
	}
	struct slice id = ssh_take_word(&rest);
	return ssh_copy_id(id, out->words[0]) &&
	       (rest.len == 0 || ssh_parse_text(rest, out->words[1]));
}

static bool ssh_parse_row(const struct ssh_row *row, struct slice rest, struct ssh_command *out)
{
	out->verb = row->verb;
	out->act = row->act;
	switch (row->takes) {
	case SSH_TAKES_NOTHING:
		return rest.len == 0;
	case SSH_TAKES_NAME:
		return ssh_copy_name(rest, out->words[0]);
	case SSH_TAKES_NAMED:
		return ssh_parse_named(rest, out);
	case SSH_TAKES_QUESTION:
		return ssh_parse_question(rest, out);
	case SSH_TAKES_ANSWER:
		return ssh_parse_answer(rest, out);
	case SSH_TAKES_TEXT:
		return ssh_parse_text(rest, out->words[0]);
	case SSH_TAKES_CODE:
		break;
	}
	struct slice code = ssh_take_word(&rest);
	return ssh_parse_room(code, rest, out);
}

/* Whether the words begin with the row's; takes those off. */
static bool ssh_is_row(const struct ssh_row *row, struct slice *rest)
{
	struct slice behind = *rest;
	if (!slice_eq(ssh_take_word(&behind), slice_str(row->verb))) {
		return false;
	}
	bool has_act = row->act[0] != '\0' &&
		       (behind.len > 0 || row->takes != SSH_TAKES_NOTHING); /* or it is left out */
	if (has_act && !slice_eq(ssh_take_word(&behind), slice_str(row->act))) {
		return false;
	}
	*rest = behind;
	return true;
}

static bool ssh_parse(struct slice text, struct ssh_command *out)
{
	struct slice rest = ssh_trim(text);
	if (rest.len == 0) {
		out->verb = "home";
		out->act = "";
		return true;
	}
	for (size_t i = 0; i < SSH_ROWS_N; i++) {
		if (ssh_is_row(&ssh_rows[i], &rest)) {
			return ssh_parse_row(&ssh_rows[i], rest, out);
		}
	}
	struct slice code = ssh_take_word(&rest);
	return ssh_parse_room(code, rest, out);
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
