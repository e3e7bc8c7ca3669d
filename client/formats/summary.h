/*
 * summary.h - what a session came to: its figures, the stories on which the votes were apart, and
 * the others that are without an estimate: each story once.
 *
 * For the page at the last story, plain mode and `aye summary`. The figures are those of an export.
 * Pure; text is softened by the replica.
 */
#ifndef CLIENT_FORMATS_SUMMARY_H
#define CLIENT_FORMATS_SUMMARY_H

#include "client/formats/export.h"
#include "proto/base/arena.h"

/* Votes agree within one card, as for round.settle_agreed; from here on they are apart. */
enum { SUMMARY_APART_STEPS = 2 };

#define RECORD_summary_story(F)                                                                    \
	F(STR, story_id, _, FIELD_REQ, 1, 64, "The story")                                         \
	F(STR, key, _, FIELD_OPT, 0, INT64_MAX, "Its key in a tracker")                            \
	F(STR, title, _, FIELD_REQ, 0, INT64_MAX, "Its title")                                     \
	F(ENUM, status, story_status, FIELD_REQ, 0, WORDS_LAST(story_status), "Its status")        \
	F(STR, estimate, _, FIELD_OPT, 0, INT64_MAX, "Its estimate")                               \
	F(INT, rounds, _, FIELD_REQ, 0, INT64_MAX, "Rounds on it")                                 \
	F(INT, spread_steps, _, FIELD_OPT, 0, INT64_MAX, "Of its last votes: cards of the deck between the lowest and the highest") \
	F(STR, lowest, _, FIELD_OPT, 0, INT64_MAX, "The lowest of these votes")                    \
	F(STR, highest, _, FIELD_OPT, 0, INT64_MAX, "The highest")
RECORD_DECLARE(summary_story)

#define RECORD_room_summary(F)                                                                     \
	F(STR, room_id, _, FIELD_REQ, 1, 64, "The room")                                           \
	F(REC, statistics, export_stats, FIELD_REQ, 0, 0, "As in an export")                       \
	F(INT, compared, _, FIELD_REQ, 0, INT64_MAX, "Stories whose last votes have a lowest and a highest") \
	F(RECS, apart, summary_story, FIELD_REQ, 0, INT64_MAX, "Stories whose last votes were more than one card apart, the widest spread first") \
	F(RECS, without_estimate, summary_story, FIELD_REQ, 0, INT64_MAX, "The others without an estimate, in the order of the list")
RECORD_DECLARE(room_summary)

/* Fill *out; its lists are in the arena, and its texts are those of the room and its rounds. */
void summary_make(const struct export_room *x, struct arena *arena, struct room_summary *out);

/* Whether the room has stories, and none is left to vote on. */
bool summary_is_due(const struct replica *room);

/* The titles of the two lists. */
#define SUMMARY_APART	 "To talk about (more than one card apart)"
#define SUMMARY_WITHOUT	 "Without an estimate"
#define SUMMARY_AGREED	 "All votes are within one card."

/*
 * Append what is said after a story's name: "3 to 13", and unless is_short ", settled on 8, 2
 * rounds" or ", no estimate"; of a story without such a spread "skipped" or "to do".
 */
void summary_story_words(const struct summary_story *s, bool is_short, struct buf *out);
/* Append the command that exports the room. */
void summary_export_line(const struct room_summary *s, struct buf *out);
/* Append it all as lines. A failure is in the buffer's error. */
void summary_text(const struct room_summary *s, struct buf *out);

#endif
