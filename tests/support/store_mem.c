/*
 * store_mem.c - see store_mem.h.
 *
 * Everything that is durable is one image. A commit changes it in place and
 * writes down how to take each change back, which is done where it fails: all
 * or nothing, and no dearer where there is much.
 * The databases hold the same bytes as the LMDB engine's. But each scope numbers
 * its own commits, as those of engines that several processes share do.
 */
#include "tests/support/store_mem.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/base/apply.h"
#include "store/base/engine.h"
#include "store/key.h"
#include "store/base/kv.h"
#include "store/base/read.h"
#include "store/stored_value.h"
#include "tests/support/store_mem_image.h"

/* What the commit under way has changed, in order. */
struct mem_journal {
	struct sorted_map_change *at;
	size_t n, capacity;
};

struct mem {
	struct store store;
	struct mem_image image;
	struct sorted_map nodes; /* store_mem_nodes.c */
	struct mem_journal journal;
	struct store_requests waiting;
	struct store_requests done;
	struct apply apply;
	bool is_automatic;
	bool is_settled;
	size_t fail_commits;
	enum err fail_commits_as;
	size_t lose_answers;
	bool breaks_unsure, is_broken;
	size_t fail_reads;
	enum err fail_reads_as;
	size_t delay_commits;
	size_t items_max;
	struct histogram batch;
};

/* ---- images ---- */

static void mem_image_finish(struct mem_image *image)
{
	for (size_t i = 0; i < KV_COUNT; i++) {
		sorted_map_finish(&image->dbs[i]);
	}
	sorted_map_finish(&image->late);
	sorted_map_finish(&image->listed);
}

static enum err mem_image_copy(const struct mem_image *from, struct mem_image *out)
{
	*out = (struct mem_image){.late_n = from->late_n,
				  .commits = from->commits,
				  .floor = from->floor,
				  .published = from->published,
				  .lists_ahead = from->lists_ahead};
	enum err e = sorted_map_copy(&from->late, &out->late);
	e = e == OK ? sorted_map_copy(&from->listed, &out->listed) : e;
	for (size_t i = 0; i < KV_COUNT && e == OK; i++) {
		e = sorted_map_copy(&from->dbs[i], &out->dbs[i]);
	}
	if (e != OK) {
		mem_image_finish(out);
	}
	return e;
}

/* ---- changes, and taking them back ---- */

/* A NULL value: delete. ERR_NOT_FOUND where there is nothing to delete. */
static enum err mem_change(struct mem_journal *j, struct sorted_map *s, struct slice key,
			   const struct slice *value)
{
	if (j->n == j->capacity) {
		size_t capacity = j->capacity == 0 ? 64 : j->capacity * 2;
		struct sorted_map_change *at = realloc(j->at, capacity * sizeof(*at));
		if (at == NULL) {
			return ERR_NOMEM;
		}
		j->at = at;
		j->capacity = capacity;
	}
	enum err e = sorted_map_change(s, key, value, &j->at[j->n]);
	j->n += e == OK;
	return e;
}

/* ---- the view ---- */

struct mem_view {
	struct kv kv;
	struct mem_image *image;
	struct mem_journal *journal; /* NULL: it is only read */
	unsigned scope; /* whose version it shows; MEM_ALL_SCOPES: the greatest of any */
	uint64_t due;	/* commit with which index changes made now appear; 0: at once */
	size_t at[KV_COUNT];
};

#define MEM_ALL_SCOPES (ITEM_SCOPE_DIRECTORY + 1)
#define MEM_VERSION    "version"

/* The key of a scope's version: that of kv.h's "version", and the scope. */
struct mem_version_bytes {
	char bytes[sizeof(MEM_VERSION) - 1 + 2];
};

static bool mem_is_scoped(const struct mem_view *view, unsigned db, struct slice key)
{
	return view->scope != MEM_ALL_SCOPES && db == KV_META && slice_eq(key, SLICE(MEM_VERSION));
}

