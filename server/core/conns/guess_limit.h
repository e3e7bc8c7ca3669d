/*
 * guess_limit.h - limits on wrong codes: those of rooms and invitations together (code_guess.c),
 * and what a try of a room's code is (guess_limit.c).
 */
#ifndef SERVER_CORE_CONNS_GUESS_LIMIT_H
#define SERVER_CORE_CONNS_GUESS_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/base/fault.h"

struct conn;
struct partition;
struct request;
struct server;

/* Return the ms until the connection may guess again; 0: now. */
int64_t guess_wait_ms(const struct server *s, const struct conn *c);
/* Return whether the connection may guess now; if not, false with *fault RATE_LIMITED. */
bool guess_may(struct server *s, const struct conn *c, struct fault *fault);
/* Count a wrong guess of a connection that had one left. */
void guess_count(struct server *s, const struct conn *c);

/*
 * A request on a room by a caller without proof is a guess of its code. Only if the room does not
 * exist, or does not admit the caller, does the guess cost a token of the caller's address. While
 * no token is left, callers without proof are refused, whether the room exists or not.
 */
/*
 * Return whether the request contains something that may prove a right to enter; it is then
 * handled even without a token.
 */
bool guess_has_claim(const struct request *rq);
/*
 * Count a wrong guess. Not counted: a room.join after a room.subscribe that was counted, and a
 * request that waited for the same load of the room as a counted one.
 *
 * @room_id  "" for text that cannot be a code
 *
 * Returns false with *fault RATE_LIMITED if no token is left.
 */
bool guess_miss(struct server *s, const struct request *rq, const char *room_id, struct fault *fault);
/*
 * Return the partition of a guessed code. For each address, only some rooms that are not in
 * memory are loaded at a time; the others wait. NULL with *fault: as partition_get(), or too many
 * are waiting.
 */
struct partition *guess_partition(struct server *s, const struct conn *c, const char *room_id, struct fault *fault);
/*
 * A room in memory would refuse a guess faster than one that must be looked up: let the request
 * wait for a load that finds nothing. Returns false if it need not wait, or has waited, and is to
 * be refused.
 */
bool guess_wait_for_nothing(struct server *s, struct request *rq, const char *room_id, struct fault *fault);
/* The partition does not wait any more, and is not loaded for anyone's guess. */
void guess_load_forget(struct partition *p);
/* The same, because its load has ended; start the next waiting load. */
void guess_load_ended(struct server *s, struct partition *p);

#endif
