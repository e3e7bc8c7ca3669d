/*
 * backup_cmd.h - `ayed backup` and `ayed restore`: store/admin/admin.h with a terminal and signals.
 *
 * Each prints the result on stdout, how far it is on stderr where that is a terminal;
 * ERR_* with *why where it failed. SIGINT and SIGTERM end them, and leave nothing.
 */
#ifndef SERVER_CLI_BACKUP_CMD_H
#define SERVER_CLI_BACKUP_CMD_H

#include "server/cli/options.h"

/* With --every, OK is that a signal ended it, and failures meanwhile are on stderr. */
NODISCARD enum err backup_cmd_backup(const struct options *o, struct errmsg *why);
NODISCARD enum err backup_cmd_restore(const struct options *o, struct errmsg *why);

#endif
