/*
 * apply.c - see apply.h.
 *
 * There is no lock on a room, because nothing can change between reading and
 * writing: one thread applies all commits, each whole, and each names the versions
 * that it was made from.
 */
#include "store/base/apply.h"

#include "proto/base/assert.h"
#include "store/base/index.h"
#include "store/key.h"
#include "store/stored_value.h"

#define APPLY_TOKEN_BYTES    16
#define APPLY_SEALED_MAX     ((size_t)1 << 24)
#define APPLY_SWEEP_AT_LEAST 16

enum err apply_begin(struct apply *a, struct kv *kv, enum apply_takes takes)
{
	*a = (struct apply){.kv = kv, .takes = takes, .arena = a->arena, .sealed = a->sealed};
	a->sealed.max = APPLY_SEALED_MAX;
	return kv_version(kv, &a->version);
}

void apply_finish(struct apply *a)
{
	arena_finish(&a->arena);
	buf_finish(&a->sealed);
}

/* ---- reading: may the commit be written? ---- */

enum err apply_replay(struct apply *a, struct store_request *w)
{
	struct slice value;
	if (store_token_is_none(&w->commit.token)) {
		return ERR_NOT_FOUND;
	}
	enum err e = kv_get(a->kv, KV_TOKENS,
			    slice_of(w->commit.token.bytes, sizeof(w->commit.token.bytes)), &value);
	if (e != OK) {
		return e;
	}
	if (value.len != APPLY_TOKEN_BYTES) {
		return ERR_CORRUPT;
	}
	const unsigned char *bytes = (const unsigned char *)value.data;
	if (w->commit.now_ms >= (int64_t)key_get_u64(bytes + 8)) {
		return ERR_NOT_FOUND;
	}
	w->version = key_get_u64(bytes);
	return OK;
}

static bool apply_takes(const struct apply *a, const struct store_op *op)
{
	return a->takes == APPLY_TAKES_ALL ||
	       (a->takes == APPLY_TAKES_RESERVED && item_is_reserved(item_kind_of(op->pk, op->sk)));
}

/* OK, ERR_CONFLICT, ERR_FULL, or why the item could not be read. */
static enum err apply_judge(struct apply *a, const struct store_op *op)
{
	bool is_new_refused = op->kind == STORE_PUT && !apply_takes(a, op);
	struct key key;
	struct slice stored;
	uint64_t version = 0;

	if (op->expect == STORE_EXPECT_ANY && !is_new_refused) {
		return OK;
	}
	key_of_item(&key, op->pk, op->sk);
	enum err e = kv_get(a->kv, KV_ITEMS, key_slice(&key), &stored);
	bool is_there = e == OK;
	if (is_there && op->expect == STORE_EXPECT_VERSION) {
		e = stored_value_version(stored, &version);
	}
	if (e != OK && e != ERR_NOT_FOUND) {
		return e;
	}
	if ((op->expect == STORE_EXPECT_ABSENT && is_there) ||
	    (op->expect == STORE_EXPECT_VERSION && (!is_there || version != op->version))) {
		return ERR_CONFLICT;
	}
	return is_new_refused && !is_there ? ERR_FULL : OK;
}

/* ---- writing ---- */

/* Replace the index entries of the stored item, if there is one, by `now`. */
static enum err apply_reindex(struct apply *a, enum item_kind kind, const struct key *key,
			      const struct index_entries *now)
{
	struct index_entries there = {.n = 0};
	struct slice stored, value;
	uint64_t version;

	enum err e = kv_get(a->kv, KV_ITEMS, key_slice(key), &stored);
	if (e == ERR_NOT_FOUND || (e == OK && stored_value_is_unlisted(stored))) {
		e = OK; /* what says that it is not listed is about to go, and is not decoded */
	} else if (e == OK) {
		e = stored_value_open(key_slice(key), stored, &version, &value);
		e = e == OK ? index_entries_of(kind, key_slice(key), value, &a->arena, &there) : e;
	}
	for (size_t i = 0; i < there.n && e == OK; i++) {
		const struct index_entry *entry = &there.at[i];
		if (!index_entries_have(now, entry)) {
			e = kv_del(a->kv, KV_INDEX + (unsigned)entry->index, entry->key);
		}
	}
	for (size_t i = 0; i < now->n && e == OK; i++) {
		const struct index_entry *entry = &now->at[i];
		if (!index_entries_have(&there, entry)) {
			e = kv_put(a->kv, KV_INDEX + (unsigned)entry->index, entry->key,
				   key_slice(key));
		}
	}
	return e;
}

static enum err apply_put(struct apply *a, const struct key *key, const struct store_op *op)
{
	enum item_kind kind = item_kind_of(op->pk, op->sk);
	bool is_listed = false;
	if (index_lists(kind)) {
		struct index_entries now;
		enum err e = index_entries_of(kind, key_slice(key), op->value, &a->arena, &now);
		if (e == OK) {
			e = apply_reindex(a, kind, key, &now);
		}
		arena_reset(&a->arena);
		if (e != OK) {
			return e;
		}
		is_listed = now.n > 0;
	}
	buf_clear(&a->sealed);
	stored_value_seal(key_slice(key), a->version, is_listed, op->value, &a->sealed);
	if (a->sealed.error != OK) {
		return ERR_NOMEM;
	}
	return kv_put(a->kv, KV_ITEMS, key_slice(key), buf_slice(&a->sealed));
}

