/*
 * fixture_engines.h - the engines that tests of the store run on: how each is made, opened, waited
 * for and removed, and what it promises beyond the others.
 */
#ifndef TESTS_UNIT_STORE_FIXTURE_ENGINES_H
#define TESTS_UNIT_STORE_FIXTURE_ENGINES_H

#include <stdlib.h>
#include <unistd.h>

#include <dirent.h>
#include <semaphore.h>
#include <sys/random.h>

#include "proto/base/format.h"
#include "store/lmdb/store_lmdb.h"
#include "store/redis/store_redis.h"
#include "store/store.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_group.h"
#include "tests/support/redis_poll.h"
#include "tests/support/redis_run.h"
#include "tests/support/store_mem.h"
#include "tests/support/test.h"

#define FIXTURE_URL_BYTES 256

struct fixture;

/* A row of fixture_engines. */
struct fixture_engine {
	const char *name;
	/* make a place for data; NULL: they are in the process */
	void (*make)(struct fixture *f);
	/* open the store, on the data of before where the engine keeps them */
	enum err (*open)(struct fixture *f);
	/* wait until store_poll() may have work; NULL: store_poll() itself does it */
	void (*wait)(struct fixture *f);
	/* remove the data; NULL: they went with the store */
	void (*remove)(struct fixture *f);
	/* another process makes a commit at once; NULL: the data are for one process */
	enum err (*other)(struct fixture *f, const struct store_commit *c, uint64_t *version);
	void (*other_takes)(struct fixture *f, const struct store_take *t); /* likewise */
	/* of Redis: start what the program has not started yet; the address; whom to ask */
	void (*start)(void);
	void (*url)(char out[FIXTURE_URL_BYTES]);
	const struct redis_run *(*asked)(unsigned nth); /* NULL: there are no more */
	/* let so much time pass, for an engine with a clock of its own; NULL: commits say the time */
	void (*pass)(struct fixture *f, int64_t ms);
	bool keeps; /* data outlive store_close() */
	/* entries of rooms' items stay in indexes for a while after the items went */
	bool lags;
	/* what the connection had no memory for is asked again */
	bool asks_again;
};

struct fixture {
	const struct fixture_engine *engine;
	struct store *s;
	char directory[64];
	uint64_t map_bytes;
	const char *boot; /* NULL: not known */
	sem_t woken;
	/* redis */
	bool is_node; /* else it has the data alone */
	struct redis_poll poll;
	struct store *theirs; /* the data as another process has them open; NULL: none yet */
};

static inline enum err fixture_open_mem(struct fixture *f)
{
	return store_open_mem(&f->s);
}

static inline enum err fixture_other_mem(struct fixture *f, const struct store_commit *c,
					 uint64_t *version)
{
	return store_mem_other(f->s, c, version);
}

static inline void fixture_take_mem(struct fixture *f, const struct store_take *t)
{
	store_mem_take(f->s, t);
}

static inline void fixture_wake(void *arg)
{
	sem_post(arg);
}

static inline void fixture_make_lmdb(struct fixture *f)
{
	format_to(f->directory, sizeof(f->directory), "/tmp/store-test-XXXXXX");
	assert_non_null(mkdtemp(f->directory));
}

static inline enum err fixture_open_lmdb(struct fixture *f)
{
	struct errmsg why = {""};
	struct store_lmdb_options o = {.directory = f->directory,
				       .map_bytes = f->map_bytes,
				       .boot = slice_str(f->boot),
				       .wake = fixture_wake,
				       .wake_arg = &f->woken};
	return store_open_lmdb(&o, &f->s, &why);
}

static inline void fixture_wait_lmdb(struct fixture *f)
{
	while (sem_wait(&f->woken) != 0) {
	}
}

/* Only plain files lie in a data directory. */
static inline void fixture_remove(const char *directory)
{
	char path[512];
	struct dirent *entry;
	DIR *d = opendir(directory);
	if (d == NULL) {
		return;
	}
	while ((entry = readdir(d)) != NULL) {
		format_to(path, sizeof(path), "%s/%s", directory, entry->d_name);
		unlink(path);
	}
	closedir(d);
	rmdir(directory);
}

static inline void fixture_remove_lmdb(struct fixture *f)
{
	fixture_remove(f->directory);
}

/* ---- redis: the servers of a program are for all its tests ---- */

