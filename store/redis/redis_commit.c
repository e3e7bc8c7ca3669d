/*
 * redis_commit.c - commits, and takings of buckets.
 */
#include <utlist.h>

#include "proto/base/assert.h"
#include "store/redis/redis_item.h"
#include "store/redis/redis_table.h"

#define COMMIT_SEALED_MAX ((size_t)1 << 24)

struct slice redis_commit_token(struct redis_job *job)
{
	/* Any commit may have to be sent again. */
	struct redis_table *t = job->t;
	struct store_token *token = &job->w->commit.token;
	while (store_token_is_none(token)) {
		uint64_t random[2] = {t->net->random(t->net->arg), t->net->random(t->net->arg)};
		memcpy(token->bytes, random, sizeof(token->bytes));
	}
	return slice_of(token->bytes, sizeof(token->bytes));
}

static enum err commit_entries(struct redis_table *t, const struct store_op *op,
			       struct index_entries *out)
{
	struct key key;
	enum item_kind kind = item_kind_of(op->pk, op->sk);
	*out = (struct index_entries){.n = 0};
	key_of_item(&key, op->pk, op->sk);
	return op->kind == STORE_PUT && index_lists(kind)
		       ? index_entries_of(kind, key_slice(&key), op->value, &t->arena, out)
		       : OK;
}

/* ---- first stage: entries in the directory of items of a room ---- */

/* The entries of one item that are not known to be there. The words follow later: keys come first. */
static enum err commit_list_op(struct redis_table *t, const struct store_op *op,
			       struct redis_args *words, bool notes)
{
	struct index_entries entries;
	enum err e = commit_entries(t, op, &entries);
	for (size_t i = 0; i < entries.n && e == OK; i++) {
		const struct index_entry *entry = &entries.at[i];
		struct slice name = slice_str(index_names[entry->index]);
		char member[REDIS_MEMBER_BYTES_MAX];
		struct key key;
		if (redis_index_scope(entry->index, op->pk) == item_scope_of(op->pk)) {
			continue;
		}
		key_of_item(&key, op->pk, op->sk);
		struct slice m =
			slice_of(member, redis_member(entry->key, key_slice(&key), member));
		if (notes) {
			redis_listed_note(&t->listed, name, m, redis_now(t));
		} else if (!redis_listed_has(&t->listed, name, m, redis_now(t))) {
			redis_args_key(&t->args, ITEM_SCOPE_DIRECTORY, "x:", name);
			redis_args_copy(words, name);
			redis_args_copy(words, m);
		}
	}
	arena_reset(&t->arena);
	return e;
}

/* Put the command together, if there is anything to list. */
static enum err commit_list(struct redis_job *job, bool *is_needed)
{
	struct redis_table *t = job->t;
	const struct store_commit *c = &job->w->commit;
	struct redis_args words = {.n = 0};
	enum err e = OK;
	redis_args_clear(&t->args);
	redis_args_add(&t->args, NO_SLICE); /* the number of keys */
	redis_args_key(&t->args, ITEM_SCOPE_DIRECTORY, "a", NO_SLICE);
	for (size_t i = 0; i < c->n && e == OK; i++) {
		e = commit_list_op(t, &c->ops[i], &words, false);
	}
	*is_needed = words.n > 0;
	size_t keys = t->args.n - 1;
	for (size_t i = 0; i < words.n; i++) {
		redis_args_copy(&t->args, words.at[i]);
	}
	redis_args_number(&t->args, (int64_t)keys);
	if (t->args.error == OK) {
		t->args.at[0] = t->args.at[--t->args.n];
	}
	e = e != OK ? e : t->args.error != OK ? t->args.error : words.error;
	redis_args_finish(&words);
	return e;
}

static void commit_note_listed(struct redis_job *job)
{
	const struct store_commit *c = &job->w->commit;
	for (size_t i = 0; i < c->n; i++) {
		/* What could not be noted is written again. */
		(void)commit_list_op(job->t, &c->ops[i], NULL, true);
	}
}

/* ---- second stage: the words of the commit ---- */

