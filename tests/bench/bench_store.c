/*
 * bench_store.c - how many commits a second the LMDB engine makes durable.
 *
 * Each commit overwrites one seat, as a vote does; so many are kept waiting at
 * a time. Printed: commits a second, syncs a commit, CPU time a commit on all
 * threads and on the loop thread alone. Figures are of this machine and disk.
 */
#define _DEFAULT_SOURCE
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "proto/keys/random.h"
#include "store/store.h"

#define BENCH_SEATS   1000
#define BENCH_SECONDS 2.0
#define NOW	      INT64_C(1700000000000)

struct bench {
	struct store *s;
	sem_t woken;
	char value[512];
	size_t value_len;
	char sks[BENCH_SEATS][64];
	unsigned long answered;
	unsigned long issued;
};

static double seconds_of(clockid_t clock)
{
	struct timespec t;
	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void on_wake(void *arg)
{
	(void)sem_post(arg);
}

static void on_commit(void *arg, enum err e, uint64_t version)
{
	struct bench *b = arg;
	(void)version;
	if (e != OK) {
		fprintf(stderr, "commit: %s\n", err_text(e));
		exit(1);
	}
	b->answered++;
}

static void bench_commit(struct bench *b)
{
	struct store_op op = {.kind = STORE_PUT,
			      .pk = SLICE("ROOM:K7QX3M"),
			      .sk = slice_str(b->sks[b->issued++ % BENCH_SEATS]),
			      .value = {b->value, b->value_len}};
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = NOW};
	if (store_commit(b->s, &c, on_commit, b) != OK) {
		exit(1);
	}
}

static void bench_run(struct bench *b, unsigned long pending, double seconds)
{
	double end = seconds_of(CLOCK_MONOTONIC) + seconds;
	while (seconds_of(CLOCK_MONOTONIC) < end) {
		while (b->issued - b->answered < pending) {
			bench_commit(b);
		}
		store_flush(b->s);
		(void)sem_wait(&b->woken);
		(void)store_poll(b->s);
	}
	while (store_poll(b->s)) {
		(void)sem_wait(&b->woken);
	}
}

/* The transactions so far. */
static double bench_transactions(struct bench *b)
{
	struct store_status status;
	uint64_t n = 0;
	store_status(b->s, &status);
	for (size_t i = 0; i <= HISTOGRAM_BOUNDS; i++) {
		n += status.batch.counts[i];
	}
	return (double)n;
}

static void bench_report(struct bench *b, unsigned long pending)
{
	double transactions = bench_transactions(b);
	unsigned long answered = b->answered;
	double began = seconds_of(CLOCK_MONOTONIC);
	double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
	       loop = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	bench_run(b, pending, BENCH_SECONDS);
	double took = seconds_of(CLOCK_MONOTONIC) - began;
	cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	loop = seconds_of(CLOCK_THREAD_CPUTIME_ID) - loop;
	transactions = bench_transactions(b) - transactions;
	double commits = (double)(b->answered - answered);
	printf("store: %4lu pending: %9.0f commits/s, %6.4f transactions/commit, %5.2f us "
	       "CPU/commit, %5.2f us on the loop\n",
	       pending, commits / took, transactions / commits, cpu / commits * 1e6,
	       loop / commits * 1e6);
}

static void bench_prepare(struct bench *b)
{
	struct seat_item seat = {.created_on = NOW,
				 .updated_on = NOW,
				 .user_id = SLICE("K7QX3MABCD"),
				 .username = SLICE("Katherine"),
				 .with_username = true,
				 .vote = SLICE("13"),
				 .with_vote = true,
				 .role = ROLE_VOTER};
	struct buf value;
	buf_init(&value, sizeof(b->value));
	record_write(&record_seat_item, &seat, &value);
	memcpy(b->value, value.data, value.len);
	b->value_len = value.len;
	buf_finish(&value);
	for (int i = 0; i < BENCH_SEATS; i++) {
		format_to(b->sks[i], sizeof(b->sks[i]), "USER:%043d", i);
	}
}

int main(void)
{
	static struct bench b;
	static const unsigned long pendings[] = {1, 50, 500};
	char directory[] = "/tmp/bench-store-XXXXXX", path[64];
	struct errmsg why;
	if (!crypto_start() || mkdtemp(directory) == NULL || sem_init(&b.woken, 0, 0) != 0) {
		return 1;
	}
	struct store_lmdb_options o = {.directory = directory,
				       .wake = on_wake,
				       .wake_arg = &b.woken};
	if (store_open_lmdb(&o, &b.s, &why) != OK) {
		fprintf(stderr, "%s\n", why.text);
		return 1;
	}
	bench_prepare(&b);
	bench_run(&b, BENCH_SEATS, 0.1);
	for (size_t i = 0; i < sizeof(pendings) / sizeof(pendings[0]); i++) {
		bench_report(&b, pendings[i]);
	}
	store_close(b.s);
	static const char *const names[] = {"data.mdb", "lock.mdb", "writer.lock"};
	for (size_t i = 0; i < 3; i++) {
		format_to(path, sizeof(path), "%s/%s", directory, names[i]);
		(void)unlink(path);
	}
	return rmdir(directory) == 0 ? 0 : 1;
}
