/*
 * redis_address.h - the address of a Redis server, as --store is given it.
 *
 *   redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?SETTING=VALUE[&...]]
 *   rediss://...                           the same with TLS
 *   redis+unix://[[USER]:PASSWORD@]/PATH[?SETTING=VALUE[&...]]
 *   redis+sentinel://[[USER]:PASSWORD@]NAME@HOST[:PORT][,HOST[:PORT]...][/DATABASE][?SETTING=VALUE[&...]]
 *   redis+cluster://[[USER]:PASSWORD@]HOST[:PORT][,HOST[:PORT]...][?SETTING=VALUE[&...]]
 *   rediss+sentinel://, rediss+cluster://  the same with TLS to all of them, Sentinels as well
 *
 * NAME is that of the master, as the Sentinels at the hosts know it; user and password are the master's.
 * HOST may be an [IPV6]. User, password, path and values of settings may have %XX in them.
 *
 *   setting        value
 *   replicas       0 to 16: so many must have a commit before it is acknowledged
 *   volatile       1: a Redis that loses everything when it restarts is accepted
 *   password_file  a file that has the password in its only line
 *   db             of redis+unix://, the database
 *   ca             with TLS, a PEM file: the authorities that vouch for the servers
 *   cert, key      with TLS, PEM files: our certificate, if the server asks for one
 *   sentinel_user, sentinel_password_file
 *                  of redis+sentinel://, what the Sentinels themselves ask for
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

/* size of sun_path in struct sockaddr_un, without the terminator */
#define REDIS_PATH_BYTES_MAX	 107
#define REDIS_FILE_BYTES_MAX	 1023
#define REDIS_HOST_BYTES_MAX	 253
#define REDIS_USER_BYTES_MAX	 128
#define REDIS_PASSWORD_BYTES_MAX 512
#define REDIS_DATABASE_MAX	 65535
#define REDIS_REPLICAS_MAX	 16
#define REDIS_NAME_BYTES_MAX	 64
#define REDIS_PLACES_MAX	 9
#define REDIS_DEFAULT_PORT	 "6379"
#define REDIS_SENTINEL_PORT	 "26379"

/* replicas= was not given. */
#define REDIS_REPLICAS_UNSET (-1)

/* with the terminator: scheme, host in brackets, port or path, database */
#define REDIS_ADDRESS_TEXT_BYTES (REDIS_HOST_BYTES_MAX + 40)

struct redis_place {
	char host[REDIS_HOST_BYTES_MAX + 1]; /* without brackets */
	char port[6];			     /* decimal, 1 to 65535 */
};

bool redis_place_is(const struct redis_place *a, const struct redis_place *b);

struct redis_address {
	bool is_unix;
	bool is_tls;
	bool has_sentinels;		     /* `at` is not known before they were asked */
	bool is_cluster;		     /* the same */
	char path[REDIS_PATH_BYTES_MAX + 1]; /* unix: absolute */
	struct redis_place at;
	struct redis_place seeds[REDIS_PLACES_MAX]; /* the Sentinels, or some servers of the cluster */
	size_t seeds_n;
	char name[REDIS_NAME_BYTES_MAX + 1]; /* of the master, as Sentinel knows it */
	char user[REDIS_USER_BYTES_MAX + 1]; /* "": Redis' default user */
	char password[REDIS_PASSWORD_BYTES_MAX + 1]; /* "": none */
	int32_t database;

	/* settings */
	int32_t replicas; /* that must have a commit before it is acknowledged, or REDIS_REPLICAS_UNSET */
	bool is_volatile; /* the user accepts that a restart of Redis loses everything */
	char password_file[REDIS_FILE_BYTES_MAX + 1]; /* "": none */
	/* tls: PEM files. authorities "": those of the system; certificate and key: both or neither */
	char authorities[REDIS_FILE_BYTES_MAX + 1];
	char certificate[REDIS_FILE_BYTES_MAX + 1];
	char key[REDIS_FILE_BYTES_MAX + 1];
	char sentinel_user[REDIS_USER_BYTES_MAX + 1]; /* "": the default user of the Sentinels */
	char sentinel_password_file[REDIS_FILE_BYTES_MAX + 1]; /* "": none */

	char sentinel_password[REDIS_PASSWORD_BYTES_MAX + 1]; /* as the caller has read it; "": none */

	/* for logs and messages: scheme, place and database; never the user, the password or files */
	char text[REDIS_ADDRESS_TEXT_BYTES];
};

/* Return whether the text begins with a scheme of Redis, supported or not. */
bool redis_address_is_one(const char *text);

/*
 * Parse an address.
 *
 * ERR_INVALID  *why says what is wrong and what to write. It repeats nothing of the text: a sign that
 *              is not written as %XX can make any part of it a part of the password. *out is unchanged.
 */
NODISCARD enum err redis_address_parse(const char *text, struct redis_address *out, struct errmsg *why);

/* Set *out to the address of that server, reached as `a` says. */
void redis_address_of_server(const struct redis_address *a, const struct redis_place *at, struct redis_address *out);
/* Set *out to the address of a Sentinel: with what Sentinels ask for. */
void redis_address_of_sentinel(const struct redis_address *a, size_t i, struct redis_address *out);

/*
 * Set the password from the content of a file or a variable: one line, whose end is not part of
 * it. ERR_INVALID, *why: empty, more than a line, or too long.
 */
NODISCARD enum err redis_address_set_password(struct redis_address *a, struct slice content, struct errmsg *why);
/* The same, of the Sentinels. */
NODISCARD enum err redis_address_set_sentinel_password(struct redis_address *a, struct slice content,
						       struct errmsg *why);

/* Wipe the secrets. */
void redis_address_finish(struct redis_address *a);

#endif
