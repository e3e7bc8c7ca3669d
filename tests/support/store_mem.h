/*
 * store_mem.h - the table in memory, for tests.
 *
 * The contract of store.h without a disk and threads. A test decides when requests
 * finish, what is durable, what fails and what is lost.
 */
#ifndef TESTS_SUPPORT_STORE_MEM_H
#define TESTS_SUPPORT_STORE_MEM_H

#include "store/key.h"
#include "store/store.h"

/* Of an index. */
struct store_mem_entry {
	enum index_id index;
	struct key key;
};

NODISCARD enum err store_open_mem(struct store **out);

/* With true (the default), store_poll() finishes everything; with false only what store_mem_run() let through. */
void store_mem_set_auto(struct store *s, bool automatic);

/* Another process makes a commit at once, before everything that waits. Returns its result; *version is as of store_commit_cb. */
enum err store_mem_other(struct store *s, const struct store_commit *c, uint64_t *version);

/* Likewise it takes a bucket, or gives it up. */
void store_mem_take(struct store *s, const struct store_take *t);

/* Likewise it writes an item of any room or of the directory: the same value under a new version. False where there is none. */
bool store_mem_touch(struct store *s, struct slice pk, struct slice sk);

/* A bit of the stored item flips; its checksum does not hold any more. The item must be there. */
void store_mem_damage(struct store *s, struct slice pk, struct slice sk);

/* Let the oldest n waiting operations happen; their callbacks run at the next store_poll(). Returns how many there were. */
size_t store_mem_run(struct store *s, size_t n);

/* Operations waiting (loads, queries and commits). */
size_t store_mem_waiting(const struct store *s);

/* The next n commits that happen fail with e and write nothing: after ERR_UNKNOWN they were never made. */
void store_mem_fail_commits(struct store *s, size_t n, enum err e);
/* The next n commits that happen are written, but answer ERR_UNKNOWN. */
void store_mem_lose_answers(struct store *s, size_t n);
/* From the next such answer on the engine is STORE_BROKEN, as those are whose process has to end then. */
void store_mem_break_unsure(struct store *s);
/* The next n loads or queries fail with e. */
void store_mem_fail_reads(struct store *s, size_t n, enum err e);
/* Index entries appear only after this many further commits: on some engines they lag. */
void store_mem_delay_indexes(struct store *s, size_t commits);
/*
 * From now on entries of the directory's indexes that lead into rooms are not written with the room's commit, as
 * where rooms are spread over servers: store_mem_list() writes those of a commit ahead of it, and they stay when
 * the item goes. An entry that does not fit its item is for store_mem_unlist(), which leaves what was written since
 * then.
 */
void store_mem_lists_ahead(struct store *s);
/* False where the commit has none. */
bool store_mem_list(struct store *s, const struct store_commit *c, int64_t now_ms);
void store_mem_unlist(struct store *s, const struct store_mem_entry *entry, int64_t since_ms);
/* The first such entry behind `after`, or of all; false where there is none. */
bool store_mem_next_unfit(struct store *s, const struct store_mem_entry *after, struct store_mem_entry *out);
/* An item of a room that such an index should list, and does not; false where there is none. */
bool store_mem_lacks_entry(struct store *s, struct store_mem_entry *out);
/* Most items the engine takes before puts of new ones get ERR_FULL, the last eighth of them reserved; 0: no bound. */
void store_mem_set_items_max(struct store *s, size_t items);

/* The number of the last publication. */
uint64_t store_mem_published(const struct store *s);

/* No commit gets a version that the other one, with the same data or later ones, has given. */
void store_mem_raise_versions(struct store *s, const struct store *other);

/* What would be there after a crash now: a new engine with everything that happened, nothing that waits. ERR_NOMEM. */
NODISCARD enum err store_mem_crash(struct store *s, struct store **out);

#endif
