/*
 * narrate_open.h - stories that are open together, and what became of the votes on them, in plain
 * sentences. The story at the table is narrate.c's.
 *
 * An update is one line for each thing that happened, with the stories it happened to: the first few by
 * name, or only how many. If the buffer is full, its error says so.
 */
#ifndef CLIENT_ACTS_NARRATE_OPEN_H
#define CLIENT_ACTS_NARRATE_OPEN_H

#include "client/model/room/replica.h"
#include "proto/base/buf.h"

/*
 * Append what others did: voted, and what was revealed, hidden or settled.
 *
 * @by         "Ada: ", of whose deed it was; "": not known.
 * @skips_own  the own votes are told by narrate_own_open_votes().
 */
void narrate_open_votes(const struct replica *was, const struct replica *r, const char *by,
			bool skips_own, struct buf *out);
/* Return whether the estimate of the story is told there. */
bool narrate_open_tells(const struct replica *was, const struct replica *r,
			const struct story_view *s);
/* Append what became of the own votes, and then, or if `is_first`, the progress: "You have voted on 3 of 12 stories". */
void narrate_own_open_votes(const struct replica *was, const struct replica *r, bool is_first,
			    struct buf *out);

#endif
