/*
 * narrate_result.h - what the open cards of a round say, in plain sentences.
 *
 * All text of others in it was softened when the replica took it. What does not
 * fit the buffer is in its sticky error.
 */
#ifndef CLIENT_ACTS_NARRATE_RESULT_H
#define CLIENT_ACTS_NARRATE_RESULT_H

#include "client/model/room/replica.h"
#include "proto/base/buf.h"

/* The open cards of a revealed room and what they say, as lines; also for verbs that show a room once. */
void narrate_result(const struct replica *r, struct buf *out);
/*
 * Whether those who put that card down should say why: it is the lowest or the highest, and
 * neither what is suggested nor what most have chosen.
 */
bool narrate_is_outlier(const struct room_result *result, struct slice card);
/* How sure one is of a vote, 1 to 3, in words; "" where it was not said. */
const char *narrate_sure(int64_t confidence);

#endif
