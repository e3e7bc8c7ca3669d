/*
 * redis_load.c - a page of a partition.
 */
#include "store/redis/redis_item.h"
#include "store/redis/redis_table.h"

/* Where the page begins and ends, as bounds of a zset: two words. */
static void load_add_range(struct redis_args *args, const struct store_load *l)
{
	if (!l->is_descending && slice_cmp(l->after, l->sk_prefix) > 0) {
		redis_args_bound(args, '(', l->after);
	} else if (l->sk_prefix.len > 0) {
		redis_args_bound(args, '[', l->sk_prefix);
	} else {
		redis_args_add(args, SLICE("-"));
	}
	/* Beyond all that begin with the prefix: the page begins at its end. */
	bool is_beyond =
		slice_cmp(l->after, l->sk_prefix) > 0 && !slice_starts(l->after, l->sk_prefix);
	if (l->is_descending && l->after.len > 0 && !is_beyond) {
		redis_args_bound(args, '(', l->after);
	} else {
		redis_args_end(args, l->sk_prefix);
	}
}

/* Whether the first bound lies below the text; bounds have a sign, or are only that. */
static bool load_is_bound_below(struct slice bound, struct slice text)
{
	return !slice_eq(bound, SLICE("+")) &&
	       slice_cmp(slice_of(bound.data + 1, bound.len - 1), text) < 0;
}

static void load_add_tail(struct redis_args *args, const struct store_load *l)
{
	struct slice max = args->n > 0 ? args->at[args->n - 2] : NO_SLICE;
	redis_args_bound(args, '[', l->tail_prefix);
	redis_args_end(args, l->tail_prefix);
	redis_args_number(args, (int64_t)l->tail_limit);
	if (load_is_bound_below(max, l->tail_prefix)) {
		redis_args_add(args, max);
	} else {
		redis_args_bound(args, '(', l->tail_prefix);
	}
}

/* The only SK that the partition can have; empty: the page does not have it. */
static struct slice load_only(const struct store_load *l, struct slice only)
{
	bool is_behind = l->after.len == 0 || (l->is_descending ? slice_cmp(only, l->after) < 0
								: slice_cmp(only, l->after) > 0);
	bool is_left_out =
		l->tail_prefix.len > 0 && l->tail_limit == 0 && slice_starts(only, l->tail_prefix);
	return slice_starts(only, l->sk_prefix) && is_behind && !is_left_out ? only : NO_SLICE;
}

static enum err load_send(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	const struct store_load *l = &job->w->load;
	struct slice only;
	bool has_order = redis_item_has_order(l->pk, &only);
	redis_args_clear(args);
	redis_args_add(args, SLICE("4"));
	redis_args_key(args, job->scope, "i:", l->pk);
	redis_args_key(args, job->scope, has_order ? "o:" : "i:", l->pk);
	redis_args_key(args, job->scope, "v", NO_SLICE);
	redis_args_key(args, job->scope, job->scope == ITEM_SCOPE_DIRECTORY ? "p" : "h", NO_SLICE);
	redis_args_tag(args, job->scope);
	redis_args_add(args, store_fence_is_none(&l->fence)
				     ? NO_SLICE
				     : slice_of(l->fence.bytes, sizeof(l->fence.bytes)));
	if (l->is_exact || !has_order) {
		redis_args_add(args, SLICE("one"));
		redis_args_add(args, l->is_exact ? l->sk_prefix : load_only(l, only));
		return redis_job_call(job, REDIS_SCRIPT_LOAD);
	}
	redis_args_add(args, l->is_descending ? SLICE("down") : SLICE("up"));
	load_add_range(args, l);
	redis_args_number(args, l->limit > 0 ? (int64_t)l->limit + 1 : -1);
	if (l->tail_prefix.len > 0 && args->error == OK) {
		load_add_tail(args, l);
	}
	return redis_job_call(job, REDIS_SCRIPT_LOAD);
}

static enum err load_add(struct store_request *w, struct slice sk, struct slice stored)
{
	struct key key;
	struct slice entries, value;
	uint64_t version;
	if (w->load.limit > 0 && w->found.n == w->load.limit) {
		w->found.has_more = true;
		return OK;
	}
	if (!key_fits(w->load.pk, sk)) {
		return ERR_CORRUPT;
	}
	key_of_item(&key, w->load.pk, sk);
	enum err e = redis_item_open(key_slice(&key), stored, &version, &entries, &value);
	return e == OK ? store_found_add(&w->found, w->load.pk, sk, value, version) : e;
}

static enum err load_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	struct store_request *w = job->w;
	const struct redis_reply *code = redis_reply_at(reply, 0);
	const struct redis_reply *number = redis_reply_at(reply, 2);
	const struct redis_reply *items = redis_reply_at(reply, 3);
	enum err e = OK;
	if (items == NULL || items->kind != REDIS_ARRAY || items->n % 2 != 0 ||
	    !redis_reply_u64(redis_reply_at(reply, 1), &w->found.version) ||
	    number->kind != REDIS_INTEGER) {
		return ERR_IO;
	}
	if (slice_eq(code->text, SLICE("FENCED"))) {
		return ERR_FENCED;
	}
	job->number = (uint64_t)number->integer;
	for (const struct redis_reply *sk = items->first; sk != NULL && e == OK;
	     sk = sk->next->next) {
		e = load_add(w, sk->text, sk->next->text);
	}
	return e;
}

static void load_on_stage(struct redis_job *job)
{
	store_found_settle(&job->w->found);
	redis_job_end(job, OK);
}

static void load_on_failure(struct redis_job *job)
{
	store_found_finish(&job->w->found);
}

const struct redis_job_kind redis_load_kind = {load_send, load_on_reply, load_on_stage,
					       load_on_failure};
