/*
 * world.c - a world's life: what a seed decides about it, its clocks, one step.
 */
#include "tests/sim/features/feature.h"

#include <stdarg.h>
#include <stdlib.h>

#include "proto/base/assert.h"
#include "tests/support/store_mem.h"

const char *const claim_names[CLAIM_COUNT] = {
#define CLAIM_NAME(symbol, promise) #symbol,
	CLAIMS(CLAIM_NAME)
#undef CLAIM_NAME
};
const char *const claim_promises[CLAIM_COUNT] = {
#define CLAIM_PROMISE(symbol, promise) promise,
	CLAIMS(CLAIM_PROMISE)
#undef CLAIM_PROMISE
};

void broken(struct world *w, enum claim claim, const char *format, ...)
{
	if (w->is_broken) {
		return;
	}
	w->is_broken = true;
	w->broken = claim;
	va_list args;
	va_start(args, format);
	vsnprintf(w->why, sizeof(w->why), format, args);
	va_end(args);
	trace(w, "BROKEN %s: %s", claim_names[claim], w->why);
}

void trace(struct world *w, const char *format, ...)
{
	if (w->o.trace == NULL) {
		return;
	}
	if (!w->o.is_scripted) {
		fprintf(w->o.trace, "%4u %9lld  ", w->step, (long long)w->mono_ms);
	}
	va_list args;
	va_start(args, format);
	vfprintf(w->o.trace, format, args);
	va_end(args);
	fputc('\n', w->o.trace);
}

bool planted(struct world *w, enum sim_break which, unsigned one_in)
{
	if (w->o.planted != which || dice_below(&w->dice, one_in) != 0) {
		return false;
	}
	w->planted_times++;
	return true;
}

void world_enter(struct world *w, struct sim_node *node)
{
	w->node = node;
	for (size_t i = 0; i < w->rooms_n; i++) {
		w->rooms[i].mem = w->rooms[i].memories[node - w->nodes];
	}
}

struct clocks world_now(const struct world *w)
{
	return (struct clocks){.wall_ms = w->wall_ms,
			       .mono_ms = w->mono_ms,
			       .boot_ms = w->mono_ms > w->node->slept_ms
						  ? w->mono_ms - w->node->slept_ms
						  : 1};
}

/* ---- what a seed decides ---- */

static void world_limit(struct world *w, enum limit limit, unsigned percent, int64_t from,
			int64_t to)
{
	/* Rolled whether used or not, so that one limit's choice leaves the others' alone. */
	int64_t value = dice_between(&w->dice, from, to);
	if (dice_percent(&w->dice, percent)) {
		w->config.limits[limit] = value;
	}
}

static void world_limits(struct world *w)
{
	int64_t *limits = w->config.limits;
	limits[LIMIT_ROOM_SEATS] = SIM_SEATS_MAX - 4;
	world_limit(w, LIMIT_ROOM_SEATS, 15, 2, 12);
	world_limit(w, LIMIT_ROOM_LOG_BYTES, 40, 128, 4096);
	world_limit(w, LIMIT_REQUESTS_PER_SECOND, 8, 3, 30);
	world_limit(w, LIMIT_HELLO_MS, 50, 500, 5000);
	world_limit(w, LIMIT_FRAME_MS, 50, 500, 10000);
	world_limit(w, LIMIT_STALL_MS, 70, 500, 20000);
	world_limit(w, LIMIT_ROOM_LIFE_MS, 20, 5000, 60000);
	world_limit(w, LIMIT_GROUP_ROOM_LIFE_MS, 20, 5000, 60000);
	world_limit(w, LIMIT_SESSION_LIFE_MS, 70, 1000, 30000);
	world_limit(w, LIMIT_PRESENCE_GRACE_MS, 80, 300, 8000);
	world_limit(w, LIMIT_ROOM_MISSES_PER_MINUTE, 20, 2, 30);
	world_limit(w, LIMIT_LOGIN_MISSES_PER_MINUTE, 70, 100, 1000);
	w->is_batched = w->o.seed % 4 == 0;
	limits[LIMIT_COMMIT_TRANSACTIONS] = w->is_batched ? limits[LIMIT_COMMIT_TRANSACTIONS] : 1;
	world_limit(w, LIMIT_VOTE_GRACE_MS, 80, 500, 10000);
	world_limit(w, LIMIT_COUNTDOWN_MS, 50, 100, 5000);
	limits[LIMIT_BOARD_EVERY_MS] = 2000;
	limits[LIMIT_BOARD_PEOPLE] = 2;
	limits[LIMIT_BOARD_STEP] = 10;
	limits[LIMIT_REMOVAL_ITEMS] = dice_between(&w->dice, 1, 4);
	limits[LIMIT_NOTICES_AGAIN_MS] = dice_between(&w->dice, 1000, 60000);
	w->config.has_command = dice_percent(&w->dice, 50);
	limits[LIMIT_NAME_GRACE_MS] = limits[LIMIT_VOTE_GRACE_MS] * dice_between(&w->dice, 2, 10);
}

