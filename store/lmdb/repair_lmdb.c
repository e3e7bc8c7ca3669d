/*
 * repair_lmdb.c - see repair_lmdb.h.
 *
 * The new file is filled in a directory beside, and takes the old one's name
 * when it is whole and on the disk. A crash leaves one or the other.
 */
#include "store/lmdb/repair_lmdb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/format.h"
#include "store/index.h"
#include "store/lmdb/env_files.h"
#include "store/lmdb/env_format_lmdb.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/stored_value.h"

#define REPAIR_BATCH	    4096 /* puts in one transaction */
#define REPAIR_KEPT_MAX	    9	 /* damaged files beside the data */
#define REPAIR_STORED_BYTES ((size_t)1 << 20)

struct repairing {
	const struct repair *repair;
	struct pages_report report;
	struct env env; /* of the new file */
	struct lmdb_txn view;
	struct arena arena;
	size_t puts; /* in the view's transaction */
	uint64_t items;
};

/* ---- the new file ---- */

static enum err repair_put(struct repairing *r, unsigned db, struct slice key, struct slice value)
{
	enum err e = kv_put(&r->view.kv, db, key, value);
	if (e != OK || ++r->puts < REPAIR_BATCH) {
		return e;
	}
	r->puts = 0;
	e = lmdb_txn_commit(&r->view);
	return e == OK ? lmdb_txn_begin(&r->view, &r->env, true) : e;
}

/* As it is, whether its checksum holds or not: only what holds can be listed. */
static enum err repair_item(struct repairing *r, struct slice key, struct slice stored)
{
	struct index_entries entries = {.n = 0};
	struct slice pk, sk, value;
	uint64_t version;
	if (lost_ranges_have(&r->report.lost, key)) {
		return OK;
	}
	enum err e = repair_put(r, KV_ITEMS, key, stored);
	r->items += e == OK;
	if (e != OK || !key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT ||
	    stored_value_open(key, stored, &version, &value) != OK) {
		return e;
	}
	e = index_entries_of(item_kind_of(pk, sk), key, value, &r->arena, &entries);
	e = e == ERR_NOMEM ? e : OK;
	for (size_t i = 0; i < entries.n && e == OK; i++) {
		e = repair_put(r, KV_INDEX + (unsigned)entries.at[i].index, entries.at[i].key, key);
	}
	arena_reset(&r->arena);
	return e;
}

static enum err repair_entry(void *arg, unsigned db, struct slice key, struct slice value)
{
	struct repairing *r = arg;
	bool has_tokens = !r->report.is_damaged[KV_TOKENS] && !r->report.is_damaged[KV_TOKEN_TIMES];
	switch (db) {
	case KV_META:
		/* The stamp comes before everything else: what an older program may not touch is
		 * left alone. */
		if (slice_eq(key, SLICE("format"))) {
			return env_format_is_known(value) ? OK : ERR_VERSION;
		}
		return slice_eq(key, SLICE(LOST_RANGES_NAME))
			       ? lost_ranges_read(&r->report.lost, value)
			       : repair_put(r, db, key, value);
	case KV_ITEMS:
		return repair_item(r, key, value);
	case KV_TOKENS:
	case KV_TOKEN_TIMES:
		return has_tokens ? repair_put(r, db, key, value) : OK;
	default:
		return OK; /* indexes are made from the items */
	}
}

static enum err repair_fill(struct repairing *r, int fd, const char *directory, struct errmsg *why)
{
	struct env_options o = {.directory = directory,
				.map_bytes = r->repair->map_bytes,
				.no_sync = true};
	struct pages_report again = {.problems = 0};
	struct pages_walk walk = {.fd = fd, .on_entry = repair_entry, .arg = r};
	struct buf lost = {.max = REPAIR_STORED_BYTES};
	enum err e = env_open(&o, &r->env, why);
	if (e != OK) {
		return e;
	}
	e = lmdb_txn_begin(&r->view, &r->env, true);
	e = e == OK ? pages_walk(&walk, &again) : e;
	if (e == OK && r->report.lost.n > 0) {
		lost_ranges_write(&r->report.lost, &lost);
		e = lost.error != OK
			    ? ERR_NOMEM
			    : repair_put(r, KV_META, SLICE(LOST_RANGES_NAME), buf_slice(&lost));
	}
	e = e == OK ? lmdb_txn_commit(&r->view) : e;
	if (r->view.txn != NULL) {
		lmdb_txn_abort(&r->view);
	}
	e = e == OK ? env_sync(&r->env) : e;
	lost_ranges_finish(&again.lost);
	buf_finish(&lost);
	env_close(&r->env);
	arena_finish(&r->arena);
	return e;
}

