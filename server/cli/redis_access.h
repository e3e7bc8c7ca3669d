/*
 * redis_access.h - what an address of Redis leads to and does not contain: a password from a file or
 * from the environment, and certificates.
 */
#ifndef SERVER_CLI_REDIS_ACCESS_H
#define SERVER_CLI_REDIS_ACCESS_H

#include "proto/tls/tls.h"
#include "store/redis/link/redis_address.h"

/*
 * Where others on the machine do not see it, unlike the arguments of a process. Used if the address
 * has neither a password nor a file of one.
 */
#define REDIS_PASSWORD_VARIABLE "AYED_REDIS_PASSWORD"

/*
 * Set a->password from its file or the environment, and create the TLS context if the address has
 * TLS. The variable is removed from the environment in any case: no child inherits it.
 *
 * @tls  NULL without TLS; else the caller's to free.
 *
 * ERR_NOT_FOUND, ERR_INVALID, ERR_IO, ERR_NOMEM  *why says which file, for people.
 */
NODISCARD enum err redis_access_complete(struct redis_address *a, struct tls_context **tls, struct errmsg *why);

#endif
