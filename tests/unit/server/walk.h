/*
 * walk.h - many requests of three members, of which one fails for want of memory.
 *
 * A request that is answered UNAVAILABLE, or whose connection ends, is made again.
 */
#ifndef TESTS_UNIT_SERVER_WALK_H
#define TESTS_UNIT_SERVER_WALK_H

#include <stdio.h>

#include "tests/support/heap_test.h"
#include "tests/unit/server/table.h"

#define WHO 3
enum { ADA, BOB, CY };

struct walk {
	struct table *t;
	struct rig_peer *who[WHO];
	unsigned step;
	bool is_over; /* the failure has happened */
};

static inline struct walk walk_begin(struct table *t, size_t nth)
{
	struct walk w = {.t = t, .who = {t->ada, t->bob, rig_sit(&t->r, "cy")}};
	heap_fail_nth(nth, false);
	return w;
}

/* With memory again, what was put off for a second happens, and members whose connection ended come back. */
static inline void walk_recover(struct walk *w)
{
	if (!w->is_over && heap_has_failed()) {
		w->is_over = true;
		heap_fail_never();
		rig_advance(&w->t->r, 1001);
	}
	for (size_t i = 0; i < WHO; i++) {
		if (!w->who[i]->is_open) {
			w->who[i] = rig_return(w->who[i], false);
		}
	}
}

/* One request of a room, made until it is acknowledged, with a key of its own where it changes something. */
static inline void walk_call(struct walk *w, int who, const char *method, const char *params)
{
	const char *outcome = "";
	char once[64] = "";
	if (strstr(method, ".list") == NULL && strstr(method, ".get") == NULL) {
		(void)snprintf(once, sizeof(once), ",'idempotency_key':'the-step-number-%03u'",
			       ++w->step);
	}
	for (size_t tries = 0; strcmp(outcome, "ok") != 0; tries++) {
		assert_in_range(tries, 0, 3);
		struct rig_peer *p = w->who[who];
		outcome = rig_outcome(p, rig_send(p, method, "'room_id':'%s'%s%s", w->t->r.room_id,
						  once, params));
		/* A presence does not outlast a room that had to be loaded again. */
		if (strcmp(method, "presence.remove") == 0 && strcmp(outcome, "NOT_FOUND") == 0) {
			outcome = "ok";
		}
		if (strcmp(outcome, "ok") != 0 && strcmp(outcome, "UNAVAILABLE") != 0 &&
		    (strcmp(outcome, "none") != 0 || p->is_open)) {
			fail_msg("%s %s: %s", method, params, outcome);
		}
		walk_recover(w);
	}
}

#endif
