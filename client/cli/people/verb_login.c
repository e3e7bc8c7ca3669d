/*
 * verb_login.c - aye login, logout, whoami: who one is, on every connection.
 */
#include <string.h>

#include "client/cli/output/local_time.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/known_servers.h"
#include "client/cli/reach/login.h"
#include "client/cli/reach/visit.h"
#include "proto/text/utf8.h"

/* ---- the end of a session ---- */

/* A key without a token signs in once more: whatever session has its name ends, too. */
static int verb_logout_from(struct cli *c, const struct server_place *place, struct sign_in *stored)
{
	struct visit v = {.cli = c};
	struct logout_params p = {0};
	struct nothing r;
	int code = reach_open(c, place, stored, &v.client);
	if (code == EXIT_DONE && stored->is_signed_in) {
		code = visit_call(&v, METHOD_SESSION_LOGOUT, &p, &r);
	}
	visit_close(&v);
	return code;
}

/* End the session of old's token; one that has lapsed is not begun anew for it. */
static int verb_login_end(struct cli *c, const struct server_place *place,
			  const struct sign_in *stored)
{
	struct sign_in old = *stored;
	old.on = &sign_in_nobody;
	old.is_guest = true;
	old.is_wanted = false;
	return verb_logout_from(c, place, &old);
}

int verb_logout(struct cli *c)
{
	struct server_place place;
	int code = reach_place(c, &place);
	struct sign_in *stored = code == EXIT_DONE ? login_asker(place.address.text, NULL) : NULL;
	if (code == EXIT_DONE && stored != NULL) {
		code = verb_logout_from(c, &place, stored);
	}
	if (code == EXIT_DONE) {
		login_forget(place.address.text);
	}
	return code;
}

/* ---- login ---- */

static int verb_login_say(const struct cli *c, const struct sign_in *s)
{
	struct session_result r = {
		.user_id = slice_str(s->user_id),
		.user_name = slice_str(s->user_name),
		.expires_at = s->expires_at,
	};
	char team[SIGN_IN_TEAM_BYTES];
	if (c->is_json) {
		return print_record(&record_session_result, &r);
	}
	if (!print_line("logged in as %s", print_soft(r.user_name))) {
		return EXIT_BROKEN;
	}
	if (s->has_new_team) {
		print_progress("Your first team is \"%s\"; aye team explains it.",
			       print_soft(slice_str(sign_in_team(s, team))));
	}
	return EXIT_DONE;
}

static int verb_login_as(const struct cli *c, const struct server_place *place, bool is_guest,
			 const char *same_as)
{
	struct room_client *client = NULL;
	struct sign_in *fresh =
		login_fresh(place->address.text, c->args.words[0], is_guest, same_as);
	int code = EXIT_BROKEN;
	if (fresh != NULL) {
		fresh->wants_team = !c->is_json;
		code = reach_open(c, place, fresh, &client);
	}
	if (code == EXIT_DONE && !fresh->is_signed_in) {
		code = fresh->fault.code == FAULT_NONE ? EXIT_BROKEN
						       : print_refusal(c, &fresh->fault);
	}
	if (code == EXIT_DONE) {
		code = verb_login_say(c, fresh);
	}
	room_client_close(client);
	return code;
}

/* *key_of: the server of --same-as. */
static int verb_login_check(const struct cli *c, struct address *key_of)
{
	const char *same_as = c->args.value[OPTION_SAME_AS];
	size_t len = strlen(c->args.words[0]);
	struct errmsg why = {""};
	if (len == 0 || len >= sizeof(((struct sign_in *)0)->user_name)) {
		print_problem(len == 0 ? "the name is empty" : "the name is too long");
		return EXIT_USAGE;
	}
	if (!utf8_is_valid(slice_str(c->args.words[0]))) {
		print_problem("the name is not UTF-8");
		return EXIT_USAGE;
	}
	if (same_as != NULL && c->args.value[OPTION_GUEST] != NULL) {
		print_problem("--same-as chooses a key, but a guest has none");
		return EXIT_USAGE;
	}
	if (same_as == NULL) {
		return EXIT_DONE;
	}
	if (address_parse(same_as, key_of, &why) != OK) {
		print_problem("--same-as: %s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	/* The keys of a noted server are found by its fingerprint. */
	enum err e = known_server_pin(key_of, &why);
	print_warning(&why);
	return e == OK ? EXIT_DONE : EXIT_NO_SERVER;
}

/*
 * Another name than before frees the one before once it is had; the session of
 * a guest or of another key goes first, as it would be somebody else's in the
 * way of the key.
 */
int verb_login(struct cli *c)
{
	static struct address key_of; /* lent to the login of this run */
	struct server_place place;
	struct sign_in old = {0};
	bool is_guest = c->args.value[OPTION_GUEST] != NULL;
	bool is_other_key = c->args.value[OPTION_SAME_AS] != NULL;
	int code = verb_login_check(c, &key_of);
	code = code == EXIT_DONE ? reach_place(c, &place) : code;
	if (code != EXIT_DONE) {
		return code;
	}
	const struct sign_in *stored = login_asker(place.address.text, NULL);
	if (stored != NULL) {
		old = *stored;
	}
	bool has_old = old.token[0] != '\0';
	bool goes_first = has_old && (old.is_guest || is_guest || is_other_key);
	if (goes_first) {
		code = verb_login_end(c, &place, &old);
	}
	if (code == EXIT_DONE) {
		code = verb_login_as(c, &place, is_guest, is_other_key ? key_of.text : NULL);
	}
	if (code == EXIT_DONE && has_old && !goes_first &&
	    strcmp(old.user_name, c->args.words[0]) != 0) {
		code = verb_login_end(c, &place, &old);
	}
	return code;
}

/* ---- whoami ---- */

int verb_whoami_was_asked(struct visit *v, const struct record *rec, const void *result)
{
	const struct whoami_result *r = result;
	char at[LOCAL_TIME_BYTES];
	if (v->cli->is_json) {
		return print_record(rec, r);
	}
	bool is_fine =
		print_line("%s (user %s), until %s if idle", print_soft(r->user_name),
			   print_soft(r->user_id), local_time(r->expires_at, LOCAL_CLOCK, at));
	for (size_t i = 0; i < r->rooms.n && is_fine; i++) {
		is_fine = print_line("in room %s", print_soft(r->rooms.items[i]));
	}
	return is_fine ? EXIT_DONE : EXIT_BROKEN;
}

int verb_whoami(struct cli *c)
{
	return c->args.value[OPTION_FOLLOW] != NULL ? verb_whoami_watch(c) : verb_method(c);
}
