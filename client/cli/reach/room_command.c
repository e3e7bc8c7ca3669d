/*
 * room_command.c - rights shown, common fields filled in, words found; see room_command.h.
 */
#include "client/cli/reach/room_command.h"

#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/login.h"
#include "client/model/memory.h"
#include "client/model/request.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"

/* ---- coming in ---- */

int room_command_join(struct visit *v)
{
	struct room_join_result r;
	const char *name = visit_name(v);
	if (room_client_membership(v->client)->room.you.username.data != NULL || name == NULL) {
		return EXIT_DONE; /* without a name the server says what is missing */
	}
	bool is_bot = v->cli->args.value[OPTION_BOT] != NULL;
	struct room_join_params p = {.username = slice_str(name),
				     .is_bot = is_bot,
				     .with_is_bot = is_bot};
	int code = visit_call(v, METHOD_ROOM_JOIN, &p, &r);
	v->has_joined = code == EXIT_DONE;
	return code;
}

/* A login's seat is the one it has in the room wherever it comes from. */
static bool room_command_is_login(const struct visit *v)
{
	return v->sign_in != NULL && v->sign_in->is_signed_in;
}

int room_command_show_rights(struct visit *v)
{
	bool has_seat = v->known.user_key[0] != '\0';
	bool needs_seat =
		v->known.host_key[0] == '\0' && (v->needs != NEEDS_RIGHTS || v->has_stored_seat);
	int code = EXIT_DONE;
	if (needs_seat || v->needs == NEEDS_NAME) {
		code = visit_subscribe(v, NULL);
		bool is_new = !has_seat && !room_command_is_login(v);
		v->is_guest = v->is_guest || (code == EXIT_DONE && is_new);
	}
	return code;
}

