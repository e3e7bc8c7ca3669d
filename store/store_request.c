/*
 * store_request.c - see store_request.h.
 */
#include "store/store_request.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/key.h"

#define STORE_FOUND_BYTES_MAX	((size_t)1 << 30)
#define STORE_CHECK_LINES_BYTES ((size_t)STORE_CHECK_ENTRIES * 4096)

static struct store_request *store_request_create(enum store_request_kind kind, size_t more_bytes)
{
	size_t bytes = sizeof(struct store_request) + more_bytes;
	struct store_request *w = malloc(bytes);
	if (w != NULL) {
		*w = (struct store_request){.kind = kind, .bytes = bytes};
	}
	return w;
}

/* Let the slice point to a copy of its bytes, which is made at `at`; returns what is behind it. */
static char *store_request_keep(char *at, struct slice *s)
{
	if (s->len == 0) {
		*s = (struct slice){NULL, 0};
		return at;
	}
	memcpy(at, s->data, s->len);
	s->data = at;
	return at + s->len;
}

struct store_request *store_request_of_load(const struct store_load *l)
{
	ASSERT(key_fits(l->pk, l->sk_prefix));
	ASSERT(key_fits(l->pk, l->after));
	ASSERT(key_fits(l->pk, l->tail_prefix));
	ASSERT(item_scope_of(l->pk) != ITEM_SCOPE_DIRECTORY || store_fence_is_none(&l->fence));
	if (l->is_exact) {
		ASSERT_CMP(l->sk_prefix.len, >, 0);
		ASSERT_CMP(l->after.len + l->limit + l->tail_prefix.len, ==, 0);
		ASSERT(!l->is_descending);
	}
	struct store_request *w =
		store_request_create(STORE_REQUEST_LOAD, l->pk.len + l->sk_prefix.len +
								 l->after.len + l->tail_prefix.len);
	if (w != NULL) {
		w->load = *l;
		char *at = store_request_keep((char *)(w + 1), &w->load.pk);
		at = store_request_keep(at, &w->load.sk_prefix);
		at = store_request_keep(at, &w->load.after);
		(void)store_request_keep(at, &w->load.tail_prefix);
	}
	return w;
}

_Static_assert(STORE_CURSOR_BYTES_MAX == KEY_BYTES_MAX, "a cursor is a key of an index");

size_t store_cursor(struct slice partition, int64_t sort, struct slice pk, struct slice sk,
		    char out[STORE_CURSOR_BYTES_MAX])
{
	struct key item, entry;
	key_of_item(&item, pk, sk);
	key_of_entry(&entry, partition, sort, key_slice(&item));
	memcpy(out, entry.bytes, entry.len);
	return entry.len;
}

bool store_cursor_sort(struct slice partition, struct slice cursor, int64_t *sort)
{
	return key_entry_in(cursor, partition, sort);
}

struct store_request *store_request_of_query(const struct store_query *q)
{
	ASSERT(q->index < INDEX_COUNT);
	ASSERT(q->limit > 0 && q->limit <= STORE_QUERY_MAX);
	ASSERT_CMP(q->partition.len, <=, KEY_PARTITION_BYTES_MAX);
	ASSERT_CMP(q->cursor.len, <=, STORE_CURSOR_BYTES_MAX);
	struct store_request *w =
		store_request_create(STORE_REQUEST_QUERY, q->partition.len + q->cursor.len);
	if (w != NULL) {
		w->query = *q;
		char *at = store_request_keep((char *)(w + 1), &w->query.partition);
		(void)store_request_keep(at, &w->query.cursor);
	}
	return w;
}

struct store_request *store_request_of_count(const struct store_count *c)
{
	ASSERT(c->index < INDEX_COUNT);
	ASSERT(c->at_most > 0 && c->at_most <= STORE_COUNT_MAX);
	ASSERT_CMP(c->partition.len, <=, KEY_PARTITION_BYTES_MAX);
	struct store_request *w = store_request_create(STORE_REQUEST_COUNT, c->partition.len);
	if (w != NULL) {
		w->count = *c;
		(void)store_request_keep((char *)(w + 1), &w->count.partition);
	}
	return w;
}

