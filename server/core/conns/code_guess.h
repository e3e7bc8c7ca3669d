/*
 * code_guess.h - the limit on wrong codes that a peer may try, of rooms and invitations together.
 */
#ifndef SERVER_CORE_CONNS_CODE_GUESS_H
#define SERVER_CORE_CONNS_CODE_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/fault.h"

struct conn;
struct server;

/* Return the ms until the connection may guess again; 0: now. */
int64_t guess_wait_ms(const struct server *s, const struct conn *c);
/* Return whether the connection may guess now; if not, false with *fault RATE_LIMITED. */
bool guess_may(struct server *s, const struct conn *c, struct fault *fault);
/* Count a wrong guess of a connection that had one left. */
void guess_count(struct server *s, const struct conn *c);

#endif
