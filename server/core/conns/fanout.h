/*
 * fanout.h - decides which connection is written to next, and with what.
 */
#ifndef SERVER_CORE_CONNS_FANOUT_H
#define SERVER_CORE_CONNS_FANOUT_H

struct conn;
struct partition;
struct server;

void fanout_ready(struct server *s, struct conn *c);
void fanout_forget(struct server *s, struct conn *c);
void fanout_mark(struct server *s, struct partition *p);
void fanout_unmark(struct server *s, struct partition *p); /* must be marked */

#endif
