/*
 * guess_limit.h - how often a peer may try room codes.
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

/*
 * A request on a room by a caller that has proved nothing yet is a guess of its
 * code. It costs a token of the caller's address where the room does not exist
 * or does not let the caller in, and nothing else does; a caller without proof
 * is refused while no token is left, whether the room exists or not.
 */
/* Whether the request carries what may prove to be a right to enter; such a request is handled even without a token. */
bool guess_has_claim(const struct request *rq);
/*
 * The guess was wrong. A room.join that comes behind a room.subscribe that was,
 * and a request that waited for the same load of the room as one that has paid,
 * are no guesses of their own.
 * @room_id  "" for what can be no code
 * False, with *fault RATE_LIMITED, where no token is left.
 */
bool guess_miss(struct server *s, const struct request *rq, const char *room_id, struct fault *fault);
/*
 * The partition that is guessed at. Of rooms that are not in memory only some
 * are loaded at a time for one address; the others wait for those.
 * NULL with *fault: as partition_get(), or too many wait.
 */
struct partition *guess_partition(struct server *s, const struct conn *c, const char *room_id, struct fault *fault);
/*
 * A room that is in memory would refuse the guess sooner than one that has to be
 * looked for: the request waits for a load that finds nothing.
 * False where it need not, or not any more, and is to be refused.
 */
bool guess_wait_for_nothing(struct server *s, struct request *rq, const char *room_id, struct fault *fault);
/* The partition waits no more, and nothing is loaded on behalf of anybody. */
void guess_load_forget(struct partition *p);
/* The same, because it has been loaded or could not be; the next that waits is loaded. */
void guess_load_ended(struct server *s, struct partition *p);

#endif
