/*
 * bench_store.c - how many commits a second an engine of the table acknowledges.
 *
 * usage: bench_store [URL]
 *
 * Without the address of a Redis, whose data are lost then, LMDB in /tmp. Printed: commits a second, transactions
 * a commit (writes on the disk; commands to Redis), CPU time a commit of this process on all threads and on the loop
 * thread alone. Figures are of this machine and disk; those to compare are cells 28 to 30 of the bench.
 */
#define _DEFAULT_SOURCE
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/keys/random.h"
#include "store/redis/store_redis.h"
#include "tests/bench/commits.h"
#include "tests/support/redis_poll.h"

#define BENCH_SECONDS 2.0

static const char *const files[] = {"data.mdb", "lock.mdb", "writer.lock"};

struct place {
	struct store *s;
	sem_t woken; /* of LMDB */
	char directory[32];
	struct redis_poll poll; /* of Redis */
};

static double cpu_s(clockid_t clock)
{
	struct timespec t;
	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void bench_report(struct commits *c, size_t pending)
{
	double transactions = commits_transactions(c);
	unsigned long answered = c->answered;
	double began = commits_now_s();
	double cpu = cpu_s(CLOCK_PROCESS_CPUTIME_ID), loop = cpu_s(CLOCK_THREAD_CPUTIME_ID);
	enum err e = commits_run(c, pending, BENCH_SECONDS);
	double took = commits_now_s() - began;
	cpu = cpu_s(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	loop = cpu_s(CLOCK_THREAD_CPUTIME_ID) - loop;
	transactions = commits_transactions(c) - transactions;
	double commits = (double)(c->answered - answered);
	if (e != OK) {
		fprintf(stderr, "commit: %s\n", err_text(e));
		exit(1);
	}
	printf("store: %4zu pending: %9.0f commits/s, %6.4f transactions/commit, %5.2f us "
	       "CPU/commit, %5.2f us on the loop\n",
	       pending, commits / took, transactions / commits, cpu / commits * 1e6,
	       loop / commits * 1e6);
}

static void on_wake(void *arg)
{
	(void)sem_post(arg);
}

static void wait_lmdb(void *arg)
{
	struct place *p = arg;
	(void)sem_wait(&p->woken);
}

static enum err open_lmdb(struct place *p, struct errmsg *why)
{
	struct store_lmdb_options o = {.directory = p->directory,
				       .wake = on_wake,
				       .wake_arg = &p->woken};
	format_to(p->directory, sizeof(p->directory), "/tmp/bench-store-XXXXXX");
	return sem_init(&p->woken, 0, 0) == 0 && mkdtemp(p->directory) != NULL
		       ? store_open_lmdb(&o, &p->s, why)
		       : ERR_IO;
}

static void wait_redis(void *arg)
{
	struct place *p = arg;
	p->poll.net.run(&p->poll);
}

static enum err open_redis(struct place *p, const char *url, struct errmsg *why)
{
	struct redis_address address;
	struct store_redis_options o = {.net = &p->poll.net, .address = &address};
	redis_poll_init(&p->poll);
	p->poll.random = (uint64_t)(commits_now_s() * 1e9);
	enum err e = redis_address_parse(url, &address, why);
	return e == OK ? store_open_redis(&o, &p->s, why) : e;
}

static void place_remove(struct place *p, bool is_redis)
{
	char path[64];
	if (is_redis) {
		redis_poll_finish(&p->poll);
		return;
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		format_to(path, sizeof(path), "%s/%s", p->directory, files[i]);
		(void)unlink(path);
	}
	(void)rmdir(p->directory);
}

int main(int argc, char **argv)
{
	static struct commits c;
	static struct place p;
	static const size_t pendings[] = {1, 50, 500};
	bool is_redis = argc > 1;
	struct errmsg why = {"no directory"};
	if (!crypto_start() ||
	    (is_redis ? open_redis(&p, argv[1], &why) : open_lmdb(&p, &why)) != OK) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	if (commits_begin(&c, p.s, is_redis ? wait_redis : wait_lmdb, &p) != OK ||
	    commits_run(&c, COMMITS_ROOMS_MAX, 0.1) != OK) {
		fprintf(stderr, "commit: %s\n", err_text(c.error));
		return 1;
	}
	for (size_t i = 0; i < sizeof(pendings) / sizeof(pendings[0]); i++) {
		bench_report(&c, pendings[i]);
	}
	commits_end(&c);
	store_close(p.s);
	place_remove(&p, is_redis);
	return 0;
}
