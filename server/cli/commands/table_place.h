/*
 * table_place.h - the data that a command works on, in a directory or in Redis: opened to be read, copied
 * or filled.
 */
#ifndef SERVER_CLI_TABLE_PLACE_H
#define SERVER_CLI_TABLE_PLACE_H

#include "proto/base/err.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"
#include "server/cli/options.h"
#include "server/net/command_loop.h"
#include "store/admin/admin.h"
#include "store/redis/store_redis.h"

/* Life: table_place_*() .. table_place_close(), also after a failure. */
struct table_place {
	const char *name; /* for people, without secrets; borrowed from the options */
	bool is_redis;
	struct store *store; /* NULL: not open */
	int hold;	     /* keeps servers from a directory that is read; -1: none */
	struct admin_fill fill;
	bool fills; /* a directory: table_place_close() puts the data in place */
};

/* As the command line names it; the address is copied. */
void table_place_init(struct table_place *p, const struct options_place *at);

/*
 * Open data in Redis; what is waited for is told on stderr.
 *
 * @owner  check value of the key; empty: not checked.
 *
 * Errors as those of store_open_redis(), and ERR_INVALID for files of the address.
 */
NODISCARD enum err table_place_open_redis(struct table_place *p, const struct redis_address *address,
					  enum store_redis_use use, struct slice owner,
					  struct command_loop *loop, struct errmsg *why);

/*
 * Open a directory with data, to copy them: none serves them meanwhile. They are checked first, by
 * admin_check(); ranges lost in an earlier repair are told on stderr.
 *
 * ERR_BUSY      a server has them open.
 * ERR_CORRUPT   they are damaged.
 * ERR_NOT_FOUND, ERR_CONFLICT, ERR_IO, ERR_NOMEM  as *why says.
 */
NODISCARD enum err table_place_open_directory(struct table_place *p, const char *directory, struct slice owner,
					      struct command_loop *loop, struct errmsg *why);

/*
 * Begin data with this key in a directory without any (admin_fill_begin()). Errors as of that.
 *
 * @from  a directory whose other files that belong to data are copied, too; NULL: none.
 */
NODISCARD enum err table_place_fill_directory(struct table_place *p, const char *directory, const char *from,
					      const unsigned char key[SEED_BYTES], struct command_loop *loop,
					      struct errmsg *why);

/* The process is to end: a Redis that does not answer is waited for a second more, and not longer. */
void table_place_hurry(struct table_place *p);

/*
 * Close it. A directory that was filled gets its data, if `result` is OK. Returns the result, or why that
 * could not be done.
 */
NODISCARD enum err table_place_close(struct table_place *p, enum err result, struct errmsg *why);

#endif
