/*
 * known_servers.c - the file, the question, and the verbs that show and forget; see
 * known_servers.h.
 */
#include "client/cli/known_servers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "client/cli/print.h"
#include "client/cli/state.h"
#include "client/cli/state_file.h"
#include "client/net/peer_uv.h"
#include "proto/format.h"

/* ---- the file ---- */

struct known {
	json_t *servers;
	char path[PATH_MAX];
	int lock;
};

static enum err known_open(struct known *k, struct errmsg *why)
{
	struct state s;
	char lock[PATH_MAX];
	enum err e = state_open(&s, why);
	if (e != OK) {
		return e;
	}
	(void)format_to(lock, sizeof(lock), "%s/lock", s.dir);
	(void)format_to(k->path, sizeof(k->path), "%s/known_servers.json", s.dir);
	e = state_lock(lock, &k->lock, why);
	if (e == OK && (e = state_file_read(k->path, &k->servers, why)) != OK) {
		state_unlock(k->lock);
	}
	return e;
}

static void known_close(struct known *k)
{
	json_decref(k->servers);
	state_unlock(k->lock);
}

/* The name of a server in the file: its address in one form, without a fingerprint. */
static void known_name(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
	struct address bare = *a;
	bare.fingerprint.text[0] = '\0';
	address_canonical(&bare, out);
}

static enum err known_keep(const char *name, const struct fingerprint *fingerprint,
			   struct errmsg *why)
{
	struct known k;
	enum err e = known_open(&k, why);
	if (e != OK) {
		return e;
	}
	state_file_set(k.servers, name, fingerprint->text);
	e = state_file_write(k.path, k.servers, why);
	known_close(&k);
	return e;
}

/* ---- the question ---- */

/* Whether the next line of standard input is a yes; all of it is taken. */
static bool known_read_yes(void)
{
	char line[8];
	bool is_read = fgets(line, sizeof(line), stdin) != NULL;
	size_t len = is_read ? strcspn(line, "\r\n") : 0;
	bool is_yes = (len == 1 && strncasecmp(line, "y", 1) == 0) ||
		      (len == 3 && strncasecmp(line, "yes", 3) == 0);
	int c = is_read && strchr(line, '\n') == NULL ? getchar() : '\n';
	while (c != '\n' && c != EOF) {
		c = getchar();
	}
	return is_yes;
}

static bool known_ask(const char *name, const struct tls_peer *peer)
{
	(void)fprintf(stderr,
		      "%s is met for the first time, and nobody vouches for its certificate, "
		      "which %s.\n"
		      "The fingerprint of its certificate is\n  %s\n"
		      "Its keeper sees it in `ayed fingerprint DIR` and in the line that invites.\n"
		      "Is that the one? [y/N] ",
		      name, peer->why, peer->fingerprint.text);
	(void)fflush(stderr);
	return known_read_yes();
}

static bool known_is_open(const struct address *a)
{
	return a->is_tls && a->fingerprint.text[0] == '\0';
}

enum err known_server_pin(struct address *a, struct errmsg *why)
{
	char name[ADDRESS_TEXT_BYTES];
	struct fingerprint noted = {""};
	struct known k;
	if (!known_is_open(a)) {
		return OK;
	}
	known_name(a, name);
	enum err e = known_open(&k, why);
	if (e != OK) {
		return e;
	}
	const json_t *found = json_object_get(k.servers, name);
	const char *text = json_string_value(found);
	if (text != NULL && fingerprint_is_formed(slice_str(text))) {
		(void)format_to(noted.text, sizeof(noted.text), "%s", text);
		address_pin(a, &noted);
	} else if (found != NULL) {
		errmsg_set(why, "%s: what is noted for %s is no fingerprint (aye server forget)",
			   k.path, name);
		e = ERR_IO;
	}
	known_close(&k);
	return e;
}

static bool known_look(const struct address *a, int64_t timeout_ms, struct tls_peer *out)
{
	/* Of a weak key nobody is asked: it is refused whatever they say. */
	return known_is_open(a) && peer_look(a, timeout_ms, out) && !out->is_vouched &&
	       !out->is_weak;
}

bool known_server_is_strange(const struct address *a, int64_t timeout_ms)
{
	struct tls_peer peer;
	return known_look(a, timeout_ms, &peer);
}

enum err known_server_meet(struct address *a, int64_t timeout_ms, struct errmsg *why)
{
	char name[ADDRESS_TEXT_BYTES];
	struct tls_peer peer;
	bool is_person = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
	if (!is_person || !known_look(a, timeout_ms, &peer)) {
		return OK;
	}
	known_name(a, name);
	if (!known_ask(name, &peer)) {
		errmsg_set(why, "%s is not trusted: nothing was sent to it", name);
		return ERR_CLOSED;
	}
	address_pin(a, &peer.fingerprint);
	return known_keep(name, &peer.fingerprint, why);
}

/* ---- verbs ---- */

int verb_server_known(struct cli *c)
{
	struct errmsg why = {""};
	struct known k;
	const char *name;
	const json_t *fingerprint;
	enum err e = known_open(&k, &why);
	bool is_told = true;
	if (e != OK) {
		return print_failure(e, why.text);
	}
	print_warning(&why);
	if (c->is_json) {
		char *text = json_dumps(k.servers, JSON_COMPACT | JSON_SORT_KEYS);
		is_told = text != NULL && print_json(text);
		free(text);
	} else {
		json_object_foreach(k.servers, name, fingerprint)
		{
			const char *text = json_string_value(fingerprint);
			is_told = is_told &&
				  print_line("%s  %s", print_soft(slice_str(name)),
					     text == NULL ? "?" : print_soft(slice_str(text)));
		}
	}
	known_close(&k);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* What --server takes, or host:port alone. */
int verb_server_forget(struct cli *c)
{
	const char *word = c->args.words[0];
	char text[ADDRESS_TEXT_BYTES + 8];
	char name[ADDRESS_TEXT_BYTES];
	struct address a;
	struct errmsg why = {""};
	struct known k;
	size_t len = format_to(text, sizeof(text), "%s%s",
			       strstr(word, "://") == NULL ? "tls://" : "", word);
	enum err e = len >= sizeof(text) ? ERR_INVALID : address_parse(text, &a, &why);
	if (e == OK && !a.is_tls) {
		errmsg_set(&why, "only servers with tls:// are noted");
		e = ERR_INVALID;
	}
	if (e != OK) {
		return print_failure(e, why.text);
	}
	known_name(&a, name);
	e = known_open(&k, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	print_warning(&why);
	bool was_there = json_object_del(k.servers, name) == 0;
	e = was_there ? state_file_write(k.path, k.servers, &why) : OK;
	known_close(&k);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	if (!was_there) {
		print_problem("%s was not noted (aye server known shows those that are)", name);
		return EXIT_REFUSED;
	}
	if (print_is_for_a_person()) {
		(void)print_line("%s is forgotten; the next contact asks again.", name);
	}
	return EXIT_DONE;
}
