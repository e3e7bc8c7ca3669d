/*
 * verb_team_settings.c - aye team settings and set: what a team keeps for its new rooms, as KEY=VALUE.
 */
#include <string.h>

#include "client/acts/spelling.h"
#include "client/acts/team_settings.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"

static int team_settings_print(struct visit *v, struct request *r)
{
	struct group_get_result g;
	struct policy_view rules;
	int code = visit_call(v, r->method, r->params, &g);
	if (code != EXIT_DONE || v->cli->is_json) {
		return code != EXIT_DONE ? code : print_record(&record_group_defaults, &g.defaults);
	}
	for (enum team_setting s = 0; s < TEAM_SETTINGS_N && code == EXIT_DONE; s++) {
		char text[TEAM_SETTING_BYTES];
		struct slice value = slice_str(team_setting_text(s, &g.defaults, text));
		code = print_line("%s=%s", team_settings[s].name, print_soft(value)) ? EXIT_DONE
										     : EXIT_BROKEN;
	}
	team_settings_rules(&g.defaults, &rules);
	return code == EXIT_DONE ? room_command_print_policy(&rules) : code;
}

int verb_team_settings(struct cli *c)
{
	return verb_method_with(c, team_settings_print);
}

static int team_settings_unknown(struct slice name)
{
	struct spelling s = {.typed = name};
	for (enum team_setting each = 0; each < TEAM_SETTINGS_N; each++) {
		(void)spelling_offer(&s, slice_str(team_settings[each].name));
	}
	return room_command_unknown_rule(&s, "setting", "aye team settings TEAM");
}

/* One key=value: a setting of the team, or a rule of its rooms. */
static int team_settings_take(struct visit *v, struct request *r, const char *word)
{
	struct group_set_defaults_params *p = r->params;
	const char *equals = strchr(word, '=');
	struct slice name = slice_of(word, strcspn(word, "="));
	enum team_setting s = team_setting_find(name);
	bool is_rule = record_field(&record_policy_change, name) != NULL;
	char why[WORD_WHY_BYTES];
	if (equals == NULL || (s == TEAM_SETTINGS_N && !is_rule)) {
		return team_settings_unknown(name);
	}
	if (is_rule) {
		p->with_policy = true;
		return room_command_read_policy(v, &word, 1, &p->policy);
	}
	if (!team_setting_fill(r, s, equals + 1, why)) {
		print_problem("%s: %s", team_settings[s].name, why);
		return EXIT_USAGE;
	}
	return r->fault.code != FAULT_NONE ? print_slip(v->cli, &r->fault) : EXIT_DONE;
}

static int team_settings_change(struct visit *v, struct request *r)
{
	const struct args *a = &v->cli->args;
	struct group_set_defaults_params *p = r->params;
	struct nothing result;
	int code = EXIT_DONE;
	if (a->words_n < 2 && a->value[OPTION_PASSCODE] == NULL) {
		print_problem("name a setting and its value, such as deck=fibonacci; "
			      "aye team settings TEAM lists them");
		return EXIT_USAGE;
	}
	for (size_t i = 1; i < a->words_n && code == EXIT_DONE; i++) {
		code = team_settings_take(v, r, a->words[i]);
	}
	if (code == EXIT_DONE && a->value[OPTION_PASSCODE] != NULL) {
		p->policy.passcode = slice_str(v->passcode);
		p->policy.with_passcode = p->with_policy = true;
	}
	if (code == EXIT_DONE) {
		code = visit_call(v, r->method, r->params, &result);
	}
	return code == EXIT_DONE ? room_command_say_changed(v, &record_nothing, &result) : code;
}

int verb_team_set(struct cli *c)
{
	return verb_method_with(c, team_settings_change);
}
