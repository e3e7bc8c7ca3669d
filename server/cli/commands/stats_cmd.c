/*
 * stats_cmd.c - see stats_cmd.h: asks, formats, and puts it where it is wanted.
 */
#include "server/cli/commands/stats_cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "server/cli/commands/stats_ask.h"
#include "server/cli/commands/stats_text.h"

#define STATS_BYTES_MAX (1 << 20)

static bool stats_write_all(int fd, struct slice text)
{
	for (size_t at = 0; at < text.len;) {
		ssize_t n = write(fd, text.data + at, text.len - at);
		if (n < 0 && errno != EINTR) {
			return false;
		}
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* The draft's name does not end as the file's does, so that no collector takes it for one. */
static enum err stats_replace(const char *path, struct slice text, struct errmsg *why)
{
	char draft[PATH_MAX];
	size_t len = format_to(draft, sizeof(draft), "%s.%ld.tmp", path, (long)getpid());
	int fd = -1;
	if (len >= sizeof(draft) - 1) {
		errno = ENAMETOOLONG;
	} else {
		fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	bool done = fd >= 0 && stats_write_all(fd, text) && fchmod(fd, 0644) == 0;
	int reason = errno;
	if (fd >= 0 && close(fd) != 0 && done) {
		done = false;
		reason = errno;
	}
	if (done && rename(draft, path) != 0) {
		done = false;
		reason = errno;
	}
	if (!done) {
		if (fd >= 0) {
			(void)unlink(draft);
		}
		errmsg_set(why, "cannot write %s: %s", path, strerror(reason));
	}
	return done ? OK : ERR_IO;
}

enum err stats_address(const char *word, struct address *out, struct errmsg *why)
{
	char text[ADDRESS_PATH_BYTES_MAX + 16];
	const char *given = word == NULL ? "unix:/run/ayed/ayed.sock" : word;
	(void)format_to(text, sizeof(text), "%s%s", *given == '/' ? "unix:" : "", given);
	enum err e = address_parse(text, out, why);
	if (e == OK && out->kind != ADDRESS_UNIX) {
		errmsg_set(why, "%.100s: only a unix socket identifies the caller; use unix:/path",
			   given);
		e = ERR_INVALID;
	}
	return e;
}

enum err stats_cmd(const struct options *o, struct errmsg *why)
{
	struct buf json = {.max = STATS_BYTES_MAX};
	struct buf text = {.max = STATS_BYTES_MAX};
	struct address at;
	enum err e = stats_address(o->words[0], &at, why);
	e = e != OK ? e : stats_ask(&at, &json, why);
	if (e == OK) {
		e = stats_write(o->is_json	   ? STATS_JSON
				: o->is_prometheus ? STATS_PROMETHEUS
						   : STATS_TEXT,
				buf_slice(&json), &text);
		if (e != OK) {
			errmsg_set(why, "the server's answer cannot be read: %s", err_text(e));
		}
	}
	if (e == OK && o->output != NULL) {
		e = stats_replace(o->output, buf_slice(&text), why);
	} else if (e == OK &&
		   (fwrite(text.data, 1, text.len, stdout) != text.len || fflush(stdout) != 0)) {
		errmsg_set(why, "cannot write to stdout: %s", strerror(errno));
		e = ERR_IO;
	}
	buf_finish(&json);
	buf_finish(&text);
	return e;
}