static struct slice mem_version_key(const struct mem_view *view, struct mem_version_bytes *out)
{
	memcpy(out->bytes, MEM_VERSION, sizeof(MEM_VERSION) - 1);
	out->bytes[sizeof(MEM_VERSION) - 1] = (char)(view->scope >> 8);
	out->bytes[sizeof(MEM_VERSION)] = (char)(view->scope & 0xff);
	return slice_of(out->bytes, sizeof(out->bytes));
}

static struct mem_view *mem_view_of(struct kv *kv)
{
	_Static_assert(offsetof(struct mem_view, kv) == 0, "the view begins with its kv");
	return (struct mem_view *)(void *)kv;
}

static enum err mem_find(struct kv *kv, unsigned db, enum kv_where where, struct slice at,
			 struct slice *key, struct slice *value)
{
	struct mem_view *view = mem_view_of(kv);
	const struct sorted_map *s = &view->image->dbs[db];
	struct mem_version_bytes version;
	at = mem_is_scoped(view, db, at) ? mem_version_key(view, &version) : at;
	size_t i = where == KV_NEXT   ? view->at[db] + 1
		   : where == KV_PREV ? view->at[db]
				      : sorted_map_find(s, at);
	if (where == KV_BELOW || where == KV_PREV) {
		i = i > 0 ? i - 1 : s->n;
	}
	if (i >= s->n || (where == KV_AT && !slice_eq(s->at[i]->key, at))) {
		return ERR_NOT_FOUND;
	}
	view->at[db] = i;
	*key = s->at[i]->key;
	*value = s->at[i]->value;
	return OK;
}

#define MEM_RESERVE   8	 /* of so many items one is reserved */
#define MEM_LATE_HEAD 18 /* bytes: due, number, database, whether it is a put */

/* Write an index change down for later. An index key and an item's key fit twice KEY_BYTES_MAX. */
static enum err mem_put_late(struct mem_view *view, unsigned db, struct slice key,
			     const struct slice *put)
{
	struct slice value = put == NULL ? NO_SLICE : *put;
	unsigned char head[MEM_LATE_HEAD];
	char bytes[2 * KEY_BYTES_MAX + 2];

	key_put_u64(head, view->due);
	key_put_u64(head + 8, view->image->late_n++);
	head[16] = (unsigned char)db;
	head[17] = put != NULL;
	ASSERT_CMP(2 + key.len + value.len, <=, sizeof(bytes));
	bytes[0] = (char)(key.len >> 8);
	bytes[1] = (char)(key.len & 0xff);
	memcpy(bytes + 2, key.data, key.len);
	if (value.len > 0) {
		memcpy(bytes + 2 + key.len, value.data, value.len);
	}
	struct slice late = slice_of(bytes, 2 + key.len + value.len);
	return mem_change(view->journal, &view->image->late, slice_of(head, sizeof(head)), &late);
}

/* Let the index changes happen that are due with the commit under way. */
static enum err mem_catch_up(struct mem_image *image, struct mem_journal *j)
{
	while (image->late.n > 0) {
		const struct sorted_map_entry *entry = image->late.at[0];
		const unsigned char *head = (const unsigned char *)entry->key.data;
		if (key_get_u64(head) > image->commits + 1) {
			return OK;
		}
		const unsigned char *bytes = (const unsigned char *)entry->value.data;
		struct slice key = slice_of(bytes + 2, (size_t)(bytes[0] << 8 | bytes[1]));
		struct slice value = slice_of(bytes + 2 + key.len, entry->value.len - 2 - key.len);
		struct sorted_map *db = &image->dbs[head[16]];
		if (mem_change(j, db, key, head[17] == 0 ? NULL : &value) == ERR_NOMEM ||
		    mem_change(j, &image->late, entry->key, NULL) != OK) {
			return ERR_NOMEM;
		}
	}
	return OK;
}

