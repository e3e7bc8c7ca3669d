/*
 * engine.c - see engine.h.
 */
#include "tests/sim/disk/engine.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "tests/sim/world/world.h"
#include "tests/support/store_mem.h"

#define ENGINE_COMMIT_MS 30000
#define ENGINE_TIME	 INT64_C(1700000000000) /* its clock does not jump */

static void engine_copied(struct world *w);

/* On its way, until it is reported. */
struct engine_commit {
	struct world *w;
	struct engine_commit *next;
	struct ask *ask;
	uint64_t ticket;
	unsigned scope;
	struct store_token token;
	int64_t asked_mono;
	bool is_under_way; /* the table has it, and calls back */
	bool is_sent;	   /* it was, and may be made */
	bool is_answered;  /* made, and waits for the replica */
	bool is_over;	   /* the server has ended */
	bool was_held;	   /* made, of the directory, and not reported at once */
	bool is_copied;	   /* made before the replica was last what the master is */
	uint64_t version;  /* of it in the table as it is; 0: it is not made */
};

void engine_begin(struct world *w)
{
	struct sim_engine *g = &w->engine;
	g->is_on = true;
	g->dice.state = w->o.seed * 0x9e3779b97f4a7c15u + 5;
}

static bool engine_may_fail(struct world *w, unsigned permille)
{
	return !w->is_calm && dice_permille(&w->engine.dice, permille);
}

static struct sim_commit *engine_noted(const struct world *w, uint64_t ticket)
{
	struct sim_commit *c = w->commits;
	while (c != NULL && (c->ticket != ticket || c->is_busy)) {
		c = c->next;
	}
	return c;
}

/* ---- fences ---- */

static size_t fence_at(const struct sim_engine *g, unsigned scope)
{
	size_t i = 0;
	while (i < g->fences_n && g->fences[i].scope != scope) {
		i++;
	}
	return i;
}

static struct store_fence engine_fence(const struct sim_engine *g, unsigned scope)
{
	size_t i = fence_at(g, scope);
	return i == g->fences_n ? (struct store_fence){{0}} : g->fences[i].fence;
}

static void engine_forget_fence(struct sim_engine *g, unsigned scope)
{
	size_t i = fence_at(g, scope);
	if (i < g->fences_n) {
		g->fences[i] = g->fences[--g->fences_n];
	}
}

static void on_taken(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	(void)arg;
	(void)had;
	(void)version;
	ASSERT(e == OK || e == ERR_CLOSED);
}

struct store_fence engine_fence_of_load(struct world *w, const struct store_load *load)
{
	struct sim_engine *g = &w->engine;
	unsigned scope = item_scope_of(load->pk);
	bool is_whole = load->tail_prefix.len > 0 && load->limit == 0;
	if (!g->is_on || scope == ITEM_SCOPE_DIRECTORY || !is_whole) {
		return (struct store_fence){{0}};
	}
	if (fence_at(g, scope) == g->fences_n) {
		if (g->fences_n == sizeof(g->fences) / sizeof(g->fences[0])) {
			engine_forget_fence(g,
					    g->fences[0].scope); /* taken again when it is loaded */
		}
		struct store_take take = {.bucket = scope};
		dice_bytes(&g->dice, take.fence.bytes, sizeof(take.fence.bytes));
		g->fences[g->fences_n].scope = scope;
		g->fences[g->fences_n].is_taken = false;
		g->fences[g->fences_n++].fence = take.fence;
		enum err e = store_take(w->store, &take, on_taken, NULL);
		ASSERT_CMP(e, ==, OK);
	}
	return engine_fence(g, scope);
}

void engine_fenced(struct world *w, const struct store_load *load)
{
	engine_forget_fence(&w->engine, item_scope_of(load->pk));
}

void engine_other_takes(struct world *w, struct slice pk)
{
	struct sim_engine *g = &w->engine;
	struct store_take take = {.bucket = item_scope_of(pk)};
	size_t i = fence_at(g, take.bucket);
	if (!g->is_on || !dice_percent(&g->dice, 50)) {
		return;
	}
	dice_bytes(&g->dice, take.fence.bytes, sizeof(take.fence.bytes));
	store_mem_take(w->store, &take);
	if (i < g->fences_n) {
		g->fences[i].is_taken = true;
	}
	trace(w, "another process takes the bucket of %.*s", (int)pk.len, pk.data);
}

/* ---- commits ---- */

/* Every version is one commit's, whatever was lost. */
static void engine_given(struct world *w, const struct engine_commit *c, uint64_t version)
{
	struct sim_engine *g = &w->engine;
	for (size_t i = 0; i < SIM_GIVEN && i < g->given_n; i++) {
		if (g->given[i].scope == c->scope && g->given[i].version == version &&
		    g->given[i].ticket != c->ticket) {
			broken(w, CLAIM_STORE, "version %llu is given to two commits",
			       (unsigned long long)version);
		}
	}
	g->given[g->given_n % SIM_GIVEN].scope = c->scope;
	g->given[g->given_n % SIM_GIVEN].version = version;
	g->given[g->given_n++ % SIM_GIVEN].ticket = c->ticket;
}

