/*
 * txn.c - a transaction on the directory: begin, run, commit, begin again, answer.
 *
 *   request --> in line --> run --TXN_MORE--> loading --loaded--> run
 *                            |
 *                            +--TXN_REFUSED, or nothing written--> answered
 *                            +--TXN_DONE--> waiting to be durable (txn_batch.c)
 *                                            |   +--failed--> run, on fresh items
 *                                            +--OK--> sessions, topics, answer
 *
 * What a run has asked for is loaded when it ends, all at once; when the last has
 * come the handler runs again from the top. Each item that its last run read is
 * a condition of the commit, so what it decided on still holds when it is
 * written. There are no locks. One that may write sees what others have written that is not durable yet
 * (txn_items.c), and is then answered only when that is, even where it is refused.
 *
 * Bounds, each with its error: TRANSACTIONS and TRANSACTIONS_IN_LINE that wait,
 * TRANSACTIONS_BYTES that all of them hold, TRANSACTION_RUNS (UNAVAILABLE: try
 * again); TRANSACTION_ITEMS, _BYTES and _PAGES of one (TOO_LARGE). The bytes of a
 * request are owed to its connection (OUT_BYTES), as in a unit of work.
 *
 * Failure: a load or commit that fails, or memory that is out, refuses the
 * request with UNAVAILABLE; nothing was written then. A connection that closes meanwhile changes nothing
 * for the transaction: it runs to its end unanswered.
 */
#include "server/core/txn/txn.h"

#include <stdlib.h>

#include "proto/base/assert.h"
#include "proto/base/format.h"
#include "server/core/conns/conn.h"
#include "server/core/txn/txn_priv.h"
#include "server/domain/session/session.h"

enum txn_step txn_refuse(struct txn *t, enum fault_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	t->fault = (struct fault){.code = code};
	(void)format_to_v(t->fault.message, sizeof(t->fault.message), format, args);
	va_end(args);
	return TXN_REFUSED;
}

enum txn_step txn_bound(struct txn *t, enum limit limit)
{
	fault_bounds(&t->fault, FAULT_RULE_COUNT, 0, t->limits[limit], limit_rows[limit].unit);
	return TXN_REFUSED;
}

/* ---- its end ---- */

void txn_due(struct server *s, struct transaction *ta)
{
	ASSERT(!ta->is_due);
	ta->is_due = true;
	LL_APPEND2(s->transactions_due, ta, due_next);
}

bool txn_hold(struct transaction *ta)
{
	struct server *s = ta->server;
	size_t holds =
		ta->owed + ta->bytes + ta->written +
		(ta->items + ta->writes_n) * (sizeof(struct live_item) + sizeof(struct item_state));
	s->transactions_bytes += holds - ta->held;
	ta->held = holds;
	return s->transactions_bytes <= MAX_TRANSACTIONS_BYTES;
}

/* Whoever has asked for it is told, once. */
static void txn_tell(struct server *s, struct transaction *ta, const void *result)
{
	txn_ended_cb *ended = ta->ended;
	ta->ended = NULL;
	if (ended != NULL) {
		ended(s, ta->ended_of, result);
	}
}

static void txn_end(struct server *s, struct transaction *ta)
{
	txn_tell(s, ta, NULL);
	txn_forget_reads(s, ta);
	txn_forget_writes(s, ta);
	s->transactions_bytes -= ta->held;
	DL_DELETE(s->transactions, ta);
	s->transactions_n--;
	txn_wait_no_more(s, ta);
	line_leave(s, ta);
	if (ta->is_due) { /* the one before it in line has ended just now */
		LL_DELETE2(s->transactions_due, ta, due_next);
	}
	if (ta->is_renewal) {
		ta->session->is_renewing = false;
	}
	session_unref(s, ta->session);
	arena_finish(&ta->request);
	arena_finish(&ta->loaded);
	arena_finish(&ta->made);
	free(ta);
}

/* A page of which something could not be read says so; what is no page is not made of pages of indexes alone. */
static void txn_mark_partial(struct transaction *ta)
{
	const struct field *f = record_field(ta->row->result, SLICE("unreadable"));
	const bool yes = true;
	if (f != NULL && txn_read_partially(ta)) {
		memcpy((char *)ta->txn.result + f->offset, &yes, sizeof(yes));
	}
}

