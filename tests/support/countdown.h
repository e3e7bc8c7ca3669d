/*
 * countdown.h - a room in which a timer of one second reveals, whatever happens to the server and its table meanwhile; and
 * its only member.
 */
#ifndef TESTS_SUPPORT_COUNTDOWN_H
#define TESTS_SUPPORT_COUNTDOWN_H

#include "tests/support/net_kit.h"

struct countdown {
	struct net_peer peer;
	char room_id[32], user_key[64];
};

/* Come in at a server, which need not be the room's home; the first time that makes the room. Fails the test if it is refused. */
void countdown_come(struct countdown *c, const struct net_server *s);
void countdown_go(struct countdown *c);
/* Vote, and start the timer. */
void countdown_begin(struct countdown *c);
/* Wait until the room is revealed. */
void countdown_end(struct countdown *c);

#endif
