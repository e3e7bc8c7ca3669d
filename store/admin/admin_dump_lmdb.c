/*
 * admin_dump_lmdb.c - the data as JSON lines; admin_load_lmdb.c reads them.
 */
#include "store/admin/admin.h"

#include "store/admin/admin_child.h"
#include "store/admin/admin_conceal.h"
#include "store/admin/admin_line.h"
#include "store/key.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/stored_value.h"

#define DUMP_LINE_MAX ((size_t)1 << 23)

struct dump {
	struct admin_child *child;
	struct admin_conceal conceal;
	struct buf line;
};

static enum err dump_item(struct dump *d, struct slice key, struct slice stored)
{
	struct slice pk, sk, value;
	uint64_t version;
	if (!key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT ||
	    stored_value_open(key, stored, &version, &value) != OK) {
		return ERR_CORRUPT;
	}
	enum item_kind kind = item_kind_of(pk, sk);
	enum err e = d->child->task->with_hidden
			     ? OK
			     : admin_conceal_item(&d->conceal, kind, pk, &value);
	buf_clear(&d->line);
	e = e == OK ? admin_line_write(pk, sk, value, &d->line) : e;
	if (e != OK) {
		return e == ERR_NOMEM ? e : ERR_CORRUPT;
	}
	d->child->counts.items++;
	d->child->counts.items_of[kind]++;
	admin_child_line(d->child, buf_slice(&d->line));
	return OK;
}

static enum err dump_scan(struct admin_child *c)
{
	struct env_options o = {.directory = c->task->directory, .read_only = true};
	struct dump d = {.child = c};
	struct slice key, stored;
	struct lmdb_txn v;
	struct env env;
	enum err e = env_open(&o, &env, &c->why);
	if (e != OK) {
		return e;
	}
	e = lmdb_txn_begin(&v, &env, false);
	if (e == OK) {
		buf_init(&d.line, DUMP_LINE_MAX);
		e = kv_find(&v.kv, KV_ITEMS, KV_FROM, NO_SLICE, &key, &stored);
		while (e == OK) {
			e = dump_item(&d, key, stored);
			e = e == OK ? kv_find(&v.kv, KV_ITEMS, KV_NEXT, NO_SLICE, &key, &stored)
				    : e;
		}
		e = e == ERR_NOT_FOUND ? OK : e;
		c->counts.hidden = d.conceal.hidden;
		buf_finish(&d.line);
		admin_conceal_finish(&d.conceal);
		lmdb_txn_abort(&v);
	}
	env_close(&env);
	if (e != OK) {
		errmsg_set(&c->why, "%s: after %llu items: %s", c->task->directory,
			   (unsigned long long)c->counts.items, err_text(e));
	}
	return e;
}

enum err admin_dump(const char *directory, bool with_hidden, admin_line_cb *on_line, void *arg,
		    struct admin_counts *counts, struct errmsg *why)
{
	const struct admin_task task = {.scan = dump_scan,
					.directory = directory,
					.with_hidden = with_hidden,
					.on_line = on_line,
					.arg = arg};
	return admin_child_run(&task, counts, why);
}
