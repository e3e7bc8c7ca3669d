/*
 * shared_conventions.h - conventions of clients for the shared data of a room.
 *
 * The server stores presences and maps without interpreting them. These names and
 * formats are aye's; other clients that follow them can take part (documented in
 * proto/README.md). The first client that needs them creates them for all.
 *
 * They never hold a card, or which card a member looks at.
 */
#ifndef CLIENT_MODEL_ROOM_SHARED_CONVENTIONS_H
#define CLIENT_MODEL_ROOM_SHARED_CONVENTIONS_H

#include "proto/base/limits.h"
#include "proto/records/record.h"

/* The presence with the members' activities. */
#define SHARED_PRESENCE "aye"
/* The map of the shared notes: text by story_id, or by SHARED_NOTES_QUICK for quick votes. */
#define SHARED_NOTES       "notes"
#define SHARED_NOTES_QUICK "quick"

/* The most bytes of a note's text, without its MessagePack header. */
enum { SHARED_NOTE_BYTES_MAX = MAX_DATA_VALUE_BYTES - 3 };

#define WORDS_activity(W)                                                                  \
	W(ACTIVITY_NOTHING, "nothing")                                                     \
	W(ACTIVITY_LOOKING, "looking")                                                     \
	W(ACTIVITY_CHOOSING, "choosing")                                                   \
	W(ACTIVITY_TYPING, "typing")
WORDS_DECLARE(activity, ACTIVITY_NOTHING)

/* A member's value in the presence; unknown fields are ignored. */
#define RECORD_presence_entry(F)                                                        \
	F(ENUM, doing, activity, FIELD_REQ, ACTIVITY_LOOKING, ACTIVITY_TYPING, "What they do")               \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "Which story, or quick; absent: none in particular")
RECORD_DECLARE(presence_entry)

/* A member's activity, in the replica of a room. */
#define RECORD_present(F)                                                               \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Who")                                     \
	F(ENUM, doing, activity, FIELD_REQ, ACTIVITY_LOOKING, ACTIVITY_TYPING, "What they do") \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "Which story; absent: none in particular")
RECORD_DECLARE(present)

/* The shared notes on a story; not its description. */
#define RECORD_shared_note(F)                                                           \
	F(STR, key, _, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "story_id, or quick")         \
	F(STR, text, _, FIELD_OPT | FIELD_LINES, 0, MAX_DATA_VALUE_BYTES, "Absent: not text, or ours and not answered yet") \
	F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Of the text")
RECORD_DECLARE(shared_note)

/* Append a note's text as a MessagePack value. */
void shared_text_write(const char *text, struct buf *out);
/* Read such a value, with its lines softened; the caller frees *out. ERR_INVALID: not text. */
NODISCARD enum err shared_text_read(struct slice value, char **out);
/* The same for the current value in a CONFLICT fault. ERR_INVALID also if there is none. */
NODISCARD enum err shared_current_read(struct slice current, char **out, int64_t *revision);

#endif
