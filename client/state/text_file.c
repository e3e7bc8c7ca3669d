/*
 * text_file.c - reads to the end, and writes beside before it renames.
 */
#include "client/state/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/model/memory.h"
#include "proto/base/format.h"

#define TEXT_FILE_CHUNK 65536

static enum err text_file_fail(struct errmsg *why, const char *name)
{
	errmsg_set(why, "%s: %s", name[0] == '\0' ? "\"\"" : name, strerror(errno));
	return ERR_IO;
}

enum err text_file_read(const char *name, struct buf *out, struct errmsg *why)
{
	bool is_input = strcmp(name, "-") == 0;
	int fd = is_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	enum err e = OK;
	if (fd < 0) {
		return text_file_fail(why, name);
	}
	for (ssize_t n = 1; n != 0 && e == OK;) {
		char chunk[TEXT_FILE_CHUNK];
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno != EINTR) {
			e = text_file_fail(why, name);
		} else if (n > 0) {
			e = memory_check(buf_append(out, chunk, (size_t)n));
		}
	}
	if (e == ERR_TOO_LARGE) {
		errmsg_set(why, "%s is larger than %zu bytes", name, out->max);
	}
	if (!is_input) {
		(void)close(fd);
	}
	return e;
}

static bool text_file_write_all(int fd, struct slice text)
{
	for (size_t at = 0; at < text.len;) {
		ssize_t n = write(fd, text.data + at, text.len - at);
		if (n < 0 && errno != EINTR) {
			return false;
		}
		at += n < 0 ? 0 : (size_t)n;
	}
	return true;
}

/* What a new file would have got from open(), which mkstemp() does not give. */
static mode_t text_file_mode(const char *name)
{
	struct stat now;
	if (stat(name, &now) == 0) {
		return now.st_mode & 0777;
	}
	mode_t mask = umask(0);
	(void)umask(mask);
	return 0666 & ~mask;
}

enum err text_file_replace(const char *name, struct slice text, struct errmsg *why)
{
	size_t cap = strlen(name) + 8;
	char *beside = memory_new(cap, 1);
	format_to(beside, cap, "%s.XXXXXX", name);
	mode_t mode = text_file_mode(name);
	int fd = mkstemp(beside);
	if (fd < 0) {
		free(beside);
		return text_file_fail(why, name);
	}
	bool is_written = text_file_write_all(fd, text) && fchmod(fd, mode) == 0;
	int first = errno;
	is_written = close(fd) == 0 && is_written;
	enum err e = OK;
	if (!is_written || rename(beside, name) != 0) {
		errno = is_written ? errno : first;
		e = text_file_fail(why, name);
		(void)unlink(beside);
	}
	free(beside);
	return e;
}
