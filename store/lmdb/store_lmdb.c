/*
 * store_lmdb.c - the LMDB engine: its life, and what crosses between threads.
 *
 * See store_lmdb.h for the threads, env_lmdb.h for the files, writer_lmdb.c
 * for commits and what happens when one fails.
 */
#include "store/lmdb/store_lmdb.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "proto/base/assert.h"
#include "store/lmdb/txn_lmdb.h"

#define LMDB_DAMAGE_LINES 100 /* of what is damaged; the rest is in `ayed check` */

static volatile sig_atomic_t lmdb_mark_fd = -1; /* of the data that are open for writing */

static struct lmdb *lmdb_of(struct store *s)
{
	_Static_assert(offsetof(struct lmdb, store) == 0, "an engine begins with its store");
	return (struct lmdb *)(void *)s;
}

void lmdb_finish_requests(struct lmdb *l, struct store_requests *requests)
{
	(void)pthread_mutex_lock(&l->mutex);
	bool was_empty = l->done.n == 0;
	store_requests_move(requests, &l->done);
	(void)pthread_mutex_unlock(&l->mutex);
	/* A loop that has not collected what was there has been woken for it. */
	if (was_empty && l->store.wake != NULL) {
		l->store.wake(l->store.wake_arg);
	}
}

/* ---- the engine ---- */

static void lmdb_submit(struct store *s, struct store_request *w)
{
	struct lmdb *l = lmdb_of(s);
	bool is_commit = w->kind == STORE_REQUEST_COMMIT;
	if (l->is_settled || (is_commit && l->is_read_only)) {
		struct store_requests refused = {NULL, NULL, 0};
		w->result = ERR_CLOSED;
		store_requests_push(&refused, w);
		lmdb_finish_requests(l, &refused);
		return;
	}
	if (is_commit && w->commit.token_is_local) {
		/* After ERR_UNKNOWN nothing is committed any more, so nothing could be done twice:
		 * that spares every vote the pages of two databases. */
		w->commit.token = (struct store_token){{0}};
	}
	store_requests_push(is_commit ? &l->called_commits : &l->called_reads, w);
}

static void lmdb_flush(struct store *s)
{
	struct lmdb *l = lmdb_of(s);
	bool has_commits = l->called_commits.n > 0, has_reads = l->called_reads.n > 0;
	if (!has_commits && !has_reads) {
		return;
	}
	(void)pthread_mutex_lock(&l->mutex);
	store_requests_move(&l->called_commits, &l->commits);
	store_requests_move(&l->called_reads, &l->reads);
	if (has_commits) {
		(void)pthread_cond_signal(&l->commits_wait);
	}
	if (has_reads) {
		(void)pthread_cond_signal(&l->reads_wait);
	}
	(void)pthread_mutex_unlock(&l->mutex);
}

static void lmdb_collect(struct store *s, struct store_requests *done)
{
	struct lmdb *l = lmdb_of(s);
	(void)pthread_mutex_lock(&l->mutex);
	store_requests_move(&l->done, done);
	(void)pthread_mutex_unlock(&l->mutex);
}

static void lmdb_status(struct store *s, struct store_status *out)
{
	struct lmdb *l = lmdb_of(s);
	(void)pthread_mutex_lock(&l->mutex);
	*out = l->status;
	(void)pthread_mutex_unlock(&l->mutex);
	out->bytes_max = l->env.map_bytes;
	out->is_unchecked = l->env.left >= ENV_LEFT_KILLED;
}

static bool lmdb_pulse(struct store *s)
{
	struct lmdb *l = lmdb_of(s);
	(void)pthread_mutex_lock(&l->mutex);
	bool is_alive = !l->awaits_pulse;
	l->awaits_pulse = l->has_writer;
	(void)pthread_cond_signal(&l->commits_wait);
	(void)pthread_mutex_unlock(&l->mutex);
	return is_alive;
}

static void lmdb_settle(struct store *s)
{
	struct lmdb *l = lmdb_of(s);
	lmdb_flush(s);
	(void)pthread_mutex_lock(&l->mutex);
	l->is_settling = true;
	(void)pthread_cond_signal(&l->commits_wait);
	(void)pthread_cond_signal(&l->reads_wait);
	(void)pthread_mutex_unlock(&l->mutex);
	if (l->has_writer) {
		(void)pthread_join(l->writer, NULL);
	}
	if (l->has_reader) {
		(void)pthread_join(l->reader, NULL);
	}
	l->is_settled = true;
}

static void lmdb_destroy(struct store *s)
{
	struct lmdb *l = lmdb_of(s);
	bool is_well = l->status.state != STORE_BROKEN && l->status.state != STORE_GONE;
	lmdb_mark_fd = l->is_read_only ? lmdb_mark_fd : -1;
	(is_well ? env_close : env_abandon)(&l->env);
	(void)pthread_cond_destroy(&l->commits_wait);
	(void)pthread_cond_destroy(&l->reads_wait);
	(void)pthread_mutex_destroy(&l->mutex);
	free(l);
}

