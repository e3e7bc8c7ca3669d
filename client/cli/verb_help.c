/*
 * verb_help.c - aye help, completion, version: the tables, printed.
 */
#include <stdio.h>
#include <string.h>

#include "client/cli/print.h"
#include "proto/methods.h"

static void verb_help_option(const struct option_row *row)
{
	char left[40];
	(void)snprintf(left, sizeof(left), "--%s %s", row->name,
		       row->value == NULL ? "" : row->value);
	(void)printf("  %-20s %s\n", left, row->help);
}

static int verb_help_flush(void)
{
	return fflush(stdout) == 0 ? EXIT_DONE : EXIT_BROKEN;
}

static int verb_help_one(const struct verb *v)
{
	(void)printf("aye %s%s%s\n\n  %s.\n", v->name, v->usage[0] == '\0' ? "" : " ", v->usage,
		     v->help);
	if (v->alias != NULL) {
		(void)printf("  The same as aye %s %s.\n", v->alias, v->usage);
	}
	if (v->examples[0] != '\0') {
		(void)puts("\nExamples");
		for (const char *at = v->examples; *at != '\0';) {
			size_t len = strcspn(at, "\n");
			(void)printf("  %.*s\n", (int)len, at);
			at += len + (at[len] == '\n');
		}
	}
	if (v->options != 0) {
		(void)puts("\nOptions");
	}
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if ((v->options & OPTION_BIT(i)) != 0) {
			verb_help_option(&option_rows[i]);
		}
	}
	return verb_help_flush();
}

static void verb_help_line(const struct verb *v)
{
	(void)printf("  %-20s %s%s%s\n", v->name, v->help, v->alias == NULL ? "" : "; also: aye ",
		     v->alias == NULL ? "" : v->alias);
}

static int verb_help_all(void)
{
	(void)puts("aye - planning poker and team votes in the terminal\n\n"
		   "  aye                  see the rooms you were in, on a terminal\n"
		   "  aye new              open a room and read its code to your team\n"
		   "  aye join K7QX3M      take a seat in it\n\nVerbs");
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		verb_help_line(v);
	}
	(void)puts("\nOptions");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		verb_help_option(&option_rows[i]);
	}
	(void)puts("\nExit codes: 0 done, 1 refused by the server, 2 usage, 3 cannot reach the "
		   "server,\n"
		   "4 timed out waiting, 5 the answer was no. `aye help VERB` says more.");
	return verb_help_flush();
}

/* The verbs that begin with the word: how many. */
static size_t verb_help_group(const char *group)
{
	size_t n = 0;
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		if (verbs_in_group(v, group)) {
			verb_help_line(v);
			n++;
		}
	}
	return n;
}

int verb_help(struct cli *c)
{
	size_t used;
	if (c->args.words_n == 0) {
		return verb_help_all();
	}
	const struct verb *v = verbs_find(&c->args, &used);
	if (v != NULL) {
		return verb_help_one(v);
	}
	bool is_group = c->args.words_n == 1 && verb_help_group(c->args.words[0]) > 0;
	return is_group ? verb_help_flush() : verbs_unknown(&c->args);
}

/* ---- completion ---- */

/* The second words of verbs that begin with the first word of v, where v is the first of them. */
static void verb_completion_group(const struct verb *v)
{
	size_t len = strcspn(v->name, " ");
	if (v->name[len] == '\0') {
		return;
	}
	for (const struct verb *before = verbs; before != v; before++) {
		if (strncmp(before->name, v->name, len + 1) == 0) {
			return;
		}
	}
	(void)printf("\t%.*s) words=\"", (int)len, v->name);
	for (const struct verb *same = v; same->name != NULL; same++) {
		if (strncmp(same->name, v->name, len + 1) == 0) {
			(void)printf("%s ", same->name + len + 1);
		}
	}
	(void)puts("\" ;;");
}

static void verb_completion_verbs(void)
{
	(void)printf("\t\twords=\"");
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		size_t len = strcspn(v->name, " ");
		bool is_repeat = v != verbs && strncmp(v[-1].name, v->name, len + 1) == 0 &&
				 v->name[len] == ' ';
		if (!is_repeat) {
			(void)printf("%.*s ", (int)len, v->name);
		}
		if (v->alias != NULL) {
			(void)printf("%s ", v->alias);
		}
	}
	(void)puts("\"");
}

/* What may stand behind an option, where that is one of a few words. */
static void verb_completion_value(enum option o)
{
	const char *const *choice = config_choices(o);
	if (choice == NULL) {
		return;
	}
	(void)printf("\t--%s) words=\"", option_rows[o].name);
	for (; *choice != NULL; choice++) {
		(void)printf("%s ", *choice);
	}
	(void)puts("\" ;;");
}

static void verb_completion_bash(void)
{
	(void)puts("_aye()\n{\n\tlocal words=\"\"\n"
		   "\tif [ \"$COMP_CWORD\" -eq 1 ]; then");
	verb_completion_verbs();
	(void)puts("\telif [ \"$COMP_CWORD\" -eq 2 ]; then\n\tcase \"${COMP_WORDS[1]}\" in");
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		verb_completion_group(v);
	}
	(void)printf("\tcall) words=\"");
	for (size_t i = 0; i < METHOD_COUNT; i++) {
		(void)printf("%s ", method_rows[i].name);
	}
	(void)puts("\" ;;\n\tesac\n\tfi");
	(void)printf("\tcase \"$2\" in -*) words=\"");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (i == 0 || strcmp(option_rows[i - 1].name, option_rows[i].name) != 0) {
			(void)printf("--%s ", option_rows[i].name);
		}
	}
	(void)puts("\" ;; esac\n\tcase \"${3-}\" in");
	for (enum option o = 0; o < OPTION_COUNT; o++) {
		verb_completion_value(o);
	}
	(void)puts("\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$2\"))\n}\n"
		   "complete -F _aye aye");
}

int verb_completion(struct cli *c)
{
	if (strcmp(c->args.words[0], "bash") != 0) {
		print_problem("there is completion for bash");
		return EXIT_USAGE;
	}
	verb_completion_bash();
	return verb_help_flush();
}

int verb_version(struct cli *c)
{
	(void)c;
	return print_line("aye %s", AYE_VERSION) ? EXIT_DONE : EXIT_BROKEN;
}
