/*
 * admin_cmd.h - `ayed check|dump|load|fingerprint DIR`: store/admin/admin.h with stdin and stdout.
 *
 * Each prints what it found or did; ERR_* with *why where it failed, which for
 * check includes that there are problems.
 */
#ifndef SERVER_NET_ADMIN_CMD_H
#define SERVER_NET_ADMIN_CMD_H

#include <stdbool.h>

#include "proto/err.h"

NODISCARD enum err admin_cmd_check(const char *directory, struct errmsg *why);
/* @with_hidden  also the votes of rounds that were not revealed. */
NODISCARD enum err admin_cmd_dump(const char *directory, bool with_hidden, struct errmsg *why);
NODISCARD enum err admin_cmd_load(const char *directory, struct errmsg *why);
/* Of the certificate that the server makes itself; it is made where there is none yet. */
NODISCARD enum err admin_cmd_fingerprint(const char *directory, struct errmsg *why);

#endif
