/*
 * engine.c - see engine.h.
 */
#include "tests/sim/disk/engine.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "store/store_request.h"
#include "tests/sim/world/world.h"
#include "tests/support/store_mem.h"

#define ENGINE_COMMIT_MS 30000
#define ENGINE_LATE_MS	 20000
#define ENGINE_LISTED_MS 60000 /* more than a commit may come after its entries */

/* On its way, until it is reported. */
struct engine_commit {
	struct sim_engine *g;
	struct engine_commit *next;
	struct ask *ask;
	uint64_t ticket;
	uint64_t life;		  /* of its server */
	uint64_t serial;	  /* among those of all processes */
	struct store_fence fence; /* of a cluster: the server takes buckets itself */
	unsigned scope;
	struct store_token token;
	int64_t asked_mono;
	bool is_listed;		  /* its entries that lead into a room are written */
	int64_t send_mono;	  /* some time behind them */
	bool is_under_way;	  /* the table has it, and calls back */
	bool is_sent;		  /* it was, and may be made */
	bool is_answered;	  /* made, and waits for the replica */
	bool is_behind;		  /* acknowledged, and waits for what was published before it */
	struct sim_number number; /* at its answer */
	int64_t answered_mono;
	bool is_over;	  /* the server has ended */
	bool was_held;	  /* made, of the directory, and not reported at once */
	bool is_copied;	  /* made before the replica was last what the master is */
	uint64_t version; /* of it in the table as it is; 0: it is not made */
};

void engine_begin(struct sim_engine *g, struct world *w)
{
	g->w = w;
	g->next = w->master.engines;
	w->master.engines = g;
}

static struct sim_commit *engine_noted(const struct engine_commit *of)
{
	struct sim_commit *c = of->g->w->commits;
	while (c != NULL && (c->ticket != of->ticket || &c->node->engine != of->g ||
			     c->life != of->life || c->is_busy)) {
		c = c->next;
	}
	return c;
}

