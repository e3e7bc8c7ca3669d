/*
 * verb_team.c - aye team, aye team show and join, aye invite.
 */
#include "client/cli/output/print.h"
#include "client/cli/output/template.h"
#include "client/cli/people/team_find.h"
#include "client/cli/reach/pages.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/reach/share.h"
#include "client/cli/verb_method.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/utc_time.h"

enum { TEAM_QUESTION_BYTES = 2048 };

/* ---- aye team ---- */

struct team_step {
	const char *typed, *does;
};

static const struct team_step team_steps_of_none[] = {
	{"aye login NAME", "Log in; once on this machine"},
	{"aye team new NAME", "Create a team with a first backlog"},
	{"aye team join CODE", "Join a team with an invitation code"},
	{"aye new --team NAME", "Create a room of the team"},
};
static const struct team_step team_steps_of_one[] = {
	{"aye new --team NAME", "Create a room of the team"},
	{"aye invite NAME", "Invite others to it"},
	{"aye team rename", "Rename it"},
	{"aye team join CODE", "Join another; an unused first team then goes"},
};

/* What a team is, and what to type. */
static int team_explain(const char *before, const struct team_step *steps, size_t n)
{
	if (!print_line("%sA team keeps rooms, backlogs and settings between sessions.\n",
			before)) {
		return EXIT_BROKEN;
	}
	for (size_t i = 0; i < n; i++) {
		print_row(steps[i].typed, steps[i].does);
	}
	return EXIT_DONE;
}

/*
 * To somebody who has none, or only one, which may be the first that their login created. Without a
 * login the server refuses the list; a person is told what it is for.
 */
static int team_overview(struct visit *v, struct request *r)
{
	enum {
		NONE_N = sizeof(team_steps_of_none) / sizeof(team_steps_of_none[0]),
		ONE_N = sizeof(team_steps_of_one) / sizeof(team_steps_of_one[0])
	};
	size_t n = 0;
	bool explains = print_is_for_a_person() && !v->cli->is_json;
	if (v->sign_in == NULL && explains) {
		return team_explain("No teams yet. ", team_steps_of_none, NONE_N);
	}
	int code = verb_list_count(v, r, &n);
	if (code != EXIT_DONE || n > 1 || !explains) {
		return code;
	}
	return n == 0 ? team_explain("No teams yet. ", team_steps_of_none + 1, NONE_N - 1)
		      : team_explain("\n", team_steps_of_one, ONE_N);
}

int verb_team(struct cli *c)
{
	return verb_method_with(c, team_overview);
}

/* ---- aye team show ---- */

/* A list that belongs to the team, below its title. */
struct team_part {
	const char *title;
	const char *line; /* of an entry: template.h */
	const struct cli *cli;
	const struct record *rec;
	size_t n;
};

