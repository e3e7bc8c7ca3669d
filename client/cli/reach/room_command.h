/*
 * room_command.h - one action of a member on a room, from the room code to the answer.
 *
 * Does what all actions share: shows the host key and the seat's key, names a seat that
 * needs a name, and fills in the params common to all requests. A user without a seat
 * gets one for the visit, which is left at its end. A login has a seat in every room; at
 * the end of the visit only a name given in it is removed again.
 *
 * Functions that return an int return an exit code (verbs.h), and have reported a failure on
 * stderr.
 */
#ifndef CLIENT_CLI_REACH_ROOM_COMMAND_H
#define CLIENT_CLI_REACH_ROOM_COMMAND_H

#include "client/acts/spelling.h"
#include "client/cli/reach/visit.h"
#include "client/model/room/replica.h"
#include "proto/methods.h"

/* Open the visit and get what the verb needs. Always call room_command_close() afterwards. */
int room_command_open(struct cli *c, struct visit *v, enum verb_needs needs);
/*
 * The login at the server, for a caller that connects by itself; NULL: none. A name given by --name
 * must be its name.
 * @needs  one of those that need no room.
 */
int room_command_sign_in(struct cli *c, const struct server_place *place, enum verb_needs needs, struct sign_in **out);
/* Show the keys again on a new connection of the same visit. */
int room_command_show_rights(struct visit *v);
/*
 * Give the seat the user's name if it has none, since it may do nothing without one; sets
 * v->has_joined.
 */
int room_command_join(struct visit *v);
/* Leave a seat, or remove a name, that was only for this visit, and close the visit. */
void room_command_close(struct visit *v);

/* Print a result: as sent by the server with --json, otherwise `plain`; NULL: nothing. */
int room_command_say(const struct visit *v, const struct record *rec, const void *result, const char *plain);

/*
 * Get the room as a full update, in the visit's arena. The seat is taken only if the request would
 * be refused without it, because others see it being taken.
 */
int room_command_get(struct visit *v, struct room_update *out);

/* The same as a replica, which the caller finishes. */
int room_command_look(struct visit *v, struct replica *out);

#define ROOM_COMMAND_ID_BYTES 65

/* Find the one member with this name or user_id. */
int room_command_whom(struct visit *v, const char *who, char user_id[ROOM_COMMAND_ID_BYTES]);
/* The same for a banned user. */
int room_command_whom_barred(struct visit *v, const char *who, char user_id[ROOM_COMMAND_ID_BYTES]);
/* Find the story that a word means, by story_find(). */
int room_command_story(struct visit *v, const char *word, bool wants_removed,
		       char story_id[ROOM_COMMAND_ID_BYTES]);

/*
 * Say that the typed name is none of a rule, or of what else was offered as `what`, or lacks its
 * value; the verb `lists` prints them. Returns EXIT_USAGE.
 */
int room_command_unknown_rule(struct spelling *s, const char *what, const char *lists);
/* Parse KEY=VALUE words, as for aye room policy, into *out; a passcode is kept in the visit. */
int room_command_read_policy(struct visit *v, const char *const *words, size_t words_n, struct policy_change *out);

/* Print rules as KEY=VALUE, a line each. */
int room_command_print_policy(const struct policy_view *view);
/*
 * Say which KEY=VALUE words after the first one were changed: as they were typed at a terminal, as
 * sent by the server with --json.
 */
int room_command_say_changed(const struct visit *v, const struct record *rec, const void *result);

/* Get up to `most` rounds as one page, the newest first, in the visit's arena. */
int room_command_rounds(struct visit *v, size_t most, struct round_list_result *out);

#endif
