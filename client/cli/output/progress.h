/*
 * progress.h - a progress bar on the terminal.
 */
#ifndef CLIENT_CLI_OUTPUT_PROGRESS_H
#define CLIENT_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/cli/verbs.h"

/* Life: progress_begin() .. progress_hide(). */
struct progress {
	bool is_wanted; /* stderr is a terminal */
	bool is_shown;
	int64_t begun_ms;
};

struct progress progress_begin(const struct cli *c);
/* Draw the bar, if more than a second has passed since progress_begin(). */
void progress_show(struct progress *p, size_t done, size_t all);
/* Erase the bar, before other output. */
void progress_hide(struct progress *p);

#endif
