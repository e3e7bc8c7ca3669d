/*
 * txn.h - a transaction on the directory: sessions, users and everything else except rooms.
 *
 * A handler reads items, decides, writes items and answers. It has no other side effects, so it
 * can run again: from the top whenever items that it asked for have been loaded, and from the top
 * with fresh items if its commit failed. server/core/txn/txn.c loads, commits, retries, answers
 * and publishes. The commit is conditional on every item that the last run read. A transaction
 * that may write sees the writes of others that are not durable yet; it is committed with them or
 * after them, and answered when that is durable. A repeat of a request with an idempotency_key
 * gets the first result without running the handler.
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
 * The items that a handler reads must not depend on t->random: each run would ask for other
 * items, and never have all of them.
 *
 * Pointers that these functions return, and those that a handler stores in t->result, are valid
 * as long as the transaction. They point into t->arena or into the transaction itself.
 *
 * Not here: rooms, which live in memory (room.h). A transaction changes a room by giving it a
 * task (room_directory.h).
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
#include "server/domain/room_directory.h"
#include "store/items.h"
#include "store/store.h"

/* A login. Connections that use the same login share one. */
struct session {
	struct key_text token_hash;
	char user_id[CODE_CHARS_MAX + 1];
	char user_name[MAX_NAME_BYTES + 1];
	/* the name in the form in which names are compared */
	char name_key[MAX_NAME_BYTES + MAX_NAME_BYTES / 2 + 1];
	int64_t created_on;
	int64_t expires_at; /* wall ms; the value in the table may be older: session_cache.h */
	bool is_keyed;	    /* signed with a key: a lasting user, not a guest */
	int64_t utc_offset_minutes; /* of the user's clock; 0 if unknown */
	bool sets_offset;   /* of a session given to a connection: its offset is the latest known */
};

/*
 * The input and output of a handler. Everything is the same in each run, except the time, the
 * result and the arena.
 */
struct txn {
	/*
	 * struct of the method's params record; without a request: the params given by what
	 * started the transaction
	 */
	const void *params;
	/*
	 * struct of the method's result record, zeroed; NULL if there is no request and nobody
	 * waits for a result
	 */
	void *result;
	const struct session *session; /* the session of the connection; NULL: not logged in */
	struct key_text nonce; /* nonce of the connection's session.hello; "" without a request */
	struct random *random;
	const unsigned char *server_key; /* SEED_BYTES long; key of the hashes */
	const int64_t *limits;           /* LIMIT_COUNT of them */
	bool has_command;                /* the server has a command for notifications */
	int64_t wall_ms;
	struct arena *arena; /* memory for one run; emptied before the next */
	/*
	 * this repeats a finished request whose result has a secret: make the same result again,
	 * and write nothing
	 */
	bool is_repeat;
	/* time of the request: wall_ms, or for a repeat the time of the first one */
	int64_t done_at;
	struct fault fault;
};

enum txn_step {
	TXN_MORE,   /* some items are not loaded yet: run again when they are */
	TXN_DONE,   /* commit the writes, then answer with t->result */
	TXN_REFUSED /* answer with t->fault; nothing is written */
};
typedef enum txn_step txn_handler(struct txn *t);

/* The rest of an SK, for kinds whose SK is fixed. */
#define NO_SK ((struct slice){0})

/* ---- reading ---- */

/*
 * Read the item of this kind with this rest of PK and SK, decoded into the struct of its record.
 * Returns NULL if it does not exist, and while it is not loaded. An item of a room is read as it
 * is in the table, and the commit is not conditional on it.
 */
const void *txn_get(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk);

struct txn_items {
	const struct store_item *items; /* encoded; decode each with txn_decode() */
	size_t n;
	bool has_more; /* there are more after the last of these */
	/*
	 * of a page of an index with has_more: the sort attribute of the last entry, even if that
	 * is damaged
	 */
	int64_t end;
};

struct txn_page {
	struct slice after; /* an SK: only items after it; empty: start at the beginning */
	bool is_descending; /* start with the greatest SK */
	size_t limit;	    /* 1 to STORE_QUERY_MAX */
};

/*
 * Read a page of the items of this kind in a partition, in SK order. The commit is conditional on
 * each listed item, as if it had been read with txn_get(), which then finds it without loading it
 * again. A page does not protect against items that are added: if a decision depends on the
 * number of items, keep that number in an item that every transaction adding one reads and
 * writes. Items of a room are read as by txn_get(): without conditions.
 *
 * @kind  a kind whose SK continues after its fixed text.
 */
struct txn_items txn_list(struct txn *t, enum item_kind kind, struct slice pk, const struct txn_page *page);

/*
 * Decode an item into the struct of its kind's record, in t->arena; NULL if it is damaged or
 * memory is out.
 */
const void *txn_decode(struct txn *t, const struct store_item *item);

struct txn_range {
	/*
	 * a result of txn_place(): only entries after it; it need not exist. Empty: start at the
	 * beginning
	 */
	struct slice after;
	bool is_descending; /* start with the greatest sort attribute */
	size_t limit;	    /* 1 to STORE_QUERY_MAX */
};

