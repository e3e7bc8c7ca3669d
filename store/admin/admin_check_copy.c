/*
 * admin_check_copy.c - see admin_check_copy.h.
 */
#include "store/admin/admin_check_copy.h"

#include <string.h>
#include <unistd.h>

#include "store/admin/admin_child.h"
#include "store/lmdb/env_files.h"

static bool check_copy_on_line(void *arg, struct slice line)
{
	(void)arg;
	(void)line; /* `ayed check` names them */
	return true;
}

static bool check_copy_on_tick(void *arg)
{
	const struct admin_copy *c = *(const struct admin_copy *const *)arg;
	return c->on_progress == NULL || c->on_progress(c->arg, ADMIN_CHECKING, 0, 0);
}

enum err admin_check_copy(const struct admin_copy *c, const char *directory,
			  struct admin_counts *counts, struct errmsg *why)
{
	const struct admin_copy *copy = c; /* no const is cast away */
	const struct admin_task task = {.scan = admin_check_scan,
					.directory = directory,
					.owner = c->owner,
					.on_line = check_copy_on_line,
					.on_tick = check_copy_on_tick,
					.arg = &copy};
	char lock[ENV_PATH_BYTES];
	enum err e =
		check_copy_on_tick(task.arg) ? admin_child_run(&task, counts, why) : ERR_CLOSED;
	env_files_path(lock, directory, "lock.mdb");
	(void)unlink(lock);
	if (e == ERR_CORRUPT && counts->problems > 0 && counts->problems == counts->lost) {
		return OK;
	}
	/* The copy goes; what has to be looked at is what it was made of. */
	size_t len = strlen(directory);
	if (e != OK && strncmp(why->text, directory, len) == 0) {
		struct errmsg what = *why;
		errmsg_set(why, "%s%s", c->from, what.text + len);
	}
	return e;
}
