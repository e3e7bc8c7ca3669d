/*
 * backup_cmd.h - `ayed backup` and `ayed restore`: store/admin/admin.h with a terminal and
 * signals.
 *
 * Each prints the result on stdout, and progress on stderr if that is a terminal. On failure it
 * returns ERR_* with *why. SIGINT and SIGTERM end it, leaving nothing behind.
 */
#ifndef SERVER_CLI_BACKUP_CMD_H
#define SERVER_CLI_BACKUP_CMD_H

#include "server/cli/options.h"

/*
 * With --every, it returns OK when a signal has ended it, and reports failures of single backups
 * on stderr.
 */
NODISCARD enum err backup_cmd_backup(const struct options *o, struct errmsg *why);
NODISCARD enum err backup_cmd_restore(const struct options *o, struct errmsg *why);

#endif
