/*
 * shell.c - what server/net is in the real program: events in, effects
 * performed, the store asked and its answers passed on; and what a supervisor
 * does: stop, crash, start again from what is on disk.
 */
#include "tests/sim/features/feature.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "tests/sim/world/bend.h"
#include "tests/support/store_mem.h"

/* One question to the store. Its life tells whether the server that asked is still there. */
struct ask {
	struct world *w;
	struct sim_node *node;
	uint64_t life;
	uint64_t ticket;
	bool finds_nothing; /* a planted fault */
	struct store_load
		load; /* of a room, behind the engine: another process may have taken its bucket */
	char pk[ITEM_KEY_BYTES_MAX];
};

static struct ask *shell_ask(struct world *w, uint64_t ticket)
{
	struct ask *a = malloc(sizeof(*a));
	ASSERT(a != NULL);
	*a = (struct ask){.w = w, .node = w->node, .life = w->node->life, .ticket = ticket};
	return a;
}

static void shell_on_load(void *arg, enum err e, const struct store_item *items, size_t n,
			  uint64_t version, bool has_more);

/* True where the answer is for the server there is now. */
static bool shell_answered(struct ask *a, struct world **w, uint64_t *ticket)
{
	*w = a->w;
	*ticket = a->ticket;
	world_enter(a->w, a->node);
	bool is_live = a->life == a->w->node->life && a->w->node->server != NULL &&
		       !a->w->node->must_crash;
	free(a);
	return is_live;
}

static void shell_items(struct world *w, struct event *event)
{
	enum event_kind kind = event->kind;
	enum err e = event->result;
	size_t n = event->n;
	w->faults += e != OK;
	if (kind == EVENT_LOADED ||
	    !w->o.is_scripted) { /* when the sweeper looks is no part of a scenario */
		trace(w, "disk: %s %s, %zu items", kind == EVENT_LOADED ? "load" : "query",
		      err_text(e), n);
	}
	shell_step(w, event);
}

static void shell_load(struct world *w, struct ask *a)
{
	bool is_directory = item_scope_of(a->load.pk) == ITEM_SCOPE_DIRECTORY;
	if (w->master.is_on && w->nodes_n == 1) {
		a->load.fence = engine_fence_of_load(&w->node->engine, &a->load);
		engine_load(&w->node->engine, &a->load, shell_on_load, a);
	} else if (w->nodes_n > 1 && is_directory) { /* nothing is published of rooms */
		engine_load(&w->node->engine, &a->load, shell_on_load, a);
	} else {
		store_load(w->store, &a->load, shell_on_load, a);
	}
}

static void shell_on_load(void *arg, enum err e, const struct store_item *items, size_t n,
			  uint64_t version, bool has_more)
{
	struct world *w = ((struct ask *)arg)->w;
	if (e == ERR_FENCED && w->nodes_n == 1 && ((struct ask *)arg)->life == w->node->life &&
	    w->node->server != NULL) {
		struct ask *a = arg;
		engine_fenced(&w->node->engine, &a->load);
		shell_load(w, a);
		return;
	}
	struct event event = {.kind = EVENT_LOADED,
			      .result = e,
			      .items = items,
			      .n = n,
			      .version = version,
			      .has_more = has_more};
	if (shell_answered(arg, &w, &event.ticket)) {
		enum item_kind kind = n == 1 ? item_kind_of(items[0].pk, items[0].sk) : ITEM_COUNT;
		bool is_lost = (kind == ITEM_UNSAVED && planted(w, BREAK_LOSE_SAVE, 1)) ||
			       (kind == ITEM_USER_NAME && planted(w, BREAK_BLIND_NAMES, 1));
		event.n = is_lost ? 0 : n;
		shell_items(w, &event);
	}
}

static void shell_on_query(void *arg, enum err e, const struct store_item *items, size_t n,
			   struct slice next, bool is_partial)
{
	struct world *w;
	struct event event = {.kind = EVENT_DUE,
			      .result = e,
			      .items = items,
			      .n = n,
			      .next = next,
			      .is_partial = is_partial};
	bool finds_nothing = ((const struct ask *)arg)->finds_nothing;
	if (shell_answered(arg, &w, &event.ticket)) {
		if (finds_nothing || w->o.planted == BREAK_NO_SWEEP) {
			event.n = 0;
			event.next = (struct slice){0};
		}
		shell_items(w, &event);
	}
}

