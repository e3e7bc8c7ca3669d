/*
 * key_file.h - the file of a server's key, and how files are made that must not be lost.
 *
 * The server key is the key of every keyed hash in the table. Servers that share their data share
 * it: each has a copy of the file. Its check value tells two keys apart without disclosing them.
 */
#ifndef SERVER_CLI_KEY_FILE_H
#define SERVER_CLI_KEY_FILE_H

#include <stdbool.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"

struct options;

/*
 * Read a server key.
 *
 * ERR_NOT_FOUND  there is no such file; *why is not set.
 * ERR_CORRUPT    the file is not a key.
 * ERR_INVALID    others may read it.
 * ERR_IO         it cannot be read.
 */
NODISCARD enum err key_file_read(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why);

/*
 * Create a file that only its owner may read, whole and on disk before it has its name. A file of
 * that name is kept as it is: of several processes that create it at once all but one find it.
 * The path has at most KEY_FILE_PATH_MAX bytes.
 *
 * @is_new  whether this call created it.
 *
 * ERR_IO   it cannot be written, as *why says.
 */
NODISCARD enum err key_file_put(const char *path, struct slice bytes, bool *is_new, struct errmsg *why);
#define KEY_FILE_PATH_MAX 4080

/* Return the check value of a key, which tells who owns data (store_lmdb_options.owner). */
struct key_text key_file_check(const unsigned char key[SEED_BYTES]);

/* The command `ayed key new|show FILE`. */
enum err key_file_cmd(const struct options *o, struct errmsg *why);

#endif
