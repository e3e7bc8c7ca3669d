/*
 * admin_cmd.h - the commands on the data: store/admin/admin.h with stdin and stdout.
 *
 * Each prints what it found or did. On failure it returns ERR_* with *why; for check that
 * includes problems in the data. Their rows are in commands.h.
 */
#ifndef SERVER_CLI_ADMIN_CMD_H
#define SERVER_CLI_ADMIN_CMD_H

#include "server/cli/options.h"

NODISCARD enum err admin_cmd_check(const struct options *o, struct errmsg *why);
NODISCARD enum err admin_cmd_dump(const struct options *o, struct errmsg *why);
NODISCARD enum err admin_cmd_load(const struct options *o, struct errmsg *why);
/* For the certificate that the server creates itself; it is created if there is none yet. */
NODISCARD enum err admin_cmd_fingerprint(const struct options *o, struct errmsg *why);

#endif
