/*
 * store_redis.c - the Redis engine: what store.h's calls become, and what time brings.
 *
 * See redis_table.h for the links and jobs, redis_open.c for the start.
 */
#include "store/redis/store_redis.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "store/redis/start/redis_open.h"
#include "store/redis/redis_table.h"

#define REDIS_CLOSE_MS 1000 /* to give the data up; else they are free when the lease is over */
#define REDIS_HURRY_MS 1000 /* for what is under way when the process is to end */

struct redis_table *redis_table_of(struct store *s)
{
	_Static_assert(offsetof(struct redis_table, store) == 0, "an engine begins with its store");
	return (struct redis_table *)(void *)s;
}

/* ---- calls ---- */

static const struct redis_job_kind *const table_kinds[] = {
	[STORE_REQUEST_LOAD] = &redis_load_kind,
	[STORE_REQUEST_QUERY] = &redis_query_kind,
	[STORE_REQUEST_COUNT] = &redis_count_kind,
	[STORE_REQUEST_CHECK] = &redis_check_kind,
	[STORE_REQUEST_PARTITIONS] = &redis_partitions_kind,
	[STORE_REQUEST_COMMIT] = &redis_commit_kind,
	[STORE_REQUEST_TAKE] = &redis_take_kind,
	[STORE_REQUEST_RENEW] = &redis_nodes_kind,
	[STORE_REQUEST_NODES] = &redis_nodes_kind,
};

static unsigned table_scope(const struct store_request *w)
{
	return w->kind == STORE_REQUEST_LOAD   ? item_scope_of(w->load.pk)
	       : w->kind == STORE_REQUEST_TAKE ? w->take.bucket
	       : w->kind == STORE_REQUEST_COMMIT && w->commit.n > 0
		       ? item_scope_of(w->commit.ops[0].pk)
		       : ITEM_SCOPE_DIRECTORY;
}

static void table_submit(struct store *s, struct store_request *w)
{
	struct redis_table *t = redis_table_of(s);
	bool is_commit = w->kind == STORE_REQUEST_COMMIT || w->kind == STORE_REQUEST_TAKE;
	bool takes_none = t->is_settled || t->is_lost || t->is_left;
	struct redis_job *job = takes_none ? NULL : calloc(1, sizeof(*job));
	if (job == NULL) {
		w->result = takes_none ? ERR_CLOSED : ERR_NOMEM;
		redis_table_finish(t, w);
		return;
	}
	*job = (struct redis_job){.t = t,
				  .nth = ++t->calls,
				  .kind = table_kinds[w->kind],
				  .w = w,
				  .scope = table_scope(w),
				  .until_ms = redis_now(t) +
					      (is_commit ? REDIS_COMMIT_MS : REDIS_READ_MS)};
	bool is_of_scope = is_commit || w->kind == STORE_REQUEST_LOAD;
	job->lane = is_of_scope ? redis_lane_of(t, job->scope, is_commit) : &t->reads;
	t->jobs++;
	DL_APPEND(job->lane->waiting, job);
}

static void table_flush(struct store *s)
{
	struct redis_table *t = redis_table_of(s);
	if (t->is_settled) {
		return;
	}
	redis_lanes_run(t);
	redis_lanes_flush(t);
}

static void table_collect(struct store *s, struct store_requests *done)
{
	store_requests_move(&redis_table_of(s)->done, done);
}

/* Whether all masters that are used can be reached. */
static bool table_is_there(const struct redis_table *t)
{
	bool is_there = redis_link_is_ready(t->commits.link);
	for (size_t i = 0; i < t->masters_n && is_there; i++) {
		const struct redis_link *link = t->masters[i]->commits.link;
		is_there = link == NULL || redis_link_is_ready(link);
	}
	return is_there;
}

