/*
 * ssh_session.c - from a key and a stranger's command to a verb; see ssh_session.h.
 */
#include "client/kiosk/ssh_session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/reach.h"
#include "client/cli/verb_screen.h"
#include "client/kiosk/ssh_confine.h"
#include "client/model/ssh_command.h"
#include "client/state/state_file.h"
#include "proto/base/format.h"
#include "proto/text/utf8.h"

#define SSH_KEY_BYTES_MAX 16384 /* the longest line that sshd takes for a key */
enum { SSH_NAME_TRIES = 3, SSH_ROOMS_MAX = 64 };

static_assert(MAX_QUESTION_OPTIONS <= ARGS_REPEATS_MAX, "they are all passed on");

static struct ssh_session {
	bool is_on;
	struct ssh_command command; /* the words and options point into it */
	struct sign_in sign_in;
	char rooms[SSH_ROOMS_MAX][CODE_CHARS_MAX + 1];
	size_t rooms_n;
} ssh_session;

bool ssh_session_is_on(void)
{
	return ssh_session.is_on;
}

/* ---- what sshd says ---- */

/* "publickey ssh-ed25519 AAAA...", as ExposeAuthInfo has it. A certificate is somebody else's word for a key: it is none. */
static bool ssh_key_read(const char *line, char out[FINGERPRINT_CHARS + 1])
{
	unsigned char blob[SSH_KEY_BYTES_MAX];
	unsigned char hash[crypto_hash_sha256_BYTES];
	char base64[FINGERPRINT_CHARS + 1];
	size_t len = 0;
	const char *kind = strncmp(line, "publickey ", 10) == 0 ? line + 10 : "";
	const char *certificate = strstr(kind, "-cert-");
	const char *key = kind + strcspn(kind, " ");
	size_t key_len = *key == ' ' ? strcspn(++key, " \n") : 0;
	if (key_len == 0 || (certificate != NULL && certificate < key) ||
	    sodium_base642bin(blob, sizeof(blob), key, key_len, NULL, &len, NULL,
			      sodium_base64_VARIANT_ORIGINAL) != 0) {
		return false;
	}
	(void)crypto_hash_sha256(hash, blob, len);
	(void)sodium_bin2base64(base64, sizeof(base64), hash, sizeof(hash),
				sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
	(void)format_to(out, FINGERPRINT_CHARS + 1, FINGERPRINT_PREFIX "%s", base64);
	return true;
}

static bool ssh_find_key(char out[FINGERPRINT_CHARS + 1])
{
	char line[SSH_KEY_BYTES_MAX];
	const char *path = getenv("SSH_USER_AUTH");
	FILE *from = path == NULL ? NULL : fopen(path, "re");
	bool is_found = false;
	while (from != NULL && !is_found && fgets(line, sizeof(line), from) != NULL) {
		is_found = ssh_key_read(line, out);
	}
	if (from != NULL) {
		(void)fclose(from);
	}
	return is_found;
}

static int ssh_session_refuse(const char *what)
{
	print_problem("%s; available over ssh: %s", what, SSH_COMMAND_POSSIBLE);
	return EXIT_USAGE;
}

/* NULL: none. */
static int ssh_read_command(const char *text, struct ssh_command *out)
{
	if (ssh_command_parse(slice_str(text == NULL ? "" : text), out) != OK) {
		return ssh_session_refuse("not a command here");
	}
	if (strcmp(out->verb, "home") == 0 && !verb_screen_has_terminal()) {
		return ssh_session_refuse("this needs a terminal: use ssh -t");
	}
	return EXIT_DONE;
}

/* ---- who that is ---- */

struct sign_in *ssh_session_sign_in(void)
{
	return ssh_session.sign_in.user_name[0] == '\0' ? NULL : &ssh_session.sign_in;
}

void ssh_session_rooms(const char *server, struct recent_rooms *out)
{
	out->n = 0;
	for (size_t i = 0; i < ssh_session.rooms_n; i++) {
		struct recent_room room = {.used_at_ms = 0};
		(void)format_to(room.server, sizeof(room.server), "%s", server);
		(void)format_to(room.room_id, sizeof(room.room_id), "%s", ssh_session.rooms[i]);
		(void)format_to(room.name, sizeof(room.name), "%s", ssh_session.sign_in.user_name);
		recent_rooms_add(out, &room);
	}
}

/* One conversation with the server, before that of the verb. */
struct ssh_greeting {
	struct cli *c;
	struct room_client *client;
	struct arena arena;
	struct fault fault; /* of the last refusal */
};

/* EXIT_REFUSED is not told; g->fault has it. */
static int ssh_ask(struct ssh_greeting *g, enum method method, const void *params, void *result)
{
	struct reply reply;
	enum err e = room_client_ask_record(g->client, method, params, g->c->answer_ms, &g->arena,
					    result, &reply);
	if (e != OK) {
		return print_failure(e, room_client_why(g->client));
	}
	g->fault = reply.fault;
	return reply.is_refused ? EXIT_REFUSED : EXIT_DONE;
}

/* NULL: under the name that the key had last. */
static int ssh_assert(struct ssh_greeting *g, const char *name)
{
	struct sign_in *s = &ssh_session.sign_in;
	struct session_result r;
	struct assert_params p = {.fingerprint = slice_str(s->fingerprint),
				  .user_name = slice_str(name == NULL ? "" : name)};
	int code = ssh_ask(g, METHOD_SESSION_ASSERT, &p, &r);
	if (code == EXIT_DONE) {
		(void)format_to(s->user_name, sizeof(s->user_name), "%.*s", (int)r.user_name.len,
				r.user_name.data);
	}
	return code;
}

/* A key that has a name gets another one, everywhere. */
static int ssh_rename(struct ssh_greeting *g, const char *name)
{
	struct sign_in *s = &ssh_session.sign_in;
	struct user_result r;
	struct user_update_params p = {.user_name = slice_str(name), .with_user_name = true};
	int code = ssh_ask(g, METHOD_USER_UPDATE, &p, &r);
	if (code == EXIT_DONE) {
		(void)format_to(s->user_name, sizeof(s->user_name), "%s", name);
		code = ssh_assert(g, name); /* as the server writes it */
	}
	return code;
}

/* A person at a terminal, whose key comes for the first time. */
static int ssh_ask_name(struct ssh_greeting *g)
{
	char line[4 * MAX_NAME_BYTES + 2];
	int code = EXIT_REFUSED;
	for (int i = 0; i < SSH_NAME_TRIES && code == EXIT_REFUSED; i++) {
		if (!print_part("Your name: ") || fgets(line, sizeof(line), stdin) == NULL) {
			return EXIT_USAGE;
		}
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] == '\0' || !utf8_is_valid(slice_str(line))) {
			continue;
		}
		code = ssh_assert(g, line);
		if (code == EXIT_REFUSED) {
			(void)print_refusal(g->c, &g->fault);
		}
	}
	return code;
}

