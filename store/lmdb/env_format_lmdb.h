/*
 * env_format_lmdb.h - the description in data.mdb: format, owner, databases.
 */
#ifndef STORE_LMDB_ENV_FORMAT_LMDB_H
#define STORE_LMDB_ENV_FORMAT_LMDB_H

#include "store/lmdb/env_lmdb.h"

/* Of the data as a whole; raised when an older program could no longer read or write them. */
#define ENV_FORMAT 3

/*
 * Check format and owner, or write them where the data are new, read what was
 * lost, and open the databases, in one transaction. Errors as env_open(). *why is set.
 */
NODISCARD enum err env_format_open(struct env *env, const struct env_options *o, struct errmsg *why);

/* Whether a format stamp is one that this program can write. */
bool env_format_is_known(struct slice stamp);

/* The name in data.mdb of a database of kv.h, static. */
const char *env_db_name(unsigned db);

#endif