static struct sim_node *engine_node(const struct sim_engine *g)
{
	struct sim_node *node = g->w->nodes;
	while (&node->engine != g) {
		node++;
	}
	return node;
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

static struct store_fence engine_fence_of(const struct engine_commit *c)
{
	return c->g->w->nodes_n > 1 ? c->fence : engine_fence(c->g, c->scope);
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

struct store_fence engine_fence_of_load(struct sim_engine *g, const struct store_load *load)
{
	struct sim_master *m = &g->w->master;
	unsigned scope = item_scope_of(load->pk);
	bool is_whole = load->tail_prefix.len > 0 && load->limit == 0;
	if (scope == ITEM_SCOPE_DIRECTORY || !is_whole) {
		return (struct store_fence){{0}};
	}
	if (fence_at(g, scope) == g->fences_n) {
		if (g->fences_n == sizeof(g->fences) / sizeof(g->fences[0])) {
			engine_forget_fence(g, g->fences[0].scope); /* taken again with its load */
		}
		struct store_take take = {.bucket = scope};
		dice_bytes(&m->dice, take.fence.bytes, sizeof(take.fence.bytes));
		g->fences[g->fences_n].scope = scope;
		g->fences[g->fences_n].is_taken = false;
		g->fences[g->fences_n++].fence = take.fence;
		enum err e = store_take(g->w->store, &take, on_taken, NULL);
		ASSERT_CMP(e, ==, OK);
	}
	return engine_fence(g, scope);
}

void engine_fenced(struct sim_engine *g, const struct store_load *load)
{
	engine_forget_fence(g, item_scope_of(load->pk));
}

void engine_other_takes(struct world *w, struct slice pk)
{
	struct sim_master *m = &w->master;
	struct store_take take = {.bucket = item_scope_of(pk)};
	if (!m->is_on || !dice_percent(&m->dice, 50)) {
		return;
	}
	dice_bytes(&m->dice, take.fence.bytes, sizeof(take.fence.bytes));
	store_mem_take(w->store, &take);
	for (struct sim_engine *g = m->engines; g != NULL; g = g->next) {
		size_t i = fence_at(g, take.bucket);
		if (i < g->fences_n) {
			g->fences[i].is_taken = true;
		}
	}
	trace(w, "another process takes the bucket of %.*s", (int)pk.len, pk.data);
}

/* ---- commits ---- */

static void engine_report(struct engine_commit *c, enum err e, uint64_t version)
{
	struct engine_commit **at = &c->g->commits;
	while (*at != c) {
		at = &(*at)->next;
	}
	*at = c->next;
	c->g->w->faults += c->was_held;
	shell_on_commit(c->ask, e, version);
	free(c);
}

/* Reads see it from now on, and it may be taken back: what they lead to is not certain until it is reported. */
static void engine_hold(struct engine_commit *c)
{
	bool is_first = !c->was_held && c->scope == ITEM_SCOPE_DIRECTORY;
	c->g->w->faults += is_first;
	c->was_held = c->was_held || is_first;
}

/* It is answered when all is told that was published before; rooms publish nothing. */
static void engine_acknowledge(struct engine_commit *c)
{
	c->is_answered = false;
	c->is_behind = c->scope == ITEM_SCOPE_DIRECTORY && subscription_is_behind(c->g, c->number);
	if (c->is_behind) {
		engine_hold(c);
	} else {
		engine_report(c, OK, c->version);
	}
}

/* What the table says of a commit, and not of itself at the moment. */
static bool engine_is_verdict(enum err e)
{
	return e == ERR_CONFLICT || e == ERR_FENCED || e == ERR_UNKNOWN;
}

/* Others see it from now on. */
static void engine_made(const struct engine_commit *c)
{
	struct sim_commit *noted = engine_noted(c);
	if (noted != NULL) {
		world_enter(c->g->w, engine_node(c->g));
		commit_made(c->g->w, noted);
	}
}

/* Nobody waits for it any more, nor restores what the disk had: other nodes go on. */
static void engine_drop(const struct engine_commit *c)
{
	struct sim_commit *noted = c->g->w->nodes_n > 1 ? engine_noted(c) : NULL;
	if (noted != NULL) {
		commit_drop(c->g->w, noted);
	}
}

static void on_commit(void *arg, enum err e, uint64_t version)
{
	struct engine_commit *c = arg;
	struct sim_engine *g = c->g;
	struct world *w = g->w;
	struct sim_master *m = &w->master;
	c->is_under_way = false;
	if (w->nodes_n > 1 && (e == OK || version > 0)) {
		engine_made(c);
	}
	if (c->is_over) {
		engine_drop(c);
		free(c->ask);
		free(c);
		return;
	}
	c->number = m->published;
	c->answered_mono = w->mono_ms;
	if (e == OK || (e == ERR_UNKNOWN && version > 0)) { /* it was made */
		master_gives(w, c->scope, version, c->serial);
		c->version = version;
	}
	bool is_lost = m->loses_all || w->mono_ms < g->cut_until;
	bool is_unsettled = e == ERR_UNKNOWN && m->replica != NULL; /* it may be taken back yet */
	if (is_unsettled || (e == OK && (is_lost || master_may_fail(w, 2 * w->fault_permille)))) {
		trace(w, "the answer to commit %llu is lost", (unsigned long long)c->ticket);
		engine_hold(c);
	} else if (e != OK && (is_lost || (c->version > 0 && !engine_is_verdict(e)))) {
		c->is_sent = c->version > 0; /* else it was not made; it is sent again */
	} else if (e == OK && m->replica != NULL && !planted(w, BREAK_NO_WAIT, 1)) {
		c->is_answered = true;
		engine_hold(c);
	} else if (e == ERR_FENCED && w->nodes_n == 1) {
		engine_forget_fence(g, c->scope);
		engine_report(c, ERR_CONFLICT, 0);
	} else if (e == OK) {
		engine_acknowledge(c);
	} else {
		engine_report(c, e, c->version);
	}
}

bool engine_is_unsettled(const struct sim_engine *g)
{
	const struct engine_commit *c = g->commits;
	while (c != NULL && !c->was_held) {
		c = c->next;
	}
	return c != NULL;
}

/* True where that is all for now. */
static bool engine_lists(struct engine_commit *c, const struct store_commit *commit)
{
	struct world *w = c->g->w;
	if (c->is_listed || !w->master.lists_ahead) {
		return false;
	}
	c->is_listed = true;
	bool has_any = store_mem_list(w->store, commit, commit->now_ms);
	if (has_any) {
		trace(w, "entries of commit %llu are written", (unsigned long long)c->ticket);
	}
	if (has_any && !w->is_calm && dice_percent(&w->master.dice, 20)) {
		c->send_mono = w->mono_ms + dice_between(&w->master.dice, 0, 2000);
	}
	return has_any;
}

static void engine_send(struct engine_commit *c)
{
	struct sim_engine *g = c->g;
	struct world *w = g->w;
	const struct sim_commit *noted = engine_noted(c);
	size_t fence = fence_at(g, c->scope);
	if (noted == NULL || w->mono_ms < g->cut_until || master_is_moving(w, c->scope)) {
		return; /* a planted fault has reported it; or it waits */
	}
	struct store_commit commit = {.ops = noted->ops,
				      .n = noted->n,
				      .token = c->token,
				      .fence = engine_fence_of(c),
				      .publish = noted->publish,
				      .now_ms = MASTER_TIME + w->mono_ms};
	if (engine_lists(c, &commit)) {
		return;
	}
	bool is_taken = fence < g->fences_n && g->fences[fence].is_taken;
	if (c->version > 0 && is_taken && planted(w, BREAK_FENCE_FIRST, 1)) {
		commit.token = (struct store_token){{0}};
	}
	commit.token.bytes[0] ^= c->version > 0 && planted(w, BREAK_OTHER_TOKEN, 1);
	enum err e = store_commit(w->store, &commit, on_commit, c);
	ASSERT_CMP(e, ==, OK);
	c->is_sent = true;
	c->is_under_way = true;
}

void engine_commit(struct sim_engine *g, const struct effect *fx, struct ask *ask)
{
	struct sim_master *m = &g->w->master;
	struct engine_commit *c = calloc(1, sizeof(*c));
	struct engine_commit **at = &g->commits;
	ASSERT(c != NULL);
	*c = (struct engine_commit){.g = g,
				    .ask = ask,
				    .ticket = fx->ticket,
				    .life = engine_node(g)->life,
				    .fence = fx->fence,
				    .serial = ++m->commits,
				    .scope = fx->n == 0 ? ITEM_SCOPE_DIRECTORY
							: item_scope_of(fx->ops[0].pk),
				    .token = fx->token,
				    .asked_mono = g->w->mono_ms};
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = c;
	if (m->away_until == 0) {
		engine_send(c);
	} else { /* into a socket, where it is lost, or not */
		c->is_sent = dice_percent(&m->dice, 50);
	}
}

/* ---- given up ---- */

/* The command of a commit that nobody waits for any more: it waits in a server that hangs, or in the network. */
struct engine_late {
	struct engine_late *next;
	struct store_request *command;
	int64_t due_mono;
};

/*
 * From the commit that was not made its token is taken away, before anything else is sent: the command that comes
 * is answered as a repeat.
 */
static void engine_give_up(struct engine_commit *c, const struct store_commit *commit)
{
	uint64_t version;
	struct store_op nothing = {.kind = STORE_CHECK,
				   .pk = commit->ops[0].pk,
				   .sk = commit->ops[0].sk};
	struct store_commit taken = {.token = commit->token,
				     .ops = &nothing,
				     .n = 1,
				     .now_ms = commit->now_ms};
	if (!planted(c->g->w, BREAK_LATE_COMMIT, 1)) {
		enum err e = store_mem_other(c->g->w->store, &taken, &version);
		ASSERT_CMP(e, ==, OK);
	}
}

static void engine_leave(struct engine_commit *c)
{
	struct sim_engine *g = c->g;
	const struct sim_commit *noted = engine_noted(c);
	struct engine_late *late = calloc(1, sizeof(*late));
	struct arena arena = {0};
	ASSERT(late != NULL);
	if (noted == NULL || noted->n == 0) {
		free(late);
		return;
	}
	struct store_commit commit = {.ops = noted->ops,
				      .n = noted->n,
				      .token = c->token,
				      .fence = engine_fence_of(c),
				      .publish = noted->publish,
				      .now_ms = MASTER_TIME + g->w->mono_ms};
	enum err e = store_request_of_commit(&commit, &arena, &late->command);
	ASSERT_CMP(e, ==, OK);
	arena_finish(&arena);
	late->due_mono = g->w->mono_ms + dice_between(&g->w->master.dice, 0, ENGINE_LATE_MS);
	late->next = g->late;
	g->late = late;
	engine_give_up(c, &commit);
}

static void engine_late_free(struct engine_late *late)
{
	store_request_destroy(late->command);
	free(late);
}

static void engine_late_come(struct sim_engine *g)
{
	struct engine_late **at = &g->late;
	while (*at != NULL) {
		struct engine_late *late = *at;
		uint64_t version;
		if (late->due_mono > g->w->mono_ms) {
			at = &late->next;
			continue;
		}
		enum err e = store_mem_other(g->w->store, &late->command->commit, &version);
		trace(g->w, "the command of a commit that was given up comes: %s", err_text(e));
		*at = late->next;
		engine_late_free(late);
	}
}

static void engine_late_forget(struct sim_engine *g)
{
	while (g->late != NULL) {
		struct engine_late *late = g->late;
		g->late = late->next;
		engine_late_free(late);
	}
}

/* What has waited too long was not sent, or nobody knows. The table has it or has it not, and that is the end of it. */
void engine_expire(struct sim_engine *g)
{
	struct world *w = g->w;
	struct engine_commit *c = w->mono_ms < g->stopped_until ? NULL : g->commits;
	while (c != NULL && !w->is_broken) {
		struct engine_commit *next = c->next;
		bool is_late = w->mono_ms - c->asked_mono >= ENGINE_COMMIT_MS;
		if (is_late && w->master.replica != NULL) {
			master_is_copied(w);
			next = g->commits;
		} else if (is_late && !c->is_under_way && !c->is_answered && !c->is_behind) {
			if (c->is_sent && c->version == 0) {
				engine_leave(c);
			}
			/* Reported, it may ask for more, which goes to the end. */
			engine_report(c, c->is_sent ? ERR_UNKNOWN : ERR_IO, c->version);
			next = g->commits;
		}
		c = next;
	}
}

/* ---- lists ---- */

static void engine_unlist(struct sim_engine *g)
{
	while (g->unfit_n > 0) {
		bool is_early = planted(g->w, BREAK_EARLY_UNLIST, 1);
		store_mem_unlist(g->w->store, &g->unfit[--g->unfit_n],
				 is_early ? INT64_MAX : g->unfit_ms - ENGINE_LISTED_MS);
	}
}

/* Now and then somebody reads a list, and looks at the items. */
static void engine_read_lists(struct sim_engine *g)
{
	struct world *w = g->w;
	struct store_mem_entry entry = {.index = INDEX_BY_EXPIRY};
	if (!w->master.lists_ahead || (!w->is_calm && !dice_percent(&w->master.dice, 10))) {
		return;
	}
	if (store_mem_lacks_entry(w->store, &entry)) {
		broken(w, CLAIM_LISTS, "%s lacks an item of a room", index_names[entry.index]);
	}
	g->unfit_ms = MASTER_TIME + w->mono_ms;
	while (g->unfit_n < SIM_UNFIT && store_mem_next_unfit(w->store, &entry, &entry)) {
		g->unfit[g->unfit_n++] = entry;
	}
}

void engine_send_all(struct sim_engine *g)
{
	subscription_step(g);
	reads_release(g);
	reads_send(g);
	engine_late_come(g);
	if (g->w->mono_ms < g->stopped_until) {
		return;
	}
	engine_unlist(g);
	engine_read_lists(g);
	for (struct engine_commit *c = g->commits; c != NULL; c = c->next) {
		bool is_late = !g->w->is_calm && c->send_mono > g->w->mono_ms;
		bool is_due = !c->is_under_way && !c->is_answered && !c->is_behind && !is_late;
		if (is_due && !planted(g->w, BREAK_LOSE_AGAIN, 1)) {
			engine_send(c);
		}
	}
}

void engine_on_told(struct sim_engine *g)
{
	struct engine_commit *c = g->commits;
	reads_release(g);
	while (c != NULL && !g->w->is_broken) {
		struct engine_commit *next = c->next;
		if (c->is_behind && !subscription_is_behind(g, c->number)) {
			engine_report(c, OK, c->version);
			next = g->commits;
		}
		c = next;
	}
}

int64_t engine_waits_since(const struct sim_engine *g)
{
	int64_t since = reads_wait_since(g);
	for (const struct engine_commit *c = g->commits; c != NULL; c = c->next) {
		since = c->is_behind && c->answered_mono < since ? c->answered_mono : since;
	}
	return since;
}

bool engine_is_quiet(const struct sim_engine *g)
{
	return g->reads == NULL && g->commits == NULL;
}

/* ---- the replica ---- */

void engine_on_copy(struct sim_engine *g)
{
	for (struct engine_commit *c = g->commits; c != NULL; c = c->next) {
		c->is_copied = c->version > 0;
	}
}

void engine_on_copied(struct sim_engine *g)
{
	struct engine_commit *c = g->commits;
	while (c != NULL && !g->w->is_broken) {
		struct engine_commit *next = c->next;
		if (c->is_answered) {
			engine_acknowledge(c);
			next = g->commits;
		}
		c = next;
	}
}

void engine_on_failover(struct sim_engine *g)
{
	for (struct engine_commit *c = g->commits; c != NULL; c = c->next) {
		if (c->is_behind) {
			continue;
		}
		c->version = c->is_copied ? c->version : 0;
		c->is_answered = false;
		c->is_listed = c->is_copied || (c->is_listed && planted(g->w, BREAK_LIST_ONCE, 1));
	}
	g->unfit_n = 0;
	engine_late_forget(g); /* they were on their way to the one that is lost */
}

/* ---- the end ---- */

void engine_forget(struct sim_engine *g)
{
	struct engine_commit *c = g->commits;
	g->fences_n = 0;
	g->unfit_n = 0;
	engine_late_forget(g);
	subscription_forget(g);
	reads_forget(g);
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
