/*
 * nodes.h - the scene the tests of several nodes on one table begin with: ada is logged in at the first and at
 * the second node, with the same session.
 */
#ifndef TESTS_UNIT_SERVER_NODES_H
#define TESTS_UNIT_SERVER_NODES_H

#include "tests/unit/server/club.h"

enum { NODES = 4 };

struct nodes {
	struct rig r; /* the first node */
	struct rig others[NODES - 1];
	size_t n; /* of others */
	struct pair key;
	struct session ada;    /* logged in at the first node, */
	struct rig_peer *at_1; /* there, */
	struct rig_peer *at_2; /* and with the same session at the second */
};

static inline struct rig_peer *resumed_at(struct rig *r, const char *token)
{
	struct rig_peer *p = rig_guest(r, "ada");
	assert_string_equal(resume(p, token), "ok");
	return p;
}

static inline int nodes_open_n(void **state, size_t n)
{
	struct nodes *d = scene_init(state, sizeof(*d));
	d->r.config.node = RIG_NODE;
	rig_start(&d->r);
	rig_settle(&d->r);
	for (; d->n < n - 1; d->n++) {
		rig_init(&d->others[d->n]);
		rig_join(&d->others[d->n], &d->r);
	}
	rig_advance(&d->r, 3000); /* they have read of each other */
	d->key = make_pair('a');
	d->at_1 = rig_connect(&d->r, "ada");
	d->ada = login_signed(d->at_1, "ada", &d->key);
	d->at_2 = resumed_at(&d->others[0], d->ada.token);
	return 0;
}

static inline int nodes_open(void **state)
{
	return nodes_open_n(state, 2);
}

static inline int nodes_open_four(void **state)
{
	return nodes_open_n(state, NODES);
}

static inline int nodes_finish(void **state)
{
	struct nodes *d = *state;
	while (d->n > 0) {
		rig_finish(&d->others[--d->n]);
	}
	return scene_finish(state);
}

#define NODES_TEST(name, d)	 TEST_IN(name, struct nodes, d, nodes_open, nodes_finish)
#define FOUR_NODES_TEST(name, d) TEST_IN(name, struct nodes, d, nodes_open_four, nodes_finish)

#endif