static void shell_on_count(void *arg, enum err e, size_t n)
{
	struct world *w;
	struct event event = {.kind = EVENT_COUNTED, .result = e, .n = n};
	if (shell_answered(arg, &w, &event.ticket)) {
		w->faults += e != OK;
		shell_step(w, &event);
	}
}

static void shell_on_take(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	struct world *w;
	struct event event = {.kind = EVENT_TAKEN, .result = e, .version = version};
	(void)had;
	if (shell_answered(arg, &w, &event.ticket)) {
		shell_step(w, &event);
	}
}

void shell_take(struct world *w, uint64_t ticket, const struct store_take *take)
{
	enum err e = store_take(w->store, take, shell_on_take, shell_ask(w, ticket));
	ASSERT_CMP(e, ==, OK);
}

/* The numbers that the server is told have no holes where a planted fault leaves one out. */
static void shell_tell(struct world *w, uint64_t number, struct slice body)
{
	struct event event = {.kind = EVENT_PUBLISHED, .number = number, .bytes = body};
	bool bends = w->o.planted == BREAK_NEWS_GAP || w->o.planted == BREAK_NEWS_AT_REPLY;
	event.number = bends ? w->node->published + 1 : number;
	w->node->published = event.number;
	shell_step(w, &event);
}

/* The engine of a node has something to tell. */
static void shell_on_published(void *arg, uint64_t number, struct slice body)
{
	struct sim_node *node = arg;
	struct world *w = node->engine.w;
	struct sim_node *was = w->node;
	bool is_gap = body.len == 0;
	world_enter(w, node);
	if (node->server != NULL && !node->must_crash) {
		trace(w, "node %zu hears publication %llu%s", (size_t)(node - w->nodes) + 1,
		      (unsigned long long)number, is_gap ? ", and has missed some" : "");
		bool is_lost = is_gap ? planted(w, BREAK_NEWS_GAP, 1) : bend_holds_news(w, body);
		if (!is_lost) {
			node->gap_mono = is_gap ? w->mono_ms : node->gap_mono;
			shell_tell(w, number, body);
		}
	}
	world_enter(w, was);
}

static void shell_committed(struct world *w, struct event *event)
{
	enum err e = event->result;
	const struct slice held = bend_held_news(w, event->ticket);
	if (held.len > 0) {
		shell_tell(w, 0, held);
	}
	if (e == ERR_UNKNOWN) {
		/* Some engines end with the process, and some go on. */
		bool ends = w->o.is_scripted ? w->must_end_unsure
					     : !w->master.is_on && dice_percent(&w->dice, 40);
		w->must_end_unsure = false;
		w->node->must_crash = ends;
		trace(w, "disk: the answer to a commit is lost%s",
		      w->node->must_crash ? "" : ", and the engine goes on");
		if (w->node->must_crash) {
			return;
		}
		commit_unknown(w, event->ticket, event->version > 0);
		event->result = planted(w, BREAK_FAIL_UNSURE, 1) ? ERR_IO : e;
	} else {
		trace(w, "disk: commit %s", err_text(e));
		if (e == ERR_FENCED && planted(w, BREAK_AFTER_FENCED, 1)) {
			e = ERR_CONFLICT;
		}
		event->result = conflict_bend(w, event->ticket, e);
		commit_settle(w, event->ticket, e == OK ? event->result : e);
	}
	shell_step(w, event);
}

void shell_on_commit(void *arg, enum err e, uint64_t version)
{
	struct world *w;
	struct event event = {.kind = EVENT_COMMITTED, .result = e, .version = version};
	if (shell_answered(arg, &w, &event.ticket)) {
		shell_committed(w, &event);
	}
}

static void shell_commit(struct world *w, const struct effect *fx)
{
	struct sim_commit *last = commit_take(w, fx);
	enum err e = OK;
	bool is_lie = planted(w, BREAK_DROP_COMMIT, 10) || planted(w, BREAK_EARLY_ACK, 4);
	if (!is_lie) {
		struct ask *a = shell_ask(w, fx->ticket);
		if (last->room < 0 && !w->is_calm &&
		    dice_permille(&w->dice, 2 * w->fault_permille)) {
			store_mem_lose_answers(w->store, 1);
		}
		bend_ops(w, last->ops, last->n);
		if (w->master.is_on) {
			engine_commit(&w->node->engine, fx, a);
			return;
		}
		struct store_commit c = {.ops = last->ops,
					 .n = last->n,
					 .token = fx->token,
					 .publish = last->publish,
					 .now_ms = w->wall_ms};
		e = store_commit(w->store, &c, shell_on_commit, a);
		if (e == OK) {
			return;
		}
		free(a);
	}
	ASSERT_CMP(w->node->refused_n, <, sizeof(w->node->refused) / sizeof(w->node->refused[0]));
	w->node->refused[w->node->refused_n].ticket = fx->ticket;
	w->node->refused[w->node->refused_n++].e = e;
	for (struct sim_commit *c = w->commits; c != NULL && is_lie; c = c->next) {
		c->is_dropped = c->is_dropped || c->ticket == fx->ticket;
	}
}