static void world_temper(struct world *w)
{
	struct dice *d = &w->dice;
	bool is_rough = dice_percent(d, 60);
	w->act_permille = (unsigned)dice_between(d, 100, 900);
	w->store_percent = (unsigned)dice_between(d, 10, 100);
	w->tick_late_percent = dice_percent(d, 30) ? (unsigned)dice_between(d, 0, 60) : 0;
	w->fault_permille = is_rough ? (unsigned)dice_between(d, 0, 40) : 0;
	w->cut_permille = is_rough ? (unsigned)dice_between(d, 0, 40) : 0;
	w->crash_permille = is_rough && dice_percent(d, 50) ? (unsigned)dice_between(d, 1, 12) : 0;
	w->stall_permille = is_rough ? (unsigned)dice_between(d, 0, 30) : 0;
}

/* People who meet again, with sessions that last. */
static void world_meets(struct world *w)
{
	w->is_team = dice_percent(&w->dice, 20);
	if (w->is_team) {
		w->config.limits[LIMIT_SESSION_LIFE_MS] = dice_between(&w->dice, 60000, 3600000);
	}
}

/* So many servers: of those on an engine that several processes share some worlds have more than one. */
static size_t world_nodes(struct world *w)
{
	if (w->o.nodes > 0 || w->o.is_scripted) {
		return w->o.nodes > 1 ? w->o.nodes : 1;
	}
	bool has_several = w->o.seed % 15 == 14 || break_is_of_cluster(w->o.planted);
	return has_several ? 2 + dice_below(&w->dice, SIM_NODES_MAX - 1) : 1;
}

static size_t world_people(struct dice *d)
{
	uint32_t kind = dice_below(d, 100);
	if (kind < 70) {
		return 1 + dice_below(d, 8);
	}
	return kind < 95 ? 5 + dice_below(d, 15) : 20 + dice_below(d, SIM_MEMBERS_MAX - 19);
}

struct world *world_create(const struct world_options *o)
{
	struct world *w = calloc(1, sizeof(*w));
	ASSERT(w != NULL);
	w->o = *o;
	w->nodes_n = 1;
	w->node = &w->nodes[0];
	w->dice.state = o->seed * 0x2545f4914f6cdd1du + 1;
	w->night_ms = o->seed % 3 == 0 ? 3 * SIM_NIGHT_MS : SIM_NIGHT_MS;
	w->hash = SIM_HASH_START;
	w->public = SIM_HASH_START;
	w->mono_ms = 1000 + dice_below(&w->dice, 100000);
	w->wall_ms = 1700000000000 + dice_below(&w->dice, 1000000);
	buf_init(&w->scratch, 1u << 22);
	server_config_defaults(&w->config);
	dice_bytes(&w->dice, w->config.server_key, sizeof(w->config.server_key));
	w->config.has_kiosk = true;
	w->config.kiosk_uid = SIM_KIOSK_UID;
	machines_start(w);
	w->members_n = world_people(&w->dice);
	w->rooms_wanted = 1 + dice_below(&w->dice, 3);
	w->store_percent = 100;
	if (!o->is_scripted) {
		world_limits(w);
		world_temper(w);
		world_meets(w);
	}
	if (o->is_hidden) {
		w->config.limits[LIMIT_COUNTDOWN_MS] = INT32_MAX;
	}
	enum err e = store_open_mem(&w->store);
	ASSERT_CMP(e, ==, OK);
	store_mem_set_auto(w->store, false);
	if (!o->is_scripted && dice_percent(&w->dice, 30)) {
		w->is_lagging = true;
		store_mem_delay_indexes(w->store, dice_below(&w->dice, 10));
	}
	size_t nodes = world_nodes(w);
	if (nodes > 1) {
		cluster_begin(w, nodes);
	}
	if (!o->is_scripted && (nodes > 1 || o->seed % 3 == 2)) {
		master_begin(w);
		for (size_t i = 0; i < nodes; i++) {
			engine_begin(&w->nodes[i].engine, w);
		}
	}
	if (w->master.is_on && nodes == 1) {
		engine_begin(&w->other, w);
		watcher_begin(&w->watchers[0], &w->node->engine);
		watcher_begin(&w->watchers[1], &w->other);
	}
	member_init(w);
	for (size_t i = 0; i < nodes; i++) {
		world_enter(w, &w->nodes[i]);
		shell_start(w);
	}
	return w;
}

