/*
 * store.h - the table, whichever engine stores it.
 *
 * Asynchronous and engine-neutral: nothing here waits for a disk. Every call
 * and every callback happens on the loop thread; callbacks run only inside
 * store_poll(), each exactly once, never from inside another store call.
 * Inputs are copied at the call. What a callback is given is valid until it
 * returns. Calls may wait for the next store_flush() or store_poll() before an
 * engine starts them: one of the two ends each turn of the loop.
 *
 * Partitions: a PK that begins with "ROOM:" is a room; all others together are
 * the directory. One commit touches one room's partition, or any number of the
 * directory's, never both (asserted).
 *
 * Versions: the engine numbers its commits 1, 2, 3, ...; an item's version is
 * the number of the commit that last wrote it, a snapshot's version that of the
 * last commit it shows.
 *
 * Ownership of rooms: there is no lock here, and none is missing. Changes of
 * a room run one after another in one process; where several processes share
 * an engine, the versions that a commit expects decide who was first.
 *
 * Life: store_open_lmdb(), or what opens another engine .. store_close().
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "proto/histogram.h"
#include "store/items.h"

struct store;

struct store_item {
	struct slice pk;
	struct slice sk;
	struct slice value; /* a MessagePack map, as the item's record says */
	uint64_t version;
};

/* What follows the text of the item's kind in its keys; an SK that is the text alone has an empty rest. */
static inline struct slice item_pk_rest(const struct store_item *item, enum item_kind kind)
{
	size_t prefix = item_rows[kind].pk_prefix_len;
	return slice_of(item->pk.data + prefix, item->pk.len - prefix);
}

static inline struct slice item_sk_rest(const struct store_item *item, enum item_kind kind)
{
	size_t prefix = item_rows[kind].sk_len;
	return item->sk.len == prefix ? (struct slice){0}
				      : slice_of(item->sk.data + prefix, item->sk.len - prefix);
}

/* ---- reading ---- */

/*
 * A read shows every commit whose callback ran before its call. Each call is a read of its own: those of
 * one turn may be made in one snapshot or in several. What has to be of one moment is one load, or is
 * guarded by the versions that a commit expects.
 */

/*
 * What a load reads of one partition; zeroed fields ask for no more than the
 * partition. Slices are borrowed for the call.
 *
 * A page that continues another takes the last SK of that one as `after`. Each
 * page is a snapshot of its own: items written or deleted between two pages may
 * be missing or present, all others are in exactly one page.
 */
struct store_load {
	struct slice pk;
	struct slice sk_prefix;   /* only items whose SK begins with it; empty: all */
	bool is_exact;            /* sk_prefix is a whole SK: that one item, and none of the fields below */
	bool is_descending;       /* the greatest SK first */
	struct slice after;       /* an SK: only items that come behind it in the order of the page; it need not exist. Empty: from the beginning */
	size_t limit;             /* at most this many items; 0: all */
	struct slice tail_prefix; /* of the items whose SK begins with it only the last tail_limit in SK order, whatever the order of the page; empty: all of them */
	size_t tail_limit;        /* 0: none of those */
};

/*
 * @items     in SK order, or in the reverse where the load says so.
 * @version   of the snapshot, one for all items.
 * @has_more  the limit left items out; those that tail_prefix left out do not count.
 * OK also where there is nothing. ERR_CORRUPT an item failed its checksum; ERR_IO; ERR_NOMEM; ERR_CLOSED.
 */
typedef void store_items_cb(void *arg, enum err e, const struct store_item *items, size_t n, uint64_t version, bool has_more);

/*
 * A page of a partition. Costs a few seeks, a step for each item of the page and
 * tail_limit steps; what the page leaves out is not read.
 */
void store_load(struct store *s, const struct store_load *l, store_items_cb *cb, void *arg);

struct store_query {
	enum index_id index;
	struct slice partition; /* of the index; empty where it has only one */
	int64_t from;           /* range of the sort attribute, both inclusive, whatever the direction */
	int64_t to;
	bool is_descending;  /* the greatest sort attribute first */
	size_t limit;        /* at most this many, 1 to STORE_QUERY_MAX */
	struct slice cursor; /* empty, or the `next` of a page of this index and partition, in either direction */
};
#define STORE_QUERY_MAX        1024
#define STORE_CURSOR_BYTES_MAX 511 /* of a cursor; any bytes up to that are safe to ask with */

/*
 * @items  by their sort attribute; those that are equal in it in an order of their own, in which descending is the exact reverse.
 * @next   cursor of the next page, empty at the end; copy it to keep it.
 * @is_partial  something that belongs there cannot be read, or there may be such: an item or an entry is damaged, on the page or
 *              beside it, or what the index lists is among what damage has taken from the file.
 *
 * Each page is a snapshot of its own. An entry that is neither written nor
 * deleted between the pages is in exactly one of them; the cursor need not
 * exist any more.
 * Items come whole, but for one that is damaged: it comes without value and version, and the page goes on behind it. On
 * a distributed engine an index may lag: re-check the item.
 */
