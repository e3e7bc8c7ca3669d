/*
 * redis_query.c - pages of an index, and counting.
 *
 * An index may be behind its items, or before them: an entry of the directory that leads into a room is
 * written before the room's commit, and stays when the item goes. So every item of a page is looked at,
 * and what does not fit is left out, and removed where it is the directory's.
 */
#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/redis/redis_item.h"
#include "store/redis/redis_table.h"

/* A page under way. The best entries that were found are kept in the order of the page. */
struct redis_query {
	struct slice *at; /* members, each allocated; as many as `want` and one more */
	size_t n, want;
	size_t looked;	 /* of those whose items were looked at */
	struct key from; /* where the next part begins, as a cursor; empty: at the beginning */
	struct arena arena;
};

static void query_clear(struct redis_query *q)
{
	for (size_t i = 0; i < q->n; i++) {
		free((void *)(uintptr_t)q->at[i].data);
	}
	q->n = 0;
	q->looked = 0;
}

void redis_query_destroy(struct redis_query *q)
{
	if (q != NULL) {
		query_clear(q);
		arena_finish(&q->arena);
		free(q->at);
		free(q);
	}
}

static struct redis_query *query_create(const struct store_query *query)
{
	struct redis_query *q = calloc(1, sizeof(*q));
	struct slice *at = calloc(query->limit + 1, sizeof(*at));
	if (q == NULL || at == NULL) {
		free(q);
		free(at);
		return NULL;
	}
	q->at = at;
	return q;
}

/* From the beginning of the page. */
static void query_begin(struct redis_job *job)
{
	struct redis_query *q = job->query;
	struct slice cursor = job->w->query.cursor;
	query_clear(q);
	job->stage = REDIS_STAGE_FIRST;
	q->from.len = cursor.len;
	if (cursor.len > 0) {
		memcpy(q->from.bytes, cursor.data, cursor.len);
	}
}

/* ---- which zsets, and which part of them ---- */

static bool query_is_scattered(enum index_id index)
{
	return index == INDEX_BY_EXPIRY;
}

/* The scope after `at` that may have entries of the index; more than the last: there is none. */
static unsigned query_next_scope(const struct redis_table *t, enum index_id index, unsigned at)
{
	if (!query_is_scattered(index)) {
		return at <= ITEM_SCOPE_DIRECTORY ? ITEM_SCOPE_DIRECTORY : at;
	}
	while (at <= ITEM_SCOPE_DIRECTORY && !redis_may_expire(t, at)) {
		at++;
	}
	return at;
}

/* The entries from the cursor on, and from the range's beginning. */
static void query_add_min(struct redis_args *args, const struct store_query *query,
			  const struct key *cursor)
{
	struct key from;
	int64_t sort;
	key_of_range(&from, query->partition, query->from);
	if (query->is_descending || slice_cmp(key_slice(cursor), key_slice(&from)) <= 0) {
		redis_args_bound(args, '[', key_slice(&from));
	} else if (key_entry_in(key_slice(cursor), query->partition, &sort)) {
		/* Members go on behind the cursor, which is the first part of one. */
		from = *cursor;
		key_to_end(&from);
		redis_args_bound(args, '[', key_slice(&from));
	} else {
		redis_args_bound(args, '[', key_slice(cursor));
	}
}

static void query_add_max(struct redis_args *args, const struct store_query *query,
			  const struct key *cursor)
{
	struct key end;
	key_of_range(&end, query->partition, query->to);
	key_to_end(&end);
	bool has_begun = query->is_descending && cursor->len > 0 &&
			 slice_cmp(key_slice(cursor), key_slice(&end)) < 0;
	redis_args_bound(args, '(', key_slice(has_begun ? cursor : &end));
}

/* ---- first stage: the entries ---- */

static enum err query_ask(struct redis_job *job, unsigned scope)
{
	struct redis_args *args = &job->t->args;
	const struct store_query *query = &job->w->query;
	struct redis_query *q = job->query;
	redis_args_clear(args);
	redis_args_add(args, query->is_descending ? SLICE("ZREVRANGEBYLEX") : SLICE("ZRANGEBYLEX"));
	redis_args_key(args, scope, "x:", slice_str(index_names[query->index]));
	if (query->is_descending) {
		query_add_max(args, query, &q->from);
		query_add_min(args, query, &q->from);
	} else {
		query_add_min(args, query, &q->from);
		query_add_max(args, query, &q->from);
	}
	redis_args_add(args, SLICE("LIMIT"));
	redis_args_add(args, SLICE("0"));
	redis_args_number(args, (int64_t)q->want + 1);
	return redis_job_call(job, REDIS_NO_SCRIPT);
}

