/*
 * manual.c - prints parts of the manual from the rows they are about: the
 * limits as ayed(8) has them, or with the word "settings" those of aye(1).
 *
 * `make docs` puts what it prints between the marks in the pages, and
 * tests/e2e/install_files.sh fails when that is stale.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/model/settings.h"
#include "proto/limits.h"

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

static void manual_print_limits(void)
{
	(void)puts(".SS May be changed");
	manual_print(LIMIT_SET);
	(void)puts(".SS Part of the protocol");
	manual_print(LIMIT_FIXED);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "settings") == 0) {
		manual_print_settings();
	} else {
		manual_print_limits();
	}
	return ferror(stdout) || fclose(stdout) != 0;
}
