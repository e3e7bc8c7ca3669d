/*
 * table.h - the scene most tests of rooms begin with: ada made the room and is
 * host in it, bob has joined. Both have read everything.
 */
#ifndef TESTS_UNIT_SERVER_TABLE_H
#define TESTS_UNIT_SERVER_TABLE_H

#include "tests/unit/server/scene.h"

struct table {
	struct rig r;
	struct rig_peer *ada;
	struct rig_peer *bob;
};

/* Behind scene_init(). */
static inline int table_begin(struct table *t)
{
	rig_start(&t->r);
	t->ada = rig_guest(&t->r, "ada");
	rig_found(&t->r, t->ada, "");
	rig_follow(t->ada, "");
	rig_must(t->ada, "join", "'username':'ada'");
	t->bob = rig_sit(&t->r, "bob");
	rig_forget(t->ada);
	rig_forget(t->bob);
	return 0;
}

static inline int table_lay(void **state)
{
	return table_begin(scene_init(state, sizeof(struct table)));
}

/* A server with another limit, and a room whose host is ada, without a name yet; the test ends with rig_finish(r). */
static inline struct rig_peer *limited_room(struct rig *r, enum limit limit, int64_t value)
{
	rig_init(r);
	r->config.limits[limit] = value;
	rig_start(r);
	struct rig_peer *ada = rig_guest(r, "ada");
	rig_found(r, ada, "");
	rig_follow(ada, "");
	return ada;
}

#define TABLE_TEST(name, t) TEST_IN(name, struct table, t, table_lay, scene_clear)
#define TABLE_HEAP_TEST(name, t, nth) \
	HEAP_TEST_IN(name, struct table, t, nth, table_lay, scene_clear)

#endif
