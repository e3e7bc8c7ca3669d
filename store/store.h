/*
 * store.h - the interface to the table of items, whichever engine stores it.
 *
 * Asynchronous and independent of the engine: no call waits for a disk. All calls and callbacks
 * run on the loop thread. Each callback runs exactly once, inside store_poll() and never inside
 * another store call. Inputs are copied before the call returns. Everything passed to a callback
 * is valid until the callback returns. An engine may postpone calls until the next store_flush()
 * or store_poll(), so every loop turn ends with one of them.
 *
 * Partitions: all items with one PK that begins with "ROOM:" form a room's partition; all other
 * items together form the directory. A commit changes either one room's partition or items of the
 * directory, never both (asserted).
 *
 * Versions: the engine numbers commits, from 1 on, so that of two commits in one scope
 * (item_scope_of()) the later one has the greater number. Numbers of different scopes do not
 * compare, and some may be left out. An item's version is the number of the commit that last
 * wrote it. The version of a load is at least that of every commit in the scope that it includes,
 * and less than that of any later one.
 *
 * Concurrency: there are no locks on rooms. One process makes the changes of a room one after
 * another. If several processes share an engine, the versions that each commit expects decide
 * which commit succeeds, and fences keep a process from rooms that another one has taken.
 *
 * Life: store_open_lmdb() (or the open function of another engine) .. store_close().
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
	struct slice value; /* a MessagePack map, described by the record of the item's kind */
	uint64_t version;
};

/*
 * The rest of a key after the fixed text of the item's kind; empty if the SK is only that text.
 * Points into the item.
 */
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

/* ---- fences ---- */

/*
 * Names one taking of a bucket of rooms by one process; chosen at random by the process. All zero:
 * none. A load or a commit with a fence succeeds only while the bucket has that fence: so what a
 * process does to a room that it has in memory fails as soon as another process has taken the
 * room's bucket. Only engines whose data several processes share have fences.
 */
struct store_fence {
	unsigned char bytes[16];
};

/* Return whether several processes may use the data at once. */
bool store_is_shared(const struct store *s);

/* ---- reading ---- */

/*
 * A read includes every commit whose callback ran before the read was called. Reads of one loop
 * turn may use one snapshot or several. If several items must be consistent with each other, read
 * them in one load, or make the commit expect the versions that were read.
 */

/*
 * What to read from one partition. If all fields but pk are zero, the whole partition is read.
 * Slices are borrowed for the call.
 *
 * To read the next page, set `after` to the last SK of the previous page. Each page is its own
 * snapshot: an item written or deleted between two pages may be missing or present; every other
 * item is in exactly one page.
 */
struct store_load {
	struct slice pk;
	struct slice sk_prefix;   /* only items whose SK begins with this; empty: all */
	/* sk_prefix is a complete SK: read that one item and ignore the fields below */
	bool is_exact;
	bool is_descending;       /* start with the greatest SK */
	/*
	 * Only items that follow this SK in the order of the page; no such item need exist.
	 * Empty: start at the beginning.
	 */
	struct slice after;
	size_t limit;             /* at most this many items; 0: all */
	/*
	 * Of the items whose SK begins with this, read only the last tail_limit in SK order,
	 * whatever the order of the page. Empty: no such restriction.
	 */
	struct slice tail_prefix;
	size_t tail_limit;        /* 0: read none of them */
	struct store_fence fence; /* of a room's partition alone */
};

/*
 * @items     in SK order, or in reverse if the load is descending.
 * @version   of the snapshot, in the scope of the partition; 0: there was no commit in it yet.
 * @has_more  the limit left items out; items left out because of tail_prefix do not count.
 *
 * OK           also if nothing was found.
 * ERR_CORRUPT  the checksum of an item is wrong, or a damaged page may have taken an item of the
 *              partition.
 * ERR_FENCED   the bucket does not have the fence.
 * ERR_IO, ERR_NOMEM  the read failed.
 * ERR_CLOSED   the store is closing.
 */
typedef void store_items_cb(void *arg, enum err e, const struct store_item *items, size_t n, uint64_t version, bool has_more);

/*
 * Read one page of a partition. Costs a few seeks, one step per item of the page, and tail_limit
 * steps; items that are left out are not read.
 */
void store_load(struct store *s, const struct store_load *l, store_items_cb *cb, void *arg);