static struct store_request *store_request_with_cursor(enum store_request_kind kind,
						       struct slice cursor)
{
	struct store_request *w = store_request_create(kind, cursor.len);
	if (w != NULL) {
		w->cursor = cursor;
		(void)store_request_keep((char *)(w + 1), &w->cursor);
	}
	return w;
}

struct store_request *store_request_of_partitions(struct slice cursor)
{
	ASSERT_CMP(cursor.len, <=, STORE_CURSOR_BYTES_MAX);
	return store_request_with_cursor(STORE_REQUEST_PARTITIONS, cursor);
}

struct store_request *store_request_of_check(struct slice cursor)
{
	ASSERT_CMP(cursor.len, <=, STORE_CHECK_CURSOR_BYTES_MAX);
	struct store_request *w = store_request_with_cursor(STORE_REQUEST_CHECK, cursor);
	if (w != NULL) {
		w->found.bytes.max = STORE_CHECK_LINES_BYTES;
	}
	return w;
}

struct store_request *store_request_of_take(const struct store_take *t)
{
	ASSERT_CMP(t->bucket, <, ITEM_BUCKETS);
	ASSERT(!store_fence_is_none(&t->fence));
	struct store_request *w = store_request_create(STORE_REQUEST_TAKE, 0);
	if (w != NULL) {
		w->take = *t;
	}
	return w;
}

struct store_request *store_request_of_renewal(const struct store_renewal *r)
{
	ASSERT_CMP(r->node, >, 0);
	ASSERT_CMP(r->life_ms, >, 0);
	ASSERT_CMP(r->value.len, <=, STORE_NODE_BYTES_MAX);
	struct store_request *w = store_request_create(STORE_REQUEST_RENEW, r->value.len);
	if (w != NULL) {
		w->renewal = *r;
		(void)store_request_keep((char *)(w + 1), &w->renewal.value);
	}
	return w;
}

struct store_request *store_request_of_nodes(void)
{
	return store_request_create(STORE_REQUEST_NODES, 0);
}

struct store_request *store_request_of_publication(uint64_t number, struct slice body)
{
	struct store_request *w = store_request_create(STORE_REQUEST_PUBLICATION, body.len);
	if (w != NULL) {
		w->published = number;
		w->commit.publish = body;
		(void)store_request_keep((char *)(w + 1), &w->commit.publish);
	}
	return w;
}

/*
 * The value of a put must decode when it is loaded again. The server's codec has just written
 * it, so this finds bugs of programs, not of input: every test and the simulator run with it.
 * ERR_NOMEM: it could not be checked.
 */
static enum err store_request_check_value(const struct store_op *op, struct arena *arena)
{
	enum item_kind kind = item_kind_of(op->pk, op->sk);
	struct fault fault;
	void *item;

	ASSERT_CMP(kind, !=, ITEM_COUNT);
	if (!ASSERT_SLOW) {
		return OK;
	}
	arena_reset(arena);
	enum err e = item_decode(kind, op->value, RECORD_STRICT, arena, &item, &fault);
	ASSERT(e == OK || e == ERR_NOMEM);
	return e;
}

enum err store_request_of_commit(const struct store_commit *c, struct arena *arena,
				 struct store_request **out)
{
	_Static_assert(sizeof(struct store_request) % _Alignof(struct store_op) == 0,
		       "ops follow the struct");
	bool is_room = c->n > 0 && slice_starts(c->ops[0].pk, SLICE("ROOM:"));
	size_t bytes = c->n * sizeof(struct store_op) + c->publish.len;
	ASSERT(c->publish.len == 0 || !is_room);
	ASSERT(is_room || store_fence_is_none(&c->fence));
	ASSERT_CMP(c->publish.len, <=, STORE_PUBLISH_BYTES_MAX);
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		ASSERT(key_fits(op->pk, op->sk));
		/* One room's partition, or the directory's: never two rooms, never both. */
		ASSERT(is_room ? slice_eq(op->pk, c->ops[0].pk)
			       : !slice_starts(op->pk, SLICE("ROOM:")));
		ASSERT(op->kind != STORE_DELETE_PREFIX || op->expect == STORE_EXPECT_ANY);
		enum err e = op->kind == STORE_PUT ? store_request_check_value(op, arena) : OK;
		if (e != OK) {
			return e;
		}
		bytes += op->pk.len + op->sk.len + op->value.len;
	}
	struct store_request *w = store_request_create(STORE_REQUEST_COMMIT, bytes);
	if (w == NULL) {
		return ERR_NOMEM;
	}
	struct store_op *ops = (struct store_op *)(void *)(w + 1);
	char *at = (char *)(ops + c->n);
	for (size_t i = 0; i < c->n; i++) {
		ops[i] = c->ops[i];
		at = store_request_keep(at, &ops[i].pk);
		at = store_request_keep(at, &ops[i].sk);
		at = store_request_keep(at, &ops[i].value);
	}
	w->commit = *c;
	w->commit.ops = ops;
	(void)store_request_keep(at, &w->commit.publish);
	*out = w;
	return OK;
}

