/*
 * data_dir.h - the directory that holds everything the server must not lose.
 *
 * DIR/data.mdb and DIR/lock.mdb are the store's; DIR/server.key, beside them,
 * keys every hash in the table: without it no host_key or user_key is valid any
 * more.
 */
#ifndef SERVER_NET_DATA_DIR_H
#define SERVER_NET_DATA_DIR_H

#include "proto/err.h"
#include "proto/random.h"

/*
 * Make the directory (and those above it) where it is missing, private to this
 * user; one that exists must be private already.
 *
 * ERR_IO, ERR_INVALID  *why says what is wrong with it and what to do.
 */
NODISCARD enum err data_dir_open(const char *path, struct errmsg *why);

/* The same without making anything, nor requiring that it is writable: for commands that only read. */
NODISCARD enum err data_dir_check(const char *path, struct errmsg *why);

/*
 * Read the server key, or make one where there are no data yet. Of several
 * servers that start at once, all get the same key.
 *
 * ERR_NOT_FOUND  data without their key.  ERR_CORRUPT  the file is no key.  ERR_INVALID  others may read it.  ERR_IO.
 */
NODISCARD enum err data_dir_key(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why);

#endif
