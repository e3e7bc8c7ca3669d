/*
 * txn_priv.h - the state of a transaction, for the files of server/core/txn/txn*.c.
 *
 *   txn.c         life cycle: begin, run, begin again, answer
 *   txn_again.c   running again
 *   txn_line.c    waiting in line for a partition
 *   txn_reads.c   what it loads and decodes
 *   txn_newest.c  the state in which it sees that
 *   txn_writes.c  what it writes
 *   txn_items.c   items that running transactions read and write, in their newest state
 *   txn_batch.c   commits of transactions that have run
 *   txn_once.c    repeats of a request with an idempotency_key
 *   txn_caller.c  the caller's address, session and topics
 *   txn_after.c   what follows when it is durable
 *   news.c        what it brings to others, on each node
 */
#ifndef SERVER_CORE_TXN_TXN_PRIV_H
#define SERVER_CORE_TXN_TXN_PRIV_H

#include <utlist.h>

#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/txn/news.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"
#include "server/domain/txn.h"

/*
 * One state of an item: as stored in the table, or as written by a transaction that is not
 * durable yet.
 */
struct item_state {
	unsigned refs;
	bool exists;
	/* the transaction that has written it and is not durable; NULL: stored in the table */
	struct transaction *by;
	uint64_t version;	/* the version in the table; 0 if the item does not exist */
	uint64_t as_of;		/* a commit after which the table has this state */
	/* the state before this one, while this one is not durable; or NULL */
	struct item_state *under;
	size_t len;
	char value[];
};

static inline bool item_state_is_newer(const struct item_state *state, uint64_t as_of)
{
	return state->by != NULL || state->as_of > as_of;
}

/* An item that running transactions read or write. */
struct live_item {
	UT_hash_handle hh; /* by key */
	struct live_partition *partition;
	struct live_item *next, *prev; /* of the partition */
	unsigned refs;
	struct item_state *now;	    /* the newest state; NULL: not known */
	/* the last transaction that has read it and waits for its commit */
	struct transaction *reader;
	struct store_op *op;	    /* its operation in the commit that is being built */
	size_t len;
	char key[]; /* the partition's pointer, then the SK */
};

struct live_partition {
	UT_hash_handle hh; /* by pk */
	unsigned pages;	   /* pages that running transactions have read of it */
	struct live_item *items;
	/* the last transaction that has read a page of it and waits for its commit */
	struct transaction *reader;
	size_t len;
	char pk[];
};

/*
 * One read of a transaction: an item, a page of a partition, entries of an index, or their
 * number.
 */
struct read {
	struct ticket ticket;
	struct transaction *owner;
	struct read *next;
	enum read_kind { READ_ITEM, READ_PAGE, READ_QUERY, READ_COUNT } kind;
	bool is_loaded;
	bool is_used;		  /* used by the latest run */
	struct store_load load;	  /* of an item or a page */
	struct store_query query; /* of an index */
	/* as this run sees them; one element for an item that exists; none for a count */
	struct store_item *items;
	size_t n;
	bool has_more;
	bool is_partial; /* of a query: entries may be missing, as in EVENT_DUE */
	int64_t end; /* as in struct txn_items */
	const void *decoded; /* the record of an item that exists */

	/* If the transaction sees states that are not durable yet: */
	struct live_item *item;		  /* of an item */
	struct live_partition *partition; /* of a page */
	/* one for each of the items; NULL, also as a whole: as loaded */
	struct item_state **states;
	struct item_state *state;   /* of an item: states[0], even if the item does not exist */
	struct store_item *loaded;  /* a page as it was loaded: copies */
	size_t loaded_n;
	bool loaded_more;
	uint64_t as_of; /* snapshot of that load */
};

static inline bool is_of_a_room(struct slice pk)
{
	return slice_starts(pk, slice_str(item_rows[ITEM_ROOM].pk_prefix));
}

static inline bool read_is_of_items(const struct read *r)
{
	return r->kind == READ_ITEM || r->kind == READ_PAGE;
}

/*
 * Return whether the commit is conditional on the read. Index entries are only hints, and so are
 * items of rooms, whose state is in memory.
 */
static inline bool read_is_condition(const struct read *r)
{
	return read_is_of_items(r) && !is_of_a_room(r->load.pk);
}