static enum err query_ask_number(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	redis_args_clear(args);
	redis_args_add(args, SLICE("GET"));
	redis_args_key(args, ITEM_SCOPE_DIRECTORY, "p", NO_SLICE);
	return redis_job_call(job, REDIS_NO_SCRIPT);
}

static enum err query_send_first(struct redis_job *job)
{
	enum index_id index = job->w->query.index;
	enum err e = OK;
	unsigned scope = query_next_scope(job->t, index, 0);
	job->in_any_order = true;
	job->query->want = job->w->query.limit - job->w->found.n;
	if (scope > ITEM_SCOPE_DIRECTORY) { /* no scope has any */
		return query_ask_number(job);
	}
	while (scope <= ITEM_SCOPE_DIRECTORY && e == OK) {
		e = query_ask(job, scope);
		scope = query_next_scope(job->t, index, scope + 1);
	}
	return e;
}

/* Keep a member, if it is among the first; they are few, and come in order. */
static enum err query_keep(struct redis_query *q, struct slice member, bool is_descending)
{
	size_t at = q->n;
	while (at > 0 && (is_descending ? slice_cmp(q->at[at - 1], member) < 0
					: slice_cmp(q->at[at - 1], member) > 0)) {
		at--;
	}
	if (at > q->want) {
		return OK;
	}
	char *copy = malloc(member.len + 1);
	if (copy == NULL) {
		return ERR_NOMEM;
	}
	memcpy(copy, member.data, member.len);
	if (q->n == q->want + 1) {
		free((void *)(uintptr_t)q->at[--q->n].data);
	}
	memmove(q->at + at + 1, q->at + at, (q->n - at) * sizeof(q->at[0]));
	q->at[at] = slice_of(copy, member.len);
	q->n++;
	return OK;
}

static enum err query_on_first(struct redis_job *job, const struct redis_reply *reply)
{
	enum err e = OK;
	if (reply->kind != REDIS_ARRAY) {
		return OK; /* the number */
	}
	for (const struct redis_reply *r = reply->first; r != NULL && e == OK; r = r->next) {
		struct slice entry_key, item_key;
		if (redis_member_split(r->text, &entry_key, &item_key)) {
			e = query_keep(job->query, r->text, job->w->query.is_descending);
		}
	}
	return e;
}

/* ---- second stage: their items ---- */

static size_t query_taken(const struct redis_query *q)
{
	return q->n < q->want ? q->n : q->want;
}

static enum err query_send_second(struct redis_job *job)
{
	struct redis_query *q = job->query;
	enum err e = OK;
	q->looked = 0;
	for (size_t i = 0; i < query_taken(q) && e == OK; i++) {
		e = redis_job_get(job, q->at[i]);
	}
	/* Behind the items: what they include was published before. */
	return e == OK ? query_ask_number(job) : e;
}

/* An entry of the directory whose item does not fit it: a script looks whether it is old enough to go. */
static void on_unlisted(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	(void)arg, (void)end, (void)reply; /* else the next reader */
}

static void query_unlist(struct redis_job *job, struct slice member)
{
	struct redis_args *args = &job->t->args;
	struct slice name = slice_str(index_names[job->w->query.index]);
	struct slice entry_key, item_key;
	/* What leads to an item of the directory, the item's own commit removes. */
	if (query_is_scattered(job->w->query.index) ||
	    !redis_member_split(member, &entry_key, &item_key) ||
	    !slice_starts(item_key, SLICE("ROOM:"))) {
		return;
	}
	redis_args_clear(args);
	redis_args_add(args, SLICE("2"));
	redis_args_key(args, ITEM_SCOPE_DIRECTORY, "a", NO_SLICE);
	redis_args_key(args, ITEM_SCOPE_DIRECTORY, "x:", name);
	redis_args_add(args, name);
	redis_args_add(args, member);
	struct redis_command c = {.script = REDIS_SCRIPT_UNLIST,
				  .args = args->at,
				  .n = args->n,
				  .within_ms = REDIS_READ_MS};
	if (args->error == OK && redis_link_is_ready(job->t->commits.link)) {
		(void)!redis_link_send(job->t->commits.link, &c, on_unlisted, NULL);
		redis_link_flush(job->t->commits.link);
	}
}

