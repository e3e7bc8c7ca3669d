/*
 * redis_check.c - a part of a check: the partitions that one SCAN finds, each as a script sees it.
 *
 * An item that is missing from the order of its partition, or from an index, would not be found. What an
 * index lists without an item: redis_check_index.c.
 */
#include "store/redis/admin/redis_check.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/base/read.h"
#include "store/redis/redis_item.h"

#define CHECK_KEYS    "128" /* that SCAN visits for a part */
#define CHECK_MEMBERS 500   /* looked for by one script */

void redis_check_destroy(struct redis_check *c)
{
	if (c != NULL) {
		redis_args_finish(&c->words);
		redis_args_finish(&c->wanted);
		redis_args_finish(&c->missing);
		free(c);
	}
}

void redis_check_next(struct redis_check *c, char kind, struct slice head, struct slice rest)
{
	ASSERT_CMP(1 + head.len + rest.len, <=, sizeof(c->next));
	c->next[0] = kind;
	memcpy(c->next + 1, head.data, head.len);
	if (rest.len > 0) {
		memcpy(c->next + 1 + head.len, rest.data, rest.len);
	}
	c->next_len = 1 + head.len + rest.len;
}

static bool check_is_index(const struct redis_job *job)
{
	return job->w->cursor.len > 0 && job->w->cursor.data[0] == 'x';
}

/* ---- sending ---- */

static enum err check_send_first(struct redis_job *job)
{
	struct slice cursor = job->w->cursor;
	cursor = cursor.len > 0 ? slice_of(cursor.data + 1, cursor.len - 1) : NO_SLICE;
	return redis_scan(job, cursor, SLICE("{*}[io]:*"), SLICE(CHECK_KEYS));
}

/* @word  kind of the key, and the PK. */
static enum err check_send_partition(struct redis_job *job, struct slice word)
{
	struct redis_args *args = &job->t->args;
	struct slice pk = slice_of(word.data + 1, word.len - 1), only;
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
	redis_args_add(args, slice_of(word.data, 1));
	redis_args_number(args, (int64_t)keys);
	if (args->error == OK) {
		args->at[0] = args->at[--args->n];
	}
	return redis_job_call(job, REDIS_SCRIPT_CHECK);
}

/* How many of the entries wanted from `at` on one script looks for: those of one index. */
static size_t check_together(const struct redis_args *wanted, size_t at)
{
	size_t n = 1;
	while (n < CHECK_MEMBERS && at + 2 * n < wanted->n &&
	       wanted->at[at + 2 * n].data[0] == wanted->at[at].data[0]) {
		n++;
	}
	return n;
}

static enum err check_send_wanted(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	const struct redis_args *wanted = &job->check->wanted;
	enum err e = OK;
	for (size_t at = 0, n; at < wanted->n && e == OK; at += 2 * n) {
		n = check_together(wanted, at);
		redis_args_clear(args);
		redis_args_add(args, SLICE("1"));
		redis_args_key(args, ITEM_SCOPE_DIRECTORY,
			       "x:", slice_str(index_names[(unsigned char)wanted->at[at].data[0]]));
		for (size_t i = 0; i < n; i++) {
			struct slice word = wanted->at[at + 2 * i];
			redis_args_add(args, slice_of(word.data + 1, word.len - 1));
		}
		e = redis_job_call(job, REDIS_SCRIPT_MISSING);
	}
	return e;
}

static enum err check_send_missing(struct redis_job *job)
{
	const struct redis_args *missing = &job->check->missing;
	enum err e = OK;
	for (size_t i = 0; i < missing->n && e == OK; i += 2) {
		e = redis_job_get(job, slice_of(missing->at[i].data + 1, missing->at[i].len - 1));
	}
	return e;
}

static enum err check_send(struct redis_job *job)
{
	struct redis_check *c = job->check;
	enum err e = OK;
	if (c == NULL) {
		c = job->check = calloc(1, sizeof(*c));
		if (c == NULL) {
			return ERR_NOMEM;
		}
	}
	c->at = 0;
	if (check_is_index(job)) {
		return redis_check_index_send(job);
	}
	switch (job->stage) {
	case REDIS_STAGE_FIRST:
		return check_send_first(job);
	case REDIS_STAGE_SECOND:
		for (size_t i = 0; i < c->words.n && e == OK; i++) {
			e = check_send_partition(job, c->words.at[i]);
		}
		return e;
	case REDIS_STAGE_THIRD:
		return check_send_wanted(job);
	case REDIS_STAGE_FOURTH:
		break;
	}
	return check_send_missing(job);
}

