/*
 * cluster.c - see cluster.h.
 */
#include "tests/sim/world/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "server/core/cluster/lease.h"
#include "server/core/cluster/rendezvous.h"
#include "tests/sim/features/feature.h"
#include "tests/support/store_mem.h"

#define EACH_NODE(w, node) \
	for (struct sim_node *node = (w)->nodes; node < (w)->nodes + (w)->nodes_n; node++)

void cluster_begin(struct world *w, size_t nodes)
{
	w->nodes_n = nodes;
	/* What is planted shows where rooms move; of what is published where little else goes wrong. */
	bool is_of_news = w->o.planted == BREAK_NEWS_GAP || w->o.planted == BREAK_NEWS_AT_REPLY;
	uint32_t most = is_of_news ? 1 : break_is_of_cluster(w->o.planted) ? 60 : 12;
	w->cluster.fault_permille = 1 + dice_below(&w->dice, most);
}

/* ---- whether a node runs, and hears ---- */

bool node_runs(const struct world *w, const struct sim_node *node)
{
	return node->server != NULL && w->mono_ms >= node->engine.stopped_until;
}

bool node_listens(const struct world *w, const struct sim_node *node)
{
	return node_runs(w, node) && !node->is_stopping;
}

static bool node_reaches(const struct world *w, const struct sim_node *node)
{
	return w->mono_ms >= node->engine.cut_until && w->mono_ms >= w->master.away_until;
}

bool cluster_hears(const struct world *w)
{
	return w->nodes_n == 1 || (node_runs(w, w->node) && node_reaches(w, w->node));
}

bool node_is_over(const struct world *w, const struct sim_node *node)
{
	int64_t sent =
		node->renewed_mono < node->listed_mono ? node->renewed_mono : node->listed_mono;
	return w->nodes_n > 1 && w->mono_ms - sent >= LEASE_MS;
}

/* ---- what the table has of them ---- */

static struct sim_key *key_find(struct world *w, uint64_t number)
{
	struct sim_cluster *c = &w->cluster;
	for (size_t i = 0; i < c->keys_n; i++) {
		if (c->keys[i].node.number == number) {
			return &c->keys[i];
		}
	}
	return NULL;
}

static void keys_lapse(struct world *w)
{
	struct sim_cluster *c = &w->cluster;
	size_t kept = 0;
	for (size_t i = 0; i < c->keys_n; i++) {
		if (w->mono_ms < c->keys[i].until_mono) {
			c->keys[kept++] = c->keys[i];
		}
	}
	c->keys_n = kept;
}

struct sim_node *cluster_home(struct world *w, const char *room_id)
{
	uint64_t living[SIM_NODES_MAX];
	size_t n = 0;
	struct item_pk pk;
	unsigned bucket = item_scope_of(item_pk_of(&pk, ITEM_ROOM, slice_str(room_id)));
	EACH_NODE(w, node)
	{
		const struct sim_key *key = key_find(w, node->number);
		if (node_listens(w, node) && key != NULL && !key->node.is_leaving) {
			living[n++] = node->number;
		}
	}
	uint64_t home = rendezvous_home(living, n, bucket);
	EACH_NODE(w, node)
	{
		if (node->number == home && node_listens(w, node)) {
			return node;
		}
	}
	return &w->nodes[dice_below(&w->dice, (uint32_t)w->nodes_n)];
}

/* ---- answers ---- */

static struct sim_answer *answer_add(struct world *w, struct sim_node *node, const struct event *e,
				     int64_t due_mono)
{
	struct sim_answer *a = calloc(1, sizeof(*a));
	struct sim_answer **at = &node->answers;
	ASSERT(a != NULL);
	a->event = *e;
	a->due_mono = due_mono;
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = a;
	(void)w;
	return a;
}

/* Mostly at once, and some late. */
static int64_t answer_due(struct world *w)
{
	bool is_late = !w->is_calm && dice_percent(&w->dice, 8);
	return w->mono_ms + (is_late ? dice_between(&w->dice, 100, 4000) : 0);
}

static struct slice copy_slice(char **at, struct slice s)
{
	if (s.len > 0) {
		memcpy(*at, s.data, s.len);
	}
	*at += s.len;
	return slice_of(*at - s.len, s.len);
}

