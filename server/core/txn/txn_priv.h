/*
 * txn_priv.h - a transaction as the files of server/core/txn/txn*.c share it.
 *
 *   txn.c         its life: begin, run, begin again, answer
 *   txn_line.c    waiting in line for a partition
 *   txn_reads.c   what it loads and decodes
 *   txn_newest.c  in which state it sees that
 *   txn_writes.c  what it writes
 *   txn_items.c   the items that transactions under way read and write, in their newest state
 *   txn_batch.c   the commits of those that have run
 *   txn_once.c    repeats of a request with an idempotency_key
 *   txn_caller.c  the caller's address, session and topics
 *   txn_after.c   what it causes when it is durable
 */
#ifndef SERVER_CORE_TXN_TXN_PRIV_H
#define SERVER_CORE_TXN_TXN_PRIV_H

#include <utlist.h>

#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"
#include "server/domain/txn.h"

/* One state of an item: as the table has it, or as a transaction has written it that is not durable. */
struct item_state {
	unsigned refs;
	bool exists;
	struct transaction *by; /* has written it, and is not durable; NULL: the table has it */
	uint64_t version;	/* that the table has; 0 where the item does not exist */
	uint64_t as_of;		/* a commit behind which the table has had it */
	struct item_state *under; /* while it is not durable: the one before, or NULL */
	size_t len;
	char value[];
};

static inline bool item_state_is_newer(const struct item_state *state, uint64_t as_of)
{
	return state->by != NULL || state->as_of > as_of;
}

/* An item that transactions under way read or write. */
struct live_item {
	UT_hash_handle hh; /* by key */
	struct live_partition *partition;
	struct live_item *next, *prev; /* of the partition */
	unsigned refs;
	struct item_state *now;	    /* the newest; NULL: not known */
	struct transaction *reader; /* the last that has read it and waits for its commit */
	struct store_op *op;	    /* of the commit that is being made */
	size_t len;
	char key[]; /* the partition's pointer, then the SK */
};

struct live_partition {
	UT_hash_handle hh; /* by pk */
	unsigned pages;	   /* that transactions under way have read of it */
	struct live_item *items;
	struct transaction *reader; /* the last that has read a page of it and waits for its commit */
	size_t len;
	char pk[];
};

/* What a transaction reads: one item, a page of a partition, what an index lists, or how many entries that are. */
struct read {
	struct ticket ticket;
	struct transaction *owner;
	struct read *next;
	enum read_kind { READ_ITEM, READ_PAGE, READ_QUERY, READ_COUNT } kind;
	bool is_loaded;
	bool is_used;		  /* by the run that is the last so far */
	struct store_load load;	  /* of an item or a page */
	struct store_query query; /* of an index */
	struct store_item *items; /* as this run sees them; an item that exists is one; none of a count */
	size_t n;
	bool has_more;
	bool is_partial; /* of a query: something may be missing from it, as EVENT_DUE has it */
	int64_t end; /* as struct txn_items has it */
	const void *decoded; /* of an item that exists */

	/* Of one that sees what is not durable yet: */
	struct live_item *item;		  /* of an item */
	struct live_partition *partition; /* of a page */
	struct item_state **states; /* of each of the items; NULL, also for all: it is as the load brought it */
	struct item_state *state;   /* of an item: states[0], whether it exists or not */
	struct store_item *loaded;  /* a page as it was loaded: copies */
	size_t loaded_n;
	bool loaded_more;
	uint64_t as_of; /* the snapshot of that load */
};

static inline bool is_of_a_room(struct slice pk)
{
	return slice_starts(pk, slice_str(item_rows[ITEM_ROOM].pk_prefix));
}

static inline bool read_is_of_items(const struct read *r)
{
	return r->kind == READ_ITEM || r->kind == READ_PAGE;
}

/* What an index says is a hint, and so is what is durable of a room, which lives in memory. */
static inline bool read_is_condition(const struct read *r)
{
	return read_is_of_items(r) && !is_of_a_room(r->load.pk);
}

struct write {
	struct slice pk, sk;
	bool is_new;		  /* the item must not exist */
	struct item_state *state; /* NULL only where memory was out */
	struct live_item *item;	  /* NULL until the run is over */
	struct write *next;
};

/* What subscribers are sent when the transaction is durable. */
struct publication {
	struct slice pk;
	enum notice notice;
	struct topic_stamp *record;
	struct publication *next;
};

/* A topic that ends when the transaction is durable. */
struct topic_ending {
	struct slice pk;
	struct topic_ending *next;
};

/* A notification that its connection is sent behind the answer. */
struct trailer {
	struct slice bytes;
	struct trailer *next;
};

/* A session that is over when the transaction is durable. */
struct ending {
	struct key_text token_hash;
	struct ending *next;
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
	/* Of the connection when the request came; or the one to be renewed or removed. */
	struct live_session *session;
	bool is_renewal;
	size_t result_size;  /* of t->result; 0: it has none */
	txn_ended_cb *ended; /* NULL: nobody has asked for it, or has been told */
	void *ended_of;

