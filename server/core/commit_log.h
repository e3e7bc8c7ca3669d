/*
 * commit_log.h - what the log has of commits that fail: one line when that begins, and one when it is over, with
 * their number. A full disk or a full Redis refuses nearly every commit for as long as it is full.
 */
#ifndef SERVER_CORE_COMMIT_LOG_H
#define SERVER_CORE_COMMIT_LOG_H

#include <stdint.h>

#include "proto/base/err.h"

struct server;

struct commit_log {
	enum err why;	    /* why the last one failed; OK: none has lately */
	uint64_t failed;    /* for that reason, since the line that told of it */
	int64_t quiet_mono; /* over, where none has failed until then */
};

/* @room  its name for the log, "" for the directory */
void commit_log_failed(struct server *s, const char *room, enum err why);
/* A commit was made: deletes are while all is full. */
void commit_log_made(struct server *s);

#endif
