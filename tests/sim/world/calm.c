/*
 * calm.c - when nobody acts and nothing fails, everything that was begun must
 * end, and all copies must be one: in the server, with its members, on disk.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"
#include "tests/sim/oracle/homes.h"

#include <string.h>

#include "tests/support/store_mem.h"

#define CALM_ROUNDS_MAX 2000
#define CALM_TIMER_MS	22200 /* more than any timer that is started */
#define CALM_SWEEP_MS	5100  /* more than the sweeper waits between two passes */

static bool calm_is_quiet_on_disk(const struct world *w)
{
	bool is_quiet = w->commits == NULL && store_mem_waiting(w->store) == 0;
	for (size_t i = 0; i < w->nodes_n; i++) {
		is_quiet = is_quiet && w->nodes[i].refused_n == 0 &&
			   (!w->master.is_on || engine_is_quiet(&w->nodes[i].engine));
	}
	return is_quiet && (!w->master.is_on || w->nodes_n > 1 ||
			    (watcher_is_quiet(&w->watchers[0]) && engine_is_quiet(&w->other) &&
			     watcher_is_quiet(&w->watchers[1])));
}

static bool calm_is_quiet(const struct world *w)
{
	for (size_t i = 0; i < w->conns_n; i++) {
		const struct conn *c = w->conns[i];
		if (c->is_deaf && c->server_has) {
			continue;
		}
		if ((c->up.len > 0 && c->server_has) || c->down.len > 0 ||
		    (c->client_has && !c->server_has)) {
			return false;
		}
	}
	return calm_is_quiet_on_disk(w);
}

static void calm_round(struct world *w)
{
	world_advance(w, 2);
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		net_deliver_up_to(w, w->conns[i], w->conns[i]->up.len);
	}
	shell_disk(w, 1000);
	if (w->node->must_crash) {
		shell_crash(w);
	}
	shell_each(w, shell_tick_if_due);
	shell_each(w, shell_turn);
	shell_each(w, shell_output);
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		struct conn *c = w->conns[i];
		if (!c->is_deaf || !c->server_has) {
			net_receive(w, c, c->down.len);
		}
	}
	net_sweep(w);
	oracle_step(w);
}

/* What has changed and has not been sent yet has moved no byte. */
static int64_t calm_versions(const struct world *w)
{
	int64_t sum = 0;
	for (size_t i = 0; i < w->rooms_n; i++) {
		for (size_t n = 0; n < w->nodes_n; n++) {
			sum += w->rooms[i].memories[n]->now.version;
		}
	}
	return sum;
}

void calm_settle(struct world *w)
{
	unsigned quiet = 0;
	for (unsigned i = 0; quiet < 3 && !w->is_broken; i++) {
		uint64_t before = w->hash;
		int64_t versions = calm_versions(w);
		calm_round(w);
		bool is_same = w->hash == before && calm_versions(w) == versions;
		quiet = calm_is_quiet(w) && is_same ? quiet + 1 : 0;
		if (i == CALM_ROUNDS_MAX) {
			broken(w, CLAIM_LIVENESS, "it never comes to rest");
		}
	}
}

/* ---- what must hold then ---- */

static void calm_check_answers(struct world *w)
{
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		const struct conn *c = net_by_serial(w, op->conn);
		if (c != NULL && c->server_has && c->client_has && !c->is_broken && !c->is_deaf &&
		    (!op->is_heard || !op->is_answered)) {
			broken(w, CLAIM_LIVENESS, "%s of %s is never answered",
			       op->method == METHOD_COUNT ? "a call" : method_rows[op->method].name,
			       member_name(w, op->member));
		}
	}
}

static bool calm_is_host(const struct view *v, const char *user_id)
{
	const struct view_user *u = view_user_const(v, user_id);
	return u != NULL && u->is_host;
}

