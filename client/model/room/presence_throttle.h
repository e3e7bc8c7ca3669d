/*
 * presence_throttle.h - when to say what we do, in the presence that shared_conventions.h names.
 *
 * Told what the person does with each key, it decides what the server is told:
 * only what changed, once a second at most, and again before it would lapse as
 * long as there are keys. Nothing is said alone or in a crowd, and an idle
 * client says nothing at all: what it said last lapses at the server by itself.
 * A refusal of any kind silences it until the next connection, so a server
 * without presence costs one request.
 *
 * Pure. Times are of one clock that does not go backwards, in ms.
 * Life: a zeroed struct; nothing to free.
 */
#ifndef CLIENT_MODEL_ROOM_PRESENCE_THROTTLE_H
#define CLIENT_MODEL_ROOM_PRESENCE_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "client/model/room/replica.h"
#include "client/model/room/shared_conventions.h"
#include "proto/methods.h"

enum {
	PRESENCE_MEMBERS_MAX = 50,    /* in larger rooms everybody would be told too much of everybody */
	PRESENCE_SAY_EVERY_MS = 1000, /* at most */
	PRESENCE_TTL_MS = 60000,
	PRESENCE_TYPING_TTL_MS = 10000
};

struct presence_throttle {
	enum activity doing; /* what the person does */
	char story_id[65]; /* "": none */
	bool is_active;    /* a key since it was said last */
	bool is_idle;      /* what was said has lapsed, and there was no key since */

	enum activity said;
	char said_story[65];
	int64_t said_ms;
	bool has_spoken; /* said_ms is something */
	bool is_made;    /* the presence is there for sure */
	bool is_sent;    /* a request is on its way */
	bool is_off;
};

/*
 * What the person does by now.
 *
 * @story_id  NULL: none.
 * @is_key    by a key just pressed; else something else has changed.
 */
void presence_throttle_tell(struct presence_throttle *p, enum activity doing, const char *story_id, bool is_key);

/*
 * The request to make now: create, set or remove of the presence, METHOD_COUNT
 * for none. It counts as sent; presence_throttle_answer() follows.
 *
 * @out      for METHOD_PRESENCE_SET.
 * @wait_ms  where it is none: in how many ms to ask again though nothing happens; -1 never.
 */
struct presence_request {
	enum activity doing;
	const char *story_id; /* NULL: none; valid until the next call */
	int64_t ttl_ms;
};
enum method presence_throttle_next(struct presence_throttle *p, const struct replica *room, int64_t now_ms,
			  struct presence_request *out, int64_t *wait_ms);
/* The end of that request. */
void presence_throttle_answer(struct presence_throttle *p, enum method method, bool is_done);
/* A connection is there anew: nothing was said on it. */
void presence_throttle_up(struct presence_throttle *p);

#endif
