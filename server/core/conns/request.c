/*
 * request.c - one message: decode, check, hand it to what it acts on.
 *
 * Everything about a method that is not its rule comes from its row: which caller may
 * call, where it acts, whether a repeat is recognised. What is refused here
 * depends on no room, and leaves at once.
 */
#include "server/core/conns/request.h"

#include "server/core/cluster/cluster.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/rate_limit.h"
#include "server/core/rooms/subscription.h"
#include "server/core/server_priv.h"
#include "server/core/txn/session_cache.h"
#include "server/core/txn/txn.h"
#include "server/domain/directory.h"

/* ---- fields that many params share ---- */

void shared_fields_find(struct shared_fields *all)
{
#define SHARED_NAME(symbol, name) [SHARED_##symbol] = {name, sizeof(name) - 1},
	static const struct slice names[SHARED_COUNT] = {SHARED_FIELDS(SHARED_NAME)};
#undef SHARED_NAME
	for (enum method m = 0; m < METHOD_COUNT; m++) {
		for (enum shared_field i = 0; i < SHARED_COUNT; i++) {
			const struct field *f = record_field(method_rows[m].params, names[i]);
			all->of[m][i] = f != NULL && f->kind == FIELD_STR ? f : NULL;
		}
	}
}

struct slice param_text(const struct request *rq, enum shared_field which)
{
	struct slice value = {0};
	const struct field *f = rq->shared[which];
	if (f != NULL && field_with(f, &rq->params)) {
		memcpy(&value, field_member(f, &rq->params), sizeof(value));
	}
	return value;
}

/* ---- refusing ---- */

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

bool request_is_of_user(const struct method_row *row)
{
	return row->who == WHO_USER || row->who == WHO_KEYED;
}

/* ---- one message ---- */

/* What is short others choose as well: it is taken where nobody else's repeat can be meant. */
static bool request_has_own_key(struct server *s, const struct request *rq, struct fault *fault)
{
	const struct method_row *row = &method_rows[rq->method];
	struct slice key = param_text(rq, SHARED_IDEMPOTENCY_KEY);
	bool is_by_caller =
		row->where == WHERE_ROOM || row->where == WHERE_NEW_ROOM || request_is_of_user(row);
	if (key.len == 0 || key.len >= MAX_ONCE_BYTES_MIN ||
	    (is_by_caller && conn_user(s, rq->conn).is_keyed)) {
		return true;
	}
	fault_field(fault, "idempotency_key",
		    "must be 16 to 64 bytes long, as you are not logged in with a key");
	fault_bounds(fault, FAULT_RULE_LENGTH, MAX_ONCE_BYTES_MIN, 64, "bytes");
	return false;
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
			  "unknown method; see the protocol reference");
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
			  "only the server's own user can do that, over its unix socket");
		return false;
	}
	if (row->who == WHO_KIOSK && !conn_is_kiosk(s, c)) {
		fault_set(fault, FAULT_FORBIDDEN,
			  "only the ssh kiosk of this host can do that, over the unix socket (ayed "
			  "--kiosk-user)");
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
	return e == OK && request_has_own_key(s, rq, fault);
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
	if (s->is_refusing && rq->parked_in == NULL) {
		cluster_refuse(s, rq);
		return;
	}
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
