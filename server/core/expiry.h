/*
 * expiry.h - the sweeper: what has expired is found and removed.
 */
#ifndef SERVER_CORE_EXPIRY_H
#define SERVER_CORE_EXPIRY_H

#include <stdint.h>

struct event;
struct server;

void expiry_tick(struct server *s);
/* At the end of a turn: go on, if there is more and little else to do. */
void expiry_turn(struct server *s);
int64_t expiry_deadline(const struct server *s);
/* A room's time is over: for the log, which has one line a second for all of them. */
void expiry_count(struct server *s);
void expiry_due(struct server *s, const struct event *e);

#endif
