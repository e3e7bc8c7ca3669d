/*
 * server.h - the servers under test, each started fresh for a run.
 *
 * A server gets a directory of its own below the bench's, a port on loopback,
 * the server's core, and a process group of its own. It is ended by its id, and
 * by the kernel where the bench itself is ended at once.
 *
 * ayed runs as it is released: default settings, durable, on the disk that the
 * directory is on. Only the limit on requests of one connection is raised, as
 * one connection votes here faster than any member does.
 * The peers run as Debian ships them, without persistence, where they carry
 * messages; a limit that would cut off slow readers is lifted. Only redis-vote
 * is durable: it syncs before it answers (appendfsync always). aye-redis is an ayed without
 * a place for its table: that is in `extra`, as --store and --key-file.
 */
#ifndef TESTS_BENCH_SERVER_H
#define TESTS_BENCH_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tests/bench/dialect.h"

/* One row a kind of server. To add one, write a row here and its words in server_words(). */
/*        SYMBOL     name         program            dialect    is_tls */
#define SERVERS(X)                                                                                 \
	X(AYE,       "aye",       "ayed",            aye,       false)                             \
	X(AYE_TLS,   "aye-tls",   "ayed",            aye,       true)                              \
	X(AYE_WEB,   "aye-web",   "ayed",            web,       false)                             \
	X(AYE_REDIS, "aye-redis", "ayed",            aye,       false)                             \
	X(DIRECT,    "direct",    "reference",       reference, false)                             \
	X(LOG,       "log",       "reference",       reference, false)                             \
	X(REDIS,     "redis",     "redis-server",    redis,     false)                             \
	X(REDIS_TLS, "redis-tls", "redis-server",    redis,     true)                              \
	X(REDIS_VOTE, "redis-vote", "redis-server",  redis_vote, false)                            \
	X(NATS,      "nats",      "nats-server",     nats,      false)                             \
	X(MOSQUITTO, "mosquitto", "mosquitto",       mqtt,      false)

enum server_kind {
#define SERVER_ENUM(symbol, name, program, dialect, is_tls) SERVER_##symbol,
	SERVERS(SERVER_ENUM)
#undef SERVER_ENUM
	SERVER_COUNT
};

struct server_row {
	const char *name;
	const char *program;
	const struct dialect *dialect;
	bool is_tls; /* spoken to with TLS, by a certificate that is made for the run where it makes none itself */
};

extern const struct server_row server_rows[SERVER_COUNT];

#define SERVER_PATH_BYTES 192
#define SERVER_WHY_BYTES  256

struct server {
	pid_t pid;
	int port;
	char dir[SERVER_PATH_BYTES]; /* holds all it writes, its log among it */
};

/* Whether the program is installed (or built). */
bool server_is_there(enum server_kind kind);

/*
 * Start one below `parent` and wait until it accepts connections.
 *
 * @extra  more words of the command line, NULL at the end; or NULL
 * @why    SERVER_WHY_BYTES, where it returns false
 */
bool server_start(enum server_kind kind, const char *parent, const char *const *extra, struct server *out,
		  char *why);
/* End it, and remove its directory. Nothing to do for a zeroed struct. */
void server_stop(struct server *s);

/* The same in two steps, for who starts another on the same data. */
void server_end(struct server *s);
void server_remove(struct server *s);

/* The last line of its log, to tell why a run failed; empty where it has none. */
void server_last_words(const struct server *s, char *out, size_t cap);

/* Remove a directory with all in it. */
void server_remove_all(const char *dir);

#endif