	struct line *line; /* NULL: it waits for nobody */
	struct transaction *line_next, *line_prev;
	bool has_run; /* to its end, and waits to be durable: those behind it in line may run */

	struct batch *batch; /* NULL: it has not run to its end */
	struct transaction *batch_next, *batch_prev; /* of the batch, or of its flight */
	bool is_refused; /* that is its answer, when what it has read is durable */
	size_t together; /* most that share its commit, as one of more has failed; 0: as many as may */

	unsigned runs;	  /* that ended with a conflict */
	unsigned loading; /* reads that are on their way */
	bool is_running;
	bool sees_pending; /* it may write, so it sees what is not durable yet */
	bool lacks_reads;  /* something was asked for in this run and is not loaded */
	bool is_overtaken; /* a session or a seat that it reads has ended since */
	bool is_behind;	   /* the topic has moved on during its last run: a reset follows its answer */
	enum err failed;   /* whatever the handler returns: ERR_NOMEM, or ERR_TOO_LARGE */
	enum limit beyond; /* ERR_TOO_LARGE: which bound it crossed */
	bool is_due;	   /* to run with the next turn */
	struct transaction *due_next;
	uint64_t asked[LIMIT_COUNT / 64 + 1]; /* a bit for each limit of the address that was asked for it */
	size_t items;	   /* that it has read */
	size_t pages;
	size_t bytes;
	size_t written; /* bytes, in this run */
	size_t owed;	/* bytes of the request; its connection owes them */
	size_t held;	/* all those bytes, as the server's sum counts them */

	struct arena request; /* message and params: as long as the transaction */
	struct arena loaded;  /* reads and their items: until it begins again */
	struct arena made;    /* by one run */
	struct read *reads;
	struct write *writes;
	size_t writes_n;

	struct slice once;	       /* caller and idempotency_key; empty: it has none */
	struct key_text once_pk, once_sk; /* the rest of its item's PK and SK */

	struct publication *publications;
	struct topic_ending *topic_endings;
	struct slice topic; /* that its connection subscribes to; empty: none */
	uint64_t subscription;
	int64_t topic_version;	    /* when its reads began */
	struct since subscribed_at; /* of the partition's item; version 0: it counts none */
	struct trailer *trailers;

	struct notification *notifications;
	struct follower *followers;
	struct errand *errands;
	struct run_later *runs_later;
	struct ending *endings;
	bool sets_session;
	bool has_new_session; /* or its connection has none from then on */
	struct session new_session;
	const struct session *renamed; /* NULL: none */
};

static inline struct transaction *transaction_of(const struct txn *t)
{
	return (struct transaction *)(void *)(uintptr_t)t;
}

/* ---- txn.c ---- */

/* Run it from the top; its end, where it has one, is there when this returns. */
void txn_run(struct server *s, struct transaction *ta);
/* It has work for the next turn: never at once, so that none ends inside another. */
void txn_due(struct server *s, struct transaction *ta);
/* Run it from the top on fresh items, with the next turn and when its line is so far; or refuse it, after too many runs. */
void txn_again(struct server *s, struct transaction *ta);
/* What it has read is durable, and so is what it has written: it ends as its run did, or begins again. */
void txn_durable(struct server *s, struct transaction *ta);
/* It ends refused: t->fault was set; UNAVAILABLE; ta->beyond. */
void txn_answer_fault(struct server *s, struct transaction *ta);
void txn_fail(struct server *s, struct transaction *ta);
void txn_answer_beyond(struct server *s, struct transaction *ta);
/* Bring the sum of what all hold up to date with what this one holds now; false where it is above TRANSACTIONS_BYTES. */
bool txn_hold(struct transaction *ta);

/* Memory is out: the run ends with UNAVAILABLE. */
static inline void txn_lacks_memory(struct transaction *ta)
{
	ta->failed = ERR_NOMEM;
}

/* A bound is crossed: the run ends with TOO_LARGE, or UNAVAILABLE where the bound is of all together. */
static inline void txn_is_beyond(struct transaction *ta, enum limit limit)
{
	ta->failed = ERR_TOO_LARGE;
	ta->beyond = limit;
}

/* ---- txn_reads.c ---- */

/* PK or SK: the kind's text and what the caller adds. */
struct slice txn_join(struct transaction *ta, struct arena *arena, const char *prefix, size_t len, struct slice rest);
void txn_item_key(struct transaction *ta, struct arena *arena, enum item_kind kind, struct slice pk, struct slice sk,
		  struct slice *item_pk, struct slice *item_sk);
/* Whether something may be missing from what the last run has read. */
bool txn_read_partially(const struct transaction *ta);
/* Where the item was read, by this run if it was; NULL: nowhere. *item is NULL where it does not exist. */
struct read *txn_read_of(const struct transaction *ta, struct slice pk, struct slice sk, const struct store_item **item);
/* As if this item had been read already; false where memory is out or it is damaged. */
bool txn_read_found(struct transaction *ta, const struct store_item *found);
/* ERR_NOMEM; ERR_CORRUPT it is damaged. */
enum err txn_decode_item(const struct store_item *item, struct arena *arena, const void **out);
/* Load all that a run has asked for. False when memory is out: none of them is on its way. */
bool txn_send_reads(struct server *s, struct transaction *ta);
void txn_forget_reads(struct server *s, struct transaction *ta);

