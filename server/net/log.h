/*
 * log.h - one line per event to stderr: ts=... level=... event=... key=value ...
 *
 * Values with blanks, quotes or control characters are quoted and escaped, so one event is always
 * one line. Text that does not fit is truncated. Failures to write are ignored: they are no
 * reason to stop serving. Never log secrets: only ids, counts and reasons.
 */
#ifndef SERVER_NET_LOG_H
#define SERVER_NET_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/slice.h"
#include "server/core/server.h"

struct log {
	enum log_level level; /* lines above this level (less important) are dropped */
	int fd;
};

#define LOG_LINE_BYTES_MAX 1024
struct log_line {
	const struct log *log; /* NULL: the line is dropped */
	size_t len;
	char text[LOG_LINE_BYTES_MAX];
};

/*
 * Build a line: begin, any number of pairs, end. Keys and events are literals in the code and are
 * not escaped.
 */
void log_begin(struct log_line *l, const struct log *log, enum log_level level, const char *event);
void log_str(struct log_line *l, const char *key, const char *value);
void log_int(struct log_line *l, const char *key, int64_t value);
void log_end(struct log_line *l);

/* Log a line with one pair. */
void log_pair(const struct log *log, enum log_level level, const char *event, const char *key, const char *value);

/* Log a line of formatted pairs, as in FX_LOG; control bytes are replaced. */
void log_pairs(const struct log *log, enum log_level level, struct slice pairs);

/* Convert "warn" to LOG_WARN etc.; returns false for an unknown level. */
bool log_level_of(const char *name, enum log_level *out);

#endif
