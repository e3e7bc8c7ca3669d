/*
 * txn_batch.c - the commits of transactions that have run: who is committed with whom, and what becomes of it.
 *
 * A transaction that has run to its end does not wait until others are durable before others may run on what it
 * wrote: its writes are in the newest state of their items (txn_items.c) at once. Who reads or overwrites what is not
 * durable yet, or writes what another one that waits has read, goes into the same batch, behind it. So does one that
 * has written nothing, or is refused, on the strength of that: it is answered when what it has read is durable.
 *
 *   run --> waiting --send--> flight --OK--> durable: answered, in the order of their runs
 *             ^                |  ^  |
 *             |            BUSY+--+  +--anything else--> the flight, and all that waits behind it, run again
 *             +----------------------------------------+
 *
 * A batch has what waits, in the order in which it ran, and the flights that it waits for: commits on their way to the
 * store. With none it sends what waits as one commit at the end of the turn, COMMIT_TRANSACTIONS and COMMIT_BYTES at
 * most. So the disk makes the batch: what comes in while a commit is synced is the next one. Where one transaction
 * touches two batches they become one. What has nothing to do with others is a commit of its own, at once, beside all
 * others.
 *
 * The conditions of a commit are the states that its members have read and that no other member has written: the
 * versions that the first readers read, and the absence of what they did not find. They are those of a commit
 * before where that wrote them: it is durable when this one is sent.
 *
 * Nothing waits in a circle: a line (txn_line.c) holds back only those that have not run, a batch only those that have;
 * a flight waits for the store alone, and what waits in a batch for flights that were sent before.
 *
 * A commit that fails as a whole says nothing of who is at fault. Its members run again, and share a commit with at most
 * half as many from then on: the others are done, and the one at fault is refused alone, as it is the only one
 * for which a conflict counts (TRANSACTION_RUNS). Where several nodes share the table a conflict is mostly the
 * doing of another node: it counts for all, and those that lose for the first time stay together. A state that was read from the table is read again after a conflict.
 * Of what may have been made (UNKNOWN) those that have written are neither answered nor run again (txn_unknown()). The
 * others of the flight, and all that waits behind it, run again, and read from the table what has become of it.
 */
#include <stdlib.h>

#include "proto/base/assert.h"
#include "server/core/txn/txn_priv.h"

/* A commit that is on its way. */
struct flight {
	struct ticket ticket;
	struct batch *batch;
	struct flight *next;
	struct transaction *members; /* utlist by batch_next */
	size_t writers;		     /* of them */
	struct store_op *ops;
	size_t ops_n;
	struct store_token token;
	struct buf publish; /* the news of its members, if there are other nodes */
	bool to_resend;	    /* the store was busy: the same commit goes again */
};

struct batch {
	struct batch *next, *prev; /* of the server */
	struct flight *flights;
	struct transaction *waiting; /* utlist by batch_next */
	bool is_due;		     /* has something to send */
};

static bool is_writer(const struct transaction *ta)
{
	return ta->writes != NULL || ta->carried.len > 0;
}

/* ---- who is in which ---- */

static void batch_due(struct server *s, struct batch *b)
{
	b->is_due = true;
	s->is_batch_due = true;
}

static struct batch *batch_make(struct server *s)
{
	struct batch *b = calloc(1, sizeof(*b));
	if (b != NULL) {
		DL_APPEND(s->batches, b);
	}
	return b;
}

/* Nothing of it is left, or something can be sent. */
static void batch_settle(struct server *s, struct batch *b)
{
	if (b->flights == NULL && b->waiting == NULL) {
		DL_DELETE(s->batches, b);
		free(b);
	} else if (b->flights == NULL) {
		batch_due(s, b);
	}
}