/* ---- taking the old one's place ---- */

/* Give the damaged file a second name, which is put into `kept`. */
static bool repair_keep(const char *directory, const char *data, char kept[ENV_PATH_BYTES])
{
	for (int i = 1; i <= REPAIR_KEPT_MAX; i++) {
		format_to(kept, ENV_PATH_BYTES, "%s/data.mdb.damaged-%d", directory, i);
		if (link(data, kept) == 0) {
			return true;
		}
		if (errno != EEXIST) {
			return false;
		}
	}
	return false;
}

/* A reader of the damaged file keeps the lock file that belongs to it: the new file gets one of its own. */
static enum err repair_publish(const struct repairing *r, const char *from_directory,
			       struct errmsg *why)
{
	char data[ENV_PATH_BYTES], path[ENV_PATH_BYTES], kept[ENV_PATH_BYTES], line[256];
	const char *directory = r->repair->directory;
	env_files_path(data, directory, "data.mdb");
	if (!repair_keep(directory, data, kept)) {
		errmsg_set(why, "%s: cannot keep the damaged data.mdb under another name",
			   directory);
		return ERR_IO;
	}
	env_files_path(path, directory, "lock.mdb");
	(void)unlink(path);
	env_files_path(path, from_directory, "data.mdb");
	if (rename(path, data) != 0) {
		enum err e = env_err(errno);
		(void)unlink(kept);
		errmsg_set(why, "%s: cannot put the new data.mdb in place", directory);
		return e;
	}
	if (r->repair->on_problem != NULL) {
		size_t len = format_to(line, sizeof(line),
				       "data.mdb was repaired, with %llu items; the damaged one is "
				       "kept as %s",
				       (unsigned long long)r->items, kept + strlen(directory) + 1);
		r->repair->on_problem(r->repair->arg, slice_of(line, len));
	}
	return env_files_sync_directory(directory);
}

enum err repair(const struct repair *repair, struct errmsg *why)
{
	struct repairing r = {.repair = repair};
	const char *directory = repair->directory;
	char path[ENV_PATH_BYTES];
	env_files_path(path, directory, "data.mdb");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		return env_fail(why, directory, "cannot open data.mdb", errno);
	}
	struct pages_walk walk = {.fd = fd, .on_problem = repair->on_problem, .arg = repair->arg};
	enum err e = pages_walk(&walk, &r.report);
	if (e == ERR_CORRUPT || (e == OK && lost_ranges_are_all(&r.report.lost))) {
		errmsg_set(why,
			   "%s: data.mdb is not a data file of ours, or too much of it is damaged; "
			   "restore it from a backup",
			   directory);
		e = ERR_CORRUPT;
	} else if (e != OK) {
		errmsg_set(why, "%s: cannot read data.mdb: %s", directory, err_text(e));
	} else if (r.report.problems > 0) {
		e = env_files_make_temporary(directory, path);
		if (e != OK) {
			errmsg_set(why,
				   "%s: data.mdb is damaged, and there is no place for a new one",
				   directory);
		} else {
			e = repair_fill(&r, fd, path, why);
			if (e != OK) {
				errmsg_set(why,
					   "%s: data.mdb is damaged, and cannot be repaired: %s",
					   directory, err_text(e));
			} else {
				e = repair_publish(&r, path, why);
			}
			env_files_remove_temporary(path);
		}
	}
	close(fd);
	lost_ranges_finish(&r.report.lost);
	return e == ERR_VERSION ? OK : e; /* env_open() refuses what is too new */
}
