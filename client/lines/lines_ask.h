/*
 * lines_ask.h - the next line that a person types, where a list is read in lines.
 *
 * Lines are read in a loop, on which there may be a connection, too: while the prompt waits,
 * what is sent to the user (user_notice.h) is told above it. For programs that go from top to
 * bottom; a room's lines, which come at any time, are lines_room.h's business.
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
	const char *words;	    /* of the prompt, which is also where its lines lead: "inbox" */
	const char *where;	    /* what leads to a question that is told of */
	struct room_client *client; /* NULL: none now */
	struct sign_in *sign_in;    /* as whom; NULL: a stranger */
	bool has_asked;		    /* lines are read, so sentences may stand between them */
	bool is_waiting;
	bool is_over; /* no more lines come */
	char *line;   /* the last one that came; NULL: none yet */
};

void lines_ask_open(struct lines_ask *a, const char *words, const char *where);
void lines_ask_close(struct lines_ask *a);

/* Connect there, in place of what there is; while a line is waited for the connection comes back by itself. */
void lines_ask_connect(struct lines_ask *a, const struct address *address, struct sign_in *sign_in);
void lines_ask_disconnect(struct lines_ask *a);

/*
 * A line of standard input without its end and the blanks around it, valid until the next;
 * NULL where no more come. A person is asked for it with a prompt.
 */
const char *lines_ask(struct lines_ask *a);

#endif
