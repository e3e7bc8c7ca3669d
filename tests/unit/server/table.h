/*
 * table.h - the scene most tests of rooms begin with: ada made the room and is
 * host in it, bob has joined. Both have read everything.
 */
#ifndef TESTS_UNIT_SERVER_TABLE_H
#define TESTS_UNIT_SERVER_TABLE_H

#include "tests/support/heap_test.h"
#include "tests/support/rig.h"

struct table {
	struct rig r;
	struct rig_peer *ada;
	struct rig_peer *bob;
};

/* Change t->r.config behind it; then table_begin(). */
static inline struct table *table_init(void **state)
{
	struct table *t = calloc(1, sizeof(*t));
	assert_non_null(t);
	rig_init(&t->r);
	*state = t;
	return t;
}

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
	return table_begin(table_init(state));
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

/* Whatever a test did, all who follow see the same. */
static inline int table_clear(void **state)
{
	struct table *t = *state;
	rig_assert_all_same(&t->r);
	rig_finish(&t->r);
	free(t);
	return 0;
}

#define TABLE_TEST(name, t) TEST_IN(name, struct table, t, table_lay, table_clear)
#define TABLE_HEAP_TEST(name, t, nth) \
	HEAP_TEST_IN(name, struct table, t, nth, table_lay, table_clear)

#endif