/* One of a room as a whole may have to be sent again: what it points to lasts. */
static void shell_begin_load(struct world *w, const struct effect *fx)
{
	struct ask *a = shell_ask(w, fx->ticket);
	a->load = fx->load;
	if (w->master.is_on && fx->load.tail_prefix.len > 0) {
		ASSERT_CMP(fx->load.pk.len, <=, sizeof(a->pk));
		memcpy(a->pk, fx->load.pk.data, fx->load.pk.len);
		a->load.pk.data = a->pk;
	}
	shell_load(w, a);
}

static void shell_query(struct world *w, const struct effect *fx)
{
	struct ask *a = shell_ask(w, fx->ticket);
	a->finds_nothing =
		fx->query.index == INDEX_ROOMS_OF_GROUP && planted(w, BREAK_LOSE_ROOMS, 1);
	if (w->master.is_on) {
		engine_query(&w->node->engine, &fx->query, shell_on_query, a);
	} else {
		store_query(w->store, &fx->query, shell_on_query, a);
	}
}

static void shell_count(struct world *w, const struct effect *fx)
{
	struct ask *a = shell_ask(w, fx->ticket);
	struct store_count count = store_count_of(&fx->query);
	if (w->master.is_on) {
		engine_count(&w->node->engine, &count, shell_on_count, a);
	} else {
		store_count(w->store, &count, shell_on_count, a);
	}
}

static void shell_perform(struct world *w, const struct effect *fx)
{
	struct conn *c = NULL;
	oracle_effect(w, fx);
	bool is_read = fx->kind == FX_LOAD || fx->kind == FX_QUERY || fx->kind == FX_COUNT;
	if (is_read && !cluster_hears(w)) {
		cluster_fail_read(w, fx);
		return;
	}
	switch (fx->kind) {
	case FX_CLOSE:
		if ((c = net_by_id(w, fx->conn)) != NULL) {
			net_close_by_server(w, c);
		}
		break;
	case FX_PAUSE:
	case FX_RESUME:
		if ((c = net_by_id(w, fx->conn)) != NULL) {
			c->is_paused = fx->kind == FX_PAUSE;
			c->busy_mono = w->mono_ms;
		}
		break;
	case FX_LOAD:
		shell_begin_load(w, fx);
		break;
	case FX_QUERY:
		shell_query(w, fx);
		break;
	case FX_COUNT:
		shell_count(w, fx);
		break;
	case FX_COMMIT:
		shell_commit(w, fx);
		break;
	case FX_SHARE:
		if (w->node->shares_n < SIM_SHARES_MAX) {
			w->node->shares[w->node->shares_n++] =
				(struct sim_share){fx->conn, fx->ticket, fx->address.len > 0};
		}
		break;
	case FX_COMMAND:
		FEATURES_DO(command, w, fx->input);
		if (planted(w, BREAK_REPEAT_RUN, 1)) {
			FEATURES_DO(command, w, fx->input);
		}
		if (w->node->commands_n < SIM_COMMANDS_MAX) {
			w->node->commands[w->node->commands_n++] = fx->ticket;
		}
		break;
	case FX_RENEW:
	case FX_LIST:
	case FX_TAKE:
		cluster_ask(w, fx);
		break;
	case FX_FORWARD:
		break; /* none comes: no node says where it listens */
	case FX_LOG:
		if (!w->o.is_scripted) {
			trace(w, "log: %.*s", (int)fx->log.len, fx->log.data);
		}
		break;
	}
}

static void shell_perform_all(struct world *w)
{
	room_look(w);
	for (size_t i = 0; i < w->node->fx.n; i++) {
		bend_fences(w, &w->node->fx.items[i]);
		shell_perform(w, &w->node->fx.items[i]);
	}
	w->node->fx.n = 0;
}