/* @fault  instead of the result; NULL: none. */
static void txn_answer(struct server *s, struct transaction *ta, const struct fault *fault)
{
	struct conn *c = conn_find(s, ta->conn);
	if (c != NULL && ta->row != NULL) {
		c->owed -= ta->owed;
		conn_answered(s, c);
		enum method method = (enum method)(ta->row - method_rows);
		if (fault != NULL) {
			conn_refuse(s, c, method, ta->msgid, fault);
		} else {
			txn_mark_partial(ta);
			conn_result(s, c, method, ta->msgid, ta->row->result, ta->txn.result);
			txn_keep_subscription(s, c, ta);
		}
	}
	txn_tell(s, ta, fault != NULL ? NULL : ta->txn.result);
	txn_end(s, ta);
}

void txn_answer_fault(struct server *s, struct transaction *ta)
{
	struct conn *c = conn_find(s, ta->conn);
	if (c != NULL) {
		topic_settle(s, c, ta->subscription, NULL);
	}
	txn_answer(s, ta, &ta->txn.fault);
}

void txn_fail(struct server *s, struct transaction *ta)
{
	(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
			 "the server is busy; nothing was saved; try again");
	txn_answer_fault(s, ta);
}

void txn_answer_beyond(struct server *s, struct transaction *ta)
{
	const struct limit_row *row = &limit_rows[ta->beyond];
	if (ta->beyond == LIMIT_TRANSACTIONS_BYTES) {
		(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
				 "waiting requests use too much memory; try again");
	} else {
		(void)txn_refuse(&ta->txn, FAULT_TOO_LARGE,
				 "too large: at most %lld %s in one request", (long long)row->value,
				 row->unit);
		fault_bounds(&ta->txn.fault, FAULT_RULE_COUNT, 0, row->value, row->unit);
	}
	txn_answer_fault(s, ta);
}

/* What others have to do with it was applied when its publication came; what has written nothing has none. */
static bool txn_is_published(const struct server *s, const struct transaction *ta)
{
	return s->cluster != NULL && ta->writes != NULL;
}

/*
 * What it decided holds. Sessions come before the answer, so that it finds the connection as it
 * claims.
 */
static void txn_finish_done(struct server *s, struct transaction *ta)
{
	struct conn *c = conn_find(s, ta->conn);
	if (!txn_is_published(s, ta)) {
		news_apply(s, &ta->news);
	}
	txn_do_after(s, ta);
	const struct session *session = ta->has_new_session ? &ta->new_session : NULL;
	if (ta->sets_session && c != NULL && !conn_set_session(s, c, session)) {
		conn_end(s, c, "the server is out of memory; connect again");
	}
	txn_answer(s, ta, NULL);
}

/* What follows it (txn_do_after()) is lost, as if the server had ended behind the commit. */
void txn_unknown(struct server *s, struct transaction *ta)
{
	struct conn *c = conn_find(s, ta->conn);
	const struct write *w;
	news_doubt(s, &ta->news);
	LL_FOREACH (ta->writes, w) {
		txn_overtake_readers(s, w->pk, w->sk);
	}
	if (c != NULL) {
		conn_end(s, c, CONN_UNKNOWN);
	}
	txn_end(s, ta);
}

/* ---- running ---- */

/* Others were faster with what it has read: from the beginning, on what they have left. */
static void txn_begin_again(struct server *s, struct transaction *ta)
{
	txn_forget_reads(s, ta);
	ta->runs++;
	ta->begun_again++;
	if (txn_may_run_again(s, ta)) {
		s->counters.transactions_rerun++;
		txn_run(s, ta);
		return;
	}
	txn_give_up(s, ta);
}

/*
 * Whether what it has read is too old for its answer. A topic that has moved each time, up to the last run that it may
 * have, is no reason to refuse it: the subscriber is sent a reset and reads again.
 */
static bool txn_has_to_run_again(struct transaction *ta)
{
	bool has_moved = txn_topic_has_moved(ta);
	unsigned runs = ta->server->cluster == NULL ? ta->runs : ta->begun_again;
	ta->is_behind = has_moved && runs + 1 >= MAX_TRANSACTION_RUNS;
	return ta->is_overtaken || (has_moved && !ta->is_behind);
}

