/*
 * verb_home.c - aye home, which is aye alone on a terminal: the rooms one was
 * in and the way into others, on a screen where there is one; aye inbox, which
 * begins with the questions. And aye room forget, for the list.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/known_servers.h"
#include "client/cli/verb_screen.h"
#include "client/kiosk/ssh_session.h"
#include "client/lines/lines_home.h"
#include "client/lines/lines_inbox.h"
#include "client/net/transport/ssh_child_uv.h"
#include "client/state/state_recent.h"
#include "proto/base/format.h"

/* How long a server may take to show its certificate where a screen waits for it. */
#define HOME_LOOK_MS 2000

/* The visit comes first: it is what the screen takes for its owner. */
struct verb_home {
	struct visit visit;
	bool opens_inbox;
	bool connects_first;
	char name[MAX_NAME_BYTES + 1]; /* as it was changed on the screen; "": it was not */
};

/* ---- what home asks for ---- */

static void verb_home_list(void *owner, struct recent_rooms *out, struct errmsg *why)
{
	const struct visit *v = owner;
	if (ssh_session_is_on()) {
		ssh_session_rooms(v->place.address.text, out);
	} else {
		state_list_rooms(&v->state, out, why);
	}
}

/* Of nobody's room: what is known of the last one does not count. */
static void verb_home_name(void *owner, char out[APP_NAME_BYTES_MAX + 1])
{
	struct visit *v = owner;
	v->known = (struct state_room){.name = ""};
	const char *name = visit_name(v);
	(void)format_to(out, APP_NAME_BYTES_MAX + 1, "%s", name == NULL ? "" : name);
}

static enum err verb_home_rename(void *owner, const char *name, struct errmsg *why)
{
	struct verb_home *h = owner;
	if (visit_is_named(&h->visit)) {
		/* Said later than --name or AYE_NAME, it counts instead. */
		(void)format_to(h->name, sizeof(h->name), "%s", name);
		h->visit.cli->args.value[OPTION_NAME] = h->name;
	}
	return state_keep_name(&h->visit.state, name, why);
}

static enum err verb_home_find(void *owner, struct app_place *out, struct errmsg *why)
{
	struct visit *v = owner;
	enum err e = visit_seek(v, why);
	if (e != OK) {
		return e;
	}
	*out = (struct app_place){.address = v->place.address, .sign_in = v->sign_in};
	(void)format_to(out->label, sizeof(out->label), "%s", server_label(&v->place));
	visit_invite_place(v, &out->place);
	return OK;
}

/* Nobody can be asked while the screen is there; the server that is typed may be unknown. */
static enum err verb_home_move(struct visit *v, const struct address *server, struct errmsg *why)
{
	struct address at = *server;
	enum err e = known_server_pin(&at, why);
	e = e == OK ? known_server_complete(&at, HOME_LOOK_MS, why) : e;
	if (e == ERR_UNKNOWN) { /* the screen goes on trying */
		why->text[0] = '\0';
		e = OK;
	}
	if (e == OK && known_server_is_strange(&at, HOME_LOOK_MS)) {
		errmsg_set(why, "%s is not known yet: quit, and run aye join CODE --server %s once",
			   at.text, at.text);
		e = ERR_CLOSED;
	}
	if (e == OK) {
		visit_move(v, &at);
	}
	return e;
}

static enum err verb_home_choose(void *owner, const struct address *server, const char *room_id,
				 const char *host_key, struct app_entry *out, struct errmsg *why)
{
	struct visit *v = owner;
	if (server != NULL && ssh_session_is_on()) {
		errmsg_set(why, "Over ssh, only rooms of this host's server are available");
		return ERR_INVALID;
	}
	enum err e = server != NULL ? verb_home_move(v, server, why) : OK;
	e = e == OK ? visit_choose(v, room_id, why) : e;
	if (e != OK) {
		return e;
	}
	if (host_key != NULL) {
		e = visit_store_host_key(v, host_key, why);
		(void)e; /* it is in the entry all the same */
	}
	verb_screen_entry(v, out);
	return OK;
}

static enum err verb_home_forget(void *owner, const char *server, const char *room_id,
				 struct errmsg *why)
{
	const struct visit *v = owner;
	return state_forget_recent(&v->state, server, room_id, why);
}

static const struct app_memory verb_home_memory = {
	.list = verb_home_list,
	.name = verb_home_name,
	.rename = verb_home_rename,
	.find = verb_home_find,
	.choose = verb_home_choose,
	.forget = verb_home_forget,
};

/* ---- without a screen ---- */

static bool verb_home_print(const struct cli *c, const struct recent_room *room)
{
	if (!c->is_json) {
		return print_line("%s%s%s%s%s  on %s", room->room_id,
				  room->title[0] == '\0' ? "" : "  ", room->title,
				  room->name[0] == '\0' ? "" : "  as ", room->name, room->server);
	}
	json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:b, s:I}", "room_id", room->room_id,
				 "server", room->server, "title", room->title, "name", room->name,
				 "is_host", room->is_host, "used_at", (json_int_t)room->used_at_ms);
	char *text = line == NULL ? NULL : json_dumps(line, JSON_COMPACT);
	bool is_told = text != NULL && print_json(text);
	free(text);
	json_decref(line);
	return is_told;
}

