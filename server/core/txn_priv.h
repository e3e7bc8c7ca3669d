/*
 * txn_priv.h - a transaction as the files of server/core/txn*.c share it.
 *
 *   txn.c         its life: begin, run, commit, begin again, answer
 *   txn_reads.c   what it loads and decodes
 *   txn_writes.c  what it writes, and the conditions of its commit
 *   txn_line.c    waiting in line for a partition
 *   txn_once.c    repeats of a request with an idempotency_key
 *   txn_caller.c  the caller's address, session and topics
 *   txn_after.c   what it causes when it is durable
 */
#ifndef SERVER_CORE_TXN_PRIV_H
#define SERVER_CORE_TXN_PRIV_H

#include <utlist.h>

#include "server/core/server_priv.h"
#include "server/core/ticket.h"
#include "server/core/topic.h"
#include "server/core/txn.h"
#include "server/domain/txn.h"

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
	struct store_item *items; /* copies; an item that exists is one; none of a count */
	size_t n;
	bool has_more;
	int64_t end; /* as struct txn_items has it */
	const void *decoded; /* of an item that exists */
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
	struct store_op op; /* its condition: absent, or any until the commit is made */
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
	struct transaction *line_next;

	unsigned runs;	  /* that ended with a conflict */
	unsigned loading; /* reads that are on their way */
	bool is_running;
	bool lacks_reads;  /* something was asked for in this run and is not loaded */
	bool is_overtaken; /* a session or a seat that it reads has ended since */
	enum err failed;   /* whatever the handler returns: ERR_NOMEM, or ERR_TOO_LARGE */
	enum limit beyond; /* ERR_TOO_LARGE: which bound it crossed */
	bool to_resend;	   /* the store was busy, or the outcome unknown: the same commit goes again */
	bool may_be_made;  /* a commit's outcome was unknown: it may not be reported as failed */
	bool is_due;	   /* to run, or to be sent again, with the next turn */
	struct transaction *due_next;
	uint64_t asked[LIMIT_COUNT / 64 + 1]; /* a bit for each limit of the address that was asked for it */
	size_t items;	   /* that it has read */
	size_t pages;
	size_t bytes;
	size_t written; /* bytes, in this run */
	size_t owed;	/* bytes of the request; its connection owes them */
	size_t held;	/* all those bytes, as the server's sum counts them */
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
/* Where the item was read, by this run if it was; NULL: nowhere. *item is NULL where it does not exist. */
struct read *txn_read_of(const struct transaction *ta, struct slice pk, struct slice sk, const struct store_item **item);
/* As if this item had been read already; false where memory is out or it is damaged. */
bool txn_read_found(struct transaction *ta, const struct store_item *found);
/* Load all that a run has asked for. False when memory is out: none of them is on its way. */
bool txn_send_reads(struct server *s, struct transaction *ta);
void txn_forget_reads(struct server *s, struct transaction *ta);

/* ---- txn_writes.c ---- */

/* The writes with their conditions, then the conditions of what was only read. False when memory is out. */
bool txn_make_ops(struct transaction *ta);

/* ---- txn_line.c ---- */

/* Which line a request waits in; empty: in none. */
struct slice line_of_request(struct transaction *ta);
/* Behind those that wait in the same line, a copy of whose name is kept. ERR_NOMEM; ERR_TOO_LARGE more than TRANSACTIONS_IN_LINE. */
NODISCARD enum err line_join(struct server *s, struct transaction *ta, struct slice key);
bool line_is_first(const struct transaction *ta);
void line_leave(struct server *s, struct transaction *ta);

/* ---- txn_once.c ---- */

/* Note which item remembers the request, if it has an idempotency_key. */
void once_begin(struct transaction *ta, const struct conn *c, struct slice key);
/* The handler's run, or the first result where the request is a repeat. */
enum txn_step once_run(struct transaction *ta);

/* ---- txn_caller.c ---- */

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