struct store_query {
	enum index_id index;
	struct slice partition; /* of the index; empty if the index has only one */
	/*
	 * range of the sort attribute: both ends inclusive, `from` the smaller one in either
	 * direction
	 */
	int64_t from;
	int64_t to;
	bool is_descending;  /* start with the greatest sort attribute */
	size_t limit;        /* 1 to STORE_QUERY_MAX */
	/* empty, or `next` of a page of the same index and partition, in either direction */
	struct slice cursor;
};
#define STORE_QUERY_MAX        1024
#define STORE_CURSOR_BYTES_MAX 511 /* longest cursor; any bytes up to this length are accepted */

/*
 * @items       in the order of the sort attribute. Items with equal sort attributes are in an
 *              unspecified but fixed order, which is exactly reversed if the query is descending.
 * @next        cursor of the next page; empty at the end. Copy it to keep it.
 * @is_partial  entries of the result may be missing or unreadable because of damage: an item or
 *              an index entry on the page or next to it is damaged, or entries that the index
 *              would list were lost with a damaged part of the file.
 *
 * Each page is its own snapshot. An entry that is neither written nor deleted between the pages
 * is in exactly one of them. The entry that a cursor points to need not exist any more. Items are
 * complete, except that a damaged item has no value and no version; the page continues after it.
 * On a distributed engine an index may lag behind its items: check each item again.
 *
 * Errors: as for a load.
 */
typedef void store_query_cb(void *arg, enum err e, const struct store_item *items, size_t n, struct slice next,
			    bool is_partial);
void store_query(struct store *s, const struct store_query *q, store_query_cb *cb, void *arg);

/*
 * Write to `out` the cursor of a page that ended with this entry, which need not exist. Return
 * its length.
 *
 * @partition, @sort  of the index.
 * @pk, @sk           of the item.
 */
size_t store_cursor(struct slice partition, int64_t sort, struct slice pk, struct slice sk,
		    char out[STORE_CURSOR_BYTES_MAX]);

/*
 * Set *sort to the sort attribute of the entry that the cursor points to. Return false if the
 * cursor is not one of this partition.
 */
bool store_cursor_sort(struct slice partition, struct slice cursor, int64_t *sort);

struct store_count {
	enum index_id index;
	struct slice partition;
	int64_t from, to; /* as in a query */
	size_t at_most;   /* stop counting here, 1 to STORE_COUNT_MAX */
};
#define STORE_COUNT_MAX 65536

/*
 * Make the count request for the entries that a query without a cursor lists, up to the query's
 * limit.
 */
static inline struct store_count store_count_of(const struct store_query *q)
{
	return (struct store_count){q->index, q->partition, q->from, q->to, q->limit};
}

/*
 * @n  number of entries in the range, or at_most if there are that many or more.
 *
 * Reads index entries only, no items. On a distributed engine an index may lag behind its items.
 *
 * ERR_CORRUPT, ERR_IO, ERR_NOMEM, ERR_CLOSED  as for a load.
 */
typedef void store_count_cb(void *arg, enum err e, size_t n);
void store_count(struct store *s, const struct store_count *c, store_count_cb *cb, void *arg);

/* ---- walking ---- */

/*
 * List the partitions of the table, a part at a time, for commands that read all of it: items of
 * which only the PK is set, in no order. A PK may come more than once. Partitions that are written
 * or deleted between two parts may be missing or present; every other one is there.
 *
 * @cursor  empty: start at the beginning; or `next` of the part before, at most
 *          STORE_CURSOR_BYTES_MAX bytes.
 *
 * Errors: as for a load; and
 * ERR_BUSY  a part of the data is on the move between servers of a cluster, and may have been missed.
 */
void store_partitions(struct store *s, struct slice cursor, store_query_cb *cb, void *arg);
#define STORE_PARTITIONS_MAX 1024 /* of one part, about */

/* ---- checking ---- */

/* The result of one part of a check; slices are valid until the callback returns. */
struct store_checked {
	uint64_t entries;     /* items and index entries that this part checked */
	uint64_t items;	      /* of them, items */
	uint64_t entries_all; /* number of entries in the table now; 0: not known */
	uint64_t problems;
	struct slice lines; /* a line for each problem, each ending with a newline */
	struct slice next;  /* cursor of the next part; empty: this was the last one */
};
/*
 * ERR_CORRUPT  a page is damaged, as the lines report; the check has ended. Reopening the data
 *              repairs them.
 * ERR_BUSY     as of store_partitions().
 * ERR_IO, ERR_NOMEM, ERR_CLOSED  the part was not checked, or not completely.
 */