/* One of both, or of one and none; what waits in either has nothing to do with the other's. */
static struct batch *batch_merge(struct server *s, struct batch *b, struct batch *other)
{
	struct transaction *ta;
	struct flight *f;
	if (b == NULL || other == NULL || b == other) {
		return b == NULL ? other : b;
	}
	DL_FOREACH2(other->waiting, ta, batch_next)
	{
		ta->batch = b;
	}
	LL_FOREACH (other->flights, f) {
		f->batch = b;
		DL_FOREACH2(f->members, ta, batch_next)
		{
			ta->batch = b;
		}
	}
	DL_CONCAT2(b->waiting, other->waiting, batch_prev, batch_next);
	LL_CONCAT(b->flights, other->flights);
	b->is_due |= other->is_due;
	DL_DELETE(s->batches, other);
	free(other);
	return b;
}

static struct batch *batch_of(const struct transaction *ta)
{
	return ta == NULL ? NULL : ta->batch;
}

static struct batch *batch_of_state(const struct item_state *state)
{
	return state == NULL ? NULL : batch_of(state->by);
}

/* Whether the page would be another one without what others have written. */
static bool page_depends(const struct read *r, const struct live_item *item)
{
	return item->now != NULL && item->now->by != NULL &&
	       slice_starts(live_item_sk(item), r->load.sk_prefix);
}

bool batch_is_needed(const struct transaction *ta)
{
	const struct read *r;
	LL_FOREACH (ta->reads, r) {
		const struct live_item *item;
		if (r->is_used && r->state != NULL && r->state->by != NULL) {
			return true;
		}
		DL_FOREACH (r->is_used && r->is_loaded && r->partition != NULL ? r->partition->items
									       : NULL,
			    item) {
			if (page_depends(r, item)) {
				return true;
			}
		}
	}
	return false;
}

/* Those whose writes it has read, or overwrites, and those that have read what it writes. */
static struct batch *batch_before(struct server *s, const struct transaction *ta)
{
	struct batch *b = NULL;
	const struct read *r;
	const struct write *w;
	LL_FOREACH (ta->reads, r) {
		const struct live_item *item;
		if (!r->is_used) {
			continue;
		}
		b = batch_merge(s, b, batch_of_state(r->state));
		DL_FOREACH (r->partition == NULL ? NULL : r->partition->items, item) {
			b = page_depends(r, item) ? batch_merge(s, b, batch_of_state(item->now))
						  : b;
		}
		/* Not for what they read, but so that one reader is noted for all. */
		b = batch_merge(s, b, r->item == NULL ? NULL : batch_of(r->item->reader));
		b = batch_merge(s, b, r->partition == NULL ? NULL : batch_of(r->partition->reader));
	}
	LL_FOREACH (ta->writes, w) {
		b = batch_merge(s, b, batch_of_state(w->item->now));
		b = batch_merge(s, b, batch_of(w->item->reader));
		b = batch_merge(s, b, batch_of(w->item->partition->reader));
	}
	return b;
}

static void batch_note_reader(const struct transaction *ta, struct transaction *was,
			      struct transaction *is)
{
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (r->is_used && r->item != NULL && r->item->reader == was) {
			r->item->reader = is;
		}
		if (r->is_used && r->partition != NULL && r->partition->reader == was) {
			r->partition->reader = is;
		}
	}
}

enum err batch_join(struct server *s, struct transaction *ta)
{
	struct write *w;
	LL_FOREACH (ta->writes, w) {
		w->item = live_item_ref(s, w->pk, w->sk);
		if (w->item == NULL) {
			return ERR_NOMEM;
		}
		const struct item_state *now = w->item->now;
		if (w->is_new && now != NULL && now->by != NULL && now->exists) {
			return ERR_CONFLICT;
		}
	}
	struct batch *b = batch_before(s, ta);
	b = b == NULL ? batch_make(s) : b;
	if (b == NULL) {
		return ERR_NOMEM;
	}
	struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (r->is_used && r->item != NULL) {
			r->item->reader = ta;
		}
		if (r->is_used && r->partition != NULL) {
			r->partition->reader = ta;
		}
	}
	LL_FOREACH (ta->writes, w) {
		w->state->by = ta;
		live_item_write(w->item, w->state);
	}
	ta->batch = b;
	DL_APPEND2(b->waiting, ta, batch_prev, batch_next);
	batch_settle(s, b);
	return OK;
}

/* ---- what is sent ---- */

