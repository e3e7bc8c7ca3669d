/*
 * room_command.h - one act on a room by a member, from the code to the answer.
 *
 * What all acts share is done here: the rights of host and seat are shown, a
 * name is put on a seat that needs one, and the fields that every request has
 * are filled in by their names. Whoever comes without a seat gets one for the
 * time of the visit, and leaves no trace. A login has its seat in every room,
 * and takes off it again no more than the name that the visit put on.
 */
#ifndef CLIENT_CLI_REACH_ROOM_COMMAND_H
#define CLIENT_CLI_REACH_ROOM_COMMAND_H

#include "client/cli/reach/visit.h"
#include "client/model/room/replica.h"
#include "proto/methods.h"

/* Open the visit and have what the verb needs. The exit code, told; call room_command_close() in any case. */
int room_command_open(struct cli *c, struct visit *v, enum verb_needs needs);
/*
 * Who that is at the server, for what connects by itself; NULL: nobody. A name of --name has to be theirs.
 * @needs  of those that need no room. The exit code, told.
 */
int room_command_sign_in(struct cli *c, const struct server_place *place, enum verb_needs needs, struct sign_in **out);
/* Show again, on a new connection of the same visit, what we have. The exit code, told. */
int room_command_show_rights(struct visit *v);
/*
 * A seat without a name may only look: put ours on it, and say so in
 * v->has_joined. The exit code, told.
 */
int room_command_join(struct visit *v);
/* Give back a seat, or a name, that was only for this visit, and close it. */
void room_command_close(struct visit *v);

/* Print a result as the wire has it where JSON is wanted, else the line; NULL: none. */
int room_command_say(const struct visit *v, const struct record *rec, const void *result, const char *plain);

/*
 * The room as the wire has it, in the visit's arena. Rights are shown where
 * they are needed: the seat only where a stranger would be refused, because
 * taking it is seen by others.
 */
int room_command_get(struct visit *v, struct room_update *out);

/* The room as it is now. The caller finishes *out. */
int room_command_look(struct visit *v, struct replica *out);

#define ROOM_COMMAND_ID_BYTES 65

/* The user_id of who is called that, or has it: only one may. */
int room_command_whom(struct visit *v, const char *who, char user_id[ROOM_COMMAND_ID_BYTES]);
/* Likewise of who was kicked for good. */
int room_command_whom_barred(struct visit *v, const char *who, char user_id[ROOM_COMMAND_ID_BYTES]);
/* The story that a word means, as story_find() has it. */
int room_command_story(struct visit *v, const char *word, bool wants_removed,
		       char story_id[ROOM_COMMAND_ID_BYTES]);

/* KEY=VALUE words into a policy, as aye room policy takes them; a passcode stays in the visit. The exit code, told. */
int room_command_read_policy(struct visit *v, const char *const *words, size_t words_n, struct policy_change *out);

/* Up to `most` rounds as one page, the newest first, in the visit's arena. */
int room_command_rounds(struct visit *v, size_t most, struct round_list_result *out);

#endif
