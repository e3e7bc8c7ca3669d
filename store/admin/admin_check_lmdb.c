/*
 * admin_check_lmdb.c - whether the data are consistent.
 *
 * Pages first; where these are sound, items, each with the index entries it should
 * have; then the indexes, each entry with the item it should have; then tokens. A
 * key is reported by its PK and the beginning of its SK: enough to find it, too
 * little of a secret's hash.
 */
#include "store/admin/admin.h"

#include <lmdb.h>

#include "proto/format.h"
#include "store/admin/admin_child.h"
#include "store/index.h"
#include "store/key.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/stored_value.h"

#define CHECK_SK_SHOWN 16
#define CHECK_TRIES    100 /* to begin a snapshot that a writer does not overtake at once */

struct check {
	struct admin_child *child;
	struct lmdb_txn view;
	struct env env;
	struct arena arena;
	uint64_t version;
	bool has_bad_pages; /* the engine must not be let near them */
};

/* Bytes of a key that may be anything, as far as they are plain. */
static void check_show(char *out, size_t cap, struct slice s, size_t max)
{
	size_t len = s.len < max ? s.len : max;
	len = len < cap - 1 ? len : cap - 1;
	for (size_t i = 0; i < len; i++) {
		out[i] = s.data[i] > ' ' && s.data[i] < 0x7f ? s.data[i] : '?';
	}
	out[len] = '\0';
}

static void check_problem(struct check *c, const char *what, struct slice key, const char *problem)
{
	char pk_text[64], sk_text[CHECK_SK_SHOWN + 1], line[256];
	struct slice pk = key, sk = {NULL, 0};
	(void)key_split(key, &pk, &sk);
	check_show(pk_text, sizeof(pk_text), pk, sizeof(pk_text));
	check_show(sk_text, sizeof(sk_text), sk, CHECK_SK_SHOWN);
	size_t len = format_to(line, sizeof(line), "%s %s %s%s: %s", what, pk_text, sk_text,
			       sk.len > CHECK_SK_SHOWN ? "..." : "", problem);
	c->child->counts.problems++;
	admin_child_line(c->child, slice_of(line, len));
	admin_child_flush(c->child); /* what is damaged may end us next */
}

/* ---- items ---- */

static enum err check_is_listed(struct check *c, enum item_kind kind, struct slice key,
				struct slice value, bool says_unlisted)
{
	struct index_entries entries;
	enum err e = index_entries_of(kind, key, value, &c->arena, &entries);
	if (e == OK && entries.n > 0 && says_unlisted) {
		check_problem(c, "item", key, "says that no index lists it");
	}
	for (size_t i = 0; i < entries.n && e == OK; i++) {
		struct slice leads_to;
		unsigned db = KV_INDEX + (unsigned)entries.at[i].index;
		e = kv_get(&c->view.kv, db, entries.at[i].key, &leads_to);
		if (e == ERR_NOT_FOUND || (e == OK && !slice_eq(leads_to, key))) {
			check_problem(c, "item", key, "is missing from an index");
			e = OK;
		}
	}
	return e;
}

/* ERR_NOMEM, or an error of the engine; problems of the item are reported and are OK. */
static enum err check_item(struct check *c, struct slice key, struct slice stored)
{
	struct slice pk, sk, value;
	struct fault fault;
	char problem[128];
	uint64_t version;
	void *item;

	if (!key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT) {
		check_problem(c, "item", key, "is of no known kind");
		return OK;
	}
	enum item_kind kind = item_kind_of(pk, sk);
	c->child->counts.items_of[kind]++;
	if (stored_value_open(key, stored, &version, &value) != OK) {
		check_problem(c, "item", key, "the checksum does not hold");
		return OK;
	}
	if (version > c->version) {
		check_problem(c, "item", key, "has a version that no commit had");
	}
	enum err e = item_decode(kind, value, RECORD_LENIENT, &c->arena, &item, &fault);
	if (e == OK) {
		e = check_is_listed(c, kind, key, value, stored_value_is_unlisted(stored));
	} else if (e != ERR_NOMEM) {
		format_to(problem, sizeof(problem), "does not decode: %s",
			  e == ERR_INVALID ? fault.field : err_text(e));
		check_problem(c, "item", key, problem);
	}
	arena_reset(&c->arena);
	return e == ERR_NOMEM || e == ERR_IO ? e : OK;
}

/* ---- indexes ---- */

static enum err check_entry(struct check *c, enum index_id index, struct slice key,
			    struct slice item_key)
{
	const struct index_entry entry = {.index = index, .key = key};
	struct index_entries entries;
	struct slice pk, sk, stored, value;
	uint64_t version;

	enum err e = kv_get(&c->view.kv, KV_ITEMS, item_key, &stored);
	if (e == ERR_NOT_FOUND || e == ERR_CORRUPT || !key_split(item_key, &pk, &sk)) {
		check_problem(c, index_names[index], item_key, "leads to no item");
		return OK;
	}
	if (e != OK) {
		return e;
	}
	if (stored_value_open(item_key, stored, &version, &value) != OK) {
		return OK; /* reported with the item */
	}
	e = index_entries_of(item_kind_of(pk, sk), item_key, value, &c->arena, &entries);
	if (e == OK && !index_entries_have(&entries, &entry)) {
		check_problem(c, index_names[index], item_key,
			      "lists the item where it does not belong");
	}
	arena_reset(&c->arena);
	return e == ERR_NOMEM ? e : OK;
}

