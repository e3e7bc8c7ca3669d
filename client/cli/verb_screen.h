/*
 * verb_screen.h - whether a verb has a screen, and what every screen of ours is given.
 */
#ifndef CLIENT_CLI_VERB_SCREEN_H
#define CLIENT_CLI_VERB_SCREEN_H

#include "client/app/app_uv.h"
#include "client/cli/reach/visit.h"

/* Standard input and output are a person's terminal. */
bool verb_screen_has_terminal(void);
/* Lines instead are asked for, or the terminal can do no better. */
bool verb_screen_is_plain(const struct cli *c);

/* All but the room and the memory; the visit is the owner, and stays where it is until the screen has ended. */
void verb_screen_options(struct visit *v, struct app_options *out);
/* What the visit knows of its room. */
void verb_screen_entry(struct visit *v, struct app_entry *out);

#endif