/* OK, also where the item does not fit. */
static enum err query_look(struct redis_job *job, struct slice member,
			   const struct redis_reply *reply)
{
	struct store_found *f = &job->w->found;
	struct redis_query *q = job->query;
	struct slice entry_key, item_key, pk, sk, section, value;
	struct index_entries entries = {.n = 0};
	uint64_t version;
	bool is_member =
		redis_member_split(member, &entry_key, &item_key) && key_split(item_key, &pk, &sk);
	ASSERT(is_member);
	struct index_entry entry = {.index = job->w->query.index, .key = entry_key};
	if (reply->kind != REDIS_STRING) {
		query_unlist(job, member);
		return OK;
	}
	enum err e = redis_item_open(item_key, reply->text, &version, &section, &value);
	e = e == OK ? index_entries_of(item_kind_of(pk, sk), item_key, value, &q->arena, &entries)
		    : e;
	if (e == ERR_CORRUPT) {
		f->is_partial = true;
		return store_found_add(f, pk, sk, NO_SLICE, 0);
	}
	if (e == OK && index_entries_have(&entries, &entry)) {
		e = store_found_add(f, pk, sk, value, version);
	} else if (e == OK) {
		query_unlist(job, member);
	}
	arena_reset(&q->arena);
	return e;
}

static enum err query_on_second(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_query *q = job->query;
	if (q->looked < query_taken(q)) {
		return query_look(job, q->at[q->looked++], reply);
	}
	if (reply->kind == REDIS_STRING) {
		uint64_t number = 0;
		for (size_t i = 0; i < reply->text.len; i++) {
			number = 10 * number + (uint64_t)(reply->text.data[i] - '0');
		}
		job->number = number;
	}
	return OK;
}

static void query_finish(struct redis_job *job, struct slice last, bool has_more)
{
	struct store_found *f = &job->w->found;
	if (store_found_next(f, has_more ? last : NO_SLICE) != OK) {
		redis_job_end(job, ERR_NOMEM);
		return;
	}
	store_found_settle(f);
	redis_job_end(job, OK);
}

static void query_on_stage(struct redis_job *job)
{
	struct redis_query *q = job->query;
	size_t taken = query_taken(q);
	struct slice last = NO_SLICE, item_key;
	if (job->stage == REDIS_STAGE_FIRST) {
		job->stage = REDIS_STAGE_SECOND;
		redis_job_again(job);
		return;
	}
	bool is_member = taken == 0 || redis_member_split(q->at[taken - 1], &last, &item_key);
	ASSERT(is_member);
	bool has_more = q->n > taken;
	if (!has_more || job->w->found.n == job->w->query.limit) {
		query_finish(job, last, has_more);
		return;
	}
	/* Some did not fit: go on behind the last that was looked at. */
	q->from.len = last.len;
	memcpy(q->from.bytes, last.data, last.len);
	query_clear(q);
	job->stage = REDIS_STAGE_FIRST;
	redis_job_again(job);
}

static enum err query_send(struct redis_job *job)
{
	if (job->query == NULL) {
		job->query = query_create(&job->w->query);
		if (job->query == NULL) {
			return ERR_NOMEM;
		}
		query_begin(job);
	}
	return job->stage == REDIS_STAGE_FIRST ? query_send_first(job) : query_send_second(job);
}

static enum err query_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	return job->stage == REDIS_STAGE_FIRST ? query_on_first(job, reply)
					       : query_on_second(job, reply);
}

static void query_on_failure(struct redis_job *job)
{
	store_found_finish(&job->w->found);
	query_begin(job);
}

const struct redis_job_kind redis_query_kind = {query_send, query_on_reply, query_on_stage,
						query_on_failure};

/* ---- counting ---- */

static enum err count_send(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	const struct store_count *c = &job->w->count;
	const struct store_query range = {.index = c->index,
					  .partition = c->partition,
					  .from = c->from,
					  .to = c->to};
	const struct key nowhere = {.len = 0};
	enum err e = OK;
	unsigned scope = query_next_scope(job->t, c->index, 0);
	job->in_any_order = true;
	job->w->counted = 0;
	while (scope <= ITEM_SCOPE_DIRECTORY && e == OK) {
		redis_args_clear(args);
		redis_args_add(args, SLICE("ZLEXCOUNT"));
		redis_args_key(args, scope, "x:", slice_str(index_names[c->index]));
		query_add_min(args, &range, &nowhere);
		query_add_max(args, &range, &nowhere);
		e = redis_job_call(job, REDIS_NO_SCRIPT);
		scope = query_next_scope(job->t, c->index, scope + 1);
	}
	return e == OK ? query_ask_number(job) : e;
}

static enum err count_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	struct store_request *w = job->w;
	if (reply->kind == REDIS_INTEGER) {
		size_t left = w->count.at_most - w->counted;
		w->counted += (uint64_t)reply->integer < left ? (size_t)reply->integer : left;
	}
	return OK;
}

static void count_on_stage(struct redis_job *job)
{
	redis_job_end(job, OK);
}

static void count_on_failure(struct redis_job *job)
{
	job->w->counted = 0;
}

const struct redis_job_kind redis_count_kind = {count_send, count_on_reply, count_on_stage,
						count_on_failure};