struct write {
	struct slice pk, sk;
	bool is_new;		  /* the item must not exist */
	struct item_state *state; /* NULL only if memory was out */
	struct live_item *item;	  /* NULL until the run has ended */
	struct write *next;
};

/* A notification for the transaction's connection, sent after the answer. */
struct trailer {
	struct slice bytes;
	struct trailer *next;
};

/* Life: txn_make() .. txn_end(), which every answer calls. */
struct transaction {
	struct txn txn; /* first member: passed to the handler */
	struct server *server;
	struct transaction *next, *prev; /* in the server's list */
	struct conn_id conn;
	uint32_t msgid;
	const struct method_row *row; /* NULL: not started by a request */
	txn_handler *run;
	/*
	 * The session of the connection when the request arrived; or the session to be renewed or
	 * removed.
	 */
	struct live_session *session;
	bool is_renewal;
	size_t result_size;  /* size of t->result; 0: none */
	txn_ended_cb *ended; /* NULL: nobody waits for the result, or it was called */
	void *ended_of;

	struct line *line; /* NULL: in no line */
	struct transaction *line_next, *line_prev;
	/* it has run to its end and waits to be durable: transactions after it in line may run */
	bool has_run;

	struct batch *batch; /* NULL: not run to its end yet */
	/* in the list of the batch, or of its commit in progress */
	struct transaction *batch_next, *batch_prev;
	bool is_refused; /* it is answered with a refusal, when everything it has read is durable */
	bool is_unknown; /* it has writes, and nobody knows whether they were made */
	/*
	 * the most transactions in its commit, because a commit of more has failed; 0: no special
	 * limit
	 */
	size_t together;

	unsigned runs;	  /* runs that ended with a conflict */
	unsigned begun_again; /* of them, those that lost to others of this server */
	int64_t began_mono;
	int64_t later_mono; /* it waits to run again until then; 0: it does not */
	struct transaction *later_next, *later_prev;
	unsigned loading; /* reads in progress */
	bool is_running;
	bool sees_pending; /* it may write, so it sees states that are not durable yet */
	bool lacks_reads;  /* this run asked for something that is not loaded */
	bool is_overtaken; /* a session or a seat that it reads has ended */
	/* the topic has changed during its last run: send a reset after its answer */
	bool is_behind;
	enum err failed;   /* overrides the handler's result: ERR_NOMEM, or ERR_TOO_LARGE */
	enum limit beyond; /* the limit exceeded, if ERR_TOO_LARGE */
	bool is_due;	   /* it runs with the next turn */
	struct transaction *due_next;
	/* a bit for each limit of the address that has been counted for it */
	uint64_t asked[LIMIT_COUNT / 64 + 1];
	size_t items;	   /* items read */
	size_t pages;
	size_t bytes;
	size_t written; /* bytes written in this run */
	size_t owed;	/* bytes of the request, counted as owed by its connection */
	size_t held;	/* all these bytes, as included in the server's total */

	struct arena request; /* message and params; valid as long as the transaction */
	struct arena loaded;  /* reads and their items; valid until it begins again */
	struct arena made;    /* memory of one run */
	struct read *reads;
	struct write *writes;
	size_t writes_n;

	struct slice once;	       /* caller and idempotency_key; empty: none */
	/* rest of the PK and the SK of the item that remembers the request */
	struct key_text once_pk, once_sk;
	bool has_looked_again; /* for a first result, since it was last not refused */
	int64_t once_until; /* until when the result is kept for repeats; of this run */

	struct news news;      /* of this run */
	struct slice news_bytes; /* the same for a publication; empty: nothing is published */
	struct slice carried;    /* news of a room, which it publishes without writing; empty: none */
	struct slice topic; /* the topic that its connection subscribes to; empty: none */
	uint64_t subscription;
	int64_t topic_version;	    /* the topic's version when its reads began */
	struct since subscribed_at; /* version of the partition's item; 0: the item counts none */
	struct trailer *trailers;

	struct follower *followers;
	struct run_later *runs_later;
	bool sets_session;
	bool has_new_session; /* otherwise its connection has none after it */
	struct session new_session;
};

static inline struct transaction *transaction_of(const struct txn *t)
{
	return (struct transaction *)(void *)(uintptr_t)t;
}

/* ---- txn.c ---- */

