/*
 * table.c - the simulator's own copy of what is durable.
 *
 * Follows the commits that the store reported done, and is compared with the
 * store itself after every crash and at the end.
 */
#include "tests/sim/world/world.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"

static uint64_t table_key_hash(struct slice pk, struct slice sk)
{
	return sim_hash(sim_hash(SIM_HASH_START, pk.data, pk.len), sk.data, sk.len);
}

struct slice row_pk(const struct table_row *row)
{
	return slice_of(row->pk, row->pk_len);
}

static struct slice row_sk(const struct table_row *row)
{
	return slice_of(row->sk, row->sk_len);
}

struct table_row *table_find(const struct table *t, struct slice pk, struct slice sk)
{
	uint64_t hash = table_key_hash(pk, sk);
	for (size_t i = 0; i < t->n; i++) {
		struct table_row *row = &t->rows[i];
		if (row->key_hash == hash && slice_eq(row_pk(row), pk) &&
		    slice_eq(row_sk(row), sk)) {
			return row;
		}
	}
	return NULL;
}

static char *table_bytes(struct slice s)
{
	char *copy = malloc(s.len + 1);
	ASSERT(copy != NULL);
	if (s.len > 0) {
		memcpy(copy, s.data, s.len);
	}
	return copy;
}

static void table_free_row(struct table_row *row)
{
	free(row->pk);
	free(row->sk);
	free(row->value);
}

static void table_remove(struct table *t, struct table_row *row)
{
	table_free_row(row);
	*row = t->rows[--t->n];
}

