/*
 * rights.h - the rights of members in a room, and the message of each refusal.
 *
 * One function for server and client: the server refuses with its message, and a client shows the
 * same message for a key that has no effect now.
 */
#ifndef PROTO_RIGHTS_H
#define PROTO_RIGHTS_H

#include <stdbool.h>

#include "proto/base/fault.h"
#include "proto/base/words.h"
#include "proto/methods.h"
#include "proto/records/policy.h"

enum right {
	RIGHT_NONE, /* nothing more than being admitted */
	RIGHT_VOTE,
	RIGHT_REVEAL,       /* reveal, hide, stop the countdown, arm */
	RIGHT_RESET,        /* reset, again, undo, settle, choose the story, the timer */
	RIGHT_EDIT_STORIES, /* add, change, move, remove, restore */
	/* create and change presences, maps and lists; your own presence needs only RIGHT_READ */
	RIGHT_EDIT_DATA,
	RIGHT_DELETE_DATA,  /* delete a whole presence, map or list */
	RIGHT_SIGNAL,       /* nudge, react */
	RIGHT_READ,         /* lists */
	RIGHT_LEAD          /* deck, title, policy, members, the room itself */
};

/* The caller's standing in the room. */
struct standing {
	bool is_host; /* by seat or by host_key */
	bool has_name;
	bool is_spectator;
	bool is_waiting; /* in the lobby */
	bool is_revealed;
	struct policy policy;
	bool is_maker; /* created the presence, map or list in question */
};

/*
 * Return the right that a caller needs besides the `who` of the method's row (methods.h);
 * RIGHT_LEAD for methods for hosts.
 */
enum right right_of_method(enum method method);

/*
 * Check a right. Returns FAULT_NONE if allowed; otherwise the code of the refusal, and *why is a
 * static sentence for people.
 */
enum fault_code right_refusal(enum right right, const struct standing *who, const char **why);
/* Return whether the standing of a host is all that the caller lacks. */
bool right_needs_host(enum right right, struct standing who);

#endif