/* Run the transaction from the top; if it reaches its end, that is handled before this returns. */
void txn_run(struct server *s, struct transaction *ta);
/*
 * Schedule the transaction for the next turn; never run at once, so that no transaction ends
 * inside another.
 */
void txn_due(struct server *s, struct transaction *ta);
/* All it has read and written is durable: end it according to its run, or begin again. */
void txn_durable(struct server *s, struct transaction *ta);
/*
 * Nobody knows whether its writes were made: end it without an answer, close its connection, and
 * let everybody read again whom it would have told.
 */
void txn_unknown(struct server *s, struct transaction *ta);
/*
 * End the transaction with a refusal: with t->fault; with UNAVAILABLE; because ta->beyond was
 * exceeded.
 */
void txn_answer_fault(struct server *s, struct transaction *ta);
void txn_fail(struct server *s, struct transaction *ta);
void txn_answer_beyond(struct server *s, struct transaction *ta);
/*
 * Update the total of bytes held by all transactions; returns false if it exceeds
 * TRANSACTIONS_BYTES.
 */
bool txn_hold(struct transaction *ta);

/* Memory is out: the run ends with UNAVAILABLE. */
static inline void txn_lacks_memory(struct transaction *ta)
{
	ta->failed = ERR_NOMEM;
}

/*
 * A limit is exceeded: the run ends with TOO_LARGE, or with UNAVAILABLE if the limit is one of
 * all transactions together.
 */
static inline void txn_is_beyond(struct transaction *ta, enum limit limit)
{
	ta->failed = ERR_TOO_LARGE;
	ta->beyond = limit;
}

/* ---- txn_again.c ---- */

/*
 * Run it again from the top with fresh items, and when it is its turn in line: with the next turn, or
 * where there are other nodes after a while; or refuse it after too many runs.
 */
void txn_again(struct server *s, struct transaction *ta);
/* It runs now, or ends: it waits no more for that. */
void txn_wait_no_more(struct server *s, struct transaction *ta);
bool txn_may_run_again(const struct server *s, const struct transaction *ta);
/* Refuse it after too many runs. */
void txn_give_up(struct server *s, struct transaction *ta);

/* ---- txn_reads.c ---- */

/* Build a PK or SK: the fixed text of the kind and the rest. */
struct slice txn_join(struct transaction *ta, struct arena *arena, const char *prefix, size_t len, struct slice rest);
void txn_item_key(struct transaction *ta, struct arena *arena, enum item_kind kind, struct slice pk, struct slice sk,
		  struct slice *item_pk, struct slice *item_sk);
/* Return whether something may be missing from what the last run has read. */
bool txn_read_partially(const struct transaction *ta);
/*
 * Return the read that has the item, preferably of this run; NULL: none. *item is NULL if the
 * item does not exist.
 */
struct read *txn_read_of(const struct transaction *ta, struct slice pk, struct slice sk, const struct store_item **item);
/* Treat this item as read. Returns false if memory is out or the item is damaged. */
bool txn_read_found(struct transaction *ta, const struct store_item *found);
/* Decode an item. ERR_NOMEM; ERR_CORRUPT: it is damaged. */
enum err txn_decode_item(const struct store_item *item, struct arena *arena, const void **out);
/*
 * Load everything that a run has asked for. Returns false if memory is out; no load is then in
 * progress.
 */
bool txn_send_reads(struct server *s, struct transaction *ta);
void txn_forget_reads(struct server *s, struct transaction *ta);

/* ---- txn_newest.c ---- */

/* Before a run: mark all reads as unused, and update them to the newest states. */
void txn_unsee_reads(struct transaction *ta);
void txn_refresh_reads(struct transaction *ta);
/* Update one read to the newest states. Returns false if memory is out, or something is damaged. */
bool read_see(struct transaction *ta, struct read *r);
/* Set the item to that state and decode it. ERR_NOMEM; ERR_CORRUPT: it is damaged. */
enum err read_see_item(struct transaction *ta, struct read *r, struct item_state *state);
/*
 * Set ta->failed if the transaction has read more than allowed, or all transactions together hold
 * too much.
 */
void txn_bound_bytes(struct transaction *ta);

/* ---- txn_writes.c ---- */

/* Return by how many bytes of keys and values its writes make the table grow; 0: not at all. */
int64_t txn_growth(const struct transaction *ta);
void txn_forget_writes(struct server *s, struct transaction *ta);

