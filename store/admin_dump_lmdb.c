/*
 * admin_dump_lmdb.c - the data as JSON lines; admin_load_lmdb.c reads them.
 */
#include "store/admin.h"

#include "store/admin_child.h"
#include "store/admin_line.h"
#include "store/envelope.h"
#include "store/key.h"
#include "store/view_lmdb.h"

#define DUMP_LINE_MAX ((size_t)1 << 23)

static enum err dump_item(struct admin_child *c, struct slice key, struct slice stored,
			  struct buf *out)
{
	struct slice pk, sk, value;
	uint64_t version;
	if (!key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT ||
	    envelope_open(key, stored, &version, &value) != OK) {
		return ERR_CORRUPT;
	}
	buf_clear(out);
	enum err e = admin_line_write(pk, sk, value, out);
	if (e != OK) {
		return e == ERR_NOMEM ? e : ERR_CORRUPT;
	}
	c->counts.items++;
	c->counts.items_of[item_kind_of(pk, sk)]++;
	admin_child_line(c, buf_slice(out));
	return OK;
}

static enum err dump_items(struct admin_child *c, struct kv *kv)
{
	struct buf line;
	struct slice key, stored;
	buf_init(&line, DUMP_LINE_MAX);
	enum err e = kv->ops->seek(kv, KV_ITEMS, (struct slice){NULL, 0}, &key, &stored);
	while (e == OK) {
		e = dump_item(c, key, stored, &line);
		if (e == OK) {
			e = kv->ops->next(kv, KV_ITEMS, &key, &stored);
		}
	}
	buf_finish(&line);
	return e == ERR_NOT_FOUND ? OK : e;
}

static enum err dump_scan(struct admin_child *c)
{
	struct env_options o = {.directory = c->directory, .read_only = true};
	struct view v;
	struct env env;
	enum err e = env_open(&o, &env, &c->why);
	if (e != OK) {
		return e;
	}
	e = view_begin(&v, &env, false);
	if (e == OK) {
		e = dump_items(c, &v.kv);
		view_abort(&v);
	}
	env_close(&env);
	if (e != OK) {
		errmsg_set(&c->why, "%s: after %llu items: %s", c->directory,
			   (unsigned long long)c->counts.items, err_text(e));
	}
	return e;
}

enum err admin_dump(const char *directory, admin_line_cb *on_line, void *arg,
		    struct admin_counts *counts, struct errmsg *why)
{
	return admin_child_run(dump_scan, directory, on_line, arg, counts, why);
}
