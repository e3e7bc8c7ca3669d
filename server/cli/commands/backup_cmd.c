/*
 * backup_cmd.c - see backup_cmd.h.
 */
#include "server/cli/commands/backup_cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "proto/json.h"
#include "server/cli/data_dir.h"
#include "server/cli/commands/progress.h"
#include "store/admin/admin.h"

#define BACKUP_MIB	 1048576.0
#define BACKUP_PATH_JSON ((size_t)1 << 16)

/* ---- how far it is ---- */

static bool backup_on_progress(void *arg, enum admin_step step, uint64_t bytes, uint64_t bytes_all)
{
	struct progress *p = arg;
	if (progress_is_stopped(p, 0)) {
		return false;
	}
	if (!progress_is_due(p, step)) {
		return true;
	}
	char text[PROGRESS_TEXT_BYTES] = "Checking the copy ...";
	if (step == ADMIN_COPYING && bytes_all > 0) {
		bytes = bytes < bytes_all ? bytes : bytes_all;
		(void)snprintf(text, sizeof(text), "Copying: %.1f of %.1f MiB, %d%%",
			       (double)bytes / BACKUP_MIB, (double)bytes_all / BACKUP_MIB,
			       (int)(100 * bytes / bytes_all));
	} else if (step == ADMIN_COPYING) {
		(void)snprintf(text, sizeof(text), "Copying ...");
	}
	progress_show(p, step, text);
	return true;
}

/* ---- the result ---- */

static enum err backup_print(const struct options *o, const struct progress *p, const char *path,
			     const struct admin_copied *copied, struct errmsg *why)
{
	double seconds = progress_seconds(p);
	if (copied->counts.lost > 0) {
		(void)fprintf(
			stderr,
			"%s: items lost to earlier damage are not in it; `ayed check` lists them\n",
			path);
	}
	if (o->is_json) {
		struct buf text;
		buf_init(&text, BACKUP_PATH_JSON);
		if (json_from_text(slice_str(path), &text) != OK) {
			(void)buf_append_slice(&text, SLICE("null")); /* a name that is not UTF-8 */
		}
		(void)printf("{\"path\":%.*s,\"items\":%" PRIu64 ",\"bytes\":%" PRIu64
			     ",\"seconds\":%.3f}\n",
			     (int)text.len, text.data, copied->counts.items, copied->bytes,
			     seconds);
		buf_finish(&text);
	} else {
		bool is_small = copied->bytes < (uint64_t)BACKUP_MIB;
		(void)printf("%s: %" PRIu64 " %s, %.1f %s, checked, in %.1f s\n", path,
			     copied->counts.items, copied->counts.items == 1 ? "item" : "items",
			     (double)copied->bytes / (is_small ? BACKUP_MIB / 1024 : BACKUP_MIB),
			     is_small ? "KiB" : "MiB", seconds);
	}
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		errmsg_set(why, "%s is complete, but writing to stdout failed: %s", path,
			   strerror(errno));
		return ERR_IO;
	}
	return OK;
}

static enum err backup_ended(struct progress *p, const char *to, enum err e, struct errmsg *why)
{
	progress_end_line(p);
	if (e == ERR_CLOSED) {
		errmsg_set(why, "interrupted; nothing was left in %s", to);
	}
	return e;
}

/* ---- backup ---- */

static enum err backup_once(const struct options *o, struct progress *p, struct errmsg *why)
{
	char path[ADMIN_SERIES_BYTES];
	const char *from = o->words[0], *to = o->words[1];
	struct key_text owner;
	struct admin_copied copied;
	struct errmsg ignored;
	enum err e = data_dir_check(from, why);
	e = e == OK ? data_dir_read_owner(from, &owner, why) : e;
	if (e == OK && o->keep > 0) {
		e = admin_series_begin(from, to, progress_clock(CLOCK_REALTIME), path, why);
		to = path;
	}
	if (e != OK) {
		return e;
	}
	const struct admin_copy copy = {.from = from,
					.to = to,
					.files = data_dir_files,
					.owner = slice_of(owner.text, KEY_CHARS),
					.on_progress = backup_on_progress,
					.arg = p};
	p->began_ms = progress_clock(CLOCK_MONOTONIC);
	e = backup_ended(p, o->words[1], admin_backup(&copy, &copied, why), why);
	if (e != OK) {
		return e;
	}
	/* Whoever reads what is printed: those that nobody removes fill the disk. */
	enum err pruned = o->keep > 0 ? admin_series_prune(o->words[1], o->keep, to, why) : OK;
	e = backup_print(o, p, to, &copied, pruned == OK ? why : &ignored);
	return pruned == OK ? e : pruned;
}

/* When the next one is due; those of an earlier run count, so a restart makes no more of them. */
static enum err backup_next(const struct options *o, int64_t *due_ms, struct errmsg *why)
{
	int64_t made_ms = 0;
	int64_t now_ms = progress_clock(CLOCK_REALTIME);
	enum err e = admin_series_newest(o->words[1], &made_ms, why);
	bool is_known = made_ms > 0 && made_ms <= now_ms; /* else the clock was set back */
	*due_ms = is_known ? made_ms + o->every_s * 1000 : now_ms;
	return e;
}

enum err backup_cmd_backup(const struct options *o, struct errmsg *why)
{
	struct progress p;
	int64_t due_ms;
	progress_begin(&p);
	if (o->every_s == 0) {
		return backup_once(o, &p, why);
	}
	enum err e = backup_next(o, &due_ms, why);
	while (e == OK) {
		int64_t wait_ms = due_ms - progress_clock(CLOCK_REALTIME);
		/* In pieces: a clock that is set, or a machine that slept, moves what is due. */
		if (wait_ms > 0 && progress_is_stopped(&p, wait_ms < 60000 ? wait_ms : 60000)) {
			return OK;
		}
		if (wait_ms > 0) {
			continue;
		}
		due_ms = progress_clock(CLOCK_REALTIME) + o->every_s * 1000;
		e = backup_once(o, &p, why);
		if (p.is_stopped) {
			return OK;
		}
		if (e != OK) {
			(void)fprintf(stderr, "ayed: %s\n", why->text);
			e = OK;
		}
	}
	return e;
}

/* ---- restore ---- */

enum err backup_cmd_restore(const struct options *o, struct errmsg *why)
{
	const char *from = o->words[0], *to = o->words[1];
	struct key_text owner;
	struct admin_copied copied;
	struct progress p;
	struct stat st;
	progress_begin(&p);
	p.began_ms = progress_clock(CLOCK_MONOTONIC);
	enum err e = data_dir_read_owner(from, &owner, why);
	if (e == OK && (stat(to, &st) == 0 || errno != ENOENT)) {
		e = data_dir_check(to, why);
	}
	if (e != OK) {
		return e;
	}
	const struct admin_copy copy = {.from = from,
					.to = to,
					.files = data_dir_files,
					.owner = slice_of(owner.text, KEY_CHARS),
					.on_progress = backup_on_progress,
					.arg = &p};
	e = backup_ended(&p, to, admin_restore(&copy, &copied, why), why);
	return e == OK ? backup_print(o, &p, to, &copied, why) : e;
}
