/*
 * expiry.h - the sweeper: finds and removes expired items.
 */
#ifndef SERVER_CORE_EXPIRY_H
#define SERVER_CORE_EXPIRY_H

#include <stdint.h>

struct event;
struct server;

void expiry_tick(struct server *s);
/* At the end of a turn: continue, if there is more to remove and little else to do. */
void expiry_turn(struct server *s);
int64_t expiry_deadline(const struct server *s);
/* Count an expired room for the log, which has at most one line per second about them. */
void expiry_count(struct server *s);
void expiry_due(struct server *s, const struct event *e);

#endif