static bool ssh_is_nameless(const struct fault *f)
{
	return f->code == FAULT_VALIDATION_ERROR && strcmp(f->field, "user_name") == 0;
}

static int ssh_greet(struct ssh_greeting *g)
{
	const struct ssh_command *command = &ssh_session.command;
	const char *told = strcmp(command->verb, "login") == 0 ? command->words[0] : command->name;
	int code = ssh_assert(g, NULL);
	if (code == EXIT_DONE && told[0] != '\0' &&
	    strcmp(told, ssh_session.sign_in.user_name) != 0) {
		code = ssh_rename(g, told);
	} else if (code == EXIT_REFUSED && told[0] != '\0') {
		/* It has no name yet, or somebody took it meanwhile. */
		code = ssh_assert(g, told);
	} else if (code == EXIT_REFUSED && verb_screen_has_terminal()) {
		if (!ssh_is_nameless(&g->fault)) {
			(void)print_refusal(g->c, &g->fault);
		}
		return ssh_ask_name(g);
	} else if (code == EXIT_REFUSED && ssh_is_nameless(&g->fault)) {
		print_problem("this key has no name here yet: use CODE --name NAME, or login NAME");
		return EXIT_USAGE;
	}
	return code == EXIT_REFUSED ? print_refusal(g->c, &g->fault) : code;
}

