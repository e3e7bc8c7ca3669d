/*
 * admin_cmd.h - the commands on the data: store/admin/admin.h with stdin and stdout.
 *
 * Each prints what it found or did; ERR_* with *why where it failed, which for
 * check includes that there are problems. Their rows are in commands.h.
 */
#ifndef SERVER_CLI_ADMIN_CMD_H
#define SERVER_CLI_ADMIN_CMD_H

#include "server/cli/options.h"

NODISCARD enum err admin_cmd_check(const struct options *o, struct errmsg *why);
NODISCARD enum err admin_cmd_dump(const struct options *o, struct errmsg *why);
NODISCARD enum err admin_cmd_load(const struct options *o, struct errmsg *why);
/* Of the certificate that the server makes itself; it is made where there is none yet. */
NODISCARD enum err admin_cmd_fingerprint(const struct options *o, struct errmsg *why);

#endif
