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

#include "proto/base/format.h"
#include "store/base/index.h"
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
	struct key behind; /* the least key behind the last item that was kept */
	bool is_gap;	   /* what came after it is lost */
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

static bool repair_lacks_entries(const struct repairing *r)
{
	for (unsigned db = KV_INDEX; db < KV_COUNT; db++) {
		if (r->report.is_damaged[db]) {
			return true;
		}
	}
	return false;
}

static void repair_set_behind(struct repairing *r, struct slice key)
{
	bool fits = key.len < sizeof(r->behind.bytes);
	memcpy(r->behind.bytes, key.data, key.len); /* a key of LMDB fits */
	r->behind.len = key.len + fits;
	if (fits) {
		r->behind.bytes[key.len] = 0;
	}
}

/* Up to and without the key. It may be altered, so what was lost had any key from the item before on. */
static enum err repair_end_gap(struct repairing *r, struct slice to)
{
	enum err e =
		r->is_gap ? lost_ranges_add(&r->report.lost, key_slice(&r->behind), to, false) : OK;
	r->is_gap = false;
	return e;
}

/*
 * As it is, whether its checksum holds or not. Only what holds can be listed: what does not is still listed
 * where it was, unless such entries may be missing. Then it is lost, as no list could say that it lacks it.
 */
static enum err repair_item(struct repairing *r, struct slice key, struct slice stored)
{
	struct index_entries entries = {.n = 0};
	struct slice pk, sk, value;
	uint64_t version;
	if (lost_ranges_have(&r->report.lost, key)) {
		return OK;
	}
	bool holds = stored_value_open(key, stored, &version, &value) == OK;
	if (!holds && repair_lacks_entries(r)) {
		r->is_gap = true;
		return OK;
	}
	enum err e = repair_end_gap(r, key);
	e = e == OK ? repair_put(r, KV_ITEMS, key, stored) : e;
	r->items += e == OK;
	repair_set_behind(r, key);
	if (e != OK || !holds || !key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT) {
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

/* Indexes are made from the items, but for the entries of those that cannot be read. */
static enum err repair_listing(struct repairing *r, unsigned db, struct slice key,
			       struct slice item_key)
{
	struct slice stored, value;
	uint64_t version;
	if (lost_ranges_have(&r->report.lost, item_key)) {
		return OK;
	}
	enum err e = kv_get(&r->view.kv, KV_ITEMS, item_key, &stored);
	if (e == OK && stored_value_open(item_key, stored, &version, &value) == OK) {
		return OK;
	}
	return e == OK || e == ERR_NOT_FOUND ? repair_put(r, db, key, item_key) : e;
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
	default: /* these come behind the items */
		return repair_listing(r, db, key, value);
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
	e = e == OK ? repair_end_gap(r, NO_SLICE) : e;
	e = e == OK ? lost_ranges_merge(&r->report.lost) : e;
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
		errmsg_set(why, "%s: cannot keep the damaged data.mdb under a new name", directory);
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
		size_t len = format_to(
			line, sizeof(line),
			"data.mdb was repaired, with %llu items; the damaged file is kept as %s",
			(unsigned long long)r->items, kept + strlen(directory) + 1);
		r->repair->on_problem(r->repair->arg, slice_of(line, len));
	}
	enum err e = env_files_sync_directory(directory);
	if (e != OK) {
		errmsg_set(why, "%s: cannot sync the directory", directory);
	}
	return e;
}

/* LMDB maps the file: what lies behind its end must not be touched. */
static bool repair_is_needless(int fd)
{
	struct pages_walk walk = {.fd = fd, .is_brief = true};
	struct pages_report report = {.problems = 0};
	enum err e = pages_walk(&walk, &report);
	lost_ranges_finish(&report.lost);
	return e == OK && report.problems == 0 && !report.is_short;
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
	if (repair->is_brief && repair_is_needless(fd)) {
		close(fd);
		return OK;
	}
	struct pages_walk walk = {.fd = fd,
				  .on_problem = repair->on_problem,
				  .on_progress = repair->on_progress,
				  .arg = repair->arg};
	enum err e = pages_walk(&walk, &r.report);
	if (e == ERR_CORRUPT || (e == OK && lost_ranges_are_all(&r.report.lost))) {
		errmsg_set(why,
			   "%s: data.mdb is not an aye data file, or is too damaged; restore it "
			   "from a backup",
			   directory);
		e = ERR_CORRUPT;
	} else if (e != OK) {
		errmsg_set(why, "%s: cannot read data.mdb: %s", directory, err_text(e));
	} else if (r.report.problems > 0) {
		e = env_files_make_temporary(directory, path);
		if (e != OK) {
			errmsg_set(why, "%s: data.mdb is damaged, without space for a new one",
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
