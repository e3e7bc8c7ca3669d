/*
 * admin_child.h - a scan in a child process, so that a crash is a verdict.
 *
 * The data file is mapped into memory: damage that LMDB trusts ends the process
 * that reads it. The child scans and sends lines and its result through a pipe, a
 * buffer at a time; the parent gives the lines to the caller and outlives it.
 */
#ifndef STORE_ADMIN_ADMIN_CHILD_H
#define STORE_ADMIN_ADMIN_CHILD_H

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/admin/admin.h"

#define ADMIN_BUFFER_BYTES 65536 /* as much as a pipe holds */

struct admin_child;

/* In the child: scan, fill counts and why, send lines. */
typedef enum err admin_scan(struct admin_child *c);
/* In the parent, several times a second while no line comes. False ends the child, and the call with ERR_CLOSED. */
typedef bool admin_tick_cb(void *arg);

/* What is to be done; borrowed for the call. */
struct admin_task {
	admin_scan *scan;
	const char *directory;
	bool with_hidden;   /* of a dump (admin.h) */
	int copy_fd;	    /* of a backup: the file that the copy goes into */
	struct slice owner; /* of a backup: env_options.owner; empty: anybody's */
	admin_line_cb *on_line;
	admin_tick_cb *on_tick; /* may be NULL */
	void *arg;		/* of both */
};

struct admin_child {
	const struct admin_task *task;
	struct admin_counts counts;
	struct errmsg why;
	int fd; /* the child's end */
	size_t out_n;
	char out[ADMIN_BUFFER_BYTES];
};

/* What admin_check() does in the child. */
enum err admin_check_scan(struct admin_child *child);

/* In the child: one line for the caller, at once or with those that follow; ends the child where the parent has closed the pipe. */
void admin_child_line(struct admin_child *c, struct slice line);
/* The lines so far: for one that must arrive though the next page may end the child. */
void admin_child_flush(struct admin_child *c);

/*
 * Fork, scan, pass on. ERR_CORRUPT where the child crashed, with the signal in
 * *why; ERR_CLOSED where a callback wanted no more; else the scan's result.
 */
NODISCARD enum err admin_child_run(const struct admin_task *task, struct admin_counts *counts, struct errmsg *why);

#endif
