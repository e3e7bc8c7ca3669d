/*
 * check.h - check one entry of the table for consistency, in the snapshot of a view.
 *
 * An item must have a known kind and a valid checksum, must decode, and must be in the indexes
 * that list it; an entry of an index must lead to an item that belongs there. The function is
 * called for every entry: by `ayed check` (admin.h), and by the check while serving
 * (store_check()). A key is shown by its PK and the beginning of its SK: enough to find it, too
 * little to disclose a secret's hash.
 */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H

#include "proto/base/arena.h"
#include "store/base/kv.h"

/* Called with one line without its newline, valid until the callback returns. */
typedef void check_problem_cb(void *arg, struct slice line);

/* Life: a zeroed struct with its first four members set .. arena_finish(&arena). */
struct check {
	struct kv *kv;
	uint64_t version; /* of the snapshot */
	check_problem_cb *on_problem;
	void *arg;
	struct arena arena;
};

/*
 * Check one entry. Problems are reported through on_problem and are not an error. ERR_NOMEM, or
 * an error of the engine.
 */
NODISCARD enum err check_entry(struct check *c, unsigned db, struct slice key, struct slice value);

void check_problem(struct check *c, const char *what, struct slice key, const char *problem);

/*
 * Write as much of a key as is no secret: its PK, cut if it is longer, with "?" for bytes that are
 * not plain text. A key that has no parts, or is damaged, counts as a PK; an empty one gives "".
 */
void check_show_pk(char *out, size_t cap, struct slice key);

#endif
