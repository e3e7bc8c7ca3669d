/*
 * visit.c - finds the room, the keys and the name; see visit.h.
 */
#include "client/cli/reach/visit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/login.h"
#include "client/cli/reach/room_context.h"
#include "client/kiosk/ssh_kiosk.h"
#include "client/kiosk/ssh_session.h"
#include "client/model/memory.h"
#include "proto/base/format.h"

static const char *visit_told_name(const struct visit *v)
{
	const char *told = v->cli->args.value[OPTION_NAME];
	if (told == NULL) {
		told = getenv("AYE_NAME");
	}
	return told == NULL || told[0] == '\0' ? NULL : told;
}

/* Who is told another name than the login's sits down beside it, as somebody else; so does a bot. */
static void visit_find_login(struct visit *v)
{
	const char *told = visit_told_name(v);
	v->sign_in = login_stored(v->place.address.text);
	bool is_other =
		told != NULL && v->sign_in != NULL && strcmp(told, v->sign_in->user_name) != 0;
	if (is_other || v->cli->args.value[OPTION_BOT] != NULL) {
		v->sign_in = NULL;
	}
}

bool visit_is_named(const struct visit *v)
{
	return visit_told_name(v) != NULL;
}

enum err visit_prepare(struct cli *c, struct visit *v, struct errmsg *why)
{
	*v = (struct visit){.cli = c};
	return state_open(&v->state, why);
}

int visit_begin(struct cli *c, struct visit *v)
{
	struct errmsg why = {""};
	enum err e = visit_prepare(c, v, &why);
	int code = e == OK ? reach_place(c, &v->place) : print_failure(e, why.text);
	if (code == EXIT_DONE) {
		visit_find_login(v);
	}
	return code;
}

enum err visit_seek(struct visit *v, struct errmsg *why)
{
	enum err e = server_find(v->cli->args.value[OPTION_SERVER], &v->place, why);
	if (e == OK) {
		visit_find_login(v);
	}
	return e;
}

void visit_move(struct visit *v, const struct address *server)
{
	v->place = (struct server_place){.address = *server, .is_told = true};
	visit_find_login(v);
}

static const char *visit_seat_name(const struct visit *v)
{
	return v->sign_in != NULL ? v->sign_in->user_name : visit_told_name(v);
}

enum err visit_choose(struct visit *v, const char *room_id, struct errmsg *why)
{
	format_to(v->room_id, sizeof(v->room_id), "%s", room_id);
	enum err e = state_get_room(&v->state, v->place.address.text, v->room_id,
				    visit_seat_name(v), &v->known, why);
	if (e == OK && v->cli->args.value[OPTION_BOT] != NULL) {
		const char *name = visit_name(v);
		v->known.user_key[0] = '\0';
		e = name == NULL ? OK
				 : state_get_bot_key(&v->state, v->place.address.text, v->room_id,
						     name, v->known.user_key, why);
	}
	v->has_stored_seat = e == OK && v->known.user_key[0] != '\0';
	if (e == OK && v->sign_in != NULL) {
		v->known.user_key[0] =
			'\0'; /* the user has a seat of its own, found by who it is */
	}
	return e;
}

/* What to say where the room is not there: who was asked, and how to ask another. */
static void visit_explain_unknown(struct cli *c, const struct visit *v)
{
	const char *asked = server_label(&v->place);
	if (ssh_session_is_on()) {
		(void)format_to(
			c->no_room, sizeof(c->no_room),
			"no room %s on this host's server, or it is closed to you; check the code",
			v->room_id);
	} else if (c->is_room_of_env) {
		(void)format_to(
			c->no_room, sizeof(c->no_room),
			"no room %s (from AYE_ROOM) on %.80s: it has ended, or is closed to you; "
			"unset AYE_ROOM, or give the CODE of another",
			v->room_id, asked);
	} else if (v->place.is_told) {
		(void)format_to(
			c->no_room, sizeof(c->no_room),
			"no room %s on %.80s, or it is closed to you; check the code and the "
			"server, or ask its host",
			v->room_id, asked);
	} else {
		(void)format_to(c->no_room, sizeof(c->no_room),
				"no room %s on %s. If a colleague created it, set AYE_SERVER or "
				"add --server tls://HOST (from their join command)",
				v->room_id, asked);
	}
}

