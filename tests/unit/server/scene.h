/*
 * scene.h - what all scenes of these tests have in common: each is a struct that begins with its rig. And spans of
 * time, people with a login, and words in messages.
 */
#ifndef TESTS_UNIT_SERVER_SCENE_H
#define TESTS_UNIT_SERVER_SCENE_H

#include "tests/support/heap_test.h"
#include "tests/support/rig.h"

#define SECOND_MS INT64_C(1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS	  (60 * MINUTE_MS)
#define DAY_MS	  (24 * HOUR_MS)

/* A scene of that size. Change the config of its rig behind it; then rig_start(). */
static inline void *scene_init(void **state, size_t size)
{
	*state = calloc(1, size);
	assert_non_null(*state);
	rig_init(*state);
	return *state;
}

static inline int scene_finish(void **state)
{
	rig_finish(*state);
	free(*state);
	return 0;
}

/* The same; and whatever a test did, all who follow a room see the same. */
static inline int scene_clear(void **state)
{
	rig_assert_all_same(*state);
	return scene_finish(state);
}

/* Somebody who is logged in, as a guest. */
static inline struct rig_peer *scene_person(struct rig *r, const char *name)
{
	struct rig_peer *p = rig_guest(r, name);
	rig_must(p, "session.login", "'user_name':'%s'", name);
	return p;
}

static inline bool says(const char *message, const char *text)
{
	return strstr(message, text) != NULL;
}

static inline size_t times_in(const char *text, const char *word)
{
	size_t n = 0;
	for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
		n++;
	}
	return n;
}

#endif