/* ---- txn_items.c ---- */

/*
 * Create a state with one reference; NULL when memory is out.
 *
 * @value  copied; NULL: the item does not exist.
 */
struct item_state *item_state_make(const struct slice *value);
struct item_state *item_state_ref(struct item_state *state);
void item_state_unref(struct item_state *state); /* state may be NULL */
/* The state is durable, by the commit with that version. */
void item_state_settle(struct item_state *state, uint64_t version);

/* Return the item with a new reference; NULL if memory is out. */
struct live_item *live_item_ref(struct server *s, struct slice pk, struct slice sk);
void live_item_unref(struct server *s, struct live_item *item);
/* Return the item; NULL if no running transaction reads or writes it. */
struct live_item *live_item_find(const struct server *s, struct slice pk, struct slice sk);
struct slice live_item_pk(const struct live_item *item);
struct slice live_item_sk(const struct live_item *item);
/* Record the state in the table: the newest state, unless a newer one is known. */
void live_item_learn(struct live_item *item, struct item_state *state);
/* The table may have a different state now. */
void live_item_forget(struct live_item *item);
/* A transaction that is not durable has written this state; and it has failed. */
void live_item_write(struct live_item *item, struct item_state *state);
void live_item_unwrite(struct live_item *item, struct item_state *state);

/* Return the partition with a new reference, for a page; NULL if memory is out. */
struct live_partition *live_partition_ref(struct server *s, struct slice pk);
void live_partition_unref(struct server *s, struct live_partition *p);

/* ---- txn_batch.c ---- */

/* Return whether anything that the run has read is not durable yet. */
bool batch_is_needed(const struct transaction *ta);
/*
 * Add a transaction that has run: it ends with txn_durable(), or runs again.
 *
 * ERR_NOMEM     memory is out.
 * ERR_CONFLICT  an item that must not exist exists now.
 */
NODISCARD enum err batch_join(struct server *s, struct transaction *ta);
/* At the end of a turn: send the commits that can be sent. */
void batches_turn(struct server *s);
/* At the end of the server. */
void batches_forget(struct server *s);

/* ---- txn_line.c ---- */

/* Return the name of the line that a request waits in; empty: none. */
struct slice line_of_request(struct transaction *ta);
/*
 * Append the transaction to the line; its name is copied. ERR_NOMEM; ERR_TOO_LARGE: more than
 * TRANSACTIONS_IN_LINE.
 */
NODISCARD enum err line_join(struct server *s, struct transaction *ta, struct slice key);
/* Return whether all transactions before it have run. */
bool line_is_first(const struct transaction *ta);
/* It has run to its end: let the next one run. */
void line_pass(struct server *s, struct transaction *ta);
/* It has to run again, before those after it that have not run. */
void line_return(struct transaction *ta);
void line_leave(struct server *s, struct transaction *ta);

/* ---- txn_once.c ---- */

/* Set the key of the item that remembers the request, if it has an idempotency_key. */
void once_begin(struct transaction *ta, const struct conn *c, struct slice key);
/* Run the handler, or return the first result if the request is a repeat. */
enum txn_step once_run(struct transaction *ta);
/*
 * The run is refused. A repeat that runs while its first is made at another node may have looked for the first's
 * result before that, and read what it has made after it. Return whether it is to run again, from its
 * first read on; then it forgets what it knows of that result. On a server that is alone nothing does.
 */
bool once_looks_again(struct transaction *ta);

/* ---- txn_caller.c ---- */

/*
 * Count the growth of the table against the user's limit USER_BYTES_PER_HOUR, once. Returns false
 * as txn_take_of_user().
 */
bool txn_take_growth(struct transaction *ta);
/* Return whether something was published since its reads began. */
bool txn_topic_has_moved(struct transaction *ta);
/* At the end of a run: note in its news which items it deletes. Memory may be out. */
void txn_note_gone(struct transaction *ta);
/*
 * Its request was answered: keep the subscription, and send notifications for its connection
 * alone.
 */
void txn_keep_subscription(struct server *s, struct conn *c, const struct transaction *ta);

/* ---- txn_after.c ---- */

/* It is durable: start what follows. */
void txn_do_after(struct server *s, const struct transaction *ta);

#endif
