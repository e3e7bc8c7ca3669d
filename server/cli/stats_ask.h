/*
 * stats_ask.h - server.stats of a server that runs, asked over its unix socket.
 *
 * Blocking, for the command line; nothing of the serving process is here.
 */
#ifndef SERVER_CLI_STATS_ASK_H
#define SERVER_CLI_STATS_ASK_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "server/net/address.h"

/*
 * Append the result, as one line of JSON without newline: {now, started_at, counters}.
 *
 * ERR_CLOSED   nothing listens there, or it closed, or gave no answer in 10 seconds.
 * ERR_INVALID  the server refuses: only its own user and root may ask.
 * ERR_PROTO    what came is no answer.  ERR_NOMEM. *why says what happened and what to do.
 */
NODISCARD enum err stats_ask(const struct address *at, struct buf *json, struct errmsg *why);

#endif
