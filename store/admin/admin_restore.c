/*
 * admin_restore.c - a backup becomes data: its files are copied, checked, and put in place (admin_fill.c).
 */
#include "store/admin/admin.h"

#include <unistd.h>

#include "store/admin/admin_check_copy.h"
#include "store/admin/admin_files.h"

static enum err restore_fill(const struct admin_copy *c, const char *temporary,
			     struct admin_copied *out, struct errmsg *why)
{
	enum err e = admin_files_copy(c->from, temporary, "data.mdb", c->on_progress, c->arg,
				      &out->bytes, why);
	for (size_t i = 0; c->files[i] != NULL && e == OK; i++) {
		e = admin_files_copy(c->from, temporary, c->files[i], NULL, NULL, &out->bytes, why);
		e = e == ERR_NOT_FOUND ? OK : e;
	}
	return e == OK ? admin_check_copy(c, temporary, &out->counts, why) : e;
}

enum err admin_restore(const struct admin_copy *c, struct admin_copied *out, struct errmsg *why)
{
	struct admin_fill fill;
	int backup_lock = -1;
	bool exists = false;

	*out = (struct admin_copied){.bytes = 0};
	enum err e = admin_files_are_apart(c->from, c->to, why);
	e = e == OK ? env_files_find(c->from, &exists, why) : e;
	if (e == OK && !exists) {
		errmsg_set(why, "%s: not a backup: it has no data.mdb", c->from);
		e = ERR_NOT_FOUND;
	}
	/* A backup that is itself served would be copied while it changes. */
	e = e == OK ? admin_hold(c->from, &backup_lock, why) : e;
	if (e == ERR_BUSY) {
		errmsg_set(why, "%s; back it up, and restore the backup", why->text);
	}
	e = e == OK ? admin_fill_begin(&fill, c->to, c->files, why) : e;
	if (e == OK) {
		e = restore_fill(c, fill.temporary, out, why);
		if (e == ERR_FULL) {
			errmsg_set(why, "%s: not enough space for the data; nothing was kept",
				   c->to);
		}
		e = admin_fill_end(&fill, e, why);
	}
	if (backup_lock >= 0) {
		(void)close(backup_lock);
	}
	return e;
}
