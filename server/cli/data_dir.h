/*
 * data_dir.h - the directory that holds everything the server must not lose.
 *
 * DIR/data.mdb and DIR/lock.mdb are the store's; DIR/server.key, beside them,
 * keys every hash in the table: without it no host_key or user_key is valid any
 * more. DIR/tls.pem is a certificate that the server made itself, with its key: there
 * once it has listened with TLS and was given no other.
 */
#ifndef SERVER_CLI_DATA_DIR_H
#define SERVER_CLI_DATA_DIR_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"

/* Names of the files that belong to data.mdb, NULL at the end: what a backup has beside it. */
extern const char *const data_dir_files[];

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

/* Identifies the key to the data that are made with it (env_options.owner), and tells nothing of it. */
struct key_text data_dir_owner(const unsigned char key[SEED_BYTES]);

/*
 * The same of a directory that has data, where nothing is made.
 *
 * ERR_NOT_FOUND  no data, or data without their key.  Others as data_dir_key().
 */
NODISCARD enum err data_dir_read_owner(const char *path, struct key_text *out, struct errmsg *why);

#define DATA_DIR_BOOT_BYTES 64

/*
 * What names this boot of the machine, in letters and digits: AYED_BOOT_ID, for a service that may not
 * see it in /proc, or what the kernel has there. Empty where neither is to be had.
 */
void data_dir_boot(char out[DATA_DIR_BOOT_BYTES]);

#define DATA_DIR_FILE_BYTES_MAX 262144

/*
 * Append the certificate that the server made itself, and its key, as PEM; they are
 * made where there are none. A secret: the caller wipes it.
 *
 * ERR_NOMEM; ERR_IO, ERR_INVALID as of the key.
 */
NODISCARD enum err data_dir_certificate(const char *path, struct buf *pem, struct errmsg *why);

/*
 * Append what a small file has, wherever it is.
 * @is_secret  one that everybody may read is refused.
 *
 * ERR_NOT_FOUND; ERR_INVALID it is no such file; ERR_IO; ERR_NOMEM.
 */
NODISCARD enum err data_dir_read_file(const char *path, bool is_secret, struct buf *out, struct errmsg *why);

#endif
