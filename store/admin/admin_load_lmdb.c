/*
 * admin_load_lmdb.c - new data from the lines of a dump.
 *
 * The lines go into data of their own, in a directory beside: only when all of
 * them are there and on the disk does the file take its place.
 */
#include "store/admin/admin.h"

#include <errno.h>
#include <lmdb.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/json.h"
#include "store/admin/admin_line.h"
#include "store/base/apply.h"
#include "store/key.h"
#include "store/lmdb/env_files.h"
#include "store/lmdb/txn_lmdb.h"

#define LOAD_LINE_MAX ((size_t)1 << 23)
#define LOAD_BATCH    1024 /* lines */

struct load {
	struct env env;
	struct apply apply;
	struct arena arena;
	struct buf value;
	uint64_t line; /* number of the line, from 1 */
	struct admin_counts *counts;
	struct errmsg *why;
};

static enum err load_refuse(struct load *l, const char *problem, const char *detail)
{
	errmsg_set(l->why, "line %llu: %s%s%s", (unsigned long long)l->line, problem,
		   detail[0] == '\0' ? "" : ": ", detail);
	return ERR_INVALID;
}

static enum err load_line(struct load *l, struct slice text)
{
	struct fault fault = {.code = FAULT_NONE};
	struct admin_line line;
	struct errmsg problem = {""};
	void *item;

	buf_clear(&l->value);
	arena_reset(&l->arena);
	enum err e = json_to_bytes(text, &l->value, &problem);
	if (e == ERR_INVALID) {
		return load_refuse(l, problem.text, "");
	}
	if (e == OK) {
		e = record_from_bytes(&record_admin_line, buf_slice(&l->value), RECORD_STRICT,
				      &l->arena, &line, &fault);
	}
	if (e == ERR_PROTO || e == ERR_TOO_LARGE) {
		return load_refuse(l, "too large or too deep", "");
	}
	if (e != OK) {
		return e == ERR_INVALID ? load_refuse(l, fault.field, fault.message) : e;
	}
	if (!key_fits(line.pk, line.sk)) {
		return load_refuse(l, "the keys are too long", "");
	}
	enum item_kind kind = item_kind_of(line.pk, line.sk);
	if (kind == ITEM_COUNT) {
		return load_refuse(l, "no kind of item has these keys", "");
	}
	e = item_decode(kind, line.value, RECORD_STRICT, &l->arena, &item, &fault);
	if (e == ERR_PROTO) {
		return load_refuse(l, "the value is too large or too deep", "");
	}
	if (e != OK) {
		return e == ERR_INVALID ? load_refuse(l, fault.field, fault.message) : e;
	}
	struct store_op op = {.kind = STORE_PUT,
			      .expect = STORE_EXPECT_ABSENT,
			      .pk = line.pk,
			      .sk = line.sk,
			      .value = line.value};
	struct store_request w = {.kind = STORE_REQUEST_COMMIT, .commit = {.ops = &op, .n = 1}};
	apply_commit(&l->apply, &w);
	if (w.result == ERR_CONFLICT) {
		return load_refuse(l, "repeats an item", "");
	}
	if (w.result == OK) {
		l->counts->items++;
		l->counts->items_of[kind]++;
	}
	return w.result;
}

/* One transaction. ERR_NOT_FOUND where there are no more lines. */
static enum err load_batch(struct load *l, admin_next_cb *next, void *arg)
{
	struct lmdb_txn v;
	struct slice text;
	enum err e = lmdb_txn_begin(&v, &l->env, true);
	if (e != OK) {
		return e;
	}
	e = apply_begin(&l->apply, &v.kv, APPLY_TAKES_ALL);
	for (int n = 0; n < LOAD_BATCH && e == OK; n++) {
		e = next(arg, &text);
		if (e == OK) {
			l->line++;
			e = text.len == 0 ? OK : load_line(l, text);
		}
	}
	bool was_last = e == ERR_NOT_FOUND;
	e = e == OK || was_last ? apply_end(&l->apply) : e;
	if (e != OK) {
		lmdb_txn_abort(&v);
		return e;
	}
	e = lmdb_txn_commit(&v);
	return e == OK && was_last ? ERR_NOT_FOUND : e;
}

/* Fill the data in `directory`, which is new, and see them to the disk. */
static enum err load_fill(struct load *l, const char *directory, admin_next_cb *next, void *arg)
{
	struct env_options o = {.directory = directory, .no_sync = true};
	enum err e = env_open(&o, &l->env, l->why);
	if (e != OK) {
		return e;
	}
	buf_init(&l->value, LOAD_LINE_MAX);
	do {
		e = load_batch(l, next, arg);
	} while (e == OK);
	bool is_full = e == ERR_NOT_FOUND;
	e = is_full ? env_sync(&l->env) : e;
	env_close(&l->env);
	apply_finish(&l->apply);
	arena_finish(&l->arena);
	buf_finish(&l->value);
	if (e != OK && is_full) {
		errmsg_set(l->why, "%s: cannot sync data.mdb", directory);
	} else if (e != OK && e != ERR_INVALID) {
		errmsg_set(l->why, "after line %llu: %s", (unsigned long long)l->line, err_text(e));
	}
	return e;
}

enum err admin_load(const char *directory, admin_next_cb *next, void *arg,
		    struct admin_counts *counts, struct errmsg *why)
{
	struct load l = {.counts = counts, .why = why};
	char temporary[ENV_PATH_BYTES];
	bool exists = false;

	*counts = (struct admin_counts){.items = 0};
	enum err e = env_files_find(directory, &exists, why);
	if (exists) {
		errmsg_set(why, "%s: already has data", directory);
		return ERR_CONFLICT;
	}
	if (e != OK) {
		return e;
	}
	e = env_files_make_temporary(directory, temporary);
	if (e != OK) {
		errmsg_set(why, "%s: %s", directory, mdb_strerror(errno));
		return e;
	}
	e = load_fill(&l, temporary, next, arg);
	if (e == OK) {
		e = env_files_publish(temporary, directory, why);
	}
	env_files_remove_temporary(temporary);
	return e;
}