typedef void store_check_cb(void *arg, enum err e, const struct store_checked *c);

/*
 * Check that the stored data are consistent (check.h), beginning at the cursor and covering at
 * most STORE_CHECK_ENTRIES entries. The parts together walk the whole table while other calls go
 * on. Each part is its own snapshot, released at its end; data written between parts may or may
 * not be checked.
 *
 * @cursor  empty: start at the beginning.
 */
void store_check(struct store *s, struct slice cursor, store_check_cb *cb, void *arg);
#define STORE_CHECK_ENTRIES	     256
#define STORE_CHECK_CURSOR_BYTES_MAX 520

/* ---- writing ---- */

enum store_op_kind {
	STORE_CHECK,        /* write nothing, only check the expectation */
	STORE_PUT,
	STORE_DELETE,       /* deleting an item that does not exist succeeds */
	STORE_DELETE_PREFIX /* delete every item whose SK begins with sk; takes no expectation */
};

enum store_expect {
	STORE_EXPECT_ANY,
	STORE_EXPECT_ABSENT,
	STORE_EXPECT_VERSION /* the item must have .version */
};

struct store_op {
	enum store_op_kind kind;
	enum store_expect expect;
	uint64_t version;
	struct slice pk;
	struct slice sk;
	/*
	 * Of STORE_PUT: must decode as the record of the item's kind (asserted in builds with
	 * slow checks).
	 */
	struct slice value;
};

/*
 * A token that makes a commit safe to repeat. 128 bits; all zero: no token. A commit with the
 * token of an earlier one in the same scope, at most store_token_life_ms() old, writes nothing
 * and gets the result of the first.
 */
struct store_token {
	unsigned char bytes[16];
};

/* Return how long the engine remembers tokens: the longer, the more memory they take. */
int64_t store_token_life_ms(const struct store *s);

struct store_commit {
	struct store_token token;
	/*
	 * Only this process repeats the commit: an engine that is STORE_BROKEN after ERR_UNKNOWN
	 * need not store the token.
	 */
	bool token_is_local;
	const struct store_op *ops;
	size_t n;
	int64_t now_ms;     /* wall clock, for the lifetime of the token */
	/*
	 * Of a commit in the directory: published if it is written, once even if its token comes
	 * again. At most STORE_PUBLISH_BYTES_MAX bytes; empty: nothing is published
	 */
	struct slice publish;
	struct store_fence fence; /* of a room's commit alone */
};
#define STORE_PUBLISH_BYTES_MAX 65536

/*
 * @version  number of the commit; of the first one if the token was seen before.
 *
 * OK            the commit is durable.
 * ERR_CONFLICT  an expectation was not met; nothing was written.
 * ERR_FENCED    the bucket does not have the fence; nothing was written. A token that was seen
 *               before gets its result all the same.
 * ERR_FULL      no space (disk, map or quota); nothing was written; deletes still work.
 * ERR_IO, ERR_NOMEM, ERR_CLOSED  nothing was written.
 * ERR_CORRUPT   data that the commit had to read are damaged; nothing was written. To check an
 *               expectation only the version of an item is read, not its value. An item that no
 *               index lists is overwritten and deleted without being read, damaged or not.
 * ERR_UNKNOWN   nobody knows whether the commit was made. If the engine is STORE_BROKEN now, the
 *               process must end. Otherwise the engine has sent it, with its token, for as long as
 *               may be, and goes on: whatever is called from now on sees it as made, or as never
 *               made. Do not use the token again.
 */
typedef void store_commit_cb(void *arg, enum err e, uint64_t version);

/*
 * Commit all operations, or none. All expectations are checked before anything is written.
 * Commits are applied in the order of the calls; commits that wait together share one sync.
 *
 * ERR_BUSY   STORE_PENDING_MAX commits or STORE_PENDING_BYTES_MAX bytes are waiting; cb is not
 *            called. Try again after the next callback.
 * ERR_NOMEM  cb is not called.
 */
NODISCARD enum err store_commit(struct store *s, const struct store_commit *c, store_commit_cb *cb, void *arg);
#define STORE_PENDING_MAX       65536
#define STORE_PENDING_BYTES_MAX (64u << 20)