typedef void store_query_cb(void *arg, enum err e, const struct store_item *items, size_t n, struct slice next,
			    bool is_partial);
void store_query(struct store *s, const struct store_query *q, store_query_cb *cb, void *arg);

/*
 * The cursor of a page that ended with that entry, which need not exist. Returns
 * its length.
 *
 * @partition, @sort  of the index.
 * @pk, @sk           of the item.
 */
size_t store_cursor(struct slice partition, int64_t sort, struct slice pk, struct slice sk,
		    char out[STORE_CURSOR_BYTES_MAX]);

/* The sort attribute of the entry with which the page of that cursor ended; false where it is none of the partition's. */
bool store_cursor_sort(struct slice partition, struct slice cursor, int64_t *sort);

struct store_count {
	enum index_id index;
	struct slice partition;
	int64_t from, to; /* as in a query */
	size_t at_most;   /* where counting ends, 1 to STORE_COUNT_MAX */
};
#define STORE_COUNT_MAX 65536

/* What counts the entries that a query without a cursor lists, up to its limit. */
static inline struct store_count store_count_of(const struct store_query *q)
{
	return (struct store_count){q->index, q->partition, q->from, q->to, q->limit};
}

/*
 * @n  entries of the range, or at_most where there are as many or more.
 * Reads entries only, no items. On a distributed engine an index may lag.
 * ERR_CORRUPT, ERR_IO, ERR_NOMEM, ERR_CLOSED  as for a load.
 */
typedef void store_count_cb(void *arg, enum err e, size_t n);
void store_count(struct store *s, const struct store_count *c, store_count_cb *cb, void *arg);

/* ---- checking ---- */

/* What a part of a check came to; slices are valid until the callback returns. */
struct store_checked {
	uint64_t entries;     /* items, and entries of indexes, that it looked at */
	uint64_t entries_all; /* how many the table has now; 0: not known */
	uint64_t problems;
	struct slice lines; /* one for each of them, each with a newline */
	struct slice next;  /* cursor of the next part; empty: this was the last */
};
/*
 * ERR_CORRUPT  a page is damaged, and lines say which: the check is over. Opening the data again mends them.
 * ERR_IO, ERR_NOMEM, ERR_CLOSED  the part was not done, or not all of it.
 */
typedef void store_check_cb(void *arg, enum err e, const struct store_checked *c);

/*
 * Check that what is stored is consistent (check.h), from the cursor on, STORE_CHECK_ENTRIES at most: a part of
 * a walk over everything beside other calls. Each part is a snapshot of its own, given
 * back at its end; what is written meanwhile may be checked or not.
 *
 * @cursor  empty: from the beginning.
 */
void store_check(struct store *s, struct slice cursor, store_check_cb *cb, void *arg);
#define STORE_CHECK_ENTRIES	     256
#define STORE_CHECK_CURSOR_BYTES_MAX 512

/* ---- writing ---- */

enum store_op_kind {
	STORE_CHECK,        /* only the expectation */
	STORE_PUT,
	STORE_DELETE,       /* of what is not there: fine */
	STORE_DELETE_PREFIX /* every SK that begins with sk, or the first `limit` of them; no expectation */
};

enum store_expect {
	STORE_EXPECT_ANY,
	STORE_EXPECT_ABSENT,
	STORE_EXPECT_PRESENT,
	STORE_EXPECT_VERSION /* .version */
};

struct store_op {
	enum store_op_kind kind;
	enum store_expect expect;
	uint64_t version;
	size_t limit; /* DELETE_PREFIX: at most this many items, in SK order; 0: all */
	struct slice pk;
	struct slice sk;
	struct slice value; /* PUT: must decode as the record of the item's kind (asserted, but in release: it is our own codec's) */
};

/* 128 bits; all zero: none. The same token within 10 minutes gives the first result and does nothing. */
struct store_token {
	unsigned char bytes[16];
};
#define STORE_TOKEN_LIFE_MS 600000

struct store_commit {
	struct store_token token;
	bool token_is_local; /* only this process sends it again: an engine that ends the process with ERR_UNKNOWN need not write it down */
	const struct store_op *ops;
	size_t n;
	int64_t now_ms;     /* wall clock, for the life of the token */
};

/*
 * @version   number of the commit, also where the token had been seen.
 * @has_more  a DELETE_PREFIX with a limit left items: commit it again. Where the token had been seen, true if
 *            the commit has any such operation.
 *
 * A partition with more items than one transaction should take is deleted in
 * steps: an item says that the rest is to be deleted; each step expects that
 * item and deletes a prefix up to a limit, until there is no more; the last
 * deletes the item. After a restart the item is found again (by ByExpiry, say),
 * and the steps resume.
 *
 * OK            durable.
 * ERR_CONFLICT  an expectation did not hold; nothing was written.
 * ERR_FULL      no space (disk, map or quota); nothing was written; deletes still work.
 * ERR_IO, ERR_NOMEM, ERR_CLOSED   nothing was written.
 * ERR_CORRUPT   what had to be read for it is damaged; nothing was written. A value that an
 *               expectation alone is about is not read, but its version; an item that no index lists is
 *               overwritten and removed unread, whatever has become of it.
 * ERR_UNKNOWN   the engine failed between writing and answering: send the same
 *               token again, or stop the process.
 */
