/*
 * store_request.c - see store_request.h.
 */
#include "store/store_request.h"

#include <stdlib.h>

#include "proto/assert.h"
#include "store/key.h"

#define STORE_FOUND_BYTES_MAX ((size_t)1 << 30)

/* Bytes behind a struct store_request, handed out one slice after the other. */
struct store_request_room {
	char *at;
	char *end;
};

static struct slice store_request_keep(struct store_request_room *room, struct slice s)
{
	if (s.len == 0) {
		return (struct slice){NULL, 0};
	}
	ASSERT_CMP(s.len, <=, (size_t)(room->end - room->at));
	memcpy(room->at, s.data, s.len);
	struct slice kept = slice_of(room->at, s.len);
	room->at += s.len;
	return kept;
}

static struct store_request *store_request_create(enum store_request_kind kind, size_t ops_bytes,
						  size_t slices_bytes,
						  struct store_request_room *room)
{
	_Static_assert(sizeof(struct store_request) % _Alignof(struct store_op) == 0,
		       "ops follow the struct");
	size_t bytes = sizeof(struct store_request) + ops_bytes + slices_bytes;
	struct store_request *w = malloc(bytes);
	if (w == NULL) {
		return NULL;
	}
	*w = (struct store_request){.kind = kind, .bytes = bytes};
	room->at = (char *)(w + 1) + ops_bytes;
	room->end = (char *)w + bytes;
	return w;
}

struct store_request *store_request_of_load(const struct store_load *l)
{
	struct store_request_room room;
	ASSERT(key_fits(l->pk, l->sk_prefix));
	ASSERT(key_fits(l->pk, l->after));
	ASSERT(key_fits(l->pk, l->tail_prefix));
	if (l->is_exact) {
		ASSERT_CMP(l->sk_prefix.len, >, 0);
		ASSERT_CMP(l->after.len + l->limit + l->tail_prefix.len, ==, 0);
		ASSERT(!l->is_descending);
	}
	size_t bytes = l->pk.len + l->sk_prefix.len + l->after.len + l->tail_prefix.len;
	struct store_request *w = store_request_create(STORE_REQUEST_LOAD, 0, bytes, &room);
	if (w != NULL) {
		w->load = *l;
		w->load.pk = store_request_keep(&room, l->pk);
		w->load.sk_prefix = store_request_keep(&room, l->sk_prefix);
		w->load.after = store_request_keep(&room, l->after);
		w->load.tail_prefix = store_request_keep(&room, l->tail_prefix);
	}
	return w;
}

_Static_assert(STORE_CURSOR_BYTES_MAX == KEY_BYTES_MAX, "a cursor is a key of an index");

struct store_request *store_request_of_query(const struct store_query *q)
{
	struct store_request_room room;
	ASSERT(q->index < INDEX_COUNT);
	ASSERT(q->limit > 0 && q->limit <= STORE_QUERY_MAX);
	ASSERT_CMP(q->partition.len, <=, KEY_PARTITION_BYTES_MAX);
	ASSERT_CMP(q->cursor.len, <=, STORE_CURSOR_BYTES_MAX);
	struct store_request *w = store_request_create(STORE_REQUEST_QUERY, 0,
						       q->partition.len + q->cursor.len, &room);
	if (w != NULL) {
		w->q = *q;
		w->q.partition = store_request_keep(&room, q->partition);
		w->q.cursor = store_request_keep(&room, q->cursor);
	}
	return w;
}

struct store_request *store_request_of_count(const struct store_count *c)
{
	struct store_request_room room;
	ASSERT(c->index < INDEX_COUNT);
	ASSERT(c->at_most > 0 && c->at_most <= STORE_COUNT_MAX);
	ASSERT_CMP(c->partition.len, <=, KEY_PARTITION_BYTES_MAX);
	struct store_request *w =
		store_request_create(STORE_REQUEST_COUNT, 0, c->partition.len, &room);
	if (w != NULL) {
		w->count = *c;
		w->count.partition = store_request_keep(&room, c->partition);
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

	ASSERT_CMP(kind, !=, ITEM_COUNT);
	if (!ASSERT_SLOW) {
		return OK;
	}
	const struct record *rec = item_rows[kind].record;
	arena_reset(arena);
	void *item = arena_alloc(arena, rec->size);
	if (item == NULL) {
		return ERR_NOMEM;
	}
	enum err e = record_from_bytes(rec, op->value, RECORD_STRICT, arena, item, &fault);
	if (e == ERR_NOMEM) {
		return e;
	}
	ASSERT_CMP(e, ==, OK);
	return OK;
}

/* One room's partition, or the directory's: never two rooms, never both. */
static void store_request_check_partitions(const struct store_commit *c)
{
	bool is_room = c->n > 0 && slice_starts(c->ops[0].pk, SLICE("ROOM:"));
	for (size_t i = 1; i < c->n; i++) {
		if (is_room) {
			ASSERT(slice_eq(c->ops[i].pk, c->ops[0].pk));
		} else {
			ASSERT(!slice_starts(c->ops[i].pk, SLICE("ROOM:")));
		}
	}
}

static enum err store_request_check_commit(const struct store_commit *c, struct arena *arena)
{
	store_request_check_partitions(c);
	for (size_t i = 0; i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		ASSERT(key_fits(op->pk, op->sk));
		if (op->kind == STORE_DELETE_PREFIX) {
			ASSERT_CMP(op->expect, ==, STORE_EXPECT_ANY);
		} else {
			ASSERT_CMP(op->limit, ==, 0);
		}
		enum err e = op->kind == STORE_PUT ? store_request_check_value(op, arena) : OK;
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

enum err store_request_of_commit(const struct store_commit *c, struct arena *arena,
				 struct store_request **out)
{
	struct store_request_room room;
	size_t bytes = c->event.len;
	enum err e = store_request_check_commit(c, arena);
	if (e != OK) {
		return e;
	}
	for (size_t i = 0; i < c->n; i++) {
		bytes += c->ops[i].pk.len + c->ops[i].sk.len + c->ops[i].value.len;
	}
	struct store_request *w =
		store_request_create(STORE_REQUEST_COMMIT, c->n * sizeof(struct store_op), bytes,
				     &room);
	if (w == NULL) {
		return ERR_NOMEM;
	}
	w->token = c->token;
	w->token_is_local = c->token_is_local;
	w->now_ms = c->now_ms;
	w->n = c->n;
	w->ops = (struct store_op *)(void *)(w + 1);
	for (size_t i = 0; i < c->n; i++) {
		w->ops[i] = c->ops[i];
		w->ops[i].pk = store_request_keep(&room, c->ops[i].pk);
		w->ops[i].sk = store_request_keep(&room, c->ops[i].sk);
		w->ops[i].value = store_request_keep(&room, c->ops[i].value);
	}
	w->event = store_request_keep(&room, c->event);
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

static enum err store_found_grow(struct store_found *f)
{
	size_t capacity = f->capacity == 0 ? 16 : f->capacity * 2;
	struct store_item *items = realloc(f->items, capacity * sizeof(*items));
	if (items == NULL) {
		return ERR_NOMEM;
	}
	f->items = items;
	f->capacity = capacity;
	return OK;
}

enum err store_found_add(struct store_found *f, struct slice pk, struct slice sk,
			 struct slice value, uint64_t version)
{
	if (f->n == f->capacity) {
		enum err e = store_found_grow(f);
		if (e != OK) {
			return e;
		}
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
