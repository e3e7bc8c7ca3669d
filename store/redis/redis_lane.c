/*
 * redis_lane.c - which job goes to which server, and when.
 *
 * Without a cluster there are two lanes, for commits and for reads. In a cluster the directory has those two, and
 * each master two more for its buckets of rooms.
 */
#include <utlist.h>

#include "store/redis/start/redis_open.h"
#include "store/redis/redis_table.h"

struct redis_lane *redis_lane_of(struct redis_table *t, unsigned scope, bool is_commits)
{
	struct redis_master *m = scope == ITEM_SCOPE_DIRECTORY ? NULL : t->of_bucket[scope];
	return m == NULL    ? (is_commits ? &t->commits : &t->reads)
	       : is_commits ? &m->commits
			    : &m->reads;
}

size_t redis_lanes(struct redis_table *t, struct redis_lane *out[REDIS_LANES_MAX])
{
	size_t n = 0;
	out[n++] = &t->commits;
	out[n++] = &t->reads;
	for (size_t i = 0; i < t->masters_n; i++) {
		out[n++] = &t->masters[i]->commits;
		out[n++] = &t->masters[i]->reads;
	}
	return n;
}

/* ---- links ---- */

static void on_change(void *arg)
{
	struct redis_table *t = arg;
	if (t->is_open) {
		t->is_unsure = t->is_unsure || (!t->joins && !redis_link_is_ready(t->commits.link));
		if (t->is_unsure) {
			redis_table_renew(t);
		}
		if (redis_seek_is_needed(t)) {
			redis_link_wake(t->commits.link, redis_now(t));
		}
		redis_lanes_run(t);
		if (t->is_behind) {
			redis_publication_on_link(t);
		}
		if (t->store.wake != NULL) {
			t->store.wake(t->store.wake_arg); /* its state may be another one */
		}
	}
}

static enum err lane_link(struct redis_table *t, bool is_subscription, struct redis_link **out)
{
	struct redis_link_config c = {.net = t->net,
				      .address = &t->master,
				      .needs_master = true,
				      .ends_unsent = !is_subscription,
				      .on = {.on_change = on_change, .arg = t}};
	if (is_subscription) {
		c.channel = slice_str(t->channel);
		c.on.on_change = redis_publication_on_link;
		c.on.on_publication = redis_publication_on_body;
	} else {
		c.scripts = t->scripts;
		c.scripts_n = REDIS_SCRIPT_COUNT;
		c.on.on_time = redis_table_on_time;
	}
	return redis_link_create(&c, out);
}

/* Of a master of a cluster. */
static void on_master_change(void *arg)
{
	struct redis_lane *lane = arg;
	struct redis_table *t = lane->t;
	if (t->is_open) {
		redis_lane_run(lane);
		if (redis_seek_is_needed(t)) {
			redis_link_wake(t->commits.link, redis_now(t));
		}
		if (t->store.wake != NULL) {
			t->store.wake(t->store.wake_arg);
		}
	}
}

enum err redis_lane_open(struct redis_lane *lane)
{
	struct redis_table *t = lane->t;
	if (lane->link != NULL) {
		return OK;
	}
	if (lane->master == NULL) {
		return lane_link(t, false, &lane->link);
	}
	struct redis_link_config c = {.net = t->net,
				      .address = &lane->master->address,
				      .needs_master = true,
				      .ends_unsent = true,
				      .scripts = t->scripts,
				      .scripts_n = REDIS_SCRIPT_COUNT,
				      .on = {.on_change = on_master_change, .arg = lane}};
	return redis_link_create(&c, &lane->link);
}

enum err redis_lane_open_publications(struct redis_table *t)
{
	return lane_link(t, true, &t->publications);
}

/* ---- again ---- */

