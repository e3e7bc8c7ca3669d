/*
 * lines_ask.h - prompt for a line, in sequential programs of lines mode.
 *
 * Lines are read on a loop that may also have a connection: while the prompt waits,
 * notifications for the user (user_notice.h) are printed above it. lines_room.h reads the
 * lines of a room, which may come at any time.
 *
 * Life: lines_ask_open() .. lines_ask_close(). The sign_in is borrowed meanwhile.
 */
#ifndef CLIENT_LINES_LINES_ASK_H
#define CLIENT_LINES_LINES_ASK_H

#include <stdbool.h>

#include "client/lines/lines_voice.h"
#include "client/net/room_client_uv.h"

struct lines_ask {
	struct loop loop;
	struct lines_voice voice;
	const char *words;	    /* of the prompt, also the name of this place: "inbox" */
	const char *where;	    /* how to reach a question that is announced */
	struct room_client *client; /* NULL: none now */
	struct sign_in *sign_in;    /* NULL: no login */
	bool has_asked;		    /* a line was asked for, so messages may be printed */
	bool is_waiting;
	bool is_over; /* no more lines come */
	char *line;   /* the last one that came; NULL: none yet */
};

void lines_ask_open(struct lines_ask *a, const char *words, const char *where);
void lines_ask_close(struct lines_ask *a);

/*
 * Connect to the server, replacing the connection; it is restored after a loss while a line is
 * waited for.
 */
void lines_ask_connect(struct lines_ask *a, const struct address *address, struct sign_in *sign_in);
void lines_ask_disconnect(struct lines_ask *a);

/*
 * The next line of standard input, without the newline and surrounding blanks, valid until the
 * next call; NULL: no more lines. Prompts on a terminal.
 */
const char *lines_ask(struct lines_ask *a);

#endif
