/*
 * txn.c - transactions on the directory: load, run, commit, run again, answer.
 *
 *   request --> in line --> run --TXN_MORE--> loading --loaded--> run
 *                            |                                     ^
 *                            +--TXN_REFUSED--> answered            |
 *                            +--TXN_DONE, nothing written--> answered
 *                            +--TXN_DONE--> committing --CONFLICT--+  (on fresh items)
 *                                            |   ^ BUSY, UNKNOWN: the same token again
 *                                            +--OK--> sessions, answer
 *
 * Reads begin when the handler asks for them and all at once; when the last has
 * come the handler runs again from the top. Each item that its last run read is
 * a condition of the commit, so what it decided on still holds when it is
 * written. Transactions whose method names the same partition wait in line for
 * each other, so that many requests on one item are many commits and not many
 * conflicts; a method that only reads never waits. There are no locks.
 *
 * Failure: a load or commit that fails, or memory that is out, refuses the
 * request with UNAVAILABLE; nothing was written then. A connection that closes
 * meanwhile changes nothing for the transaction: it runs to its end unanswered.
 */
#include "server/core/txn.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"
#include "proto/format.h"
#include "server/core/conn.h"
#include "server/core/rate_limit.h"
#include "server/core/request.h"
#include "server/core/server_priv.h"
#include "server/core/session_cache.h"
#include "server/core/ticket.h"
#include "server/core/topic.h"
#include "server/domain/session/session.h"

/* How often a transaction that others overtake begins again. */
#define TXN_RUNS_MAX 8

/* What a transaction reads: one item, or what an index lists. */
struct read {
	struct ticket ticket;
	struct transaction *owner;
	struct read *next;
	bool is_query;
	bool is_loaded;
	bool is_used;	     /* by the run that is the last so far */
	enum index_id index; /* of a query */
	struct slice pk, sk; /* of a query: its partition, nothing */
	size_t limit;
	struct store_item *items; /* copies; an item that exists is one */
	size_t n;
	const void *decoded; /* of an item that exists */
};

struct write {
	bool is_delete;
	bool is_new; /* must not exist */
	struct slice pk, sk, value;
	struct write *next;
};

/* What subscribers are sent when the transaction is durable. */
struct publication {
	struct slice pk;
	enum notice notice;
	struct topic_stamp *record;
	struct publication *next;
};

/* A session that is over when the transaction is durable. */
struct ending {
	struct key_text token_hash;
	struct ending *next;
};

/* Those that wait for one partition, the first of them running. */
struct line {
	struct transaction *first, *last;
	UT_hash_handle hh; /* by key */
	size_t len;
	char key[];
};

/* Life: txn_make() .. txn_end(), which every answer calls. */
struct transaction {
	struct txn txn; /* first: what the handler is given */
	struct server *server;
	struct transaction *next, *prev; /* of the server */
	struct conn_id conn;
	uint32_t msgid;
	const struct method_row *row; /* NULL: no request began it */
	txn_handler *run;
	struct live_session
		*session; /* of the connection when the request came; or the one to be renewed */
	bool is_renewal;

	struct line *line; /* NULL: it waits for nobody */
	struct transaction *line_next;

	unsigned runs;	  /* that ended with a conflict */
	unsigned loading; /* reads that have not come */
	bool is_running;
	bool is_short_of_memory;
	bool lacks_reads; /* something was asked for in this run and is not loaded */
	bool to_resend;	  /* the store was busy: the same commit goes again */
	bool is_due;	  /* to run, or to be sent again, with the next turn */
	struct transaction *due_next;
	uint64_t asked[2]; /* a bit for each limit of the address that was asked for it */
	size_t items;
	size_t bytes;
	struct ticket commit;
	struct store_token token;

	struct arena request; /* message and params: as long as the transaction */
	struct arena loaded;  /* reads and their items: until it begins again */
	struct arena made;    /* by one run */
	struct read *reads;
	struct write *writes;
	size_t writes_n;
	struct store_op *ops;
	size_t ops_n;
	struct ending *endings;
	struct publication *publications;
	struct slice topic; /* that its connection subscribes to; empty: none */
	uint64_t subscription;
	enum err subscribed;
	int64_t topic_version; /* when its reads began */
	bool sets_session;
	bool has_new_session; /* or its connection has none from then on */
	struct session new_session;
};

