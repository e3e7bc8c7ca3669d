/*
 * verb_help.c - aye help, version: the tables, printed.
 */
#include <stdio.h>
#include <string.h>

#include "client/cli/output/print.h"

static void verb_help_option(const struct option_row *row)
{
	char left[40];
	(void)snprintf(left, sizeof(left), "--%s %s", row->name,
		       row->value == NULL ? "" : row->value);
	print_row(left, row->help);
}

static int verb_help_flush(void)
{
	return fflush(stdout) == 0 ? EXIT_DONE : EXIT_BROKEN;
}

static void verb_help_line(const struct verb *v)
{
	char text[256];
	(void)snprintf(text, sizeof(text), "%s%s%s", v->help,
		       v->alias == NULL ? "" : "; also: aye ", v->alias == NULL ? "" : v->alias);
	print_row(v->name, text);
}

/* The verbs that begin with the word: how many. */
static size_t verb_help_group(const char *group, const char *title)
{
	size_t n = 0;
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		if (verbs_in_group(v, group) != NULL) {
			(void)printf("%s", n == 0 ? title : "");
			verb_help_line(v);
			n++;
		}
	}
	return n;
}

static int verb_help_one(const struct verb *v)
{
	(void)printf("aye %s%s%s\n\n  %s.\n", v->name, v->usage[0] == '\0' ? "" : " ", v->usage,
		     v->help);
	if (v->more != NULL) {
		(void)printf("  %s.\n", v->more);
	}
	if (v->alias != NULL) {
		(void)printf("  The same as aye %s%s%s.\n", v->alias,
			     v->usage[0] == '\0' ? "" : " ", v->usage);
	}
	if (v->examples[0] != '\0') {
		(void)puts("\nExamples");
		for (const char *at = v->examples; *at != '\0';) {
			size_t len = strcspn(at, "\n");
			(void)printf("  %.*s\n", (int)len, at);
			at += len + (at[len] == '\n');
		}
	}
	if (v->options != NULL) {
		(void)puts("\nOptions");
	}
	for (enum option i = 0; i < OPTION_COUNT; i++) {
		if (verb_takes(v, i)) {
			verb_help_option(&option_rows[i]);
		}
	}
	(void)verb_help_group(v->name, "\nVerbs that start with it\n");
	return verb_help_flush();
}

/* Whether it is an option of most verbs, or of none in particular. */
static bool verb_help_is_common(enum option option)
{
	size_t verbs_n = 0;
	size_t taking_n = 0;
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		verbs_n++;
		taking_n += verb_takes(v, option);
	}
	return taking_n == 0 || taking_n > verbs_n / 2;
}

/* What a team types. */
static int verb_help_first(void)
{
	(void)puts(
		"aye - planning poker and team votes in the terminal; alone it lists your rooms\n");
	for (enum verb_group group = 0; group < GROUP_COUNT; group++) {
		for (const struct verb *v = verbs; v->name != NULL; v++) {
			if (v->group == group && v->is_first) {
				print_row(v->name, v->help);
			}
		}
	}
	(void)puts("\naye help VERB shows the help of a verb, aye help all lists all verbs");
	return verb_help_flush();
}

static int verb_help_all(void)
{
	(void)puts("aye - planning poker and team votes in the terminal");
	for (enum verb_group group = 0; group < GROUP_COUNT; group++) {
		(void)printf("\n%s\n", verb_groups[group]);
		for (const struct verb *v = verbs; v->name != NULL; v++) {
			if (v->group == group) {
				verb_help_line(v);
			}
		}
	}
	(void)puts("\nOptions of most verbs; aye help VERB lists all of one");
	for (enum option i = 0; i < OPTION_COUNT; i++) {
		if (verb_help_is_common(i)) {
			verb_help_option(&option_rows[i]);
		}
	}
	(void)puts("\nExit codes");
#define HELP_EXIT_CODE(symbol, code, help) print_row(#code, help);
	EXIT_CODES(HELP_EXIT_CODE)
#undef HELP_EXIT_CODE
	return verb_help_flush();
}

int verb_help(struct cli *c)
{
	size_t used;
	if (c->args.words_n == 0) {
		return verb_help_first();
	}
	if (c->args.words_n == 1 && strcmp(c->args.words[0], "all") == 0) {
		return verb_help_all();
	}
	const struct verb *v = verbs_find(&c->args, &used);
	if (v != NULL) {
		return verb_help_one(v);
	}
	bool is_group = c->args.words_n == 1 && verb_help_group(c->args.words[0], "") > 0;
	return is_group ? verb_help_flush() : verbs_unknown(&c->args);
}

int verb_version(struct cli *c)
{
	(void)c;
	return print_line("aye %s", AYE_VERSION) ? EXIT_DONE : EXIT_BROKEN;
}
