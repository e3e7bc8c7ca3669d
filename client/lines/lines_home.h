/*
 * lines_home.h - home in lines mode: the recent rooms, numbered, and a prompt for
 * which to enter.
 *
 * For terminals. The chosen room is entered as by aye join or aye new, and the
 * program ends when it is left.
 */
#ifndef CLIENT_LINES_LINES_HOME_H
#define CLIENT_LINES_LINES_HOME_H

#include "client/cli/reach/visit.h"
#include "client/model/recent_rooms.h"

/*
 * List the rooms, prompt until one is chosen, and enter it. Returns the exit code; has reported a
 * failure.
 */
int lines_home(struct visit *v, const struct recent_rooms *rooms);

#endif
