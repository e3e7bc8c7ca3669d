/*
 * place.h - a Redis of a test's own, which may end, hang or be full, and a store that has its table there.
 *
 * Functions are inline so that each test program may use some of them.
 */
#ifndef TESTS_UNIT_STORE_PLACE_H
#define TESTS_UNIT_STORE_PLACE_H

#include "fixture.h"

#define PLACE_REPLICAS 2

struct place {
	struct redis_run server;
	struct redis_run replicas[PLACE_REPLICAS]; /* those that were started, from the first on */
	struct redis_poll poll;
	bool is_node; /* else it has the data alone */
	struct store *s;
	struct errmsg why;
	char warning[256]; /* the last of the opening */
	void (*on_warning)(struct place *p);
};

static inline void place_lay(struct place *p)
{
	*p = (struct place){.s = NULL};
	assert_true(crypto_start());
	fixture_forget_commits();
	redis_run_lay(&p->server);
	redis_poll_init(&p->poll);
	assert_int_equal(getrandom(&p->poll.random, sizeof(p->poll.random), 0),
			 sizeof(p->poll.random));
}

static inline void place_clear(struct place *p)
{
	store_close(p->s);
	redis_poll_finish(&p->poll);
	redis_run_clear(&p->server);
	for (unsigned i = 0; i < PLACE_REPLICAS && p->replicas[i].dir[0] != '\0'; i++) {
		redis_run_clear(&p->replicas[i]);
	}
}

#define PLACE_TEST(name, p) TEST_OF(name, struct place, p, place_lay(p), place_clear(p))

static inline void on_place_warning(void *arg, struct slice line)
{
	struct place *p = arg;
	format_to(p->warning, sizeof(p->warning), "%.*s", (int)line.len, line.data);
	if (p->on_warning != NULL) {
		p->on_warning(p);
	}
}

/* "user:password@" or nothing; settings with their question mark, or nothing. */
static inline enum err place_open_to(struct place *p, enum store_redis_use use, const char *user,
				     const char *settings, const char *owner)
{
	char text[256];
	struct redis_address address;
	format_to(text, sizeof(text), "redis+unix://%s%s%s", user, p->server.socket, settings);
	assert_int_equal(redis_address_parse(text, &address, &p->why), OK);
	struct store_redis_options o = {.use = use,
					.net = &p->poll.net,
					.address = &address,
					.owner = slice_str(owner),
					.is_node = p->is_node,
					.on_warning = on_place_warning,
					.on_warning_arg = p};
	return store_open_redis(&o, &p->s, &p->why);
}

static inline enum err place_open_as(struct place *p, const char *user, const char *settings,
			      const char *owner)
{
	return place_open_to(p, STORE_REDIS_SERVE, user, settings, owner);
}

static inline void place_close(struct place *p)
{
	store_close(p->s);
	p->s = NULL;
}

/* With everysec, a reply may be there before the file has it, where the disk is slow. */
static const char *const with_files[] = {"--appendonly",
					 "yes",
					 "--appendfsync",
					 "always",
					 "--repl-diskless-sync-delay",
					 "0",
					 NULL};

static inline void place_open(struct place *p, const char *const *options)
{
	redis_run_start(&p->server, options);
	enum err e = place_open_as(p, "", "?volatile=1", "");
	assert_string_equal(e == OK ? "" : p->why.text, "");
}

static inline const char *ask(struct place *p, const char *command)
{
	static char answer[256];
	redis_run_ask(&p->server, command, answer, sizeof(answer));
	return answer;
}

static inline void drain(struct place *p)
{
	while (store_poll(p->s)) {
		p->poll.net.run(&p->poll);
	}
}

static inline struct answer commit_one(struct place *p, struct store_op op)
{
	struct answer a = {.scope = item_scope_of(op.pk)};
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	assert_int_equal(store_commit(p->s, &c, on_commit, &a), OK);
	drain(p);
	assert_int_equal(a.calls, 1);
	return a;
}

static inline struct answer load_room(struct place *p, const char *pk)
{
	struct answer a = {.scope = item_scope_of(slice_str(pk))};
	store_load(p->s, &(struct store_load){.pk = slice_str(pk)}, on_items, &a);
	drain(p);
	return a;
}

static inline struct answer seats_of(struct place *p, const char *account)
{
	struct answer a = {.calls = 0};
	store_query(p->s,
		    &(struct store_query){.index = INDEX_BY_ACCOUNT,
					  .partition = slice_str(account),
					  .to = INT64_MAX,
					  .limit = 10},
		    on_query, &a);
	drain(p);
	return a;
}

static inline const char *problems(struct place *p)
{
	static struct checking k;
	k = (struct checking){.parts = 0};
	do {
		store_check(p->s, slice_of(k.cursor, k.cursor_len), on_check, &k);
		drain(p);
	} while (k.e == OK && k.cursor_len > 0);
	assert_int_equal(k.e, OK);
	return k.lines;
}

struct heard {
	unsigned missed, others;
	uint64_t number;
};

static inline void on_heard(void *arg, uint64_t number, struct slice body)
{
	struct heard *h = arg;
	assert_true(number > h->number);
	h->number = number;
	h->missed += body.len == 0;
	h->others += body.len > 0;
}

#endif