static struct transaction *transaction_of(const struct txn *t)
{
	return (struct transaction *)(void *)(uintptr_t)t;
}

/* ---- what a handler asks for ---- */

/* PK or SK: the kind's text and what the caller adds. */
static struct slice join(struct transaction *ta, struct arena *arena, const char *prefix,
			 size_t len, struct slice rest)
{
	char *text = arena_alloc(arena, len + rest.len + 1);
	if (text == NULL) {
		ta->is_short_of_memory = true;
		return (struct slice){0};
	}
	memcpy(text, prefix, len);
	memcpy(text + len, rest.len == 0 ? "" : rest.data, rest.len);
	return slice_of(text, len + rest.len);
}

static void item_key(struct transaction *ta, struct arena *arena, enum item_kind kind,
		     struct slice pk, struct slice sk, struct slice *out_pk, struct slice *out_sk)
{
	const struct item_row *row = &item_rows[kind];
	ASSERT((row->match == ITEM_SK_EXACT) == (sk.len == 0));
	*out_pk = join(ta, arena, row->pk_prefix, row->pk_prefix_len, pk);
	*out_sk = join(ta, arena, row->sk, row->sk_len, sk);
}

static struct read *read_find(struct transaction *ta, struct slice pk, struct slice sk)
{
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (!r->is_query && slice_eq(r->pk, pk) && slice_eq(r->sk, sk)) {
			return r;
		}
	}
	return NULL;
}

/* Send for it; false when memory is out. */
static bool read_begin(struct transaction *ta, struct read *r)
{
	struct server *s = ta->server;
	struct effect fx = {
		.kind = r->is_query ? FX_QUERY : FX_LOAD,
		.load = {.pk = r->pk, .sk_prefix = r->sk, .is_exact = true},
		.query = {.index = r->index,
			  .partition = r->pk,
			  .to = INT64_MAX,
			  .limit = r->limit},
	};
	if (!ticket_open(s, &r->ticket, TICKET_READ)) {
		return false;
	}
	fx.ticket = r->ticket.number;
	if (!server_effect(s, &fx)) {
		ticket_close(s, &r->ticket);
		return false;
	}
	r->owner = ta;
	LL_APPEND(ta->reads, r);
	ta->loading++;
	ta->items++;
	return true;
}

static struct read *read_new(struct transaction *ta)
{
	struct read *r = arena_alloc(&ta->loaded, sizeof(*r));
	if (r == NULL) {
		ta->is_short_of_memory = true;
	}
	return r;
}

static void read_want(struct transaction *ta, struct read *r)
{
	r->is_used = true;
	ta->lacks_reads = true;
	if (ta->is_short_of_memory || !read_begin(ta, r)) {
		ta->is_short_of_memory = true;
	}
}

const void *txn_get(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct slice item_pk, item_sk;
	ASSERT(ta->is_running);
	item_key(ta, &ta->made, kind, pk, sk, &item_pk, &item_sk);
	ASSERT(!slice_starts(item_pk, slice_str(item_rows[ITEM_ROOM].pk_prefix)));
	struct read *r = read_find(ta, item_pk, item_sk);
	if (r != NULL) {
		r->is_used = true;
		ta->lacks_reads = ta->lacks_reads || !r->is_loaded;
		return r->decoded;
	}
	r = read_new(ta);
	if (r != NULL) {
		item_key(ta, &ta->loaded, kind, pk, sk, &r->pk, &r->sk);
		read_want(ta, r);
	}
	return NULL;
}

struct txn_items txn_query(struct txn *t, enum index_id index, struct slice partition, size_t limit)
{
	struct transaction *ta = transaction_of(t);
	struct read *r;
	ASSERT(ta->is_running);
	LL_FOREACH (ta->reads, r) {
		if (r->is_query && r->index == index && slice_eq(r->pk, partition)) {
			ta->lacks_reads = ta->lacks_reads || !r->is_loaded;
			return (struct txn_items){r->items, r->n};
		}
	}
	r = read_new(ta);
	if (r != NULL) {
		r->is_query = true;
		r->index = index;
		r->limit = limit;
		r->pk = join(ta, &ta->loaded, "", 0, partition);
		read_want(ta, r);
	}
	return (struct txn_items){.n = 0};
}

