/*
 * stats_cmd.h - `ayed stats [ADDR]`: what a server that runs has counted.
 */
#ifndef SERVER_CLI_STATS_CMD_H
#define SERVER_CLI_STATS_CMD_H

#include "proto/base/err.h"
#include "server/cli/options.h"
#include "server/net/address.h"

/*
 * Which socket is asked: unix:/path, or the path alone; NULL: that of the unit, where
 * aye(1) looks as well. ERR_INVALID  it is none.
 */
NODISCARD enum err stats_address(const char *word, struct address *out, struct errmsg *why);

/*
 * A command_run. Writes the answer to stdout, or, where o->output is given, replaces
 * that file in one step, readable by all as a collector wants it; where anything fails
 * it stays as it was.
 *
 * Errors of stats_ask() and stats_write(); ERR_IO it cannot be written.
 */
NODISCARD enum err stats_cmd(const struct options *o, struct errmsg *why);

#endif
