/*
 * manual.c - prints the parts of the manual pages that are made from the program's own rows.
 *
 * A page has each between two marks, BEGIN NAME and END NAME; `manual NAME` prints
 * what belongs there. `make docs` puts it in the pages, and
 * tests/e2e/install_files.sh fails when one is stale.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/cli/options.h"
#include "client/cli/verbs.h"
#include "client/model/settings.h"
#include "client/model/ssh_command.h"
#include "client/tui/actions/action_table.h"
#include "proto/base/limits.h"
#include "server/cli/commands/commands.h"
#include "server/core/counters.h"

/* "name  counter  unit" and the help, in the order of the rows. */
static void manual_print_metrics(void)
{
	static const char *const units[] = {
		[METRIC_NONE] = "", [METRIC_BYTES] = ", bytes", [METRIC_SECONDS] = ", seconds"};
	static const char *const labels[] = {[METRIC_NUMBER] = "",
					     [METRIC_BY_METHOD] =
						     (", by " METRIC_METHOD " and " METRIC_OUTCOME),
					     [METRIC_BY_CODE] = (", by " METRIC_CODE),
					     [METRIC_HISTOGRAM] = ""};
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric_row *row = &metric_rows[i];
		(void)printf(".TP\n.BR " METRIC_PREFIX "%s \" %s%s%s\"\n%s.\n", row->name,
			     metric_type_name(row->type), units[row->unit], labels[row->shape],
			     row->help);
	}
}

/* ---- what is kept about people ---- */

/* "what" is kept "for DURATION after". LIMIT_COUNT: `after` says until when. */
static const struct manual_kept {
	const char *what;
	enum limit limit;
	const char *after;
} manual_kept[] = {
	{"Rooms: stories, rounds, and the name, role, votes and comments of each member",
	 LIMIT_ROOM_LIFE_MS, "after the last change or member"},
	{"Rooms of a team", LIMIT_GROUP_ROOM_LIFE_MS, "after the last change or member"},
	{"Either, if a member asked to keep it", LIMIT_ROOM_KEEP_DAYS, "at most"},
	{"The vote of a member who lost the connection", LIMIT_VOTE_GRACE_MS, "after that"},
	{"The seat and name of such a member", LIMIT_NAME_GRACE_MS, "after that"},
	{"Sessions: name, difference of the clock from UTC, and the token as a keyed hash",
	 LIMIT_SESSION_LIFE_MS, "after the last request"},
	{"Users with a key: name, public key or fingerprint of an ssh key, e\\-mail address if "
	 "given, teams",
	 LIMIT_COUNT, "until the user is deleted"},
	{"Teams, their members, backlogs and items", LIMIT_COUNT, "until they are deleted"},
	{"Invitations, with their codes as keyed hashes", LIMIT_INVITATION_SECONDS, "at most"},
	{"Questions that were answered", LIMIT_QUESTION_CLOSED_LIFE_MS, "after the last answer"},
	{"Questions that expired or were cancelled", LIMIT_QUESTION_ENDED_LIFE_MS, "after that"},
	{"Answers, under a keyed hash of their author", LIMIT_RESPONSE_DAYS,
	 "after they were given, or as long as their question"},
	{"Points and badges, under such a hash", LIMIT_COUNT,
	 "until the user is deleted; those of guests stay"},
	{"Subscriptions to notifications, with their addresses", LIMIT_COUNT,
	 "until the user ends them or is deleted; those of guests until their last session ends"},
	{"Results of requests with an idempotency_key, without their secrets", LIMIT_ONCE_LIFE_MS,
	 "after the request, at least; of asking or answering a question, until its time is up, "
	 "but "
	 "7 days at most"},
};

/* "1 hour", of a limit that is a time. */
static void manual_print_duration(const struct limit_row *row)
{
	static const struct {
		int64_t ms;
		const char *name;
	} units[] = {{86400000, "day"}, {3600000, "hour"}, {60000, "minute"}, {1000, "second"}};
	int64_t ms = row->value * (strcmp(row->unit, "days") == 0 ? 86400000
				   : strcmp(row->unit, "s") == 0  ? 1000
								  : 1);
	size_t i = 0;
	while (i + 1 < sizeof(units) / sizeof(units[0]) && ms % units[i].ms != 0) {
		i++;
	}
	int64_t n = ms / units[i].ms;
	(void)printf("%" PRId64 " %s%s", n, units[i].name, n == 1 ? "" : "s");
}

