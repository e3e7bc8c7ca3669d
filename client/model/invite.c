/*
 * invite.c - words, one of them the code; see invite.h.
 */
#include "client/model/invite.h"

#include <string.h>

#include "proto/format.h"
#include "proto/text.h"

enum { INVITE_WORD_BYTES_MAX = RECENT_SERVER_BYTES_MAX, INVITE_QUOTE_BYTES_MAX = 60 };

/* The next word of *at, which moves behind it; empty at the end. Longer ones than any we know are cut. */
static void invite_word(const char **at, char out[INVITE_WORD_BYTES_MAX + 1])
{
	*at += strspn(*at, " \t");
	size_t len = strcspn(*at, " \t");
	(void)format_to(out, INVITE_WORD_BYTES_MAX + 1, "%.*s", (int)len, *at);
	*at += len;
}

/*
 * "aye join", whatever the path to aye and the prompt before it: what follows.
 * Else the line; NULL where it is another of aye's commands.
 */
static const char *invite_skip_command(const char *line)
{
	char word[INVITE_WORD_BYTES_MAX + 1];
	const char *at = line;
	invite_word(&at, word);
	if (strcmp(word, "$") == 0) {
		invite_word(&at, word);
	}
	size_t len = strlen(word);
	if (strcmp(word, "aye") != 0 && (len <= 4 || strcmp(word + len - 4, "/aye") != 0)) {
		return line;
	}
	invite_word(&at, word);
	return strcmp(word, "join") == 0 ? at : NULL;
}

static void invite_quote(const char *text, char out[INVITE_QUOTE_BYTES_MAX + 1])
{
	size_t len = text_soften(slice_str(text), out, INVITE_QUOTE_BYTES_MAX);
	out[len] = '\0';
}

/* Hyphens are how long codes are read. */
static enum err invite_take_code(const char *text, char out[CODE_CHARS_MAX + 1], struct errmsg *why)
{
	char code[INVITE_WORD_BYTES_MAX + 1];
	char quote[INVITE_QUOTE_BYTES_MAX + 1];
	size_t n = 0;
	for (const char *at = text; *at != '\0'; at++) {
		if (*at != '-') {
			code[n++] = *at;
		}
	}
	code[n] = '\0';
	if (code_normalise(slice_of(code, n), out)) {
		return OK;
	}
	invite_quote(text, quote);
	if (n < CODE_CHARS || n > CODE_CHARS_MAX) {
		errmsg_set(why, "%s is too %s for a code", quote,
			   n < CODE_CHARS ? "short" : "long");
	} else {
		errmsg_set(why, "%s is no code: no 0 O 1 I L U, no signs", quote);
	}
	return ERR_INVALID;
}

static enum err invite_take_option(const char *word, const char **at, struct invite *out,
				   struct errmsg *why)
{
	static const char server[] = "--server";
	char quote[INVITE_QUOTE_BYTES_MAX + 1];
	size_t len = sizeof(server) - 1;
	if (strcmp(word, server) == 0) {
		invite_word(at, out->server);
	} else if (strncmp(word, server, len) == 0 && word[len] == '=') {
		(void)format_to(out->server, sizeof(out->server), "%s", word + len + 1);
	} else {
		invite_quote(word, quote);
		errmsg_set(why, "%s means nothing here; of options only --server does", quote);
		return ERR_INVALID;
	}
	if (out->server[0] == '\0') {
		errmsg_set(why, "--server which? It says where the room is: tcp://host:port");
		return ERR_INVALID;
	}
	return OK;
}

/* "K7Q X3M": a code may be typed as it was heard, so what is no option belongs to it. */
static enum err invite_take_word(const char *word, char code[INVITE_WORD_BYTES_MAX + 1])
{
	size_t len = strlen(code);
	if (len + strlen(word) > INVITE_WORD_BYTES_MAX) {
		return ERR_TOO_LARGE;
	}
	(void)format_to(code + len, INVITE_WORD_BYTES_MAX + 1 - len, "%s", word);
	return OK;
}

enum err invite_parse(const char *line, struct invite *out, struct errmsg *why)
{
	char word[INVITE_WORD_BYTES_MAX + 1];
	char code[INVITE_WORD_BYTES_MAX + 1] = "";
	const char *at = invite_skip_command(line);
	*out = (struct invite){{0}, {0}};
	if (at == NULL) {
		errmsg_set(why, "Of aye's commands only aye join leads into a room that is there");
		return ERR_INVALID;
	}
	for (invite_word(&at, word); word[0] != '\0'; invite_word(&at, word)) {
		enum err e = OK;
		if (word[0] == '-') {
			e = invite_take_option(word, &at, out, why);
		} else if (invite_take_word(word, code) != OK) {
			errmsg_set(why, "That is too long for a code");
			e = ERR_INVALID;
		}
		if (e != OK) {
			return e;
		}
	}
	if (code[0] == '\0') {
		errmsg_set(why, "Which room? Its code stands in its first line, as K7QX3M");
		return ERR_INVALID;
	}
	return invite_take_code(code, out->room_id, why);
}

void invite_line(const struct invite_place *place, size_t nth, const char *room_id,
		 char out[INVITE_LINE_BYTES_MAX + 1])
{
	const size_t cap = INVITE_LINE_BYTES_MAX + 1;
	if (place->is_ssh) {
		(void)format_to(out, cap, "ssh -t HOST %s", room_id);
	} else if (nth < place->n) {
		(void)format_to(out, cap, "aye join %s --server %s", room_id,
				place->addresses[nth]);
	} else {
		(void)format_to(out, cap, "aye join %s", room_id);
	}
}

/* The host and the port of tcp://HOST:PORT, the host with its brackets. */
static void invite_split(const char *address, struct slice *host, struct slice *port)
{
	const char *at = strstr(address, "://");
	const char *begin = at == NULL ? address : at + 3;
	const char *colon = strrchr(begin, ':');
	const char *end = colon == NULL ? begin + strlen(begin) : colon;
	*host = slice_of(begin, (size_t)(end - begin));
	*port = colon == NULL ? SLICE("2937") : slice_str(colon + 1);
}

void invite_tunnel_line(const struct invite_place *place, char out[INVITE_LINE_BYTES_MAX + 1])
{
	struct slice host;
	struct slice port;
	invite_split(place->addresses[0], &host, &port);
	bool is_here = slice_starts(host, SLICE("127.")) || slice_eq(host, SLICE("[::1]"));
	struct slice machine = is_here ? SLICE("HOST") : host;
	if (machine.len > 0 && machine.data[0] == '[') {
		machine = slice_of(machine.data + 1, machine.len - 2); /* ssh wants none */
	}
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "ssh -NL 2937:%.*s:%.*s %.*s",
			(int)host.len, host.data, (int)port.len, port.data, (int)machine.len,
			machine.data);
}

void invite_share_address(const char *typed, char out[INVITE_LINE_BYTES_MAX + 1])
{
	static const char all[] = "0.0.0.0";
	const char *at = strncmp(typed, "tcp://", 6) == 0 ? typed + 6 : typed;
	bool has_host = at[0] != '\0' && (at[0] != ':' || at[1] == ':');
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "%s%s", has_host ? "" : all, at);
}

void invite_place_set(struct invite_place *place, struct slices addresses)
{
	place->n = 0;
	for (size_t i = 0; i < addresses.n && i < INVITE_ADDRESSES_MAX; i++) {
		char *out = place->addresses[place->n++];
		size_t len = text_soften(addresses.items[i], out, RECENT_SERVER_BYTES_MAX);
		out[len] = '\0';
	}
}
