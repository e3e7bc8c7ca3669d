/*
 * mend_lmdb.c - see mend_lmdb.h.
 *
 * The new file is filled in a directory beside, and takes the old one's name
 * when it is whole and on the disk. A crash leaves one or the other.
 */
#include "store/lmdb/mend_lmdb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/format.h"
#include "store/index.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/stored_value.h"

#define MEND_PATH_BYTES	  4096
#define MEND_BATCH	  4096 /* puts in one transaction */
#define MEND_KEPT_MAX	  9    /* damaged files beside the data */
#define MEND_STORED_BYTES ((size_t)1 << 20)

struct mending {
	const struct mend *mend;
	struct pages_report report;
	struct env env; /* of the new file */
	struct lmdb_txn view;
	struct arena arena;
	size_t puts; /* in the view's transaction */
	uint64_t items;
};

/* ---- what is lost, as bytes ---- */

static void mend_put_key(struct buf *out, const struct key *k)
{
	unsigned char len[2] = {(unsigned char)(k->len >> 8), (unsigned char)(k->len & 0xff)};
	(void)buf_append(out, len, sizeof(len));
	(void)buf_append_slice(out, key_slice(k));
}

/* For each range its beginning and its end, each after its length; the end of one without has none. */
static void mend_write_lost(const struct pages_report *r, struct buf *out)
{
	static const struct key none;
	for (size_t i = 0; i < r->ranges_n; i++) {
		mend_put_key(out, &r->ranges[i].from);
		mend_put_key(out, r->ranges[i].has_end ? &r->ranges[i].to : &none);
	}
}

static bool mend_take_key(struct slice *in, struct key *out)
{
	const unsigned char *at = (const unsigned char *)in->data;
	size_t len = in->len < 2 ? SIZE_MAX : (size_t)at[0] << 8 | at[1];
	if (in->len < 2 || len > sizeof(out->bytes) || len > in->len - 2) {
		return false;
	}
	memcpy(out->bytes, at + 2, len);
	out->len = len;
	*in = slice_of(in->data + 2 + len, in->len - 2 - len);
	return true;
}

