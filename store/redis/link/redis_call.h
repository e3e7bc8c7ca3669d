/*
 * redis_call.h - one command of a link, from the call to its reply. Private to the link.
 *
 * What the link sends for itself goes the same way as the commands of others.
 *
 * Life: redis_call_create() .. redis_call_destroy(); in between in one of the link's lists.
 */
#ifndef STORE_REDIS_REDIS_CALL_H
#define STORE_REDIS_REDIS_CALL_H

#include "store/redis/link/redis_link.h"

#define REDIS_SHA_CHARS 40
#define REDIS_NEVER	INT64_MAX

enum redis_call_kind {
	CALL_COMMAND, /* of others: the only one with a callback */
	/* the greeting */
	CALL_HELLO,
	CALL_SELECT,
	CALL_SCRIPT, /* SCRIPT LOAD */
	CALL_INFO,   /* INFO replication */
	CALL_PING,   /* what Redis refuses while it loads */
	CALL_SUBSCRIBE,
	/* later */
	CALL_AGAIN, /* SCRIPT LOAD, after NOSCRIPT */
	CALL_ALIVE  /* PING, of an idle connection */
};

struct redis_call {
	struct redis_call *prev, *next; /* utlist */
	enum redis_call_kind kind;
	bool is_over;	 /* its callback has run */
	bool was_loaded; /* its script, for its sake, on this connection */
	int script;	 /* to run, or to load */
	int64_t deadline_ms;
	redis_end_cb *cb;
	void *arg;
	char *bytes; /* redis_codec_free() */
	size_t len;
};

/* The words are those of `first`, then those of `args`. No script, no deadline. ERR_NOMEM. */
NODISCARD enum err redis_call_create(enum redis_call_kind kind, const struct slice *first, size_t first_n,
				     const struct slice *args, size_t n, struct redis_call **out);
void redis_call_destroy(struct redis_call *call);

/* The first words of a call of a script, with room for the hash. */
extern const struct slice redis_call_of_script[2];
/* Write the hash there: it is not known before the first greeting. */
void redis_call_set_script(struct redis_call *call, const char sha[REDIS_SHA_CHARS]);

#endif
