/*
 * redis_check.c - a part of a check: the partitions that one SCAN finds, each as a script sees it.
 *
 * Entries of indexes that lead nowhere are no problem: readers look at the item, and remove them. An item
 * that is missing from the order of its partition, or from an index of its scope, would not be found.
 */
#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/check.h"
#include "store/read.h"
#include "store/redis/redis_item.h"
#include "store/redis/redis_table.h"

#define CHECK_KEYS "128" /* that SCAN visits for a part */

static enum err check_send_first(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	struct slice cursor = job->w->check;
	redis_args_clear(args);
	redis_args_add(args, SLICE("SCAN"));
	redis_args_add(args, cursor.len > 0 ? cursor : SLICE("0"));
	redis_args_add(args, SLICE("MATCH"));
	redis_args_add(args, SLICE("{*}i:*"));
	redis_args_add(args, SLICE("COUNT"));
	redis_args_add(args, SLICE(CHECK_KEYS));
	return redis_job_call(job, REDIS_NO_SCRIPT);
}

/* The PK of a key "{tag}i:PK". */
static bool check_pk(struct slice key, struct slice *pk)
{
	const char *end = key.len == 0 ? NULL : memchr(key.data, '}', key.len);
	size_t head = end == NULL ? key.len : (size_t)(end - key.data) + sizeof("}i:") - 1;
	*pk = slice_of(key.data + head, key.len - head);
	return head < key.len && key_fits(*pk, NO_SLICE);
}

static enum err check_send_partition(struct redis_job *job, struct slice pk)
{
	struct redis_args *args = &job->t->args;
	struct slice only;
	unsigned scope = item_scope_of(pk);
	bool has_order = redis_item_has_order(pk, &only);
	size_t keys = 2;
	redis_args_clear(args);
	redis_args_add(args, NO_SLICE);
	redis_args_key(args, scope, "i:", pk);
	redis_args_key(args, scope, "o:", pk);
	for (unsigned i = 0; i < INDEX_COUNT; i++) {
		if (redis_index_scope((enum index_id)i, pk) == scope) {
			redis_args_key(args, scope, "x:", slice_str(index_names[i]));
			keys++;
		}
	}
	redis_args_tag(args, scope);
	redis_args_add(args, has_order ? SLICE("1") : SLICE("0"));
	redis_args_number(args, (int64_t)keys);
	if (args->error == OK) {
		args->at[0] = args->at[--args->n];
	}
	return redis_job_call(job, REDIS_SCRIPT_CHECK);
}

static enum err check_send(struct redis_job *job)
{
	enum err e = OK;
	if (job->keys == NULL) {
		job->keys = calloc(1, sizeof(*job->keys));
		if (job->keys == NULL) {
			return ERR_NOMEM;
		}
	}
	if (job->stage == REDIS_STAGE_FIRST) {
		return check_send_first(job);
	}
	job->looked = 0;
	for (size_t i = 0; i < job->keys->n && e == OK; i++) {
		e = check_send_partition(job, job->keys->at[i]);
	}
	return e;
}

/* The cursor of the next part goes in front of the PKs; it is taken out by check_on_stage(). */
static enum err check_on_scan(struct redis_job *job, const struct redis_reply *reply)
{
	const struct redis_reply *cursor = redis_reply_at(reply, 0);
	const struct redis_reply *keys = redis_reply_at(reply, 1);
	if (keys == NULL || keys->kind != REDIS_ARRAY || cursor->kind != REDIS_STRING ||
	    cursor->text.len > STORE_CHECK_CURSOR_BYTES_MAX) {
		return ERR_IO;
	}
	redis_args_clear(job->keys);
	for (const struct redis_reply *r = keys->first; r != NULL; r = r->next) {
		struct slice pk;
		if (check_pk(r->text, &pk)) {
			redis_args_copy(job->keys, pk);
		}
	}
	job->cursor = (struct slice){NULL, 0};
	bool ok = true;
	if (!slice_eq(cursor->text, SLICE("0"))) {
		job->cursor = arena_copy(&job->keys->arena, cursor->text, &ok);
	}
	return ok ? job->keys->error : ERR_NOMEM;
}

