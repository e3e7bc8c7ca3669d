/*
 * redis_greeting.h - what a link says first on each connection, and what it learns from that.
 * Private to the link.
 */
#ifndef STORE_REDIS_REDIS_GREETING_H
#define STORE_REDIS_REDIS_GREETING_H

#include "store/redis/link/redis_call.h"
#include "store/redis/link/redis_link.h"

/*
 * Append the calls of the greeting: HELLO, SELECT, INFO, SCRIPT LOAD of each script, PING, SSUBSCRIBE,
 * as far as the link needs them. ERR_NOMEM: some may be there.
 */
NODISCARD enum err redis_greeting_append(const struct redis_link_config *c, struct redis_call **calls);

/* What the replies of a greeting say, filled in as they come. */
struct redis_greeted {
	struct redis_server server;
	char shas[REDIS_SCRIPTS_MAX][REDIS_SHA_CHARS];
};

/* Read the reply, which is no error, of a call of the greeting. Returns false if it has not the shape of one. */
bool redis_greeting_read(const struct redis_call *call, const struct redis_reply *reply, struct redis_greeted *out);

/*
 * Say in *why, for people, that the server at the address has answered with this error: as the
 * table has it, and as Redis does. Never a password, even if the error repeats it.
 */
void redis_error_say(const struct redis_address *a, const struct redis_reply *error, struct errmsg *why);

#endif
