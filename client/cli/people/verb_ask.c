/*
 * verb_ask.c - aye ask, aye question watch: a question to people, and what comes of it.
 */
#include "client/acts/spelling.h"
#include "client/cli/output/print.h"
#include "client/cli/output/question_print.h"
#include "client/cli/people/question_wait.h"
#include "client/cli/people/team_find.h"
#include "client/cli/reach/pages.h"
#include "client/cli/reach/reach.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "client/model/questions/question_outcome.h"
#include "proto/base/format.h"

/* ---- the people it is for ---- */

/* A member by name, in all teams of the asker. */
struct ask_search {
	struct slice name;
	char teams[MAX_GROUPS_OF_USER][TEAM_FIND_ID_BYTES];
	size_t teams_n;
	size_t at;						    /* the team that is searched */
	char team[TEAM_FIND_ID_BYTES], user_id[TEAM_FIND_ID_BYTES]; /* "": not found yet */
	bool is_several;
	struct spelling spelling;
	char nearest[SPELLING_WORD_BYTES];
};

static void ask_copy(char out[TEAM_FIND_ID_BYTES], struct slice id)
{
	(void)format_to(out, TEAM_FIND_ID_BYTES, "%.*s", (int)id.len, id.data);
}

static int ask_take_team(void *owner, const void *entry)
{
	struct ask_search *s = owner;
	const struct group_entry *team = entry;
	if (s->teams_n < MAX_GROUPS_OF_USER) {
		ask_copy(s->teams[s->teams_n++], team->group_id);
	}
	return EXIT_DONE;
}

/* The same person in two teams is one; with a second person of that name the search is over. */
static int ask_take_member(void *owner, const void *entry)
{
	struct ask_search *s = owner;
	const struct group_user *user = entry;
	if (!team_is_same_name(user->user_name, s->name)) {
		spelling_offer_passing(&s->spelling, user->user_name, s->nearest);
		return EXIT_DONE;
	}
	s->is_several = s->user_id[0] != '\0' && !slice_eq(user->user_id, slice_str(s->user_id));
	ask_copy(s->user_id, user->user_id);
	ask_copy(s->team, slice_str(s->teams[s->at]));
	return s->is_several ? EXIT_NO : EXIT_DONE;
}

/* @where  "your teams": what was searched. */
static int ask_refuse_name(const char *where, const char *name, struct slice nearest)
{
	if (nearest.len > 0) {
		print_problem("no member of %s is called %s; did you mean %s?", where,
			      print_typed(name), print_soft(nearest));
	} else {
		print_problem("no member of %s is called %s", where, print_typed(name));
	}
	return EXIT_REFUSED;
}

static int ask_find_in_teams(struct visit *v, const char *name, struct request *r)
{
	struct ask_search s = {.name = slice_str(name), .spelling = {.typed = slice_str(name)}};
	struct request *teams = request_make(METHOD_GROUP_LIST);
	int code = pages_each(v, teams, ask_take_team, &s);
	request_free(teams);
	for (; code == EXIT_DONE && s.at < s.teams_n; s.at++) {
		struct request *users = request_make(METHOD_GROUP_USERS);
		request_text(users, "group_id", s.teams[s.at]);
		code = pages_each(v, users, ask_take_member, &s);
		request_free(users);
	}
	if (s.is_several) {
		print_problem("several members of your teams are called %s; add --team TEAM",
			      print_typed(name));
		return EXIT_USAGE;
	}
	if (code == EXIT_DONE && s.user_id[0] == '\0') {
		return ask_refuse_name("your teams", name, s.spelling.meant);
	}
	request_text(r, "group_id", s.team);
	request_text(r, "user_id", s.user_id);
	return code;
}

static int ask_find_in_room(struct visit *v, const char *name, struct request *r)
{
	const struct room_get_params p = {.room_id = slice_str(v->cli->args.value[OPTION_ROOM])};
	struct spelling spelling = {.typed = slice_str(name)};
	struct room_update room;
	int code = visit_call(v, METHOD_ROOM_GET, &p, &room);
	if (code != EXIT_DONE) {
		return code;
	}
	for (size_t i = 0; i < room.users_n; i++) {
		if (team_is_same_name(room.users[i].username, slice_str(name))) {
			char user_id[TEAM_FIND_ID_BYTES];
			ask_copy(user_id, room.users[i].user_id);
			request_text(r, "user_id", user_id);
			return EXIT_DONE;
		}
		(void)spelling_offer(&spelling, room.users[i].username);
	}
	return ask_refuse_name("the room", name, spelling.meant);
}

