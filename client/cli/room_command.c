/*
 * room_command.c - rights shown, common fields filled in, words found; see room_command.h.
 */
#include "client/cli/room_command.h"

#include <string.h>

#include "client/cli/print.h"
#include "proto/decimal.h"

/* ---- coming in ---- */

int room_command_join(struct visit *v)
{
	struct room_join_result r;
	const char *name = visit_name(v);
	if (room_client_membership(v->client)->room.you.username.data != NULL || name == NULL) {
		return EXIT_DONE; /* without a name the server says what is missing */
	}
	struct room_join_params p = {.username = slice_str(name)};
	int code = room_command_call(v, METHOD_ROOM_JOIN, &p, &r);
	v->has_joined = code == EXIT_DONE;
	return code;
}

/* A login's seat is the one it has in the room wherever it comes from. */
static bool act_is_login(const struct visit *v)
{
	return v->sign_in != NULL && v->sign_in->is_signed_in;
}

int room_command_show_rights(struct visit *v)
{
	bool has_seat = v->known.user_key[0] != '\0';
	bool needs_seat = v->known.host_key[0] == '\0' && (v->needs != NEEDS_RIGHTS || has_seat);
	int code = EXIT_DONE;
	if (needs_seat || v->needs == NEEDS_NAME) {
		code = visit_subscribe(v, NULL);
		bool is_new = !has_seat && !act_is_login(v);
		v->is_guest = v->is_guest || (code == EXIT_DONE && is_new);
	}
	return code;
}

