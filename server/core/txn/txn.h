/*
 * txn.h - transactions on the directory: how the rest of the core starts them and passes events
 * to them.
 *
 * The interface for handlers is server/domain/txn.h.
 */
#ifndef SERVER_CORE_TXN_TXN_H
#define SERVER_CORE_TXN_TXN_H

#include "server/core/conns/request.h"
#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/txn/session_cache.h"
#include "server/domain/directory.h"

/* Handle a request on the directory, checked and decoded; it is answered now or later. */
void txn_request(struct server *s, struct request *rq);

/*
 * End a session in the table that was idle for its whole lifetime, and hold it until that is
 * done. Returns false if memory is out: it then ends when it expires.
 */
bool txn_end_idle(struct server *s, struct live_session *session);
/*
 * Look a session up in the table, for session_looked_up(): has it ended, or was it used elsewhere?
 * Returns false if memory is out or too many transactions are running.
 */
bool txn_look_up(struct server *s, struct live_session *session);
/*
 * Remove an expired item, if it still is as it was found. If memory is out, the next sweep finds
 * it again.
 */
void txn_sweep(struct server *s, txn_handler *run, const struct store_item *item);
/* Update the table for a session in use. Returns false if memory is out. */
bool txn_renew(struct server *s, struct live_session *session);

/*
 * Start a transaction without a request, as for txn_then(); the key is copied. If that is not
 * possible, nothing happens.
 */
void txn_begin(struct server *s, struct slice line, txn_handler *run, const struct txn_next *next);

/*
 * Tell all nodes, this one too, by a commit that publishes the news and writes nothing; those with the
 * same line in the order of the calls. It is tried for as long as the server runs. Of a cluster alone; if
 * memory is out, nobody is told.
 */
struct news;
void txn_carry(struct server *s, struct slice line, const struct news *n);

/*
 * Called when a transaction of txn_ask() has ended. The result is valid during the call; NULL:
 * none.
 */
typedef void txn_ended_cb(struct server *s, void *of, const void *result);
/*
 * Start a transaction that only reads, with the connection's session, for another part of the
 * core. It begins with the next turn.
 *
 * @params       valid until it has ended
 * @result_size  size of *t->result, which is zeroed
 * @ended        called once
 *
 * Returns false if memory is out or too many transactions are running; `ended` is then not
 * called.
 */
bool txn_ask(struct server *s, struct conn *c, txn_handler *run, const void *params, size_t result_size,
	     txn_ended_cb *ended, void *of);

/* An item was durably deleted: transactions that have read it run again. */
void txn_overtake_readers(struct server *s, struct slice pk, struct slice sk);
/* The same for those alone that subscribe to a topic: the subscription may depend on the item. */
void txn_overtake_subscribers(struct server *s, struct slice pk, struct slice sk);
/*
 * The session has ended: a transaction that reads it must not give it to a connection; nor must the
 * one that has begun it, where it does not know yet that its commit was made.
 */
void txn_overtake_session(struct server *s, const struct key_text *token_hash);
/* What was read may be older than what was missed: all transactions that are reading run again. */
void txn_overtake_all(struct server *s);

/* Run those again whose wait is over. */
void txn_tick(struct server *s);
/* Return when txn_tick() has something to do, on the monotonic clock; INT64_MAX: never. */
int64_t txn_deadline(const struct server *s);

/*
 * At the end of a turn: run the transactions that have reached the front of their line, and send
 * commits again that found the store busy.
 */
void txn_turn(struct server *s);
/* Discard all transactions without answers. */
void txn_finish(struct server *s);

/* ---- answers of the store ---- */
void txn_read_done(struct server *s, struct ticket *ticket, const struct event *e);
void txn_committed(struct server *s, struct ticket *ticket, const struct event *e);

#endif
