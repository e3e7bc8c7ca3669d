/*
 * narrate_result.h - the result of a revealed round in plain sentences.
 *
 * Text of others was softened by the replica. If the buffer is full, its error says so.
 */
#ifndef CLIENT_ACTS_NARRATE_RESULT_H
#define CLIENT_ACTS_NARRATE_RESULT_H

#include "client/model/room/replica.h"
#include "proto/base/buf.h"

/*
 * Append the votes of a revealed round and their result, as lines; also for verbs that show a room
 * once.
 */
void narrate_result(const struct replica *r, struct buf *out);
/*
 * Whether the members with this card should explain it: it is the lowest or the highest, and
 * neither the suggested card nor the most frequent one.
 */
bool narrate_is_outlier(const struct room_result *result, struct slice card);
/* The words for the confidence of a vote, 1 to 3; "" for 0, none. */
const char *narrate_sure(int64_t confidence);

#endif
