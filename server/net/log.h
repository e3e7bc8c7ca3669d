/*
 * log.h - one line an event to stderr: ts=... level=... event=... key=value ...
 *
 * Values that hold blanks, quotes or control characters are quoted and escaped,
 * so a line stays a line whatever a peer or a path contains. What does not fit
 * is cut. A log that cannot be written is no reason to stop serving: failures
 * are ignored. No secrets: callers log ids, counts and reasons.
 */
#ifndef SERVER_NET_LOG_H
#define SERVER_NET_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "server/core/server.h"

struct log {
	enum log_level level; /* lines above it (less important) are dropped */
	int fd;
};

#define LOG_LINE_BYTES_MAX 1024
struct log_line {
	const struct log *log; /* NULL where the line is dropped */
	size_t len;
	char text[LOG_LINE_BYTES_MAX];
};

/* Build a line: begin, any number of pairs, end. Keys and event are literals of ours and not escaped. */
void log_begin(struct log_line *l, const struct log *log, enum log_level level, const char *event);
void log_str(struct log_line *l, const char *key, const char *value);
void log_int(struct log_line *l, const char *key, int64_t value);
void log_end(struct log_line *l);

/* A line with one pair. */
void log_pair(const struct log *log, enum log_level level, const char *event, const char *key, const char *value);

/* A line whose pairs are formatted already, as FX_LOG has them; control bytes are replaced. */
void log_pairs(const struct log *log, enum log_level level, struct slice pairs);

/* "warn" to LOG_WARN; false where there is no such level. */
bool log_level_of(const char *name, enum log_level *out);

#endif
