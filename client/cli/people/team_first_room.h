/*
 * team_first_room.h - what the rooms of a team start with, asked before its first one.
 */
#ifndef CLIENT_CLI_PEOPLE_TEAM_FIRST_ROOM_H
#define CLIENT_CLI_PEOPLE_TEAM_FIRST_ROOM_H

#include "client/cli/reach/visit.h"

/*
 * Before a room of --team is created: if the team has no room and keeps no deck, and the user is an
 * owner at a terminal, ask for deck, story links, timer, asynchronous votes, their deadline and
 * other rules, and let the team keep the answers. An empty answer takes what is offered, and Ctrl-D
 * skips the rest. Nobody is asked who says on the command line what the room is to be.
 *
 * Returns the exit code; has reported a failure.
 */
int team_first_room(struct visit *v);

#endif