/* A NULL value: delete. */
static enum err mem_write(struct kv *kv, unsigned db, struct slice key, const struct slice *value)
{
	struct mem_view *view = mem_view_of(kv);
	if (mem_is_listed_ahead(view->image, db, view->scope)) {
		return OK;
	}
	return db >= KV_INDEX && view->due > 0
		       ? mem_put_late(view, db, key, value)
		       : mem_change(view->journal, &view->image->dbs[db], key, value);
}

/* The scope's, and the greatest of any if it is that. */
static enum err mem_put_version(struct mem_view *view, struct slice value)
{
	struct sorted_map *meta = &view->image->dbs[KV_META];
	const struct sorted_map_entry *greatest = sorted_map_get(meta, SLICE(MEM_VERSION));
	struct mem_version_bytes bytes;
	enum err e = mem_change(view->journal, meta, mem_version_key(view, &bytes), &value);
	return e == OK && (greatest == NULL || slice_cmp(greatest->value, value) < 0)
		       ? mem_change(view->journal, meta, SLICE(MEM_VERSION), &value)
		       : e;
}

static enum err mem_put(struct kv *kv, unsigned db, struct slice key, struct slice value)
{
	return mem_is_scoped(mem_view_of(kv), db, key) ? mem_put_version(mem_view_of(kv), value)
						       : mem_write(kv, db, key, &value);
}

static enum err mem_del(struct kv *kv, unsigned db, struct slice key)
{
	return mem_write(kv, db, key, NULL);
}

static const struct kv_ops mem_kv_ops = {mem_find, mem_put, mem_del};

/* ---- what happens ---- */

static struct mem *mem_of(struct store *s)
{
	_Static_assert(offsetof(struct mem, store) == 0, "an engine begins with its store");
	return (struct mem *)(void *)s;
}

/* ---- fences ---- */

#define MEM_FENCE "fence"

/* Of kv.h's databases KV_META has them, under this key. */
struct mem_fence_key {
	char bytes[sizeof(MEM_FENCE) - 1 + 2];
};

static struct slice mem_fence_key(unsigned bucket, struct mem_fence_key *out)
{
	memcpy(out->bytes, MEM_FENCE, sizeof(MEM_FENCE) - 1);
	out->bytes[sizeof(MEM_FENCE) - 1] = (char)(bucket >> 8);
	out->bytes[sizeof(MEM_FENCE)] = (char)(bucket & 0xff);
	return slice_of(out->bytes, sizeof(out->bytes));
}

static struct store_fence mem_fence(const struct mem *m, unsigned bucket)
{
	struct mem_fence_key key;
	struct store_fence fence = {{0}};
	const struct sorted_map_entry *entry =
		sorted_map_get(&m->image.dbs[KV_META], mem_fence_key(bucket, &key));
	if (entry != NULL) {
		memcpy(fence.bytes, entry->value.data, sizeof(fence.bytes));
	}
	return fence;
}

/* Whether a load or a commit of that bucket must not happen. */
static bool mem_is_fenced(const struct mem *m, unsigned bucket, const struct store_fence *fence)
{
	struct store_fence has = mem_fence(m, bucket);
	return !store_fence_is_none(fence) && memcmp(&has, fence, sizeof(has)) != 0;
}

static enum apply_takes mem_takes(const struct mem *m)
{
	size_t n = m->image.dbs[KV_ITEMS].n;
	return m->items_max == 0 || n < m->items_max - m->items_max / MEM_RESERVE ? APPLY_TAKES_ALL
	       : n < m->items_max ? APPLY_TAKES_RESERVED
				  : APPLY_TAKES_NONE;
}

static unsigned mem_scope(const struct store_request *w)
{
	return w->kind == STORE_REQUEST_LOAD	 ? item_scope_of(w->load.pk)
	       : w->kind != STORE_REQUEST_COMMIT ? MEM_ALL_SCOPES
	       : w->commit.n == 0		 ? ITEM_SCOPE_DIRECTORY
						 : item_scope_of(w->commit.ops[0].pk);
}