static int verb_home_print_all(const struct cli *c, const struct recent_rooms *recent)
{
	bool is_told = true;
	for (size_t i = 0; i < recent->n && is_told; i++) {
		is_told = verb_home_print(c, &recent->rooms[i]);
	}
	if (recent->n == 0 && !c->is_json) {
		is_told = print_line(
			"No rooms yet. Create one with aye new, join one with aye join CODE.");
	}
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* A person is asked where to go; whoever only reads is not. */
static int verb_home_in_lines(struct visit *v, bool opens_inbox)
{
	if (opens_inbox) {
		return lines_inbox(v->cli);
	}
	struct recent_rooms recent = {0};
	struct errmsg why = {""};
	state_list_rooms(&v->state, &recent, &why);
	bool is_asked = verb_screen_has_terminal() && !v->cli->is_json;
	int code = is_asked ? lines_home(v, &recent) : verb_home_print_all(v->cli, &recent);
	recent_rooms_finish(&recent);
	return code;
}

/* ---- on a screen ---- */

/*
 * What was told and is no address ends the program before there is a screen; so does a
 * server that is met for the first time and not trusted, as nobody can be asked later.
 * *asks: ssh may want to.
 */
static int verb_home_check_server(const struct cli *c, bool has_screen, bool *asks)
{
	struct address a;
	struct errmsg why = {""};
	const char *told = c->args.value[OPTION_SERVER];
	const char *usual = told == NULL ? getenv("AYE_SERVER") : told;
	if (usual == NULL || (told == NULL && usual[0] == '\0')) {
		return EXIT_DONE;
	}
	if (address_parse(usual, &a, &why) != OK) {
		errmsg_prefix(&why, "--server");
		if (told != NULL) {
			print_problem("%s", print_soft(slice_str(why.text)));
		}
		return told != NULL ? EXIT_USAGE : EXIT_DONE; /* home says it of the other */
	}
	if (!has_screen) {
		return EXIT_DONE; /* whatever needs the server asks */
	}
	*asks = ssh_child_may_ask(&a);
	enum err e = known_server_pin(&a, &why);
	if (e == OK) {
		print_warning(&why);
		why.text[0] = '\0';
	}
	e = e == OK ? known_server_meet(&a, HOME_LOOK_MS, &why) : e;
	e = e == ERR_UNKNOWN ? OK : e; /* the screen goes on trying */
	return e == OK ? EXIT_DONE : print_failure(e, why.text);
}

static int verb_home_on_screen(struct verb_home *h)
{
	struct fault fault = {0};
	struct errmsg why = {""};
	struct app_options o;
	verb_screen_options(&h->visit, &o);
	o.memory = &verb_home_memory;
	o.opens_inbox = h->opens_inbox;
	o.connects_first = h->connects_first;
	switch (app_run(&o, &fault, &why)) {
	case APP_NO_SCREEN:
		return verb_home_in_lines(&h->visit, h->opens_inbox);
	case APP_BROKEN:
		print_problem("%s", print_soft(slice_str(why.text)));
		return EXIT_BROKEN;
	default:
		visit_print_summary(&h->visit);
		return EXIT_DONE;
	}
}

static int verb_home_open(struct cli *c, bool opens_inbox)
{
	struct verb_home h = {.opens_inbox = opens_inbox};
	struct errmsg why = {""};
	int code = verbs_open_config(c);
	if (code != EXIT_DONE) {
		return code;
	}
	bool has_screen = verb_screen_has_terminal() && !c->is_json && !verb_screen_is_plain(c);
	code = verb_home_check_server(c, has_screen, &h.connects_first);
	if (code != EXIT_DONE) {
		return code;
	}
	enum err e = visit_prepare(c, &h.visit, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	code = has_screen ? verb_home_on_screen(&h) : verb_home_in_lines(&h.visit, h.opens_inbox);
	visit_close(&h.visit);
	return code;
}

int verb_home(struct cli *c)
{
	return verb_home_open(c, false);
}

int verb_inbox(struct cli *c)
{
	return verb_home_open(c, true);
}

int verb_room_forget(struct cli *c)
{
	struct visit v;
	struct errmsg why = {""};
	int code = visit_look_up(c, &v);
	if (code == EXIT_DONE) {
		enum err e = state_forget_recent(&v.state, v.place.address.text, v.room_id, &why);
		code = e == OK ? EXIT_DONE : print_failure(e, why.text);
	}
	if (code == EXIT_DONE && print_is_for_a_person()) {
		(void)print_line("%s was forgotten.", v.room_id);
	}
	visit_close(&v);
	return code;
}
