/*
 * writer_lmdb.c - the thread that makes commits durable.
 *
 * Happy path: all waiting commits, up to a bound, become one transaction with one
 * sync; those that arrive meanwhile are the next. No timer, no delay.
 *
 * A commit whose expectation fails marks only itself. If the transaction fails
 * as a whole, nothing of it is there, and each of its commits is tried alone:
 * a delete may still fit where a put beside it did not. Only when LMDB itself
 * cannot say what happened is the outcome unknown, and then nothing is tried
 * any more.
 */
#include "store/lmdb/store_lmdb.h"

#include <time.h>

#include "store/lmdb/txn_lmdb.h"

#define WRITER_BATCH_MAX       4096
#define WRITER_BATCH_BYTES_MAX ((size_t)8 << 20)
#define WRITER_READERS_S       60 /* how often places of dead readers are freed */

struct writer {
	struct lmdb *lmdb;
	struct apply apply;
	struct free_space space;
	time_t readers_at_s; /* monotonic */
	bool is_broken;
	bool is_gone; /* the file is not in its directory any more */
	struct histogram batch;
	struct histogram sync_us;
};

static uint64_t writer_now_us(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static time_t writer_now_s(void)
{
	return (time_t)(writer_now_us() / 1000000);
}

/* One transaction for all of them: OK where each has its own result and is on disk. */
static enum err writer_transact(struct writer *wr, struct store_requests *batch)
{
	const struct lost_ranges *lost = &wr->lmdb->env.lost;
	struct lmdb_txn v;
	enum err e = lmdb_txn_begin(&v, &wr->lmdb->env, true);
	if (e != OK) {
		return e;
	}
	e = apply_begin(&wr->apply, &v.kv, free_space_takes(&wr->space));
	for (struct store_request *w = batch->first; w != NULL && e == OK; w = w->next) {
		bool is_refused = false;
		for (size_t i = 0; i < w->commit.n && lost->n > 0 && !is_refused; i++) {
			is_refused = lost_ranges_meet(lost, w->commit.ops[i].pk);
		}
		if (is_refused) {
			w->result = ERR_CORRUPT;
			w->is_written = false;
			continue;
		}
		apply_commit(&wr->apply, w);
		e = wr->apply.is_spoilt ? w->result : OK;
	}
	e = e == OK ? apply_end(&wr->apply) : e;
	if (e != OK || wr->apply.written == 0) {
		lmdb_txn_abort(&v);
		return e;
	}
	uint64_t began_us = writer_now_us();
	e = lmdb_txn_commit(&v);
	if (e == OK) {
		histogram_add(&wr->batch, HISTOGRAM_SIZE, wr->apply.written);
		histogram_add(&wr->sync_us, HISTOGRAM_TIME, writer_now_us() - began_us);
	}
	return e;
}

static void writer_fail(struct store_requests *batch, enum err e)
{
	for (struct store_request *w = batch->first; w != NULL; w = w->next) {
		w->result = e;
		w->is_written = false;
	}
}

/* The transaction failed: one by one, as long as the disk takes anything. */
static void writer_retry(struct writer *wr, struct store_requests *batch,
			 struct store_requests *done)
{
	enum err e = OK;
	struct store_request *w;
	while ((w = store_requests_pop(batch)) != NULL) {
		struct store_requests alone = {NULL, NULL, 0};
		store_requests_push(&alone, w);
		if (e != ERR_IO && e != ERR_UNKNOWN) {
			e = writer_transact(wr, &alone);
			wr->is_broken = wr->is_broken || e == ERR_UNKNOWN;
		} else {
			e = ERR_IO;
		}
		if (e != OK) {
			writer_fail(&alone, e);
		}
		store_requests_move(&alone, done);
	}
}

static void writer_run(struct writer *wr, struct store_requests *batch, struct store_requests *done)
{
	wr->is_gone = wr->is_gone || !env_is_in_place(&wr->lmdb->env);
	if (wr->is_broken || wr->is_gone) {
		writer_fail(batch, ERR_IO);
		store_requests_move(batch, done);
		return;
	}
	free_space_update(&wr->space, &wr->lmdb->env);
	enum err e = writer_transact(wr, batch);
	if (e == ERR_UNKNOWN) {
		wr->is_broken = true;
	} else if (e != OK && batch->n > 1) {
		writer_retry(wr, batch, done);
		return;
	}
	if (e != OK) {
		writer_fail(batch, e);
	}
	store_requests_move(batch, done);
}

/* ---- the thread ---- */

/* Under the mutex. */
static void writer_report(struct writer *wr)
{
	struct store_status *status = &wr->lmdb->status;
	status->batch = wr->batch;
	status->sync_us = wr->sync_us;
	status->bytes_used = wr->space.used_bytes;
	status->bytes_free = free_space_left(&wr->space, &wr->lmdb->env);
	status->disk_free = wr->space.disk_bytes;
	status->state = wr->is_broken ? STORE_BROKEN
			: wr->is_gone ? STORE_GONE
				      : apply_state(free_space_takes(&wr->space));
}

/* Wait for commits, or for the time to check readers. False at the end. */
static bool writer_wait(struct writer *wr, struct store_requests *batch)
{
	struct lmdb *l = wr->lmdb;
	size_t bytes = 0;

	(void)pthread_mutex_lock(&l->mutex);
	writer_report(wr);
	if (l->commits.n == 0 && !l->is_settling && !l->awaits_pulse) {
		struct timespec until = {.tv_sec = wr->readers_at_s + WRITER_READERS_S};
		(void)pthread_cond_timedwait(&l->commits_wait, &l->mutex, &until);
	}
	while (l->commits.n > 0 && batch->n < WRITER_BATCH_MAX && bytes < WRITER_BATCH_BYTES_MAX) {
		struct store_request *w = store_requests_pop(&l->commits);
		bytes += w->bytes;
		store_requests_push(batch, w);
	}
	l->awaits_pulse = false;
	bool goes_on = batch->n > 0 || !l->is_settling;
	(void)pthread_mutex_unlock(&l->mutex);
	return goes_on;
}

void *writer_main(void *arg)
{
	struct store_requests batch = {NULL, NULL, 0}, done = {NULL, NULL, 0};
	struct writer wr = {.lmdb = arg, .readers_at_s = writer_now_s()};

	free_space_update(&wr.space, &wr.lmdb->env);
	while (writer_wait(&wr, &batch)) {
		if (batch.n > 0) {
			writer_run(&wr, &batch, &done);
			(void)pthread_mutex_lock(&wr.lmdb->mutex);
			writer_report(&wr);
			(void)pthread_mutex_unlock(&wr.lmdb->mutex);
			lmdb_finish_requests(wr.lmdb, &done);
		}
		time_t now_s = writer_now_s();
		if (now_s - wr.readers_at_s >= WRITER_READERS_S) {
			env_check_readers(&wr.lmdb->env);
			free_space_update(&wr.space, &wr.lmdb->env);
			wr.is_gone = wr.is_gone || !env_is_in_place(&wr.lmdb->env);
			wr.readers_at_s = now_s;
		}
	}
	apply_finish(&wr.apply);
	return NULL;
}