static void table_status(struct store *s, struct store_status *out)
{
	const struct redis_table *t = redis_table_of(s);
	*out = (struct store_status){
		.state = t->is_lost	      ? STORE_GONE
			 : !table_is_there(t) ? STORE_AWAY
					      : apply_state(redis_takes(t)),
		.bytes_used = t->bytes_used,
		.bytes_max = t->bytes_max,
		.bytes_free = t->bytes_used < t->bytes_max ? t->bytes_max - t->bytes_used : 0,
		.batch = t->batch,
		.remote = redis_info_remote(t),
	};
}

static void table_settle(struct store *s)
{
	struct redis_table *t = redis_table_of(s);
	table_flush(s);
	while (t->jobs > 0) {
		t->net->run(t->net->arg);
	}
	t->is_settled = true;
	t->is_open = false; /* renew nothing behind that */
	if (!t->is_lost && !t->joins) {
		redis_open_give_up(t, REDIS_CLOSE_MS);
	}
}

void redis_table_destroy(struct redis_table *t)
{
	t->is_open = false; /* nothing is sent for what the links end */
	redis_link_destroy(t->seek.link);
	redis_link_destroy(t->publications);
	redis_cluster_finish(t);
	redis_link_destroy(t->reads.link);
	redis_link_destroy(t->commits.link);
	redis_given_up_finish(t);
	redis_args_finish(&t->args);
	arena_finish(&t->arena);
	buf_finish(&t->sealed);
	redis_address_finish(&t->address);
	redis_address_finish(&t->master);
	free(t);
}

static void table_destroy(struct store *s)
{
	redis_table_destroy(redis_table_of(s));
}

static const struct engine redis_engine = {
	.submit = table_submit,
	.flush = table_flush,
	.collect = table_collect,
	.status = table_status,
	.settle = table_settle,
	.destroy = table_destroy,
	.token_life_ms = REDIS_TOKEN_LIFE_MS,
	.is_shared = true,
};

/* ---- time ---- */

/* End the jobs whose time is over, in all lanes or those for commits. */
static void table_expire(struct redis_table *t, int64_t now_ms, bool only_commits)
{
	struct redis_lane *lanes[REDIS_LANES_MAX];
	size_t n = redis_lanes(t, lanes);
	for (size_t i = 0; i < n; i++) {
		if (lanes[i]->is_commits || !only_commits) {
			redis_lane_expire(lanes[i], now_ms);
		}
	}
}

static bool table_has_again(struct redis_table *t)
{
	struct redis_lane *lanes[REDIS_LANES_MAX];
	bool has_any = false;
	for (size_t i = redis_lanes(t, lanes); i-- > 0;) {
		has_any = has_any || lanes[i]->again != NULL;
	}
	return has_any;
}

void redis_table_lose(struct redis_table *t)
{
	t->is_lost = true;
	table_expire(t, INT64_MAX, true);
}

/* The connections end, and with them what is under way; none of it has time any more. */
static void table_leave(struct redis_table *t)
{
	struct redis_lane *lanes[REDIS_LANES_MAX];
	size_t n = redis_lanes(t, lanes);
	t->is_left = true;
	for (size_t i = 0; i < n; i++) {
		struct redis_link *link = lanes[i]->link;
		if (link != NULL && redis_link_pending(link) > 0) {
			redis_link_move(link, lanes[i]->master == NULL
						      ? &t->master
						      : &lanes[i]->master->address);
		}
	}
	table_expire(t, INT64_MAX, false);
}

void store_redis_hurry(struct store *s)
{
	struct redis_table *t = redis_table_of(s);
	if (t->leave_ms == 0) {
		t->leave_ms = redis_now(t) + REDIS_HURRY_MS;
		redis_link_wake(t->commits.link, t->leave_ms);
	}
}

static void on_lease(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_table *t = arg;
	t->leases = false;
	if (end != REDIS_END_OK) {
		return;
	}
	if (slice_eq(reply->text, SLICE("OK"))) {
		t->is_unsure = false;
		redis_lanes_run(t);
		redis_lanes_flush(t);
	} else {
		redis_table_lose(t);
	}
}

