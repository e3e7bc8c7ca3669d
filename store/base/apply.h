/*
 * apply.h - applying commits to a view of any engine.
 *
 * Several commits may be applied to one view, one after another; each sees the writes of those
 * before it. Everything that can refuse a commit is read before anything is written: a refused
 * commit leaves the view unchanged.
 *
 * Life: apply_begin() for each view .. apply_end() before it becomes durable; apply_finish() at
 * the end.
 */
#ifndef STORE_APPLY_H
#define STORE_APPLY_H

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "store/base/kv.h"
#include "store/store_request.h"

/* The token_life_ms of engines whose commits are applied here. */
#define APPLY_TOKEN_LIFE_MS 600000

/* The kinds of new items for which there is space. */
enum apply_takes {
	APPLY_TAKES_ALL,
	APPLY_TAKES_RESERVED, /* kinds that the reserve is for: item_is_reserved() */
	APPLY_TAKES_NONE
};

struct apply {
	struct kv *kv;
	uint64_t version;    /* of the last commit in the view */
	enum apply_takes takes; /* any other put of a new item gets ERR_FULL */
	bool is_spoilt;      /* a write failed half way: the view must be discarded */
	size_t written;      /* commits in this view that wrote */
	size_t tokens;       /* of them, those with a token */
	int64_t now_ms;      /* of the last commit */
	struct arena arena;
	struct buf sealed;
};

/* Return the state of a store with space for these kinds. */
static inline enum store_state apply_state(enum apply_takes takes)
{
	return takes == APPLY_TAKES_ALL	       ? STORE_OK
	       : takes == APPLY_TAKES_RESERVED ? STORE_RESERVING
					       : STORE_NEARLY_FULL;
}

/*
 * Start with a view. *a must be zeroed before the first one; its memory is reused for later ones.
 */
NODISCARD enum err apply_begin(struct apply *a, struct kv *kv, enum apply_takes takes);
/*
 * Look for the token of a commit. OK: it was seen within its life, and w->version is the first
 * result. ERR_NOT_FOUND: it was not, or there is no token. Or why it could not be read.
 */
NODISCARD enum err apply_replay(struct apply *a, struct store_request *w);
/* Apply a commit: sets w->result, w->version and w->is_written. */
void apply_commit(struct apply *a, struct store_request *w);
/* Write the data of the whole view: the version, and the removal of old tokens. */
NODISCARD enum err apply_end(struct apply *a);
void apply_finish(struct apply *a);

#endif
