/*
 * copy_cmd.h - `ayed copy FROM TO`: all data from a directory or Redis to another.
 */
#ifndef SERVER_CLI_COPY_CMD_H
#define SERVER_CLI_COPY_CMD_H

#include "server/cli/options.h"

/*
 * Copy, check the copy, and print what it has. A directory has the whole copy, or nothing of it. A Redis
 * that has a part of one says so, and is refused by servers until the command has run again.
 */
enum err copy_cmd(const struct options *o, struct errmsg *why);

#endif