static enum err decode(const struct store_item *item, struct arena *arena, const void **out)
{
	struct fault fault;
	enum item_kind kind = item_kind_of(item->pk, item->sk);
	if (kind == ITEM_COUNT) {
		return ERR_CORRUPT;
	}
	const struct record *rec = item_rows[kind].record;
	void *decoded = arena_alloc(arena, rec->size);
	if (decoded == NULL) {
		return ERR_NOMEM;
	}
	enum err e = record_from_bytes(rec, item->value, RECORD_LENIENT, arena, decoded, &fault);
	*out = e == OK ? decoded : NULL;
	return e == OK || e == ERR_NOMEM ? e : ERR_CORRUPT;
}

const void *txn_decode(struct txn *t, const struct store_item *item)
{
	const void *out = NULL;
	struct transaction *ta = transaction_of(t);
	if (decode(item, &ta->made, &out) == ERR_NOMEM) {
		ta->is_short_of_memory = true;
	}
	return out;
}

struct slice txn_copy(struct txn *t, struct slice text)
{
	struct transaction *ta = transaction_of(t);
	bool ok = true;
	struct slice copy = arena_copy(&ta->made, text, &ok);
	ta->is_short_of_memory = ta->is_short_of_memory || !ok;
	return copy;
}

bool txn_is_loading(const struct txn *t)
{
	const struct transaction *ta = transaction_of(t);
	return ta->lacks_reads || ta->is_short_of_memory;
}

/* ---- what a handler writes ---- */

static struct write *write_to(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct transaction *ta = transaction_of(t);
	struct slice item_pk, item_sk;
	struct write *w;
	ASSERT(ta->is_running && !ta->lacks_reads);
	item_key(ta, &ta->made, kind, pk, sk, &item_pk, &item_sk);
	LL_FOREACH (ta->writes, w) {
		if (slice_eq(w->pk, item_pk) && slice_eq(w->sk, item_sk)) {
			return w; /* the last word on an item holds */
		}
	}
	w = arena_alloc(&ta->made, sizeof(*w));
	if (w == NULL || ta->is_short_of_memory) {
		ta->is_short_of_memory = true;
		return NULL;
	}
	w->pk = item_pk;
	w->sk = item_sk;
	LL_APPEND(ta->writes, w);
	ta->writes_n++;
	return w;
}

/* Every item's record begins with its times: F_ITEM_TIMES. */
struct item_times {
	int64_t created_on;
	bool with_created_on;
	int64_t updated_on;
	bool with_updated_on;
};

static void write_item(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk,
		       void *item, bool is_new)
{
	struct transaction *ta = transaction_of(t);
	struct write *w = write_to(t, kind, pk, sk);
	if (w == NULL) {
		return;
	}
	const struct read *r = read_find(ta, w->pk, w->sk);
	struct item_times *times = item;
	times->created_on = r != NULL && r->decoded != NULL
				    ? ((const struct item_times *)r->decoded)->created_on
				    : t->wall_ms;
	times->updated_on = t->wall_ms;
	bool ok = true;
	struct buf b = {.max = MAX_FRAME_BYTES};
	record_write(item_rows[kind].record, item, &b);
	w->is_delete = false;
	w->is_new = is_new;
	w->value = b.error == OK ? arena_copy(&ta->made, buf_slice(&b), &ok) : (struct slice){0};
	ta->is_short_of_memory = ta->is_short_of_memory || b.error != OK || !ok;
	ta->bytes += b.len;
	buf_finish(&b);
}

void txn_put(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item)
{
	write_item(t, kind, pk, sk, item, false);
}

void txn_put_new(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item)
{
	write_item(t, kind, pk, sk, item, true);
}

void txn_delete(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk)
{
	struct write *w = write_to(t, kind, pk, sk);
	if (w != NULL) {
		w->is_delete = true;
		w->is_new = false;
	}
}

enum txn_step txn_refuse(struct txn *t, enum fault_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	t->fault = (struct fault){.code = code};
	(void)format_to_v(t->fault.message, sizeof(t->fault.message), format, args);
	va_end(args);
	return TXN_REFUSED;
}

/* ---- topics ---- */

static struct slice topic_key(struct transaction *ta, struct arena *arena, enum item_kind kind,
			      struct slice pk)
{
	return join(ta, arena, item_rows[kind].pk_prefix, item_rows[kind].pk_prefix_len, pk);
}