/*
 * Read items that an index lists, in the order of its sort attribute. The result is only a hint:
 * the commit is not conditional on it. Damaged items are included. Read again with txn_get()
 * whatever a decision depends on.
 *
 * @partition  of the index; empty if the index has only one.
 */
struct txn_items txn_query(struct txn *t, enum index_id index, struct slice partition, const struct txn_range *range);

/*
 * Count the entries of an index whose sort attribute is `from` or greater, up to at_most (1 to
 * STORE_COUNT_MAX). Only a hint, as with txn_query().
 */
size_t txn_count(struct txn *t, enum index_id index, struct slice partition, int64_t from, size_t at_most);

/*
 * Return the position at which an index lists, or listed, this item with this sort attribute, for
 * txn_range.after. In t->arena.
 */
struct slice txn_place(struct txn *t, struct slice partition, int64_t sort, enum item_kind kind, struct slice pk,
		       struct slice sk);

/*
 * Copy a text to t->arena. If memory is out, the transaction is refused when the handler returns.
 */
struct slice txn_copy(struct txn *t, struct slice text);
/* Copy an array to t->arena. Returns NULL if it is empty or memory is out. */
void *txn_keep(struct txn *t, const void *array, size_t bytes);

/*
 * Return whether something that this run asked for is not loaded yet: the handler then returns
 * TXN_MORE.
 */
bool txn_is_loading(const struct txn *t);

/* ---- writing ---- */

/*
 * Write an item; created_on and updated_on are set here. If this run has read the item, the write
 * is conditional on what it read; otherwise it overwrites whatever is there.
 *
 * @item  struct of the kind's record; copied.
 */
void txn_put(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item);
/* Write an item that must not exist. */
void txn_put_new(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk, void *item);
/* Delete an item; it need not exist. */
void txn_delete(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk);

/* ---- answering ---- */

/*
 * Return a new secret of 256 bits for the result. It is random; if the request has an
 * idempotency_key, it is the same for each repeat, and different for a different `with` (what the
 * caller has proved, or empty).
 */
struct key_text txn_make_key(struct txn *t, struct slice with);

/*
 * Keep the result for repeats with the same idempotency_key until this time, if that is later than
 * ONCE_LIFE_MS from now: for a change that may not be made again as long as that. Nothing happens
 * without a key.
 */
void txn_keep_result(struct txn *t, int64_t until);

/*
 * Add the value of `limit` to t->fault, which already says that this limit is reached. Returns
 * TXN_REFUSED.
 */
enum txn_step txn_bound(struct txn *t, enum limit limit);