static void calm_check_you(struct world *w, const struct conn *c, int room, const struct sub *sub)
{
	char pk[32];
	const struct sim_room *r = &w->rooms[room];
	const struct table_row *row =
		table_seat(&w->table,
			   slice_of(pk, (size_t)snprintf(pk, sizeof(pk), "ROOM:%s", r->id)),
			   sub->user_id);
	if (!sub->has_you) {
		broken(w, CLAIM_LIVENESS, "%s follows %s and was never told of its own seat",
		       member_name(w, c->member), r->id);
	} else if (row == NULL
			   ? sub->you_vote[0] != '\0' || sub->you_name[0] != '\0' ||
				     sub->you_is_spectator ||
				     (sub->you_is_host && r->group_id[0] == '\0')
			   : strcmp(row->vote, sub->you_vote) != 0 ||
				     strcmp(row->username, sub->you_name) != 0 ||
				     row->is_spectator != sub->you_is_spectator ||
				     sub->you_is_host != calm_is_host(&r->mem->now, sub->user_id)) {
		broken(w, CLAIM_CONVERGE,
		       "what %s knows of its own seat in %s is not what the disk has",
		       member_name(w, c->member), r->id);
	}
}

static void calm_check_copies(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		const struct conn *c = w->conns[i];
		world_enter(w, c->node);
		for (int room = 0;
		     room < (int)w->rooms_n && c->server_has && c->client_has && !c->is_deaf;
		     room++) {
			const struct sub *sub = c->subs[room];
			const struct sim_room *r = &w->rooms[room];
			if (sub == NULL || !sub->is_on) {
				continue;
			}
			if (sub->you_is_waiting) {
				continue; /* of the room it knows nothing; see oracle.c */
			}
			if (!r->mem->in_memory || !view_eq(&sub->view, &r->mem->now)) {
				broken(w, CLAIM_CONVERGE,
				       "all is quiet, and %s's copy of %s at version %lld is not "
				       "the room's at %lld",
				       member_name(w, c->member), r->id,
				       (long long)sub->view.version,
				       (long long)r->mem->now.version);
				return;
			}
			calm_check_you(w, c, room, sub);
		}
	}
}

static void calm_check_room(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	FEATURES_DO(settled_room, w, room);
	const char *lacks = table_differs(&w->table, r->id, &r->mem->now);
	if (lacks != NULL) {
		broken(w, CLAIM_DURABLE, "all is quiet, and the disk lacks %s of %s", lacks, r->id);
	}
}

void calm_check(struct world *w)
{
	calm_check_answers(w);
	calm_check_copies(w);
	for (size_t n = 0; n < w->nodes_n; n++) {
		world_enter(w, &w->nodes[n]);
		for (size_t i = 0; i < w->rooms_n && !w->is_broken; i++) {
			if (w->rooms[i].mem->in_memory) {
				calm_check_room(w, (int)i);
			}
		}
	}
	homes_settled(w);
	FEATURES_DO(settled, w);
	if (!w->is_broken) {
		commit_recover(w, w->store);
		store_mem_set_auto(w->store, false);
	}
}

/* ---- the last act ---- */

static void calm_begin(struct world *w)
{
	trace(w, "all is calm");
	w->is_calm = true;
	store_mem_fail_commits(w->store, 0, ERR_IO);
	store_mem_lose_answers(w->store, 0);
	store_mem_fail_reads(w->store, 0, ERR_IO);
	for (size_t i = 0; i < w->conns_n; i++) {
		w->conns[i]->stalled_until = 0;
		w->conns[i]->pipe_bytes =
			65536; /* so that it takes little time, and no grace ends meanwhile */
	}
	if (w->nodes_n > 1) {
		cluster_heal(w);
	} else if (w->node->is_stopping || w->node->must_crash) {
		shell_crash(w);
	}
}

