/*
 * apply.h - what a commit does, over any engine's view.
 *
 * Several commits may be applied to one view, one after the other; each sees
 * what those before it wrote. First everything that may refuse a commit is
 * read, then it is written: a refused commit leaves the view as it was.
 *
 * Life: apply_begin() for each view .. apply_end() before it becomes durable;
 * apply_finish() at last.
 */
#ifndef STORE_APPLY_H
#define STORE_APPLY_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "store/kv.h"
#include "store/store_request.h"

/* New items that there is space for. */
enum apply_takes {
	APPLY_TAKES_ALL,
	APPLY_TAKES_RESERVED, /* those of kinds that the reserve is for: item_is_reserved() */
	APPLY_TAKES_NONE
};

struct apply {
	struct kv *kv;
	uint64_t version;    /* of the last commit in the view */
	enum apply_takes takes; /* any other put of an item that is not there yet is ERR_FULL */
	bool is_spoilt;      /* a write failed half way: the view must be thrown away */
	size_t written;      /* commits in this view that wrote */
	size_t tokens;       /* of them, those with a token */
	int64_t now_ms;      /* of the last commit */
	struct arena arena;
	struct buf sealed;
};

/* The state of a store that has space for those. */
static inline enum store_state apply_state(enum apply_takes takes)
{
	return takes == APPLY_TAKES_ALL	       ? STORE_OK
	       : takes == APPLY_TAKES_RESERVED ? STORE_RESERVING
					       : STORE_NEARLY_FULL;
}

/* Begin with a view. *a is zeroed before the first one; its memory is used again for the next. */
NODISCARD enum err apply_begin(struct apply *a, struct kv *kv, enum apply_takes takes);
/* Sets w->result, w->version, w->has_more and w->is_written. */
void apply_commit(struct apply *a, struct store_request *w);
/* Write what belongs to the whole view: the version, and the sweep of old tokens. */
NODISCARD enum err apply_end(struct apply *a);
void apply_finish(struct apply *a);

#endif
