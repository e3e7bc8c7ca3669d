/*
 * lines_room.h - a room in lines mode: typed lines in, sentences out.
 *
 * For screen readers, terminals that can only print, and pipes. Every event is one
 * line, the prompt comes last, and nothing is redrawn. There is a prompt only if
 * standard input and output are terminals. If standard input ends without a line
 * (or is closed), the room is only followed; over ssh the end of input ends it.
 */
#ifndef CLIENT_LINES_LINES_ROOM_H
#define CLIENT_LINES_LINES_ROOM_H

#include "client/cli/reach/visit.h"

/*
 * Run until the room is left or ends, or a signal comes. Returns the exit code.
 *
 * @name  NULL: none yet.
 */
int lines_room(struct visit *v, const char *name, bool is_spectator);

#endif