static enum err check_item(struct redis_table *t, struct check *c, struct slice item_key,
			   struct slice stored)
{
	struct index_entries entries = {.n = 0};
	struct slice pk, sk, section, value;
	struct fault fault;
	uint64_t version;
	void *item;
	bool is_key = key_split(item_key, &pk, &sk);
	ASSERT(is_key);
	enum item_kind kind = item_kind_of(pk, sk);
	if (kind == ITEM_COUNT) {
		check_problem(c, "item", item_key, "is of no known kind");
		return OK;
	}
	if (redis_item_open(item_key, stored, &version, &section, &value) != OK) {
		check_problem(c, "item", item_key, "the checksum does not match");
		return OK;
	}
	enum err e = item_decode(kind, value, RECORD_LENIENT, &t->arena, &item, &fault);
	if (e == OK && index_lists(kind)) {
		e = index_entries_of(kind, item_key, value, &t->arena, &entries);
	}
	if (e != OK) {
		if (e != ERR_NOMEM) {
			check_problem(c, "item", item_key, "does not decode");
		}
		return e == ERR_NOMEM ? e : OK;
	}
	buf_clear(&t->sealed);
	t->sealed.max = stored.len + REDIS_MEMBER_BYTES_MAX * (entries.n + 1) + 1024;
	redis_item_seal(item_key, &entries, value, &t->sealed);
	if (t->sealed.error == OK &&
	    !slice_eq(buf_slice(&t->sealed), slice_of(stored.data + 8, stored.len - 8))) {
		check_problem(c, "item", item_key, "is stored with entries that are not its own");
	}
	return t->sealed.error;
}

static enum err check_on_partition(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_table *t = job->t;
	struct slice pk = job->keys->at[job->looked++];
	struct check c = {.on_problem = read_on_problem, .arg = job->w};
	enum err e = OK;
	const struct redis_reply *r = reply->kind == REDIS_ARRAY ? reply->first : NULL;
	for (; r != NULL && e == OK; r = r->next) {
		const struct redis_reply *sk = redis_reply_at(r, 0);
		const struct redis_reply *lacks = redis_reply_at(r, 2);
		struct key key;
		if (lacks == NULL) {
			return ERR_IO;
		}
		job->w->checked.entries++;
		if (!key_fits(pk, sk->text)) {
			check_problem(&c, "item", pk, "has a key that is none");
			continue;
		}
		key_of_item(&key, pk, sk->text);
		e = check_item(t, &c, key_slice(&key), sk->next->text);
		arena_reset(&t->arena);
		if (lacks->text.len > 0) {
			check_problem(&c, "item", key_slice(&key),
				      slice_eq(lacks->text, SLICE("order"))
					      ? "is missing from its partition"
					      : "is missing from an index");
		}
	}
	return e;
}

static enum err check_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	return job->stage == REDIS_STAGE_FIRST ? check_on_scan(job, reply)
					       : check_on_partition(job, reply);
}

static void check_finish(struct redis_job *job)
{
	struct store_request *w = job->w;
	struct buf *bytes = &w->found.bytes;
	size_t lines_len = bytes->len;
	(void)buf_append_slice(bytes, job->cursor);
	if (bytes->error != OK) {
		redis_job_end(job, ERR_NOMEM);
		return;
	}
	w->checked.lines = slice_of(bytes->data, lines_len);
	if (bytes->len > lines_len) {
		w->checked.next = slice_of(bytes->data + lines_len, bytes->len - lines_len);
	}
	redis_job_end(job, OK);
}

static void check_on_stage(struct redis_job *job)
{
	if (job->stage == REDIS_STAGE_FIRST && job->keys->n > 0) {
		job->stage = REDIS_STAGE_SECOND;
		redis_job_again(job);
		return;
	}
	check_finish(job);
}

static void check_on_failure(struct redis_job *job)
{
	job->stage = REDIS_STAGE_FIRST;
	job->w->checked = (struct store_checked){.entries = 0};
	buf_clear(&job->w->found.bytes);
}

const struct redis_job_kind redis_check_kind = {check_send, check_on_reply, check_on_stage,
						check_on_failure};
