/*
 * damage.h - data that are harmed while the store is closed, and what it tells of them as it opens.
 */
#ifndef TESTS_UNIT_STORE_DAMAGE_H
#define TESTS_UNIT_STORE_DAMAGE_H

#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>

#define PAGE 4096

static inline void on_damage(void *arg, struct slice line)
{
	take_line(arg, line);
}

/* Open as this owner; the lines of damage are those of this opening. *why is set where it fails. */
static inline enum err open_telling(struct fixture *f, struct lines *damage, struct slice owner,
				    struct errmsg *why)
{
	struct store_lmdb_options o = {.directory = f->directory,
				       .map_bytes = f->map_bytes,
				       .owner = owner,
				       .on_damage = on_damage,
				       .on_damage_arg = damage,
				       .wake = fixture_wake,
				       .wake_arg = &f->woken};
	*damage = (struct lines){.n = 0};
	return store_open_lmdb(&o, &f->s, why);
}

static inline void shut(struct fixture *f)
{
	store_close(f->s);
	f->s = NULL;
}

/* Whether the data directory has a file of that name. */
static inline bool exists(const struct fixture *f, const char *name)
{
	char path[128];
	struct stat st;
	path_in(path, f, name);
	return stat(path, &st) == 0;
}

/* Replace `from` by `to`, of the same length, wherever it is in a page of data.mdb. How often it was. */
static inline size_t patch(const struct fixture *f, const char *from, const char *to)
{
	char path[128], page[PAGE];
	size_t n = 0, len = strlen(from);
	path_in(path, f, "data.mdb");
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	for (off_t at = 0; pread(fd, page, PAGE, at) == PAGE; at += PAGE) {
		for (size_t i = 0; i + len <= PAGE; i++) {
			if (memcmp(page + i, from, len) == 0) {
				memcpy(page + i, to, len);
				n++;
			}
		}
		assert_int_equal(pwrite(fd, page, PAGE, at), PAGE);
	}
	close(fd);
	return n;
}

#endif
