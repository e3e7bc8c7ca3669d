/*
 * check.h - whether one entry of the table is consistent, in the snapshot of a view.
 *
 * An item has a known kind, its checksum holds, it decodes, the indexes that should list
 * it do; an entry of an index leads to an item that belongs there. Who walks the
 * table calls this for each entry: `ayed check` (admin.h), and the check beside serving
 * (store_check()). A key is shown by its PK and the beginning of its SK: enough to find
 * it, too little of a secret's hash.
 */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H

#include "proto/base/arena.h"
#include "store/kv.h"

/* One line without its newline, valid until it returns. */
typedef void check_problem_cb(void *arg, struct slice line);

/* Life: a zeroed struct with its first four members set .. arena_finish(&arena). */
struct check {
	struct kv *kv;
	uint64_t version; /* of the snapshot */
	check_problem_cb *on_problem;
	void *arg;
	struct arena arena;
};

/* ERR_NOMEM, or an error of the engine; problems are reported, and are OK. */
NODISCARD enum err check_entry(struct check *c, unsigned db, struct slice key, struct slice value);

void check_problem(struct check *c, const char *what, struct slice key, const char *problem);

/* At most `max` bytes of a part of a key, which may be anything, as far as they are plain. */
void check_show(char *out, size_t cap, struct slice s, size_t max);

#endif