/* Set t->fault. Returns TXN_REFUSED. */
enum txn_step txn_refuse(struct txn *t, enum fault_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- topics: notifications of a partition's changes ---- */

/*
 * Subscribe the connection to a partition: it is sent everything published there from now on.
 * What this run has read must not be older than that: if something was published meanwhile, the
 * transaction runs again.
 *
 * @notice  sent as a reset if the connection is too slow.
 *
 * Returns the topic's version, for the answer, if the partition's item counts no versions. A
 * connection with too many subscriptions is refused when the transaction is done.
 */
int64_t txn_subscribe(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice);
/*
 * For a partition whose item counts its changes: the connection has this version, as this run has
 * read it, and is sent the later ones.
 */
void txn_subscribed_at(struct txn *t, int64_t epoch, int64_t version);
/*
 * End the subscription of this transaction when this item, which it has read, is deleted: the
 * connection is then sent a last notification, with reset, and nothing after it.
 */
void txn_subscribe_while(struct txn *t, enum item_kind kind, struct slice pk, struct slice sk);
void txn_unsubscribe(struct txn *t, enum item_kind kind, struct slice pk);
/*
 * Send a notification to this connection alone, after the answer; for example the state of what
 * it subscribed to. If its send queue is too long, it is sent a reset instead.
 *
 * @record  struct of the notice's record.
 */
void txn_send_behind(struct txn *t, enum notice notice, const void *record);
/*
 * When the transaction is durable, send a notification to the partition's subscribers, in the
 * order of the calls.
 *
 * @record  struct of the notice's record, which begins with F_TOPIC. It is copied, but its
 *          strings must stay valid until the transaction ends. `version` is the version with
 *          which the partition's item is written, and `since` the one before; both are 0 if the
 *          item counts none.
 */
void txn_publish(struct txn *t, enum item_kind kind, struct slice pk, enum notice notice, const void *record);

/*
 * When the transaction is durable, and after everything it publishes there, end all subscriptions
 * to the partition. If it publishes nothing there, subscribers are sent a reset.
 */
void txn_end_topic(struct txn *t, enum item_kind kind, struct slice pk);

/* ---- users, and what follows ---- */

/*
 * Return whether the user is logged in on any connection of this server now. Of other servers only the
 * table knows, by what they have written of the user's sessions: see txn_seen_from().
 */
bool txn_user_is_connected(const struct txn *t, struct slice user_id);
/* Return whether other servers share the table. */
bool txn_has_others(const struct txn *t);
/*
 * A session that is in use at another server has this expires_at in the table, or a later one; so has
 * one that was in use until minutes ago.
 */
int64_t txn_seen_from(const struct txn *t);
/*
 * Return whether any connection of this server follows the user (session.watch). What is decided by it
 * begins with txn_then_everywhere().
 */
bool txn_user_is_watched(const struct txn *t, struct slice user_id);
/*
 * Return how many members are in the room now: with a name, and connected. 0 if the room is not
 * in the memory of this server.
 */
size_t txn_room_users(const struct txn *t, struct slice room_id);
/*
 * When the transaction is durable, send a notification to the connections on which the user is
 * logged in, except those whose send queue is too long. It belongs to no topic.
 *
 * @record  struct of the notice's record.
 */
void txn_notify(struct txn *t, struct slice user_id, enum notice notice, const void *record);

/* The params of a transaction that another one started. */
struct txn_next {
	struct slice key;
	/*
	 * after txn_run_command(): OK; ERR_IO: the command failed; any other: it could not be run
	 */
	enum err result;
};

/*
 * When the transaction is durable, run this handler as a separate transaction, without a request.
 * Only a hint: it is lost if the server ends, if too many are waiting or if memory is out. Work
 * that must be done has to be recorded in the table as well, for example as an item that expires
 * at once.
 *
 * @line  transactions with the same line run one after another; must be valid as long as
 *        t->arena.
 * @key   for its params; copied.
 */
void txn_then(struct txn *t, struct slice line, txn_handler *run, struct slice key);
/*
 * The same on every server that shares the table, for work that concerns whoever is connected there.
 *
 * @run  one of directory_looks[] of directory.h.
 */
void txn_then_everywhere(struct txn *t, struct slice line, txn_handler *run, struct slice key);

/*
 * When the transaction is durable, give this task to a room: a request that no connection sent.
 * The room is loaded first if necessary; if it does not exist, nothing happens. Only a hint, as
 * with txn_then().
 *
 * @room_id  as in the PK of ROOM; copied, and so is the key.
 */
void txn_then_room(struct txn *t, struct slice room_id, room_task_handler *run, struct slice key);

/*
 * When the transaction is durable, run the server's command for notifications (t->has_command)
 * with the record as a line of JSON on its standard input. When the command has ended, `then`
 * runs as by txn_then(), with the result. Only a hint, too.
 */
void txn_run_command(struct txn *t, const struct record *rec, const void *input, txn_handler *then,
		     struct slice key);

/* ---- the caller's rates ---- */

/*
 * Count one action against a limit of the caller's address per minute or hour; once per request,
 * however often the handler runs. For a unix socket the user counts instead of the address, and
 * the server's own user is not limited. If none is left, returns false with t->fault
 * RATE_LIMITED.
 */
bool txn_take(struct txn *t, enum limit limit, const char *what);
/*
 * Count one action against a limit of the session's user per minute or hour (the limit's unit),
 * and one against that of the address, because a person can log in as several users: all guests
 * of an address together have the limit of one user, and all users with a key ADDRESS_USERS times
 * that. Once per request; kept only in memory. If none is left, returns false with t->fault
 * RATE_LIMITED.
 */
bool txn_take_of_user(struct txn *t, enum limit limit, const char *what);
/*
 * Return whether the address has guesses left of `limit`, which is LOGIN_MISSES_PER_MINUTE or
 * ROOM_MISSES_PER_MINUTE; if not, false with t->fault RATE_LIMITED, which mentions `what`.
 */
bool txn_may_guess(struct txn *t, enum limit limit, const char *what);
/*
 * Set t->fault and count one guess against the limit; if none is left, t->fault becomes
 * RATE_LIMITED. Returns TXN_REFUSED.
 */
enum txn_step txn_refuse_guess(struct txn *t, enum limit limit, enum fault_code code, const char *message);

/* ---- what the server remembers until it ends ---- */

/*
 * Record that something happened, immediately, unless it is recorded already. If there are too
 * many records the oldest are forgotten.
 */
void txn_note(struct txn *t, struct slice what);
/* Return the ms since txn_note() recorded it; -1 if it is not recorded. */
int64_t txn_note_age_ms(const struct txn *t, struct slice what);

/* ---- sessions in use ---- */

/*
 * Return whether a session is alive: by its last use if connections have it, otherwise by
 * expires_at from the table. One whose login is not durable yet is.
 */
bool txn_session_is_live(const struct txn *t, struct slice token_hash, int64_t expires_at);
/*
 * Update a session in the table that connections use and that has expired according to the table.
 */
void txn_keep_session(struct txn *t, struct slice token_hash);
/* When the transaction is durable, give the connection this session (copied); NULL: no session. */
void txn_set_session(struct txn *t, const struct session *session);
/*
 * When the transaction is durable, change user_name and name_key of this session (copied) for all
 * connections that use it.
 */
void txn_rename_session(struct txn *t, const struct session *session);
/* When the transaction is durable, end this session for all connections that use it. */
void txn_end_session(struct txn *t, struct slice token_hash);

#endif
