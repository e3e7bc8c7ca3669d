/*
 * serve_store.h - the table to serve with, as the command line names it: a data directory, or Redis.
 */
#ifndef SERVER_CLI_SERVE_STORE_H
#define SERVER_CLI_SERVE_STORE_H

#include "proto/base/err.h"
#include "proto/keys/random.h"
#include "server/cli/options.h"
#include "server/net/event_loop.h"
#include "server/net/log.h"
#include "store/store.h"

/*
 * Read the server key: of the data directory, which is created with a key if it is missing, or of
 * --key-file.
 *
 * ERR_NOT_FOUND, ERR_CORRUPT, ERR_INVALID, ERR_IO  as *why says.
 */
NODISCARD enum err serve_store_key(const struct options *o, unsigned char key[SEED_BYTES], struct errmsg *why);

/* All borrowed for the call; the log and the options as long as the store is open. */
struct serve_store {
	const struct options *options;
	const struct log *log;
	struct event_loop *loop;  /* whose wake callback the store gets, and on which a Redis is reached */
	const unsigned char *key; /* SEED_BYTES long */
};

/*
 * Open the table; *out belongs to the caller. Errors are those of store_open_lmdb() and
 * store_open_redis(), and ERR_INVALID for files of --store that cannot be used.
 */
NODISCARD enum err serve_store_open(const struct serve_store *want, struct store **out, struct errmsg *why);

#endif