static int visit_look(struct cli *c, struct visit *v, bool may_meet)
{
	char room_id[CODE_CHARS_MAX + 1];
	struct errmsg why = {""};
	struct slice code = slice_str(c->args.words[0]);
	*v = (struct visit){.cli = c};
	if (!code_normalise(code, room_id)) {
		print_problem("%s is not a room code: use %d to %d characters, without 0 O 1 I L U",
			      print_typed(c->args.words[0]), CODE_CHARS, CODE_CHARS_MAX);
		return EXIT_USAGE;
	}
	enum err e = visit_prepare(c, v, &why);
	e = e == OK ? server_seek(c->args.value[OPTION_SERVER], &v->place, &why) : e;
	if (e != OK) {
		return print_failure(e, why.text);
	}
	int met = may_meet ? reach_meet(c, &v->place, &why) : EXIT_DONE;
	if (met != EXIT_DONE) {
		return met;
	}
	visit_find_login(v);
	e = visit_choose(v, room_id, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	print_warning(&why);
	visit_explain_unknown(c, v);
	return passcode_read(c, v->passcode);
}

int visit_look_up(struct cli *c, struct visit *v)
{
	return visit_look(c, v, false);
}

int visit_find(struct cli *c, struct visit *v)
{
	struct errmsg why = {""};
	struct fault unknown;
	int code = visit_look(c, v, true);
	if (code != EXIT_DONE || !v->place.is_down) {
		return code;
	}
	struct state_room any; /* under whatever name */
	enum err e = state_get_room(&v->state, v->place.address.text, v->room_id, NULL, &any, &why);
	if (e != OK || (any.user_key[0] == '\0' && any.host_key[0] == '\0')) {
		fault_set(&unknown, FAULT_ROOM_NOT_FOUND, "%s", c->no_room);
		return print_refusal(c, &unknown);
	}
	e = server_start(&v->place, &why);
	return e == OK ? EXIT_DONE : print_failure(e, why.text);
}

int visit_connect(struct visit *v)
{
	return reach_open_early(v->cli, &v->place, v->sign_in, &v->client);
}

int visit_open(struct cli *c, struct visit *v)
{
	int exit_code = visit_find(c, v);
	return exit_code == EXIT_DONE ? visit_connect(v) : exit_code;
}

void visit_disconnect(struct visit *v)
{
	room_client_close(v->client);
	v->client = NULL;
}

void visit_close(struct visit *v)
{
	if (v->client != NULL && v->has_seat) {
		visit_keep_verb_title(v, &room_client_membership(v->client)->room);
	}
	visit_disconnect(v);
	arena_finish(&v->arena);
}

const char *visit_name(struct visit *v)
{
	struct errmsg why = {""};
	const char *told = visit_seat_name(v);
	if (told != NULL) {
		return told;
	}
	if (v->known.name[0] == '\0' && state_get_name(&v->state, v->known.name, &why) != OK) {
		print_warning(&why);
	}
	if (v->known.name[0] == '\0') {
		/* Who came by ssh shares that name with everybody else who did. */
		const char *user = ssh_session_is_on() ? NULL : getenv("USER");
		return user == NULL || user[0] == '\0' ? NULL : user;
	}
	return v->known.name;
}

/* A refusal is told as it came where JSON is wanted: there may be more in it than what every one has. */
static int visit_end_call(const struct visit *v, enum err e, const struct reply *reply)
{
	const struct cli *c = v->cli;
	if (e != OK) {
		return print_failure(e, room_client_why(v->client));
	}
	return !reply->is_refused ? EXIT_DONE
	       : c->is_json	  ? print_error_map(reply->bytes)
				  : print_refusal(c, &reply->fault);
}

int visit_call(struct visit *v, enum method method, const void *params, void *result)
{
	char once[REACH_ONCE_CHARS + 1];
	const size_t size = method_rows[method].params->size;
	struct request r = {.method = method, .params = memory_new(1, size)};
	struct reply reply;
	(void)reach_once(once);
	memcpy(r.params, params, size);
	request_fill_common(&r, &(struct request_common){
					.room_id = v->room_id,
					.host_key = v->known.host_key,
					.idempotency_key = once,
				});
	int64_t began_ms = loop_clock_ms();
	enum err e = room_client_ask_record(v->client, method, r.params, v->cli->answer_ms,
					    &v->arena, result, &reply);
	v->took_ms = loop_clock_ms() - began_ms;
	arena_finish(&r.texts);
	free(r.params);
	int code = visit_end_call(v, e, &reply);
	if (code == EXIT_DONE && !v->has_told_unreadable && request_is_partial(method, result)) {
		v->has_told_unreadable = true;
		print_problem(PARTIAL_RESULT);
	}
	return code;
}

int visit_call_by_name(struct visit *v, struct slice method, struct slice params,
		       struct slice *value)
{
	struct reply reply;
	enum err e = room_client_ask(v->client, method, params, v->cli->answer_ms, &reply);
	int code = visit_end_call(v, e, &reply);
	*value = code == EXIT_DONE ? reply.bytes : (struct slice){0};
	return code;
}

bool visit_ask_passcode(void *visit, unsigned tries, char out[MEMBERSHIP_PASSCODE_BYTES_MAX + 1])
{
	struct visit *v = visit;
	char question[CODE_CHARS_MAX + 64];
	(void)format_to(question, sizeof(question),
			"%s%s%s: ", tries == 0 ? "" : "Wrong passcode. ", "Passcode of ",
			v->room_id);
	bool is_typed = passcode_ask(question, v->passcode);
	(void)format_to(out, MEMBERSHIP_PASSCODE_BYTES_MAX + 1, "%s", v->passcode);
	return is_typed;
}

struct room_entry visit_entry(const struct visit *v, const char *name)
{
	return (struct room_entry){
		.room_id = v->room_id,
		.user_key = v->known.user_key,
		.name = name,
		.host_key = v->known.host_key,
		.passcode = v->passcode,
	};
}

int visit_subscribe(struct visit *v, const char *name)
{
	struct reply reply;
	struct room_entry entry = visit_entry(v, NULL);
	entry.shows_host_key = true;
	entry.ask_passcode = visit_ask_passcode;
	entry.asker = v;
	room_client_enter(v->client, &entry);
	enum err e = room_client_await_seat(v->client, v->cli->answer_ms, &reply);
	if (e != OK) {
		return print_failure(e, room_client_why(v->client));
	}
	if (reply.is_refused) {
		return print_refusal(v->cli, &reply.fault);
	}
	format_to(v->known.user_key, sizeof(v->known.user_key), "%s",
		  room_client_membership(v->client)->user_key);
	if (name != NULL) {
		visit_keep_verb_seat(v, name, v->known.user_key);
	}
	v->has_seat = true;
	return EXIT_DONE;
}

enum err visit_store_seat(struct visit *v, const char *old_name, const char *name,
			  const char *user_key, struct errmsg *why)
{
	enum err e = state_keep_seat(&v->state, v->place.address.text, v->room_id, old_name, name,
				     user_key, why);
	return e == OK ? state_keep_name(&v->state, name, why) : e;
}

enum err visit_store_host_key(struct visit *v, const char *host_key, struct errmsg *why)
{
	format_to(v->known.host_key, sizeof(v->known.host_key), "%s", host_key);
	return state_keep_host_key(&v->state, v->place.address.text, v->room_id, v->known.host_key,
				   why);
}

void visit_keep_seat(struct visit *v, const char *old_name, const char *name, const char *user_key)
{
	struct errmsg why = {""};
	enum err e = visit_store_seat(v, old_name, name, user_key, &why);
	(void)e; /* it is told, and no reason to stop */
	print_warning(&why);
}

void visit_keep_verb_seat(struct visit *v, const char *name, const char *user_key)
{
	struct errmsg why = {""};
	bool is_bot = v->cli->args.value[OPTION_BOT] != NULL;
	const char *server = v->place.address.text;
	enum err e = is_bot || visit_is_named(v)
			     ? state_keep_other_seat(&v->state, server, v->room_id, is_bot, name,
						     user_key, &why)
			     : state_keep_seat(&v->state, server, v->room_id, NULL, name, user_key,
					       &why);
	(void)e; /* likewise */
	print_warning(&why);
}

void visit_keep_host_key(struct visit *v, const char *host_key)
{
	struct errmsg why = {""};
	enum err e = visit_store_host_key(v, host_key, &why);
	(void)e; /* likewise */
	print_warning(&why);
}

void visit_keep_title(struct visit *v, const char *title)
{
	struct errmsg why = {""};
	enum err e = state_keep_title(&v->state, v->place.address.text, v->room_id, title, &why);
	(void)e; /* likewise */
	print_warning(&why);
}

void visit_keep_verb_title(struct visit *v, const struct replica *room)
{
	if (room->room.title.data != NULL) {
		visit_keep_title(v, room->room.title.data);
	}
}

/* A room that one never sat in is none to say anything of; failing to is told to nobody. */
static void visit_put_status(struct visit *v, const struct replica *room, bool is_left)
{
	struct state_status now = v->has_shown ? v->shown : (struct state_status){.server = ""};
	const struct room_status *was = v->has_shown ? &v->shown.is : NULL;
	struct errmsg unseen;
	if (room->has_state || room->you.is_waiting) {
		const char *name =
			room->you.username.data != NULL ? room->you.username.data : v->known.name;
		(void)format_to(now.server, sizeof(now.server), "%s", v->place.address.text);
		(void)format_to(now.room_id, sizeof(now.room_id), "%s", v->room_id);
		(void)format_to(now.name, sizeof(now.name), "%s", name);
		room_context_terminal(now.terminal);
		now.pid = getpid();
		room_status_of(room, v->known.name, was, &now.is);
	}
	bool has_sat = was != NULL || now.is.is_in;
	if (is_left) {
		room_status_leave(&now.is);
	}
	bool is_other = was == NULL || !room_status_eq(was, &now.is) ||
			strcmp(v->shown.name, now.name) != 0;
	if (has_sat && is_other) {
		enum err e = state_put_status(&v->state, &now, &unseen);
		(void)e; /* a prompt is no reason to disturb anybody */
	}
	v->shown = now;
	v->has_shown = has_sat;
}

void visit_keep_status(struct visit *v, const struct replica *room)
{
	visit_put_status(v, room, false);
}

/* A verb ends before the screen beside it, whose process and terminal its status would replace. */
void visit_keep_verb_status(struct visit *v, const struct replica *room)
{
	struct state_status kept;
	bool is_kept = state_get_status(&v->state, v->place.address.text, v->room_id, &kept);
	if (!is_kept || kept.pid == getpid() || !room_context_is_followed(&kept)) {
		visit_put_status(v, room, false);
	}
}

void visit_take_room(struct visit *v, const struct replica *room)
{
	session_summary_take(&v->summary, room, loop_clock_ms());
}

static void visit_place(const struct visit *v, const char *address, struct invite_place *out)
{
	*out = (struct invite_place){
		.is_ssh = ssh_session_is_on(),
		.is_own = v->place.is_own,
		.n = v->place.is_told ? 1 : 0,
	};
	if (v->place.is_told) {
		invite_address(slice_str(address), (struct slice){0}, out->addresses[0]);
	}
	/* The kiosk leads to the system's own server, whichever way we came to that. */
	if (out->is_ssh ||
	    (v->place.address.is_unix && strcmp(v->place.address.path, SYSTEM_SOCKET) == 0)) {
		ssh_kiosk_target(out->ssh);
	}
}

void visit_invite_place(const struct visit *v, struct invite_place *out)
{
	char theirs[ADDRESS_TEXT_BYTES];
	address_for_others(&v->place.address, theirs);
	visit_place(v, theirs, out);
	(void)format_to(out->web, sizeof(out->web), "%s",
			v->client == NULL ? "" : room_client_web(v->client));
}

/* Who came by ssh has no files here. */
void visit_leave_room(struct visit *v, const struct replica *room, bool is_elsewhere)
{
	struct invite_place place;
	visit_put_status(v, room, !is_elsewhere);
	v->has_shown = false;
	session_summary_end(&v->summary, room);
	visit_place(v, v->place.address.text, &place);
	if (v->summary.rounds > 0) {
		v->done = v->summary;
		v->done_line[0] = '\0';
	}
	if (v->summary.rounds > 0 && !place.is_ssh) {
		(void)format_to(v->done_line, sizeof(v->done_line),
				"To save it: aye export %s --format md -o %s.md%s%s", v->room_id,
				v->room_id, place.n > 0 ? " --server " : "", place.addresses[0]);
	}
	v->summary = (struct session_summary){.has_begun = false};
}

void visit_print_summary(const struct visit *v)
{
	struct buf text;
	buf_init(&text, SESSION_SUMMARY_BYTES_MAX);
	session_summary_text(&v->done, &text);
	if (memory_check(text.error) == OK && text.len > 0) {
		(void)print_part("%.*s", (int)text.len, text.data);
		(void)(v->done_line[0] == '\0' || print_line("%s", v->done_line));
	}
	buf_finish(&text);
}

struct room_client *visit_enter(struct visit *v, const struct room_entry *entry, bool as_user,
				event_cb on_event, void *owner)
{
	struct room_client_options o = {
		.address = v->place.address,
		.sign_in = as_user ? v->sign_in : NULL,
		.keeps_trying = true,
		.on_event = on_event,
		.owner = owner,
	};
	struct room_client *client = room_client_open(NULL, &o);
	room_client_enter(client, entry);
	return client;
}

int visit_follow(struct visit *v, struct room_client *client, const int *code)
{
	struct fault fault = {0};
	struct errmsg why = {""};
	enum room_client_end end = room_client_run(client, v->cli->wait_ms, &fault, &why);
	room_client_close(client);
	return reach_end(v->cli, &v->place, end, *code, &fault, &why);
}

const char *visit_revive_server(struct visit *v)
{
	struct errmsg unseen = {""};
	if (server_was_stopped(&v->place)) {
		return "Your own server was stopped. Any command that needs it starts it again";
	}
	enum err e = server_revive(&v->place, &unseen);
	(void)e; /* it stays lost: whoever tries to connect says so */
	return NULL;
}

const char *visit_join_line(const struct visit *v)
{
	static char line[INVITE_LINE_BYTES_MAX + 1];
	struct invite_place place;
	visit_place(v, v->place.address.text, &place);
	invite_line(&place, 0, v->room_id, line);
	return line;
}