static void on_info(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_lane *lane = arg;
	struct redis_table *t = lane->t;
	if (end == REDIS_END_OK && reply->kind == REDIS_STRING) {
		redis_info_take(lane, reply->text, t->info.asked_ms);
		if (t->is_open && t->store.wake != NULL) {
			t->store.wake(t->store.wake_arg); /* what is known of it has changed */
		}
	}
}

static void table_ask_info(struct redis_table *t)
{
	static const char *const names[] = {REDIS_INFO_WORDS};
	struct slice words[sizeof(names) / sizeof(names[0])];
	struct redis_lane *lanes[REDIS_LANES_MAX];
	size_t n = redis_lanes(t, lanes);
	struct redis_command info = {.script = REDIS_NO_SCRIPT,
				     .args = words,
				     .n = sizeof(names) / sizeof(names[0]),
				     .within_ms = REDIS_LEASE_MS};
	for (size_t i = 0; i < info.n; i++) {
		words[i] = slice_str(names[i]);
	}
	t->info.asked_ms = redis_now(t);
	for (size_t i = 0; i < n; i++) {
		struct redis_lane *lane = lanes[i];
		if (lane->is_commits && lane->link != NULL && redis_link_is_ready(lane->link)) {
			(void)!redis_link_send(lane->link, &info, on_info, lane);
		}
	}
}

void redis_table_renew(struct redis_table *t)
{
	if (!redis_link_is_ready(t->commits.link)) {
		return;
	}
	if (!t->leases && !t->joins) {
		t->leases = redis_open_lease(t, REDIS_LEASE_MS, on_lease, t) == OK;
	}
	table_ask_info(t);
}

void redis_table_on_time(void *arg)
{
	struct redis_table *t = arg;
	int64_t now_ms = redis_now(t);
	if (!t->is_open) {
		return;
	}
	if (t->leave_ms != 0 && now_ms >= t->leave_ms && !t->is_left) {
		table_leave(t);
	}
	table_expire(t, now_ms, false);
	redis_cluster_tick(t);
	redis_lanes_run(t);
	redis_publication_tick(t, now_ms);
	redis_seek_tick(t, now_ms);
	if (now_ms >= t->tick_ms) {
		t->tick_ms = now_ms + REDIS_TICK_MS;
		redis_table_renew(t);
	}
	bool is_paused = t->held != NULL || t->given_up != NULL || table_has_again(t);
	redis_link_wake(t->commits.link, is_paused		   ? now_ms + REDIS_PAUSE_MS
					 : redis_seek_is_needed(t) ? now_ms + REDIS_SEEK_MS
								   : t->tick_ms);
	redis_lanes_flush(t);
}

/* ---- opening ---- */

enum err store_open_redis(const struct store_redis_options *o, struct store **out,
			  struct errmsg *why)
{
	struct redis_table *t = calloc(1, sizeof(*t));
	if (t == NULL) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	t->net = o->net;
	t->address = *o->address;
	t->master = *o->address;
	t->use = o->use;
	t->is_node = o->is_node;
	t->joins = o->joins || o->is_node || o->use == STORE_REDIS_READ;
	t->commits = (struct redis_lane){.t = t, .is_commits = true};
	t->reads = (struct redis_lane){.t = t};
	t->on_warning = o->on_warning;
	t->on_warning_arg = o->on_warning_arg;
	redis_scripts_list(t->scripts);
	enum err e = redis_open(t, o->owner, why);
	if (e != OK) {
		redis_table_destroy(t);
		return e;
	}
	store_init(&t->store, &redis_engine);
	t->store.wake = o->wake;
	t->store.wake_arg = o->wake_arg;
	t->is_open = true;
	redis_link_wake(t->commits.link, redis_now(t));
	*out = &t->store;
	return OK;
}
