/*
 * progress.h - how far something is that takes a while, as a bar on the terminal.
 */
#ifndef CLIENT_CLI_OUTPUT_PROGRESS_H
#define CLIENT_CLI_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/cli/verbs.h"

/* Life: progress_begin() .. progress_hide(). */
struct progress {
	bool is_wanted; /* a person looks at stderr */
	bool is_shown;
	int64_t begun_ms;
};

struct progress progress_begin(const struct cli *c);
/* What takes less than a second needs no bar. */
void progress_show(struct progress *p, size_t done, size_t all);
/* Take it off the line, before something else is said. */
void progress_hide(struct progress *p);

#endif