/* ---- taking rooms ---- */

struct store_take {
	unsigned bucket; /* below ITEM_BUCKETS */
	struct store_fence fence;
	/* give the bucket up: it has no fence from now on, if it has had this one */
	bool gives_up;
};

/*
 * @had      the fence that the bucket had; all zero: none.
 * @version  number of the last commit in the bucket; 0: there was none yet.
 *
 * OK          the bucket has the fence, or none if it was given up. Taking the same again
 *             succeeds.
 * ERR_FENCED  of giving up: the bucket has another fence, and keeps it.
 * ERR_FULL, ERR_IO, ERR_NOMEM, ERR_CLOSED, ERR_UNKNOWN  as for a commit.
 */
typedef void store_take_cb(void *arg, enum err e, struct store_fence had, uint64_t version);

/*
 * Take a bucket, whoever has it, or give it up. Of engines whose data are shared (asserted).
 * Takes its turn among the commits, in the order of the calls.
 *
 * ERR_NOMEM  cb is not called.
 */
NODISCARD enum err store_take(struct store *s, const struct store_take *t, store_take_cb *cb, void *arg);

/* ---- nodes: the processes that share the data, as they know of each other ---- */

struct store_renewal {
	uint64_t node;      /* its number, above 0 */
	int64_t life_ms;    /* above 0: so long after this the entry is gone, unless it is renewed again */
	struct slice value; /* for the other nodes; at most STORE_NODE_BYTES_MAX */
};
#define STORE_NODE_BYTES_MAX 4096

/*
 * @since  above 0, and of this entry alone. Another one than a renewal was answered before: the
 *         entry had gone meanwhile.
 *
 * ERR_IO, ERR_NOMEM, ERR_CLOSED  the entry may be renewed, and may not.
 */
typedef void store_renew_cb(void *arg, enum err e, uint64_t since);

/* Write the node's entry, or renew it. Of engines whose data are shared (asserted), and outside their commits. */
void store_renew(struct store *s, const struct store_renewal *r, store_renew_cb *cb, void *arg);

/*
 * List the nodes that have an entry. Each is an item without a key: its value, and as its version
 * the number of the node. Errors as of a load.
 */
typedef void store_nodes_cb(void *arg, enum err e, const struct store_item *nodes, size_t n);
void store_nodes(struct store *s, store_nodes_cb *cb, void *arg);

/* ---- publications ---- */

/*
 * Called with what a commit published, in every process that shares the data, the one that made
 * the commit included. Inside store_poll(), as all callbacks.
 *
 * @number  one more than that of the publication before; a process may begin with any.
 * @body    empty: publications up to this number may have been missed, because the connection
 *          to the engine was lost. The next one follows this number.
 *
 * The callback of a commit runs after that of its publication. So does the callback of a read
 * that includes the commit, in every process.
 */
typedef void store_published_cb(void *arg, uint64_t number, struct slice body);

/* Set who is called; call it before the first commit. NULL, as at the start: nobody. */
void store_subscribe(struct store *s, store_published_cb *cb, void *arg);

/* ---- running ---- */

/*
 * Let the engine start all calls made so far. Call this once for many calls, so that the commits
 * of one turn share one transaction; otherwise the first would be committed alone while the
 * others wait for its sync.
 */
void store_flush(struct store *s);

/*
 * Run the callbacks of all calls that have finished, then store_flush(). Return true if calls are
 * still unfinished.
 */
bool store_poll(struct store *s);

enum store_state {
	STORE_OK,
	/*
	 * more than 70 % used: puts of new items get ERR_FULL, except kinds for which
	 * item_is_reserved()
	 */
	STORE_RESERVING,
	/*
	 * more than 80 % used, or no disk space: puts of all new items get ERR_FULL; overwrites
	 * that fit and deletes work
	 */
	STORE_NEARLY_FULL,
	STORE_AWAY,	   /* the engine cannot be reached at the moment: calls wait for it */
	STORE_BROKEN,	   /* by what led to ERR_UNKNOWN: the process must end */
	STORE_GONE         /* the data were removed or replaced, or another process has them: this one must end */
};

