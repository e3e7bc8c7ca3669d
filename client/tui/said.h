/*
 * said.h - the messages for the line above the footer: what the client answers, what others do, and
 * which of them is shown; only for client/tui.
 *
 * The client sets its own through tui.h.
 */
#ifndef CLIENT_TUI_SAID_H
#define CLIENT_TUI_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/model/room/replica.h"
#include "client/tui/widgets/grid.h"

/* A join command and a link fit, each of the longest. */
enum { TUI_MESSAGE_BYTES_MAX = 1000 };

#define SAID_GAP "   " /* between temporary messages */
enum { SAID_MOMENTS_MAX = 8 };

/* The messages for the line above the footer. */
struct said {
	char notice[TUI_MESSAGE_BYTES_MAX]; /* from the client; stays until replaced */
	char reply[TUI_MESSAGE_BYTES_MAX];  /* to the last key */
	bool is_to_copy; /* the reply is a command or a link, and ends as it does */
	bool is_told; /* the reply says what was done; otherwise why nothing was */
	int64_t reply_ends_at; /* 0: at the next key */
	char moment[TUI_MESSAGE_BYTES_MAX]; /* temporary */
	int64_t moment_at[SAID_MOMENTS_MAX]; /* when each part of it was said */
	size_t moment_n;		     /* parts */
	int64_t moment_ends_at;
	char nudge[TUI_MESSAGE_BYTES_MAX]; /* until the own vote, or the end of the round */
	int64_t nudge_round;
	char held[TUI_MESSAGE_BYTES_MAX]; /* requests that wait for the connection; "": none */
};

struct tui;

/* Reply why nothing is done; tui_tell() is for what was done. */
void said_reply(struct tui *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Show the reply for a while from now on, as after each key. */
void said_time_reply(struct tui *t);
bool said_shows_reply(const struct tui *t);
/*
 * Show a temporary message, appended to those still shown; dropped while the server's time is not
 * known.
 */
void said_moment(struct tui *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Another page was opened, or something else was answered: what was to be read until then is over. */
void said_read(struct tui *t);
/*
 * The message to show: the newer of the reply and of what others did, what waits for an answer, a
 * nudge, or the client's; "": none. It is in `out`, or in the state.
 */
const char *said_message(const struct tui *t, const struct replica *room, enum style *style,
			 char *out, size_t cap);

#endif