int64_t txn_subscribe(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (ta->topic.len == 0 && c != NULL) {
		ta->topic = topic_key(ta, &ta->request, kind, pk);
		ta->subscribed =
			topic_subscribe(ta->server, c, ta->topic, notice, &ta->subscription);
		ta->topic_version = topic_version(ta->server, ta->topic);
	}
	return ta->topic_version > 0 ? ta->topic_version : 1;
}

void txn_unsubscribe(struct txn *t, enum item_kind kind, struct slice pk)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	if (c != NULL) {
		topic_unsubscribe(ta->server, c, topic_key(ta, &ta->made, kind, pk));
	}
}

void txn_publish(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice,
		 const void *record)
{
	struct transaction *ta = transaction_of(t);
	struct publication *p = arena_alloc(&ta->made, sizeof(*p));
	void *copy = arena_alloc(&ta->made, notice_rows[notice].record->size);
	if (p == NULL || copy == NULL) {
		ta->is_short_of_memory = true;
		return;
	}
	memcpy(copy, record, notice_rows[notice].record->size);
	p->pk = topic_key(ta, &ta->made, kind, pk);
	p->notice = notice;
	p->record = copy;
	LL_APPEND(ta->publications, p);
}

/* ---- the caller's address ---- */

static struct bucket *bucket_of(struct address *a, enum limit limit)
{
	if (a == NULL) {
		return NULL;
	}
	return limit == LIMIT_LOGINS_PER_MINUTE ? &a->logins : &a->login_misses;
}

/* True the first time that it is asked for the limit, however often the transaction runs. */
static bool is_first_asked(struct transaction *ta, enum limit limit)
{
	_Static_assert(LIMIT_COUNT <= 128, "two words hold a bit for each limit");
	uint64_t *word = &ta->asked[limit / 64];
	uint64_t bit = UINT64_C(1) << (limit % 64);
	bool is_first = (*word & bit) == 0;
	*word |= bit;
	return is_first;
}

bool txn_take(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct conn *c = conn_find(ta->server, ta->conn);
	return c == NULL || !is_first_asked(ta, limit) ||
	       address_may(ta->server, c, bucket_of(c->address, limit), limit, what, &t->fault);
}

bool txn_may_guess(struct txn *t, enum limit limit, const char *what)
{
	struct transaction *ta = transaction_of(t);
	struct server *s = ta->server;
	struct conn *c = conn_find(s, ta->conn);
	struct bucket *b = c == NULL ? NULL : bucket_of(c->address, limit);
	int64_t rate = server_limit(s, limit);
	int64_t wait_ms = b == NULL ? 0 : bucket_wait_ms(b, s->now.mono_ms, rate, 60000, rate);
	if (!is_first_asked(ta, limit) || wait_ms == 0) {
		return true;
	}
	s->counters.rate_limited++;
	(void)txn_refuse(t, FAULT_RATE_LIMITED, "%s", what);
	t->fault.retry_after_ms = wait_ms;
	return false;
}

enum txn_step txn_refuse_guess(struct txn *t, enum limit limit, const char *message)
{
	struct transaction *ta = transaction_of(t);
	struct server *s = ta->server;
	struct conn *c = conn_find(s, ta->conn);
	struct bucket *b = c == NULL ? NULL : bucket_of(c->address, limit);
	s->counters.login_misses++;
	if (b != NULL) {
		(void)bucket_take(b, s->now.mono_ms, server_limit(s, limit), 60000, INT32_MAX);
	}
	return txn_refuse(t, FAULT_UNAUTHENTICATED, "%s", message);
}

/* ---- sessions ---- */

bool txn_session_is_live(const struct txn *t, struct slice token_hash, int64_t expires_at)
{
	return session_is_live(transaction_of(t)->server, token_hash, expires_at);
}

void txn_keep_session(struct txn *t, struct slice token_hash)
{
	session_keep(transaction_of(t)->server, token_hash);
}

void txn_set_session(struct txn *t, const struct session *session)
{
	struct transaction *ta = transaction_of(t);
	ta->sets_session = true;
	ta->has_new_session = session != NULL;
	if (session != NULL) {
		ta->new_session = *session;
	}
}

void txn_end_session(struct txn *t, struct slice token_hash)
{
	struct transaction *ta = transaction_of(t);
	struct ending *e = arena_alloc(&ta->made, sizeof(*e));
	if (e == NULL) {
		ta->is_short_of_memory = true;
	} else if (token_hash.len == KEY_CHARS) {
		memcpy(e->token_hash.text, token_hash.data, KEY_CHARS);
		LL_PREPEND(ta->endings, e);
	}
}

