/*
 * lines_room_parts.h - what the two parts of lines_room.h share; only for
 * lines_room.c, which takes lines and does what they ask for, and
 * lines_room_status.c, which tells what happens.
 */
#ifndef CLIENT_CLI_LINES_ROOM_PARTS_H
#define CLIENT_CLI_LINES_ROOM_PARTS_H

#include "client/app/room_carry_uv.h"
#include "client/cli/lines_room.h"
#include "client/cli/lines_voice.h"
#include "client/model/narrate.h"
#include "client/model/offline_queue.h"
#include "client/net/watch_uv.h"
#include "client/tui/line_commands.h"
#include "proto/limits.h"

#define LINES_ROOM_TEXT_BYTES (1u << 20)

struct lines_room {
	struct visit *visit;
	struct watch *watch;
	struct line_commands *typed;
	struct lines_voice voice;
	struct narrate told;
	struct room_carry carry;
	struct offline_queue held; /* what was asked for without a connection */
	char seat_name[MAX_NAME_BYTES + 1]; /* under which the seat was kept last; "": not yet */
	char title[MAX_TITLE_BYTES + 1]; /* with which the room was kept last */

	bool is_talked_to;  /* a line has come, or a person sits there */
	bool is_input_over; /* no more lines will come */
	bool is_leaving;
	bool was_lost;
	bool was_waiting;

	const char *unseen;   /* what to say when it is done, of what the room does not show; NULL: it does */
	bool is_asked;        /* of the server, which has not answered */
	int64_t done_version; /* what the room must reach to show what was done */
	int code;             /* what went wrong here */
};

/* End, for want of memory. */
void lines_room_break(struct lines_room *p, enum err e);
struct membership *lines_room_membership(struct lines_room *p);

/* lines_room_status.c: one sentence, perhaps in somebody else's words. */
void lines_room_say(struct lines_room *p, const char *text);
/* Print what was written, and give the memory back. */
void lines_room_print(struct lines_room *p, struct buf *text);
/* What these news (enum membership_news) mean, all but refusals and the end. */
void lines_room_status(struct lines_room *p, const struct membership *a, unsigned news);
void lines_room_status_rounds(struct lines_room *p, const struct round_history *rounds);
/* Whose turn it is to type, and how things stand. */
void lines_room_prompt(struct lines_room *p);

#endif
