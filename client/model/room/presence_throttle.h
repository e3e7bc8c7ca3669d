/*
 * presence_throttle.h - decides when to send the user's activity, in the presence that
 * shared_conventions.h defines.
 *
 * Given the user's activity at each key, it decides what to send: only changes, at most
 * once a second, and a renewal before it expires as long as keys are pressed. Nothing
 * is sent by a user alone or in a large room, and an idle client sends nothing: its last
 * activity expires on the server. After any refusal nothing is sent until the next
 * connection, so a server without presences costs one request.
 *
 * Pure. Times are in ms of one monotonic clock.
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
	PRESENCE_MEMBERS_MAX = 50,    /* in larger rooms there would be too many updates */
	PRESENCE_SAY_EVERY_MS = 1000, /* the least time between two requests */
	PRESENCE_TTL_MS = 60000,
	PRESENCE_TYPING_TTL_MS = 10000
};

struct presence_throttle {
	enum activity doing; /* the current activity */
	char story_id[65]; /* "": none */
	bool is_active;    /* a key was pressed since the last request */
	bool is_idle;      /* the activity sent has expired, without a key since */

	enum activity said; /* the activity sent last */
	char said_story[65];
	int64_t said_ms;
	bool has_spoken; /* said_ms is set */
	bool is_made;    /* the presence is known to exist */
	bool is_sent;    /* a request is pending */
	bool is_off;
};

/*
 * Set the current activity.
 *
 * @story_id  NULL: none.
 * @is_key    because of a key just pressed; false: something else has changed.
 */
void presence_throttle_tell(struct presence_throttle *p, enum activity doing, const char *story_id, bool is_key);

/*
 * The request to make now: to create, set or remove the presence; METHOD_COUNT: none. It
 * counts as sent, and presence_throttle_answer() must follow.
 *
 * @out      for METHOD_PRESENCE_SET.
 * @wait_ms  for METHOD_COUNT: when to call again if nothing happens, in ms; -1: never.
 */
struct presence_request {
	enum activity doing;
	const char *story_id; /* NULL: none; valid until the next call */
	int64_t ttl_ms;
};
enum method presence_throttle_next(struct presence_throttle *p, const struct replica *room, int64_t now_ms,
			  struct presence_request *out, int64_t *wait_ms);
/* That request was answered. @is_done  false: refused. */
void presence_throttle_answer(struct presence_throttle *p, enum method method, bool is_done);
/* There is a new connection, on which nothing was sent. */
void presence_throttle_up(struct presence_throttle *p);

#endif