/* The name is that of a seat: told, the one used last, or the user's. */
static int room_command_new_asker(struct cli *c, const char *server, struct sign_in **out)
{
	struct visit v;
	struct errmsg why = {""};
	enum err e = visit_prepare(c, &v, &why);
	if (e != OK) {
		return print_failure(e, why.text);
	}
	*out = login_asker(server, visit_name(&v));
	if (*out == NULL) {
		print_problem("you have no name yet; use --name NAME");
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

int room_command_sign_in(struct cli *c, const struct server_place *place, enum verb_needs needs,
			 struct sign_in **out)
{
	const char *server = place->address.text;
	const char *told = c->args.value[OPTION_NAME];
	int code = EXIT_DONE;
	if (needs == NEEDS_NEW_ASKER) {
		code = room_command_new_asker(c, server, out);
	} else {
		*out = needs == NEEDS_ASKER ? login_asker(server, NULL) : login_stored(server);
	}
	if (code == EXIT_DONE && told != NULL && *out != NULL && !sign_in_is_named(*out, told)) {
		print_problem("you are %s here: leave out --name, or log out first (aye logout)",
			      print_soft(slice_str((*out)->user_name)));
		code = EXIT_USAGE;
	}
	return code;
}

static int room_command_open_server(struct cli *c, struct visit *v, enum verb_needs needs)
{
	*v = (struct visit){.cli = c};
	int code = reach_place(c, &v->place);
	if (code != EXIT_DONE) {
		return code;
	}
	code = room_command_sign_in(c, &v->place, needs, &v->sign_in);
	if (code != EXIT_DONE) {
		return code;
	}
	const struct sign_in *s = v->sign_in;
	code = reach_open(c, &v->place, v->sign_in, &v->client);
	bool is_refused = code == EXIT_DONE && needs != NEEDS_SERVER && s != NULL &&
			  !s->is_signed_in && s->fault.code != FAULT_NONE;
	return is_refused ? print_refusal(c, &s->fault) : code;
}

int room_command_open(struct cli *c, struct visit *v, enum verb_needs needs)
{
	if (needs < NEEDS_RIGHTS) {
		return room_command_open_server(c, v, needs);
	}
	int code = visit_open(c, v);
	bool is_host = v->known.host_key[0] != '\0';
	v->needs = needs;
	if (code == EXIT_DONE && needs == NEEDS_KEPT_SEAT) {
		return visit_subscribe(v, visit_name(v));
	}
	if (code == EXIT_DONE) {
		code = room_command_show_rights(v);
	}
	if (code == EXIT_DONE && (needs == NEEDS_NAME || (needs == NEEDS_MEMBER && !is_host))) {
		code = room_command_join(v);
	}
	return code;
}

/* What gives back what was taken for this visit: METHOD_COUNT where that is nothing. */
static enum method room_command_farewell(const struct visit *v)
{
	if (v->client == NULL) {
		return METHOD_COUNT;
	}
	if (v->is_guest) {
		return METHOD_ROOM_DELETE_USER;
	}
	bool is_seat_kept = room_command_is_login(v) || v->needs == NEEDS_KEPT_SEAT;
	return v->has_joined && is_seat_kept ? METHOD_ROOM_LEAVE : METHOD_COUNT;
}

void room_command_close(struct visit *v)
{
	enum method farewell = room_command_farewell(v);
	/* Not from under a window in which the same member has come in meanwhile. */
	const struct room_leave_params leave = {.room_id = slice_str(v->room_id),
						.if_last = true,
						.with_if_last = true};
	const struct room_seat_params delete = {.room_id = slice_str(v->room_id)};
	union {
		struct room_leave_result left;
		struct version_result deleted;
	} result;
	struct reply ignored;
	if (farewell != METHOD_COUNT) {
		/* Where it fails, the server forgets the seat by itself in a while. */
		(void)!room_client_ask_record(v->client, farewell,
					      farewell == METHOD_ROOM_LEAVE ? (const void *)&leave
									    : &delete,
					      v->cli->answer_ms, &v->arena, &result, &ignored);
	}
	visit_close(v);
}

int room_command_say(const struct visit *v, const struct record *rec, const void *result,
		     const char *plain)
{
	if (v->cli->is_json) {
		return print_record(rec, result);
	}
	return plain == NULL || print_line("%s", plain) ? EXIT_DONE : EXIT_BROKEN;
}

/* ---- looking ---- */

int room_command_get(struct visit *v, struct room_update *out)
{
	struct room_get_params p = {.room_id = slice_str(v->room_id),
				    .host_key = slice_str(v->known.host_key)};
	struct reply reply;
	enum err e = room_client_ask_record(v->client, METHOD_ROOM_GET, &p, v->cli->answer_ms,
					    &v->arena, out, &reply);
	if (e != OK) {
		return print_failure(e, room_client_why(v->client));
	}
	bool may_help = reply.is_refused && v->known.user_key[0] != '\0' && !v->has_seat;
	if (!may_help) {
		return reply.is_refused ? print_refusal(v->cli, &reply.fault) : EXIT_DONE;
	}
	int code = visit_subscribe(v, NULL);
	return code == EXIT_DONE ? visit_call(v, METHOD_ROOM_GET, &p, out) : code;
}

int room_command_look(struct visit *v, struct replica *out)
{
	struct room_update u;
	*out = (struct replica){0};
	int code = room_command_get(v, &u);
	if (code != EXIT_DONE) {
		return code;
	}
	enum err e = replica_update(out, &u);
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}

/* What a word means: the one with that id, else the only one of that name. */
struct room_command_match {
	struct slice word;
	struct slice id; /* empty: none yet */
	bool is_exact;
	size_t named;
};

static void room_command_try(struct room_command_match *m, struct slice id, struct slice name)
{
	bool is_id = slice_eq(id, m->word);
	bool is_named = name.len > 0 && slice_eq(name, m->word);
	m->named += is_named;
	if (is_id || (is_named && !m->is_exact)) {
		m->id = id;
	}
	m->is_exact = m->is_exact || is_id;
}

/* Whether it is one; then this is its id. */
static bool room_command_is_one(const struct room_command_match *m, char id[ROOM_COMMAND_ID_BYTES])
{
	(void)format_to(id, ROOM_COMMAND_ID_BYTES, "%.*s", (int)m->id.len, m->id.data);
	return m->is_exact || m->named == 1;
}

int room_command_whom(struct visit *v, const char *who, char user_id[ROOM_COMMAND_ID_BYTES])
{
	struct replica r;
	struct room_command_match m = {.word = slice_str(who)};
	int code = room_command_look(v, &r);
	for (size_t i = 0; i < r.users.n; i++) {
		const struct user_view *u = replica_member_at(&r, i);
		room_command_try(&m, u->user_id, u->username);
	}
	if (code == EXIT_DONE && !room_command_is_one(&m, user_id)) {
		print_problem(m.named == 0 ? "no member is called %s"
					   : "several members are called %s; use a user_id from "
					     "aye room show --json",
			      print_typed(who));
		code = EXIT_REFUSED;
	}
	replica_finish(&r);
	return code;
}

int room_command_whom_barred(struct visit *v, const char *who, char user_id[ROOM_COMMAND_ID_BYTES])
{
	struct room_barred_params p = {0};
	struct room_barred_result r = {0};
	struct room_command_match m = {.word = slice_str(who)};
	int code = visit_call(v, METHOD_ROOM_BARRED, &p, &r);
	for (size_t i = 0; i < r.barred_n; i++) {
		room_command_try(&m, r.barred[i].user_id, r.barred[i].username);
	}
	if (code == EXIT_DONE && !room_command_is_one(&m, user_id)) {
		print_problem(m.named == 0 ? "no banned member is called %s"
					   : "several banned members are called %s; use a user_id",
			      print_typed(who));
		code = EXIT_REFUSED;
	}
	return code;
}

int room_command_story(struct visit *v, const char *word, bool wants_removed,
		       char story_id[ROOM_COMMAND_ID_BYTES])
{
	struct replica r;
	struct story_found found;
	char why[STORY_FOUND_TEXT_MAX];
	int code = room_command_look(v, &r);
	story_find(&r, word, wants_removed, &found);
	if (code == EXIT_DONE && found.one == NULL) {
		story_found_text(&r, &found, word, why, sizeof(why));
		print_problem(found.n == 0 ? "the room has no story %s" : "%s",
			      found.n == 0 ? print_typed(word) : print_soft(slice_str(why)));
		code = EXIT_REFUSED;
	} else if (code == EXIT_DONE) {
		(void)format_to(story_id, ROOM_COMMAND_ID_BYTES, "%s", found.one->story_id.data);
	}
	replica_finish(&r);
	return code;
}

int room_command_rounds(struct visit *v, size_t most, struct round_list_result *out)
{
	struct round_list_result page = {0};
	size_t n_max = MAX_ROUNDS_KEPT + MAX_PAGE;
	*out = (struct round_list_result){0};
	out->rounds = memory_have(arena_alloc(&v->arena, n_max * sizeof(*out->rounds)));
	do {
		size_t left = most - out->rounds_n < MAX_PAGE ? most - out->rounds_n : MAX_PAGE;
		struct page_params p = {
			.limit = (int64_t)left,
			.cursor = page.cursor,
		};
		int code = visit_call(v, METHOD_ROUND_LIST, &p, &page);
		if (code != EXIT_DONE) {
			return code;
		}
		for (size_t i = 0; i < page.rounds_n && out->rounds_n < MAX_ROUNDS_KEPT; i++) {
			out->rounds[out->rounds_n++] = page.rounds[i];
		}
	} while (page.cursor.len > 0 && page.rounds_n > 0 && out->rounds_n < most &&
		 out->rounds_n < MAX_ROUNDS_KEPT);
	return EXIT_DONE;
}