static void engine_report(struct world *w, struct engine_commit *c, enum err e, uint64_t version)
{
	struct engine_commit **at = &w->engine.commits;
	while (*at != c) {
		at = &(*at)->next;
	}
	*at = c->next;
	w->faults += c->was_held;
	shell_on_commit(c->ask, e, version);
	free(c);
}

/* Reads see it from now on, and it may be taken back: what they lead to is not certain until it is reported. */
static void engine_hold(struct world *w, struct engine_commit *c)
{
	bool is_first = !c->was_held && c->scope == ITEM_SCOPE_DIRECTORY;
	w->faults += is_first;
	c->was_held = c->was_held || is_first;
}

/* What the table says of a commit, and not of itself at the moment. */
static bool engine_is_verdict(enum err e)
{
	return e == ERR_CONFLICT || e == ERR_FENCED || e == ERR_UNKNOWN;
}

static void on_commit(void *arg, enum err e, uint64_t version)
{
	struct engine_commit *c = arg;
	struct world *w = c->w;
	struct sim_engine *g = &w->engine;
	c->is_under_way = false;
	if (c->is_over) {
		free(c->ask);
		free(c);
		return;
	}
	if (e == OK || (e == ERR_UNKNOWN && version > 0)) { /* it was made */
		engine_given(w, c, version);
		c->version = version;
	}
	bool is_unsettled = e == ERR_UNKNOWN && g->replica != NULL; /* it may be taken back yet */
	if (is_unsettled ||
	    (e == OK && (g->loses_all || engine_may_fail(w, 2 * w->fault_permille)))) {
		trace(w, "the answer to commit %llu is lost", (unsigned long long)c->ticket);
		engine_hold(w, c);
	} else if (e != OK && (g->loses_all || (c->version > 0 && !engine_is_verdict(e)))) {
		c->is_sent = c->version > 0; /* else it was not made; it is sent again */
	} else if (e == OK && g->replica != NULL && !planted(w, BREAK_NO_WAIT, 1)) {
		c->is_answered = true;
		engine_hold(w, c);
	} else if (e == ERR_FENCED) {
		engine_forget_fence(g, c->scope);
		engine_report(w, c, ERR_CONFLICT, 0);
	} else {
		engine_report(w, c, e, c->version);
	}
}

bool engine_is_unsettled(const struct world *w)
{
	const struct engine_commit *c = w->engine.commits;
	while (c != NULL && !c->was_held) {
		c = c->next;
	}
	return c != NULL;
}

static void engine_send(struct world *w, struct engine_commit *c)
{
	struct sim_engine *g = &w->engine;
	const struct sim_commit *noted = engine_noted(w, c->ticket);
	size_t fence = fence_at(g, c->scope);
	if (noted == NULL) {
		return; /* a planted fault has reported it */
	}
	bool is_taken = fence < g->fences_n && g->fences[fence].is_taken;
	struct store_commit commit = {.ops = noted->ops,
				      .n = noted->n,
				      .token = c->token,
				      .fence = engine_fence(g, c->scope),
				      .now_ms = ENGINE_TIME + w->mono_ms};
	if (c->version > 0 && is_taken && planted(w, BREAK_FENCE_FIRST, 1)) {
		commit.token = (struct store_token){{0}};
	}
	commit.token.bytes[0] ^= c->version > 0 && planted(w, BREAK_OTHER_TOKEN, 1);
	enum err e = store_commit(w->store, &commit, on_commit, c);
	ASSERT_CMP(e, ==, OK);
	c->is_sent = true;
	c->is_under_way = true;
}

void engine_commit(struct world *w, const struct effect *fx, struct ask *ask)
{
	struct engine_commit *c = calloc(1, sizeof(*c));
	struct engine_commit **at = &w->engine.commits;
	ASSERT(c != NULL);
	*c = (struct engine_commit){.w = w,
				    .ask = ask,
				    .ticket = fx->ticket,
				    .scope = fx->n == 0 ? ITEM_SCOPE_DIRECTORY
							: item_scope_of(fx->ops[0].pk),
				    .token = fx->token,
				    .asked_mono = w->mono_ms};
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = c;
	if (w->engine.away_until == 0) {
		engine_send(w, c);
	} else { /* into a socket, where it is lost, or not */
		c->is_sent = dice_percent(&w->engine.dice, 50);
	}
}

