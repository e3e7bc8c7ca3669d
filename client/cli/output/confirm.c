/*
 * confirm.c - see confirm.h.
 */
#include "client/cli/output/confirm.h"

#include <stdio.h>

#include "client/cli/output/print.h"
#include "client/cli/verb_screen.h"

int confirm(const struct cli *c)
{
	bool has_words = c->args.words_n > 0;
	return confirm_about(c, has_words ? c->args.words[c->args.words_n - 1] : "");
}

bool confirm_is_asked(const struct cli *c)
{
	bool can_ask = verb_screen_has_terminal() && !c->is_json;
	return c->args.value[OPTION_YES] == NULL && (can_ask || c->verb->is_for_good);
}

int confirm_about(const struct cli *c, const char *star)
{
	char question[1200];
	const char *sure = c->verb->sure;
	if (sure == NULL || !confirm_is_asked(c)) {
		return EXIT_DONE;
	}
	word_put_name(sure, print_soft(slice_str(star)), question, sizeof(question));
	return confirm_question(c, question);
}

int confirm_question(const struct cli *c, const char *question)
{
	bool can_ask = verb_screen_has_terminal() && !c->is_json;
	if (!can_ask) {
		print_problem("%s Confirm with --yes", question);
		return EXIT_USAGE;
	}
	(void)print_part("%s [y/N] ", question);
	bool is_yes = print_read_yes();
	if (feof(stdin) != 0) {
		(void)print_line("%s", "");
	}
	return is_yes ? EXIT_DONE : EXIT_NO;
}
