/*
 * known_servers.c - the file, the question, and the verbs that show and forget; see
 * known_servers.h.
 */
#include "client/cli/reach/known_servers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/net/transport/peer_uv.h"
#include "client/state/state.h"
#include "client/state/state_file.h"
#include "proto/base/format.h"

/* ---- the files ---- */

#define KNOWN_SERVERS "known_servers.json"
#define KNOWN_PINS    "pins.json" /* {"SHA256:(22 characters)": "SHA256:(43)"} */

static enum err known_open(struct state_change *k, const char *file, struct errmsg *why)
{
	struct state s;
	enum err e = state_open(&s, why);
	if (e != OK) {
		return e;
	}
	(void)format_to(k->path, sizeof(k->path), "%s/%s", s.dir, file);
	return state_change_begin(k, s.dir, why);
}

/* Whether the address has the short form of a fingerprint. */
static bool known_is_short(const struct address *a)
{
	return strlen(a->fingerprint.text) == FINGERPRINT_SHORT_CHARS;
}

/* The name of a server in the file: its address in one form, without a fingerprint. */
static void known_name(const struct address *a, char out[ADDRESS_TEXT_BYTES])
{
	struct address bare = *a;
	bare.fingerprint.text[0] = '\0';
	address_canonical(&bare, out);
}

static enum err known_keep(const char *file, const char *name,
			   const struct fingerprint *fingerprint, struct errmsg *why)
{
	struct state_change k;
	enum err e = known_open(&k, file, why);
	if (e != OK) {
		return e;
	}
	state_file_set(k.value, name, fingerprint->text);
	return state_change_end(&k, why);
}

/* ---- the question ---- */

static bool known_ask(const char *name, const struct tls_peer *peer)
{
	struct fingerprint shown = fingerprint_shorten(&peer->fingerprint);
	(void)fprintf(stderr,
		      "Cannot verify %s: its certificate %s.\n"
		      "Fingerprint: %s\n"
		      "Compare it with the join command, or ask the administrator (`ayed "
		      "fingerprint DIR`).\n"
		      "Trust this server? [y/N] ",
		      name, peer->why, shown.text);
	(void)fflush(stderr);
	return print_read_yes();
}

static bool known_is_open(const struct address *a)
{
	return a->is_tls && a->fingerprint.text[0] == '\0';
}

enum err known_server_pin(struct address *a, struct errmsg *why)
{
	char name[ADDRESS_TEXT_BYTES];
	struct fingerprint noted = {""};
	struct state s;
	char path[PATH_MAX];
	json_t *all;
	bool is_open = known_is_open(a);
	if (!is_open && !known_is_short(a)) {
		return OK;
	}
	known_name(a, name);
	/* Without the lock: the file is replaced whole, and a prompt waits for nobody. */
	enum err e = state_open(&s, why);
	if (e == OK) {
		(void)format_to(path, sizeof(path), "%s/%s", s.dir,
				is_open ? KNOWN_SERVERS : KNOWN_PINS);
		e = state_file_read(path, &all, why);
	}
	if (e != OK) {
		return e;
	}
	const json_t *found = json_object_get(all, is_open ? name : a->fingerprint.text);
	const char *text = json_string_value(found);
	if (text != NULL && fingerprint_is_pin(slice_str(text))) {
		(void)format_to(noted.text, sizeof(noted.text), "%s", text);
	}
	if (is_open ? noted.text[0] != '\0' : fingerprint_pins(&a->fingerprint, &noted)) {
		address_pin(a, &noted);
	} else if (is_open && found != NULL) {
		errmsg_set(why, "%s: the fingerprint noted for %s is not valid (aye server forget)",
			   path, name);
		e = ERR_IO;
	}
	json_decref(all);
	/* Somebody may have noted what `ayed fingerprint` prints. */
	return e == OK && is_open && known_is_short(a) ? known_server_pin(a, why) : e;
}

