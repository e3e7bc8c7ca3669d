/*
 * main_serve.h - `ayed --data DIR --listen ADDR...`: the whole life of a serving process.
 */
#ifndef SERVER_CLI_MAIN_SERVE_H
#define SERVER_CLI_MAIN_SERVE_H

#include "proto/base/err.h"
#include "server/cli/options.h"

/*
 * Serve until a signal, or the idle exit.
 *
 * OK          ended normally.
 * ERR_CLOSED  ended at once: by a second signal, or because the store does not know what is on
 *             disk. End the process; nothing was freed.
 *
 * Others: could not start; *why has the reason, the place and the remedy.
 */
NODISCARD enum err serve(const struct options *o, struct errmsg *why);

#endif
