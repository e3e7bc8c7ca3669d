/*
 * redis_fake.h - a net for links to Redis with a clock, chance and a server that are a test's.
 *
 * The server is data: it answers the greeting as Redis does, unless `instead` has another reply
 * for that word, and every other command with the next of `replies`; where those end, it is silent.
 * What it was sent stands in `heard`, a line for each command with blanks between words.
 *
 * Life: fake_lay() .. fake_clear(), which destroys the link.
 */
#ifndef TESTS_SUPPORT_REDIS_FAKE_H
#define TESTS_SUPPORT_REDIS_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "store/redis/link/redis_link.h"

/* Replies of the greeting. */
#define FAKE_SHA   "0123456789abcdef0123456789abcdef01234567"
#define FAKE_INFO  "$35\r\nrole:master\r\nmaster_replid:abcdef\r\n\r\n"
#define FAKE_HELLO "*6\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n"

struct fake_instead {
	const char *word, *reply;
};

struct fake {
	struct redis_net net;
	struct redis_address address;
	struct redis_link_config config; /* may be changed before fake_begin() */
	struct redis_link *link;
	int64_t now_ms;
	uint64_t random;
	int64_t wake_ms; /* INT64_MAX: the link did not ask */
	bool is_open;
	bool is_opening;
	size_t opens;
	size_t room; /* bytes that the connection still takes */
	struct buf out; /* sent, not heard yet */
	struct buf heard;
	struct buf in; /* answered, not delivered yet */
	struct fake_instead instead[2];
	const char *const *replies; /* NULL at the end; or NULL: none */
	size_t changes; /* calls of on_change */
	size_t times; /* calls of on_time */
	struct buf published; /* a line for each publication */
};

void fake_lay(struct fake *f);
void fake_clear(struct fake *f);
/* Create the link: it opens a connection. */
void fake_begin(struct fake *f);
/* The connection is there. */
void fake_open(struct fake *f);
/* Hear what was sent, whole commands only, and write the answers to `in`. */
void fake_hear(struct fake *f);
/* Deliver `in`, in pieces of so many bytes, until the connection ends. */
void fake_deliver(struct fake *f, size_t piece);
/* Hear and deliver until nothing more is said. */
void fake_talk(struct fake *f);
/* All of it: begin unless there is a link, open, talk; the link must be ready. */
void fake_greet(struct fake *f);
/* Deliver these bytes. */
void fake_say(struct fake *f, const char *bytes);
void fake_end(struct fake *f, const char *why);
/* Let the time pass, with on_time where it was wished. */
void fake_pass(struct fake *f, int64_t ms);

#endif
