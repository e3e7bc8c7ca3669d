/*
 * redis_partitions.c - a part of the list of partitions: the keys of hashes that one SCAN finds.
 *
 * In a cluster the last part asks whether anything has moved past the walk: whether the map is still that one, and of each
 * scope for a key that does not exist. A master whose slot is on the move answers ASK to that, and the part waits,
 * as what has arrived already may be behind the walk's back.
 */
#include <string.h>

#include "store/key.h"
#include "store/redis/redis_table.h"

#define PARTITIONS_KEYS "1000" /* that SCAN visits for a part, most of them tokens and orders */

#define PARTITIONS_NO_KEY "-" /* of a scope: nobody writes it */

static enum err scan_look_back(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	redis_args_add(args, SLICE("CLUSTER"));
	redis_args_add(args, SLICE("SLOTS"));
	enum err e = redis_job_call(job, REDIS_NO_SCRIPT);
	job->in_any_order = true;
	for (unsigned scope = 0; scope <= ITEM_SCOPE_DIRECTORY && e == OK; scope++) {
		redis_args_clear(args);
		redis_args_add(args, SLICE("EXISTS"));
		redis_args_key(args, scope, PARTITIONS_NO_KEY, NO_SLICE);
		e = redis_job_call(job, REDIS_NO_SCRIPT);
	}
	return e;
}

enum err redis_scan(struct redis_job *job, struct slice cursor, struct slice pattern,
		    struct slice count)
{
	struct redis_args *args = &job->t->args;
	job->walk = redis_cluster_walk(job->t, cursor);
	redis_args_clear(args);
	if (job->walk.is_end) {
		return scan_look_back(job);
	}
	redis_args_add(args, SLICE("SCAN"));
	redis_args_add(args, job->walk.rest);
	redis_args_add(args, SLICE("MATCH"));
	redis_args_add(args, pattern);
	redis_args_add(args, SLICE("COUNT"));
	redis_args_add(args, count);
	return redis_job_call(job, REDIS_NO_SCRIPT);
}

bool redis_scan_is_look(const struct redis_job *job, const struct redis_reply *reply)
{
	return job->walk.is_end && reply->kind == REDIS_INTEGER;
}

const struct redis_reply *redis_scanned(const struct redis_reply *reply, struct slice *next)
{
	const struct redis_reply *cursor = redis_reply_at(reply, 0);
	const struct redis_reply *keys = redis_reply_at(reply, 1);
	if (keys == NULL || keys->kind != REDIS_ARRAY || cursor->kind != REDIS_STRING ||
	    cursor->text.len > REDIS_SCAN_CURSOR_MAX) {
		return NULL;
	}
	*next = slice_eq(cursor->text, SLICE("0")) ? NO_SLICE : cursor->text;
	return keys;
}

const struct redis_reply *redis_scan_found(const struct redis_job *job,
					   const struct redis_reply *reply,
					   char cursor[REDIS_WALK_BYTES], struct slice *next)
{
	static const struct redis_reply nothing = {.kind = REDIS_ARRAY};
	if (job->walk.is_end) {
		size_t len = redis_cluster_walked_all(job->t, &job->walk, reply, cursor);
		*next = slice_of(cursor, len);
		return &nothing;
	}
	const struct redis_reply *keys = redis_scanned(reply, next);
	if (keys != NULL) {
		struct slice rest = next->len > 0 ? *next : SLICE("0");
		*next = slice_of(cursor, redis_cluster_walked(job->t, &job->walk, rest, cursor));
	}
	return keys;
}

bool redis_scanned_pk(struct slice key, char *kind, struct slice *pk)
{
	const char *end = key.len == 0 ? NULL : memchr(key.data, '}', key.len);
	size_t head = end == NULL ? key.len : (size_t)(end - key.data) + sizeof("}i:") - 1;
	if (head >= key.len) {
		return false;
	}
	*kind = end[1];
	*pk = slice_of(key.data + head, key.len - head);
	return key_fits(*pk, NO_SLICE);
}

static enum err partitions_send(struct redis_job *job)
{
	return redis_scan(job, job->w->cursor, SLICE("{*}i:*"), SLICE(PARTITIONS_KEYS));
}

static enum err partitions_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	struct store_found *f = &job->w->found;
	struct slice next, pk;
	char kind, walk[REDIS_WALK_BYTES];
	if (redis_scan_is_look(job, reply)) {
		return OK;
	}
	const struct redis_reply *keys = redis_scan_found(job, reply, walk, &next);
	enum err e = keys == NULL ? ERR_IO : OK;
	const struct redis_reply *r = e == OK ? keys->first : NULL;
	for (; r != NULL && e == OK; r = r->next) {
		e = redis_scanned_pk(r->text, &kind, &pk)
			    ? store_found_add(f, pk, NO_SLICE, NO_SLICE, 0)
			    : OK;
	}
	if (e == OK) {
		e = store_found_next(f, next);
	}
	return e;
}

static void partitions_on_stage(struct redis_job *job)
{
	store_found_settle(&job->w->found);
	redis_job_end(job, OK);
}

static void partitions_on_failure(struct redis_job *job)
{
	store_found_finish(&job->w->found);
}

const struct redis_job_kind redis_partitions_kind = {partitions_send, partitions_on_reply,
						     partitions_on_stage, partitions_on_failure};