enum err mend_read_lost(struct slice stored, struct pages_report *out)
{
	while (stored.len > 0) {
		struct pages_range range;
		if (!mend_take_key(&stored, &range.from) || !mend_take_key(&stored, &range.to)) {
			return ERR_CORRUPT;
		}
		range.has_end = range.to.len > 0;
		enum err e = pages_add_ranges(out, &range, 1);
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

static bool range_has(const struct pages_range *r, struct slice key)
{
	return slice_cmp(key_slice(&r->from), key) <= 0 &&
	       (!r->has_end || slice_cmp(key, key_slice(&r->to)) < 0);
}

bool mend_refuses(const struct pages_report *lost, struct slice pk)
{
	struct key first, behind;
	if (lost->ranges_n == 0) {
		return false;
	}
	key_of_item(&first, pk, SLICE(""));
	behind = first;
	behind.bytes[behind.len - 1] = 1; /* it was the 00 between PK and SK */
	for (size_t i = 0; i < lost->ranges_n; i++) {
		const struct pages_range *r = &lost->ranges[i];
		if (slice_cmp(key_slice(&r->from), key_slice(&behind)) < 0 &&
		    (!r->has_end || slice_cmp(key_slice(&r->to), key_slice(&first)) > 0)) {
			return true;
		}
	}
	return false;
}

/* ---- the new file ---- */

static enum err mend_put(struct mending *m, unsigned db, struct slice key, struct slice value)
{
	enum err e = m->view.kv.ops->put(&m->view.kv, db, key, value);
	if (e != OK || ++m->puts < MEND_BATCH) {
		return e;
	}
	m->puts = 0;
	e = lmdb_txn_commit(&m->view);
	return e == OK ? lmdb_txn_begin(&m->view, &m->env, true) : e;
}

/* As it is, whether its checksum holds or not: only what holds can be listed. */
static enum err mend_item(struct mending *m, struct slice key, struct slice stored)
{
	struct index_entries entries = {.n = 0};
	struct slice pk, sk, value;
	uint64_t version;
	for (size_t i = 0; i < m->report.ranges_n; i++) {
		if (range_has(&m->report.ranges[i], key)) {
			return OK;
		}
	}
	enum err e = mend_put(m, KV_ITEMS, key, stored);
	m->items += e == OK;
	if (e != OK || !key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT ||
	    stored_value_open(key, stored, &version, &value) != OK) {
		return e;
	}
	e = index_entries_of(item_kind_of(pk, sk), key, value, &m->arena, &entries);
	e = e == ERR_NOMEM ? e : OK;
	for (size_t i = 0; i < entries.n && e == OK; i++) {
		e = mend_put(m, KV_INDEX + (unsigned)entries.at[i].index, entries.at[i].key, key);
	}
	arena_reset(&m->arena);
	return e;
}

/* The stamp comes before everything else: what an older program may not touch is left alone. */
static enum err mend_meta(struct mending *m, struct slice key, struct slice value)
{
	if (slice_eq(key, SLICE("format"))) {
		return env_knows_stamp(value) ? OK : ERR_VERSION;
	}
	if (slice_eq(key, SLICE(MEND_LOST))) {
		return mend_read_lost(value, &m->report);
	}
	return mend_put(m, KV_META, key, value);
}

static enum err mend_entry(void *arg, unsigned db, struct slice key, struct slice value)
{
	struct mending *m = arg;
	bool has_tokens = !m->report.is_damaged[KV_TOKENS] && !m->report.is_damaged[KV_TOKEN_TIMES];
	switch (db) {
	case KV_META:
		return mend_meta(m, key, value);
	case KV_ITEMS:
		return mend_item(m, key, value);
	case KV_TOKENS:
	case KV_TOKEN_TIMES:
		return has_tokens ? mend_put(m, db, key, value) : OK;
	default:
		return OK; /* indexes are made from the items */
	}
}

static enum err mend_fill_view(struct mending *m, int fd)
{
	struct pages_report again = {.problems = 0};
	struct pages_walk walk = {.fd = fd, .on_entry = mend_entry, .arg = m};
	struct buf lost = {.max = MEND_STORED_BYTES};
	enum err e = pages_walk(&walk, &again);
	pages_finish(&again);
	if (e == OK && m->report.ranges_n > 0) {
		mend_write_lost(&m->report, &lost);
		e = lost.error != OK ? ERR_NOMEM
				     : mend_put(m, KV_META, SLICE(MEND_LOST), buf_slice(&lost));
	}
	buf_finish(&lost);
	return e;
}

static enum err mend_fill(struct mending *m, int fd, const char *directory, struct errmsg *why)
{
	struct env_options o = {.directory = directory,
				.map_bytes = m->mend->map_bytes,
				.no_sync = true};
	enum err e = env_open(&o, &m->env, why);
	if (e != OK) {
		return e;
	}
	e = lmdb_txn_begin(&m->view, &m->env, true);
	if (e == OK) {
		e = mend_fill_view(m, fd);
		if (e == OK) {
			e = lmdb_txn_commit(&m->view);
		} else if (m->view.txn != NULL) {
			lmdb_txn_abort(&m->view);
		}
	}
	e = e == OK ? env_sync(&m->env) : e;
	env_close(&m->env);
	arena_finish(&m->arena);
	return e;
}

/* ---- taking the old one's place ---- */

static void mend_path(char out[MEND_PATH_BYTES], const char *directory, const char *name)
{
	format_to(out, MEND_PATH_BYTES, "%s/%s", directory, name);
}

static void mend_remove(const char *directory)
{
	static const char *const names[] = {"data.mdb", "lock.mdb", "writer.lock"};
	char path[MEND_PATH_BYTES];
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		mend_path(path, directory, names[i]);
		(void)unlink(path);
	}
	(void)rmdir(directory);
}

/* Give the damaged file a second name, which is put into `kept`. */
static bool mend_keep(const char *directory, const char *data, char kept[MEND_PATH_BYTES])
{
	for (int i = 1; i <= MEND_KEPT_MAX; i++) {
		format_to(kept, MEND_PATH_BYTES, "%s/data.mdb.damaged-%d", directory, i);
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
static enum err mend_publish(const struct mending *m, const char *from_directory,
			     struct errmsg *why)
{
	char data[MEND_PATH_BYTES], path[MEND_PATH_BYTES], kept[MEND_PATH_BYTES], line[256];
	const char *directory = m->mend->directory;
	mend_path(data, directory, "data.mdb");
	if (!mend_keep(directory, data, kept)) {
		errmsg_set(why, "%s: cannot keep the damaged data.mdb under another name",
			   directory);
		return ERR_IO;
	}
	mend_path(path, directory, "lock.mdb");
	(void)unlink(path);
	mend_path(path, from_directory, "data.mdb");
	if (rename(path, data) != 0) {
		enum err e = env_err(errno);
		(void)unlink(kept);
		errmsg_set(why, "%s: cannot put the new data.mdb in place", directory);
		return e;
	}
	if (m->mend->on_problem != NULL) {
		size_t len = format_to(line, sizeof(line),
				       "data.mdb was written anew with %llu items; the damaged "
				       "one is kept as %s",
				       (unsigned long long)m->items, kept + strlen(directory) + 1);
		m->mend->on_problem(m->mend->arg, slice_of(line, len));
	}
	return env_sync_directory(directory);
}

static enum err mend_write(struct mending *m, int fd, struct errmsg *why)
{
	char temporary[MEND_PATH_BYTES];
	mend_path(temporary, m->mend->directory, "mending-XXXXXX");
	if (mkdtemp(temporary) == NULL) {
		enum err e = env_err(errno);
		errmsg_set(why, "%s: data.mdb is damaged, and there is no place to write it anew",
			   m->mend->directory);
		return e;
	}
	enum err e = mend_fill(m, fd, temporary, why);
	if (e != OK) {
		errmsg_set(why, "%s: data.mdb is damaged, and cannot be written anew: %s",
			   m->mend->directory, err_text(e));
	} else {
		e = mend_publish(m, temporary, why);
	}
	mend_remove(temporary);
	return e == ERR_VERSION ? OK : e;
}

static bool mend_has_nothing(const struct pages_report *r)
{
	return r->ranges_n == 1 && r->ranges[0].from.len == 0 && !r->ranges[0].has_end;
}

static enum err mend_file(struct mending *m, int fd, struct errmsg *why)
{
	struct pages_walk walk = {.fd = fd, .on_problem = m->mend->on_problem, .arg = m->mend->arg};
	enum err e = pages_walk(&walk, &m->report);
	if (e == ERR_CORRUPT || (e == OK && mend_has_nothing(&m->report))) {
		errmsg_set(why,
			   "%s: data.mdb is not a data file of ours, or too much of it is damaged; "
			   "restore it from a backup",
			   m->mend->directory);
		return ERR_CORRUPT;
	}
	if (e != OK) {
		errmsg_set(why, "%s: cannot read data.mdb: %s", m->mend->directory, err_text(e));
		return e;
	}
	return m->report.problems == 0 ? OK : mend_write(m, fd, why);
}

enum err mend(const struct mend *mend, struct errmsg *why)
{
	struct mending m = {.mend = mend};
	char path[MEND_PATH_BYTES];
	if (strlen(mend->directory) > MEND_PATH_BYTES / 2) {
		errmsg_set(why, "the directory's name is too long");
		return ERR_IO;
	}
	mend_path(path, mend->directory, "data.mdb");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		enum err e = env_err(errno);
		errmsg_set(why, "%s: cannot open data.mdb: %s", mend->directory,
			   env_err_text(errno));
		return e;
	}
	enum err e = mend_file(&m, fd, why);
	close(fd);
	pages_finish(&m.report);
	return e;
}
