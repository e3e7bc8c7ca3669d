/*
 * redis_reply.h - replies of Redis, and how a command may end.
 *
 * A reply is a tree. It belongs to the link that received it, and is valid until the callback
 * that it is passed to returns. Everything in it came from outside: check kind and length before
 * use.
 */
#ifndef STORE_REDIS_REDIS_REPLY_H
#define STORE_REDIS_REDIS_REPLY_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/slice.h"

enum redis_reply_kind {
	REDIS_NIL,
	REDIS_INTEGER,
	REDIS_STRING, /* any bytes */
	REDIS_STATUS, /* a line, such as OK */
	REDIS_ERROR,  /* a line, such as "LOADING Redis is loading the dataset in memory" */
	REDIS_ARRAY
};

struct redis_reply {
	enum redis_reply_kind kind;
	int64_t integer;   /* REDIS_INTEGER */
	struct slice text; /* REDIS_STRING, REDIS_STATUS, REDIS_ERROR; not NUL-terminated */
	/* REDIS_ARRAY: the number of elements, and the first; the others follow by `next` */
	size_t n;
	const struct redis_reply *first;
	const struct redis_reply *next; /* the next element of the same array, or NULL */
};

/* What follows from the end of a command: whether it has run, and what helps. */
enum redis_then {
	REDIS_THEN_USE,	   /* it has run: use the reply */
	REDIS_THEN_AGAIN,  /* it has not run; the same is worth trying here after a pause */
	REDIS_THEN_MASTER, /* it has not run; this server is not the master of that key (any more) */
	REDIS_THEN_FULL,   /* it has not run: Redis has no memory left; deletes still work */
	REDIS_THEN_PERSON, /* it has not run, and will not before somebody changes settings */
	REDIS_THEN_UNKNOWN /* it may have run, whole or in part, or not */
};

/*
 * How a command may end. The code is the first word of an error of Redis. Rows without one: OK is any
 * reply that is no error, REFUSED any error that has no row (a bug, or data not ours), and the others
 * are the link's own. ASK is waited for and never followed: of several keys, the target would find
 * those absent that have not arrived. NOSCRIPT only if the script was loaded just before. Of a script that declares itself by #!lua, Redis checks what rows with AGAIN,
 * MASTER and FULL are about before the script begins.
 */
/*        symbol        code           then     what it says to people, of the server: "it ..." */
#define REDIS_ENDS(X)                                                                              \
	X(OK,           "",            USE,     "is there")                                        \
	X(UNSENT,       "",            AGAIN,   "was not sent the command in time")                \
	X(LATE,         "",            UNKNOWN, "did not answer in time")                          \
	X(LOST,         "",            UNKNOWN, "ended the connection before it answered")         \
	X(MOVED,        "MOVED",       MASTER,  "does not have that part of the data")             \
	X(ASK,          "ASK",         AGAIN,   "is moving that part of the data")                 \
	X(TRYAGAIN,     "TRYAGAIN",    AGAIN,   "is moving that part of the data")                 \
	X(CLUSTERDOWN,  "CLUSTERDOWN", AGAIN,   "is part of a cluster that is down")               \
	X(READONLY,     "READONLY",    MASTER,  "is a replica, not the master")                    \
	X(MASTERDOWN,   "MASTERDOWN",  MASTER,  "is a replica that has lost its master")           \
	X(LOADING,      "LOADING",     AGAIN,   "is loading its data")                             \
	X(NOREPLICAS,   "NOREPLICAS",  AGAIN,   "has fewer replicas than min-replicas-to-write")   \
	X(BEHIND,       "",            AGAIN,   "has changes that too few replicas have yet")      \
	X(OOM,          "OOM",         FULL,    "has used all of its maxmemory")                   \
	X(BUSY,         "BUSY",        AGAIN,   "has been running a script for seconds")           \
	X(MISCONF,      "MISCONF",     AGAIN,   "cannot write its files")                          \
	X(NOSCRIPT,     "NOSCRIPT",    AGAIN,   "does not store scripts")                          \
	X(UNBLOCKED,    "UNBLOCKED",   UNKNOWN, "became a replica")                                \
	X(NOAUTH,       "NOAUTH",      PERSON,  "requires a password")                             \
	X(WRONGPASS,    "WRONGPASS",   PERSON,  "does not accept the user or the password")        \
	X(NOPERM,       "NOPERM",      PERSON,  "denies the user a command or a key")              \
	X(NOPROTO,      "NOPROTO",     PERSON,  "does not support version 2 of its protocol")      \
	X(REFUSED,      "",            UNKNOWN, "refused the command")

enum redis_end {
#define REDIS_END_ENUM(symbol, code, then, says) REDIS_END_##symbol,
	REDIS_ENDS(REDIS_END_ENUM)
#undef REDIS_END_ENUM
	REDIS_END_COUNT
};

struct redis_end_row {
	const char *name; /* as in the table, for logs and metrics */
	struct slice code;
	enum redis_then then;
	const char *says; /* for people, to follow the name of the server */
};
extern const struct redis_end_row redis_ends[REDIS_END_COUNT];

/* Return how a command with this reply ends: by the first word of an error. */
enum redis_end redis_end_of(const struct redis_reply *reply);

#endif
