/*
 * story_words.h - the votes on a story that is open together with others, in words; for screens and verbs.
 *
 * Text of others was softened by the replica. If the buffer is full, its error says so.
 */
#ifndef CLIENT_ACTS_STORY_WORDS_H
#define CLIENT_ACTS_STORY_WORDS_H

#include "client/model/room/replica.h"
#include "client/model/room/story_find.h"
#include "proto/base/buf.h"

/* Whether there are enough votes, all within one card, so that round.settle_agreed settles the story. */
bool story_votes_agree(const struct replica *r, const struct story_votes *votes);
/*
 * Append what is known of the votes: "3 voted"; once revealed "5, agreed" or "3 to 13", "5, 1 of 3 needed"
 * below the quorum, or "no votes".
 */
void story_votes_summary(const struct replica *r, const struct story_votes *votes, struct buf *out);
/*
 * Append the revealed votes, a line for each card in the order of the deck, "5  Ada, Grace", and
 * one for each comment, "Ada: two teams". Without names: "5  2 votes".
 */
void story_votes_lines(const struct replica *r, const struct story_votes *votes, struct buf *out);
/*
 * Append how long an open story still waits for votes, "26 h left", short "26h"; nothing if it has no deadline of its own.
 * @now_ms  the server's time; 0: not known.
 */
void story_ends_in(const struct replica *r, const struct story_view *s, int64_t now_ms, bool is_short, struct buf *out);
/*
 * Append the question before all that agree are settled: "Settle 2 stories: PAY-1, PAY-3? 1 lacks a quorum".
 * Returns false, and appends nothing, if there is none to settle.
 */
bool story_settle_question(const struct replica *r, struct buf *out);
/*
 * Append what became of them all: "Settled 7 stories; 3 left to talk about, 1 lacks a quorum". Of those left
 * that are still hidden it says so. The room may be as before, or as after.
 */
void story_settled_line(const struct replica *r, const struct round_settle_agreed_result *done, struct buf *out);
/* Append on how many of the open stories each voter has voted: "Ada 3, Grace 12"; nothing if hidden. */
void story_voters_line(const struct replica *r, struct buf *out);
/* Append "5 was: PAY-2, PAY-9", stories of other rooms to compare with. */
void story_references_line(const struct group_references_result *r, struct buf *out);
/* The story's key, else its title. Returns out->text. */
const char *story_short(const struct story_view *s, struct story_name *out);
/* The place of the next story that waits for the user's vote, after `at`, then from the first; r->stories.n: none. */
size_t stories_next_unvoted(const struct replica *r, size_t at);
/* Append the line "You have voted on 3 of 12 stories; next: PAY-4 Refund."; nothing if none is open. */
void stories_progress(const struct replica *r, struct buf *out);

#endif