static bool commit_index_is_own(const struct index_row *row, struct slice pk)
{
	return redis_index_scope(row->index, pk) == item_scope_of(pk);
}

/* Whether an index of the scope may list what the operation replaces or deletes. */
static bool commit_is_listed(const struct store_op *op, uint32_t *indexes)
{
	bool is_listed = false;
	enum item_kind kind = item_kind_of(op->pk, op->sk);
	for (const struct index_row *row = index_rows; row->name != NULL; row++) {
		const struct item_row *item = &item_rows[row->kind];
		bool is_meant = op->kind == STORE_DELETE_PREFIX
					? slice_starts(op->pk, slice_of(item->pk_prefix,
									item->pk_prefix_len))
					: row->kind == kind;
		if (is_meant && commit_index_is_own(row, op->pk)) {
			is_listed = true;
			*indexes |= UINT32_C(1) << row->index;
		}
	}
	return is_listed;
}
_Static_assert(INDEX_COUNT <= 32, "a set of indexes has 32 bits");

/* Operations on one partition follow each other, in most commits. */
static bool commit_is_elsewhere(const struct store_commit *c, size_t i)
{
	return i == 0 || !slice_eq(c->ops[i].pk, c->ops[i - 1].pk);
}

void redis_commit_add_partitions(struct redis_job *job)
{
	const struct store_commit *c = &job->w->commit;
	struct slice only;
	for (size_t i = 0; i < c->n; i++) {
		if (commit_is_elsewhere(c, i)) {
			bool has_order = redis_item_has_order(c->ops[i].pk, &only);
			redis_args_key(&job->t->args, job->scope, "i:", c->ops[i].pk);
			redis_args_key(&job->t->args, job->scope,
				       has_order ? "o:" : "i:", c->ops[i].pk);
		}
	}
}

void redis_commit_add_indexes(struct redis_job *job)
{
	const struct store_commit *c = &job->w->commit;
	uint32_t indexes = 0;
	for (size_t i = 0; i < c->n; i++) {
		(void)commit_is_listed(&c->ops[i], &indexes);
	}
	for (unsigned i = 0; i < INDEX_COUNT; i++) {
		if ((indexes >> i & 1) != 0) {
			redis_args_key(&job->t->args, job->scope, "x:", slice_str(index_names[i]));
		}
	}
}

static enum err commit_add_body(struct redis_job *job, const struct store_op *op)
{
	struct redis_table *t = job->t;
	struct index_entries entries;
	struct key key;
	enum err e = commit_entries(t, op, &entries);
	if (e != OK) {
		arena_reset(&t->arena);
		return e;
	}
	for (size_t i = 0; i < entries.n; i++) {
		if (entries.at[i].index == INDEX_BY_EXPIRY) {
			redis_note_expiring(t, job->scope);
		}
	}
	key_of_item(&key, op->pk, op->sk);
	buf_clear(&t->sealed);
	t->sealed.max = COMMIT_SEALED_MAX;
	redis_item_seal(key_slice(&key), &entries, op->value, &t->sealed);
	redis_args_copy(&t->args, buf_slice(&t->sealed));
	arena_reset(&t->arena);
	return t->sealed.error == OK ? OK : ERR_NOMEM;
}

/* As of the last look at Redis' memory. */
static bool commit_refuses_new(const struct redis_table *t, const struct store_op *op)
{
	enum apply_takes takes = redis_takes(t);
	return op->kind == STORE_PUT &&
	       (takes == APPLY_TAKES_NONE ||
		(takes == APPLY_TAKES_RESERVED && !item_is_reserved(item_kind_of(op->pk, op->sk))));
}

static void commit_add_condition(struct redis_job *job, const struct store_op *op)
{
	struct redis_args *args = &job->t->args;
	bool is_new_refused = commit_refuses_new(job->t, op);
	if (op->expect == STORE_EXPECT_VERSION) {
		redis_args_u64(args, op->version);
	} else if (op->expect == STORE_EXPECT_ABSENT) {
		redis_args_add(args, is_new_refused ? SLICE("none") : SLICE("absent"));
	} else if (is_new_refused) {
		redis_args_add(args, SLICE("there"));
	} else {
		return;
	}
	redis_args_add(args, op->sk);
}

