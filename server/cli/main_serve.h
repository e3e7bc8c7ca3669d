/*
 * main_serve.h - `ayed --data DIR --listen ADDR...`: from options to the last byte.
 */
#ifndef SERVER_CLI_MAIN_SERVE_H
#define SERVER_CLI_MAIN_SERVE_H

#include "proto/base/err.h"
#include "server/cli/options.h"

/*
 * Serve until a signal, or the idle exit.
 *
 * OK           ended as asked.
 * ERR_CLOSED   ended at once: a second signal, or a store that no longer knows what is on disk; end the process, nothing was given back.
 * Others       could not start; *why names the reason, the place and the remedy.
 */
NODISCARD enum err serve(const struct options *o, struct errmsg *why);

#endif