/* ---- beside the items ---- */

static enum err check_token(struct check *c, struct slice key, struct slice value)
{
	unsigned char when[8 + 16];
	struct slice found;
	if (key.len != 16 || value.len != 16 ||
	    key_get_u64((const unsigned char *)value.data) > c->version) {
		check_problem(c, "token", SLICE("-"), "is damaged");
		return OK;
	}
	memcpy(when, value.data + 8, 8);
	memcpy(when + 8, key.data, 16);
	enum err e = kv_get(&c->view.kv, KV_TOKEN_TIMES, slice_of(when, sizeof(when)), &found);
	if (e == ERR_NOT_FOUND) {
		check_problem(c, "token", SLICE("-"), "would never be forgotten");
		return OK;
	}
	return e;
}

/* ---- pages ---- */

static void check_on_page(void *arg, struct slice line)
{
	struct check *c = arg;
	c->child->counts.problems++;
	admin_child_line(c->child, line);
	admin_child_flush(c->child);
}

/* A view, and its pages walked. */
static enum err check_begin(struct check *c)
{
	enum err e = ERR_BUSY;
	for (int tries = 0; tries < CHECK_TRIES && e == ERR_BUSY; tries++) {
		struct pages_report report = {.problems = 0};
		e = lmdb_txn_begin(&c->view, &c->env, false);
		if (e != OK) {
			return e;
		}
		struct pages_walk walk = {.fd = c->env.data_fd,
					  .is_snapshot = true,
					  .txnid = mdb_txn_id(c->view.txn),
					  .on_problem = check_on_page,
					  .arg = c};
		e = pages_walk(&walk, &report);
		lost_ranges_finish(&report.lost);
		if (e == ERR_CORRUPT) {
			check_on_page(c, SLICE("the head of the file, or its list of databases, is "
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

static void check_report_lost(struct check *c)
{
	for (size_t i = 0; i < c->env.lost.n; i++) {
		char from[64], to[64], line[256];
		const struct lost_range *r = &c->env.lost.at[i];
		struct slice from_pk = key_slice(&r->from), to_pk = key_slice(&r->to), sk;
		(void)key_split(from_pk, &from_pk, &sk);
		(void)key_split(to_pk, &to_pk, &sk);
		check_show(from, sizeof(from), from_pk, sizeof(from));
		check_show(to, sizeof(to), to_pk, sizeof(to));
		size_t len = format_to(line, sizeof(line),
				       "items from %s to %s were lost when damaged pages were left "
				       "out; these partitions are refused",
				       from[0] == '\0' ? "the first" : from,
				       r->has_end ? to : "the last");
		check_on_page(c, slice_of(line, len));
		c->child->counts.lost++;
	}
}

/* ---- everything ---- */

static enum err check_database(struct check *c, unsigned db)
{
	struct slice key, value;
	enum err e = kv_find(&c->view.kv, db, KV_FROM, NO_SLICE, &key, &value);
	while (e == OK) {
		if (db == KV_ITEMS) {
			c->child->counts.items++;
			e = check_item(c, key, value);
		} else if (db == KV_TOKENS) {
			e = check_token(c, key, value);
		} else if (db >= KV_INDEX) {
			c->child->counts.index_entries++;
			e = check_entry(c, (enum index_id)(db - KV_INDEX), key, value);
		}
		e = e == OK ? kv_find(&c->view.kv, db, KV_NEXT, NO_SLICE, &key, &value) : e;
	}
	if (e == ERR_CORRUPT) {
		check_problem(c, "database", slice_str(db < KV_INDEX ? "of items" : "of an index"),
			      "has damaged pages; entries behind them were not checked");
	}
	return e == ERR_NOT_FOUND || e == ERR_CORRUPT ? OK : e;
}

enum err admin_check_scan(struct admin_child *child)
{
	struct check c = {.child = child};
	struct env_options o = {.directory = child->task->directory,
				.read_only = true,
				.owner = child->task->owner};
	enum err e = env_open(&o, &c.env, &child->why);
	if (e != OK) {
		return e;
	}
	e = check_begin(&c);
	if (e == OK) {
		check_report_lost(&c);
		if (!c.has_bad_pages) {
			e = kv_version(&c.view.kv, &c.version);
			if (e == ERR_CORRUPT) {
				check_problem(&c, "meta", SLICE("version"), "is damaged");
				e = OK;
			}
			for (unsigned db = 0; db < KV_COUNT && e == OK; db++) {
				e = check_database(&c, db);
			}
		}
		lmdb_txn_abort(&c.view);
	}
	env_close(&c.env);
	arena_finish(&c.arena);
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

enum err admin_check(const char *directory, admin_line_cb *on_problem, void *arg,
		     struct admin_counts *counts, struct errmsg *why)
{
	const struct admin_task task = {.scan = admin_check_scan,
					.directory = directory,
					.on_line = on_problem,
					.arg = arg};
	return admin_child_run(&task, counts, why);
}
