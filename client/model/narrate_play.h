/*
 * narrate_play.h - sentences about stories, policy, countdowns, timers and results.
 *
 * narrate.c's other half; nobody else needs it.
 */
#ifndef CLIENT_MODEL_NARRATE_PLAY_H
#define CLIENT_MODEL_NARRATE_PLAY_H

#include "client/model/replica.h"
#include "proto/buf.h"

struct narrate_play;

/* What is told now, to compare with later; NULL when memory is out. */
struct narrate_play *narrate_play_copy(const struct replica *r);
/* NULL is fine. */
void narrate_play_destroy(struct narrate_play *p);

/* What is new since, as lines; was may not be NULL. The buffer's sticky error tells of failure. */
void narrate_play_changes(const struct narrate_play *was, const struct replica *r, struct buf *out);
/* The same for what follows from votes, which are told before: countdowns and outcomes. */
void narrate_play_reveal(const struct narrate_play *was, const struct replica *r, struct buf *out);
/* How many stories there are, what is voted on, what runs; nothing where there is nothing of it. */
void narrate_play_state(const struct replica *r, struct buf *out);
/* Who speaks first, and what the votes suggest; nothing without a result. */
void narrate_play_result(const struct replica *r, struct buf *out);

#endif
