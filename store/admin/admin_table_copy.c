/*
 * admin_table_copy.c - all items of one table to another, and whether they have arrived.
 *
 * The source is walked in key order. What is read goes into commits of one room, or of the directory, many of
 * which are under way; each expects its items to be absent. Then the copy is checked, and walked as well: a
 * hash over keys and values in key order must be the same.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "store/admin/admin_table.h"

#define COPY_OPS	 256 /* of one commit */
#define COPY_BYTES	 262144
#define COPY_OUTSTANDING 512 /* commits */

/* ---- what a table has ---- */

struct content {
	crypto_generichash_state state;
	uint64_t items;
	unsigned char hash[crypto_generichash_BYTES];
};

static void content_begin(struct content *c)
{
	c->items = 0;
	(void)crypto_generichash_init(&c->state, NULL, 0, sizeof(c->hash));
}

static void content_add(struct content *c, const struct store_item *item)
{
	const struct slice parts[] = {item->pk, item->sk, item->value};
	c->items++;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		uint64_t len = parts[i].len;
		unsigned char bytes[8];
		for (size_t b = 0; b < sizeof(bytes); b++) {
			bytes[b] = (unsigned char)(len >> 8 * b);
		}
		(void)crypto_generichash_update(&c->state, bytes, sizeof(bytes));
		(void)crypto_generichash_update(&c->state, (const unsigned char *)parts[i].data,
						parts[i].len);
	}
}

static void content_end(struct content *c)
{
	(void)crypto_generichash_final(&c->state, c->hash, sizeof(c->hash));
}

/* ---- writing ---- */

struct copy {
	const struct admin_table *to;
	int64_t now_ms;
	struct admin_counts *counts;
	struct content content;
	struct errmsg *why;
	/* the commit that is put together, in: */
	struct arena arena;
	struct store_op ops[COPY_OPS];
	size_t n, bytes;
	size_t outstanding;
	uint64_t partitions, partitions_all; /* of the progress */
	bool is_over;	 /* the copying: the last commit to be answered frees this */
	enum err failed; /* a commit, the first that did */
};

static void copy_free(struct copy *c)
{
	arena_finish(&c->arena);
	free(c);
}

static void on_made(void *arg, enum err e, uint64_t version)
{
	struct copy *c = arg;
	(void)version;
	c->outstanding--;
	c->failed = c->failed == OK ? e : c->failed;
	if (c->is_over && c->outstanding == 0) {
		copy_free(c);
	}
}

/* Until at most so many commits are under way, or somebody stops it: then the answers may be long in coming. */
static enum err copy_drain(struct copy *c, size_t most)
{
	(void)store_poll(c->to->store);
	while (c->outstanding > most) {
		enum err e = admin_table_progress(c->to, ADMIN_COPYING, c->partitions,
						  c->partitions_all, c->why);
		if (e != OK) {
			return e;
		}
		c->to->wait(c->to->wait_arg);
		(void)store_poll(c->to->store);
	}
	return OK;
}

static enum err copy_fail(const struct copy *c)
{
	if (c->failed == ERR_CONFLICT) {
		errmsg_set(c->why, "%s: already has some of these items", c->to->name);
		return ERR_CONFLICT;
	}
	return admin_table_fail(c->to, c->failed, c->why);
}

static enum err copy_commit(struct copy *c)
{
	const struct store_commit commit = {.ops = c->ops, .n = c->n, .now_ms = c->now_ms};
	size_t most = COPY_OUTSTANDING;
	enum err e = c->n == 0 ? OK : ERR_BUSY;
	while (e == ERR_BUSY) {
		enum err stopped = copy_drain(c, most);
		if (stopped != OK) {
			return stopped;
		}
		e = store_commit(c->to->store, &commit, on_made, c);
		most = c->outstanding - 1;
	}
	c->outstanding += c->n > 0 && e == OK;
	c->n = 0;
	c->bytes = 0;
	arena_reset(&c->arena);
	if (e != OK) {
		return admin_table_fail(c->to, e, c->why);
	}
	return c->failed == OK ? OK : copy_fail(c);
}

