/*
 * store_lmdb.h - the shared state of the LMDB engine's threads. Private to *_lmdb.c.
 *
 * Three threads: the loop submits requests and collects them, and never touches the map; the
 * writer makes all write transactions; the reader runs loads, queries and counts, so that none of
 * them waits for a sync.
 */
#ifndef STORE_LMDB_STORE_LMDB_H
#define STORE_LMDB_STORE_LMDB_H

#include <pthread.h>

#include "store/base/apply.h"
#include "store/base/engine.h"
#include "store/lmdb/env_lmdb.h"
#include "store/lmdb/free_space_lmdb.h"

struct lmdb {
	struct store store;
	struct env env;
	bool is_read_only;
	bool is_settled; /* loop thread only, as are the next two */
	struct store_requests called_commits; /* since the last flush */
	struct store_requests called_reads;

	pthread_t writer;
	pthread_t reader;
	bool has_writer;
	bool has_reader;

	/* Everything below is protected by the mutex. */
	pthread_mutex_t mutex;
	pthread_cond_t commits_wait;
	pthread_cond_t reads_wait;
	struct store_requests commits;
	struct store_requests reads;
	struct store_requests done;
	bool is_settling;
	bool awaits_pulse; /* the writer has not answered store_pulse() yet */
	struct store_status status;
};

/* The threads; arg is the struct lmdb. They return when is_settling and nothing waits. */
void *writer_main(void *arg);
void *reader_main(void *arg);

/* Pass finished requests to the loop; empties `requests`. Any thread, without the mutex. */
void lmdb_finish_requests(struct lmdb *l, struct store_requests *requests);

#endif