/* ---- answers ---- */

static enum err check_on_scan(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_check *c = job->check;
	struct slice next, pk;
	char word[1 + KEY_BYTES_MAX], walk[REDIS_WALK_BYTES];
	if (redis_scan_is_look(job, reply)) {
		return OK;
	}
	const struct redis_reply *keys = redis_scan_found(job, reply, walk, &next);
	if (keys == NULL) {
		return ERR_IO;
	}
	redis_args_clear(&c->words);
	for (const struct redis_reply *r = keys->first; r != NULL; r = r->next) {
		if (redis_scanned_pk(r->text, word, &pk)) {
			memcpy(word + 1, pk.data, pk.len);
			redis_args_copy(&c->words, slice_of(word, 1 + pk.len));
		}
	}
	if (next.len > 0) {
		redis_check_next(c, 'i', next, NO_SLICE);
	} else {
		redis_check_next(c, 'x', slice_of("\0", 2), NO_SLICE);
	}
	return c->words.error;
}

/* Problems of the item are told, and are OK. The entries that it should have are in t->arena; none if it is damaged. */
static enum err check_item(struct redis_table *t, struct check *c, struct slice item_key,
			   struct slice stored, struct index_entries *entries)
{
	struct slice pk, sk, section, value;
	struct fault fault;
	uint64_t version;
	void *item;
	bool is_key = key_split(item_key, &pk, &sk);
	ASSERT(is_key);
	*entries = (struct index_entries){.n = 0};
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
		e = index_entries_of(kind, item_key, value, &t->arena, entries);
	}
	if (e != OK) {
		*entries = (struct index_entries){.n = 0};
		if (e != ERR_NOMEM) {
			check_problem(c, "item", item_key, "does not decode");
		}
		return e == ERR_NOMEM ? e : OK;
	}
	buf_clear(&t->sealed);
	t->sealed.max = stored.len + REDIS_MEMBER_BYTES_MAX * (entries->n + 1) + 1024;
	redis_item_seal(item_key, entries, value, &t->sealed);
	if (t->sealed.error == OK &&
	    !slice_eq(buf_slice(&t->sealed), slice_of(stored.data + 8, stored.len - 8))) {
		check_problem(c, "item", item_key, "is stored with entries that are not its own");
	}
	return t->sealed.error;
}

/* Entries of a room's item in the directory: asked for next. */
static enum err check_want(struct redis_check *c, const struct index_entries *entries,
			   struct slice item_key, struct slice pk, struct slice stored)
{
	char word[1 + REDIS_MEMBER_BYTES_MAX];
	for (size_t i = 0; i < entries->n; i++) {
		const struct index_entry *entry = &entries->at[i];
		if (redis_index_scope(entry->index, pk) != item_scope_of(pk)) {
			word[0] = (char)entry->index;
			size_t len = redis_member(entry->key, item_key, word + 1);
			redis_args_copy(&c->wanted, slice_of(word, 1 + len));
			redis_args_copy(&c->wanted, slice_of(stored.data, 8));
		}
	}
	return c->wanted.error;
}

static enum err check_on_found(struct redis_job *job, struct check *c, struct slice pk,
			       const struct redis_reply *found)
{
	const struct redis_reply *sk = redis_reply_at(found, 0);
	const struct redis_reply *lacks = redis_reply_at(found, 2);
	struct index_entries entries;
	struct key key;
	if (lacks == NULL) {
		return ERR_IO;
	}
	if (!key_fits(pk, sk->text)) {
		check_problem(c, "item", pk, "has a key that is none");
		return OK;
	}
	key_of_item(&key, pk, sk->text);
	if (slice_eq(lacks->text, SLICE("item"))) {
		check_problem(c, "partition", key_slice(&key), "lists an item that does not exist");
		return OK;
	}
	job->w->checked.entries++;
	job->w->checked.items++;
	enum err e = check_item(job->t, c, key_slice(&key), sk->next->text, &entries);
	e = e == OK ? check_want(job->check, &entries, key_slice(&key), pk, sk->next->text) : e;
	arena_reset(&job->t->arena);
	if (lacks->text.len > 0) {
		check_problem(c, "item", key_slice(&key),
			      slice_eq(lacks->text, SLICE("order"))
				      ? "is missing from its partition"
				      : "is missing from an index");
	}
	return e;
}

