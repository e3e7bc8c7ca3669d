/*
 * txn.h - a transaction on the directory: sessions, users and whatever else is no room.
 *
 * A handler reads items, decides, writes items, answers. It has no other effect,
 * so it can run again: from the top whenever something that it asked for has
 * been loaded, and from the top on fresh items when its commit was not made.
 * server/core/txn/txn.c loads, commits, retries, answers and publishes; every
 * item that the last run read is a condition of its commit. One that may write sees what others have written
 * and is not durable yet; it is committed with them or behind them, and answered when that is durable. A repeat of a request
 * with an idempotency_key gets the first result without a run of the handler.
 *
 *	enum txn_step on_SESSION_LOGOUT(struct txn *t)
 *	{
 *		const struct token_item *token = txn_get(t, ITEM_TOKEN, hash, NO_SK);
 *		if (txn_is_loading(t)) {
 *			return TXN_MORE;
 *		}
 *		txn_delete(t, ITEM_TOKEN, hash, NO_SK);
 *		return TXN_DONE;
 *	}
 *
 * What it reads must not depend on t->random, or it would never have read all.
 *
 * Pointers that these functions return, and those that a handler puts into
 * t->result, live in t->arena or in the transaction: as long as it.
 *
 * Not here: rooms, which live in memory (room.h); what a transaction has one of them do is a task (room_task.h).
 */
#ifndef SERVER_DOMAIN_TXN_H
#define SERVER_DOMAIN_TXN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/random.h"
#include "proto/keys/room_code.h"
#include "proto/methods.h"
#include "server/domain/room_task.h"
#include "store/items.h"
#include "store/store.h"

/* A login, as the connections that use it share it. */
struct session {
	struct key_text token_hash;
	char user_id[CODE_CHARS_MAX + 1];
	char user_name[MAX_NAME_BYTES + 1];
	char name_key[MAX_NAME_BYTES + MAX_NAME_BYTES / 2 + 1]; /* as names compare */
	int64_t created_on;
	int64_t expires_at; /* wall ms; the table may be a minute behind */
	bool is_keyed;	    /* a key signed it: a lasting user, not a guest */
	int64_t utc_offset_minutes; /* of its user's clock; 0 where nobody has said */
	bool sets_offset;   /* of one that a connection is given: the offset is the latest that there is */
};

/* What a handler is given. All of it is the same in every run, but for the time, the result and the arena. */
struct txn {
	const void *params; /* struct of the method's params record; of a transaction that no request began: its starter's */
	void *result;       /* struct of the method's result record, zeroed; NULL where no request began it and nobody asked */
	const struct session *session; /* of the connection; NULL: nobody is logged in there */
	struct key_text nonce;         /* of the connection's session.hello; "" where no request began it */
	struct random *random;
	const unsigned char *server_key; /* SEED_BYTES, for hashes */
	const int64_t *limits;           /* LIMIT_COUNT of them */
	bool has_command;                /* the server has one for notices */
	int64_t wall_ms;
	struct arena *arena; /* for what one run makes; empty when the next begins */
	bool is_repeat; /* of a request that is done, whose result has a secret: make that result again, and write nothing */
	int64_t done_at; /* when the request is done first: now, or, where it is a repeat, then */
	struct fault fault;
};

enum txn_step {
	TXN_MORE,   /* something that was asked for is not loaded yet: run again when it is */
	TXN_DONE,   /* commit what was written, then answer with t->result */
	TXN_REFUSED /* t->fault has the reason; nothing is written */
};
typedef enum txn_step txn_handler(struct txn *t);

/* The rest of an SK where the kind's SK has none. */
#define NO_SK ((struct slice){0})

/* ---- reading ---- */

/*
 * The item of that kind at (PK's rest, SK's rest), decoded into its record's
 * struct; NULL where there is none, and while it is not loaded. An item of a room
 * is as the table has it, and no condition of the commit.
 */
const void *txn_get(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk);

struct txn_items {
	const struct store_item *items; /* as the table has them; txn_decode() reads one */
	size_t n;
	bool has_more; /* behind the last of them */
	int64_t end;   /* of a page of an index that has more: the sort attribute of the last, which may be damaged */
};

struct txn_page {
	struct slice after; /* an SK: only what comes behind it; empty: from the beginning */
	bool is_descending; /* the greatest SK first */
	size_t limit;	    /* 1 to STORE_QUERY_MAX */
};

