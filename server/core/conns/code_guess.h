/*
 * code_guess.h - how many wrong codes a peer may try, of rooms and of invitations together.
 */
#ifndef SERVER_CORE_CONNS_CODE_GUESS_H
#define SERVER_CORE_CONNS_CODE_GUESS_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/fault.h"

struct conn;
struct server;

/* Ms until the connection may guess again; 0: now. */
int64_t guess_wait_ms(const struct server *s, const struct conn *c);
/* False, with *fault RATE_LIMITED, where it may not now. */
bool guess_may(struct server *s, const struct conn *c, struct fault *fault);
/* A guess was wrong, of a connection that had one left. */
void guess_count(struct server *s, const struct conn *c);

#endif