struct commit_plan {
	struct flight *flight;
	struct live_item **items; /* of each operation; NULL: nobody else asks for it */
};

static struct store_op *plan_op(struct commit_plan *p, struct live_item *item, struct slice pk,
				struct slice sk)
{
	struct flight *f = p->flight;
	if (item != NULL && item->op != NULL) {
		return item->op;
	}
	struct store_op *op = &f->ops[f->ops_n];
	p->items[f->ops_n++] = item;
	*op = (struct store_op){.kind = STORE_CHECK, .pk = pk, .sk = sk};
	if (item != NULL) {
		item->op = op;
	}
	return op;
}

/* A condition, unless it has one, or another member has written the item before. */
static void plan_expect(struct store_op *op, bool exists, uint64_t version)
{
	if (op->kind == STORE_CHECK && op->expect == STORE_EXPECT_ANY) {
		op->expect = exists ? STORE_EXPECT_VERSION : STORE_EXPECT_ABSENT;
		op->version = version;
	}
}

static void plan_reads(struct server *s, struct commit_plan *p, const struct transaction *ta)
{
	const struct read *r;
	LL_FOREACH (ta->reads, r) {
		if (!r->is_used || !read_is_condition(r)) {
			continue;
		}
		if (r->item != NULL && r->state->by == NULL) {
			plan_expect(plan_op(p, r->item, live_item_pk(r->item),
					    live_item_sk(r->item)),
				    r->state->exists, r->state->version);
		}
		for (size_t i = 0; r->partition != NULL && i < r->n; i++) {
			const struct store_item *item = &r->items[i];
			const struct item_state *state = r->states == NULL ? NULL : r->states[i];
			if (state == NULL || state->by == NULL) {
				plan_expect(plan_op(p, live_item_find(s, item->pk, item->sk),
						    item->pk, item->sk),
					    true, state == NULL ? item->version : state->version);
			}
		}
	}
}

static void plan_writes(struct commit_plan *p, const struct transaction *ta)
{
	const struct write *w;
	LL_FOREACH (ta->writes, w) {
		struct store_op *op =
			plan_op(p, w->item, live_item_pk(w->item), live_item_sk(w->item));
		if (w->is_new) {
			plan_expect(op, false, 0);
		}
		op->kind = w->state->exists ? STORE_PUT : STORE_DELETE;
		op->value = slice_of(w->state->value, w->state->len);
	}
}

/* At most so many operations. */
static size_t plan_size(const struct flight *f)
{
	const struct transaction *ta;
	size_t n = 0;
	DL_FOREACH2(f->members, ta, batch_next)
	{
		const struct read *r;
		n += ta->writes_n;
		LL_FOREACH (ta->reads, r) {
			n += read_is_condition(r) ? r->n + 1 : 0;
		}
	}
	return n;
}

/* False when memory is out. */
static bool flight_plan(struct server *s, struct flight *f)
{
	size_t most = plan_size(f);
	const struct transaction *ta;
	struct commit_plan p = {.flight = f, .items = calloc(most + 1, sizeof(struct live_item *))};
	f->ops = calloc(most + 1, sizeof(*f->ops));
	if (p.items == NULL || f->ops == NULL) {
		free(p.items);
		return false;
	}
	f->publish.max = STORE_PUBLISH_BYTES_MAX;
	DL_FOREACH2(f->members, ta, batch_next)
	{
		plan_reads(s, &p, ta);
		plan_writes(&p, ta);
		(void)buf_append_slice(&f->publish, ta->news_bytes);
	}
	if (f->ops_n == 0) { /* it only publishes */
		f->ops[f->ops_n++] = (struct store_op){.kind = STORE_CHECK,
						       .pk = SLICE("USER:news"),
						       .sk = slice_str(item_rows[ITEM_USER].sk)};
	}
	for (size_t i = 0; i < f->ops_n; i++) {
		if (p.items[i] != NULL) {
			p.items[i]->op = NULL;
		}
	}
	free(p.items);
	return f->publish.error == OK;
}

static void flight_free(struct server *s, struct flight *f)
{
	ticket_close(s, &f->ticket);
	buf_finish(&f->publish);
	free(f->ops);
	free(f);
}