/*
 * A page of the items of that kind in a partition, in SK order. Each listed item
 * is a condition of the commit, as if it had been read with txn_get(), which
 * finds it without loading it again. A page guards the items it lists, and does
 * not guard against items that are added: where a decision depends on how many
 * there are, let an item say so that every transaction that adds one reads and
 * writes. Items of a room are as txn_get() has them: no conditions.
 *
 * @kind  one whose SK goes on behind the kind's text.
 */
struct txn_items txn_list(struct txn *t, enum item_kind kind, struct slice pk, const struct txn_page *page);

/* The item as its kind's record, in t->arena; NULL where it is damaged or memory is out. */
const void *txn_decode(struct txn *t, const struct store_item *item);

struct txn_range {
	struct slice after; /* of txn_place(): only what comes behind it, which need not exist; empty: from the beginning */
	bool is_descending; /* the greatest sort attribute first */
	size_t limit;	    /* 1 to STORE_QUERY_MAX */
};

/*
 * Items that an index lists, in the order of its sort attribute: a hint where
 * to look, no condition of the commit. A damaged one is among them. What a decision depends on is read again
 * with txn_get().
 *
 * @partition  of the index, empty where it has only one.
 */
struct txn_items txn_query(struct txn *t, enum index_id index, struct slice partition, const struct txn_range *range);

/*
 * How many entries an index has whose sort attribute is `from` or more, counted up to
 * at_most (1 to STORE_COUNT_MAX). A hint, as what txn_query() lists.
 */
size_t txn_count(struct txn *t, enum index_id index, struct slice partition, int64_t from, size_t at_most);

/* Where an item of that kind is, or was, listed in an index with that sort attribute: txn_range.after. In t->arena. */
struct slice txn_place(struct txn *t, struct slice partition, int64_t sort, enum item_kind kind, struct slice pk,
		       struct slice sk);

/* The text, in t->arena; where memory is out the transaction is refused when the handler returns. */
struct slice txn_copy(struct txn *t, struct slice text);
/* The same of an array; NULL where it is empty, or memory is out. */
void *txn_keep(struct txn *t, const void *array, size_t bytes);

/* Whether something that was asked for in this run is not loaded yet: then the handler returns TXN_MORE. */
bool txn_is_loading(const struct txn *t);

/* ---- writing ---- */

/*
 * Write an item; its times are set here. Conditional on what this run has read
 * of the same item; one that was not read is written whatever is there.
 *
 * @item  struct of the kind's record; copied.
 */
void txn_put(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item);
/* The same, and the item must not exist. */
void txn_put_new(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item);
/* Remove an item; one that does not exist is fine. */
void txn_delete(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk);

/* ---- answering ---- */

/*
 * A new secret of 256 bits for the result: random, or, where the request has an
 * idempotency_key, the same for each of its repeats, and another for another
 * `with` (what the caller has proved, or nothing).
 */
struct key_text txn_make_key(struct txn *t, struct slice with);

/* t->fault, which says that there are as many as `limit` allows, says so in figures, too; returns TXN_REFUSED. */
enum txn_step txn_bound(struct txn *t, enum limit limit);

