/*
 * panel.h - the scene the tests of questions begin with: ada asks, bob and cy answer, each
 * with a login. Below it short forms of the requests.
 */
#ifndef TESTS_UNIT_SERVER_PANEL_H
#define TESTS_UNIT_SERVER_PANEL_H

#include <stdio.h>

#include "tests/unit/server/scene.h"

struct panel {
	struct rig r;
	struct rig_peer *ada, *bob, *cy;
	char id[32]; /* of the question that was asked last */
};

/* Behind scene_init(). */
static inline int panel_begin(struct panel *d)
{
	rig_start(&d->r);
	d->ada = scene_person(&d->r, "ada");
	d->bob = scene_person(&d->r, "bob");
	d->cy = scene_person(&d->r, "cy");
	return 0;
}

static inline int panel_open(void **state)
{
	return panel_begin(scene_init(state, sizeof(struct panel)));
}

#define PANEL_TEST(name, d)	      TEST_IN(name, struct panel, d, panel_open, scene_finish)
#define PANEL_HEAP_TEST(name, d, nth) HEAP_TEST_IN(name, struct panel, d, nth, panel_open, scene_finish)

#define TEXT   "'prompt':'What would you name it?','type':'text'"
#define CHOICE "'prompt':'Shall we ship it?','type':'multiple_choice','options':['yes','no']"

/* ada asks, for five answers unless params say how many; her question becomes d->id. */
static inline void ask_unnamed(struct panel *d, const char *params)
{
	const char *need = says(params, "min_responses") ? "" : ",'min_responses':5";
	rig_field(rig_must(d->ada, "question.ask", "%s%s", params, need), "question_id", d->id,
		  sizeof(d->id));
}

/* The same, and its id reads as QUESTION: in a cursor, too, which cannot be sent back then. */
static inline void ask(struct panel *d, const char *params)
{
	ask_unnamed(d, params);
	rig_alias(&d->r, d->id, "QUESTION");
}

static inline const char *answer(struct panel *d, struct rig_peer *p, const char *params)
{
	return rig_code(p, "question.answer", "'question_id':'%s',%s", d->id, params);
}

static inline const char *get(struct panel *d, struct rig_peer *p)
{
	return rig_must(p, "question.get", "'question_id':'%s'", d->id);
}

static inline void status_is_to(struct panel *d, struct rig_peer *p, const char *status)
{
	char expected[48];
	(void)snprintf(expected, sizeof(expected), "'status':'%s'", status);
	const char *message = get(d, p);
	if (!says(message, expected)) {
		fail_msg("no %s in %s", expected, message);
	}
}

static inline void status_is(struct panel *d, const char *status)
{
	status_is_to(d, d->ada, status);
}

/* How many items the question has in the table whose SK begins so. */
static inline size_t panel_stored(struct panel *d, const char *sk_prefix)
{
	char pk[48];
	(void)snprintf(pk, sizeof(pk), "QUESTION:%s", d->id);
	return rig_stored_in(&d->r, pk, sk_prefix);
}

#endif