static enum err apply_delete(struct apply *a, const struct key *key)
{
	struct slice pk, sk;
	enum item_kind kind =
		key_split(key_slice(key), &pk, &sk) ? item_kind_of(pk, sk) : ITEM_COUNT;
	if (index_lists(kind)) {
		static const struct index_entries none;
		enum err e = apply_reindex(a, kind, key, &none);
		arena_reset(&a->arena);
		if (e != OK) {
			return e;
		}
	}
	return kv_del(a->kv, KV_ITEMS, key_slice(key));
}

static enum err apply_delete_prefix(struct apply *a, const struct key *prefix)
{
	struct slice found, stored;
	for (;;) {
		struct key key;
		enum err e = kv_find(a->kv, KV_ITEMS, KV_FROM, key_slice(prefix), &found, &stored);
		if (e == ERR_NOT_FOUND || (e == OK && !slice_starts(found, key_slice(prefix)))) {
			return OK;
		}
		if (e != OK) {
			return e;
		}
		ASSERT_CMP(found.len, <=, sizeof(key.bytes));
		memcpy(key.bytes, found.data, found.len);
		key.len = found.len;
		e = apply_delete(a, &key);
		if (e != OK) {
			return e;
		}
	}
}

/* ---- tokens ---- */

static enum err apply_remember(struct apply *a, const struct store_request *w)
{
	unsigned char value[APPLY_TOKEN_BYTES];
	unsigned char when[8 + sizeof(w->commit.token.bytes)];
	struct slice token = slice_of(w->commit.token.bytes, sizeof(w->commit.token.bytes));
	struct slice known;

	/* An expired token may still wait for the sweep: its old time must not take the
	 * new one along. */
	enum err e = kv_get(a->kv, KV_TOKENS, token, &known);
	if (e == OK && known.len == APPLY_TOKEN_BYTES) {
		memcpy(when, known.data + 8, 8);
		memcpy(when + 8, token.data, token.len);
		e = kv_del(a->kv, KV_TOKEN_TIMES, slice_of(when, sizeof(when)));
	}
	if (e != OK && e != ERR_NOT_FOUND) {
		return e;
	}
	key_put_u64(value, a->version);
	key_put_u64(value + 8, (uint64_t)(w->commit.now_ms + APPLY_TOKEN_LIFE_MS));
	memcpy(when, value + 8, 8);
	memcpy(when + 8, token.data, token.len);
	a->tokens++;
	e = kv_put(a->kv, KV_TOKENS, token, slice_of(value, sizeof(value)));
	if (e != OK) {
		return e;
	}
	return kv_put(a->kv, KV_TOKEN_TIMES, slice_of(when, sizeof(when)), (struct slice){"", 0});
}

/* Delete expired tokens: more at a time than were added, so that they never accumulate. */
static enum err apply_sweep(struct apply *a)
{
	for (size_t left = 2 * a->tokens + APPLY_SWEEP_AT_LEAST; left > 0; left--) {
		unsigned char when[8 + sizeof(((struct store_token *)NULL)->bytes)];
		struct slice key, value;
		enum err e = kv_find(a->kv, KV_TOKEN_TIMES, KV_FROM, (struct slice){"", 0}, &key,
				     &value);
		if (e != OK) {
			return e == ERR_NOT_FOUND ? OK : e;
		}
		if (key.len != sizeof(when)) {
			return ERR_CORRUPT;
		}
		memcpy(when, key.data, sizeof(when));
		if (a->now_ms < (int64_t)key_get_u64(when)) {
			return OK;
		}
		e = kv_del(a->kv, KV_TOKENS, slice_of(when + 8, sizeof(when) - 8));
		if (e == OK) {
			e = kv_del(a->kv, KV_TOKEN_TIMES, slice_of(when, sizeof(when)));
		}
		if (e != OK) {
			return e;
		}
	}
	return OK;
}

/* ---- whole commits ---- */

void apply_commit(struct apply *a, struct store_request *w)
{
	ASSERT(!a->is_spoilt);
	w->is_written = false;
	w->result = apply_replay(a, w);
	if (w->result != ERR_NOT_FOUND) {
		return;
	}
	w->result = OK;
	for (size_t i = 0; i < w->commit.n && w->result == OK; i++) {
		w->result = apply_judge(a, &w->commit.ops[i]);
	}
	if (w->result != OK) {
		return;
	}
	a->version++;
	a->now_ms = w->commit.now_ms;
	w->version = a->version;
	for (size_t i = 0; i < w->commit.n && w->result == OK; i++) {
		const struct store_op *op = &w->commit.ops[i];
		struct key key;
		key_of_item(&key, op->pk, op->sk);
		if (op->kind == STORE_PUT) {
			w->result = apply_put(a, &key, op);
		} else if (op->kind == STORE_DELETE) {
			w->result = apply_delete(a, &key);
		} else if (op->kind == STORE_DELETE_PREFIX) {
			w->result = apply_delete_prefix(a, &key);
		}
	}
	if (w->result == OK && !store_token_is_none(&w->commit.token)) {
		w->result = apply_remember(a, w);
	}
	w->is_written = w->result == OK;
	a->is_spoilt = !w->is_written;
	a->written += w->is_written;
}

enum err apply_end(struct apply *a)
{
	ASSERT(!a->is_spoilt);
	if (a->written == 0) {
		return OK;
	}
	enum err e = apply_sweep(a);
	return e == OK ? kv_set_version(a->kv, a->version) : e;
}
