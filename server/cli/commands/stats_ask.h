/*
 * stats_ask.h - request server.stats of a running server over its unix socket.
 *
 * Blocking, for the command line; not part of the serving process.
 */
#ifndef SERVER_CLI_STATS_ASK_H
#define SERVER_CLI_STATS_ASK_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "server/net/streams/address.h"

/*
 * Append the result as one line of JSON without newline: {now, started_at, counters}.
 *
 * ERR_CLOSED   no server listens there, or it closed, or gave no answer within 10 seconds.
 * ERR_INVALID  the server refuses: only its own user and root may ask.
 * ERR_PROTO    the data received are not an answer.
 * ERR_NOMEM    memory is out.
 *
 * *why says what happened and what to do.
 */
NODISCARD enum err stats_ask(const struct address *at, struct buf *json, struct errmsg *why);

#endif
