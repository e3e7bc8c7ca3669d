/*
 * stats_cmd.h - `ayed stats [ADDR]`: print the counters of a running server.
 */
#ifndef SERVER_CLI_STATS_CMD_H
#define SERVER_CLI_STATS_CMD_H

#include "proto/base/err.h"
#include "server/cli/options.h"
#include "server/net/streams/address.h"

/*
 * Parse the address of a server: unix:/path, or only the path; NULL: the socket of the systemd
 * unit, where aye(1) looks as well. ERR_INVALID: it is not such an address.
 */
NODISCARD enum err stats_address(const char *word, struct address *out, struct errmsg *why);

/*
 * A command_run. Writes the answer to stdout, or, if o->output is given, replaces that file
 * atomically, readable by everyone as collectors need it; on failure the file is unchanged.
 *
 * Errors of stats_ask() and stats_write(); ERR_IO: it cannot be written.
 */
NODISCARD enum err stats_cmd(const struct options *o, struct errmsg *why);

#endif
