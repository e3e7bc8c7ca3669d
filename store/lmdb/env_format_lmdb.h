/*
 * env_format_lmdb.h - the description of the data in data.mdb: format, owner, databases.
 */
#ifndef STORE_LMDB_ENV_FORMAT_LMDB_H
#define STORE_LMDB_ENV_FORMAT_LMDB_H

#include "store/lmdb/env_lmdb.h"

/* The format of the data; raised when older programs cannot read or write them any more. */
#define ENV_FORMAT 3

/*
 * Check format and owner, or write them if the data are new, read the lost ranges, and open the
 * databases, in one transaction. Errors as of env_open(). *why is set on error.
 */
NODISCARD enum err env_format_open(struct env *env, const struct env_options *o, struct errmsg *why);

/* Return whether this program can write data with this format stamp. */
bool env_format_is_known(struct slice stamp);

/* Return the name in data.mdb of a database of kv.h; static. */
const char *env_db_name(unsigned db);

#endif
