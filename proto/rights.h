/*
 * rights.h - the rights of members in a room, and the message of each refusal.
 *
 * One function for both sides: the server refuses with its words, and a client
 * shows the same words beside a key that does nothing now.
 */
#ifndef PROTO_RIGHTS_H
#define PROTO_RIGHTS_H

#include <stdbool.h>

#include "proto/base/fault.h"
#include "proto/base/words.h"
#include "proto/methods.h"
#include "proto/records/policy.h"

enum right {
	RIGHT_NONE, /* nothing: whoever is let in may */
	RIGHT_VOTE,
	RIGHT_REVEAL,       /* reveal, hide, stop the countdown, arm */
	RIGHT_RESET,        /* reset, again, undo, settle, choose the story, the timer */
	RIGHT_EDIT_STORIES, /* add, change, move, remove, restore */
	RIGHT_EDIT_DATA,    /* make and change presences, maps and lists; one's own presence needs only RIGHT_READ */
	RIGHT_DELETE_DATA,  /* delete a whole one of them */
	RIGHT_SIGNAL,       /* nudge, react */
	RIGHT_READ,         /* lists */
	RIGHT_LEAD          /* deck, title, policy, members, the room itself */
};

/* How the one who asks stands in the room. */
struct standing {
	bool is_host; /* by seat or by host_key */
	bool has_name;
	bool is_spectator;
	bool is_waiting; /* in the lobby */
	bool is_revealed;
	struct policy policy;
	bool is_maker; /* of the presence, map or list in question */
};

/* What the caller of a method needs beyond what its row (methods.h) asks for; of a method for hosts RIGHT_LEAD. */
enum right right_of_method(enum method method);

/* FAULT_NONE where it is allowed; else the code to refuse with, and *why is a static sentence for people. */
enum fault_code right_refusal(enum right right, const struct standing *who, const char **why);

#endif
