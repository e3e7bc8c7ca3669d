/*
 * shared_conventions.h - what clients of a room agree on about its shared data.
 *
 * The server keeps presences and maps without knowing what they mean. These
 * names and forms are aye's; any other client that keeps to them takes part
 * (proto/README.md tells them). Whoever makes them first makes them for all.
 *
 * Never in here: a card, or which card somebody looks at.
 */
#ifndef CLIENT_MODEL_ROOM_SHARED_CONVENTIONS_H
#define CLIENT_MODEL_ROOM_SHARED_CONVENTIONS_H

#include "proto/base/limits.h"
#include "proto/records/record.h"

/* The presence in which a member says what it does now. */
#define SHARED_PRESENCE "aye"
/* The map of the notes that all write together: text by story_id, and by this key those of quick votes. */
#define SHARED_NOTES       "notes"
#define SHARED_NOTES_QUICK "quick"

/* What a note's text may have at most, its MessagePack head left out. */
enum { SHARED_NOTE_BYTES_MAX = MAX_DATA_VALUE_BYTES - 3 };

#define WORDS_activity(W)                                                                  \
	W(ACTIVITY_NOTHING, "nothing")                                                     \
	W(ACTIVITY_LOOKING, "looking")                                                     \
	W(ACTIVITY_CHOOSING, "choosing")                                                   \
	W(ACTIVITY_TYPING, "typing")
WORDS_DECLARE(activity, ACTIVITY_NOTHING)

/* A member's value in the presence; fields that others add are passed over. */
#define RECORD_presence_entry(F)                                                        \
	F(ENUM, doing, activity, FIELD_REQ, ACTIVITY_LOOKING, ACTIVITY_TYPING, "What they do")               \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "Which story, or quick; absent: none in particular")
RECORD_DECLARE(presence_entry)

/* What a member does now, in the copy of a room. */
#define RECORD_present(F)                                                               \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Who")                                     \
	F(ENUM, doing, activity, FIELD_REQ, ACTIVITY_LOOKING, ACTIVITY_TYPING, "What they do") \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "Which story; absent: none in particular")
RECORD_DECLARE(present)

/* What all write together about a story; not the story's own notes, which say what it is. */
#define RECORD_shared_note(F)                                                           \
	F(STR, key, _, FIELD_REQ, 1, MAX_DATA_NAME_BYTES, "story_id, or quick")         \
	F(STR, text, _, FIELD_OPT | FIELD_LINES, 0, MAX_DATA_VALUE_BYTES, "Absent: not text, or ours and not answered yet") \
	F(INT, revision, _, FIELD_REQ, 1, INT64_MAX, "Of the text")
RECORD_DECLARE(shared_note)

/* A note's text as a value, appended. */
void shared_text_write(const char *text, struct buf *out);
/* The other way, its lines softened; the caller frees it. ERR_INVALID: not text. */
NODISCARD enum err shared_text_read(struct slice value, char **out);
/* The same out of what a CONFLICT says is there now. ERR_INVALID too where nothing is. */
NODISCARD enum err shared_current_read(struct slice current, char **out, int64_t *revision);

#endif