int room_command_open(struct cli *c, struct visit *v, enum verb_needs needs)
{
	if (needs == NEEDS_SERVER) {
		*v = (struct visit){.cli = c};
		return reach_server(c, &v->place, &v->client);
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
static enum method act_farewell(const struct visit *v)
{
	if (v->client == NULL) {
		return METHOD_COUNT;
	}
	if (v->is_guest) {
		return METHOD_ROOM_DELETE_USER;
	}
	bool is_seat_kept = act_is_login(v) || v->needs == NEEDS_KEPT_SEAT;
	return v->has_joined && is_seat_kept ? METHOD_ROOM_LEAVE : METHOD_COUNT;
}

void room_command_close(struct visit *v)
{
	enum method farewell = act_farewell(v);
	if (farewell != METHOD_COUNT) {
		struct version_result r;
		struct reply ignored;
		struct room_seat_params p = {.room_id = slice_str(v->room_id)};
		/* Where it fails, the server forgets the seat by itself in a while. */
		(void)!room_client_ask_record(v->client, farewell, &p, v->cli->answer_ms, &v->arena,
					      &r, &ignored);
	}
	visit_close(v);
}

/* ---- asking ---- */

/* Set a text of a record by its row, unless it is given. */
static void act_fill(const struct record *rec, void *params, struct slice name, struct slice value)
{
	const struct field *f = record_field(rec, name);
	struct fault ignored;
	if (f != NULL && value.len > 0 && !field_with(f, params)) {
		(void)!record_set_text(rec, params, name, value, &ignored);
	}
}

int room_command_call(struct visit *v, enum method method, void *params, void *result)
{
	const struct record *rec = method_rows[method].params;
	char once[REACH_ONCE_CHARS + 1];
	act_fill(rec, params, SLICE("room_id"), slice_str(v->room_id));
	act_fill(rec, params, SLICE("host_key"), visit_host_key(v));
	act_fill(rec, params, SLICE("idempotency_key"), reach_once(once));
	return visit_call(v, method, params, result);
}

int room_command_say(const struct visit *v, const struct record *rec, const void *result,
		     const char *plain)
{
	if (v->cli->is_json) {
		enum err e = print_record(rec, result);
		return e == OK ? EXIT_DONE : print_failure(e, NULL);
	}
	return plain == NULL || print_line("%s", plain) ? EXIT_DONE : EXIT_BROKEN;
}

/* ---- looking ---- */

int room_command_get(struct visit *v, struct room_update *out)
{
	struct room_get_params p = {.room_id = slice_str(v->room_id),
				    .host_key = visit_host_key(v)};
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

static int act_keep(struct visit *v, const char *text, struct slice *out)
{
	bool ok = true;
	*out = arena_copy(&v->arena, slice_str(text), &ok);
	return ok ? EXIT_DONE : print_failure(ERR_NOMEM, NULL);
}

int room_command_whom(struct visit *v, const char *who, struct slice *user_id)
{
	struct replica r;
	const struct user_view *found = NULL;
	size_t named = 0;
	int code = room_command_look(v, &r);
	if (code == EXIT_DONE) {
		found = replica_member(&r, who);
		named = found != NULL;
	}
	for (size_t i = 0; code == EXIT_DONE && found == NULL && i < r.users.n; i++) {
		const char *name = replica_member_at(&r, i)->username.data;
		named += name != NULL && strcmp(name, who) == 0;
	}
	for (size_t i = 0; code == EXIT_DONE && named == 1 && i < r.users.n; i++) {
		const char *name = replica_member_at(&r, i)->username.data;
		if (found == NULL && name != NULL && strcmp(name, who) == 0) {
			found = replica_member_at(&r, i);
		}
	}
	if (code == EXIT_DONE && found == NULL) {
		print_problem(named == 0 ? "nobody in the room is called %s"
					 : "several in the room are called %s; use a user_id of "
					   "aye room show --json",
			      print_soft(slice_str(who)));
		code = EXIT_REFUSED;
	}
	code = code == EXIT_DONE ? act_keep(v, found->user_id.data, user_id) : code;
	replica_finish(&r);
	return code;
}

int room_command_whom_barred(struct visit *v, const char *who, struct slice *user_id)
{
	struct room_barred_params p = {0};
	struct room_barred_result u = {0};
	struct slice wanted = slice_str(who);
	size_t named = 0;
	int code = room_command_call(v, METHOD_ROOM_BARRED, &p, &u);
	for (size_t i = 0; code == EXIT_DONE && i < u.barred_n; i++) {
		if (slice_eq(u.barred[i].user_id, wanted)) {
			*user_id = u.barred[i].user_id;
			return EXIT_DONE;
		}
		if (slice_eq(u.barred[i].username, wanted)) {
			*user_id = u.barred[i].user_id;
			named++;
		}
	}
	if (code == EXIT_DONE && named != 1) {
		print_problem(named == 0 ? "nobody called %s was kicked for good"
					 : "several called %s were kicked for good; use a user_id",
			      print_soft(wanted));
		code = EXIT_REFUSED;
	}
	return code;
}

static const struct story_view *act_find_story(const struct replica *r, const char *word,
					       size_t *titled)
{
	const struct story_view *found = replica_story(r, word);
	int64_t place; /* in the list, from 1 */
	*titled = 0;
	if (found == NULL && decimal_read(slice_str(word), 1, (int64_t)r->stories.n, &place)) {
		found = replica_story_at(r, (size_t)place - 1);
	}
	for (size_t i = 0; found == NULL && i < r->stories.n + r->removed.n; i++) {
		*titled += strcmp(replica_story_at(r, i)->title.data, word) == 0;
	}
	for (size_t i = 0; *titled == 1 && found == NULL; i++) {
		found = strcmp(replica_story_at(r, i)->title.data, word) == 0
				? replica_story_at(r, i)
				: NULL;
	}
	return found;
}

int room_command_story(struct visit *v, const char *word, struct slice *story_id)
{
	struct replica r;
	size_t titled = 0;
	int code = room_command_look(v, &r);
	if (code == EXIT_DONE) {
		const struct story_view *found = act_find_story(&r, word, &titled);
		if (found != NULL) {
			code = act_keep(v, found->story_id.data, story_id);
		} else {
			print_problem(titled == 0 ? "the room has no story %s"
						  : "several stories are called %s; use a "
						    "story_id of aye story list",
				      print_soft(slice_str(word)));
			code = EXIT_REFUSED;
		}
	}
	replica_finish(&r);
	return code;
}

int room_command_rounds(struct visit *v, size_t most, struct round_view **rounds, size_t *n)
{
	struct round_list_result page = {0};
	*n = 0;
	*rounds = arena_alloc(&v->arena, (MAX_ROUNDS_KEPT + MAX_PAGE) * sizeof(**rounds));
	if (*rounds == NULL) {
		return print_failure(ERR_NOMEM, NULL);
	}
	do {
		size_t left = most - *n < MAX_PAGE ? most - *n : MAX_PAGE;
		struct page_params p = {
			.limit = (int64_t)left,
			.cursor = page.cursor,
		};
		int code = room_command_call(v, METHOD_ROUND_LIST, &p, &page);
		if (code != EXIT_DONE) {
			return code;
		}
		for (size_t i = 0; i < page.rounds_n && *n < MAX_ROUNDS_KEPT; i++) {
			(*rounds)[(*n)++] = page.rounds[i];
		}
	} while (page.cursor.len > 0 && page.rounds_n > 0 && *n < most && *n < MAX_ROUNDS_KEPT);
	return EXIT_DONE;
}