/* What the rules need to know of a seat, taken out of its item once. */
static void table_read_seat(struct table_row *row)
{
	struct arena arena = {0};
	struct fault fault;
	struct seat_item item;
	enum err e = record_from_bytes(&record_seat_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	row->has_name = item.username.data != NULL;
	row->has_vote = item.vote.data != NULL;
	row->has_story_votes = item.story_votes_n > 0;
	row->is_spectator = item.role == ROLE_SPECTATOR;
	row->is_bot = item.is_bot;
	row->is_cohost = item.is_cohost;
	row->is_creator = item.is_creator;
	row->is_waiting = item.is_waiting;
	row->joined_at = item.joined_at;
	row->keep_seconds = item.keep_seconds;
	bool fits = view_text(row->user_id, sizeof(row->user_id), item.user_id) &&
		    view_text(row->username, sizeof(row->username), item.username) &&
		    view_text(row->vote, sizeof(row->vote), item.vote) &&
		    view_text(row->account, sizeof(row->account), item.account);
	ASSERT(fits);
	arena_finish(&arena);
}

static void table_read_barred(struct table_row *row)
{
	struct arena arena = {0};
	struct fault fault;
	struct barred_item item;
	enum err e = record_from_bytes(&record_barred_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	row->created_on = item.created_on;
	bool fits = view_text(row->user_id, sizeof(row->user_id), item.user_id);
	ASSERT(fits);
	arena_finish(&arena);
}

void table_account(struct slice name_item, char out[20])
{
	struct arena arena = {0};
	struct fault fault;
	struct user_name_item item;
	enum err e = record_from_bytes(&record_user_name_item, name_item, RECORD_STRICT, &arena,
				       &item, &fault);
	ASSERT_CMP(e, ==, OK);
	view_text(out, 20, item.user_id);
	arena_finish(&arena);
}

/* When it ends, and what ties a session to its name. */
static void table_read_life(struct table_row *row)
{
	union {
		struct room_item room;
		struct token_item token;
		struct user_name_item name;
	} item;
	struct arena arena = {0};
	struct fault fault;
	const struct record *rec = item_rows[row->kind].record;
	enum err e = record_from_bytes(rec, slice_of(row->value, row->value_len), RECORD_STRICT,
				       &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	if (row->kind == ITEM_ROOM) {
		row->expires_at = item.room.expires_at;
	} else if (row->kind == ITEM_TOKEN) {
		row->expires_at = item.token.expires_at;
		view_text(row->account, sizeof(row->account), item.token.user_id);
		view_text(row->username, sizeof(row->username), item.token.name_key);
		view_text(row->hash, sizeof(row->hash), slice_of(row->pk + 6, row->pk_len - 6));
	} else {
		row->expires_at = item.name.expires_at;
		view_text(row->account, sizeof(row->account), item.name.user_id);
		view_text(row->username, sizeof(row->username),
			  slice_of(row->pk + 10, row->pk_len - 10));
		view_text(row->hash, sizeof(row->hash), item.name.token_hash);
	}
	arena_finish(&arena);
}

static void table_read_once(struct table_row *row)
{
	struct arena arena = {0};
	struct fault fault;
	struct once_item item;
	enum err e = record_from_bytes(&record_once_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	row->expires_at = item.expires_at;
	arena_finish(&arena);
}

static void table_read_membership(struct table_row *row)
{
	struct arena arena = {0};
	struct fault fault;
	struct membership_item item;
	enum err e =
		record_from_bytes(&record_membership_item, slice_of(row->value, row->value_len),
				  RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	row->is_owner = item.role == GROUP_OWNER;
	arena_finish(&arena);
}

void table_put(struct table *t, struct slice pk, struct slice sk, struct slice value)
{
	struct table_row *row = table_find(t, pk, sk);
	if (row == NULL) {
		if (t->n == t->capacity) {
			t->capacity = t->capacity == 0 ? 64 : 2 * t->capacity;
			t->rows = realloc(t->rows, t->capacity * sizeof(*t->rows));
			ASSERT(t->rows != NULL);
		}
		row = &t->rows[t->n++];
		*row = (struct table_row){.pk = table_bytes(pk),
					  .sk = table_bytes(sk),
					  .pk_len = pk.len,
					  .sk_len = sk.len,
					  .since_mono = t->now_mono};
		row->key_hash = table_key_hash(pk, sk);
	}
	free(row->value);
	row->put_mono = t->now_mono;
	row->value = table_bytes(value);
	row->value_len = value.len;
	row->kind = item_kind_of(pk, sk);
	if (row->kind == ITEM_SEAT) {
		table_read_seat(row);
	} else if (row->kind == ITEM_BARRED) {
		table_read_barred(row);
	} else if (row->kind == ITEM_ROOM || row->kind == ITEM_TOKEN ||
		   row->kind == ITEM_USER_NAME) {
		table_read_life(row);
	} else if (row->kind == ITEM_ONCE) {
		table_read_once(row);
	} else if (row->kind == ITEM_MEMBERSHIP) {
		table_read_membership(row);
	}
}

static void table_delete_prefix(struct table *t, const struct store_op *op)
{
	for (size_t r = t->n; r-- > 0;) {
		struct table_row *row = &t->rows[r];
		if (slice_eq(row_pk(row), op->pk) && slice_starts(row_sk(row), op->sk)) {
			table_remove(t, row);
		}
	}
}

struct table_row *table_next(const struct table *t, enum item_kind kind,
			     const struct table_row *after)
{
	size_t i = after == NULL ? 0 : (size_t)(after - t->rows) + 1;
	while (i < t->n && kind != TABLE_ALL && t->rows[i].kind != kind) {
		i++;
	}
	return i < t->n ? &t->rows[i] : NULL;
}

void table_apply(struct table *t, const struct store_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct store_op *op = &ops[i];
		struct table_row *row;
		switch (op->kind) {
		case STORE_CHECK:
			break;
		case STORE_PUT:
			table_put(t, op->pk, op->sk, op->value);
			break;
		case STORE_DELETE:
			if ((row = table_find(t, op->pk, op->sk)) != NULL) {
				table_remove(t, row);
			}
			break;
		case STORE_DELETE_PREFIX:
			table_delete_prefix(t, op);
			break;
		}
	}
}

void table_finish(struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		table_free_row(&t->rows[i]);
	}
	free(t->rows);
	*t = (struct table){0};
}

bool table_eq(const struct table *a, const struct table *b)
{
	if (a->n != b->n) {
		return false;
	}
	for (size_t i = 0; i < a->n; i++) {
		const struct table_row *x = &a->rows[i];
		const struct table_row *y = table_find(b, row_pk(x), row_sk(x));
		if (y == NULL ||
		    !slice_eq(slice_of(x->value, x->value_len), slice_of(y->value, y->value_len))) {
			return false;
		}
	}
	return true;
}

void table_copy_partition(struct table *to, const struct table *from, struct slice pk)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct table_row *row = &from->rows[i];
		if (slice_eq(row_pk(row), pk)) {
			table_put(to, pk, row_sk(row), slice_of(row->value, row->value_len));
		}
	}
}

bool table_expects(const struct table *t, const char *room_id, const struct table *found)
{
	char text[32];
	struct table partition = {0};
	table_copy_partition(&partition, t, table_pk(text, room_id));
	bool same = table_eq(&partition, found);
	table_finish(&partition);
	return same;
}

void table_copy_item(struct table *to, const struct table *from, struct slice pk, struct slice sk)
{
	const struct table_row *row = table_find(from, pk, sk);
	if (row != NULL) {
		table_put(to, pk, sk, slice_of(row->value, row->value_len));
	}
}

const struct table_row *table_token(const struct table *t, const char *hash)
{
	char pk[64];
	return table_find(t, slice_of(pk, (size_t)snprintf(pk, sizeof(pk), "TOKEN:%s", hash)),
			  SLICE("SESSION"));
}

const struct table_row *table_name(const struct table *t, const char *folded)
{
	char pk[SIM_NAME_BYTES + 16];
	return table_find(t, slice_of(pk, (size_t)snprintf(pk, sizeof(pk), "USER_NAME:%s", folded)),
			  SLICE("SESSION"));
}

const struct table_row *table_seat(const struct table *t, struct slice pk, const char *user_id)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct table_row *row = &t->rows[i];
		if (row->kind == ITEM_SEAT && strcmp(row->user_id, user_id) == 0 &&
		    slice_eq(row_pk(row), pk)) {
			return row;
		}
	}
	return NULL;
}