/* ---- what becomes of it ---- */

/* What the table has of it may be another state than the one that is known. */
static void transaction_doubt(const struct transaction *ta)
{
	const struct read *r;
	const struct write *w;
	LL_FOREACH (ta->reads, r) {
		if (r->item != NULL) {
			live_item_forget(r->item);
		}
	}
	LL_FOREACH (ta->writes, w) {
		live_item_forget(w->item);
	}
}

/*
 * Of all those in that list nothing was made, but perhaps of those that are unknown. They run again, but for
 * one that is refused, or none.
 */
static void transactions_undo(struct server *s, struct transaction *all, enum err e,
			      const struct transaction *refused)
{
	struct transaction *ta;
	struct transaction *next;
	/* From the last to the first: what each has written lies on what those before it have. */
	for (ta = all->batch_prev;; ta = ta->batch_prev) {
		const struct write *w;
		batch_note_reader(ta, ta, NULL);
		LL_FOREACH (ta->writes, w) {
			live_item_unwrite(w->item, w->state);
		}
		ta->batch = NULL;
		if (!ta->is_unknown) { /* else its turn in line is over */
			line_return(ta);
		}
		if (ta == all) {
			break;
		}
	}
	DL_FOREACH_SAFE2(all, ta, next, batch_next)
	{
		DL_DELETE2(all, ta, batch_prev, batch_next);
		if (e == ERR_CONFLICT || e == ERR_UNKNOWN) {
			transaction_doubt(ta);
		}
		if (ta->is_unknown) {
			txn_unknown(s, ta);
		} else if (ta == refused && e == ERR_FULL) {
			(void)txn_refuse(&ta->txn, FAULT_UNAVAILABLE,
					 "the server has no space for anything new");
			txn_answer_fault(s, ta);
		} else if (ta == refused) {
			txn_fail(s, ta);
		} else {
			txn_again(s, ta);
		}
	}
}

/* It is over, and so is what waits behind it. */
static void flight_undo(struct server *s, struct flight *f, enum err e,
			const struct transaction *refused)
{
	struct batch *b = f->batch;
	struct transaction *all = f->members;
	DL_CONCAT2(all, b->waiting, batch_prev, batch_next);
	b->waiting = NULL;
	LL_DELETE(b->flights, f);
	flight_free(s, f);
	batch_settle(s, b);
	transactions_undo(s, all, e, refused);
}

/* The commit was not made. */
static void flight_failed(struct server *s, struct flight *f, enum err e)
{
	struct transaction *ta;
	const struct transaction *refused = NULL;
	DL_FOREACH2(f->members, ta, batch_next)
	{
		bool is_alone = f->writers == 1 && is_writer(ta);
		bool is_lost =
			e == ERR_CONFLICT && s->cluster != NULL; /* to another node, mostly */
		ta->together = is_lost && ta->runs == 0 ? ta->together : (f->writers + 1) / 2;
		ta->runs += ((is_alone || is_lost) && e == ERR_CONFLICT) || ta->carried.len > 0;
		refused = is_alone && e != ERR_CONFLICT && ta->carried.len == 0 ? ta : refused;
	}
	flight_undo(s, f, e, refused);
}

/* Nobody knows whether it was made. */
static void flight_unknown(struct server *s, struct flight *f)
{
	struct transaction *ta;
	s->counters.commits_unknown++;
	server_log(s, LOG_ERROR, "event=commit_unknown");
	DL_FOREACH2(f->members, ta, batch_next)
	{
		ta->is_unknown = ta->writes != NULL;
	}
	flight_undo(s, f, ERR_UNKNOWN, NULL);
}

static void flight_done(struct server *s, struct flight *f, uint64_t version)
{
	struct batch *b = f->batch;
	struct transaction *members = f->members;
	struct transaction *ta;
	struct transaction *next;
	DL_FOREACH2(members, ta, batch_next)
	{
		const struct write *w;
		LL_FOREACH (ta->writes, w) {
			item_state_settle(w->state, version);
		}
		ta->batch = NULL;
	}
	LL_DELETE(b->flights, f);
	flight_free(s, f);
	batch_settle(s, b);
	DL_FOREACH_SAFE2(members, ta, next, batch_next)
	{
		txn_durable(s, ta);
	}
}