/* What has waited too long was not sent, or nobody knows. The table has it or has it not, and that is the end of it. */
static void engine_expire(struct world *w)
{
	struct engine_commit *c = w->engine.commits;
	while (c != NULL && !w->is_broken) {
		struct engine_commit *next = c->next;
		bool is_late = w->mono_ms - c->asked_mono >= ENGINE_COMMIT_MS;
		if (is_late && w->engine.replica != NULL) {
			engine_copied(w);
			next = w->engine.commits;
		} else if (is_late && !c->is_under_way && !c->is_answered) {
			/* Reported, it may ask for more, which goes to the end. */
			engine_report(w, c, c->is_sent ? ERR_UNKNOWN : ERR_IO, c->version);
			next = w->engine.commits;
		}
		c = next;
	}
}

static void engine_send_all(struct world *w)
{
	for (struct engine_commit *c = w->engine.commits; c != NULL; c = c->next) {
		if (!c->is_under_way && !c->is_answered && !planted(w, BREAK_LOSE_AGAIN, 1)) {
			engine_send(w, c);
		}
	}
}

/* ---- the replica ---- */

static void engine_copy(struct world *w)
{
	struct sim_engine *g = &w->engine;
	store_close(g->replica);
	g->replica = NULL;
	enum err e = store_mem_crash(w->store, &g->replica);
	ASSERT_CMP(e, ==, OK);
	for (struct engine_commit *c = g->commits; c != NULL; c = c->next) {
		c->is_copied = c->version > 0;
	}
}

static void engine_copied(struct world *w)
{
	struct sim_engine *g = &w->engine;
	store_close(g->replica);
	g->replica = NULL;
	struct engine_commit *c = g->commits;
	while (c != NULL && !w->is_broken) {
		struct engine_commit *next = c->next;
		if (c->is_answered) {
			engine_report(w, c, OK, c->version);
			next = g->commits;
		}
		c = next;
	}
}

/* Reads that were on their way are answered by the old master yet, commits are not. */
static void engine_fail_over(struct world *w)
{
	struct sim_engine *g = &w->engine;
	struct store *lost = w->store;
	trace(w, "the master is lost, and the replica takes its place");
	store_mem_run(lost, SIZE_MAX);
	if (!planted(w, BREAK_VERSION_TWICE, 1)) {
		store_mem_raise_versions(g->replica, lost);
	}
	w->store = g->replica;
	g->replica = NULL;
	store_mem_set_auto(w->store, false);
	g->loses_all = true;
	store_close(lost);
	g->loses_all = false;
	for (struct engine_commit *c = g->commits; c != NULL; c = c->next) {
		c->version = c->is_copied ? c->version : 0;
		c->is_answered = false;
	}
}

/* ---- time ---- */

static void engine_go_away(struct world *w)
{
	struct sim_engine *g = &w->engine;
	g->away_until = w->mono_ms + dice_between(&g->dice, 8000, 40000);
	trace(w, "the engine is away until %lld", (long long)g->away_until);
	g->loses_all = true;
	store_mem_run(w->store, dice_below(&g->dice, 4));
	store_poll(w->store);
	g->loses_all = false;
}

int64_t engine_pause(struct world *w)
{
	struct sim_engine *g = &w->engine;
	bool is_away = w->mono_ms < g->away_until && !w->is_calm;
	return is_away && dice_percent(&g->dice, 20) ? dice_between(&g->dice, 0, 8000) : 0;
}

bool engine_step(struct world *w)
{
	struct sim_engine *g = &w->engine;
	if (!g->is_on || w->must_crash) {
		return true;
	}
	if (g->replica != NULL && (w->is_calm || dice_percent(&g->dice, 25))) {
		if (w->is_calm || dice_percent(&g->dice, 50)) {
			engine_copied(w);
		} else {
			engine_fail_over(w);
		}
	} else if (g->replica != NULL && dice_percent(&g->dice, 30)) {
		engine_copy(w);
	} else if (g->replica == NULL && !w->is_lagging &&
		   engine_may_fail(w, 2 * w->fault_permille)) {
		engine_copy(w);
	}
	if (g->away_until == 0 && engine_may_fail(w, w->fault_permille / 8)) {
		engine_go_away(w);
	}
	engine_expire(w);
	if (!w->is_calm && w->mono_ms < g->away_until) {
		return false;
	}
	g->away_until = 0;
	engine_send_all(w);
	return !w->must_crash;
}

void engine_forget(struct world *w)
{
	struct sim_engine *g = &w->engine;
	struct engine_commit *c = g->commits;
	store_close(g->replica);
	g->replica = NULL;
	g->fences_n = 0;
	g->away_until = 0;
	while (c != NULL) {
		struct engine_commit *next = c->next;
		c->is_over = true;
		if (!c->is_under_way) {
			on_commit(c, ERR_CLOSED, 0);
		}
		c = next;
	}
	g->commits = NULL;
}
