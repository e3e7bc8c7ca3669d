/*
 * data_dir.h - the directory with everything that the server must not lose.
 *
 * DIR/data.mdb and DIR/lock.mdb are the store's. DIR/server.key is the key of every keyed hash in
 * the table: without it no host_key or user_key is valid any more. DIR/tls.pem has a certificate
 * that the server created itself, with its key; it exists once the server has listened with TLS
 * without being given another certificate.
 */
#ifndef SERVER_CLI_DATA_DIR_H
#define SERVER_CLI_DATA_DIR_H

#include <stdbool.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"

/* Names, NULL-terminated, of the files that belong to data.mdb and are part of a backup; the key is the first. */
extern const char *const data_dir_files[];

/*
 * Create the directory (and its parents) if missing, private to this user; an existing one must
 * be private already.
 *
 * ERR_IO, ERR_INVALID  *why says what is wrong and what to do.
 */
NODISCARD enum err data_dir_open(const char *path, struct errmsg *why);

/* The same without creating anything or requiring write permission: for commands that only read. */
NODISCARD enum err data_dir_check(const char *path, struct errmsg *why);

/*
 * Read the server key, or create one if there are no data yet. If several servers start at once,
 * all get the same key.
 *
 * ERR_NOT_FOUND  data without their key.
 * ERR_CORRUPT    the file is not a key.
 * ERR_INVALID    others may read it.
 * ERR_IO         it cannot be read or written.
 */
NODISCARD enum err data_dir_key(const char *path, unsigned char key[SEED_BYTES], struct errmsg *why);

/*
 * Set *out to the check value (key_file.h) of the key of a directory with data, without creating
 * anything.
 *
 * ERR_NOT_FOUND  no data, or data without their key. Others as data_dir_key().
 */
NODISCARD enum err data_dir_read_owner(const char *path, struct key_text *out, struct errmsg *why);

#define DATA_DIR_BOOT_BYTES 64

/*
 * Write the id of this boot of the machine, in letters and digits: AYED_BOOT_ID, for a service
 * that cannot read it in /proc, or the kernel's. Empty if neither is available.
 */
void data_dir_boot(char out[DATA_DIR_BOOT_BYTES]);

#define DATA_DIR_FILE_BYTES_MAX 262144

/*
 * Append the certificate that the server created itself, and its key, as PEM; they are created if
 * they do not exist. This is a secret: the caller must wipe it.
 *
 * ERR_NOMEM  memory is out.
 * ERR_IO, ERR_INVALID  as for the key.
 */
NODISCARD enum err data_dir_certificate(const char *path, struct buf *pem, struct errmsg *why);

/*
 * Append the content of a small file at any path.
 *
 * @is_secret  refuse a file that everyone may read.
 *
 * ERR_NOT_FOUND  it does not exist.
 * ERR_INVALID    it is not such a file.
 * ERR_IO, ERR_NOMEM  it cannot be read.
 */
NODISCARD enum err data_dir_read_file(const char *path, bool is_secret, struct buf *out, struct errmsg *why);

#endif