static int team_show_entry(void *owner, const void *entry)
{
	struct team_part *part = owner;
	struct buf line;
	buf_init(&line, MAX_FRAME_BYTES);
	template_write(part->line, &part->cli->args, part->rec, entry, &line);
	bool is_told = memory_check(line.error) == OK &&
		       (part->n > 0 || print_line("%s", part->title)) &&
		       print_line("  %.*s", (int)line.len, line.data);
	buf_finish(&line);
	part->n++;
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

static int team_show_part(struct visit *v, enum method method, const char *group_id,
			  struct team_part part)
{
	struct request *r = request_make(method);
	part.cli = v->cli;
	part.rec = pages_field(method)->of;
	request_text(r, "group_id", group_id);
	int code = pages_each(v, r, team_show_entry, &part);
	request_free(r);
	return code;
}

static bool team_show_head(const struct group_get_result *g)
{
	const struct slices *cards = &g->defaults.valid_sizes;
	bool is_told = print_line("%s  %s", print_soft(g->group_name), print_soft(g->group_id)) &&
		       print_line("%lld %s; you are %s", (long long)g->users,
				  g->users == 1 ? "member" : "members",
				  g->role == GROUP_OWNER ? "an owner" : "a member");
	if (is_told && g->defaults.deck.len > 0) {
		return print_line("New rooms use the deck %s", print_soft(g->defaults.deck));
	}
	if (!is_told || cards->n == 0) {
		return is_told;
	}
	is_told = print_part("New rooms use the cards");
	for (size_t i = 0; i < cards->n && is_told; i++) {
		is_told = print_part(" %s", print_soft(cards->items[i]));
	}
	return is_told && print_line("%s", "");
}

static int team_show(struct visit *v, struct request *r)
{
	char group_id[TEAM_FIND_ID_BYTES];
	struct group_get_result g;
	int code = visit_call(v, r->method, r->params, &g);
	if (code != EXIT_DONE || v->cli->is_json) {
		return code != EXIT_DONE ? code : print_record(&record_group_get_result, &g);
	}
	(void)format_to(group_id, sizeof(group_id), "%.*s", (int)g.group_id.len, g.group_id.data);
	code = team_show_head(&g) ? EXIT_DONE : EXIT_BROKEN;
	if (code == EXIT_DONE) {
		code = team_show_part(v, METHOD_CONTAINER_LIST, group_id,
				      (struct team_part){.title = "Backlogs",
							 .line = "{container_id}  {items:6}  "
								 "{container_name}"});
	}
	if (code == EXIT_DONE) {
		code = team_show_part(v, METHOD_GROUP_ROOMS, group_id,
				      (struct team_part){.title = "Rooms", .line = ROOM_LINE});
	}
	return code;
}

int verb_team_show(struct cli *c)
{
	return verb_method_with(c, team_show);
}

/* ---- aye team join ---- */

int verb_team_was_entered(struct visit *v, const struct record *rec, const void *result)
{
	const struct group_join_result *r = result;
	print_progress("You joined %s.", print_soft(r->group_name));
	return room_command_say(v, rec, r, print_soft(r->group_id));
}

/* ---- aye invite ---- */

/* "2026-11-24 06:32 UTC": who reads it may be anywhere. */
static const char *invite_end(int64_t ms, char out[UTC_TIME_CHARS + 8])
{
	char utc[UTC_TIME_CHARS + 1];
	const char *at = utc_time(ms, utc);
	(void)format_to(out, UTC_TIME_CHARS + 8, "%.10s %.5s UTC", at,
			at[0] == '\0' ? at : at + 11);
	return out;
}

static int invite_make(struct visit *v, struct request *r)
{
	const struct invitation_create_params *p = r->params;
	const struct group_get_params of = {.group_id = p->group_id, .with_group_id = true};
	struct invitation_create_result made;
	struct group_get_result g;
	struct invite_place place;
	char ends[UTC_TIME_CHARS + 8];
	char sent[MAX_INVITATION_CODE_BYTES + 1];
	char code_text[INVITE_TEAM_CODE_BYTES_MAX + 1];
	int code = visit_call(v, METHOD_GROUP_GET, &of, &g);
	code = code == EXIT_DONE ? visit_call(v, r->method, r->params, &made) : code;
	if (code != EXIT_DONE || v->cli->is_json) {
		return code != EXIT_DONE ? code
					 : print_record(&record_invitation_create_result, &made);
	}
	(void)format_to(sent, sizeof(sent), "%.*s", (int)made.code.len, made.code.data);
	if (!invite_team_code(sent, code_text)) { /* it goes into a shell */
		return print_failure(ERR_PROTO, "the server sent an invalid invitation code");
	}
	share_look(v, &place);
	bool has_address = place.n > 0 && !place.is_ssh;
	bool is_told =
		print_line("%s is for %s, valid until %s: aye team join %s%s%s", code_text,
			   print_soft(g.group_name), invite_end(made.link_expiry_datetime, ends),
			   code_text, has_address ? " --server " : "",
			   has_address ? place.addresses[0] : "");
	if (place.is_own && place.n == 0) {
		print_problem(
			"only you can reach your own server; to open it to others: aye serve");
	}
	share_warn(&place);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

int verb_invite(struct cli *c)
{
	return verb_method_with(c, invite_make);
}
