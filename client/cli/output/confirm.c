/*
 * confirm.c - see confirm.h.
 */
#include "client/cli/output/confirm.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/cli/output/print.h"
#include "client/cli/verb_screen.h"

int confirm(const struct cli *c)
{
	char line[80] = "";
	char question[1200];
	const char *sure = c->verb->sure;
	bool can_ask = verb_screen_has_terminal() && !c->is_json;
	if (sure == NULL || c->args.value[OPTION_YES] != NULL ||
	    (!can_ask && !c->verb->is_for_good)) {
		return EXIT_DONE;
	}
	word_put_name(sure, print_soft(slice_str(c->args.words[c->args.words_n - 1])), question,
		      sizeof(question));
	if (!can_ask) {
		print_problem("%s Confirm with --yes", question);
		return EXIT_USAGE;
	}
	(void)print_part("%s [y/N] ", question);
	if (fgets(line, sizeof(line), stdin) == NULL) {
		(void)print_line("%s", "");
	}
	line[strcspn(line, "\r\n")] = '\0';
	return strcasecmp(line, "yes") == 0 || strcasecmp(line, "y") == 0 ? EXIT_DONE : EXIT_NO;
}
