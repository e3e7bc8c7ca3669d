/*
 * table_state.c - see table_state.h.
 */
#include "tests/support/table_state.h"

#include <semaphore.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json.h"
#include "store/admin/admin_line.h"
#include "store/items.h"
#include "store/key.h"
#include "store/lmdb/env_lmdb.h"
#include "store/lmdb/txn_lmdb.h"
#include "store/store.h"
#include "store/stored_value.h"
#include "tests/support/test.h"

#define TEXT_MAX    (8u << 20)
#define COUNTS_MAX  512
#define COUNT_BYTES 192

/* ---- reading ---- */

static bool read_item(struct slice key, struct slice stored, struct buf *text, struct errmsg *why)
{
	struct slice pk, sk, value;
	uint64_t version;
	if (!key_split(key, &pk, &sk) || stored_value_open(key, stored, &version, &value) != OK) {
		errmsg_set(why, "%.*s: an item is damaged", (int)key.len, key.data);
		return false;
	}
	if (text != NULL) {
		assert_int_equal(admin_line_write(pk, sk, value, text), OK);
		assert_int_equal(buf_append(text, "\n", 1), OK);
	}
	return true;
}

static void hash_slice(crypto_generichash_state *hash, struct slice s)
{
	unsigned char len[8];
	key_put_u64(len, s.len);
	(void)crypto_generichash_update(hash, len, sizeof(len));
	(void)crypto_generichash_update(hash, (const unsigned char *)s.data, s.len);
}

static enum err read_all(struct kv *kv, unsigned db, crypto_generichash_state *hash,
			 struct buf *text, struct errmsg *why)
{
	struct slice key, value;
	enum err e = kv_find(kv, db, KV_FROM, NO_SLICE, &key, &value);
	for (; e == OK; e = kv_find(kv, db, KV_NEXT, NO_SLICE, &key, &value)) {
		hash_slice(hash, key);
		hash_slice(hash, value);
		if (db == KV_ITEMS && !read_item(key, value, text, why)) {
			return ERR_CORRUPT;
		}
	}
	return e == ERR_NOT_FOUND ? OK : e;
}

bool table_state_read(const char *directory, bool with_text, struct table_state *out,
		      struct errmsg *why)
{
	const struct env_options o = {.directory = directory, .read_only = true};
	crypto_generichash_state hash;
	struct lmdb_txn v;
	struct env env;
	*out = (struct table_state){.text = {.max = TEXT_MAX}};
	if (env_open(&o, &env, why) != OK) {
		return false;
	}
	(void)crypto_generichash_init(&hash, NULL, 0, sizeof(out->hash));
	enum err e = lmdb_txn_begin(&v, &env, false);
	if (e == OK) {
		errmsg_set(why, "%s: a page cannot be read", directory);
		for (unsigned db = 0; db < KV_COUNT && e == OK; db++) {
			hash_slice(&hash, slice_of("", 1));
			e = read_all(&v.kv, db, &hash, with_text ? &out->text : NULL, why);
		}
		lmdb_txn_abort(&v);
	}
	env_close(&env);
	(void)crypto_generichash_final(&hash, out->hash, sizeof(out->hash));
	(void)buf_append(&out->text, "", 1);
	return e == OK;
}

void table_state_finish(struct table_state *t)
{
	buf_finish(&t->text);
}

/* ---- numbers ---- */

struct count {
	char of[COUNT_BYTES];
	long said, there;
};

struct counts {
	struct count all[COUNTS_MAX];
	size_t n;
};

static struct count *count_of(struct counts *c, const char *what, struct slice of)
{
	char name[COUNT_BYTES];
	(void)snprintf(name, sizeof(name), "%s %.*s", what, (int)of.len, of.data);
	for (size_t i = 0; i < c->n; i++) {
		if (strcmp(c->all[i].of, name) == 0) {
			return &c->all[i];
		}
	}
	assert_true(c->n < COUNTS_MAX);
	struct count *added = &c->all[c->n++];
	*added = (struct count){.said = 0};
	memcpy(added->of, name, sizeof(name));
	return added;
}

