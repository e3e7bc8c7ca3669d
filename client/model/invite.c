/*
 * invite.c - words, one of them the code; see invite.h.
 */
#include "client/model/invite.h"

#include <string.h>

#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/keys/fingerprint.h"
#include "proto/rpc.h"
#include "proto/text/text.h"

#define INVITE_OPTION "--server"

enum { INVITE_WORD_BYTES_MAX = RECENT_SERVER_BYTES_MAX, INVITE_QUOTE_BYTES_MAX = 60 };

/*
 * Behind a backslash at the end of a row, with which a shell goes on in the next one, and behind the shell's prompt
 * there; at itself where there is none. Where a line is edited a row's end is a blank.
 */
static const char *invite_next_row(const char *at)
{
	size_t end = at[0] != '\\'				 ? 0
		     : strncmp(at + 1, "\r\n", 2) == 0		 ? 3
		     : at[1] != '\0' && strchr(" \t\r\n", at[1]) ? 2
								 : 0;
	at += end;
	return end > 0 && strncmp(at, "> ", 2) == 0 ? at + 2 : at;
}

/* The next word of *at, which moves behind it; empty at the end. Longer ones than any we know are cut. */
static void invite_word(const char **at, char out[INVITE_WORD_BYTES_MAX + 1])
{
	static const char blanks[] = " \t\r\n";
	const char *from = *at;
	const char *next;
	size_t n = 0;
	for (; (next = invite_next_row(from)) != from || (*from != '\0' && strchr(blanks, *from));
	     from = next) {
		next += next == from;
	}
	for (; *from != '\0' && strchr(blanks, *from) == NULL; from = next) {
		next = invite_next_row(from);
		if (next == from) {
			out[n] = *next++;
			n += n < INVITE_WORD_BYTES_MAX;
		}
	}
	out[n] = '\0';
	*at = from;
}

static bool invite_is_aye(const char *word)
{
	size_t len = strlen(word);
	return strcmp(word, "aye") == 0 || (len > 4 && strcmp(word + len - 4, "/aye") == 0);
}

/*
 * What follows the first "aye join", whatever the path to aye and what stands before it: a prompt, other lines of the
 * same screen. Else the text; NULL where it is only another of aye's commands.
 */
static const char *invite_skip_command(const char *text)
{
	char word[INVITE_WORD_BYTES_MAX + 1];
	const char *at = text;
	bool was_aye = false;
	bool is_other = false;
	for (invite_word(&at, word); word[0] != '\0'; invite_word(&at, word)) {
		if (was_aye && strcmp(word, "join") == 0) {
			return at;
		}
		is_other = is_other || was_aye;
		was_aye = invite_is_aye(word);
	}
	return is_other || was_aye ? NULL : text;
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
		errmsg_set(why, "%s is not a code: no 0 O 1 I L U, letters and digits only", quote);
	}
	return ERR_INVALID;
}

