/*
 * redis_codec.h - RESP2: commands to bytes, and, by hiredis, bytes to replies.
 *
 * The only place that knows hiredis. What a peer claims is bounded before it is believed: an array
 * takes no memory for elements that have not come, and a reply that is too long, too large or too
 * deep is refused while it comes.
 *
 * Life: a zeroed struct .. redis_codec_finish().
 */
#ifndef STORE_REDIS_REDIS_CODEC_H
#define STORE_REDIS_REDIS_CODEC_H

#include <stddef.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "store/redis/link/redis_reply.h"

struct redis_codec {
	struct redisReader *reader; /* NULL: none yet */
	struct arena arena;	    /* of the reply */
	size_t bytes;		    /* of the reply that is coming, and behind it, received so far */
	size_t nodes;		    /* of that reply, including those that are announced */
	enum err error;		    /* why hiredis was stopped */
};

/* Forget what was received, for a new connection. ERR_NOMEM. */
NODISCARD enum err redis_codec_begin(struct redis_codec *c);
void redis_codec_finish(struct redis_codec *c);

/*
 * Return the next reply, which is valid until the next call. Takes from *in what it needs.
 *
 * ERR_MORE       all was taken, and the reply is not complete.
 * ERR_PROTO      not RESP2.
 * ERR_TOO_LARGE  beyond the limits of redis_link.h.
 * ERR_NOMEM
 * After these three, begin again.
 */
NODISCARD enum err redis_codec_next(struct redis_codec *c, struct slice *in, const struct redis_reply **out);

/*
 * Encode a command: the words of `first`, then those of `args`. *out belongs to the caller, until
 * redis_codec_free(), which wipes it: a command may contain a password. ERR_NOMEM.
 */
NODISCARD enum err redis_codec_command(const struct slice *first, size_t first_n, const struct slice *args, size_t n,
				       char **out, size_t *len);
void redis_codec_free(char *command, size_t len);

#endif
