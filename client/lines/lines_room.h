/*
 * lines_room.h - a whole session in a room without a screen: lines typed in,
 * sentences out.
 *
 * For screen readers, for terminals that can only print, and for pipes. Every
 * event is one line, the prompt comes last, nothing is drawn twice. Where both
 * ends are terminals there is a prompt; else there are only the sentences.
 * Where standard input says nothing before its end (or there is none), the
 * room is only followed; but over ssh the end of the input is the end.
 */
#ifndef CLIENT_LINES_LINES_ROOM_H
#define CLIENT_LINES_LINES_ROOM_H

#include "client/cli/reach/visit.h"

/*
 * Until it is left, it ends, or a signal comes. The exit code.
 *
 * @name  NULL: none yet.
 */
int lines_room(struct visit *v, const char *name, bool is_spectator);

#endif