static enum err invite_take_option(const char *word, const char **at, struct invite *out,
				   struct errmsg *why)
{
	char quote[INVITE_QUOTE_BYTES_MAX + 1];
	if (strcmp(word, INVITE_OPTION) == 0) {
		invite_word(at, out->server);
	} else if (strncmp(word, INVITE_OPTION "=", sizeof(INVITE_OPTION)) == 0) {
		(void)format_to(out->server, sizeof(out->server), "%s",
				word + sizeof(INVITE_OPTION));
	} else {
		invite_quote(word, quote);
		errmsg_set(why, "%s is not allowed here: only --server is", quote);
		return ERR_INVALID;
	}
	if (out->server[0] == '\0') {
		errmsg_set(why, "--server needs the server's address: tls://host:port");
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

enum err invite_parse(const char *text, struct invite *out, struct errmsg *why)
{
	char word[INVITE_WORD_BYTES_MAX + 1];
	char code[INVITE_WORD_BYTES_MAX + 1] = "";
	const char *at = invite_skip_command(text);
	bool is_command = at != text;
	*out = (struct invite){{0}, {0}};
	if (at == NULL) {
		errmsg_set(why, "Only aye join joins a room; other commands do not");
		return ERR_INVALID;
	}
	for (invite_word(&at, word); word[0] != '\0'; invite_word(&at, word)) {
		enum err e = OK;
		if (is_command && code[0] != '\0' && (word[0] != '-' || out->server[0] != '\0')) {
			break; /* what was pasted with it */
		}
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
		errmsg_set(why, "Enter a room code, such as K7QX3M");
		return ERR_INVALID;
	}
	return invite_take_code(code, out->room_id, why);
}

bool invite_goes_on(const char *row)
{
	size_t len = strlen(row);
	return len > 0 && row[len - 1] == '\\';
}

void invite_line(const struct invite_place *place, size_t nth, const char *room_id,
		 char out[INVITE_LINE_BYTES_MAX + 1])
{
	const size_t cap = INVITE_LINE_BYTES_MAX + 1;
	if (place->is_ssh) {
		(void)format_to(out, cap, "ssh -t %s %s",
				place->ssh[0] == '\0' ? "HOST" : place->ssh, room_id);
	} else if (nth < place->n) {
		(void)format_to(out, cap, "aye join %s --server %s", room_id,
				place->addresses[nth]);
	} else {
		(void)format_to(out, cap, "aye join %s", room_id);
	}
}

void invite_link(const struct invite_place *place, const char *room_id,
		 char out[INVITE_LINK_BYTES_MAX + 1])
{
	(void)link_of_page(slice_str(place->web), slice_str(room_id), out,
			   INVITE_LINK_BYTES_MAX + 1);
}

bool invite_web_warns(const struct invite_place *place, char hex[FINGERPRINT_HEX_CHARS + 1])
{
	hex[0] = '\0';
	return place->is_own && slice_starts(slice_str(place->web), SLICE("https://")) &&
	       fingerprint_hex(&place->web_fingerprint, hex);
}

bool invite_is_of_machine(const struct invite_place *place)
{
	return !place->is_ssh && place->n > 0 && strncmp(place->addresses[0], "unix:", 5) == 0;
}

void invite_ssh_line(const struct invite_place *place, const char *room_id,
		     char out[INVITE_LINE_BYTES_MAX + 1])
{
	bool has_kiosk = place->ssh[0] != '\0';
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "%s%s%s%s", has_kiosk ? "ssh -t " : "",
			place->ssh, has_kiosk ? " " : "", has_kiosk ? room_id : "");
}

bool invite_team_code(const char *text, char out[INVITE_TEAM_CODE_BYTES_MAX + 1])
{
	enum { CODE_CHARS_N = 20 };
	char word[INVITE_WORD_BYTES_MAX + 1];
	const char *at = text;
	out[0] = '\0';
	for (invite_word(&at, word); word[0] != '\0' && out[0] == '\0'; invite_word(&at, word)) {
		size_t len = strlen(word);
		size_t n = 0;
		size_t dashes = 0;
		for (size_t i = 0; i < len; i++) {
			dashes += word[i] == '-';
			n += ascii_is_alnum(word[i]);
		}
		if (n == CODE_CHARS_N && n + dashes == len && len <= INVITE_TEAM_CODE_BYTES_MAX &&
		    word[0] != '-') {
			(void)format_to(out, INVITE_TEAM_CODE_BYTES_MAX + 1, "%s", word);
		}
	}
	return out[0] != '\0';
}

void invite_team_line(const struct invite_place *place, const char *code,
		      char out[INVITE_LINE_BYTES_MAX + 1])
{
	bool has_address = !place->is_ssh && place->n > 0 && place->addresses[0][0] != '\0';
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "aye team join %s%s%s", code,
			has_address ? " --server " : "", has_address ? place->addresses[0] : "");
}

/* The host and the port of tls://HOST:PORT#FINGERPRINT or ssh://USER@HOST:PORT/PATH, the host with its brackets. */
static void invite_split(const char *address, struct slice *host, struct slice *port)
{
	const char *at = strstr(address, "://");
	const char *begin = at == NULL ? address : at + 3;
	const char *end = begin + strcspn(begin, "#/");
	const char *colon = end;
	while (colon > begin && colon[-1] != ':' && colon[-1] != ']') {
		colon--;
	}
	bool has_port = colon > begin && colon[-1] == ':';
	for (const char *c = begin; c < end; c++) {
		begin = *c == '@' ? c + 1 : begin; /* of ssh://user@host */
	}
	*host = slice_of(begin, (size_t)((has_port ? colon - 1 : end) - begin));
	*port = has_port ? slice_of(colon, (size_t)(end - colon)) : SLICE(RPC_PORT);
}