/* When the next commit's index changes appear: never before those that wait already. */
static uint64_t mem_due(const struct mem *m)
{
	const struct mem_image *image = &m->image;
	uint64_t due = image->commits + 1 + m->delay_commits;
	if (image->late.n == 0) {
		return m->delay_commits == 0 ? 0 : due;
	}
	const struct sorted_map_entry *last = image->late.at[image->late.n - 1];
	uint64_t last_due = key_get_u64((const unsigned char *)last->key.data);
	return last_due > due ? last_due : due;
}

/* Apply a commit to the image. OK where that is to stay. */
static enum err mem_apply(struct mem *m, struct store_request *w)
{
	struct mem_view view = {.kv = {.ops = &mem_kv_ops, .lags = true},
				.image = &m->image,
				.journal = &m->journal,
				.scope = mem_scope(w)};
	enum err e = apply_begin(&m->apply, &view.kv, mem_takes(m));
	if (e != OK) {
		return e;
	}
	m->apply.version = m->apply.version > m->image.floor ? m->apply.version : m->image.floor;
	if (mem_is_fenced(m, view.scope, &w->commit.fence)) {
		e = apply_replay(&m->apply, w);
		return e == ERR_NOT_FOUND ? ERR_FENCED : e;
	}
	view.due = mem_due(m);
	apply_commit(&m->apply, w);
	if (w->result == OK && w->is_written) {
		e = apply_end(&m->apply);
		return e == OK ? mem_catch_up(&m->image, &m->journal) : e;
	}
	return w->result;
}

/* End a commit: what it has changed stays, or is taken back. */
static void mem_settle_journal(struct mem_journal *j, bool stays)
{
	while (j->n > 0) {
		(stays ? sorted_map_forget : sorted_map_undo)(&j->at[--j->n]);
	}
}

static void mem_make_commit(struct mem *m, struct store_request *w)
{
	uint64_t late_n = m->image.late_n;
	w->result = mem_apply(m, w);
	w->is_written = w->is_written && w->result == OK;
	mem_settle_journal(&m->journal, w->is_written);
	if (!w->is_written) {
		m->image.late_n = late_n;
		return;
	}
	m->image.commits++;
	w->published = w->commit.publish.len == 0 ? 0 : ++m->image.published;
	histogram_add(&m->batch, HISTOGRAM_SIZE, 1);
}

static void mem_take(struct mem *m, struct store_request *w)
{
	struct mem_view view = {.kv = {.ops = &mem_kv_ops},
				.image = &m->image,
				.journal = &m->journal,
				.scope = w->take.bucket};
	struct mem_fence_key key;
	struct slice fence = slice_of(w->take.fence.bytes, sizeof(w->take.fence.bytes));
	w->had = mem_fence(m, w->take.bucket);
	w->result = kv_version(&view.kv, &w->version);
	if (w->result != OK || (w->take.gives_up && store_fence_is_none(&w->had))) {
		return;
	}
	if (w->take.gives_up && mem_is_fenced(m, w->take.bucket, &w->take.fence)) {
		w->result = ERR_FENCED;
		return;
	}
	w->result =
		mem_change(&m->journal, &m->image.dbs[KV_META], mem_fence_key(w->take.bucket, &key),
			   w->take.gives_up ? NULL : &fence);
	mem_settle_journal(&m->journal, w->result == OK);
}