/* As if it had never run, but for what was loaded. */
static void txn_clear_run(struct transaction *ta)
{
	struct txn *t = &ta->txn;
	txn_unsee_reads(ta);
	txn_forget_writes(ta->server, ta);
	arena_reset(&ta->made);
	ta->news = (struct news){.publications = NULL};
	ta->news_bytes = ta->carried;
	ta->followers = NULL;
	ta->runs_later = NULL;
	ta->subscribed_at = (struct since){0};
	ta->trailers = NULL;
	ta->sets_session = false;
	ta->lacks_reads = false;
	ta->failed = OK;
	t->wall_ms = ta->server->now.wall_ms;
	t->fault = (struct fault){0};
	if (ta->result_size > 0) {
		t->result = arena_alloc(&ta->made, ta->result_size);
		ta->failed = t->result == NULL ? ERR_NOMEM : OK;
	}
	txn_refresh_reads(ta);
}

/* What its commit will bring to others; as bytes, if there are other nodes. */
static void txn_write_news(const struct server *s, struct transaction *ta)
{
	struct buf b = {.max = NEWS_BYTES_MAX};
	bool ok = true;
	txn_note_gone(ta);
	if (s->cluster == NULL) {
		return;
	}
	news_write(&ta->news, &b);
	ta->news_bytes = arena_copy(&ta->made, buf_slice(&b), &ok);
	if (b.error != OK || !ok) {
		txn_lacks_memory(ta);
	}
	buf_finish(&b);
}

/* The run is over; what it has read may not be durable yet. */
static void txn_end_run(struct server *s, struct transaction *ta)
{
	ta->is_refused = ta->is_refused || (ta->writes != NULL && !txn_take_growth(ta));
	if (ta->failed == OK && ta->is_refused) {
		txn_forget_writes(s, ta);
	}
	if (ta->failed == OK && ta->writes != NULL) {
		txn_write_news(s, ta);
	}
	if (ta->failed != OK) {
		txn_fail(s, ta);
		return;
	}
	if (ta->writes == NULL && ta->carried.len == 0 && !batch_is_needed(ta)) {
		txn_durable(s, ta);
		return;
	}
	enum err e = batch_join(s, ta);
	if (e == OK) {
		line_pass(s, ta);
	} else if (e == ERR_CONFLICT) {
		txn_begin_again(s, ta);
	} else {
		txn_fail(s, ta);
	}
}

void txn_run(struct server *s, struct transaction *ta)
{
	txn_wait_no_more(s, ta);
	txn_clear_run(ta);
	ta->is_running = true;
	enum txn_step step = ta->failed != OK ? TXN_REFUSED : once_run(ta);
	ta->is_running = false;
	ta->is_refused = step == TXN_REFUSED;

	if (ta->failed == ERR_TOO_LARGE) {
		txn_answer_beyond(s, ta);
	} else if (ta->failed != OK) {
		txn_fail(s, ta);
	} else if (step == TXN_MORE) {
		if (!txn_send_reads(s, ta)) {
			txn_fail(s, ta);
		}
	} else if (step == TXN_DONE && txn_has_to_run_again(ta)) {
		txn_begin_again(s, ta);
	} else if (step == TXN_DONE && ta->writes != NULL && !ta->sees_pending) {
		ta->sees_pending = true; /* what it has seen is no ground for a write */
		txn_forget_reads(s, ta);
		txn_run(s, ta);
	} else if (step == TXN_REFUSED && once_looks_again(ta)) {
		txn_forget_reads(s, ta);
		txn_run(s, ta);
	} else {
		txn_end_run(s, ta);
	}
}

void txn_durable(struct server *s, struct transaction *ta)
{
	if (ta->is_refused) {
		txn_answer_fault(s, ta);
	} else if (ta->writes == NULL && ta->has_run && txn_has_to_run_again(ta)) {
		ta->runs++;
		ta->begun_again++;
		line_return(ta);
		txn_again(s, ta);
	} else {
		txn_finish_done(s, ta);
	}
}

/* ---- its beginning ---- */

