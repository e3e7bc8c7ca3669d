/*
 * lines_home.h - home without a screen: the rooms one was in, each with a
 * number, and one line that says where to go.
 *
 * For a person at a terminal. What is chosen is gone into as aye join and aye
 * new do, and the program ends with that room.
 */
#ifndef CLIENT_LINES_LINES_HOME_H
#define CLIENT_LINES_LINES_HOME_H

#include "client/cli/reach/visit.h"
#include "client/model/recent_rooms.h"

/* Tell the rooms, ask until something is chosen, and do it. The exit code, told. */
int lines_home(struct visit *v, const struct recent_rooms *rooms);

#endif
