/*
 * disk_log.h - what a process did to its files, in the order in which it did it.
 *
 * disk_record.so, preloaded, writes it; disk_replay.h reads it. The log is a file of
 * events, each a struct disk_event with its bytes behind it, appended by one write():
 * processes that were started by the first one, and the test itself, write to the
 * same log. A file is its inode's number; paths are absolute.
 */
#ifndef TESTS_SUPPORT_DISK_LOG_H
#define TESTS_SUPPORT_DISK_LOG_H

#include <stdint.h>

#define DISK_LOG_VARIABLE "AYE_DISK_LOG" /* names the log, which exists */

enum disk_kind {
	DISK_MAKE,      /* file, path: a new one */
	DISK_MAKE_DIRECTORY,
	DISK_LINK,      /* path and new path, a zero byte behind each */
	DISK_RENAME,    /* likewise */
	DISK_UNLINK,    /* path; of a directory, too */
	DISK_WRITE,     /* file, at, bytes; where `mark` is not 0 it has only begun */
	DISK_RESIZE,    /* file; at: its length from now on */
	DISK_SYNC,      /* of a file or directory has begun */
	DISK_DONE,      /* what began with that mark is on the disk */
	DISK_SENT,      /* bytes are about to leave by a socket */
	DISK_NOTE       /* the test's own */
};

#define DISK_MARK_SHIFT 32 /* above it, a mark is the process */

struct disk_event {
	uint32_t kind;
	uint32_t len; /* of the bytes behind it */
	uint64_t file;
	uint64_t at;
	uint64_t mark; /* of a NOTE: whatever the test likes */
};

#endif