static enum err commit_add_write(struct redis_job *job, const struct store_op *op)
{
	static const char *const kinds[][2] = {[STORE_PUT] = {"put", "put listed"},
					       [STORE_DELETE] = {"delete", "delete listed"},
					       [STORE_DELETE_PREFIX] = {"prefix", "prefix listed"}};
	struct redis_args *args = &job->t->args;
	struct slice only;
	uint32_t indexes = 0;
	/* A partition of one item has no order: its prefix is the item, or nothing. */
	bool is_prefix = op->kind == STORE_DELETE_PREFIX && redis_item_has_order(op->pk, &only);
	bool is_only = op->kind == STORE_DELETE_PREFIX && !is_prefix;
	if (op->kind == STORE_CHECK || (is_only && !slice_starts(only, op->sk))) {
		return OK;
	}
	redis_args_add(args, slice_str(kinds[is_only ? STORE_DELETE : op->kind]
					    [commit_is_listed(op, &indexes)]));
	redis_args_add(args, is_only ? only : op->sk);
	if (op->kind == STORE_PUT) {
		return commit_add_body(job, op);
	}
	if (is_prefix) {
		redis_args_end(args, op->sk);
	} else {
		redis_args_add(args, NO_SLICE);
	}
	return OK;
}

static enum err commit_add_writes(struct redis_job *job)
{
	const struct store_commit *c = &job->w->commit;
	enum err e = OK;
	for (size_t i = 0; i < c->n && e == OK; i++) {
		if (i > 0 && commit_is_elsewhere(c, i)) {
			redis_args_add(&job->t->args, SLICE("next"));
		}
		e = commit_add_write(job, &c->ops[i]);
	}
	return e;
}

enum err redis_commit_add_words(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	const struct store_commit *c = &job->w->commit;
	redis_args_add(args, job->scope == ITEM_SCOPE_DIRECTORY ? SLICE("directory")
			     : store_fence_is_none(&c->fence)
				     ? NO_SLICE
				     : slice_of(c->fence.bytes, sizeof(c->fence.bytes)));
	redis_args_add(args, c->publish);
	for (size_t i = 0; i < c->n; i++) {
		if (i > 0 && commit_is_elsewhere(c, i)) {
			redis_args_add(args, SLICE("next"));
		}
		commit_add_condition(job, &c->ops[i]);
	}
	redis_args_add(args, SLICE("then"));
	enum err e = commit_add_writes(job);
	redis_args_add(args, SLICE("end"));
	return e != OK ? e : args->error;
}

static bool commit_only_deletes(const struct store_commit *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->ops[i].kind == STORE_PUT) {
			return false;
		}
	}
	return true;
}

static enum err commit_send(struct redis_job *job)
{
	bool is_needed = false;
	if (job->stage == REDIS_STAGE_FIRST && job->scope != ITEM_SCOPE_DIRECTORY) {
		struct redis_table *t = job->t;
		redis_listed_enter(&t->listed, redis_link_server(t->commits.link)->history);
		enum err e = commit_list(job, &is_needed);
		if (e != OK) {
			return e;
		}
	}
	if (is_needed) {
		enum err e = redis_job_call(job, REDIS_SCRIPT_LIST);
		job->t->listing[job->scope] = e == OK;
		return e;
	}
	job->stage = REDIS_STAGE_SECOND;
	if (!job->was_sent) {
		job->was_sent = true;
		job->until_ms = redis_now(job->t) + REDIS_COMMIT_MS;
	}
	return redis_batch_add(job, commit_only_deletes(&job->w->commit) ? REDIS_SCRIPT_DELETES
									 : REDIS_SCRIPT_COMMIT);
}

static bool commit_read(struct slice answer, struct slice *code, uint64_t *version)
{
	const char *colon = answer.len == 0 ? NULL : memchr(answer.data, ':', answer.len);
	if (colon == NULL) {
		return false;
	}
	*code = slice_of(answer.data, (size_t)(colon - answer.data));
	struct redis_reply rest = {.kind = REDIS_STRING,
				   .text = slice_of(colon + 1, answer.len - code->len - 1)};
	return redis_reply_u64(&rest, version);
}