typedef void store_commit_cb(void *arg, enum err e, uint64_t version, bool has_more);

/*
 * Expectations are all read before anything is written; all or nothing. Commits
 * are applied in the order of the calls; those waiting together share one sync.
 *
 * ERR_BUSY   STORE_PENDING_MAX commits or STORE_PENDING_BYTES_MAX bytes wait already: cb will not be called, try after the next callback.
 * ERR_NOMEM  cb will not be called.
 */
NODISCARD enum err store_commit(struct store *s, const struct store_commit *c, store_commit_cb *cb, void *arg);
#define STORE_PENDING_MAX       65536
#define STORE_PENDING_BYTES_MAX (64u << 20)

/* ---- running ---- */

/*
 * Let the engine start all requests so far. Once for many calls, so that commits of
 * one turn are one transaction, and not the first alone with the rest waiting for
 * its sync.
 */
void store_flush(struct store *s);

/* Run the callbacks of everything that has finished, then store_flush(). True where more is still on its way. */
bool store_poll(struct store *s);

enum store_state {
	STORE_OK,
	STORE_RESERVING,   /* beyond 70 %: puts of new items get ERR_FULL, but those of kinds that item_is_reserved() names */
	STORE_NEARLY_FULL, /* beyond 80 %, or out of disk: puts of all new items do; overwrites that fit and deletes work */
	STORE_BROKEN,      /* after ERR_UNKNOWN: the process must end */
	STORE_GONE         /* the data were removed or replaced: the process must end */
};
struct store_status {
	enum store_state state;
	bool is_unchecked; /* the last process did not close the data: what store_check() is for */
	uint64_t commits; /* since open */
	uint64_t syncs;   /* transactions: commits / syncs is the batch */
	uint64_t bytes_used;
	uint64_t bytes_max;
	uint64_t bytes_free; /* that new items may still take */
	uint64_t disk_free;  /* bytes of the disk that is written to; 0 where there is none */
	struct histogram batch;   /* HISTOGRAM_SIZE: commits of a transaction */
	struct histogram sync_us; /* HISTOGRAM_TIME: from its end to its being on disk */
};
void store_status(struct store *s, struct store_status *out);

/*
 * Ask whatever writes for a sign of life, and say whether it has given the one that was
 * asked for before: true the first time. It does between two transactions, so false
 * says that one has lasted since, or that the thread is stuck.
 */
bool store_pulse(struct store *s);

/* Finish what was accepted, run its callbacks, give everything back. NULL is fine. */
void store_close(struct store *s);

/* ---- engines ---- */

/* Called from any thread when store_poll() has something to do; must only wake the loop. */
typedef void store_wake_cb(void *arg);

/* One line about damage of the data, or its repair; during store_open_lmdb() only. */
typedef void store_damage_cb(void *arg, struct slice line);

/* Now and then while the pages of the file are walked; during store_open_lmdb() only. */
typedef void store_pages_cb(void *arg, uint64_t pages, uint64_t pages_all);

struct store_lmdb_options {
	const char *directory;   /* must exist; gets the files of env_files.h, mode 0600. Its name: at most 2048 bytes */
	uint64_t map_bytes;      /* most the table may ever take; virtual until used. 0: 16 GiB */
	uint64_t reserve_bytes;  /* taken on disk at once, so that a disk others fill does not stop us. 0: none */
	bool read_only;          /* no writer; commits get ERR_CLOSED */
	struct slice owner;      /* at most 64 bytes that identify the owner; stored in data without one, ERR_CONFLICT for data of another. Empty: not checked */
	struct slice boot;       /* names the boot of the machine, at most 64 bytes without blanks. Empty: not known */
	store_damage_cb *on_damage; /* may be NULL */
	store_pages_cb *on_pages;   /* may be NULL */
	void *on_damage_arg;	    /* of both */
	store_wake_cb *wake;
	void *wake_arg;
};
/*
 * ERR_VERSION  the data were written by a newer format.  ERR_CORRUPT  not our data, or damaged.
 * ERR_CONFLICT the data are another owner's.
 * ERR_BUSY     another process has it open for writing.  ERR_NOT_FOUND  read only, and there are no data.
 * ERR_IO, ERR_NOMEM, ERR_FULL.   *why says it for a person.
 * A file with damaged pages is replaced by one without them, and kept beside it; loads and commits of
 * partitions that may have lost an item get ERR_CORRUPT. All pages are walked for that, unless the data were
 * closed, or their process was killed in this boot of the machine: then the file is as the engine wrote it.
 * A process must not open one directory twice, nor use a store after fork().
 */
NODISCARD enum err store_open_lmdb(const struct store_lmdb_options *o, struct store **out, struct errmsg *why);

/* This process ends by a fault, as it may when it comes upon a damaged page: the next to open the data walks them. Async-signal-safe. */
void store_lmdb_fault(void);

#endif
