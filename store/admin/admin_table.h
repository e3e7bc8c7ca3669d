/*
 * admin_table.h - maintenance of the table by store.h alone, whichever engine has it: check, dump,
 * copy.
 *
 * These functions block, and call back from inside. They read partition by partition, each as it is
 * at that moment: what a server changes meanwhile is in it or not.
 */
#ifndef STORE_ADMIN_ADMIN_TABLE_H
#define STORE_ADMIN_ADMIN_TABLE_H

#include "store/admin/admin.h"
#include "store/store.h"

/* Wait until store_poll() of a store may have work; or a moment, so that on_progress is called. */
typedef void admin_wait_cb(void *arg);

/*
 * Called several times a second, and after each partition. Returning false ends the call with
 * ERR_CLOSED.
 *
 * @all  0: not known yet.
 */
typedef bool admin_table_progress_cb(void *arg, enum admin_step step, uint64_t partitions, uint64_t all);

/* Borrowed for the call. */
struct admin_table {
	struct store *store;
	const char *name; /* of the data, for messages */
	admin_wait_cb *wait;
	void *wait_arg;
	admin_table_progress_cb *on_progress; /* may be NULL */
	void *progress_arg;
};

/* Check everything (store_check()). As admin_check(); of the counts items, index_entries and problems are set. */
NODISCARD enum err admin_table_check(const struct admin_table *t, admin_line_cb *on_problem, void *arg,
				     struct admin_counts *counts, struct errmsg *why);

/* As admin_dump(), in the same order. */
NODISCARD enum err admin_table_dump(const struct admin_table *t, bool with_hidden, admin_line_cb *on_line, void *arg,
				    struct admin_counts *counts, struct errmsg *why);

/*
 * Copy all items to a store without any, and see that it has them: as many, of the same content, and
 * no problem that admin_table_check() finds. Versions are the target's own. on_progress is that of `to`.
 *
 * ERR_CORRUPT   an item of the source is damaged; or the copy differs from it.
 * ERR_CONFLICT  the target has such an item already.
 * ERR_FULL      the target has no space for it.
 * ERR_CLOSED    ended by on_progress, or because somebody else has taken the data.
 * ERR_BUSY      slots of a cluster are on the move for too long.
 * ERR_IO, ERR_UNKNOWN, ERR_NOMEM  as *why says.
 *
 * After an error some items may have been copied.
 */
NODISCARD enum err admin_table_copy(const struct admin_table *from, const struct admin_table *to, int64_t now_ms,
				    struct admin_counts *counts, struct errmsg *why);

/* ---- for these three ---- */

/*
 * Called with some items of one partition, in SK order. Anything but OK ends the walk, and is its
 * result; *why must be set then.
 *
 * @is_torn  the scope of the partition has changed since the page before; of a first page: false.
 */
typedef enum err admin_page_cb(void *arg, const struct store_item *items, size_t n, bool is_torn);

/* Read all items in the order of their keys: PK, then SK. Errors as those of a load; *why is set. */
NODISCARD enum err admin_table_walk(const struct admin_table *t, enum admin_step step, admin_page_cb *on_page,
				    void *arg, struct errmsg *why);

/* Call on_progress. ERR_CLOSED with *why. */
NODISCARD enum err admin_table_progress(const struct admin_table *t, enum admin_step step, uint64_t partitions,
					uint64_t all, struct errmsg *why);

/* Set *why: which data, and what went wrong with them. Returns e. */
enum err admin_table_fail(const struct admin_table *t, enum err e, struct errmsg *why);

#endif