/* Of a commit: its element of the batch's reply; NULL: that has none. */
static enum err commit_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	struct store_request *w = job->w;
	struct slice code;
	if (job->stage == REDIS_STAGE_FIRST) {
		return OK;
	}
	if (reply == NULL || reply->kind != REDIS_STRING ||
	    !commit_read(reply->text, &code, &w->version)) {
		return ERR_UNKNOWN;
	}
	w->is_written = slice_eq(code, SLICE("OK"));
	job->t->info.commits += w->is_written;
	job->t->info.conflicts += slice_eq(code, SLICE("CONFLICT"));
	bool was_given_up = slice_eq(code, SLICE("SEEN")) && w->version == 0;
	return was_given_up					? ERR_CONFLICT
	       : w->is_written || slice_eq(code, SLICE("SEEN")) ? OK
	       : slice_eq(code, SLICE("CONFLICT"))		? ERR_CONFLICT
	       : slice_eq(code, SLICE("FULL"))			? ERR_FULL
	       : slice_eq(code, SLICE("FENCED"))		? ERR_FENCED
								: ERR_UNKNOWN;
}

static void commit_leave_first(struct redis_job *job)
{
	if (job->stage == REDIS_STAGE_FIRST) {
		job->t->listing[job->scope] = false;
	}
}

void redis_commit_listed(struct redis_job *job)
{
	commit_note_listed(job);
	commit_leave_first(job);
	job->stage = REDIS_STAGE_SECOND;
	redis_job_again(job);
}

static void commit_on_stage(struct redis_job *job)
{
	struct redis_table *t = job->t;
	if (job->stage == REDIS_STAGE_FIRST && t->address.is_cluster && t->replicas > 0) {
		job->lane = &t->commits; /* no WAIT behind the commit speaks of that server */
		redis_wait_for(job);
		return;
	}
	if (job->stage == REDIS_STAGE_FIRST) {
		redis_commit_listed(job);
		return;
	}
	redis_wait_for(job);
}

static void commit_on_failure(struct redis_job *job)
{
	commit_leave_first(job);
}

const struct redis_job_kind redis_commit_kind = {commit_send, commit_on_reply, commit_on_stage,
						 commit_on_failure};

/* ---- takings ---- */

static enum err take_send(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	const struct store_take *take = &job->w->take;
	job->stage = REDIS_STAGE_SECOND;
	redis_args_clear(args);
	redis_args_add(args, SLICE("2"));
	redis_args_key(args, job->scope, "h", NO_SLICE);
	redis_args_key(args, job->scope, "v", NO_SLICE);
	redis_args_add(args, slice_of(take->fence.bytes, sizeof(take->fence.bytes)));
	redis_args_add(args, take->gives_up ? SLICE("give") : SLICE("take"));
	return redis_job_call(job, REDIS_SCRIPT_TAKE);
}

static enum err take_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	struct store_request *w = job->w;
	const struct redis_reply *code = redis_reply_at(reply, 0);
	const struct redis_reply *had = redis_reply_at(reply, 1);
	if (had == NULL || had->kind != REDIS_STRING ||
	    !redis_reply_u64(redis_reply_at(reply, 2), &w->version) ||
	    (had->text.len != 0 && had->text.len != sizeof(w->had.bytes))) {
		return ERR_UNKNOWN;
	}
	w->had = (struct store_fence){{0}};
	if (had->text.len > 0) {
		memcpy(w->had.bytes, had->text.data, had->text.len);
	}
	return slice_eq(code->text, SLICE("OK")) ? OK : ERR_FENCED;
}

static void take_on_stage(struct redis_job *job)
{
	if (job->w->take
		    .gives_up) { /* it may have written nothing; what is lost of it matters to nobody */
		redis_job_end(job, OK);
	} else {
		redis_wait_for(job);
	}
}

static void take_on_failure(struct redis_job *job)
{
	(void)job; /* taking again is the same */
}

const struct redis_job_kind redis_take_kind = {take_send, take_on_reply, take_on_stage,
					       take_on_failure};