/* What has come from the table. */
static bool shell_is_answer(const struct event *e)
{
	return e->kind == EVENT_LOADED || e->kind == EVENT_DUE || e->kind == EVENT_COUNTED ||
	       e->kind == EVENT_COMMITTED || e->kind == EVENT_TAKEN || e->kind == EVENT_PUBLISHED;
}

void shell_step(struct world *w, const struct event *e)
{
	struct event event = *e;
	if (shell_is_answer(e) && !cluster_hears(w)) {
		cluster_keep(w, e);
		return;
	}
	event.now = world_now(w);
	event.now.wall_ms += bend_time(w, e);
	server_step(w->node->server, &event, &w->node->fx);
	shell_perform_all(w);
}

/* What was asked for is there: this machine has one address. */
static void shell_answer_shares(struct world *w)
{
	static struct slice addresses[] = {{"tcp://192.0.2.7:2937", 20}};
	while (w->node->shares_n > 0) {
		const struct sim_share share = w->node->shares[--w->node->shares_n];
		w->node->is_shared = w->node->is_shared || share.has_address;
		struct event e = {
			.kind = EVENT_SHARED,
			.conn = share.conn,
			.ticket = share.ticket,
			.has_listener = share.has_address,
			.addresses = {addresses, w->node->is_shared ? 1 : 0},
		};
		shell_step(w, &e);
	}
}

/* Some fail, and some never end. */
static void shell_answer_commands(struct world *w)
{
	while (w->node->commands_n > 0) {
		struct event e = {.kind = EVENT_COMMANDED,
				  .ticket = w->node->commands[--w->node->commands_n]};
		int64_t chance = dice_below(&w->dice, 100);
		e.result = chance < 60 ? OK : chance < 80 ? ERR_IO : ERR_NOT_FOUND;
		if (chance < 95) {
			shell_step(w, &e);
		}
	}
}

void shell_turn(struct world *w)
{
	shell_answer_commands(w);
	shell_answer_shares(w);
	server_turn(w->node->server, world_now(w), &w->node->fx);
	shell_perform_all(w);
	net_sweep(w);
}

void shell_each(struct world *w, void (*does)(struct world *w))
{
	for (size_t i = 0; i < w->nodes_n && !w->is_broken; i++) {
		if (node_runs(w, &w->nodes[i])) {
			world_enter(w, &w->nodes[i]);
			does(w);
		}
	}
}

void shell_tick_if_due(struct world *w)
{
	unsigned char fresh[SEED_BYTES];
	if (w->mono_ms < server_deadline(w->node->server) || w->o.planted == BREAK_NO_TICKS) {
		return;
	}
	struct event e = {.kind = EVENT_TICK};
	if (dice_percent(&w->dice, 20)) {
		dice_bytes(&w->dice, fresh, sizeof(fresh));
		e.bytes = slice_of(fresh, sizeof(fresh));
	}
	shell_step(w, &e);
}

void shell_disk(struct world *w, size_t n)
{
	if (!master_step(w)) {
		return;
	}
	for (size_t i = 0; i < 2 && w->master.is_on && w->nodes_n == 1; i++) {
		watcher_step(&w->watchers[i]);
	}
	store_mem_run(w->store, n);
	/* What is durable may stay unreported for a while: that is where crashes hurt. */
	if (!w->is_calm && !w->o.is_scripted && dice_percent(&w->dice, 15)) {
		return;
	}
	store_poll(w->store);
	cluster_step(w);
	while (w->node->refused_n > 0 && !w->node->must_crash) {
		w->node->refused_n--;
		struct event event = {.kind = EVENT_COMMITTED,
				      .ticket = w->node->refused[w->node->refused_n].ticket,
				      .result = w->node->refused[w->node->refused_n].e};
		shell_committed(w, &event);
	}
}

void shell_output(struct world *w)
{
	struct conn_id id;
	while (!w->is_broken && server_next_output(w->node->server, &id)) {
		struct conn *c = net_by_id(w, id);
		if (c == NULL) {
			broken(w, CLAIM_BOUNDS, "output for a connection that is gone: slot %u",
			       id.slot);
			return;
		}
		net_write(w, c);
	}
}

/* ---- life of a server ---- */

