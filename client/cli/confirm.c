/*
 * confirm.c - see confirm.h.
 */
#include "client/cli/confirm.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/cli/print.h"
#include "client/cli/verb_screen.h"

int confirm(const struct cli *c, const char *question)
{
	char line[80] = "";
	if (c->args.value[OPTION_YES] != NULL) {
		return EXIT_DONE;
	}
	if (!verb_screen_has_terminal() || c->is_json) {
		print_problem("%s? There is no way back; say --yes", question);
		return EXIT_USAGE;
	}
	(void)print_part("%s? There is no way back. yes or no: ", question);
	if (fgets(line, sizeof(line), stdin) == NULL) {
		(void)print_line("%s", "");
	}
	line[strcspn(line, "\r\n")] = '\0';
	return strcasecmp(line, "yes") == 0 || strcasecmp(line, "y") == 0 ? EXIT_DONE : EXIT_NO;
}