/* ---- its life ---- */

static void line_leave(struct server *s, struct transaction *ta);

/* It has work for the next turn: never at once, so that none ends inside another. */
static void txn_due(struct server *s, struct transaction *ta)
{
	ASSERT(!ta->is_due);
	ta->is_due = true;
	LL_APPEND2(s->transactions_due, ta, due_next);
}

static void txn_forget_reads(struct server *s, struct transaction *ta)
{
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		ticket_close(s, &r->ticket);
	}
	ta->reads = NULL;
	ta->loading = 0;
	ta->items = 0;
	ta->bytes = 0;
	arena_reset(&ta->loaded);
}

static void txn_end(struct server *s, struct transaction *ta)
{
	txn_forget_reads(s, ta);
	ticket_close(s, &ta->commit);
	DL_DELETE(s->transactions, ta);
	s->transactions_n--;
	line_leave(s, ta);
	if (ta->is_renewal) {
		ta->session->is_renewing = false;
	}
	session_unref(s, ta->session);
	arena_finish(&ta->request);
	arena_finish(&ta->loaded);
	arena_finish(&ta->made);
	free(ta);
}

static void txn_answer_fault(struct server *s, struct transaction *ta)
{
	struct conn *c = conn_find(s, ta->conn);
	if (c != NULL) {
		topic_settle(s, c, ta->subscription, false);
	}
	if (c != NULL && ta->row != NULL) {
		conn_answered(s, c);
		conn_refuse(s, c, ta->msgid, &ta->txn.fault);
	}
	txn_end(s, ta);
}

static void txn_fail(struct server *s, struct transaction *ta)
{
	(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
			 "that could not be done now and was not; try again");
	txn_answer_fault(s, ta);
}

/*
 * What it decided holds. The end of a session is published first, as the last
 * that its connections are sent; sessions come before the answer, so that it
 * finds the connection as it says.
 */
static void txn_finish_done(struct server *s, struct transaction *ta)
{
	struct conn *c = conn_find(s, ta->conn);
	const struct ending *e;
	const struct publication *p;
	LL_FOREACH (ta->publications, p) {
		topic_publish(s, p->pk, p->notice, p->record);
	}
	LL_FOREACH (ta->endings, e) {
		session_end(s, &e->token_hash);
	}
	if (c != NULL) {
		topic_settle(s, c, ta->subscription, true);
	}
	const struct session *session = ta->has_new_session ? &ta->new_session : NULL;
	if (ta->sets_session && c != NULL && !conn_set_session(s, c, session)) {
		conn_end(s, c, "the server is out of memory; connect again");
	}
	if (c != NULL && ta->row != NULL) {
		conn_answered(s, c);
		conn_result(s, c, ta->msgid, ta->row->result, ta->txn.result);
	}
	txn_end(s, ta);
}

/* What the last run read of the item is a condition of writing it. */
static void expect_read(struct store_op *op, const struct read *r)
{
	if (r->n == 0) {
		op->expect = STORE_EXPECT_ABSENT;
	} else {
		op->expect = STORE_EXPECT_VERSION;
		op->version = r->items[0].version;
	}
}

static bool txn_is_written(const struct transaction *ta, const struct read *r)
{
	const struct write *w;
	LL_FOREACH (ta->writes, w) {
		if (slice_eq(w->pk, r->pk) && slice_eq(w->sk, r->sk)) {
			return true;
		}
	}
	return false;
}

/* The writes with their conditions, then the conditions of what was only read. False when memory is out. */
static bool txn_make_ops(struct transaction *ta)
{
	const struct write *w;
	const struct read *r;
	size_t n = ta->writes_n;
	LL_FOREACH (ta->reads, r) {
		n++;
	}
	ta->ops = arena_alloc(&ta->made, n * sizeof(*ta->ops));
	ta->ops_n = 0;
	if (ta->ops == NULL) {
		return false;
	}
	LL_FOREACH (ta->writes, w) {
		struct store_op *op = &ta->ops[ta->ops_n++];
		*op = (struct store_op){.kind = w->is_delete ? STORE_DELETE : STORE_PUT,
					.expect =
						w->is_new ? STORE_EXPECT_ABSENT : STORE_EXPECT_ANY,
					.pk = w->pk,
					.sk = w->sk,
					.value = w->value};
		const struct read *of_it = read_find(ta, w->pk, w->sk);
		if (of_it != NULL && of_it->is_used) {
			expect_read(op, of_it);
		}
	}
	LL_FOREACH (ta->reads, r) {
		if (!r->is_query && r->is_used && !txn_is_written(ta, r)) {
			struct store_op *op = &ta->ops[ta->ops_n++];
			*op = (struct store_op){.kind = STORE_CHECK, .pk = r->pk, .sk = r->sk};
			expect_read(op, r);
		}
	}
	return true;
}