void shell_start(struct world *w)
{
	struct server_config config;
	w->node->life++;
	w->config.now_ms = w->wall_ms;
	dice_bytes(&w->dice, w->config.seed, sizeof(w->config.seed));
	config = w->config;
	if (w->nodes_n > 1) {
		w->node->number = dice_u64(&w->dice) | 1;
		config.node = w->node->number;
		w->node->engine.subscription.cb = shell_on_published;
		w->node->engine.subscription.arg = w->node;
		w->node->published = 0;
		cluster_started(w);
	}
	bend_limits(w, config.limits);
	enum err e = server_create(&config, &w->node->server);
	ASSERT_CMP(e, ==, OK);
	w->node->is_stopping = false;
	w->node->is_shared = false;
	w->node->shares_n = 0;
	w->node->commands_n = 0;
	w->node->must_crash = false;
	FEATURES_DO(restarted, w);
	shell_turn(w);
}

static void shell_end(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n; i++) {
		w->rooms[i].mem->in_memory = false;
	}
	net_crash(w);
	server_destroy(w->node->server);
	w->node->server = NULL;
	engine_forget(&w->node->engine);
	watcher_forget(&w->watchers[0]);
	master_forget(w);
	w->node->fx.n = 0;
	w->node->refused_n = 0;
	w->faults++;
}

/* What was made of it has been reported, or never will be; of the rest the table may hear yet. */
static void shell_drop_made(struct world *w)
{
	struct sim_commit *c = w->commits;
	while (c != NULL) {
		struct sim_commit *next = c->next;
		if (c->node == w->node && c->is_made) {
			commit_drop(w, c);
		}
		c = next;
	}
}

void shell_kill(struct world *w)
{
	for (size_t i = 0; i < w->rooms_n; i++) {
		w->rooms[i].mem->in_memory = false;
	}
	net_crash(w);
	server_destroy(w->node->server);
	w->node->server = NULL;
	w->node->life++;
	engine_forget(&w->node->engine);
	shell_drop_made(w);
	w->node->fx.n = 0;
	w->node->refused_n = 0;
	w->node->is_stopping = false;
	w->node->must_crash = false;
	w->faults++;
}

/* The disk as a crash leaves it: what had happened, and nothing that waited. */
static void shell_swap_disk(struct world *w)
{
	struct store *left = NULL;
	enum err e = store_mem_crash(w->store, &left);
	ASSERT_CMP(e, ==, OK);
	if (w->o.planted == BREAK_OLD_DISK) {
		struct store *older = w->old_store;
		w->old_store = NULL;
		e = store_mem_crash(left, &w->old_store);
		ASSERT_CMP(e, ==, OK);
		if (older != NULL && planted(w, BREAK_OLD_DISK, 1)) {
			store_close(left);
			left = older;
		} else {
			store_close(older);
		}
	}
	store_close(w->store);
	w->store = left;
	commit_recover(w, w->store);
	commit_forget(w);
	store_mem_set_auto(w->store, false);
}

void shell_restore(struct world *w, struct store *store)
{
	shell_end(w);
	store_close(w->store);
	w->store = store;
	commit_recover(w, store);
	store_mem_set_auto(store, false);
	shell_start(w);
}

void shell_crash(struct world *w)
{
	shell_crash_for(w, 0);
}

void shell_crash_for(struct world *w, int64_t ms)
{
	trace(w, w->node->is_stopping ? "the server ends and starts again"
				      : "the server crashes and starts again");
	w->figures.crashes++;
	shell_end(w);
	shell_swap_disk(w);
	if (!w->o.is_scripted && dice_percent(&w->dice, 30)) {
		w->mono_ms = 1 + dice_below(&w->dice, 5000); /* a restart of the machine */
		for (size_t i = 0; i < w->conns_n; i++) {
			w->conns[i]->stalled_until = 0;
		}
	}
	w->mono_ms += ms;
	w->wall_ms += ms;
	shell_start(w);
}

void shell_stop(struct world *w)
{
	trace(w, "the server is asked to stop");
	struct event e = {.kind = EVENT_STOP};
	w->node->is_stopping = true;
	w->node->stop_mono = w->mono_ms;
	w->faults++;
	w->figures.stops++;
	shell_step(w, &e);
}

void shell_finish(struct world *w)
{
	commit_forget(w);
	for (size_t i = 0; i < w->nodes_n; i++) {
		struct sim_node *node = &w->nodes[i];
		node->life++;
		server_destroy(node->server);
		node->server = NULL;
		engine_forget(&node->engine);
	}
	engine_forget(&w->other);
	cluster_finish(w);
	master_forget(w);
	store_close(w->store);
	store_close(w->old_store);
	store_close(w->old_backup);
}