static void flight_send(struct server *s, struct flight *f)
{
	struct effect fx = {.kind = FX_COMMIT,
			    .ops = f->ops,
			    .n = f->ops_n,
			    .token = f->token,
			    .publish = buf_slice(&f->publish)};
	s->counters.commits_total++;
	if (ticket_send(s, &f->ticket, TICKET_COMMIT, &fx)) {
		f->to_resend = false;
	} else if (f->to_resend) {
		batch_due(s, f->batch);
	} else {
		flight_failed(s, f, ERR_NOMEM);
	}
}

void txn_committed(struct server *s, struct ticket *ticket, const struct event *e)
{
	struct flight *f =
		(struct flight *)(void *)((char *)ticket - offsetof(struct flight, ticket));
	if (e->result == OK) {
		commit_log_made(s);
		flight_done(s, f, e->version);
	} else if (e->result == ERR_CONFLICT) {
		flight_failed(s, f, ERR_CONFLICT);
	} else if (e->result == ERR_UNKNOWN) {
		flight_unknown(s, f);
	} else if (e->result == ERR_BUSY) {
		f->to_resend = true;
		batch_due(s, f->batch);
	} else {
		commit_log_failed(s, "", e->result);
		flight_failed(s, f, e->result);
	}
}

/* ---- turns ---- */

/* Those that come next, as many as one commit may have. */
static void flight_take(const struct server *s, struct flight *f, struct batch *b)
{
	size_t bytes = 0;
	size_t news = 0;
	size_t most = (size_t)server_limit(s, LIMIT_COMMIT_TRANSACTIONS);
	for (struct transaction *ta; (ta = b->waiting) != NULL;) {
		most = ta->together > 0 && ta->together < most ? ta->together : most;
		bytes += ta->held;
		news += ta->news_bytes.len;
		if (f->writers > 0 && (f->writers >= most || bytes > MAX_COMMIT_BYTES ||
				       news > STORE_PUBLISH_BYTES_MAX)) {
			break;
		}
		DL_DELETE2(b->waiting, ta, batch_prev, batch_next);
		DL_APPEND2(f->members, ta, batch_prev, batch_next);
		batch_note_reader(ta, ta, NULL);
		f->writers += is_writer(ta);
	}
}

static void batch_send(struct server *s, struct batch *b)
{
	struct flight *f = calloc(1, sizeof(*f));
	if (f == NULL) {
		struct transaction *all = b->waiting;
		b->waiting = NULL;
		batch_settle(s, b);
		transactions_undo(s, all, ERR_NOMEM, all);
		return;
	}
	f->batch = b;
	LL_APPEND(b->flights, f);
	flight_take(s, f, b);
	if (f->writers == 0) {
		flight_done(s, f, 0);
	} else if (!flight_plan(s, f)) {
		flight_failed(s, f, ERR_NOMEM);
	} else {
		random_bytes(&s->random, f->token.bytes, sizeof(f->token.bytes));
		flight_send(s, f);
	}
}

void batches_turn(struct server *s)
{
	struct batch *b;
	struct batch *next;
	if (!s->is_batch_due) {
		return;
	}
	s->is_batch_due = false;
	DL_FOREACH_SAFE (s->batches, b, next) {
		struct flight *f;
		if (!b->is_due) {
			continue;
		}
		b->is_due = false;
		LL_FOREACH (b->flights, f) {
			if (f->to_resend) {
				flight_send(s, f);
			}
		}
		if (b->flights == NULL) {
			batch_send(s, b);
		}
	}
}

void batches_forget(struct server *s)
{
	struct batch *b;
	struct batch *next;
	DL_FOREACH_SAFE (s->batches, b, next) {
		struct flight *f;
		struct flight *later;
		LL_FOREACH_SAFE (b->flights, f, later) {
			flight_free(s, f);
		}
		free(b);
	}
	s->batches = NULL;
}
