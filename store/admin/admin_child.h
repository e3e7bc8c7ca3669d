/*
 * admin_child.h - a scan in a child process, so that a crash is a verdict.
 *
 * The data file is mapped into memory: damage that LMDB trusts ends the process
 * that reads it. The child scans and sends lines and its result through a pipe;
 * the parent gives the lines to the caller and outlives it.
 */
#ifndef STORE_ADMIN_ADMIN_CHILD_H
#define STORE_ADMIN_ADMIN_CHILD_H

#include "proto/err.h"
#include "proto/slice.h"
#include "store/admin/admin.h"

struct admin_child {
	int fd; /* the child's end */
	const char *directory;
	bool with_hidden; /* of a dump (admin.h) */
	struct admin_counts counts;
	struct errmsg why;
};

/* In the child: scan, fill counts and why, send lines. */
typedef enum err admin_scan(struct admin_child *c);

/* In the child: one line for the caller; ends the child where the parent has closed the pipe. */
void admin_child_line(struct admin_child *c, struct slice line);

/*
 * Fork, scan, pass on. ERR_CORRUPT where the child crashed, with the signal in
 * *why; ERR_CLOSED where the caller's callback wanted no more; else the scan's result.
 */
NODISCARD enum err admin_child_run(admin_scan *scan, const char *directory, bool with_hidden, admin_line_cb *on_line,
				   void *arg, struct admin_counts *counts, struct errmsg *why);

#endif