/* The inbox leads there. */
static bool ssh_begins_at_home(const struct ssh_command *command)
{
	return strcmp(command->verb, "home") == 0 || strcmp(command->verb, "inbox") == 0;
}

static int ssh_note_rooms(struct ssh_greeting *g)
{
	struct nothing p = {0};
	struct whoami_result r;
	int code = ssh_ask(g, METHOD_SESSION_WHOAMI, &p, &r);
	for (size_t i = 0; code == EXIT_DONE && i < r.rooms.n && i < SSH_ROOMS_MAX; i++) {
		if (code_normalise(r.rooms.items[i], ssh_session.rooms[ssh_session.rooms_n])) {
			ssh_session.rooms_n++;
		}
	}
	return code == EXIT_REFUSED ? print_refusal(g->c, &g->fault) : code;
}

static int ssh_meet_server(struct cli *c)
{
	struct ssh_greeting g = {.c = c};
	struct server_place place;
	int code = reach_place(c, &place);
	if (code == EXIT_DONE && !place.address.is_unix) {
		print_problem("--server: over ssh it must be a unix socket of this host");
		code = EXIT_USAGE;
	}
	code = code == EXIT_DONE ? reach_open(c, &place, NULL, &g.client) : code;
	code = code == EXIT_DONE ? ssh_greet(&g) : code;
	if (code == EXIT_DONE && ssh_begins_at_home(&ssh_session.command)) {
		code = ssh_note_rooms(&g);
	}
	room_client_close(g.client);
	arena_finish(&g.arena);
	return code;
}

/* ---- the way in ---- */

/* The verb's words and options, as if they had been typed. */
static void ssh_put_args(const struct ssh_command *command, struct args *a)
{
	const char *const words[] = {command->verb, command->act, command->words[0],
				     command->words[1]};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i][0] != '\0') {
			a->words[a->words_n++] = words[i];
		}
	}
	a->repeats_n = 0;
	for (size_t i = 0; i < command->options_n; i++) {
		if (i == 0) {
			a->value[OPTION_CHOICE] = command->options[i];
			continue;
		}
		a->repeats[a->repeats_n].option = OPTION_CHOICE;
		a->repeats[a->repeats_n++].value = command->options[i];
	}
}

int ssh_session_begin(struct cli *c, bool *is_over)
{
	struct ssh_session *s = &ssh_session;
	struct args *a = &c->args;
	struct errmsg why = {""};
	*is_over = true;
	if (a->words_n > 0) {
		print_problem("--ssh-session: the command comes from SSH_ORIGINAL_COMMAND only");
		return EXIT_USAGE;
	}
	if (!ssh_find_key(s->sign_in.fingerprint)) {
		print_problem("--ssh-session is for sshd only, which passes the key: set it up "
			      "with aye ssh-setup");
		return EXIT_USAGE;
	}
	/* It stays where it is when the environment is another one. */
	const char *command = getenv("SSH_ORIGINAL_COMMAND");
	if (ssh_confine(&why) != OK) {
		print_problem("this host cannot confine a session (%s): access denied", why.text);
		return EXIT_BROKEN;
	}
	int code = ssh_read_command(command, &s->command);
	if (code != EXIT_DONE) {
		return code;
	}
	s->is_on = true;
	s->sign_in.on = &sign_in_nobody; /* no token comes with it */
	state_file_keep_nothing();
	a->value[OPTION_SSH_SESSION] = NULL;
	code = ssh_meet_server(c);
	if (code != EXIT_DONE) {
		return code;
	}
	if (strcmp(s->command.verb, "login") == 0) {
		return print_line("logged in as %s", print_soft(slice_str(s->sign_in.user_name)))
			       ? EXIT_DONE
			       : EXIT_BROKEN;
	}
	ssh_put_args(&s->command, a);
	*is_over = false;
	return EXIT_DONE;
}