static void calm_everybody_comes_back(struct world *w)
{
	for (size_t m = 0; m < w->members_n && !w->is_broken; m++) {
		struct conn *c = net_open(w, (int)m);
		if (c == NULL) {
			return;
		}
		send_hello(w, c);
		for (int room = 0; room < (int)w->rooms_n; room++) {
			if (w->rooms[room].is_public &&
			    w->members[m].rooms[room].user_key[0] != '\0') {
				send_subscribe(w, c, room, true);
			}
		}
	}
}

static void calm_everybody_goes_on(struct world *w)
{
	for (size_t i = 0, n = w->conns_n; i < n; i++) {
		struct conn *c = w->conns[i];
		if (c->client_has && c->server_has) {
			FEATURES_DO(comes_back, w, c);
		}
	}
}

/* Seats without a name may have given way in a full room to those who came back, but where a host
 * let them in. */
static void calm_forget_nameless(struct view *before, const struct view *now)
{
	size_t kept = 0;
	for (size_t i = 0; i < before->n; i++) {
		const struct view_user *u = &before->users[i];
		bool was_let_in = before->policy.lobby && !u->is_waiting;
		if (u->has_name || was_let_in || view_user_const(now, u->user_id) != NULL) {
			before->users[kept++] = *u;
		}
	}
	before->n = kept;
	if (view_user_const(before, before->host) == NULL) {
		before->host[0] = '\0';
	}
}

static bool calm_has_deadline(const struct world *w, const struct view *v)
{
	bool has = v->timer_ends_at > w->wall_ms;
	for (size_t i = 0; i < v->stories_n; i++) {
		has = has || v->stories[i].ends_at > w->wall_ms;
	}
	return has;
}

/* A timer or the deadline of a story, which are never longer, or the rest of a break. */
static bool calm_ends_soon(const struct world *w)
{
	for (size_t i = 0; i < w->rooms_n; i++) {
		for (size_t n = 0; n < w->nodes_n; n++) {
			const struct sim_memory *mem = w->rooms[i].memories[n];
			int64_t left = mem->now.pause_ends_at - w->wall_ms;
			if (mem->in_memory && (calm_has_deadline(w, &mem->now) ||
					       (left > 0 && left <= CALM_TIMER_MS))) {
				return true;
			}
		}
	}
	return false;
}

static bool calm_has_seats_of_deleted(struct world *w)
{
	TABLE_EACH (&w->table, ITEM_SEAT, row) {
		if (row->account[0] != '\0' && user_is_ending(w, row->account)) {
			return true;
		}
	}
	return false;
}

/*
 * That a room is to forget a deleted user is a hint, which is lost where the room's commit meets another process's. The
 * sweeper gives it again; a server that starts does so at once, and its rooms would not be as they were before.
 */
static void calm_ends_of_users(struct world *w)
{
	for (int i = 0; i < 3 && !w->is_broken && calm_has_seats_of_deleted(w); i++) {
		world_advance(w, CALM_SWEEP_MS);
		calm_settle(w);
	}
}

/* Nobody does anything but wait: what should end by now ends by itself. */
static void calm_timers(struct world *w)
{
	while (!w->is_broken && calm_ends_soon(w)) {
		world_advance(w, CALM_TIMER_MS);
		calm_settle(w);
		calm_check(w);
	}
}

/*
 * A deadline of a story, or of the room, that a clock which jumped has ended ends when the room is next looked at, and then
 * the votes may be hidden no more: those on that story, or on all that have some.
 */
static void calm_forget_ended(const struct world *w, struct view *before, const struct view *now)
{
	bool reveals_all = before->timer_reveals && before->timer_ends_at <= w->wall_ms &&
			   now->timer_ends_at == 0;
	for (size_t i = 0; i < before->stories_n; i++) {
		struct view_story *was = &before->stories[i];
		const struct view_story *is = view_story(now, was->story_id);
		if (was->ends_at != 0 && was->ends_at <= w->wall_ms && is != NULL &&
		    is->ends_at == 0) {
			*was = *is;
		} else if (reveals_all && was->voted > 0 && was->shown == 0 && is != NULL) {
			was->shown = is->shown;
		}
	}
}

