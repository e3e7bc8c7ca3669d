/*
 * admin_child.h - a scan in a child process, so that a crash is a result.
 *
 * The data file is mapped into memory: damage that LMDB does not notice ends the process that
 * reads it. The child scans and sends lines and its result through a pipe, one buffer at a time;
 * the parent passes the lines to the caller and survives.
 */
#ifndef STORE_ADMIN_ADMIN_CHILD_H
#define STORE_ADMIN_ADMIN_CHILD_H

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/admin/admin.h"

#define ADMIN_BUFFER_BYTES 65536 /* capacity of a pipe */

struct admin_child;

/* Runs in the child: scan, fill in counts and why, send lines. */
typedef enum err admin_scan(struct admin_child *c);
/*
 * Called in the parent several times a second while no line arrives. Returning false ends the
 * child, and the call with ERR_CLOSED.
 */
typedef bool admin_tick_cb(void *arg);

/* What to do; borrowed for the call. */
struct admin_task {
	admin_scan *scan;
	const char *directory;
	bool with_hidden;   /* for a dump (admin.h) */
	int copy_fd;	    /* for a backup: the file to write to */
	struct slice owner; /* for a backup: env_options.owner; empty: any owner */
	admin_line_cb *on_line;
	admin_tick_cb *on_tick; /* may be NULL */
	void *arg;		/* for both callbacks */
};

struct admin_child {
	const struct admin_task *task;
	struct admin_counts counts;
	struct errmsg why;
	int fd; /* the child's end of the pipe */
	size_t out_n;
	char out[ADMIN_BUFFER_BYTES];
};

/* The scan of admin_check(). */
enum err admin_check_scan(struct admin_child *child);

/*
 * In the child: send one line to the caller, now or with later ones; ends the child if the parent
 * has closed the pipe.
 */
void admin_child_line(struct admin_child *c, struct slice line);
/* Send all lines now: for a line that must arrive even if the next page ends the child. */
void admin_child_flush(struct admin_child *c);

/*
 * Fork, scan, and pass on the lines. Returns ERR_CORRUPT if the child crashed, with the signal in
 * *why; ERR_CLOSED if a callback ended it; otherwise the result of the scan.
 */
NODISCARD enum err admin_child_run(const struct admin_task *task, struct admin_counts *counts, struct errmsg *why);

#endif