static void mem_run(struct mem *m, struct store_request *w)
{
	struct mem_view view = {.kv = {.ops = &mem_kv_ops, .lags = true},
				.image = &m->image,
				.scope = mem_scope(w)};
	bool is_commit = w->kind == STORE_REQUEST_COMMIT;
	size_t *fail = is_commit ? &m->fail_commits : &m->fail_reads;
	if (w->kind == STORE_REQUEST_TAKE) {
		mem_take(m, w);
	} else if (*fail > 0) {
		(*fail)--;
		w->result = is_commit ? m->fail_commits_as : m->fail_reads_as;
	} else if (is_commit) {
		mem_make_commit(m, w);
		if (w->is_written && m->lose_answers > 0) {
			m->lose_answers--;
			w->result = ERR_UNKNOWN;
			m->is_broken = m->breaks_unsure;
		}
	} else if (w->kind == STORE_REQUEST_RENEW || w->kind == STORE_REQUEST_NODES) {
		mem_nodes_run(&m->nodes, w);
	} else if (w->kind == STORE_REQUEST_LOAD && mem_is_fenced(m, view.scope, &w->load.fence)) {
		w->result = ERR_FENCED;
	} else {
		read_run(&view.kv, w);
	}
}

size_t store_mem_run(struct store *s, size_t n)
{
	struct mem *m = mem_of(s);
	size_t ran = 0;
	struct store_request *w;
	while (ran < n && (w = store_requests_pop(&m->waiting)) != NULL) {
		mem_run(m, w);
		store_requests_push(&m->done, w);
		ran++;
	}
	return ran;
}

/* ---- the engine ---- */

static void mem_submit(struct store *s, struct store_request *w)
{
	struct mem *m = mem_of(s);
	if (m->is_settled) {
		w->result = ERR_CLOSED;
		store_requests_push(&m->done, w);
		return;
	}
	store_requests_push(&m->waiting, w);
}

static void mem_collect(struct store *s, struct store_requests *done)
{
	struct mem *m = mem_of(s);
	if (m->is_automatic) {
		(void)store_mem_run(s, SIZE_MAX);
	}
	store_requests_move(&m->done, done);
}

static void mem_status(struct store *s, struct store_status *out)
{
	struct mem *m = mem_of(s);
	*out = (struct store_status){
		.state = m->is_broken ? STORE_BROKEN : apply_state(mem_takes(m)),
		.bytes_used = m->image.dbs[KV_ITEMS].n,
		.bytes_max = m->items_max,
		.batch = m->batch,
	};
}

static void mem_settle(struct store *s)
{
	(void)store_mem_run(s, SIZE_MAX);
	mem_of(s)->is_settled = true;
}

static void mem_destroy(struct store *s)
{
	struct mem *m = mem_of(s);
	mem_image_finish(&m->image);
	sorted_map_finish(&m->nodes);
	free(m->journal.at);
	apply_finish(&m->apply);
	free(m);
}

static const struct engine mem_engine = {
	.submit = mem_submit,
	.collect = mem_collect,
	.status = mem_status,
	.settle = mem_settle,
	.destroy = mem_destroy,
	.token_life_ms = APPLY_TOKEN_LIFE_MS,
	.is_shared = true,
};

/* Takes what is in the image. */
static enum err mem_create(struct mem_image *image, struct store **out)
{
	struct mem *m = malloc(sizeof(*m));
	if (m == NULL) {
		return ERR_NOMEM;
	}
	*m = (struct mem){.image = *image, .is_automatic = true};
	*image = (struct mem_image){.late_n = 0};
	store_init(&m->store, &mem_engine);
	*out = &m->store;
	return OK;
}

enum err store_open_mem(struct store **out)
{
	struct mem_image empty = {.late_n = 0};
	return mem_create(&empty, out);
}

/* ---- for tests ---- */

void store_mem_set_auto(struct store *s, bool automatic)
{
	mem_of(s)->is_automatic = automatic;
}

enum err store_mem_other(struct store *s, const struct store_commit *c, uint64_t *version)
{
	struct mem *m = mem_of(s);
	struct store_request *w;
	enum err e = store_request_of_commit(c, &s->arena, &w);
	ASSERT_CMP(e, ==, OK);
	mem_make_commit(m, w);
	e = w->result;
	*version = w->version;
	if (w->published > 0) {
		w->kind = STORE_REQUEST_PUBLICATION;
		store_requests_push(&m->done, w);
	} else {
		store_request_destroy(w);
	}
	return e;
}

