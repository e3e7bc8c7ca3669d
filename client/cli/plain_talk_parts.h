/*
 * plain_talk_parts.h - what the two parts of plain_talk.h share; only for
 * plain_talk.c, which takes lines and does what they ask for, and
 * plain_talk_tell.c, which tells what happens.
 */
#ifndef CLIENT_CLI_PLAIN_TALK_PARTS_H
#define CLIENT_CLI_PLAIN_TALK_PARTS_H

#include "client/cli/plain_talk.h"
#include "client/cli/plain_voice.h"
#include "client/model/narrate.h"
#include "client/net/room_carry_uv.h"
#include "client/net/watch_uv.h"
#include "client/tui/held.h"
#include "client/tui/typed.h"
#include "proto/limits.h"

#define PLAIN_TALK_TEXT_BYTES (1u << 20)

struct plain_talk {
	struct visit *visit;
	struct watch *watch;
	struct typed *typed;
	struct plain_voice voice;
	struct narrate told;
	struct room_carry carry;
	struct held held; /* what was asked for without a connection */
	char seat_name[MAX_NAME_BYTES + 1]; /* under which the seat was kept last; "": not yet */
	char title[MAX_TITLE_BYTES + 1]; /* with which the room was kept last */

	bool is_talked_to;  /* a line has come, or a person sits there */
	bool is_input_over; /* no more lines will come */
	bool is_leaving;
	bool was_lost;
	bool was_waiting;

	enum ask_kind unseen; /* what is on its way, where the room does not show it when it is done */
	bool is_asked;        /* of the server, which has not answered */
	int64_t done_version; /* what the room must reach to show what was done */
	int code;             /* what went wrong here */
};

/* End, for want of memory. */
void plain_talk_break(struct plain_talk *p, enum err e);
struct attend *plain_talk_attend(struct plain_talk *p);

/* plain_talk_tell.c: one sentence, perhaps in somebody else's words. */
void plain_talk_say(struct plain_talk *p, const char *text);
/* Print what was written, and give the memory back. */
void plain_talk_print(struct plain_talk *p, struct buf *text);
/* What these news (enum attend_news) mean, all but refusals and the end. */
void plain_talk_tell(struct plain_talk *p, const struct attend *a, unsigned news);
void plain_talk_tell_rounds(struct plain_talk *p, const struct rounds *rounds);
/* Whose turn it is to type, and how things stand. */
void plain_talk_prompt(struct plain_talk *p);

#endif
