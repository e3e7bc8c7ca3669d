/*
 * request.c - one message: decode, check, hand it to what it acts on.
 *
 * Everything about a method that is not its rule comes from its row: which caller may
 * call, where it acts, whether a repeat is recognised. What is refused here
 * depends on no room, and leaves at once.
 */
#include "server/core/request.h"

#include "server/core/conn.h"
#include "server/core/rate_limit.h"
#include "server/core/room_partition.h"
#include "server/core/server_priv.h"
#include "server/core/session_cache.h"
#include "server/core/subscription.h"
#include "server/core/txn.h"
#include "server/domain/directory.h"

void request_refuse(struct server *s, const struct request *rq, const struct fault *fault)
{
	if (rq->parked_in != NULL) {
		conn_answered(s, rq->conn);
	}
	conn_refuse(s, rq->conn, rq->method, rq->msgid, fault);
}

void request_refuse_for(struct server *s, const struct request *rq, enum fault_code code,
			const char *message)
{
	struct fault fault = {0};
	fault_set(&fault, code, "%s", message);
	request_refuse(s, rq, &fault);
}

/* The rate, the method, the caller and the params, in that order. */
static bool request_read(struct server *s, struct request *rq, const struct rpc_message *m,
			 struct fault *fault)
{
	struct conn *c = rq->conn;
	const int64_t rate = server_limit(s, LIMIT_REQUESTS_PER_SECOND);
	rq->method = method_find(m->method);
	if (rq->parked_in == NULL && !c->is_owner &&
	    !bucket_take(&c->requests, s->now.mono_ms, rate, 1000, 2 * rate)) {
		fault_set(fault, FAULT_RATE_LIMITED, "more than %lld requests a second",
			  (long long)rate);
		fault->retry_after_ms =
			bucket_wait_ms(&c->requests, s->now.mono_ms, rate, 1000, 2 * rate);
		return false;
	}
	if (rq->method == METHOD_COUNT) {
		fault_set(fault, FAULT_UNKNOWN_METHOD,
			  "there is no method of that name; see the protocol reference");
		return false;
	}
	const struct method_row *row = &method_rows[rq->method];
	rq->shared = s->shared.of[rq->method];
	if (row->who != WHO_ANYONE && !c->is_greeted) {
		fault_set(fault, FAULT_UNAUTHENTICATED, "call session.hello first");
		return false;
	}
	if (row->who == WHO_OWNER && !c->is_owner) {
		fault_set(fault, FAULT_FORBIDDEN,
			  "only the server's own user may ask, over its unix socket");
		return false;
	}
	if (row->who == WHO_KIOSK && !conn_is_kiosk(s, c)) {
		fault_set(fault, FAULT_FORBIDDEN,
			  "who has an ssh key only the ssh kiosk of this host may say, over the "
			  "unix socket (ayed --kiosk-user)");
		return false;
	}
	if (s->is_stopping && row->where != WHERE_NOWHERE) {
		fault_set(fault, FAULT_UNAVAILABLE, "the server is stopping");
		return false;
	}
	enum err e = record_from_object(row->params, m->params, RECORD_STRICT, &s->decoded,
					&rq->params, fault);
	if (e == ERR_NOMEM) {
		fault_set(fault, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	return e == OK;
}

void request_take_again(struct server *s, struct request *rq)
{
	struct rpc_message m;
	struct fault fault = {0};
	bool answerable = false;
	rq->method = METHOD_COUNT; /* not known yet */
	enum err e = rpc_decode(&s->decoder, rq->message, &m, &answerable);
	if (e == OK && m.kind != RPC_REQUEST) {
		return; /* notifications and answers to what we never asked: nothing to answer, nothing
			   to do */
	}
	if (e != OK && !answerable) {
		if (e == ERR_NOMEM) {
			conn_end(s, rq->conn, "the server is out of memory; connect again");
		} else {
			conn_break(s, rq->conn, CONN_NO_MESSAGE);
		}
		return;
	}
	rq->msgid = m.msgid;
	if (e != OK) {
		request_refuse_for(
			s, rq, FAULT_VALIDATION_ERROR,
			"a request is [0, msgid, \"method\", [{params}]]: its params are one map "
			"of named fields");
		return;
	}
	arena_reset(&s->decoded);
	(void)conn_session(s, rq->conn); /* any call is use of the session */
	if (!request_read(s, rq, &m, &fault)) {
		request_refuse(s, rq, &fault);
		return;
	}
	enum method_where where = method_rows[rq->method].where;
	if (directory_handlers[rq->method] != NULL) {
		txn_request(s, rq);
	} else if (where == WHERE_ROOM) {
		request_room(s, rq);
	} else if (where == WHERE_NEW_ROOM) {
		request_new_room(s, rq);
	} else {
		connection_call(s, rq);
	}
}

void request_take(struct server *s, struct conn *c, struct slice message)
{
	struct request rq = {.conn = c, .message = message};
	s->counters.requests_total++;
	request_take_again(s, &rq);
}