/* A user with the rights that store_redis.h names. */
#define FIXTURE_USER                                                                         \
	"ACL SETUSER team on >pw ~{d}* ~{b*}* resetchannels &{d}c -@all +hello +auth "       \
	"+select +ping +client|setname +info +script|load +evalsha +scan +get +mget +set +mset +del "    \
	"+exists +incr +pexpire +time +hget +hmget +hset +hdel +hgetall +zadd "     \
	"+zrem +zscore +zrangebylex +zrevrangebylex +zrangebyscore +zlexcount +spublish "    \
	"+ssubscribe"

static struct redis_run fixture_server;
static struct redis_group fixture_group;

static inline void fixture_end_servers(void)
{
	redis_run_clear(&fixture_server);
}

static inline void fixture_start_server(void)
{
	if (fixture_server.dir[0] == '\0') {
		redis_run_lay(&fixture_server);
		assert_int_equal(atexit(fixture_end_servers), 0);
		redis_run_start(&fixture_server, NULL);
	}
}

static inline void fixture_server_url(char out[FIXTURE_URL_BYTES])
{
	format_to(out, FIXTURE_URL_BYTES, "redis+unix://%s?volatile=1", fixture_server.socket);
}

static inline const struct redis_run *fixture_server_asked(unsigned nth)
{
	return nth == 0 ? &fixture_server : NULL;
}

static inline void fixture_end_group(void)
{
	redis_group_clear(&fixture_group);
}

static inline void fixture_start_group(void)
{
	if (fixture_group.servers[0].dir[0] == '\0') {
		assert_int_equal(atexit(fixture_end_group), 0);
		redis_group_start(&fixture_group);
	}
}

static inline void fixture_group_url(char out[FIXTURE_URL_BYTES])
{
	redis_group_url(&fixture_group, "", out);
}

static inline const struct redis_run *fixture_group_asked(unsigned nth)
{
	return nth == 0 ? redis_group_master(&fixture_group) : NULL;
}

static struct redis_cluster fixture_cluster;

static inline void fixture_end_cluster(void)
{
	redis_cluster_clear(&fixture_cluster);
}

static inline void fixture_start_cluster(void)
{
	if (fixture_cluster.servers[0].dir[0] == '\0') {
		assert_int_equal(atexit(fixture_end_cluster), 0);
		redis_cluster_start(&fixture_cluster);
	}
}

static inline void fixture_cluster_url(char out[FIXTURE_URL_BYTES])
{
	redis_cluster_url(&fixture_cluster, "", out);
}

static inline const struct redis_run *fixture_cluster_asked(unsigned nth)
{
	unsigned i = 0;
	while (i < REDIS_CLUSTER_SERVERS &&
	       (!redis_cluster_is_master(&fixture_cluster.servers[i]) || nth-- > 0)) {
		i++;
	}
	return i < REDIS_CLUSTER_SERVERS ? &fixture_cluster.servers[i] : NULL;
}

static inline void fixture_ask_redis(const struct fixture *f, const char *command)
{
	char answer[128];
	const struct redis_run *asked;
	for (unsigned i = 0; (asked = f->engine->asked(i)) != NULL; i++) {
		redis_run_ask(asked, command, answer, sizeof(answer));
		assert_true(answer[0] == '+' || answer[0] == ':' || answer[0] == '$');
	}
}

static inline void fixture_make_redis(struct fixture *f)
{
	f->engine->start();
	fixture_ask_redis(f, "FLUSHALL");
	redis_poll_init(&f->poll);
	assert_int_equal(getrandom(&f->poll.random, sizeof(f->poll.random), 0),
			 sizeof(f->poll.random));
}

static inline enum err fixture_open_on(struct fixture *f, bool joins, struct store **out)
{
	struct errmsg why = {""};
	char text[FIXTURE_URL_BYTES];
	struct redis_address address;
	f->engine->url(text);
	assert_int_equal(redis_address_parse(text, &address, &why), OK);
	struct store_redis_options o = {.net = &f->poll.net,
					.address = &address,
					.is_node = f->is_node,
					.joins = joins,
					.wake = fixture_wake,
					.wake_arg = &f->woken};
	enum err e = store_open_redis(&o, out, &why);
	if (e != OK) {
		print_message("%s\n", why.text);
	}
	return e;
}