struct slice table_pk(char out[32], const char *room_id)
{
	int len = snprintf(out, 32, "ROOM:%s", room_id);
	return slice_of(out, (size_t)len);
}

int64_t table_barred(const struct table *t, const char *room_id, const char *user_id)
{
	char text[32];
	struct slice pk = table_pk(text, room_id);
	for (size_t i = 0; i < t->n; i++) {
		const struct table_row *row = &t->rows[i];
		if (row->kind == ITEM_BARRED && strcmp(row->user_id, user_id) == 0 &&
		    slice_eq(row_pk(row), pk)) {
			return row->created_on;
		}
	}
	return 0;
}

bool table_has_barred(const struct table *t, const char *room_id)
{
	char text[32];
	struct slice pk = table_pk(text, room_id);
	for (size_t i = 0; i < t->n; i++) {
		if (t->rows[i].kind == ITEM_BARRED && slice_eq(row_pk(&t->rows[i]), pk)) {
			return true;
		}
	}
	return false;
}

bool table_is_creator(const struct table *t, const char *room_id, const char *user_id)
{
	char text[32];
	const struct table_row *row = table_seat(t, table_pk(text, room_id), user_id);
	return row != NULL && row->is_creator;
}

bool table_had_host(const struct table *t, const char *room_id, int64_t *created_on)
{
	char text[32];
	const struct table_row *row = table_find(t, table_pk(text, room_id), SLICE("ROOM"));
	struct arena arena = {0};
	struct fault fault;
	struct room_item item;
	if (row == NULL) {
		return false;
	}
	enum err e = record_from_bytes(&record_room_item, slice_of(row->value, row->value_len),
				       RECORD_STRICT, &arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	*created_on = item.created_on;
	arena_finish(&arena);
	return item.with_had_host && item.had_host;
}

bool table_has_room(const struct table *t, const char *room_id)
{
	char text[32];
	struct slice pk = table_pk(text, room_id);
	for (size_t i = 0; i < t->n; i++) {
		if (slice_eq(row_pk(&t->rows[i]), pk)) {
			return true;
		}
	}
	return false;
}