static void txn_begin_again(struct server *s, struct transaction *ta);

static void txn_send(struct server *s, struct transaction *ta)
{
	struct effect fx = {.kind = FX_COMMIT, .ops = ta->ops, .n = ta->ops_n, .token = ta->token};
	bool is_open = ticket_open(s, &ta->commit, TICKET_COMMIT);
	fx.ticket = ta->commit.number;
	s->counters.commits_total++;
	if (is_open && server_effect(s, &fx)) {
		ta->to_resend = false;
	} else if (ta->to_resend) {
		txn_due(s, ta); /* it may be done already: that it was not must not be said */
	} else {
		txn_fail(s, ta);
	}
}

static void txn_run(struct server *s, struct transaction *ta)
{
	struct txn *t = &ta->txn;
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		r->is_used = false;
	}
	arena_reset(&ta->made);
	ta->writes = NULL;
	ta->writes_n = 0;
	ta->endings = NULL;
	ta->publications = NULL;
	ta->sets_session = false;
	ta->lacks_reads = false;
	t->wall_ms = s->now.wall_ms;
	t->fault = (struct fault){0};
	if (ta->row != NULL) {
		t->result = arena_alloc(&ta->made, ta->row->result->size);
		ta->is_short_of_memory = t->result == NULL;
	}
	ta->is_running = true;
	enum txn_step step = ta->is_short_of_memory ? TXN_REFUSED : ta->run(t);
	ta->is_running = false;

	if (ta->items + ta->writes_n > MAX_TRANSACTION_ITEMS || ta->bytes > MAX_TRANSACTION_BYTES) {
		(void)txn_refuse(t, FAULT_TOO_LARGE, "that takes more items than one request may");
		txn_answer_fault(s, ta);
	} else if (ta->is_short_of_memory) {
		txn_fail(s, ta);
	} else if (step == TXN_REFUSED) {
		txn_answer_fault(s, ta);
	} else if (step == TXN_MORE) {
		ASSERT(ta->loading > 0);
	} else if (ta->subscribed != OK) {
		(void)(ta->subscribed == ERR_TOO_LARGE
			       ? txn_refuse(t, FAULT_TOO_LARGE,
					    "one connection subscribes to at most %d things",
					    MAX_CONNECTION_TOPICS)
			       : txn_refuse(t, FAULT_UNAVAILABLE, "the server is out of memory"));
		txn_answer_fault(s, ta);
	} else if (ta->topic.len > 0 && topic_version(s, ta->topic) > ta->topic_version) {
		ta->topic_version = topic_version(s, ta->topic);
		txn_begin_again(s, ta);
	} else if (ta->writes == NULL) {
		txn_finish_done(s, ta);
	} else if (!txn_make_ops(ta)) {
		txn_fail(s, ta);
	} else {
		random_bytes(&s->random, ta->token.bytes, sizeof(ta->token.bytes));
		txn_send(s, ta);
	}
}

/* ---- what comes back ---- */

/* The item, or what the index lists, copied out of the event; ERR_CORRUPT where an item is not of its kind. */
static enum err read_keep(struct transaction *ta, struct read *r, const struct event *e)
{
	bool ok = true;
	if (e->result != OK) {
		return e->result;
	}
	r->items = arena_alloc(&ta->loaded, (e->n + 1) * sizeof(*r->items));
	if (r->items == NULL) {
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < e->n; i++) {
		const struct store_item *item = &e->items[i];
		ta->bytes += item->pk.len + item->sk.len + item->value.len;
		r->items[r->n++] = (struct store_item){
			.pk = arena_copy(&ta->loaded, item->pk, &ok),
			.sk = arena_copy(&ta->loaded, item->sk, &ok),
			.value = arena_copy(&ta->loaded, item->value, &ok),
			.version = item->version,
		};
	}
	ta->items += r->is_query ? r->n : 0;
	if (!ok || r->is_query || r->n == 0) {
		return ok ? OK : ERR_NOMEM;
	}
	return decode(&r->items[0], &ta->loaded, &r->decoded);
}

