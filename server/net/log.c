/*
 * log.c - writes the log of log.h, each line with one write(2).
 *
 * Not here: what is logged. One write a line keeps lines whole where
 * several processes share the file.
 */
#include "server/net/log.h"

#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"

static const char *const log_level_names[] = {
	[LOG_ERROR] = "error",
	[LOG_WARN] = "warn",
	[LOG_INFO] = "info",
	[LOG_DEBUG] = "debug",
};
#define LOG_LEVELS (sizeof(log_level_names) / sizeof(log_level_names[0]))

bool log_level_of(const char *name, enum log_level *out)
{
	for (size_t i = 0; i < LOG_LEVELS; i++) {
		if (strcmp(log_level_names[i], name) == 0) {
			*out = (enum log_level)i;
			return true;
		}
	}
	return false;
}

/* One byte always stays free for the newline. */
static void log_put(struct log_line *l, const char *data, size_t len)
{
	size_t room = sizeof(l->text) - 1 - l->len;
	len = len < room ? len : room;
	memcpy(l->text + l->len, data, len);
	l->len += len;
}

static void log_put_str(struct log_line *l, const char *text)
{
	log_put(l, text, strlen(text));
}

static void log_open(struct log_line *l, const struct log *log, enum log_level level)
{
	l->log = level <= log->level ? log : NULL;
	l->len = 0;
	if (l->log == NULL) {
		return;
	}
	struct timespec now = {0};
	struct tm utc = {0};
	char day[32], text[64];
	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &utc);
	size_t len = strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &utc);
	len = format_to(text, sizeof(text), "ts=%.*s.%03ldZ level=%s", (int)len, day,
			now.tv_nsec / 1000000, log_level_names[level]);
	log_put(l, text, len);
}

void log_begin(struct log_line *l, const struct log *log, enum log_level level, const char *event)
{
	log_open(l, log, level);
	if (l->log != NULL) {
		log_put_str(l, " event=");
		log_put_str(l, event);
	}
}

static void log_put_quoted(struct log_line *l, const char *value)
{
	log_put(l, "\"", 1);
	for (const char *p = value; *p != '\0'; p++) {
		unsigned char c = (unsigned char)*p;
		if (c == '"' || c == '\\') {
			log_put(l, "\\", 1);
		}
		if (c < ' ' || c == 0x7f) {
			char hex[8] = "";
			size_t len = format_to(hex, sizeof(hex), "\\x%02x", c);
			log_put(l, hex, len);
		} else {
			log_put(l, p, 1);
		}
	}
	log_put(l, "\"", 1);
}

void log_str(struct log_line *l, const char *key, const char *value)
{
	if (l->log == NULL) {
		return;
	}
	log_put(l, " ", 1);
	log_put_str(l, key);
	log_put(l, "=", 1);
	bool plain = *value != '\0';
	for (const char *p = value; plain && *p != '\0'; p++) {
		plain = (unsigned char)*p > ' ' && strchr("\"\\=\x7f", *p) == NULL;
	}
	if (plain) {
		log_put_str(l, value);
	} else {
		log_put_quoted(l, value);
	}
}

void log_int(struct log_line *l, const char *key, int64_t value)
{
	char text[32];
	(void)format_to(text, sizeof(text), "%lld", (long long)value);
	log_str(l, key, text);
}

void log_end(struct log_line *l)
{
	if (l->log == NULL) {
		return;
	}
	l->text[l->len++] = '\n';
	ssize_t n = write(l->log->fd, l->text, l->len);
	(void)n;
}

void log_pair(const struct log *log, enum log_level level, const char *event, const char *key,
	      const char *value)
{
	struct log_line l;
	log_begin(&l, log, level, event);
	log_str(&l, key, value);
	log_end(&l);
}

void log_pairs(const struct log *log, enum log_level level, struct slice pairs)
{
	struct log_line l;
	log_open(&l, log, level);
	if (l.log == NULL) {
		return;
	}
	log_put(&l, " ", 1);
	size_t from = l.len;
	log_put(&l, pairs.data, pairs.len);
	for (size_t i = from; i < l.len; i++) {
		unsigned char c = (unsigned char)l.text[i];
		if (c < ' ' || c == 0x7f) {
			l.text[i] = '?';
		}
	}
	log_end(&l);
}