/* An estimate that was on its way has come to its item meanwhile, or the story says why not. */
static void calm_forget_unsaved(struct view *before, const struct view *now)
{
	for (size_t i = 0; i < before->stories_n; i++) {
		struct view_story *was = &before->stories[i];
		const struct view_story *is = view_story(now, was->story_id);
		if (was->is_unsaved && was->reason[0] == '\0' && is != NULL) {
			was->is_unsaved = is->is_unsaved;
			memcpy(was->reason, is->reason, sizeof(was->reason));
		}
	}
}

/* Everybody has come back, and so has the host whose place was kept: they are host again, and nobody stands in. */
static void calm_host_returns(struct view *before, const struct view *now)
{
	if (before->host_kept_for[0] == '\0' || now->host_kept_for[0] != '\0' ||
	    strcmp(now->host, before->host_kept_for) != 0) {
		return;
	}
	for (size_t i = 0; i < before->n; i++) {
		struct view_user *u = &before->users[i];
		const struct view_user *is = view_user_const(now, u->user_id);
		bool has_moved = strcmp(u->user_id, before->host) == 0 ||
				 strcmp(u->user_id, before->host_kept_for) == 0;
		u->is_host = has_moved && is != NULL ? is->is_host : u->is_host;
	}
	memcpy(before->host, now->host, sizeof(before->host));
	before->host_kept_for[0] = '\0';
}

/* A crash changes nothing that was durable. */
static void calm_crash(struct world *w)
{
	static struct view before[SIM_ROOMS_MAX];
	bool was_there[SIM_ROOMS_MAX] = {false};
	for (size_t i = 0; i < w->rooms_n; i++) {
		was_there[i] = w->rooms[i].mem->in_memory;
		view_copy(&before[i], &w->rooms[i].mem->now);
	}
	shell_crash(w);
	calm_settle(w);
	calm_everybody_comes_back(w);
	calm_settle(w);
	for (size_t i = 0; i < w->rooms_n && !w->is_broken; i++) {
		const struct sim_room *r = &w->rooms[i];
		if ((int64_t)r->mem->now.n >= w->config.limits[LIMIT_ROOM_SEATS]) {
			calm_forget_nameless(&before[i], &r->mem->now);
		}
		calm_forget_unsaved(&before[i], &r->mem->now);
		calm_forget_ended(w, &before[i], &r->mem->now);
		calm_host_returns(&before[i], &r->mem->now);
		/* A break that a clock which jumped has ended ends when its room is next looked at. */
		bool was_over =
			before[i].pause_ends_at != 0 && before[i].pause_ends_at <= w->wall_ms;
		if (was_over && r->mem->now.pause_ends_at == 0) {
			before[i].pause_ends_at = 0;
		}
		bool was_shown = before[i].is_revealed == r->mem->now.is_revealed;
		const char *other = was_there[i] && r->mem->in_memory && !r->is_ending && was_shown
					    ? view_differs(&before[i], &r->mem->now)
					    : NULL;
		if (other != NULL) {
			broken(w, CLAIM_DURABLE, "%s is not after a crash what it was before: %s",
			       r->id, other);
		}
	}
	calm_everybody_goes_on(w);
	calm_settle(w);
}

/* Nothing but time goes by: most of it at once, as on a machine that slept. */
static void calm_wait(struct world *w, int64_t ms)
{
	int64_t slept = ms > 3000 ? ms - 3000 : 0;
	w->mono_ms += slept;
	w->wall_ms += slept;
	world_advance(w, ms - slept);
	calm_settle(w);
	if (!w->is_broken) {
		calm_check(w);
	}
}

/* Half of the people go home, and leave behind what goes after its grace; one stays and does not
 * read any more. */
