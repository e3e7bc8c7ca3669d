/*
 * connection_kit.h - a connection and a scripted server at its other end, for tests of connection_uv.h.
 */
#ifndef TESTS_UNIT_CLIENT_CONNECTION_KIT_H
#define TESTS_UNIT_CLIENT_CONNECTION_KIT_H

#include <signal.h>

#include "client/net/connection_uv.h"
#include "tests/support/scripted.h"
#include "tests/support/test.h"

/* Nothing here takes long; a test that waits this long is broken. */
#define PATIENCE_MS 20000

struct line {
	struct scripted server;
	uv_loop_t loop;
	uv_timer_t patience;
	struct connection *link;
};

/* How it is opened. */
struct line_way {
	void (*opens)(struct scripted *s);
	const struct connection_timing *timing;
	bool keeps_trying;
	const struct connection_handler *handler;
};

static inline void line_on_patience(uv_timer_t *timer)
{
	(void)timer;
	fail_msg("nothing happens any more");
}

static inline void line_open(struct line *l, const struct line_way *way, void *owner,
			     const struct scripted_rule *rules, size_t n)
{
	struct address address;
	struct errmsg why;
	assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	way->opens(&l->server);
	scripted_play(&l->server, rules, n);
	assert_int_equal(uv_loop_init(&l->loop), 0);
	assert_int_equal(uv_timer_init(&l->loop, &l->patience), 0);
	assert_int_equal(uv_timer_start(&l->patience, line_on_patience, PATIENCE_MS, 0), 0);
	assert_int_equal(address_parse(l->server.address, &address, &why), OK);
	l->link = connection_open(&l->loop, &address, way->keeps_trying, way->handler, owner);
	connection_set_timing(l->link, way->timing);
}

static inline void line_turn(struct line *l)
{
	(void)uv_run(&l->loop, UV_RUN_NOWAIT);
	scripted_turn(&l->server, 1);
}

static inline void line_until(struct line *l, const unsigned *count, unsigned n)
{
	while (*count < n) {
		line_turn(l);
	}
}

static inline void line_close(struct line *l)
{
	connection_close(l->link);
	uv_close((uv_handle_t *)&l->patience, NULL);
	assert_int_equal(uv_run(&l->loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(uv_loop_close(&l->loop), 0);
	scripted_close(&l->server);
}

#endif
