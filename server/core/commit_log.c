/*
 * commit_log.c - see commit_log.h.
 */
#include "server/core/commit_log.h"

#include "server/core/server_priv.h"

#define QUIET_MS 10000

static void commit_log_end(struct server *s)
{
	struct commit_log *l = &s->commit_log;
	if (l->failed > 1) {
		server_log(s, LOG_INFO, "event=commits_failed reason=\"%s\" commits=%llu",
			   err_text(l->why), (unsigned long long)l->failed);
	}
	*l = (struct commit_log){.why = OK};
}

void commit_log_failed(struct server *s, const char *room, enum err why)
{
	struct commit_log *l = &s->commit_log;
	s->counters.commits_failed++;
	if (l->why != why) {
		commit_log_end(s);
		server_log(s, LOG_ERROR, "event=commit_failed%s%s reason=\"%s\"",
			   room[0] == '\0' ? "" : " room=", room, err_text(why));
	}
	l->why = why;
	l->failed++;
	l->quiet_mono = s->now.mono_ms + QUIET_MS;
}

void commit_log_made(struct server *s)
{
	if (s->commit_log.why != OK && s->now.mono_ms >= s->commit_log.quiet_mono) {
		commit_log_end(s);
	}
}
