/*
 * verb_screen.h - whether a verb can open a screen, and the options of its app_run().
 */
#ifndef CLIENT_CLI_VERB_SCREEN_H
#define CLIENT_CLI_VERB_SCREEN_H

#include "client/app/app_uv.h"
#include "client/cli/reach/visit.h"

/* Whether standard input and output are a terminal. */
bool verb_screen_has_terminal(void);
/* Whether lines mode is requested, or the terminal allows nothing else. */
bool verb_screen_is_plain(const struct cli *c);

/*
 * Fill all options but entry and memory. The visit is the owner, and must not move until the screen
 * has ended.
 */
void verb_screen_options(struct visit *v, struct app_options *out);
/* Fill the entry with what the visit has about its room. */
void verb_screen_entry(struct visit *v, struct app_entry *out);

#endif