void txn_read_done(struct server *s, struct ticket *ticket, const struct event *e)
{
	struct read *r = (struct read *)(void *)((char *)ticket - offsetof(struct read, ticket));
	struct transaction *ta = r->owner;
	enum err err = read_keep(ta, r, e);
	if (err != OK) {
		server_log(s, err == ERR_BUSY ? LOG_WARN : LOG_ERROR,
			   "event=read_failed reason=\"%s\"", err_text(err));
		txn_fail(s, ta);
		return;
	}
	r->is_loaded = true;
	if (--ta->loading == 0) {
		txn_run(s, ta);
	}
}

/* Others were faster with what it has read: from the beginning, on what they have left. */
static void txn_begin_again(struct server *s, struct transaction *ta)
{
	txn_forget_reads(s, ta);
	if (++ta->runs < TXN_RUNS_MAX) {
		s->counters.transactions_rerun++;
		txn_run(s, ta);
		return;
	}
	(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
			 "others kept changing the same thing; nothing was done; try again");
	txn_answer_fault(s, ta);
}

void txn_committed(struct server *s, struct ticket *ticket, const struct event *e)
{
	struct transaction *ta =
		(struct transaction *)(void *)((char *)ticket -
					       offsetof(struct transaction, commit));
	switch (e->result) {
	case OK:
		txn_finish_done(s, ta);
		break;
	case ERR_CONFLICT:
		txn_begin_again(s, ta);
		break;
	case ERR_BUSY:
	case ERR_UNKNOWN: /* whatever became of it: its token is done once */
		ta->to_resend = true;
		txn_due(s, ta);
		break;
	default:
		s->counters.commits_failed++;
		server_log(s, LOG_ERROR, "event=commit_failed reason=\"%s\"", err_text(e->result));
		txn_fail(s, ta);
		break;
	}
}

/* ---- in line ---- */

/* Behind those that wait for the same partition; false when memory is out. */
static bool line_join(struct server *s, struct transaction *ta, struct slice key)
{
	struct line *line = NULL;
	HASH_FIND(hh, s->lines, key.data, key.len, line);
	if (line == NULL) {
		line = calloc(1, sizeof(*line) + key.len);
		if (line == NULL) {
			return false;
		}
		line->len = key.len;
		memcpy(line->key, key.data, key.len);
		HASH_ADD(hh, s->lines, key, (unsigned)key.len, line);
		if (line->hh.tbl == NULL) {
			free(line);
			return false;
		}
	}
	ta->line = line;
	if (line->first == NULL) {
		line->first = ta;
	} else {
		line->last->line_next = ta;
	}
	line->last = ta;
	return true;
}

/* Only the first of a line has begun, so only the first leaves it: the next begins. */
static void line_leave(struct server *s, struct transaction *ta)
{
	struct line *line = ta->line;
	if (line == NULL) {
		return;
	}
	ta->line = NULL;
	line->first = ta->line_next;
	if (line->first == NULL) {
		HASH_DELETE(hh, s->lines, line);
		free(line);
	} else {
		txn_due(s, line->first);
	}
}

/* ---- beginning and end ---- */

