/*
 * admin_check_lmdb.c - whether the data are consistent.
 *
 * Pages first; where these are sound, items, tokens and the entries of indexes, one after the
 * other (check.h).
 */
#include "store/admin/admin.h"

#include <lmdb.h>

#include "proto/base/format.h"
#include "store/admin/admin_child.h"
#include "store/base/check.h"
#include "store/key.h"
#include "store/lmdb/txn_lmdb.h"

#define SCAN_TRIES 100 /* to begin a snapshot that a writer does not overtake at once */

struct scan {
	struct admin_child *child;
	struct lmdb_txn view;
	struct env env;
	struct check check;
	bool has_bad_pages; /* the engine must not be let near them */
};

/* ---- pages ---- */

static void scan_on_problem(void *arg, struct slice line)
{
	struct scan *c = arg;
	c->child->counts.problems++;
	admin_child_line(c->child, line);
	admin_child_flush(c->child); /* what is damaged may end us next */
}

/* A view, and its pages walked. */
static enum err scan_begin(struct scan *c)
{
	enum err e = ERR_BUSY;
	for (int tries = 0; tries < SCAN_TRIES && e == ERR_BUSY; tries++) {
		struct pages_report report = {.problems = 0};
		e = lmdb_txn_begin(&c->view, &c->env, false);
		if (e != OK) {
			return e;
		}
		struct pages_walk walk = {.fd = c->env.data_fd,
					  .is_snapshot = true,
					  .txnid = mdb_txn_id(c->view.txn),
					  .on_problem = scan_on_problem,
					  .arg = c};
		e = pages_walk(&walk, &report);
		lost_ranges_finish(&report.lost);
		if (e == ERR_CORRUPT) {
			scan_on_problem(c,
					SLICE("the head of the file, or its list of databases, is "
					      "damaged"));
			e = OK;
		}
		if (e != OK) {
			lmdb_txn_abort(&c->view);
		}
	}
	c->has_bad_pages = c->child->counts.problems > 0;
	return e;
}

static void scan_report_lost(struct scan *c)
{
	for (size_t i = 0; i < c->env.lost.n; i++) {
		char from[64], to[64], line[256];
		const struct lost_range *r = &c->env.lost.at[i];
		check_show_pk(from, sizeof(from), key_slice(&r->from));
		check_show_pk(to, sizeof(to), key_slice(&r->to));
		size_t len = format_to(line, sizeof(line),
				       "items from %s to %s were lost when damaged pages were "
				       "dropped; requests for them are refused",
				       from[0] == '\0' ? "the first" : from,
				       r->has_end ? to : "the last");
		scan_on_problem(c, slice_of(line, len));
		c->child->counts.lost++;
	}
}

/* ---- everything ---- */

static void scan_count(struct admin_counts *counts, unsigned db, struct slice key)
{
	struct slice pk, sk;
	counts->items += db == KV_ITEMS;
	counts->index_entries += db >= KV_INDEX;
	if (db == KV_ITEMS && key_split(key, &pk, &sk) && item_kind_of(pk, sk) != ITEM_COUNT) {
		counts->items_of[item_kind_of(pk, sk)]++;
	}
}

static enum err scan_database(struct scan *c, unsigned db)
{
	struct slice key, value;
	enum err e = kv_find(&c->view.kv, db, KV_FROM, NO_SLICE, &key, &value);
	while (e == OK) {
		scan_count(&c->child->counts, db, key);
		e = check_entry(&c->check, db, key, value);
		e = e == OK ? kv_find(&c->view.kv, db, KV_NEXT, NO_SLICE, &key, &value) : e;
	}
	if (e == ERR_CORRUPT) {
		check_problem(&c->check, "database",
			      slice_str(db < KV_INDEX ? "of items" : "of an index"),
			      "has damaged pages; entries after them were not checked");
	}
	return e == ERR_NOT_FOUND || e == ERR_CORRUPT ? OK : e;
}

enum err admin_check_scan(struct admin_child *child)
{
	struct scan c = {.child = child};
	c.check = (struct check){.kv = &c.view.kv, .on_problem = scan_on_problem, .arg = &c};
	struct env_options o = {.directory = child->task->directory,
				.read_only = true,
				.owner = child->task->owner};
	enum err e = env_open(&o, &c.env, &child->why);
	if (e != OK) {
		return e;
	}
	e = scan_begin(&c);
	if (e == OK) {
		scan_report_lost(&c);
		if (!c.has_bad_pages) {
			e = kv_version(&c.view.kv, &c.check.version);
			if (e == ERR_CORRUPT) {
				check_problem(&c.check, "meta", SLICE("version"), "is damaged");
				e = OK;
			}
			for (unsigned db = 0; db < KV_COUNT && e == OK; db++) {
				e = scan_database(&c, db);
			}
		}
		lmdb_txn_abort(&c.view);
	}
	env_close(&c.env);
	arena_finish(&c.check.arena);
	if (e != OK) {
		errmsg_set(&child->why, "%s: %s", child->task->directory, err_text(e));
	} else if (child->counts.problems > 0) {
		errmsg_set(&child->why,
			   c.has_bad_pages ? "%s: data.mdb is damaged: %llu problems, and items "
					     "not checked because of them"
					   : "%s: %llu problems",
			   child->task->directory, (unsigned long long)child->counts.problems);
		e = ERR_CORRUPT;
	}
	return e;
}

enum err admin_check(const char *directory, struct slice owner, admin_line_cb *on_problem,
		     void *arg, struct admin_counts *counts, struct errmsg *why)
{
	const struct admin_task task = {.scan = admin_check_scan,
					.directory = directory,
					.owner = owner,
					.on_line = on_problem,
					.arg = arg};
	return admin_child_run(&task, counts, why);
}
