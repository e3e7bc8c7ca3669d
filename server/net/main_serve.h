/*
 * main_serve.h - `ayed --data DIR --listen ADDR...`: from options to the last byte.
 */
#ifndef SERVER_NET_MAIN_SERVE_H
#define SERVER_NET_MAIN_SERVE_H

#include "proto/err.h"
#include "server/net/options.h"

/*
 * Serve until told to end.
 *
 * OK           ended as asked.
 * ERR_CLOSED   ended at once: a second signal, or a store that no longer knows what is on disk; end the process, nothing was given back.
 * Others       could not begin; *why says what, where and what to do.
 */
NODISCARD enum err serve(const struct options *o, struct errmsg *why);

#endif