void cluster_keep(struct world *w, const struct event *e)
{
	struct sim_answer *a = answer_add(w, w->node, e, w->mono_ms);
	size_t n = e->kind == EVENT_LOADED || e->kind == EVENT_DUE ? e->n : 0;
	size_t len = 1 + e->next.len;
	for (size_t i = 0; i < n; i++) {
		len += e->items[i].pk.len + e->items[i].sk.len + e->items[i].value.len;
	}
	a->items = calloc(n + 1, sizeof(*a->items));
	a->bytes = malloc(len);
	ASSERT(a->items != NULL && a->bytes != NULL);
	char *at = a->bytes;
	for (size_t i = 0; i < n; i++) {
		a->items[i].version = e->items[i].version;
		a->items[i].pk = copy_slice(&at, e->items[i].pk);
		a->items[i].sk = copy_slice(&at, e->items[i].sk);
		a->items[i].value = copy_slice(&at, e->items[i].value);
	}
	a->event.items = a->items;
	a->event.next = copy_slice(&at, e->next);
	int room = n > 0 ? room_of_pk(w, e->items[0].pk) : -1;
	if (e->kind == EVENT_LOADED && room >= 0) {
		a->disk = calloc(1, sizeof(*a->disk));
		ASSERT(a->disk != NULL);
		if (!table_view(&w->table, w->rooms[room].id, a->disk)) {
			free(a->disk);
			a->disk = NULL;
		}
	}
}

void cluster_fail_read(struct world *w, const struct effect *fx)
{
	struct event e = {.kind = fx->kind == FX_LOAD	 ? EVENT_LOADED
				  : fx->kind == FX_QUERY ? EVENT_DUE
							 : EVENT_COUNTED,
			  .ticket = fx->ticket,
			  .result = ERR_IO};
	w->faults++;
	answer_add(w, w->node, &e, w->mono_ms + dice_between(&w->dice, 100, 3000));
}

static void answer_free(struct sim_answer *a)
{
	free(a->items);
	free(a->disk);
	free(a->bytes);
	free(a);
}

/*
 * Its lease is what the table has said, whatever is planted. A node that leaves renews at once, also where it
 * waits for an answer: that one may come behind the later one's.
 */
static void answer_note(struct sim_node *node, const struct sim_answer *a)
{
	if (a->event.result != OK) {
		return;
	}
	if (a->event.kind == EVENT_RENEWED && a->sent_mono > node->renewed_mono) {
		node->renewed_mono = a->sent_mono;
	} else if (a->event.kind == EVENT_LISTED) {
		node->listed_mono = a->sent_mono;
	}
}

static void answers_come(struct world *w, struct sim_node *node)
{
	struct sim_answer **at = &node->answers;
	world_enter(w, node);
	while (*at != NULL && !w->is_broken && cluster_hears(w)) {
		struct sim_answer *a = *at;
		if (a->due_mono > w->mono_ms) {
			at = &a->next;
			continue;
		}
		*at = a->next;
		a->event.nodes = a->nodes;
		answer_note(node, a);
		w->loaded = a->disk;
		shell_step(w, &a->event);
		w->loaded = NULL;
		answer_free(a);
	}
}

/* ---- requests ---- */

void cluster_ask(struct world *w, const struct effect *fx)
{
	struct sim_asked *a = calloc(1, sizeof(*a));
	struct sim_asked **at = &w->node->asked;
	ASSERT(a != NULL);
	*a = (struct sim_asked){.kind = fx->kind,
				.ticket = fx->ticket,
				.take = fx->take,
				.sent_mono = w->mono_ms};
	if (fx->kind == FX_RENEW) {
		a->node = *fx->node;
	}
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = a;
}

static void asked_renew(struct world *w, struct sim_node *node, const struct sim_asked *asked)
{
	struct sim_cluster *c = &w->cluster;
	struct event e = {.kind = EVENT_RENEWED, .ticket = asked->ticket};
	keys_lapse(w);
	struct sim_key *key = key_find(w, asked->node.number);
	e.is_lapsed = key == NULL;
	if (key == NULL) {
		ASSERT_CMP(c->keys_n, <, SIM_KEYS_MAX);
		key = &c->keys[c->keys_n++];
	}
	*key = (struct sim_key){asked->node, w->mono_ms + NODE_LIFE_MS};
	answer_add(w, node, &e, answer_due(w))->sent_mono = asked->sent_mono;
}

static void asked_list(struct world *w, struct sim_node *node, const struct sim_asked *asked)
{
	struct sim_cluster *c = &w->cluster;
	keys_lapse(w);
	struct event e = {.kind = EVENT_LISTED, .ticket = asked->ticket, .n = c->keys_n};
	struct sim_answer *a = answer_add(w, node, &e, answer_due(w));
	a->sent_mono = asked->sent_mono;
	for (size_t i = 0; i < c->keys_n; i++) {
		a->nodes[i] = c->keys[i].node;
	}
}

static void asked_take(struct world *w, struct sim_node *node, const struct sim_asked *asked)
{
	if (planted(w, BREAK_NO_TAKING, 1)) {
		struct event e = {.kind = EVENT_TAKEN, .ticket = asked->ticket};
		answer_add(w, node, &e, w->mono_ms);
		return;
	}
	trace(w, "node %zu %s bucket %u", (size_t)(node - w->nodes) + 1,
	      asked->take.gives_up ? "gives up" : "takes", asked->take.bucket);
	world_enter(w, node);
	shell_take(w, asked->ticket, &asked->take);
}