/* Whether nobody but the user can vouch for it. Nobody is asked about a weak key: it is refused. */
static bool known_is_strange(const struct tls_peer *peer)
{
	return !peer->is_vouched && !peer->is_weak;
}

static enum err known_look(const struct address *a, int64_t timeout_ms, struct tls_peer *out,
			   struct errmsg *why)
{
	enum err e = peer_look(a, timeout_ms, out);
	if (e == ERR_UNKNOWN) {
		errmsg_set(why, "no answer in time");
	}
	return e;
}

enum err known_server_complete(struct address *a, int64_t timeout_ms, struct errmsg *why)
{
	struct tls_peer peer;
	enum err e = known_is_short(a) ? known_look(a, timeout_ms, &peer, why) : ERR_CLOSED;
	if (e == ERR_UNKNOWN) {
		return e;
	}
	if (e != OK || peer.is_weak || !fingerprint_pins(&a->fingerprint, &peer.fingerprint)) {
		return OK;
	}
	const struct fingerprint pin = a->fingerprint;
	address_pin(a, &peer.fingerprint);
	return known_keep(KNOWN_PINS, pin.text, &peer.fingerprint, why);
}

bool known_server_is_strange(const struct address *a, int64_t timeout_ms)
{
	struct tls_peer peer;
	return known_is_open(a) && peer_look(a, timeout_ms, &peer) == OK && known_is_strange(&peer);
}

enum err known_server_meet(struct address *a, int64_t timeout_ms, struct errmsg *why)
{
	char name[ADDRESS_TEXT_BYTES];
	struct tls_peer peer;
	bool is_person = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
	enum err e = known_server_complete(a, timeout_ms, why);
	if (e != OK) {
		return e;
	}
	e = is_person && known_is_open(a) ? known_look(a, timeout_ms, &peer, why) : ERR_CLOSED;
	if (e == ERR_UNKNOWN) {
		return e;
	}
	if (e != OK || !known_is_strange(&peer)) {
		return OK;
	}
	known_name(a, name);
	if (!known_ask(name, &peer)) {
		errmsg_set(why, "%s is not trusted: nothing was sent to it", name);
		return ERR_CLOSED;
	}
	address_pin(a, &peer.fingerprint);
	return known_keep(KNOWN_SERVERS, name, &peer.fingerprint, why);
}

/* ---- verbs ---- */

int verb_server_known(struct cli *c)
{
	struct errmsg why = {""};
	struct state_change k;
	const char *name;
	const json_t *fingerprint;
	enum err e = known_open(&k, KNOWN_SERVERS, &why);
	bool is_told = true;
	if (e != OK) {
		return print_failure(e, why.text);
	}
	print_warning(&why);
	if (c->is_json) {
		char *text = json_dumps(k.value, JSON_COMPACT | JSON_SORT_KEYS);
		is_told = text != NULL && print_json(text);
		free(text);
	} else {
		json_object_foreach(k.value, name, fingerprint)
		{
			const char *text = json_string_value(fingerprint);
			struct fingerprint shown = {""};
			(void)format_to(shown.text, sizeof(shown.text), "%s",
					text == NULL ? "?" : text);
			shown = fingerprint_shorten(&shown);
			is_told = is_told && print_line("%s  %s", print_soft(slice_str(name)),
							print_soft(slice_str(shown.text)));
		}
	}
	state_change_close(&k);
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
	struct state_change k;
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
	e = known_open(&k, KNOWN_SERVERS, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	print_warning(&why);
	bool was_there = json_object_del(k.value, name) == 0;
	if (was_there) {
		e = state_change_end(&k, &why);
	} else {
		state_change_close(&k);
	}
	if (e != OK) {
		return print_failure(e, why.text);
	}
	if (!was_there) {
		print_problem("%s is not known (aye server known lists the servers)", name);
		return EXIT_REFUSED;
	}
	if (print_is_for_a_person()) {
		(void)print_line("%s forgotten; the next contact asks again.", name);
	}
	return EXIT_DONE;
}
