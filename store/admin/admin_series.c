/*
 * admin_series.c - backups in one directory, named after the time they were begun.
 *
 * The name says all there is to know of one: names sort as times do.
 */
#include "store/admin/admin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "proto/base/format.h"
#include "store/admin/admin_files.h"

#define SERIES_PATTERN	  "ayed-ddddddddTdddddd.dddZ" /* d: a digit */
#define SERIES_NAME_BYTES sizeof(SERIES_PATTERN)

_Static_assert(ADMIN_SERIES_BYTES == ENV_PATH_BYTES, "the same paths");

enum err admin_series_begin(const char *from, const char *directory, int64_t now_ms,
			    char out[ADMIN_SERIES_BYTES], struct errmsg *why)
{
	struct tm t = {.tm_year = 0};
	time_t seconds = (time_t)(now_ms / 1000);
	char stamp[32];
	bool is_made;
	enum err e = admin_files_are_apart(from, directory, why);
	if (e == OK && env_files_make_directory(directory, &is_made) != OK) {
		e = admin_files_fail(directory, "cannot create it", why);
	}
	(void)gmtime_r(&seconds, &t);
	(void)strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%S", &t);
	format_to(out, ADMIN_SERIES_BYTES, "%s/ayed-%s.%03dZ", directory, stamp,
		  (int)(now_ms % 1000));
	return e;
}

struct series {
	char (*names)[SERIES_NAME_BYTES]; /* the oldest first */
	size_t n;
};

/* A directory of such a name: a link or a file of somebody's is no backup, and cannot be removed as one. */
static bool series_is_one(DIR *in, const char *name)
{
	static const char pattern[] = SERIES_PATTERN;
	size_t i = 0;
	while (i < SERIES_NAME_BYTES - 1 &&
	       (pattern[i] == 'd' && i > strlen("ayed") ? name[i] >= '0' && name[i] <= '9'
							: name[i] == pattern[i])) {
		i++;
	}
	struct stat st;
	return i == SERIES_NAME_BYTES - 1 && name[i] == '\0' &&
	       fstatat(dirfd(in), name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static int series_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static enum err series_read(const char *directory, struct series *s, struct errmsg *why)
{
	*s = (struct series){.n = 0};
	DIR *all = opendir(directory);
	if (all == NULL) {
		return errno == ENOENT ? OK : admin_files_fail(directory, "cannot read it", why);
	}
	enum err e = OK;
	for (struct dirent *entry; e == OK && (entry = readdir(all)) != NULL;) {
		if (!series_is_one(all, entry->d_name)) {
			continue;
		}
		void *larger = realloc(s->names, (s->n + 1) * sizeof(*s->names));
		if (larger == NULL) {
			errmsg_set(why, "out of memory");
			e = ERR_NOMEM;
			break;
		}
		s->names = larger;
		memcpy(s->names[s->n++], entry->d_name, SERIES_NAME_BYTES);
	}
	(void)closedir(all);
	if (e == OK && s->n > 0) {
		qsort(s->names, s->n, sizeof(*s->names), series_compare);
	}
	return e;
}

static int64_t series_digits(const char *at, size_t n)
{
	int64_t value = 0;
	for (size_t i = 0; i < n; i++) {
		value = value * 10 + (at[i] - '0');
	}
	return value;
}

/* POSIX, "Seconds Since the Epoch", which is defined by this formula; timegm() is not of POSIX. */
static int64_t series_time(const char *name)
{
	static const int64_t days_before[] = {0,   31,	59,  90,  120, 151,
					      181, 212, 243, 273, 304, 334};
	const char *date = name + strlen("ayed-"), *clock = date + strlen("ddddddddT");
	int64_t year = series_digits(date, 4), month = series_digits(date + 4, 2);
	month = month < 1 ? 1 : month > 12 ? 12 : month;
	bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	int64_t yday = days_before[month - 1] + series_digits(date + 6, 2) - 1 +
		       (is_leap && month > 2 ? 1 : 0);
	int64_t y = year - 1900;
	int64_t days = yday + (y - 70) * 365 + (y - 69) / 4 - (y - 1) / 100 + (y + 299) / 400;
	int64_t seconds = series_digits(clock, 2) * 3600 + series_digits(clock + 2, 2) * 60 +
			  series_digits(clock + 4, 2);
	return (days * 86400 + seconds) * 1000 + series_digits(clock + 7, 3);
}

enum err admin_series_newest(const char *directory, int64_t *made_ms, struct errmsg *why)
{
	struct series s;
	enum err e = series_read(directory, &s, why);
	if (e == OK) {
		*made_ms = s.n == 0 ? 0 : series_time(s.names[s.n - 1]);
	}
	free(s.names);
	return e;
}

enum err admin_series_prune(const char *directory, int64_t keep, const char *made,
			    struct errmsg *why)
{
	char path[ENV_PATH_BYTES];
	struct series s;
	enum err e = series_read(directory, &s, why);
	int64_t surplus = (int64_t)s.n - keep;
	for (size_t i = 0; i < s.n && surplus > 0 && e == OK; i++) {
		env_files_path(path, directory, s.names[i]);
		if (strcmp(path, made) != 0) {
			e = admin_files_discard(path, why);
			surplus--;
		}
	}
	free(s.names);
	return e;
}