/* A commit is one room's, or the directory's. */
static bool copy_fits(const struct copy *c, const struct store_item *item)
{
	if (c->n == 0) {
		return true;
	}
	struct slice pk = c->ops[0].pk;
	bool is_directory = item_scope_of(pk) == ITEM_SCOPE_DIRECTORY &&
			    item_scope_of(item->pk) == ITEM_SCOPE_DIRECTORY;
	return c->n < COPY_OPS && c->bytes + item->value.len <= COPY_BYTES &&
	       (is_directory || slice_eq(pk, item->pk));
}

static enum err copy_item(struct copy *c, const struct store_item *item)
{
	bool ok = true;
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	if (kind == ITEM_COUNT) {
		errmsg_set(c->why, "an item of the source is of no known kind");
		return ERR_CORRUPT;
	}
	enum err e = copy_fits(c, item) ? OK : copy_commit(c);
	if (e != OK) {
		return e;
	}
	c->ops[c->n++] = (struct store_op){.kind = STORE_PUT,
					   .expect = STORE_EXPECT_ABSENT,
					   .pk = arena_copy(&c->arena, item->pk, &ok),
					   .sk = arena_copy(&c->arena, item->sk, &ok),
					   .value = arena_copy(&c->arena, item->value, &ok)};
	c->bytes += item->value.len;
	c->counts->items++;
	c->counts->items_of[kind]++;
	content_add(&c->content, item);
	return ok ? OK : admin_table_fail(c->to, ERR_NOMEM, c->why);
}

static enum err copy_page(void *arg, const struct store_item *items, size_t n, bool is_torn)
{
	struct copy *c = arg;
	enum err e = OK;
	(void)is_torn; /* nobody changes the source meanwhile */
	for (size_t i = 0; i < n && e == OK; i++) {
		e = copy_item(c, &items[i]);
	}
	return e;
}

/* ---- looking whether all has arrived ---- */

static enum err compare_page(void *arg, const struct store_item *items, size_t n, bool is_torn)
{
	struct content *content = arg;
	(void)is_torn;
	for (size_t i = 0; i < n; i++) {
		content_add(content, &items[i]);
	}
	return OK;
}

static bool copy_on_problem(void *arg, struct slice line)
{
	(void)arg, (void)line; /* they are counted, and all are reason enough */
	return true;
}

static enum err copy_compare(const struct copy *c, struct errmsg *why)
{
	struct admin_counts counts;
	struct content there;
	enum err e = admin_table_check(c->to, copy_on_problem, NULL, &counts, why);
	if (e != OK) {
		return e;
	}
	c->counts->index_entries = counts.index_entries;
	content_begin(&there);
	e = admin_table_walk(c->to, ADMIN_CHECKING, compare_page, &there, why);
	content_end(&there);
	if (e == OK && (there.items != c->content.items ||
			memcmp(there.hash, c->content.hash, sizeof(there.hash)) != 0)) {
		errmsg_set(why, "%s: the copy differs: %llu items, of %llu", c->to->name,
			   (unsigned long long)there.items, (unsigned long long)c->content.items);
		e = ERR_CORRUPT;
	}
	return e;
}

/* Progress is the target's to tell: it knows both. */
static bool copy_on_progress(void *arg, enum admin_step step, uint64_t partitions, uint64_t all)
{
	struct copy *c = arg;
	c->partitions = partitions;
	c->partitions_all = all;
	return c->to->on_progress == NULL ||
	       c->to->on_progress(c->to->progress_arg, step, partitions, all);
}

enum err admin_table_copy(const struct admin_table *from, const struct admin_table *to,
			  int64_t now_ms, struct admin_counts *counts, struct errmsg *why)
{
	struct copy *c = calloc(1, sizeof(*c));
	struct admin_table source = *from;
	*counts = (struct admin_counts){.items = 0};
	if (c == NULL) {
		return admin_table_fail(to, ERR_NOMEM, why);
	}
	c->to = to;
	c->now_ms = now_ms;
	c->counts = counts;
	c->why = why;
	source.on_progress = copy_on_progress;
	source.progress_arg = c;
	content_begin(&c->content);
	enum err e = admin_table_walk(&source, ADMIN_COPYING, copy_page, c, why);
	e = e == OK ? copy_commit(c) : e;
	e = e == OK ? copy_drain(c, 0) : e;
	e = e == OK && c->failed != OK ? copy_fail(c) : e;
	content_end(&c->content);
	e = e == OK ? copy_compare(c, why) : e;
	c->is_over = true;
	if (c->outstanding == 0) {
		copy_free(c);
	}
	return e;
}