/* @params  of a transaction that no request began: copied. NULL when memory is out. */
static struct transaction *txn_make(struct server *s, txn_handler *run, const void *params,
				    size_t size)
{
	struct transaction *ta = calloc(1, sizeof(*ta));
	if (ta == NULL) {
		return NULL;
	}
	ta->server = s;
	ta->conn = CONN_NOBODY;
	ta->run = run;
	ta->sees_pending = true;
	ta->began_mono = s->now.mono_ms;
	ta->txn.random = &s->random;
	ta->txn.server_key = s->config.server_key;
	ta->txn.limits = s->config.limits;
	ta->txn.has_command = s->config.has_command;
	ta->txn.arena = &ta->made;
	if (size > 0) {
		void *copy = arena_alloc(&ta->request, size);
		if (copy == NULL) {
			arena_finish(&ta->request);
			free(ta);
			return NULL;
		}
		memcpy(copy, params, size);
		ta->txn.params = copy;
	}
	DL_APPEND(s->transactions, ta);
	s->transactions_n++;
	return ta;
}

/* The message again, in memory that lasts: what was decoded points into it. */
static enum err txn_take_params(struct server *s, struct transaction *ta, const struct request *rq)
{
	struct rpc_message m;
	bool ok = true;
	bool answerable = false;
	struct fault fault;
	void *params = arena_alloc(&ta->request, ta->row->params->size);
	struct slice message = arena_copy(&ta->request, rq->message, &ok);
	if (!ok || params == NULL || rpc_decode(&s->decoder, message, &m, &answerable) != OK) {
		return ERR_NOMEM;
	}
	ta->txn.params = params;
	return record_from_object(ta->row->params, m.params, RECORD_STRICT, &ta->request, params,
				  &fault);
}

void txn_request(struct server *s, struct request *rq)
{
	const struct method_row *row = &method_rows[rq->method];
	struct live_session *session = conn_session(s, rq->conn);
	struct fault fault = {0};
	if (!session_suffices(row->who, session == NULL ? NULL : &session->is, &fault)) {
		request_refuse(s, rq, &fault);
		return;
	}
	if (s->transactions_n >= MAX_TRANSACTIONS) {
		request_refuse_for(s, rq, FAULT_UNAVAILABLE,
				   "too many requests are waiting; try again");
		return;
	}
	struct transaction *ta = txn_make(s, directory_handlers[rq->method], NULL, 0);
	if (ta == NULL) {
		request_refuse_for(s, rq, FAULT_UNAVAILABLE, "the server is out of memory");
		return;
	}
	ta->row = row;
	ta->sees_pending = row->effect == EFFECT_CHANGES;
	ta->result_size = row->result->size;
	ta->conn = rq->conn->id;
	ta->msgid = rq->msgid;
	ta->txn.nonce = conn_nonce(s, rq->conn);
	if (session != NULL) {
		ta->session = session_ref(session);
		ta->txn.session = &session->is;
	}
	rq->conn->pending++;
	ta->owed = rq->message.len;
	rq->conn->owed += ta->owed;
	if (!txn_hold(ta)) {
		txn_is_beyond(ta, LIMIT_TRANSACTIONS_BYTES);
		txn_answer_beyond(s, ta);
		return;
	}
	if (txn_take_params(s, ta, rq) != OK) {
		txn_fail(s, ta);
		return;
	}
	once_begin(ta, rq->conn, param_text(rq, SHARED_IDEMPOTENCY_KEY));
	struct slice line = line_of_request(ta);
	enum err e = ta->failed != OK ? ta->failed : line_join(s, ta, line);
	if (e == ERR_TOO_LARGE) {
		(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
				 "too many requests are waiting for the same thing; try again");
		txn_answer_fault(s, ta);
	} else if (e != OK) {
		txn_fail(s, ta);
	} else if (line_is_first(ta)) {
		txn_run(s, ta);
	}
}

void txn_begin(struct server *s, struct slice line, txn_handler *run, const struct txn_next *next)
{
	struct transaction *ta = s->is_stopping || s->transactions_n >= MAX_TRANSACTIONS
					 ? NULL
					 : txn_make(s, run, next, sizeof(*next));
	if (ta == NULL) {
		return;
	}
	bool ok = true;
	((struct txn_next *)(uintptr_t)ta->txn.params)->key =
		arena_copy(&ta->request, next->key, &ok);
	if (!ok || line_join(s, ta, line) != OK) {
		txn_end(s, ta);
	} else if (line_is_first(ta)) {
		txn_due(s, ta);
	}
}