void store_mem_take(struct store *s, const struct store_take *t)
{
	struct store_request w = {.take = *t};
	mem_take(mem_of(s), &w);
	ASSERT_CMP(w.result, ==, OK);
}

struct mem_image *store_mem_image(struct store *s)
{
	return &mem_of(s)->image;
}

bool store_mem_touch(struct store *s, struct slice pk, struct slice sk)
{
	struct mem *m = mem_of(s);
	struct key key;
	uint64_t version;
	struct store_op op = {.kind = STORE_PUT, .pk = pk, .sk = sk};
	key_of_item(&key, pk, sk);
	const struct sorted_map_entry *entry =
		sorted_map_get(&m->image.dbs[KV_ITEMS], key_slice(&key));
	if (entry == NULL) {
		return false;
	}
	enum err e = stored_value_open(key_slice(&key), entry->value, &version, &op.value);
	e = e == OK ? store_mem_other(s, &(struct store_commit){.ops = &op, .n = 1}, &version) : e;
	ASSERT_CMP(e, ==, OK);
	return true;
}

void store_mem_damage(struct store *s, struct slice pk, struct slice sk)
{
	struct sorted_map *items = &mem_of(s)->image.dbs[KV_ITEMS];
	struct sorted_map_change change;
	struct key key;
	key_of_item(&key, pk, sk);
	const struct sorted_map_entry *entry = sorted_map_get(items, key_slice(&key));
	ASSERT(entry != NULL);
	char *flipped = malloc(entry->value.len);
	ASSERT(flipped != NULL);
	memcpy(flipped, entry->value.data, entry->value.len);
	flipped[entry->value.len - 1] ^= 1;
	struct slice value = slice_of(flipped, entry->value.len);
	enum err e = sorted_map_change(items, key_slice(&key), &value, &change);
	ASSERT_CMP(e, ==, OK);
	sorted_map_forget(&change);
	free(flipped);
}

size_t store_mem_waiting(const struct store *s)
{
	return ((const struct mem *)(const void *)s)->waiting.n;
}

void store_mem_fail_commits(struct store *s, size_t n, enum err e)
{
	ASSERT_CMP(e, !=, OK);
	mem_of(s)->fail_commits = n;
	mem_of(s)->fail_commits_as = e;
}

void store_mem_lose_answers(struct store *s, size_t n)
{
	mem_of(s)->lose_answers = n;
}

void store_mem_break_unsure(struct store *s)
{
	mem_of(s)->breaks_unsure = true;
}

void store_mem_fail_reads(struct store *s, size_t n, enum err e)
{
	ASSERT_CMP(e, !=, OK);
	mem_of(s)->fail_reads = n;
	mem_of(s)->fail_reads_as = e;
}

void store_mem_delay_indexes(struct store *s, size_t commits)
{
	mem_of(s)->delay_commits = commits;
}

void store_mem_set_items_max(struct store *s, size_t items)
{
	mem_of(s)->items_max = items;
}

uint64_t store_mem_published(const struct store *s)
{
	return ((const struct mem *)(const void *)s)->image.published;
}

void store_mem_raise_versions(struct store *s, const struct store *other)
{
	const struct mem *lost = (const struct mem *)(const void *)other;
	const struct sorted_map_entry *greatest =
		sorted_map_get(&lost->image.dbs[KV_META], SLICE(MEM_VERSION));
	uint64_t floor =
		greatest == NULL ? 0 : key_get_u64((const unsigned char *)greatest->value.data);
	floor = floor > lost->image.floor ? floor : lost->image.floor;
	mem_of(s)->image.floor = floor;
}

enum err store_mem_crash(struct store *s, struct store **out)
{
	struct mem_image copy;
	enum err e = mem_image_copy(&mem_of(s)->image, &copy);
	if (e == OK) {
		e = mem_create(&copy, out);
		mem_image_finish(&copy);
	}
	return e;
}