/* Whether the server has to be asked who that is. */
static bool ask_is_looked_up(const struct cli *c)
{
	return c->args.value[OPTION_TEAM] != NULL || c->args.value[OPTION_TO] != NULL;
}

/* Names become ids. */
static int ask_look_up(struct visit *v, struct request *r)
{
	const char *team = v->cli->args.value[OPTION_TEAM];
	const char *to = v->cli->args.value[OPTION_TO];
	char group_id[TEAM_FIND_ID_BYTES], user_id[TEAM_FIND_ID_BYTES];
	int code = EXIT_DONE;
	if (team != NULL) {
		code = team_find(v, TEAM_KIND_TEAM, team, NULL, group_id);
	}
	if (code != EXIT_DONE || (team == NULL && to == NULL)) {
		return code;
	}
	if (team == NULL) {
		return v->cli->args.value[OPTION_ROOM] != NULL ? ask_find_in_room(v, to, r)
							       : ask_find_in_teams(v, to, r);
	}
	request_text(r, "group_id", group_id);
	if (to != NULL) {
		code = team_find(v, TEAM_KIND_MEMBER, to, group_id, user_id);
	}
	if (to != NULL && code == EXIT_DONE) {
		request_text(r, "user_id", user_id);
	}
	return code;
}

/* ---- the verbs ---- */

/* What is expected has to be one of the options, and somebody has to wait for it. */
static int verb_ask_check(const struct cli *c, const struct request *r)
{
	const struct question_ask_params *p = r->params;
	const char *expect = c->args.value[OPTION_EXPECT];
	if (c->args.value[OPTION_TEAM] != NULL && c->args.value[OPTION_ROOM] != NULL) {
		print_problem("choose --team or --room, not both");
		return EXIT_USAGE;
	}
	if (expect == NULL) {
		return EXIT_DONE;
	}
	if (c->args.value[OPTION_WAIT] == NULL || p->options.n == 0) {
		print_problem("--expect needs --wait and --option");
		return EXIT_USAGE;
	}
	if (question_option(&p->options, slice_str(expect)) < 0) {
		print_problem("--expect: %s is not one of the options", print_typed(expect));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* Nobody is a member of a team, or of a room as a user, without a login. */
static enum verb_needs verb_ask_needs(const struct cli *c)
{
	bool is_for_some = c->args.value[OPTION_ROOM] != NULL || ask_is_looked_up(c);
	return is_for_some ? NEEDS_LOGIN : c->verb->needs;
}

/* On a connection of its own, before the one that waits. */
static int verb_ask_look_up(struct cli *c, struct request *r)
{
	struct visit v;
	if (!ask_is_looked_up(c)) {
		return EXIT_DONE;
	}
	int code = room_command_open(c, &v, verb_ask_needs(c));
	if (code == EXIT_DONE) {
		code = ask_look_up(&v, r);
	}
	room_command_close(&v);
	return code;
}

static int verb_ask_only(struct cli *c, struct request *r)
{
	struct visit v;
	struct question_ask_result asked;
	int code = room_command_open(c, &v, verb_ask_needs(c));
	if (code == EXIT_DONE) {
		code = ask_look_up(&v, r);
	}
	if (code == EXIT_DONE) {
		code = visit_call(&v, METHOD_QUESTION_ASK, r->params, &asked);
	}
	if (code == EXIT_DONE) {
		code = question_print_asked(c, v.client, &asked);
	}
	room_command_close(&v);
	return code;
}

int verb_ask(struct cli *c)
{
	struct request *r;
	char once[REACH_ONCE_CHARS + 1];
	int code = verb_method_request(c, &r);
	bool has_options = c->args.value[OPTION_CHOICE] != NULL;
	request_text(r, "type", has_options ? "multiple_choice" : "text");
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	if (code == EXIT_DONE) {
		code = verb_ask_check(c, r);
	}
	if (code == EXIT_DONE && c->args.value[OPTION_WAIT] != NULL) {
		struct question_wish wish = {
			.ask = r,
			.needs = verb_ask_needs(c),
			.expect = c->args.value[OPTION_EXPECT],
		};
		code = verb_ask_look_up(c, r);
		code = code == EXIT_DONE ? question_wait(c, &wish) : code;
	} else if (code == EXIT_DONE) {
		code = verb_ask_only(c, r);
	}
	request_free(r);
	return code;
}

int verb_question_watch(struct cli *c)
{
	struct request *r;
	struct question_wish wish = {
		.question_id = c->args.words[0],
		.needs = c->verb->needs,
		.expect = c->args.value[OPTION_EXPECT],
	};
	int code = verb_method_request(c, &r);
	if (code == EXIT_DONE) {
		code = question_wait(c, &wish);
	}
	request_free(r);
	return code;
}
