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
 * How a command may end. The code is the first word of an error of Redis; rows without one are
 * the link's own. Of a script that declares itself by #!lua, Redis checks what rows with AGAIN,
 * MASTER and FULL are about before the script begins.
 */
/*        symbol        code           then */
#define REDIS_ENDS(X)                                                                              \
	X(OK,           "",            USE)     /* a reply that is no error */                     \
	X(UNSENT,       "",            AGAIN)   /* its time was over before all of it was sent */  \
	X(LATE,         "",            UNKNOWN) /* its time was over before the reply came */      \
	X(LOST,         "",            UNKNOWN) /* the connection ended before the reply came */   \
	X(MOVED,        "MOVED",       MASTER)                                                     \
	X(ASK,          "ASK",         AGAIN)   /* waited for, never followed */                   \
	X(TRYAGAIN,     "TRYAGAIN",    AGAIN)                                                      \
	X(CLUSTERDOWN,  "CLUSTERDOWN", AGAIN)                                                      \
	X(READONLY,     "READONLY",    MASTER)                                                     \
	X(MASTERDOWN,   "MASTERDOWN",  MASTER)  /* a replica that has lost its master */           \
	X(LOADING,      "LOADING",     AGAIN)                                                      \
	X(NOREPLICAS,   "NOREPLICAS",  AGAIN)   /* fewer than min-replicas-to-write */             \
	X(OOM,          "OOM",         FULL)                                                       \
	X(BUSY,         "BUSY",        AGAIN)   /* somebody's script runs for seconds */           \
	X(MISCONF,      "MISCONF",     AGAIN)   /* Redis cannot write its files, and says no */    \
	X(NOSCRIPT,     "NOSCRIPT",    AGAIN)   /* although it was loaded just before */           \
	X(UNBLOCKED,    "UNBLOCKED",   UNKNOWN) /* WAIT at a master that was demoted meanwhile */  \
	X(NOAUTH,       "NOAUTH",      PERSON)                                                     \
	X(WRONGPASS,    "WRONGPASS",   PERSON)                                                     \
	X(NOPERM,       "NOPERM",      PERSON)                                                     \
	X(NOPROTO,      "NOPROTO",     PERSON)                                                     \
	X(REFUSED,      "",            UNKNOWN) /* any other error: a bug, or data not ours */

enum redis_end {
#define REDIS_END_ENUM(symbol, code, then) REDIS_END_##symbol,
	REDIS_ENDS(REDIS_END_ENUM)
#undef REDIS_END_ENUM
	REDIS_END_COUNT
};

struct redis_end_row {
	const char *name; /* as in the table, for logs and metrics */
	struct slice code;
	enum redis_then then;
};
extern const struct redis_end_row redis_ends[REDIS_END_COUNT];

/* Return how a command with this reply ends: by the first word of an error. */
enum redis_end redis_end_of(const struct redis_reply *reply);

#endif
