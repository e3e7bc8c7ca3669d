/*
 * bad_link.h - a way of a relay (relay.h) to a server of any protocol, which is slow, cuts connections, or talks nonsense,
 * as the test says.
 */
#ifndef TESTS_SUPPORT_BAD_LINK_H
#define TESTS_SUPPORT_BAD_LINK_H

#include <stdbool.h>
#include <sys/types.h>

enum bad_link_mode {
	BAD_LINK_GOOD,	 /* passes everything on */
	BAD_LINK_SLOW,	 /* after a few milliseconds for each piece */
	BAD_LINK_CUT,	 /* up to some byte of each connection, drawn at random, and ends it there */
	BAD_LINK_GARBAGE /* ends connections; new ones are answered with what the server never says */
};

struct bad_link;

/* Start one on a unix socket at `path`, to the server's socket at `to`; NULL where it cannot begin. Chance begins with the seed. */
struct bad_link *bad_link_start(const char *path, const char *to, unsigned seed);
/* From now on. */
void bad_link_set(struct bad_link *l, enum bad_link_mode mode);
/* Hold it: nothing passes, and nobody is told; or let it go on. */
void bad_link_hold(struct bad_link *l, bool holds);
void bad_link_end(struct bad_link *l);

#endif