static enum txn_step carry(struct txn *t)
{
	(void)t;
	return TXN_DONE;
}

void txn_carry(struct server *s, struct slice line, const struct news *n)
{
	struct buf b = {.max = NEWS_BYTES_MAX};
	struct transaction *ta = txn_make(s, carry, NULL, 0);
	bool ok = ta != NULL;
	news_write(n, &b);
	if (ok) {
		ta->carried = arena_copy(&ta->request, buf_slice(&b), &ok);
		if (ok && b.error == OK && b.len > 0 && line_join(s, ta, line) == OK) {
			if (line_is_first(ta)) {
				txn_due(s, ta);
			}
		} else {
			txn_end(s, ta);
		}
	}
	buf_finish(&b);
}

bool txn_ask(struct server *s, struct conn *c, txn_handler *run, const void *params,
	     size_t result_size, txn_ended_cb *ended, void *of)
{
	struct live_session *session = conn_session(s, c);
	struct transaction *ta =
		s->transactions_n >= MAX_TRANSACTIONS ? NULL : txn_make(s, run, NULL, 0);
	if (ta == NULL) {
		return false;
	}
	if (session != NULL) {
		ta->session = session_ref(session);
		ta->txn.session = &session->is;
	}
	ta->sees_pending = false;
	ta->txn.params = params;
	ta->result_size = result_size;
	ta->ended = ended;
	ta->ended_of = of;
	txn_due(s, ta);
	return true;
}

bool txn_renew(struct server *s, struct live_session *session)
{
	struct transaction *ta = txn_make(s, session_renew, &session->is, sizeof(session->is));
	if (ta == NULL) {
		return false;
	}
	ta->is_renewal = true;
	ta->session = session_ref(session);
	ta->session->is_renewing = true;
	txn_due(s, ta);
	return true;
}

bool txn_end_idle(struct server *s, struct live_session *session)
{
	struct transaction *ta = txn_make(s, session_end_idle, &session->is, sizeof(session->is));
	if (ta == NULL) {
		return false;
	}
	ta->session = session_ref(session);
	txn_due(s, ta);
	return true;
}

bool txn_look_up(struct server *s, struct live_session *session)
{
	struct transaction *ta =
		s->transactions_n >= MAX_TRANSACTIONS
			? NULL
			: txn_make(s, session_look_up, &session->is, sizeof(session->is));
	if (ta == NULL) {
		return false;
	}
	ta->session = session_ref(session);
	ta->sees_pending = false;
	ta->result_size = sizeof(struct session_seen);
	ta->ended = session_looked_up;
	ta->ended_of = session;
	txn_due(s, ta);
	return true;
}

void txn_sweep(struct server *s, txn_handler *run, const struct store_item *item)
{
	struct store_item found = {.pk = item->pk, .sk = item->sk};
	struct transaction *ta = txn_make(s, run, &found, sizeof(found));
	if (ta == NULL) {
		return;
	}
	bool ok = txn_read_found(ta, item);
	struct store_item *params = (struct store_item *)(uintptr_t)ta->txn.params;
	params->pk = arena_copy(&ta->request, item->pk, &ok);
	params->sk = arena_copy(&ta->request, item->sk, &ok);
	if (ok) {
		txn_run(s, ta);
	} else {
		txn_end(s, ta);
	}
}

/* ---- turns ---- */

void txn_turn(struct server *s)
{
	/* As many as one commit may have; the others with the next turn. */
	for (size_t n = 0; s->transactions_due != NULL && n < MAX_COMMIT_TRANSACTIONS; n++) {
		struct transaction *ta = s->transactions_due;
		s->transactions_due = ta->due_next;
		ta->due_next = NULL;
		ta->is_due = false;
		if (line_is_first(ta)) { /* else it is due again when it is */
			txn_run(s, ta);
		}
	}
	batches_turn(s);
}

void txn_finish(struct server *s)
{
	batches_forget(s);
	while (s->transactions != NULL) {
		txn_end(s, s->transactions);
	}
}