void redis_lane_return(struct redis_job *job)
{
	enum store_request_kind kind = job->w->kind;
	bool is_commit = kind == STORE_REQUEST_COMMIT || kind == STORE_REQUEST_TAKE;
	if (is_commit || kind == STORE_REQUEST_LOAD) {
		job->lane = redis_lane_of(job->t, job->scope, is_commit);
	}
	if (is_commit) { /* entries that went before it may be lost with the server that had them */
		job->stage = REDIS_STAGE_FIRST;
	}
	/* Most come back in their order. */
	struct redis_job **again = &job->lane->again;
	struct redis_job *before = *again == NULL ? NULL : (*again)->prev;
	while (before != NULL && before->nth > job->nth) {
		before = before == *again ? NULL : before->prev;
	}
	if (before == NULL) {
		DL_PREPEND(*again, job);
	} else {
		DL_APPEND_ELEM(*again, before, job);
	}
}

void redis_lane_go_on(struct redis_job *job)
{
	struct redis_job *behind = job->lane->waiting;
	while (behind != NULL && behind->nth < job->nth) {
		behind = behind->next;
	}
	if (behind == NULL) {
		DL_APPEND(job->lane->waiting, job);
	} else {
		DL_PREPEND_ELEM(job->lane->waiting, behind, job);
	}
}

/* ---- sending ---- */

/* Most were called before all that wait. */
static void lane_merge(struct redis_lane *lane)
{
	struct redis_job *behind = lane->waiting;
	struct redis_job *job;
	struct redis_job *next;
	DL_FOREACH_SAFE (lane->again, job, next) {
		while (behind != NULL && behind->nth < job->nth) {
			behind = behind->next;
		}
		if (behind == NULL) {
			DL_APPEND(lane->waiting, job);
		} else {
			DL_PREPEND_ELEM(lane->waiting, behind, job);
		}
	}
	lane->again = NULL;
}

/* Whether the job must wait for another one of its scope. */
static bool lane_is_behind(const struct redis_lane *lane, const struct redis_job *job)
{
	const struct redis_table *t = lane->t;
	return lane->is_commits && (t->listing[job->scope] || (t->flying[job->scope] > 0 &&
							       t->flying_at[job->scope] != lane));
}

void redis_lane_run(struct redis_lane *lane)
{
	struct redis_table *t = lane->t;
	struct redis_job *job;
	struct redis_job *next;
	redis_wait_run(lane);
	if ((lane->again == NULL && lane->waiting == NULL) || redis_lane_open(lane) != OK) {
		return;
	}
	bool is_held_back = lane->is_commits && t->is_unsure;
	if (!redis_link_is_ready(lane->link) || redis_now(t) < lane->paused_until_ms ||
	    is_held_back) {
		return;
	}
	redis_given_up_settle(t);
	lane_merge(lane);
	DL_FOREACH_SAFE (lane->waiting, job, next) {
		bool must_wait = lane_is_behind(lane, job) || redis_given_up_holds(job);
		if (!must_wait && !redis_job_send(job)) {
			break;
		}
	}
	(void)redis_batch_send(lane);
}

void redis_lane_settle(struct redis_lane *lane)
{
	if (lane->t->address.is_cluster) {
		redis_lanes_run(lane->t);
	} else {
		redis_lane_run(lane);
	}
}

void redis_lanes_run(struct redis_table *t)
{
	struct redis_lane *lanes[REDIS_LANES_MAX];
	size_t n = redis_lanes(t, lanes);
	for (size_t i = 0; i < n; i++) {
		redis_lane_run(lanes[i]);
	}
}

void redis_lanes_flush(struct redis_table *t)
{
	struct redis_lane *lanes[REDIS_LANES_MAX];
	size_t n = redis_lanes(t, lanes);
	for (size_t i = 0; i < n; i++) {
		if (lanes[i]->link != NULL) {
			redis_link_flush(lanes[i]->link);
		}
	}
}

/* ---- time ---- */

static void lane_expire_list(struct redis_job **list, int64_t now_ms)
{
	struct redis_job *job;
	struct redis_job *next;
	DL_FOREACH_SAFE (*list, job, next) {
		if (now_ms >= job->until_ms) {
			DL_DELETE(*list, job);
			redis_job_give_up(job);
		}
	}
}

void redis_lane_expire(struct redis_lane *lane, int64_t now_ms)
{
	lane_expire_list(&lane->again, now_ms);
	lane_expire_list(&lane->waiting, now_ms);
}
