/*
 * crowd.h - clients of a real server that keep it busy whatever happens to it, and hold it to what it told them.
 *
 * Members of a room vote and add stories, keepers of backlogs add items and count, people ask each other questions. Each
 * has several changes under way, and each change has a key. One whose answer did not come before the connection ended is
 * sent again with its key over the next one. An answer makes it one that must be there at the end, once; UNAVAILABLE, to
 * one that was sent only once, makes it one that must never be there. Any other refusal fails the test. So does a
 * connection that ends, or a member who is shown as disconnected, while crowd_must_stay() says so; and a story that
 * somebody was shown and that was not made.
 */
#ifndef TESTS_SUPPORT_CROWD_H
#define TESTS_SUPPORT_CROWD_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/net_kit.h"

struct crowd;

/* The limits that a server needs for it; NULL at the end. */
extern const char *const crowd_limits[];

/* Come in, while the server serves. */
struct crowd *crowd_create(const struct net_server *s, unsigned seed);
void crowd_destroy(struct crowd *c);

/* Go on for so long: connect, receive, send. */
void crowd_run(struct crowd *c, int ms);
/* Until everybody is connected, and everybody has the answer to a change that they made after that. */
void crowd_until_served(struct crowd *c);
/* From now on no connection may end, and no member of the room be gone; or they may again. */
void crowd_must_stay(struct crowd *c, bool must);
/* Let everything be answered, and make nothing new. */
void crowd_until_answered(struct crowd *c);
/* Compare what was said with what the server has now. */
void crowd_check(struct crowd *c);

/* Changes that were made, and that were refused as UNAVAILABLE. */
unsigned long crowd_made(const struct crowd *c);
unsigned long crowd_refused(const struct crowd *c);

#endif
