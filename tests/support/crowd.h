/*
 * crowd.h - clients of a real server that keep it busy whatever happens to it, and hold it to what it told them.
 *
 * Members of a room vote and add stories, one plays rounds from the vote to the reset in a room of their own, keepers of
 * backlogs add items and count, people ask each other questions. Each has several changes under way, but who plays, and
 * each change has a key. One whose answer did not come before the connection ended is
 * sent again with its key over the next one. An answer makes it one that must be there at the end, once; UNAVAILABLE, to
 * one that was sent only once, makes it one that must never be there. Any other refusal fails the test. So does a
 * connection that ends, or a member who is shown as disconnected, while crowd_must_stay() says so; a story that somebody
 * was shown and that was not made; and an update that does not follow the one before it on its connection.
 *
 * A crowd is one party or several. Each is all of these, with rooms of their own, and comes by a socket of its own.
 *
 * Of servers that share their data (crowd_create_among()) each client comes to one, and goes on to the next where that one does not
 * serve. Clients mean their room when they say hello, so the room's own server has them. Then these fail the test as well: a
 * card that is seen in a room which nobody reveals; a reveal there, though one of the members never votes, and is away only
 * while servers fail; a room that is older than what somebody was shown of it CROWD_LEASE_MS before it was asked for; and two
 * clients who are shown different things as the same step of a room.
 */
#ifndef TESTS_SUPPORT_CROWD_H
#define TESTS_SUPPORT_CROWD_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/net_kit.h"

#define CROWD_PARTIES_MAX 6
#define CROWD_SERVERS_MAX 3
#define CROWD_LEASE_MS	  4000

struct crowd;

/* The limits that a server needs for it; NULL at the end. */
extern const char *const crowd_limits[];

/* A party comes in, while the server serves, as net_connect() does. */
struct crowd *crowd_create(const struct net_server *s, unsigned seed);
void crowd_destroy(struct crowd *c);
/* So many parties come in, to each of these servers in turn. The servers are the caller's, and serve. */
struct crowd *crowd_create_among(const struct net_server *const *servers, size_t n, size_t parties, unsigned seed);
/* One more comes in by that socket, which is the caller's, and in whose rooms votes are kept. */
void crowd_add_party(struct crowd *c, const char *socket);

/* End all connections to that server; their clients come back. */
void crowd_come_again(struct crowd *c, const struct net_server *server);

/* From now on a client pauses that long between two changes. */
void crowd_slow_down(struct crowd *c, int pause_ms);
/* Go on for so long: connect, receive, send. */
void crowd_run(struct crowd *c, int ms);
/* Until everybody is connected, and everybody has the answer to a change that they made after that; fails after so long. */
void crowd_until_served(struct crowd *c, int within_ms);
/* From now on no connection may end, and no member of the room be gone; or they may again. */
void crowd_must_stay(struct crowd *c, bool must);
/* Let everything be answered, and make nothing new. */
void crowd_until_answered(struct crowd *c);
/* Compare what was said with what the server has now. */
void crowd_check(struct crowd *c);

/* Changes that were made, and that were refused as UNAVAILABLE. */
unsigned long crowd_made(const struct crowd *c);
unsigned long crowd_refused(const struct crowd *c);
/* Those of them that the table keeps for a day or more: all that are not a room's. */
unsigned long crowd_kept(const struct crowd *c);

/* How long changes took, from the last time they were sent to their answers, since it was asked for last. */
struct crowd_times {
	unsigned long n;
	double p50_ms, p99_ms;
};
struct crowd_times crowd_take_times(struct crowd *c);
/* The longest that a client waited to be connected, and for a change to be made, since that was asked for last. */
int64_t crowd_take_longest_ms(struct crowd *c);
/* A room that a party votes in; valid as long as the crowd. */
const char *crowd_room(const struct crowd *c, size_t party);

#endif
