/*
 * room_context.h - the room that a verb means if it was given no code.
 *
 * In this order: $AYE_ROOM; the room on a screen in this terminal; the only room that was entered
 * within the last hour, or is followed now. In tmux and screen, all panes of a session are one
 * terminal. Users who came by ssh have no such context, since they share one system user.
 */
#ifndef CLIENT_CLI_REACH_ROOM_CONTEXT_H
#define CLIENT_CLI_REACH_ROOM_CONTEXT_H

#include "client/cli/verbs.h"
#include "client/state/state_status.h"

#define ROOM_CONTEXT_NONE "CODE is required: no room was entered within the last hour, and AYE_ROOM is not set"

/* Write the name of this process's terminal, or of its session in tmux or screen; "": none. */
void room_context_terminal(char out[STATE_TERMINAL_BYTES + 1]);

/* Whether the client that wrote the status is running, and in the room. */
bool room_context_is_followed(const struct state_status *s);

/*
 * Put the code of that room before the verb's words, and its server in place of --server if that
 * was not given and the room is elsewhere. Both are static, and valid until the next call.
 * Rooms on another server than a given --server do not count.
 * Returns EXIT_DONE with *found set; without such a room it is false, and the words are unchanged.
 * EXIT_USAGE: AYE_ROOM or --server is invalid, or several rooms fit; they have been listed.
 */
int room_context_fill(struct cli *c, bool *found);

#endif