void invite_address(struct slice address, struct slice fingerprint,
		    char out[RECENT_SERVER_BYTES_MAX + 1])
{
	const struct slice usual = SLICE(":" RPC_PORT);
	struct fingerprint pin = {""};
	bool is_tls = slice_starts(address, SLICE("tls://"));
	const char *hash = is_tls ? memchr(address.data, '#', address.len) : NULL;
	size_t end = hash == NULL ? address.len : (size_t)(hash - address.data);
	if (fingerprint.len == 0 && hash != NULL) {
		fingerprint = slice_of(hash + 1, address.len - end - 1);
	}
	if (fingerprint_is_pin(fingerprint)) {
		(void)format_to(pin.text, sizeof(pin.text), "%.*s", (int)fingerprint.len,
				fingerprint.data);
		pin = fingerprint_shorten(&pin);
	}
	if ((is_tls || slice_starts(address, SLICE("tcp://"))) && end > usual.len &&
	    slice_eq(slice_of(address.data + end - usual.len, usual.len), usual)) {
		end -= usual.len;
	}
	bool is_pinned = is_tls && pin.text[0] != '\0';
	(void)format_to(out, RECENT_SERVER_BYTES_MAX + 1, "%.*s%s%s", (int)end, address.data,
			is_pinned ? "#" : "", is_pinned ? pin.text : "");
}

bool invite_is_server(const char *text, const char *address,
		      char server[RECENT_SERVER_BYTES_MAX + 1])
{
	char word[INVITE_WORD_BYTES_MAX + 1];
	const char *at = text;
	struct slice host[2];
	struct slice port[2];
	server[0] = '\0';
	for (invite_word(&at, word); word[0] != '\0' && server[0] == '\0'; invite_word(&at, word)) {
		if (strcmp(word, INVITE_OPTION) == 0) {
			invite_word(&at, server);
		} else if (strncmp(word, INVITE_OPTION "=", sizeof(INVITE_OPTION)) == 0) {
			(void)format_to(server, RECENT_SERVER_BYTES_MAX + 1, "%s",
					word + sizeof(INVITE_OPTION));
		}
	}
	if (server[0] == '\0') {
		return true;
	}
	invite_split(server, &host[0], &port[0]);
	invite_split(address, &host[1], &port[1]);
	return slice_eq(host[0], host[1]) && slice_eq(port[0], port[1]);
}

void invite_tunnel_server(const struct invite_place *place, char out[INVITE_LINE_BYTES_MAX + 1])
{
	const char *fingerprint = strchr(place->addresses[0], '#');
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "%s://localhost%s",
			fingerprint == NULL ? "tcp" : "tls",
			fingerprint == NULL ? "" : fingerprint);
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
	const char *at = strncmp(typed, "tls://", 6) == 0 ? typed + 6 : typed;
	bool has_host = at[0] != '\0' && (at[0] != ':' || at[1] == ':');
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "%s%s", has_host ? "" : all, at);
}

/* Of what the server says of itself: nothing that a shell, or aye's options, would take for something else. */
static bool invite_is_address(struct slice text)
{
	bool is_one =
		text.len > 0 && text.len <= RECENT_SERVER_BYTES_MAX && ascii_is_alnum(text.data[0]);
	for (size_t i = 0; i < text.len && is_one; i++) {
		char c = text.data[i];
		is_one = ascii_is_alnum(c) || (c != '\0' && strchr(".:[]-_/%", c) != NULL);
	}
	return is_one;
}

void invite_place_set(struct invite_place *place, const struct server_share_result *share)
{
	place->n = 0;
	for (size_t i = 0; i < share->addresses.n && i < INVITE_ADDRESSES_MAX; i++) {
		struct slice address = share->addresses.items[i];
		if (invite_is_address(address)) {
			invite_address(address, share->fingerprint, place->addresses[place->n++]);
		}
	}
	bool has_page = link_is_page(share->web);
	(void)format_to(place->web, sizeof(place->web), "%.*s", has_page ? (int)share->web.len : 0,
			has_page ? share->web.data : "");
	(void)format_to(place->web_fingerprint.text, sizeof(place->web_fingerprint.text), "%.*s",
			fingerprint_is_formed(share->fingerprint) ? (int)share->fingerprint.len : 0,
			share->fingerprint.data);
}