static void world_free_memory(struct sim_memory *mem)
{
	for (size_t v = 0; mem != NULL && v < SIM_HISTORY; v++) {
		free(mem->history[v]);
	}
	if (mem != NULL) {
		buf_finish(&mem->seen);
	}
	free(mem);
}

static void world_free_rooms(struct world *w)
{
	for (size_t i = 0; i < SIM_ROOMS_MAX; i++) {
		for (size_t n = 0; n < SIM_NODES_MAX; n++) {
			world_free_memory(w->rooms[i].memories[n]);
		}
		for (size_t m = 0; m < SIM_MEMBERS_MAX; m++) {
			free(w->members[m].rooms[i].last);
		}
	}
}

void world_destroy(struct world *w)
{
	shell_finish(w);
	net_destroy_all(w);
	world_free_rooms(w);
	for (size_t i = 0; i < w->ops_n; i++) {
		buf_finish(&w->ops[i].sent);
	}
	free(w->ops);
	table_finish(&w->table);
	FEATURES_DO(finish, w);
	for (size_t i = 0; i < w->nodes_n; i++) {
		effects_finish(&w->nodes[i].fx);
	}
	decoder_finish(&w->decoder);
	arena_finish(&w->arena);
	buf_finish(&w->scratch);
	free(w);
}

/* ---- time ---- */

static int64_t world_deadline(const struct world *w)
{
	int64_t next = w->mono_ms + 1000;
	for (size_t i = 0; i < w->nodes_n; i++) {
		int64_t due = node_runs(w, &w->nodes[i]) ? server_deadline(w->nodes[i].server)
							 : INT64_MAX;
		next = due < next ? due : next;
	}
	return next;
}

static void world_turn(struct world *w)
{
	shell_turn(w);
	shell_output(w);
}

static void world_tick_and_turn(struct world *w)
{
	shell_tick_if_due(w);
	world_turn(w);
}

/* Long waits pass in the pieces in which the server asked to be woken, unless the machine slept. */
void world_advance(struct world *w, int64_t ms)
{
	unsigned sleeps = w->nodes_n > 1 ? 2 : 20; /* all of the machines at once */
	bool slept = !w->is_calm && !w->o.is_scripted && dice_percent(&w->dice, sleeps);
	while (ms > 0 && !w->is_broken) {
		int64_t wait = world_deadline(w) - w->mono_ms;
		wait = wait < 1 ? 1 : wait;
		wait = slept || wait > ms ? ms : wait;
		w->mono_ms += wait;
		w->wall_ms += wait;
		ms -= wait;
		if (ms > 0) {
			shell_each(w, world_tick_and_turn);
		}
		if (w->nodes_n > 1) { /* they are to hear of each other */
			shell_disk(w, 20);
		}
	}
}

static int64_t world_pause(struct world *w)
{
	struct dice *d = &w->dice;
	uint32_t kind = dice_below(d, 1000);
	if (kind < 700) {
		return dice_below(d, 20);
	}
	if (kind < 960) {
		return dice_below(d, 300);
	}
	if (kind < 994) {
		return dice_below(d, 2500);
	}
	enum limit limit = kind < 998 ? LIMIT_VOTE_GRACE_MS : LIMIT_NAME_GRACE_MS;
	return w->config.limits[limit] + dice_between(d, -200, 2000);
}

static void world_clock_jumps(struct world *w)
{
	if (!dice_permille(&w->dice, w->fault_permille / 4)) {
		return;
	}
	int64_t jump = dice_between(&w->dice, -7200000, 7200000);
	w->wall_ms += jump;
	w->set_back_ms = w->set_back_ms > jump ? w->set_back_ms - jump : 0;
	w->jumps++;
	w->jump_step = w->step;
	trace(w, "the clock on the wall jumps by %lld ms", (long long)jump);
}

/* ---- one step ---- */

static struct conn *world_conn_of(struct world *w, int member)
{
	struct conn *mine[8];
	size_t n = 0;
	for (size_t i = 0; i < w->conns_n && n < 8; i++) {
		if (w->conns[i]->member == member && w->conns[i]->client_has) {
			mine[n++] = w->conns[i];
		}
	}
	if (n == 0 || (n < w->members[member].conns_max && dice_permille(&w->dice, 30))) {
		return net_open(w, member);
	}
	return mine[dice_below(&w->dice, (uint32_t)n)];
}