static void manual_print_kept(void)
{
	for (size_t i = 0; i < sizeof(manual_kept) / sizeof(manual_kept[0]); i++) {
		const struct manual_kept *k = &manual_kept[i];
		(void)printf(".TP\n.I %s\n", k->what);
		if (k->limit == LIMIT_COUNT) {
			(void)printf("%c%s.\n", k->after[0] - 'a' + 'A', k->after + 1);
		} else {
			manual_print_duration(&limit_rows[k->limit]);
			(void)printf(" %s\n.RB ( %s ).\n", k->after, limit_rows[k->limit].name);
		}
	}
}

static void manual_print(int changeable)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *row = &limit_rows[i];
		if (row->changeable == changeable) {
			(void)printf(".TP\n.BR %s \" %" PRId64 " %s\"\n%s.\n", row->name,
				     row->value, row->unit, row->help);
		}
	}
}

/* "name default, contrast or mono", the default in bold; then the help. */
static void manual_print_setting(const struct setting_row *row)
{
	(void)printf(".TP\n.B %s\n", row->name);
	for (size_t i = 0; row->choices[i] != NULL; i++) {
		const char *behind = row->choices[i + 1] == NULL   ? ""
				     : row->choices[i + 2] == NULL ? " or"
								   : ",";
		(void)printf("%s%s\\fR%s\n", i == row->fallback ? "\\fB" : "\\fI", row->choices[i],
			     behind);
	}
	(void)printf(".br\n%s.\n", row->help);
}

static void manual_print_settings(void)
{
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		manual_print_setting(&setting_rows[i]);
	}
}

/* ---- keys and commands ---- */

static const char *const manual_views[VIEW_COUNT] = {
#define MANUAL_VIEW(symbol, module, title) [VIEW_##symbol] = (title),
	VIEWS(MANUAL_VIEW)
#undef MANUAL_VIEW
};

/* As roff takes it for itself. */
static void manual_print_text(const char *text)
{
	for (const char *c = text; *c != '\0'; c++) {
		(void)fputs(*c == '-'	 ? "\\-"
			    : *c == '^'	 ? "\\(ha"
			    : *c == '\\' ? "\\e"
					 : (const char[]){*c, '\0'},
			    stdout);
	}
}

/* "R, :reveal"; what has no name is done with the arrows. */
static void manual_print_tag(const struct action_row *a)
{
	bool is_command = a->key_name[0] == ':' && a->key_name[1] != '\0';
	bool has_key = a->key_name[0] != '\0' && !is_command;
	(void)fputs(".TP\n.B ", stdout);
	if (has_key) {
		manual_print_text(a->key_name);
	}
	if (a->command[0] != '\0') {
		(void)fputs(has_key ? "\\fR, \\fB:" : ":", stdout);
		manual_print_text(a->command);
	}
	(void)puts(!has_key && a->command[0] == '\0' ? "the arrows" : "");
}

/* Where it works is said of what works in few views. */
static void manual_print_action(const struct action_row *a)
{
	enum { FEW = 8 };
	const char *before = "(";
	int views = 0;
	manual_print_tag(a);
	manual_print_text(a->help);
	(void)puts(".");
	for (size_t v = 0; v < VIEW_COUNT; v++) {
		views += (a->where & IN_VIEW(v)) != 0;
	}
	for (size_t v = 0; v < VIEW_COUNT && views <= FEW; v++) {
		if ((a->where & IN_VIEW(v)) != 0 && a->where != IN_ROOM) {
			(void)printf("%s%s", before, manual_views[v]);
			before = ", ";
		}
	}
	(void)fputs(before[0] == ',' ? ")\n" : "", stdout);
}

static void manual_print_actions(void)
{
	for (enum help_group group = 0; group < HELP_GROUP_COUNT; group++) {
		(void)printf(".SS %s\n", help_groups[group].title);
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			if (action_rows[a].group == group) {
				manual_print_action(&action_rows[a]);
			}
		}
	}
}

/* ---- verbs ---- */

