/*
 * disk_replay.h - the files that a power cut may leave, from a log of what was done to them (disk_log.h).
 *
 * What was synced is there. Of the rest, writes, lengths and names alike, any part may be: nothing, a
 * prefix, all but one, any subset, writes torn between sectors. A name is safe when its directory was
 * synced, bytes and length when their file was; nothing else is promised by POSIX, and no more is assumed.
 *
 * Life: disk_open(); disk_next() until NULL, disk_leave() as often as one likes between; disk_close().
 */
#ifndef TESTS_SUPPORT_DISK_REPLAY_H
#define TESTS_SUPPORT_DISK_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/disk_log.h"

#define DISK_SECTOR 512
#define DISK_PATH   256

enum disk_rest { DISK_NOTHING, DISK_ALL, DISK_PREFIX, DISK_ALL_BUT_ONE, DISK_SUBSET, DISK_TORN, DISK_RESTS };

struct disk_file;
struct disk_change;
struct disk_name;

/* What has begun, and is safe when its mark comes again. */
struct disk_sync {
	uint64_t mark; /* 0: none */
	size_t file;
	uint64_t before; /* changes of a lower number are meant */
};

struct disk {
	unsigned char *log;
	size_t log_len, at; /* at: behind the last event */
	const char *root;   /* what is above is not looked at */
	bool loses_bytes;   /* the disk lies: syncing a file does nothing from now on, ... */
	bool loses_names;   /* or a directory */
	struct disk_file *files;
	size_t files_n;
	struct disk_name *now, *safe; /* names as they are, and as they are on the disk */
	size_t now_n, safe_n;
	struct disk_change *changes; /* not safe yet, in order */
	size_t changes_n;
	uint64_t changes_all; /* since the beginning */
	struct disk_sync syncs[64];
	struct disk_event event; /* the last */
};

/* The root exists, empty and safe, when the log begins. `root` is borrowed. Fails the test where the log cannot be read. */
void disk_open(struct disk *d, const char *log, const char *root);
void disk_close(struct disk *d);
/* The next event, which is done, and its bytes, both valid until the next call. NULL at the end. */
const struct disk_event *disk_next(struct disk *d, const unsigned char **bytes);
/* Write what may be left of `directory`, a path below the root, into `to`, which is made; false where there is no such directory. */
bool disk_leave(const struct disk *d, enum disk_rest rest, uint64_t *random, const char *directory,
		const char *to);
/* Whether the file is the one that has this path now. */
bool disk_is(const struct disk *d, uint64_t file, const char *path);
/* Below `below`; the state of the generator is never 0. */
size_t disk_draw(uint64_t *random, size_t below);

#endif
