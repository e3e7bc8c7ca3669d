/*
 * status_text.h - the state of the room in sentences, for lines mode.
 *
 * narrate.h reports events; this answers questions. Every line ends with a newline,
 * and text of others is last in it. A failure is in the buffer's error.
 */
#ifndef CLIENT_TUI_STATUS_TEXT_H
#define CLIENT_TUI_STATUS_TEXT_H

#include <stdint.h>

#include "client/model/room/replica.h"
#include "client/model/room/round_history.h"
#include "client/model/settings.h"
#include "proto/base/buf.h"

/* The questions, besides the commands of action_table.h; no word is in both. */
/*        symbol   command    takes      help */
#define STATUSS(X)                                                                   \
	X(STATUS,  "status",  "",        "Show the state of the round")                            \
	X(WHO,     "who",     "",        "Show the members, and who has voted or is away")         \
	X(HAND,    "hand",    "",        "Show the cards, and which is yours")                     \
	X(STORY,   "story",   " NUMBER", "Show the story being voted on, or another")              \
	X(RESULT,  "result",  "",        "Show the revealed cards and their result")               \
	X(TIME,    "time",    "",        "Show the timer, and how long the round has taken")

enum status {
#define STATUS_ENUM(symbol, ...) STATUS_##symbol,
	STATUSS(STATUS_ENUM)
#undef STATUS_ENUM
	STATUS_COUNT
};

struct status_row {
	const char *command;
	const char *takes;
	const char *help;
};
extern const struct status_row telling_rows[STATUS_COUNT];

/* The question with that word; STATUS_COUNT: none. */
enum status status_of(struct slice word);

/* @arg  the text after the word; "": none. @now_ms  the server's time; 0: not known. */
void status_text_tell(enum status what, const struct replica *room, const char *arg, int64_t now_ms, struct buf *out);

/* The content of the screen's views. */
void status_text_stories(const struct replica *room, struct buf *out);
void status_text_rules(const struct replica *room, struct buf *out);
void status_text_settings(const struct settings *settings, struct buf *out);
/* rounds NULL: not fetched yet. */
void status_text_history(const struct round_history *rounds, struct buf *out);

/* The user's name and state, for a prompt: "Ada, voting, no card yet". */
void status_text_place(const struct replica *room, struct buf *out);

#endif