static void manual_print_verb(const struct verb *v)
{
	bool is_alone = v->usage[0] == '\0';
	(void)printf(is_alone ? ".TP\n.B aye %s" : ".TP\n.BI \"aye %s \" \"", v->name);
	manual_print_text(v->usage);
	(void)puts(is_alone ? "" : "\"");
	manual_print_text(v->help);
	(void)puts(".");
	if (v->more != NULL) {
		manual_print_text(v->more);
		(void)puts(".");
	}
	if (v->alias != NULL) {
		(void)printf("Also\n.BR \"aye %s\" .\n", v->alias);
	}
}

static void manual_print_verbs(void)
{
	for (enum verb_group group = 0; group < GROUP_COUNT; group++) {
		(void)printf(".SS %s\n", verb_groups[group]);
		for (const struct verb *v = verbs; v->name != NULL; v++) {
			if (v->group == group) {
				manual_print_verb(v);
			}
		}
	}
}

/* Rows may share a name, as --all does: then one entry has what each of them says. */
static bool manual_is_first_of_its_name(size_t option)
{
	size_t i = 0;
	while (strcmp(option_rows[i].name, option_rows[option].name) != 0) {
		i++;
	}
	return i == option;
}

static void manual_print_options(void)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];
		if (!manual_is_first_of_its_name(i)) {
			continue;
		}
		(void)fputs(row->value == NULL ? ".TP\n.B \\-\\-" : ".TP\n.BI \"\\-\\-", stdout);
		manual_print_text(row->name);
		(void)printf(row->value == NULL ? "\n" : " \" %s\n", row->value);
		for (size_t j = i; j < OPTION_COUNT; j++) {
			if (strcmp(option_rows[j].name, row->name) == 0) {
				manual_print_text(option_rows[j].help);
				(void)puts(".");
			}
		}
	}
}

/* What may be asked for over ssh. */
static void manual_print_ssh(void)
{
	static const struct {
		const char *shape, *help;
	} commands[] = {
#define MANUAL_SSH(verb, act, takes, shape, help) {shape, help},
		SSH_COMMANDS(MANUAL_SSH)
#undef MANUAL_SSH
	};
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		(void)fputs(".TP\n.B ", stdout);
		manual_print_text(commands[i].shape);
		(void)puts("");
		manual_print_text(commands[i].help);
		(void)puts(".");
	}
}

/* ---- commands of ayed ---- */

static const struct {
	const char *name, *arguments, *help;
} manual_commands[] = {
#define MANUAL_COMMAND(symbol, name, arguments, least, most, run, help, examples) \
	{name, arguments, help},
	COMMANDS(MANUAL_COMMAND)
#undef MANUAL_COMMAND
};
#define MANUAL_COMMANDS (sizeof(manual_commands) / sizeof(manual_commands[0]))

static void manual_print_synopsis(void)
{
	for (size_t i = 0; i < MANUAL_COMMANDS; i++) {
		(void)printf(".br\n.BI \"ayed %s \" \"%s\"\n", manual_commands[i].name,
			     manual_commands[i].arguments);
	}
}

static void manual_print_commands(void)
{
	for (size_t i = 0; i < MANUAL_COMMANDS; i++) {
		(void)printf(".TP\n.BI \"ayed %s \" \"%s\"\n", manual_commands[i].name,
			     manual_commands[i].arguments);
		manual_print_text(manual_commands[i].help);
		(void)puts(".");
	}
}

static void manual_print_limits(void)
{
	(void)puts(".SS May be changed");
	manual_print(LIMIT_SET);
	(void)puts(".SS Part of the protocol");
	manual_print(LIMIT_FIXED);
}

/* One part for each pair of marks in a page: BEGIN NAME .. END NAME. */
static const struct {
	const char *name;
	void (*print)(void);
} manual_parts[] = {
	{"synopsis", manual_print_synopsis}, {"commands", manual_print_commands},
	{"limits", manual_print_limits},     {"metrics", manual_print_metrics},
	{"kept", manual_print_kept},	     {"verbs", manual_print_verbs},
	{"options", manual_print_options},   {"ssh", manual_print_ssh},
	{"actions", manual_print_actions},   {"settings", manual_print_settings},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(manual_parts) / sizeof(manual_parts[0]); i++) {
		if (strcmp(argv[1], manual_parts[i].name) == 0) {
			manual_parts[i].print();
			return ferror(stdout) || fclose(stdout) != 0;
		}
	}
	(void)fputs("usage: manual PART, the name between the marks of a page\n", stderr);
	return 2;
}