/* How it stands with the server that has the data. All zero: the engine has no server. */
struct store_remote {
	uint64_t attempts;     /* to connect */
	uint64_t connections;  /* that were accepted */
	uint64_t commands;     /* sent, each a round trip unless several were under way */
	uint64_t unanswered;   /* of them, those without an answer: late, or the connection was lost */
	uint64_t commits;      /* that were made */
	uint64_t conflicts;    /* commits that were refused, because another changed what they expected */
	uint64_t waits_missed; /* times in which too few replicas had what was written in time */
	uint64_t failovers;    /* times in which another server, or a restarted one, had the data */
	char server[41];       /* names its run; "": not known */
	bool has_clock;
	int64_t clock_ms;      /* its clock now, in ms since the epoch, within half a second */
};

struct store_status {
	enum store_state state;
	/* the previous process did not close the data: store_check() should be run */
	bool is_unchecked;
	uint64_t bytes_used;
	uint64_t bytes_max;
	uint64_t bytes_free; /* still available to new items */
	uint64_t disk_free;  /* free bytes of the disk that holds the data; 0: no disk */
	/* HISTOGRAM_SIZE: commits per transaction, since the store was opened */
	struct histogram batch;
	/* HISTOGRAM_TIME: from the end of a transaction until it is on disk */
	struct histogram sync_us;
	struct store_remote remote;
};
void store_status(struct store *s, struct store_status *out);

/*
 * Ask the writer for a sign of life, and return whether it has answered the previous request
 * (true the first time). It answers between two transactions, so false means that one transaction
 * has lasted since then, or that the writer's thread is stuck.
 */
bool store_pulse(struct store *s);

/* Finish all accepted calls, run their callbacks, and release everything. s may be NULL. */
void store_close(struct store *s);

/* ---- engines ---- */

/* Called from any thread when store_poll() has work; must do nothing but wake the loop. */
typedef void store_wake_cb(void *arg);

/* Called with one line about damage of the data, or its repair; only during store_open_lmdb(). */
typedef void store_damage_cb(void *arg, struct slice line);

/* Called at intervals while the pages of the file are checked; only during store_open_lmdb(). */
typedef void store_pages_cb(void *arg, uint64_t pages, uint64_t pages_all);

struct store_lmdb_options {
	/* must exist; receives the files of env_files.h, mode 0600. At most 2048 bytes */
	const char *directory;
	/* largest size of the table; address space, not disk, until used. 0: 16 GiB */
	uint64_t map_bytes;
	/*
	 * allocated on disk at the start, so that other programs cannot use up this space. 0:
	 * none
	 */
	uint64_t reserve_bytes;
	bool read_only;          /* no writer; commits get ERR_CLOSED */
	/*
	 * Identifies the owner, at most 64 bytes. Stored in data that have no owner; data of
	 * another owner get ERR_CONFLICT. Empty: not checked.
	 */
	struct slice owner;
	/* identifies the boot of the machine: at most 64 bytes, no blanks. Empty: not known */
	struct slice boot;
	store_damage_cb *on_damage; /* may be NULL */
	store_pages_cb *on_pages;   /* may be NULL */
	void *on_damage_arg;	    /* for both callbacks */
	store_wake_cb *wake;
	void *wake_arg;
};
/*
 * Open the data in a directory, or create them. *out belongs to the caller until store_close();
 * on failure *why has a message for people.
 *
 * ERR_VERSION    the data have a newer format.
 * ERR_CORRUPT    the file is not a database of this program, or is damaged.
 * ERR_CONFLICT   the data belong to another owner.
 * ERR_BUSY       another process has the data open for writing.
 * ERR_NOT_FOUND  read_only is set and there are no data.
 * ERR_IO, ERR_NOMEM, ERR_FULL  as *why says.
 *
 * A file with damaged pages is replaced by a copy without them and kept next to it. Loads and
 * commits of partitions that may have lost items then get ERR_CORRUPT. To find the damage all
 * pages are read, unless the data were closed, or their process was killed during this boot of
 * the machine: the file is then as the engine wrote it.
 *
 * A process must not open a directory twice, nor use a store after fork().
 */
NODISCARD enum err store_open_lmdb(const struct store_lmdb_options *o, struct store **out, struct errmsg *why);

/*
 * Mark the data as possibly damaged because this process is ending by a fault, which reading a
 * damaged page can cause: the next process to open the data checks all pages. Async-signal-safe.
 */
void store_lmdb_fault(void);

#endif
