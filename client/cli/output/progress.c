/*
 * progress.c - see progress.h.
 */
#include "client/cli/output/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/net/loop_uv.h"

enum { PROGRESS_BAR = 40, PROGRESS_AFTER_MS = 1000 };

struct progress progress_begin(const struct cli *c)
{
	return (struct progress){
		.is_wanted = isatty(STDERR_FILENO) == 1 && !c->is_json,
		.begun_ms = loop_clock_ms(),
	};
}

void progress_show(struct progress *p, size_t done, size_t all)
{
	size_t full = all == 0 ? 0 : done * PROGRESS_BAR / all;
	char bar[PROGRESS_BAR + 1];
	if (!p->is_wanted || loop_clock_ms() - p->begun_ms < PROGRESS_AFTER_MS) {
		return;
	}
	memset(bar, '.', PROGRESS_BAR);
	memset(bar, '#', full < PROGRESS_BAR ? full : PROGRESS_BAR);
	bar[PROGRESS_BAR] = '\0';
	(void)fprintf(stderr, "\r[%s] %zu of %zu", bar, done, all);
	(void)fflush(stderr);
	p->is_shown = true;
}

void progress_hide(struct progress *p)
{
	if (p->is_shown) {
		(void)fprintf(stderr, "\r%*s\r", PROGRESS_BAR + 32, "");
		p->is_shown = false;
	}
}