static void world_people_act(struct world *w)
{
	size_t tries = 1 + w->members_n / 3;
	for (size_t i = 0; i < tries && !w->is_broken; i++) {
		if (dice_permille(&w->dice, w->act_permille)) {
			struct conn *c =
				world_conn_of(w, (int)dice_below(&w->dice, (uint32_t)w->members_n));
			if (c != NULL) {
				acts_some(w, c);
			}
		}
	}
}

static void world_bytes_travel(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		struct conn *c = w->conns[i];
		if (c->up.len > 0 && dice_percent(&w->dice, c->up_percent)) {
			net_deliver(w, c);
		}
	}
}

static void world_bytes_return(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		struct conn *c = w->conns[i];
		if (w->mono_ms >= c->stalled_until && dice_percent(&w->dice, c->down_percent)) {
			size_t len = c->down.len;
			if (len > 0 && c->pace == PACE_PIECES) {
				len = 1 + dice_below(&w->dice, (uint32_t)len);
			} else if (len > 0 && c->pace == PACE_BYTES) {
				len = 1 + dice_below(&w->dice, len < 8 ? (uint32_t)len : 8);
			}
			net_receive(w, c, len);
		}
	}
}

static void world_net_fails(struct world *w)
{
	if (w->conns_n > 0 && dice_permille(&w->dice, w->cut_permille)) {
		struct conn *c = w->conns[dice_below(&w->dice, (uint32_t)w->conns_n)];
		if (c->client_has) {
			net_cut(w, c);
		}
	}
	if (w->conns_n > 0 && dice_permille(&w->dice, w->stall_permille)) {
		struct conn *c = w->conns[dice_below(&w->dice, (uint32_t)w->conns_n)];
		c->stalled_until = w->mono_ms +
				   dice_between(&w->dice, 1, w->config.limits[LIMIT_STALL_MS] * 2);
		w->figures.stalls++;
	}
}

static void world_disk_fails(struct world *w)
{
	static const enum err errs[] = {ERR_IO, ERR_FULL, ERR_BUSY};
	/* Of several nodes each is the other process. */
	if (dice_permille(&w->dice, w->fault_permille) && w->nodes_n == 1) {
		conflict_happens(w);
	}
	if (!dice_permille(&w->dice, w->fault_permille)) {
		return;
	}
	uint32_t kind = dice_below(&w->dice, 20);
	if (kind < 13) {
		store_mem_fail_commits(w->store, 1 + dice_below(&w->dice, 3), errs[kind % 3]);
	} else if (kind < 17) {
		store_mem_fail_reads(w->store, 1, ERR_IO);
	} else if (kind < 19) {
		store_mem_lose_answers(w->store, 1);
	} else {
		store_mem_fail_commits(w->store, 1, ERR_UNKNOWN);
	}
	trace(w, "the disk will fail (%u)", kind);
}

static void world_server_fails(struct world *w)
{
	if (w->nodes_n > 1) {
		cluster_fails(w);
	} else if (w->node->must_crash || dice_permille(&w->dice, w->crash_permille)) {
		shell_crash(w);
	} else if (!w->node->is_stopping && dice_permille(&w->dice, w->crash_permille / 4)) {
		shell_stop(w);
	} else if (w->node->is_stopping &&
		   (server_is_idle(w->node->server) || w->mono_ms > w->node->stop_mono + 5000)) {
		shell_crash(w);
	}
}

static void world_step(struct world *w)
{
	world_advance(w, world_pause(w) + master_pause(w));
	world_clock_jumps(w);
	world_people_act(w);
	world_bytes_travel(w);
	if (dice_percent(&w->dice, w->store_percent)) {
		shell_disk(w, 1 + dice_below(&w->dice, 4));
	}
	if (!dice_percent(&w->dice, w->tick_late_percent)) {
		shell_each(w, shell_tick_if_due);
	}
	if (dice_percent(&w->dice, 85)) {
		shell_each(w, world_turn);
	}
	world_bytes_return(w);
	world_net_fails(w);
	world_disk_fails(w);
	world_server_fails(w);
	net_sweep(w);
	oracle_step(w);
	if (!w->is_broken) {
		restore_step(w);
	}
}

void world_run(struct world *w)
{
	for (w->step = 1; w->step <= w->o.steps && !w->is_broken; w->step++) {
		world_step(w);
	}
	if (!w->is_broken) {
		calm_run(w);
	}
}
