/*
 * team_first_room.c - see team_first_room.h.
 */
#include "client/cli/people/team_first_room.h"

#include <stdio.h>
#include <string.h>

#include "client/acts/team_settings.h"
#include "client/cli/output/print.h"
#include "client/cli/people/team_find.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_screen.h"
#include "client/model/request.h"
#include "proto/deck.h"

enum { FIRST_ROOM_RULES_MAX = 16 };

/* Reactions are for whoever looks for them: aye team set. */
static const enum team_setting first_room_asks[] = {TEAM_SETTING_DECK, TEAM_SETTING_LINKS,
						    TEAM_SETTING_TIMER, TEAM_SETTING_REVEAL};
enum { FIRST_ROOM_ASKS_N = sizeof(first_room_asks) / sizeof(first_room_asks[0]) };

/* Options that say what the room is to be. */
static const enum option first_room_says[] = {OPTION_DECK,     OPTION_LINKS, OPTION_ASYNC,
					      OPTION_TOGETHER, OPTION_UNTIL, OPTION_QUORUM};

/* A line of answer without its end; false: Ctrl-D, which skips this question and those behind it. */
static bool first_room_read(char out[TEAM_SETTING_BYTES])
{
	if (fgets(out, TEAM_SETTING_BYTES, stdin) == NULL) {
		clearerr(stdin);
		(void)print_line("%s", "");
		return false;
	}
	out[strcspn(out, "\r\n")] = '\0';
	return true;
}

/* Whether it is a value, and in the request; what is none is reported. */
static bool first_room_take(struct visit *v, struct request *r, enum team_setting s,
			    const char *typed)
{
	char why[WORD_WHY_BYTES];
	struct request *trial = request_make(METHOD_GROUP_SET_DEFAULTS);
	bool is_value = team_setting_fill(trial, s, typed, why);
	if (!is_value) {
		print_problem("%s", why);
	} else if (trial->fault.code != FAULT_NONE) {
		(void)print_refusal(v->cli, &trial->fault);
		is_value = false;
	}
	request_free(trial);
	return is_value && team_setting_fill(r, s, typed, why);
}

/* Until there is a value; false: the rest is skipped. */
static bool first_room_ask(struct visit *v, struct request *r, enum team_setting s)
{
	const char *usual = s == TEAM_SETTING_DECK ? DECK_DEFAULT : "";
	const char *offered = s == TEAM_SETTING_DECK ? DECK_DEFAULT : team_settings[s].none;
	char typed[TEAM_SETTING_BYTES];
	do {
		(void)print_part("%s [%s]: ", team_settings[s].label, offered);
		if (!first_room_read(typed)) {
			return false;
		}
	} while (!first_room_take(v, r, s, typed[0] == '\0' ? usual : typed));
	return true;
}

/* Who votes asynchronously has all stories open, and votes that stay. */
static bool first_room_ask_async(struct group_set_defaults_params *p)
{
	char typed[TEAM_SETTING_BYTES];
	(void)print_part("%s", "Vote asynchronously, on all stories at once? [y/N] ");
	if (!first_room_read(typed)) {
		return false;
	}
	if (typed[0] == 'y' || typed[0] == 'Y') {
		p->policy.open_stories = p->policy.with_open_stories = true;
		p->policy.keep_votes = p->policy.with_keep_votes = true;
		p->with_policy = true;
	}
	return true;
}

static bool first_room_ask_rules(struct visit *v, struct group_set_defaults_params *p)
{
	char typed[TEAM_SETTING_BYTES];
	const char *words[FIRST_ROOM_RULES_MAX];
	struct policy_change rules;
	size_t n;
	do {
		(void)print_part("%s", "Other rules, such as who_reveals=everyone [none]: ");
		if (!first_room_read(typed)) {
			return false;
		}
		n = 0;
		rules = p->policy;
		for (char *rest, *word = strtok_r(typed, " ", &rest);
		     word != NULL && n < FIRST_ROOM_RULES_MAX; word = strtok_r(NULL, " ", &rest)) {
			words[n++] = word;
		}
	} while (room_command_read_policy(v, words, n, &rules) != EXIT_DONE);
	p->policy = rules;
	p->with_policy = p->with_policy || n > 0;
	return true;
}

static int first_room_ask_all(struct visit *v, const char *group_id, const char *name)
{
	struct request *r = request_make(METHOD_GROUP_SET_DEFAULTS);
	struct nothing result;
	bool goes_on =
		print_text("This is the first room of %s. All its rooms will start with your "
			   "answers.\nEnter takes what stands in brackets, Ctrl-D skips the "
			   "rest; aye team set changes it later.",
			   name);
	request_text(r, "group_id", group_id);
	for (size_t i = 0; i < FIRST_ROOM_ASKS_N && goes_on; i++) {
		bool is_deadline = first_room_asks[i] == TEAM_SETTING_REVEAL;
		goes_on = (!is_deadline || first_room_ask_async(r->params)) &&
			  first_room_ask(v, r, first_room_asks[i]);
	}
	if (goes_on) {
		(void)first_room_ask_rules(v, r->params);
	}
	const struct group_set_defaults_params *p = r->params;
	bool has_answers = p->with_deck || p->with_valid_sizes;
	int code = has_answers ? visit_call(v, r->method, r->params, &result) : EXIT_DONE;
	request_free(r);
	return code;
}

/* Whether the team has no room, and neither a deck for one. */
static int first_room_is_due(struct visit *v, const char *group_id, struct group_get_result *g,
			     bool *is_due)
{
	struct group_get_params get = {.group_id = slice_str(group_id)};
	struct group_rooms_params list = {.group_id = slice_str(group_id),
					  .limit = 1,
					  .with_limit = true};
	struct group_rooms_result rooms = {.rooms_n = 0};
	int code = visit_call(v, METHOD_GROUP_GET, &get, g);
	bool may_be = code == EXIT_DONE && g->role == GROUP_OWNER && g->defaults.deck.len == 0 &&
		      g->defaults.valid_sizes.n == 0;
	if (may_be) {
		code = visit_call(v, METHOD_GROUP_ROOMS, &list, &rooms);
	}
	*is_due = may_be && code == EXIT_DONE && rooms.rooms_n == 0;
	return code;
}

int team_first_room(struct visit *v)
{
	const struct args *a = &v->cli->args;
	char group_id[TEAM_FIND_ID_BYTES];
	struct group_get_result g;
	bool is_due = false;
	bool may_ask =
		a->value[OPTION_TEAM] != NULL && verb_screen_has_terminal() && !v->cli->is_json;
	for (size_t i = 0; i < sizeof(first_room_says) / sizeof(first_room_says[0]); i++) {
		may_ask = may_ask && a->value[first_room_says[i]] == NULL;
	}
	if (!may_ask) {
		return EXIT_DONE;
	}
	int code = team_find(v, TEAM_KIND_TEAM, a->value[OPTION_TEAM], NULL, group_id);
	if (code == EXIT_DONE) {
		code = first_room_is_due(v, group_id, &g, &is_due);
	}
	return code == EXIT_DONE && is_due
		       ? first_room_ask_all(v, group_id, print_soft(g.group_name))
		       : code;
}
