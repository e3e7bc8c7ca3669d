/*
 * subscription.c - see subscription.h.
 */
#include "tests/sim/disk/subscription.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "tests/sim/disk/engine.h"
#include "tests/sim/world/world.h"

#define SUBSCRIPTION_BEHIND_MS 1000 /* an answer that waits longer has the number asked for */

struct publication {
	struct publication *next;
	struct sim_number number;
	int64_t due_mono;
	size_t len;
	char body[];
};

bool subscription_is_behind(const struct sim_engine *g, struct sim_number number)
{
	const struct sim_number *told = &g->subscription.told;
	bool is_behind = number.history == told->history ? number.number > told->number
							 : number.history > told->history;
	return is_behind && !planted(g->w, BREAK_READ_AHEAD, 1);
}

void subscription_tell(struct sim_engine *g, struct sim_number number, struct slice body)
{
	struct sim_subscription *s = &g->subscription;
	s->told = number;
	if (s->cb != NULL) {
		s->cb(s->arg, number.number, body);
	}
	engine_on_told(g);
}

/* ---- what comes ---- */

static int64_t subscription_delay(struct world *w)
{
	struct dice *d = &w->master.dice;
	uint32_t kind = dice_below(d, 100);
	return w->is_calm || kind < 50 ? 0
	       : kind < 90	       ? dice_between(d, 0, 300)
				       : dice_between(d, 0, 3000);
}

void subscription_hear(struct sim_engine *g, struct sim_number number, struct slice body)
{
	struct sim_subscription *s = &g->subscription;
	struct publication **at = &s->coming;
	struct publication *p = malloc(sizeof(*p) + body.len);
	int64_t due_mono = g->w->mono_ms + subscription_delay(g->w);
	ASSERT(p != NULL);
	if (!s->is_on) {
		free(p);
		return;
	}
	while (*at != NULL) {
		due_mono = due_mono < (*at)->due_mono ? (*at)->due_mono : due_mono;
		at = &(*at)->next;
	}
	*p = (struct publication){.number = number, .due_mono = due_mono, .len = body.len};
	memcpy(p->body, body.data, body.len);
	*at = p;
}

static void subscription_take(struct sim_engine *g, const struct publication *p)
{
	struct sim_number *told = &g->subscription.told;
	bool is_late = p->number.history != told->history || p->number.number <= told->number;
	if (is_late && !planted(g->w, BREAK_LATE_NEWS, 1)) {
		return;
	}
	if (!is_late && p->number.number > told->number + 1) {
		struct sim_number gap = {told->history, p->number.number - 1};
		subscription_tell(g, gap, (struct slice){0});
	}
	subscription_tell(g, p->number, slice_of(p->body, p->len));
}

static void subscription_receive(struct sim_engine *g)
{
	struct sim_subscription *s = &g->subscription;
	while (s->coming != NULL && !g->w->is_broken &&
	       (g->w->is_calm || s->coming->due_mono <= g->w->mono_ms)) {
		struct publication *p = s->coming;
		s->coming = p->next;
		subscription_take(g, p);
		free(p);
	}
}

/* ---- its connection ---- */

static void subscription_drop(struct sim_engine *g)
{
	while (g->subscription.coming != NULL) {
		struct publication *p = g->subscription.coming;
		g->subscription.coming = p->next;
		free(p);
	}
}

void subscription_lose(struct sim_engine *g)
{
	struct sim_subscription *s = &g->subscription;
	subscription_drop(g);
	s->is_on = false;
	s->asks = false;
	s->due_mono = g->w->mono_ms + dice_between(&g->w->master.dice, 0, 1500);
}

void subscription_forget(struct sim_engine *g)
{
	subscription_drop(g);
	g->subscription.is_on = false;
	g->subscription.asks = false;
	g->subscription.told = (struct sim_number){0, 0};
}

static void subscription_ask(struct sim_engine *g)
{
	g->subscription.asks = true;
	g->subscription.due_mono = g->w->mono_ms + subscription_delay(g->w);
}

/* What was published up to now, and was not told, may never come. */
static void subscription_on_number(struct sim_engine *g)
{
	struct sim_subscription *s = &g->subscription;
	struct sim_number now = g->w->master.published;
	bool is_same = s->told.history == now.history && s->told.number == now.number;
	s->asks = false;
	if (!is_same && planted(g->w, BREAK_MISS_GAP, 1)) {
		s->told = now;
		engine_on_told(g);
	} else if (!is_same) {
		subscription_tell(g, now, (struct slice){0});
	}
}

void subscription_step(struct sim_engine *g)
{
	struct sim_subscription *s = &g->subscription;
	struct world *w = g->w;
	bool is_due = w->is_calm || s->due_mono <= w->mono_ms;
	if (w->mono_ms < g->cut_until || w->mono_ms < g->stopped_until) {
		return; /* what comes waits in a socket */
	}
	if (!s->is_on && is_due) {
		s->is_on = true;
		subscription_ask(g);
	} else if (s->is_on && s->asks && is_due) {
		subscription_on_number(g);
	} else if (s->is_on && !s->asks &&
		   engine_waits_since(g) <= w->mono_ms - SUBSCRIPTION_BEHIND_MS) {
		subscription_ask(g);
	} else if (s->is_on && master_may_fail(w, w->fault_permille / 2)) {
		trace(w, "a connection for what is published is lost");
		subscription_lose(g);
	}
	subscription_receive(g);
}
