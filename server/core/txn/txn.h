/*
 * txn.h - transactions on the directory, as the rest of the core starts and feeds them.
 *
 * What a handler sees of one is server/domain/txn.h.
 */
#ifndef SERVER_CORE_TXN_TXN_H
#define SERVER_CORE_TXN_TXN_H

#include "server/core/conns/request.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/txn/session_cache.h"
#include "server/domain/directory.h"

/* A request on the directory, checked and decoded; it is answered, now or later. */
void txn_request(struct server *s, struct request *rq);

/* End a session in the table that was not used for its life, and hold it until then. False when memory is out: its time
 * ends it. */
bool txn_end_idle(struct server *s, struct live_session *session);
/* Remove an item that has expired, if it still is what was found; without memory the next sweep finds it again. */
void txn_sweep(struct server *s, txn_handler *run, const struct store_item *item);
/* Bring the table up to date with a session in use. False when memory is out. */
bool txn_renew(struct server *s, struct live_session *session);

/* A transaction that no request began, as txn_then() has it: the key is copied. Nothing where that cannot be now. */
void txn_begin(struct server *s, struct slice line, txn_handler *run, const struct txn_next *next);

/* How a transaction that was asked for ended: its result, valid during the call, or NULL where there is none. */
typedef void txn_ended_cb(struct server *s, void *of, const void *result);
/*
 * A transaction that reads, with the connection's session, for another part of the core. It begins with the next turn.
 *
 * @params       valid until it has ended
 * @result_size  of what t->result points to, zeroed
 * @ended        called once
 * False when memory is out, or too many are under way: it never ends.
 */
bool txn_ask(struct server *s, struct conn *c, txn_handler *run, const void *params, size_t result_size,
	     txn_ended_cb *ended, void *of);

/* The item is gone, durably: transactions that were given it as it was before run again. */
void txn_overtake_readers(struct server *s, struct slice pk, struct slice sk);

/* End of a turn: those run that have come to the front of their line, and busy commits go again. */
void txn_turn(struct server *s);
/* Forget all of them unanswered. */
void txn_finish(struct server *s);

/* ---- answers of the store ---- */
void txn_read_done(struct server *s, struct ticket *ticket, const struct event *e);
void txn_committed(struct server *s, struct ticket *ticket, const struct event *e);

#endif
