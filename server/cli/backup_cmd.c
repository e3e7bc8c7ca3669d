/*
 * backup_cmd.c - see backup_cmd.h.
 *
 * SIGINT and SIGTERM stay blocked and are asked for between two steps, so that
 * none comes where a file would be left behind.
 */
#include "server/cli/backup_cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "proto/json.h"
#include "server/cli/data_dir.h"
#include "store/admin/admin.h"

#define BACKUP_LINE_MS	 100 /* between two looks at how far it is */
#define BACKUP_MIB	 1048576.0
#define BACKUP_PATH_JSON ((size_t)1 << 16)

struct backup_run {
	sigset_t stops;
	bool is_stopped;
	bool has_terminal;
	bool has_line;
	int64_t shown_ms;
	enum admin_step shown_step;
	int64_t began_ms;
};

static int64_t backup_clock(clockid_t clock)
{
	struct timespec now = {0};
	(void)clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void backup_begin(struct backup_run *r)
{
	*r = (struct backup_run){.has_terminal = isatty(STDERR_FILENO) == 1};
	(void)sigemptyset(&r->stops);
	(void)sigaddset(&r->stops, SIGINT);
	(void)sigaddset(&r->stops, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &r->stops, NULL);
}

/* Until a signal to stop has come, for so long at most. */
static bool backup_is_stopped(struct backup_run *r, int64_t wait_ms)
{
	const struct timespec wait = {.tv_sec = (time_t)(wait_ms / 1000),
				      .tv_nsec = (long)(wait_ms % 1000) * 1000000};
	if (!r->is_stopped) {
		r->is_stopped = sigtimedwait(&r->stops, NULL, &wait) > 0;
	}
	return r->is_stopped;
}

/* ---- how far it is ---- */

static bool backup_on_progress(void *arg, enum admin_step step, uint64_t bytes, uint64_t bytes_all)
{
	struct backup_run *r = arg;
	int64_t now = backup_clock(CLOCK_MONOTONIC);
	if (backup_is_stopped(r, 0)) {
		return false;
	}
	bool is_another = !r->has_line || step != r->shown_step;
	if (!r->has_terminal || (!is_another && now - r->shown_ms < BACKUP_LINE_MS)) {
		return true;
	}
	char text[80] = "Checking the copy ...";
	if (step == ADMIN_COPYING && bytes_all > 0) {
		bytes = bytes < bytes_all ? bytes : bytes_all;
		(void)snprintf(text, sizeof(text), "Copying: %.1f of %.1f MiB, %d%%",
			       (double)bytes / BACKUP_MIB, (double)bytes_all / BACKUP_MIB,
			       (int)(100 * bytes / bytes_all));
	} else if (step == ADMIN_COPYING) {
		(void)snprintf(text, sizeof(text), "Copying ...");
	}
	(void)fprintf(stderr, "\r%-60s", text);
	(void)fflush(stderr);
	r->has_line = true;
	r->shown_ms = now;
	r->shown_step = step;
	return true;
}

static void backup_end_line(struct backup_run *r)
{
	if (r->has_line) {
		(void)fprintf(stderr, "\r%-60s\r", "");
		(void)fflush(stderr);
	}
	r->has_line = false;
}

/* ---- the result ---- */

static enum err backup_print(const struct options *o, const struct backup_run *r, const char *path,
			     const struct admin_copied *copied, struct errmsg *why)
{
	double seconds = (double)(backup_clock(CLOCK_MONOTONIC) - r->began_ms) / 1000;
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
		(void)printf("%s: %" PRIu64 " items, %.1f MiB, checked, in %.1f s\n", path,
			     copied->counts.items, (double)copied->bytes / BACKUP_MIB, seconds);
	}
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		errmsg_set(why, "%s is complete, but writing to stdout failed: %s", path,
			   strerror(errno));
		return ERR_IO;
	}
	return OK;
}

static enum err backup_ended(struct backup_run *r, const char *to, enum err e, struct errmsg *why)
{
	backup_end_line(r);
	if (e == ERR_CLOSED) {
		errmsg_set(why, "interrupted; nothing was left in %s", to);
	}
	return e;
}

/* ---- backup ---- */

static enum err backup_once(const struct options *o, struct backup_run *r, struct errmsg *why)
{
	char path[ADMIN_SERIES_BYTES];
	const char *from = o->words[0], *to = o->words[1];
	struct key_text owner;
	struct admin_copied copied;
	struct errmsg ignored;
	enum err e = data_dir_check(from, why);
	e = e == OK ? data_dir_read_owner(from, &owner, why) : e;
	if (e == OK && o->keep > 0) {
		e = admin_series_begin(from, to, backup_clock(CLOCK_REALTIME), path, why);
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
					.arg = r};
	r->began_ms = backup_clock(CLOCK_MONOTONIC);
	e = backup_ended(r, o->words[1], admin_backup(&copy, &copied, why), why);
	if (e != OK) {
		return e;
	}
	/* Whoever reads what is printed: those that nobody removes fill the disk. */
	enum err pruned = o->keep > 0 ? admin_series_prune(o->words[1], o->keep, to, why) : OK;
	e = backup_print(o, r, to, &copied, pruned == OK ? why : &ignored);
	return pruned == OK ? e : pruned;
}

/* When the next one is due; those of an earlier run count, so a restart makes no more of them. */
static enum err backup_next(const struct options *o, int64_t *due_ms, struct errmsg *why)
{
	int64_t made_ms = 0;
	int64_t now_ms = backup_clock(CLOCK_REALTIME);
	enum err e = admin_series_newest(o->words[1], &made_ms, why);
	bool is_known = made_ms > 0 && made_ms <= now_ms; /* else the clock was set back */
	*due_ms = is_known ? made_ms + o->every_s * 1000 : now_ms;
	return e;
}

enum err backup_cmd_backup(const struct options *o, struct errmsg *why)
{
	struct backup_run r;
	int64_t due_ms;
	backup_begin(&r);
	if (o->every_s == 0) {
		return backup_once(o, &r, why);
	}
	enum err e = backup_next(o, &due_ms, why);
	while (e == OK) {
		int64_t wait_ms = due_ms - backup_clock(CLOCK_REALTIME);
		/* In pieces: a clock that is set, or a machine that slept, moves what is due. */
		if (wait_ms > 0 && backup_is_stopped(&r, wait_ms < 60000 ? wait_ms : 60000)) {
			return OK;
		}
		if (wait_ms > 0) {
			continue;
		}
		due_ms = backup_clock(CLOCK_REALTIME) + o->every_s * 1000;
		e = backup_once(o, &r, why);
		if (r.is_stopped) {
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
	struct backup_run r;
	struct stat st;
	backup_begin(&r);
	r.began_ms = backup_clock(CLOCK_MONOTONIC);
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
					.arg = &r};
	e = backup_ended(&r, to, admin_restore(&copy, &copied, why), why);
	return e == OK ? backup_print(o, &r, to, &copied, why) : e;
}
