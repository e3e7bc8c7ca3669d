/*
 * scene.h - a store whose table is on several Redis servers, some of which a test loses: load on one room,
 * and publications.
 */
#ifndef TESTS_UNIT_STORE_SCENE_H
#define TESTS_UNIT_STORE_SCENE_H

#include "chains.h"

#define SETTLED_ACKS 400

struct scene {
	struct redis_poll poll;
	struct store *s;
	struct errmsg why;
	struct chains chains;
	unsigned told, missed; /* publications */
};

static inline void scene_begin(struct scene *s)
{
	*s = (struct scene){.s = NULL};
	assert_true(crypto_start());
	fixture_forget_commits();
	redis_poll_init(&s->poll);
	assert_int_equal(getrandom(&s->poll.random, sizeof(s->poll.random), 0),
			 sizeof(s->poll.random));
}

static inline void scene_end(struct scene *s)
{
	store_close(s->s);
	redis_poll_finish(&s->poll);
}

static inline enum err try_open_to(struct scene *s, enum store_redis_use use, const char *url)
{
	struct redis_address address;
	assert_int_equal(redis_address_parse(url, &address, &s->why), OK);
	struct store_redis_options o = {.use = use,
					.net = &s->poll.net,
					.address = &address,
					.owner = SLICE("ada")};
	return store_open_redis(&o, &s->s, &s->why);
}

static inline enum err try_open(struct scene *s, const char *url)
{
	return try_open_to(s, STORE_REDIS_SERVE, url);
}

static inline void open_at(struct scene *s, const char *url)
{
	enum err e = try_open(s, url);
	assert_string_equal(e == OK ? "" : s->why.text, "");
}

static inline void run(struct scene *s)
{
	(void)store_poll(s->s);
	s->poll.net.run(&s->poll);
}

static inline void drain(struct scene *s)
{
	while (store_poll(s->s)) {
		s->poll.net.run(&s->poll);
	}
}

/* ---- load ---- */

/* From now on. */
static inline void begin_load(struct scene *s)
{
	chains_begin(&s->chains, s->s, &s->poll, "ROOM:A");
	chains_until(&s->chains, SETTLED_ACKS);
	store_flush(s->s); /* commits are under way */
}

/* It goes on; in the end all is as it was acknowledged. */
static inline void end(struct scene *s)
{
	chains_until(&s->chains, s->chains.acks + SETTLED_ACKS);
	chains_end(&s->chains);
}

/* ---- publications ---- */

static inline void on_told(void *arg, uint64_t number, struct slice body)
{
	struct scene *s = arg;
	(void)number;
	s->told += body.len > 0;
	s->missed += body.len == 0;
}

static inline void publish(struct scene *s)
{
	struct answer a = {.scope = ITEM_SCOPE_DIRECTORY};
	struct store_op op = op_of(STORE_DELETE, "ASKER:ada", "ASKER");
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW, .publish = SLICE("body")};
	unsigned told = s->told + s->missed;
	assert_int_equal(store_commit(s->s, &c, on_commit, &a), OK);
	while (a.calls == 0) {
		run(s);
	}
	assert_int_equal(a.e, OK);
	assert_true(s->told + s->missed > told); /* before the answer, or as missed */
}

#endif