static void calm_evening(struct world *w)
{
	const int64_t *limits = w->config.limits;
	trace(w, "half of them go home");
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *c = w->conns[i];
		if (c->client_has && (uint64_t)c->member % 2 == w->o.seed % 2) {
			net_cut(w, c);
		}
	}
	for (size_t i = 0; i < w->conns_n; i++) {
		if (w->conns[i]->client_has && !w->conns[i]->is_closing) {
			w->conns[i]->is_deaf = true;
			w->conns[i]->pipe_bytes = w->conns[i]->down.len;
			break;
		}
	}
	calm_settle(w);
	calm_wait(w, limits[LIMIT_STALL_MS] + 1200);
	if (!w->is_broken) {
		calm_wait(w, limits[LIMIT_VOTE_GRACE_MS] + 1200);
	}
	if (!w->is_broken) {
		calm_wait(w, limits[LIMIT_NAME_GRACE_MS] - limits[LIMIT_VOTE_GRACE_MS] + 1200);
	}
}

/* The server is down for a night: what was over by then is over for whoever comes first. */
static void calm_night(struct world *w)
{
	trace(w, "a night goes by without the server");
	w->is_night = true;
	shell_crash_for(w, w->night_ms);
	calm_settle(w);
	calm_everybody_comes_back(w);
	calm_everybody_goes_on(w);
	calm_settle(w);
	for (size_t i = 0; i < 6; i++) { /* often enough for what failed, or is found late */
		world_advance(w, CALM_SWEEP_MS);
		calm_settle(w);
	}
	if (!w->is_broken) {
		FEATURES_DO(morning, w);
	}
}

/* Nodes that were away come back, leases begin, lists are read: longer than all that takes. */
#define CALM_HOMES_S 15

static void calm_find_homes(struct world *w)
{
	for (int i = 0; i < CALM_HOMES_S && !w->is_broken; i++) {
		world_advance(w, 1000);
		calm_round(w);
	}
	calm_settle(w);
}

/* Everybody who has a seat is there again, where the room has its home. */
static void calm_everybody_goes_home(struct world *w)
{
	for (int room = 0; room < (int)w->rooms_n; room++) {
		struct sim_node *home = cluster_home(w, w->rooms[room].id);
		for (size_t m = 0; m < w->members_n && !w->is_broken; m++) {
			bool has_seat = w->members[m].rooms[room].user_key[0] != '\0';
			struct conn *c = has_seat && w->rooms[room].is_public
						 ? net_open_at(w, (int)m, home)
						 : NULL;
			if (c != NULL) {
				send_hello(w, c);
				send_subscribe(w, c, room, true);
			}
		}
	}
}

/* What a crash and a night leave is the same for one server: here it is that each room has found its home. */
static void calm_run_cluster(struct world *w)
{
	calm_begin(w);
	calm_find_homes(w);
	if (!w->is_broken) {
		calm_check(w);
	}
	calm_everybody_goes_home(w);
	calm_settle(w);
	if (!w->is_broken) {
		calm_check(w);
	}
	calm_timers(w);
}

void calm_run(struct world *w)
{
	if (w->nodes_n > 1) {
		calm_run_cluster(w);
		return;
	}
	calm_begin(w);
	calm_settle(w);
	/* A load that failed is tried again after a second; a round that calls which waited for it change is late for one more. */
	for (int i = 0; i < 2; i++) {
		world_advance(w, 1100);
		calm_settle(w);
	}
	calm_ends_of_users(w);
	if (!w->is_broken) {
		calm_check(w);
	}
	if (!w->is_broken) {
		calm_timers(w);
	}
	if (!w->is_broken) {
		calm_crash(w);
	}
	if (!w->is_broken) {
		calm_check(w);
	}
	if (!w->is_broken) {
		calm_evening(w);
	}
	if (!w->is_broken) {
		calm_night(w);
	}
}