/* t->fault becomes that; returns TXN_REFUSED. */
enum txn_step txn_refuse(struct txn *t, enum fault_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- topics: notifications of a partition's changes ---- */

/*
 * The connection is sent what is published of the partition from now on. What
 * this run has read is no older than that: where something was published
 * meanwhile, the transaction runs again.
 *
 * @notice   sent where the connection is too slow for what is published.
 * Returns the topic's version, for the answer, of a partition whose item counts no
 * versions. A connection that watches too much already is refused when the
 * transaction is done.
 */
int64_t txn_subscribe(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice);
/* The partition's item, as this run has read it, counts its changes: the connection has that version, and is sent those behind it. */
void txn_subscribed_at(struct txn *t, int64_t epoch, int64_t version);
/*
 * What the transaction has subscribed to lasts no longer than that item, which it has read: when
 * the item is gone the connection is sent a last notification, with reset, and nothing of
 * what comes after.
 */
void txn_subscribe_while(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk);
void txn_unsubscribe(struct txn *t, enum item_kind kind, struct slice pk);
/*
 * The connection alone is sent that behind the answer: the state that it has subscribed to, say.
 * Where too much waits for it, it is sent a reset instead.
 * @record  struct of the notice's record.
 */
void txn_send_behind(struct txn *t, enum notice notice, const void *record);
/*
 * When the transaction is durable, that is sent to the partition's subscribers,
 * in the order of the calls.
 * @record  struct of the notice's record, which begins with F_TOPIC; copied, and its strings stay until then. Its version
 *          is the one that the partition's item is written with, and since the one before; both are 0 where the item
 *          counts none.
 */
void txn_publish(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice, const void *record);

/*
 * When the transaction is durable, and what it publishes there was sent, nobody is subscribed to the partition any more.
 * Where it publishes nothing there subscribers are sent a reset.
 */
void txn_end_topic(struct txn *t, enum item_kind kind, struct slice pk);

/* ---- users, and what follows ---- */

/* Whether the user is logged in on a connection now. */
bool txn_user_is_connected(const struct txn *t, struct slice user_id);
/* How many members are in that room now: with a name, and connected. 0 where it is not in memory. */
size_t txn_room_users(const struct txn *t, struct slice room_id);
/*
 * When the transaction is durable, that is sent to the connections on which the
 * user is logged in, but to those for which too much waits: it is part of no topic.
 * @record  struct of the notice's record.
 */
void txn_notify(struct txn *t, struct slice user_id, enum notice notice, const void *record);

/* The params of a transaction that another one began. */
struct txn_next {
	struct slice key;
	enum err result; /* behind a run of the command: OK; ERR_IO it failed; any other: it could not be run */
};

/*
 * When the transaction is durable, that handler runs as a transaction of its own,
 * which no request began. Only a hint: it is forgotten when the server ends, and
 * where too many wait or memory is out. What must be done is found in the table as
 * well: an item that expires at once, say.
 *
 * @line  those that name the same one run one after another; lives as long as t->arena.
 * @key   for its params; copied.
 */
void txn_then(struct txn *t, struct slice line, txn_handler *run, struct slice key);

/*
 * When the transaction is durable, the room of that id is given that task, which is a request of the room that no
 * connection sent: the room is loaded first where need be. Only a hint, as txn_then() has it; nothing where
 * there is no such room.
 *
 * @room_id  as ROOM's PK has it; copied, and so is the key.
 */
void txn_then_room(struct txn *t, struct slice room_id, room_task_handler *run, struct slice key);

/*
 * When the transaction is durable, the server's command for notices (t->has_command)
 * runs with a line of JSON as its standard input: the record. When it has ended,
 * `then` runs as by txn_then(), with how it ended. As a hint, too.
 */
void txn_run_command(struct txn *t, const struct record *rec, const void *input, txn_handler *then,
		     struct slice key);

/* ---- the caller's rates ---- */

/*
 * Take one of what the address may do in a minute or hour, once for each request however
 * often it runs; on a unix socket that is its user, and the server's own may always. False with t->fault RATE_LIMITED.
 */
bool txn_take(struct txn *t, enum limit limit, const char *what);
/*
 * Take one of what the session's user may do in the limit's minute or hour (its
 * unit), and one of what their address may, as somebody may log in again as another: guests
 * together as much as one user, and users with a key ADDRESS_USERS times that. Once for each request;
 * lives in memory alone. False with t->fault RATE_LIMITED.
 */
bool txn_take_of_user(struct txn *t, enum limit limit, const char *what);
/*
 * Whether the address has guesses left of those that `limit` allows, LOGIN_MISSES_PER_MINUTE or
 * ROOM_MISSES_PER_MINUTE; false with t->fault RATE_LIMITED and `what`.
 */
bool txn_may_guess(struct txn *t, enum limit limit, const char *what);
/* t->fault becomes that and one guess of those is counted, or, where none is left, RATE_LIMITED; returns TXN_REFUSED. */
enum txn_step txn_refuse_guess(struct txn *t, enum limit limit, enum fault_code code, const char *message);

/* ---- what the server knows until it ends ---- */

/* Note that it has happened, at once, if that is not noted. The oldest notes are forgotten where there are too many. */
void txn_note(struct txn *t, struct slice what);
/* Ms since it was noted; -1: it is not. */
int64_t txn_note_age_ms(const struct txn *t, struct slice what);

/* ---- sessions in use ---- */

/* Whether a session lives: by its use, where connections have it, else by its end in the table. */
bool txn_session_is_live(const struct txn *t, struct slice token_hash, int64_t expires_at);
/* The table takes a session that connections use for over: it is brought up to date. */
void txn_keep_session(struct txn *t, struct slice token_hash);
/* When the transaction is durable the connection has this session (copied), or with NULL none. */
void txn_set_session(struct txn *t, const struct session *session);
/* When the transaction is durable that session (copied) has its user_name and name_key for all connections that use it. */
void txn_rename_session(struct txn *t, const struct session *session);
/* When the transaction is durable that session is over for all connections that use it. */
void txn_end_session(struct txn *t, struct slice token_hash);

#endif