static enum err check_on_partition(struct redis_job *job, const struct redis_reply *reply)
{
	struct slice word = job->check->words.at[job->check->at++];
	struct check c = {.on_problem = read_on_problem, .arg = job->w};
	enum err e = OK;
	const struct redis_reply *r = reply->kind == REDIS_ARRAY ? reply->first : NULL;
	for (; r != NULL && e == OK; r = r->next) {
		e = check_on_found(job, &c, slice_of(word.data + 1, word.len - 1), r);
	}
	return e;
}

/* The numbers of those that the index does not have, from 1 on. */
static enum err check_on_wanted(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_check *c = job->check;
	size_t n = check_together(&c->wanted, c->at);
	const struct redis_reply *r = reply->kind == REDIS_ARRAY ? reply->first : NULL;
	for (; r != NULL; r = r->next) {
		if (r->kind != REDIS_INTEGER || r->integer < 1 || (size_t)r->integer > n) {
			return ERR_IO;
		}
		const struct slice *word = &c->wanted.at[c->at + 2 * (size_t)(r->integer - 1)];
		redis_args_add(&c->missing, word[0]);
		redis_args_add(&c->missing, word[1]);
	}
	c->at += 2 * n;
	return c->missing.error;
}

/* An item that was changed meanwhile may have lost its entry, too. */
static enum err check_on_missing(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_check *c = job->check;
	struct check problems = {.on_problem = read_on_problem, .arg = job->w};
	struct slice member = slice_of(c->missing.at[c->at].data + 1, c->missing.at[c->at].len - 1);
	struct slice version = c->missing.at[c->at + 1], entry_key, item_key;
	c->at += 2;
	if (reply->kind == REDIS_STRING && slice_starts(reply->text, version) &&
	    redis_member_split(member, &entry_key, &item_key)) {
		check_problem(&problems, "item", item_key, "is missing from an index");
	}
	return OK;
}

static enum err check_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	if (check_is_index(job)) {
		return redis_check_index_on_reply(job, reply);
	}
	switch (job->stage) {
	case REDIS_STAGE_FIRST:
		return check_on_scan(job, reply);
	case REDIS_STAGE_SECOND:
		return check_on_partition(job, reply);
	case REDIS_STAGE_THIRD:
		return check_on_wanted(job, reply);
	case REDIS_STAGE_FOURTH:
		break;
	}
	return check_on_missing(job, reply);
}

/* ---- stages ---- */

static void check_finish(struct redis_job *job)
{
	struct store_request *w = job->w;
	struct buf *bytes = &w->found.bytes;
	size_t lines_len = bytes->len;
	(void)buf_append(bytes, job->check->next, job->check->next_len);
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

/* Whether there is something to ask for in the next stage. */
static bool check_goes_on(struct redis_job *job)
{
	const struct redis_check *c = job->check;
	if (check_is_index(job)) {
		return redis_check_index_on_stage(job);
	}
	return (job->stage == REDIS_STAGE_FIRST && c->words.n > 0) ||
	       (job->stage == REDIS_STAGE_SECOND && c->wanted.n > 0) ||
	       (job->stage == REDIS_STAGE_THIRD && c->missing.n > 0);
}

static void check_on_stage(struct redis_job *job)
{
	if (check_goes_on(job)) {
		job->stage++;
		redis_job_again(job);
	} else {
		check_finish(job);
	}
}

/* From the beginning of the part. */
static void check_on_failure(struct redis_job *job)
{
	job->stage = REDIS_STAGE_FIRST;
	job->w->checked = (struct store_checked){.entries = 0};
	buf_clear(&job->w->found.bytes);
	redis_check_destroy(job->check);
	job->check = NULL;
}

const struct redis_job_kind redis_check_kind = {check_send, check_on_reply, check_on_stage,
						check_on_failure};