static void count_item(struct counts *c, enum item_kind kind, struct slice id, const void *item)
{
	const struct room_item *room = item;
	const struct user_item *user = item;
	const struct membership_item *membership = item;
	const struct group_item *group = item;
	const struct container_item *container = item;
	const struct question_item *question = item;
	const struct response_item *response = item;
	const struct stats_item *stats = item;
	const struct asker_item *asker = item;
	bool is_of_room = item_rows[kind].pk_prefix == item_rows[ITEM_ROOM].pk_prefix ||
			  strcmp(item_rows[kind].pk_prefix, item_rows[ITEM_ROOM].pk_prefix) == 0;
	if (is_of_room && kind != ITEM_ROUND && kind != ITEM_UNSAVED && kind != ITEM_ONCE) {
		count_of(c, "items of room", id)->there++;
	}
	switch (kind) {
	case ITEM_ROOM:
		count_of(c, "items of room", id)->said = (long)room->items;
		count_of(c, "rounds of room", id)->said = (long)room->rounds_n;
		return;
	case ITEM_ROUND:
		count_of(c, "rounds of room", id)->there++;
		return;
	case ITEM_USER:
		count_of(c, "groups of user", id)->said = (long)user->groups;
		return;
	case ITEM_MEMBERSHIP:
		count_of(c, "groups of user", id)->there++;
		count_of(c, "users of group", membership->group_id)->there++;
		return;
	case ITEM_GROUP:
		count_of(c, "users of group", id)->said = (long)group->users;
		count_of(c, "containers of group", id)->said = (long)group->containers;
		count_of(c, "invitations of group", id)->said = (long)group->invitations;
		return;
	case ITEM_GROUP_CONTAINER:
		count_of(c, "containers of group", id)->there++;
		return;
	case ITEM_INVITATION:
		count_of(c, "invitations of group", id)->there++;
		return;
	case ITEM_CONTAINER:
		count_of(c, "items of container", id)->said = (long)container->items;
		return;
	case ITEM_ITEM:
		count_of(c, "items of container", id)->there++;
		return;
	case ITEM_QUESTION:
		count_of(c, "answers of question", id)->said = (long)question->current_responses;
		count_of(c, "open questions of asker", question->agent_id)->there +=
			question->status == QUESTION_OPEN || question->status == QUESTION_PARTIAL;
		return;
	case ITEM_RESPONSE:
		count_of(c, "answers of question", id)->there++;
		count_of(c, "answers of person", response->fingerprint_hash)->there++;
		return;
	case ITEM_STATS:
		count_of(c, "answers of person", id)->said = (long)stats->total_answers;
		return;
	case ITEM_ASKER:
		count_of(c, "open questions of asker", id)->said = (long)asker->open_questions;
		return;
	default:
		return;
	}
}

static void count_line(struct counts *c, struct slice line, struct arena *arena)
{
	struct buf bytes = {.max = TEXT_MAX};
	struct admin_line l;
	struct errmsg why;
	struct fault fault;
	void *item;
	assert_int_equal(json_to_bytes(line, &bytes, &why), OK);
	assert_int_equal(record_from_bytes(&record_admin_line, buf_slice(&bytes), RECORD_STRICT,
					   arena, &l, &fault),
			 OK);
	enum item_kind kind = item_kind_of(l.pk, l.sk);
	assert_int_equal(item_decode(kind, l.value, RECORD_LENIENT, arena, &item, &fault), OK);
	size_t prefix = item_rows[kind].pk_prefix_len;
	count_item(c, kind, slice_of(l.pk.data + prefix, l.pk.len - prefix), item);
	buf_finish(&bytes);
}

bool table_state_agrees(const struct table_state *t, struct errmsg *why)
{
	static struct counts c;
	struct arena arena = {NULL};
	c.n = 0;
	for (const char *at = t->text.data; *at != '\0'; at += strcspn(at, "\n") + 1) {
		arena_reset(&arena);
		count_line(&c, slice_of(at, strcspn(at, "\n")), &arena);
	}
	arena_finish(&arena);
	for (size_t i = 0; i < c.n; i++) {
		if (c.all[i].said != c.all[i].there) {
			errmsg_set(why, "%s: %ld by its number, and %ld are there", c.all[i].of,
				   c.all[i].said, c.all[i].there);
			return false;
		}
	}
	return true;
}

/* ---- serving ---- */

static void on_damage(void *arg, struct slice line)
{
	struct errmsg *why = arg;
	errmsg_set(why, "%.*s", (int)line.len, line.data);
}

static void wake(void *arg)
{
	(void)sem_post(arg);
}

static void on_written(void *arg, enum err e, uint64_t version)
{
	enum err *out = arg;
	(void)version;
	*out = e;
}

bool table_state_serves(const char *directory, struct errmsg *why)
{
	static const char name[] = "USER_NAME:powercut";
	sem_t woken;
	struct store *s;
	struct errmsg damage = {""};
	const struct store_lmdb_options o = {.directory = directory,
					     .map_bytes = 64u << 20,
					     .on_damage = on_damage,
					     .on_damage_arg = &damage,
					     .wake = wake,
					     .wake_arg = &woken};
	char hash[] = "0123456789012345678901234567890123456789012";
	const struct user_name_item item = {.created_on = 1,
					    .updated_on = 1,
					    .expires_at = INT64_MAX,
					    .user_id = SLICE("u"),
					    .token_hash = slice_str(hash)};
	struct buf value = {.max = 4096};
	enum err e = OK, written = ERR_MORE;
	if (store_open_lmdb(&o, &s, why) != OK) {
		return false;
	}
	assert_int_equal(sem_init(&woken, 0, 0), 0);
	record_write(&record_user_name_item, &item, &value);
	assert_int_equal(value.error, OK);
	const struct store_op op = {.kind = STORE_PUT,
				    .pk = slice_str(name),
				    .sk = SLICE("SESSION"),
				    .value = buf_slice(&value)};
	e = store_commit(s, &(struct store_commit){.ops = &op, .n = 1, .now_ms = 1}, on_written,
			 &written);
	store_flush(s);
	while (e == OK && written == ERR_MORE) {
		assert_int_equal(sem_wait(&woken), 0);
		(void)store_poll(s);
	}
	store_close(s);
	buf_finish(&value);
	(void)sem_destroy(&woken);
	if (damage.text[0] != '\0') {
		*why = damage;
	} else if (e != OK || written != OK) {
		errmsg_set(why, "nothing can be written: %s", err_text(e == OK ? written : e));
	}
	return damage.text[0] == '\0' && e == OK && written == OK;
}
