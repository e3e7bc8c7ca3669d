/*
 * redis_address.h - the address of a Redis server, as --store is given it.
 *
 *   redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?SETTING=VALUE[&...]]
 *   rediss://...                           the same with TLS
 *   redis+unix://[[USER]:PASSWORD@]/PATH[?SETTING=VALUE[&...]]
 *
 * HOST may be an [IPV6]. User, password, path and values of settings may have %XX in them. A unix
 * socket has its database as the setting `db`.
 *
 * Only the syntax; nothing is resolved, read or opened here. Everybody on the machine sees the
 * arguments of a process, so that a password is better in a file or in the environment: the
 * caller reads those, and sets `password`.
 */
#ifndef STORE_REDIS_REDIS_ADDRESS_H
#define STORE_REDIS_REDIS_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

/* size of sun_path in struct sockaddr_un, without the terminator; files have the same bound */
#define REDIS_PATH_BYTES_MAX	 107
#define REDIS_HOST_BYTES_MAX	 253
#define REDIS_USER_BYTES_MAX	 128
#define REDIS_PASSWORD_BYTES_MAX 512
#define REDIS_DATABASE_MAX	 65535
#define REDIS_REPLICAS_MAX	 16
#define REDIS_DEFAULT_PORT	 "6379"

/* What of replicas= was not said. */
#define REDIS_REPLICAS_UNSAID (-1)

/* with the terminator: scheme, host in brackets, port or path, database */
#define REDIS_ADDRESS_TEXT_BYTES (REDIS_HOST_BYTES_MAX + 40)

struct redis_address {
	bool is_unix;
	bool is_tls;
	char path[REDIS_PATH_BYTES_MAX + 1]; /* unix: absolute */
	char host[REDIS_HOST_BYTES_MAX + 1]; /* without brackets */
	char port[6];			     /* decimal, 1 to 65535 */
	char user[REDIS_USER_BYTES_MAX + 1]; /* "": Redis' default user */
	char password[REDIS_PASSWORD_BYTES_MAX + 1]; /* "": none */
	int32_t database;

	/* settings */
	int32_t replicas; /* that must have a commit before it is acknowledged, or REDIS_REPLICAS_UNSAID */
	bool is_volatile; /* the user accepts that a restart of Redis loses everything */
	char password_file[REDIS_PATH_BYTES_MAX + 1]; /* "": none */
	/* tls: PEM files. authorities "": those of the system; certificate and key: both or neither */
	char authorities[REDIS_PATH_BYTES_MAX + 1];
	char certificate[REDIS_PATH_BYTES_MAX + 1];
	char key[REDIS_PATH_BYTES_MAX + 1];

	/* for logs and messages: scheme, place and database; never the user, the password or files */
	char text[REDIS_ADDRESS_TEXT_BYTES];
};

/* Return whether the text begins with a scheme of Redis, supported or not. */
bool redis_address_is_one(const char *text);

/*
 * Parse an address.
 *
 * ERR_INVALID  *why says what is wrong and what to write; it never repeats what stands before the
 *              last @, nor a value of a setting. *out is unchanged.
 */
NODISCARD enum err redis_address_parse(const char *text, struct redis_address *out, struct errmsg *why);

/*
 * Set the password from the content of a file or a variable: one line, whose end is not part of
 * it. ERR_INVALID, *why: empty, more than a line, or too long.
 */
NODISCARD enum err redis_address_set_password(struct redis_address *a, struct slice content, struct errmsg *why);

/* Wipe the secrets. */
void redis_address_finish(struct redis_address *a);

#endif