void store_request_destroy(struct store_request *w)
{
	if (w != NULL) {
		store_found_finish(&w->found);
		free(w);
	}
}

bool store_token_is_none(const struct store_token *t)
{
	static const struct store_token none;
	return memcmp(t->bytes, none.bytes, sizeof(none.bytes)) == 0;
}

bool store_fence_is_none(const struct store_fence *f)
{
	static const struct store_fence none;
	return memcmp(f->bytes, none.bytes, sizeof(none.bytes)) == 0;
}

enum err store_found_add(struct store_found *f, struct slice pk, struct slice sk,
			 struct slice value, uint64_t version)
{
	if (f->n == f->capacity) {
		size_t capacity = f->capacity == 0 ? 16 : f->capacity * 2;
		struct store_item *items = realloc(f->items, capacity * sizeof(*items));
		if (items == NULL) {
			return ERR_NOMEM;
		}
		f->items = items;
		f->capacity = capacity;
	}
	f->bytes.max = STORE_FOUND_BYTES_MAX;
	(void)buf_append_slice(&f->bytes, pk);
	(void)buf_append_slice(&f->bytes, sk);
	(void)buf_append_slice(&f->bytes, value);
	if (f->bytes.error != OK) {
		return ERR_NOMEM;
	}
	f->items[f->n++] = (struct store_item){.pk = {NULL, pk.len},
					       .sk = {NULL, sk.len},
					       .value = {NULL, value.len},
					       .version = version};
	return OK;
}

enum err store_found_next(struct store_found *f, struct slice next)
{
	f->bytes.max = STORE_FOUND_BYTES_MAX;
	f->next.len = next.len;
	return buf_append_slice(&f->bytes, next) == OK ? OK : ERR_NOMEM;
}

void store_found_settle(struct store_found *f)
{
	const char *at = f->bytes.data;
	for (size_t i = 0; i < f->n; i++) {
		struct slice *parts[] = {&f->items[i].pk, &f->items[i].sk, &f->items[i].value};
		for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
			parts[p]->data = at;
			at += parts[p]->len;
		}
	}
	if (f->next.len > 0) {
		f->next.data = at;
	}
}

void store_found_finish(struct store_found *f)
{
	buf_finish(&f->bytes);
	free(f->items);
	*f = (struct store_found){.n = 0};
}

void store_requests_push(struct store_requests *q, struct store_request *w)
{
	w->next = NULL;
	if (q->last == NULL) {
		q->first = w;
	} else {
		q->last->next = w;
	}
	q->last = w;
	q->n++;
}

struct store_request *store_requests_pop(struct store_requests *q)
{
	struct store_request *w = q->first;
	if (w != NULL) {
		q->first = w->next;
		q->last = q->first == NULL ? NULL : q->last;
		q->n--;
		w->next = NULL;
	}
	return w;
}

void store_requests_move(struct store_requests *from, struct store_requests *to)
{
	if (from->first == NULL) {
		return;
	}
	if (to->last == NULL) {
		to->first = from->first;
	} else {
		to->last->next = from->first;
	}
	to->last = from->last;
	to->n += from->n;
	*from = (struct store_requests){NULL, NULL, 0};
}