static struct transaction *txn_make(struct server *s, txn_handler *run)
{
	struct transaction *ta = calloc(1, sizeof(*ta));
	if (ta == NULL) {
		return NULL;
	}
	ta->server = s;
	ta->conn = CONN_NOBODY;
	ta->run = run;
	ta->txn.random = &s->random;
	ta->txn.server_key = s->config.server_key;
	ta->txn.limits = s->config.limits;
	ta->txn.arena = &ta->made;
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

/* Which partition it waits in line for; empty: for none. */
static struct slice txn_line_key(struct transaction *ta)
{
	const struct method_place *place = &method_places[ta->row->where];
	const struct field *f = place->field == NULL || ta->row->effect == EFFECT_READS
					? NULL
					: record_field(ta->row->params, slice_str(place->field));
	struct slice value;
	if (f == NULL || !field_with(f, ta->txn.params)) {
		return (struct slice){0};
	}
	memcpy(&value, field_member(f, ta->txn.params), sizeof(value));
	return join(ta, &ta->request, place->pk_prefix, strlen(place->pk_prefix), value);
}

static void refuse_now(struct server *s, struct request *rq, enum fault_code code,
		       const char *message)
{
	struct fault fault = {0};
	fault_set(&fault, code, "%s", message);
	request_refuse(s, rq, &fault);
}

void txn_request(struct server *s, struct request *rq)
{
	const struct method_row *row = &method_rows[rq->method];
	struct live_session *session = conn_session(s, rq->conn);
	if (row->who == WHO_USER && session == NULL) {
		refuse_now(s, rq, FAULT_UNAUTHENTICATED, "nobody is logged in on this connection");
		return;
	}
	if (s->transactions_n >= MAX_TRANSACTIONS) {
		refuse_now(s, rq, FAULT_UNAVAILABLE,
			   "too many requests wait for the table; try again");
		return;
	}
	struct transaction *ta = txn_make(s, directory_handlers[rq->method]);
	if (ta == NULL) {
		refuse_now(s, rq, FAULT_UNAVAILABLE, "the server is out of memory");
		return;
	}
	ta->row = row;
	ta->conn = rq->conn->id;
	ta->msgid = rq->msgid;
	ta->txn.nonce = conn_nonce(s, rq->conn);
	if (session != NULL) {
		ta->session = session_ref(session);
		ta->txn.session = &session->is;
	}
	rq->conn->pending++;
	if (txn_take_params(s, ta, rq) != OK) {
		txn_fail(s, ta);
		return;
	}
	struct slice key = txn_line_key(ta);
	if (ta->is_short_of_memory || (key.len > 0 && !line_join(s, ta, key))) {
		txn_fail(s, ta);
	} else if (ta->line == NULL || ta->line->first == ta) {
		txn_run(s, ta);
	}
}

bool txn_renew(struct server *s, struct live_session *session)
{
	struct transaction *ta = txn_make(s, session_renew);
	if (ta == NULL) {
		return false;
	}
	ta->is_renewal = true;
	ta->session = session_ref(session);
	ta->session->is_renewing = true;
	ta->txn.params = &session->is;
	txn_run(s, ta);
	return true;
}

void txn_end_idle(struct server *s, const struct session *session)
{
	struct transaction *ta = txn_make(s, session_end_idle);
	struct session *copy = ta == NULL ? NULL : arena_alloc(&ta->request, sizeof(*copy));
	if (copy == NULL) {
		if (ta != NULL) {
			txn_end(s, ta);
		}
		return;
	}
	*copy = *session;
	ta->txn.params = copy;
	txn_run(s, ta);
}

/* What the sweeper found is what the first run reads. */
static bool txn_take_found(struct transaction *ta, const struct store_item *item)
{
	bool ok = true;
	struct read *r = read_new(ta);
	struct store_item *found = arena_alloc(&ta->request, sizeof(*found));
	if (r == NULL || found == NULL) {
		return false;
	}
	*found = (struct store_item){.pk = arena_copy(&ta->request, item->pk, &ok),
				     .sk = arena_copy(&ta->request, item->sk, &ok)};
	ta->txn.params = found;
	r->owner = ta;
	r->pk = found->pk;
	r->sk = found->sk;
	r->is_loaded = true;
	LL_APPEND(ta->reads, r);
	return ok && read_keep(ta, r, &(struct event){.items = item, .n = 1}) == OK;
}

void txn_sweep(struct server *s, txn_handler *run, const struct store_item *item)
{
	struct transaction *ta = txn_make(s, run);
	if (ta == NULL) {
		return;
	}
	if (txn_take_found(ta, item)) {
		txn_run(s, ta);
	} else {
		txn_end(s, ta);
	}
}

void txn_turn(struct server *s)
{
	/* Up to the one that is last now: what becomes due meanwhile is for the next turn. */
	struct transaction *due = s->transactions_due;
	s->transactions_due = NULL;
	while (due != NULL) {
		struct transaction *ta = due;
		due = ta->due_next;
		ta->due_next = NULL;
		ta->is_due = false;
		if (ta->to_resend) {
			txn_send(s, ta);
		} else {
			txn_run(s, ta);
		}
	}
}

void txn_finish(struct server *s)
{
	s->transactions_due = NULL;
	while (s->transactions != NULL) {
		struct transaction *ta = s->transactions;
		ta->is_due = false;
		txn_end(s, ta);
		s->transactions_due = NULL; /* the next of its line, which ends as well */
	}
}