static const struct engine lmdb_engine = {
	.submit = lmdb_submit,
	.flush = lmdb_flush,
	.collect = lmdb_collect,
	.status = lmdb_status,
	.pulse = lmdb_pulse,
	.settle = lmdb_settle,
	.destroy = lmdb_destroy,
	.token_life_ms = APPLY_TOKEN_LIFE_MS,
};

/* ---- opening ---- */

/* The writer waits on the monotonic clock: a wall clock that jumps must not make it spin or sleep.
 */
static bool lmdb_init_sync(struct lmdb *l)
{
	pthread_condattr_t attr;
	if (pthread_condattr_init(&attr) != 0) {
		return false;
	}
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	bool made_mutex = pthread_mutex_init(&l->mutex, NULL) == 0;
	bool made_commits = made_mutex && pthread_cond_init(&l->commits_wait, &attr) == 0;
	bool made_reads = made_commits && pthread_cond_init(&l->reads_wait, NULL) == 0;
	if (!made_reads && made_commits) {
		(void)pthread_cond_destroy(&l->commits_wait);
	}
	if (!made_reads && made_mutex) {
		(void)pthread_mutex_destroy(&l->mutex);
	}
	(void)pthread_condattr_destroy(&attr);
	return made_reads;
}

/* Signals are handled by the loop thread. */
static bool lmdb_start_threads(struct lmdb *l)
{
	sigset_t all, before;
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	l->has_reader = pthread_create(&l->reader, NULL, reader_main, l) == 0;
	if (!l->is_read_only) {
		l->has_writer = pthread_create(&l->writer, NULL, writer_main, l) == 0;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return l->has_reader && (l->has_writer || l->is_read_only);
}

struct lmdb_damage {
	const struct store_lmdb_options *options;
	unsigned lines;
};

static void lmdb_on_damage(void *arg, struct slice line)
{
	struct lmdb_damage *d = arg;
	if (d->options->on_damage != NULL && d->lines++ < LMDB_DAMAGE_LINES) {
		d->options->on_damage(d->options->on_damage_arg, line);
	}
}

void store_lmdb_fault(void)
{
	env_files_distrust(lmdb_mark_fd);
}

static void lmdb_on_pages(void *arg, uint64_t pages, uint64_t pages_all)
{
	const struct lmdb_damage *d = arg;
	if (d->options->on_pages != NULL) {
		d->options->on_pages(d->options->on_damage_arg, pages, pages_all);
	}
}

static enum err lmdb_open_env(struct lmdb *l, const struct store_lmdb_options *o,
			      struct errmsg *why)
{
	struct lmdb_damage damage = {.options = o};
	struct env_options eo = {
		.directory = o->directory,
		.map_bytes = o->map_bytes,
		.reserve_bytes = o->reserve_bytes,
		.read_only = o->read_only,
		.boot = o->boot,
		.owner = o->owner,
		.on_problem = lmdb_on_damage,
		.on_pages = lmdb_on_pages,
		.on_problem_arg = &damage,
	};
	struct lmdb_txn v;
	uint64_t version;
	enum err e = env_open(&eo, &l->env, why);
	if (e != OK) {
		return e;
	}
	e = lmdb_txn_begin(&v, &l->env, false);
	if (e == OK) {
		e = kv_version(&v.kv, &version);
		lmdb_txn_abort(&v);
	}
	if (e != OK) {
		errmsg_set(why, "%s: cannot read the version: %s", o->directory, err_text(e));
		env_abandon(&l->env);
		return e;
	}
	store_init(&l->store, &lmdb_engine);
	l->store.wake = o->wake;
	l->store.wake_arg = o->wake_arg;
	l->is_read_only = o->read_only;
	return OK;
}

enum err store_open_lmdb(const struct store_lmdb_options *o, struct store **out, struct errmsg *why)
{
	struct lmdb *l = calloc(1, sizeof(*l));
	if (l == NULL) {
		errmsg_set(why, "out of memory");
		return ERR_NOMEM;
	}
	enum err e = lmdb_open_env(l, o, why);
	if (e != OK) {
		free(l);
		return e;
	}
	if (!lmdb_init_sync(l)) {
		errmsg_set(why, "out of memory");
		env_close(&l->env);
		store_finish(&l->store);
		free(l);
		return ERR_NOMEM;
	}
	if (!lmdb_start_threads(l)) {
		errmsg_set(why, "cannot start the store's threads");
		store_close(&l->store);
		return ERR_NOMEM;
	}
	lmdb_mark_fd = l->is_read_only ? lmdb_mark_fd : l->env.mark_fd;
	*out = &l->store;
	return OK;
}