/* A planted fault: a node that is cut off renews all the same, and reads that nothing has changed. */
static void asked_answer_itself(struct world *w, struct sim_node *node)
{
	struct sim_asked **at = &node->asked;
	while (*at != NULL) {
		struct sim_asked *asked = *at;
		if (asked->kind == FX_TAKE || !planted(w, BREAK_FALSE_LEASE, 1)) {
			at = &asked->next;
			continue;
		}
		struct event e = {.kind = asked->kind == FX_RENEW ? EVENT_RENEWED : EVENT_LISTED,
				  .ticket = asked->ticket};
		*at = asked->next;
		free(asked);
		world_enter(w, node);
		shell_step(w, &e);
	}
}

static void requests_come(struct world *w, struct sim_node *node)
{
	if (!node_reaches(w, node)) {
		asked_answer_itself(w, node);
	}
	while (node->asked != NULL && node_reaches(w, node)) {
		struct sim_asked *asked = node->asked;
		node->asked = asked->next;
		if (asked->kind == FX_RENEW) {
			asked_renew(w, node, asked);
		} else if (asked->kind == FX_LIST) {
			asked_list(w, node, asked);
		} else {
			asked_take(w, node, asked);
		}
		free(asked);
	}
}

void cluster_step(struct world *w)
{
	if (w->nodes_n == 1) {
		return;
	}
	EACH_NODE(w, node)
	{
		if (!node_runs(w, node) || !node_reaches(w, node)) {
			node->away_mono = w->mono_ms;
		}
		if (node_runs(w, node) && (w->is_calm || dice_percent(&w->dice, 90))) {
			requests_come(w, node);
		}
		answers_come(w, node);
	}
}

/* ---- life and death ---- */

void cluster_started(struct world *w)
{
	w->node->slept_ms = 0;
	w->node->renewed_mono = 0;
	w->node->listed_mono = 0;
	w->node->engine.stopped_until = 0;
	w->node->engine.cut_until = 0;
}

static void node_forget(struct sim_node *node)
{
	while (node->asked != NULL) {
		struct sim_asked *asked = node->asked;
		node->asked = asked->next;
		free(asked);
	}
	while (node->answers != NULL) {
		struct sim_answer *a = node->answers;
		node->answers = a->next;
		answer_free(a);
	}
}

static void node_kill(struct world *w, struct sim_node *node)
{
	trace(w, "node %zu %s", (size_t)(node - w->nodes) + 1,
	      node->is_stopping ? "ends" : "is killed");
	w->figures.crashes++;
	world_enter(w, node);
	shell_kill(w);
	node_forget(node);
	node->down_until = w->mono_ms + dice_between(&w->dice, 0, 15000);
}

static void node_start(struct world *w, struct sim_node *node)
{
	trace(w, "node %zu starts", (size_t)(node - w->nodes) + 1);
	world_enter(w, node);
	shell_start(w);
}

static void node_fails(struct world *w, struct sim_node *node)
{
	uint32_t kind = dice_below(&w->dice, 10);
	w->faults++;
	size_t number = (size_t)(node - w->nodes) + 1;
	if (kind < 3) {
		node_kill(w, node);
	} else if (kind < 6) {
		node->engine.stopped_until = w->mono_ms + dice_between(&w->dice, 100, 15000);
		trace(w, "node %zu is stopped until %lld", number,
		      (long long)node->engine.stopped_until);
		if (planted(w, BREAK_STOPPED_CLOCK, 1)) {
			node->slept_ms += node->engine.stopped_until - w->mono_ms;
		}
	} else if (kind < 9) {
		node->engine.cut_until = w->mono_ms + dice_between(&w->dice, 100, 20000);
		trace(w, "node %zu is cut off until %lld", number,
		      (long long)node->engine.cut_until);
	} else if (!node->is_stopping) {
		world_enter(w, node);
		shell_stop(w);
	}
}

void cluster_fails(struct world *w)
{
	EACH_NODE(w, node)
	{
		if (w->is_broken) {
			return;
		}
		if (node->server == NULL) {
			if (w->mono_ms >= node->down_until) {
				node_start(w, node);
			}
			continue;
		}
		bool is_done =
			node->is_stopping && node_runs(w, node) &&
			(server_is_idle(node->server) || w->mono_ms > node->stop_mono + 5000);
		if (is_done || node->must_crash) {
			node_kill(w, node);
		} else if (node_runs(w, node) &&
			   dice_permille(&w->dice, w->cluster.fault_permille)) {
			node_fails(w, node);
		}
	}
}

void cluster_heal(struct world *w)
{
	EACH_NODE(w, node)
	{
		if (node->is_stopping || node->must_crash) {
			node_kill(w, node);
		}
		if (node->server == NULL) {
			node_start(w, node);
		}
		node->engine.stopped_until = 0;
		node->engine.cut_until = 0;
	}
}

void cluster_finish(struct world *w)
{
	EACH_NODE(w, node)
	{
		node_forget(node);
	}
}