static inline enum err fixture_open_redis(struct fixture *f)
{
	return fixture_open_on(f, false, &f->s);
}

static inline void fixture_wait_redis(struct fixture *f)
{
	if (sem_trywait(&f->woken) != 0) {
		f->poll.net.run(f->poll.net.arg);
	}
}

static inline void fixture_remove_redis(struct fixture *f)
{
	store_close(f->theirs);
	redis_poll_finish(&f->poll);
}

struct fixture_theirs {
	unsigned calls;
	enum err e;
	uint64_t version;
};

static inline void on_their_commit(void *arg, enum err e, uint64_t version)
{
	*(struct fixture_theirs *)arg = (struct fixture_theirs){1, e, version};
}

static inline void on_their_take(void *arg, enum err e, struct store_fence had, uint64_t version)
{
	(void)had;
	on_their_commit(arg, e, version);
}

static inline void fixture_wait_theirs(struct fixture *f, const struct fixture_theirs *t)
{
	while (store_poll(f->theirs) || t->calls == 0) {
		f->poll.net.run(f->poll.net.arg);
	}
}

static inline struct store *fixture_theirs(struct fixture *f)
{
	if (f->theirs == NULL) {
		assert_int_equal(fixture_open_on(f, true, &f->theirs), OK);
	}
	return f->theirs;
}

static inline enum err fixture_other_redis(struct fixture *f, const struct store_commit *c,
					   uint64_t *version)
{
	struct fixture_theirs t = {0};
	assert_int_equal(store_commit(fixture_theirs(f), c, on_their_commit, &t), OK);
	fixture_wait_theirs(f, &t);
	*version = t.version;
	return t.e;
}

static inline void fixture_take_redis(struct fixture *f, const struct store_take *take)
{
	struct fixture_theirs t = {0};
	assert_int_equal(store_take(fixture_theirs(f), take, on_their_take, &t), OK);
	fixture_wait_theirs(f, &t);
	assert_int_equal(t.e, OK);
}

/* Tokens end so much earlier. */
static inline void fixture_pass_redis(struct fixture *f, int64_t ms)
{
	char command[512];
	format_to(command, sizeof(command),
		  "EVAL \"for _, k in ipairs(redis.call('KEYS', '{*}t:*')) do "
		  "redis.call('PEXPIRE', k, redis.call('PTTL', k) - ARGV[1]) end return 1\" 0 %lld",
		  (long long)ms);
	fixture_ask_redis(f, command);
}

/* Those whose data several processes share are the last. */
enum { FIXTURE_LMDB, FIXTURE_MEM, FIXTURE_REDIS, FIXTURE_SENTINEL, FIXTURE_CLUSTER, FIXTURE_ENGINES };

/* What is alike where the table is in Redis. */
#define FIXTURE_OF_REDIS \
	.make = fixture_make_redis, .open = fixture_open_redis, .wait = fixture_wait_redis, \
	.remove = fixture_remove_redis, .other = fixture_other_redis, \
	.other_takes = fixture_take_redis, .pass = fixture_pass_redis, .keeps = true, \
	.lags = true, .asks_again = true

static const struct fixture_engine fixture_engines[FIXTURE_ENGINES] = {
	[FIXTURE_MEM] = {.name = "mem",
			 .open = fixture_open_mem,
			 .other = fixture_other_mem,
			 .other_takes = fixture_take_mem},
	[FIXTURE_LMDB] = {.name = "lmdb",
			  .make = fixture_make_lmdb,
			  .open = fixture_open_lmdb,
			  .wait = fixture_wait_lmdb,
			  .remove = fixture_remove_lmdb,
			  .keeps = true},
	[FIXTURE_REDIS] = {.name = "redis",
			   .start = fixture_start_server,
			   .url = fixture_server_url,
			   .asked = fixture_server_asked,
			   FIXTURE_OF_REDIS},
	[FIXTURE_SENTINEL] = {.name = "sentinel",
			      .start = fixture_start_group,
			      .url = fixture_group_url,
			      .asked = fixture_group_asked,
			      FIXTURE_OF_REDIS},
	[FIXTURE_CLUSTER] = {.name = "cluster",
			     .start = fixture_start_cluster,
			     .url = fixture_cluster_url,
			     .asked = fixture_cluster_asked,
			     FIXTURE_OF_REDIS},
};

#endif
