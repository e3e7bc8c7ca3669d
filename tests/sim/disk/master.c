/*
 * master.c - see master.h.
 */
#include "tests/sim/disk/master.h"

#include "proto/base/assert.h"
#include "tests/sim/disk/engine.h"
#include "tests/sim/world/world.h"
#include "tests/support/store_mem.h"

/* After so long all has arrived that was on its way: well within the minute for which entries stay. */
#define MASTER_PAUSE_MS 8000

#define EACH_ENGINE(m, g) for (struct sim_engine *g = (m)->engines; g != NULL; g = g->next)

void master_begin(struct world *w)
{
	struct sim_master *m = &w->master;
	m->is_on = true;
	m->lists_ahead = !w->is_lagging;
	if (m->lists_ahead) {
		store_mem_lists_ahead(w->store);
	}
	m->dice.state = w->o.seed * 0x9e3779b97f4a7c15u + 5;
	m->away_permille = w->fault_permille == 0 ? 0 : (unsigned)dice_between(&m->dice, 0, 15);
}

bool master_may_fail(struct world *w, unsigned permille)
{
	return !w->is_calm && dice_permille(&w->master.dice, permille);
}

void master_gives(struct world *w, unsigned scope, uint64_t version, uint64_t serial)
{
	struct sim_master *m = &w->master;
	for (size_t i = 0; i < SIM_GIVEN && i < m->given_n; i++) {
		if (m->given[i].scope == scope && m->given[i].version == version &&
		    m->given[i].serial != serial) {
			broken(w, CLAIM_STORE, "version %llu is given to two commits",
			       (unsigned long long)version);
		}
	}
	m->given[m->given_n % SIM_GIVEN].scope = scope;
	m->given[m->given_n % SIM_GIVEN].version = version;
	m->given[m->given_n++ % SIM_GIVEN].serial = serial;
}

/* ---- what is published ---- */

static void master_on_published(void *arg, uint64_t number, struct slice body)
{
	struct world *w = arg;
	w->master.published.number = number;
	EACH_ENGINE(&w->master, g)
	{
		subscription_hear(g, w->master.published, body);
	}
}

static void master_begin_history(struct world *w)
{
	struct sim_master *m = &w->master;
	m->has_history = true;
	m->published.history++;
	m->published.number = store_mem_published(w->store);
	store_subscribe(w->store, master_on_published, w);
	EACH_ENGINE(m, g)
	{
		subscription_lose(g);
	}
}

/* ---- scopes that move ---- */

bool master_is_moving(const struct world *w, unsigned scope)
{
	const struct sim_master *m = &w->master;
	return !w->is_calm && m->moving == scope && w->mono_ms < m->moving_until;
}

/* A bucket is small, and moves in milliseconds; the directory takes longer. */
static void master_move(struct world *w)
{
	struct sim_master *m = &w->master;
	char pk[32];
	bool is_room = w->rooms_n > 0 && dice_percent(&m->dice, 80);
	size_t room = dice_below(&m->dice, (uint32_t)w->rooms_n);
	if (w->mono_ms < m->moving_until || !master_may_fail(w, 2 * w->fault_permille)) {
		return;
	}
	m->moving = is_room ? item_scope_of(table_pk(pk, w->rooms[room].id)) : ITEM_SCOPE_DIRECTORY;
	m->moving_until = w->mono_ms + dice_between(&m->dice, 1, is_room ? 500 : 4000);
	trace(w, "scope %u moves to another server", m->moving);
}

/* ---- the replica ---- */

static void master_forget_replica(struct sim_master *m)
{
	store_close(m->replica);
	m->replica = NULL;
}

static void master_copy(struct world *w)
{
	struct sim_master *m = &w->master;
	master_forget_replica(m);
	enum err e = store_mem_crash(w->store, &m->replica);
	ASSERT_CMP(e, ==, OK);
	EACH_ENGINE(m, g)
	{
		engine_on_copy(g);
	}
}

void master_is_copied(struct world *w)
{
	master_forget_replica(&w->master);
	EACH_ENGINE(&w->master, g)
	{
		engine_on_copied(g);
	}
}

/* Reads that were on their way are answered by the old master yet, commits are not. */
static void master_fail_over(struct world *w)
{
	struct sim_master *m = &w->master;
	struct store *lost = w->store;
	trace(w, "the master is lost, and the replica takes its place");
	store_mem_run(lost, SIZE_MAX);
	if (!planted(w, BREAK_VERSION_TWICE, 1)) {
		store_mem_raise_versions(m->replica, lost);
	}
	w->store = m->replica;
	m->replica = NULL;
	store_mem_set_auto(w->store, false);
	m->loses_all = true;
	store_close(lost);
	m->loses_all = false;
	master_begin_history(w);
	EACH_ENGINE(m, g)
	{
		engine_on_failover(g);
	}
}

/* ---- time ---- */

static void master_go_away(struct world *w)
{
	struct sim_master *m = &w->master;
	m->away_until = w->mono_ms + dice_between(&m->dice, 8000, 40000);
	trace(w, "the engine is away until %lld", (long long)m->away_until);
	m->loses_all = true;
	store_mem_run(w->store, dice_below(&m->dice, 4));
	store_poll(w->store);
	m->loses_all = false;
}

int64_t master_pause(struct world *w)
{
	struct sim_master *m = &w->master;
	bool is_away = w->mono_ms < m->away_until && !w->is_calm;
	return is_away && dice_percent(&m->dice, 20) ? dice_between(&m->dice, 0, 8000) : 0;
}

static void master_replicate(struct world *w)
{
	struct sim_master *m = &w->master;
	if (m->replica != NULL && (w->is_calm || dice_percent(&m->dice, 25))) {
		if (w->is_calm || dice_percent(&m->dice, 50)) {
			master_is_copied(w);
		} else {
			master_fail_over(w);
		}
	} else if (m->replica != NULL && dice_percent(&m->dice, 30)) {
		master_copy(w);
	} else if (m->replica == NULL && !w->is_lagging && w->nodes_n == 1 &&
		   master_may_fail(w, 2 * w->fault_permille)) {
		master_copy(w);
	}
}

bool master_step(struct world *w)
{
	struct sim_master *m = &w->master;
	if (!m->is_on || w->node->must_crash) {
		return true;
	}
	if (!m->has_history) {
		master_begin_history(w);
	}
	master_replicate(w);
	master_move(w);
	if (m->away_until == 0 && master_may_fail(w, m->away_permille)) {
		master_go_away(w);
	}
	EACH_ENGINE(m, g)
	{
		engine_expire(g);
	}
	if (!w->is_calm && w->mono_ms < m->away_until) {
		return false;
	}
	m->away_until = 0;
	if (w->mono_ms - m->step_mono >= MASTER_PAUSE_MS) {
		store_mem_run(w->store, SIZE_MAX);
	}
	m->step_mono = w->mono_ms;
	EACH_ENGINE(m, g)
	{
		engine_send_all(g);
	}
	return !w->node->must_crash;
}

void master_forget(struct world *w)
{
	master_forget_replica(&w->master);
	w->master.away_until = 0;
	w->master.has_history = false;
}