/* ---- txn_newest.c ---- */

/* Before a run: nothing of what it has read is used yet, and it sees all of that in its newest state. */
void txn_unsee_reads(struct transaction *ta);
void txn_refresh_reads(struct transaction *ta);
/* As it is now; false where memory is out, or something is damaged. */
bool read_see(struct transaction *ta, struct read *r);
/* The item is in that state, and decoded. ERR_NOMEM; ERR_CORRUPT it is damaged. */
enum err read_see_item(struct transaction *ta, struct read *r, struct item_state *state);
/* ta->failed where it has read more than a transaction may, or all together hold too much. */
void txn_bound_bytes(struct transaction *ta);

/* ---- txn_writes.c ---- */

/* By how many bytes of keys and values its writes let the table grow; 0: by none. */
int64_t txn_growth(const struct transaction *ta);
void txn_forget_writes(struct server *s, struct transaction *ta);

/* ---- txn_items.c ---- */

/* @value  copied; NULL: the item does not exist. One reference; NULL when memory is out. */
struct item_state *item_state_make(const struct slice *value);
struct item_state *item_state_ref(struct item_state *state);
void item_state_unref(struct item_state *state); /* NULL is fine */
/* It is durable, by the commit of that version. */
void item_state_settle(struct item_state *state, uint64_t version);

/* With a reference; NULL when memory is out. */
struct live_item *live_item_ref(struct server *s, struct slice pk, struct slice sk);
void live_item_unref(struct server *s, struct live_item *item);
/* NULL where no transaction under way reads or writes it. */
struct live_item *live_item_find(const struct server *s, struct slice pk, struct slice sk);
struct slice live_item_pk(const struct live_item *item);
struct slice live_item_sk(const struct live_item *item);
/* The table has it so: the newest state, unless a newer one is known. */
void live_item_learn(struct live_item *item, struct item_state *state);
/* The table may have another state by now. */
void live_item_forget(struct live_item *item);
/* A transaction has written it so, and is not durable; that comes to nothing. */
void live_item_write(struct live_item *item, struct item_state *state);
void live_item_unwrite(struct live_item *item, struct item_state *state);

/* With a reference, for a page; NULL when memory is out. */
struct live_partition *live_partition_ref(struct server *s, struct slice pk);
void live_partition_unref(struct server *s, struct live_partition *p);

/* ---- txn_batch.c ---- */

/* Whether what the run has read is not durable yet. */
bool batch_is_needed(const struct transaction *ta);
/*
 * The run is over: it ends with txn_durable() or runs again. ERR_NOMEM; ERR_CONFLICT an item that must
 * not exist is there by now.
 */
NODISCARD enum err batch_join(struct server *s, struct transaction *ta);
/* End of a turn: send what can be sent. */
void batches_turn(struct server *s);
/* The server ends. */
void batches_forget(struct server *s);

/* ---- txn_line.c ---- */

/* Which line a request waits in; empty: in none. */
struct slice line_of_request(struct transaction *ta);
/* Behind those that wait in the same line, a copy of whose name is kept. ERR_NOMEM; ERR_TOO_LARGE more than TRANSACTIONS_IN_LINE. */
NODISCARD enum err line_join(struct server *s, struct transaction *ta, struct slice key);
/* All before it have run. */
bool line_is_first(const struct transaction *ta);
/* It has run to its end: the next one may run. */
void line_pass(struct server *s, struct transaction *ta);
/* It has to run again, before those behind it that have not run. */
void line_return(struct transaction *ta);
void line_leave(struct server *s, struct transaction *ta);

/* ---- txn_once.c ---- */

/* Note which item remembers the request, if it has an idempotency_key. */
void once_begin(struct transaction *ta, const struct conn *c, struct slice key);
/* The handler's run, or the first result where the request is a repeat. */
enum txn_step once_run(struct transaction *ta);

/* ---- txn_caller.c ---- */

/* Take what it lets the table grow by of what its user may (USER_BYTES_PER_HOUR), once. False as txn_take_of_user(). */
bool txn_take_growth(struct transaction *ta);
/* Something was published since its reads began. */
bool txn_topic_has_moved(struct transaction *ta);
/* It is durable: send what it publishes, end topics and the subscriptions to which items that it has deleted gave the right. */
void txn_do_topics(struct server *s, const struct transaction *ta);
/* Its request was answered: the subscription stays, and notifications for it alone are sent. */
void txn_keep_subscription(struct server *s, struct conn *c, const struct transaction *ta);

/* ---- txn_after.c ---- */

/* It is durable: send its notifications, begin what follows it. */
void txn_do_after(struct server *s, const struct transaction *ta);

#endif
