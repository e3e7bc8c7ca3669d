/*
 * follow.c - see follow.h.
 */
#include "store/follow.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"

struct store_follow {
	uint64_t version; /* it was given every commit up to here */
	store_follow_cb *cb;
	void *arg;
	bool has_ended;	 /* got RESET */
	bool is_removed; /* during follows_deliver(): freed at its end */
	struct store_follow *next, *prev;
	size_t pk_len;
	char pk[];
};

void follows_init(struct follows *f, uint64_t version)
{
	*f = (struct follows){.floor = version, .version = version};
}

static void follows_drop_oldest(struct follows *f)
{
	struct store_request *w = store_requests_pop(&f->recent);
	f->bytes -= w->bytes;
	f->floor = w->version;
	store_request_destroy(w);
}

void follows_finish(struct follows *f)
{
	struct store_follow *follow, *next;
	ASSERT(!f->is_delivering);
	while (f->recent.n > 0) {
		follows_drop_oldest(f);
	}
	DL_FOREACH_SAFE (f->list, follow, next) {
		free(follow);
	}
	f->list = NULL;
}

struct store_follow *follows_add(struct follows *f, struct slice pk, uint64_t version,
				 store_follow_cb *cb, void *arg)
{
	struct store_follow *follow = malloc(sizeof(*follow) + pk.len);
	if (follow == NULL) {
		return NULL;
	}
	*follow = (struct store_follow){.version = version, .cb = cb, .arg = arg, .pk_len = pk.len};
	if (pk.len > 0) {
		memcpy(follow->pk, pk.data, pk.len);
	}
	DL_APPEND(f->list, follow);
	return follow;
}

void follows_remove(struct follows *f, struct store_follow *follow)
{
	if (follow == NULL) {
		return;
	}
	if (f->is_delivering) {
		follow->is_removed = true;
		return;
	}
	DL_DELETE(f->list, follow);
	free(follow);
}

void follows_take(struct follows *f, struct store_request **commit)
{
	struct store_request *w = *commit;
	*commit = NULL;
	ASSERT(!f->is_delivering);
	ASSERT_CMP(w->version, >, f->version);
	while (f->recent.n > 0 && (f->recent.n == FOLLOW_RECENT_MAX ||
				   f->bytes + w->bytes > FOLLOW_RECENT_BYTES_MAX)) {
		follows_drop_oldest(f);
	}
	store_requests_push(&f->recent, w);
	f->bytes += w->bytes;
	f->version = w->version;
}

static bool follow_concerns(const struct store_follow *follow, const struct store_request *w)
{
	struct slice pk = slice_of(follow->pk, follow->pk_len);
	for (size_t i = 0; i < w->commit.n; i++) {
		if (w->commit.ops[i].kind != STORE_CHECK && slice_eq(w->commit.ops[i].pk, pk)) {
			return true;
		}
	}
	return false;
}

static bool follow_is_behind(const struct follows *f, const struct store_follow *follow)
{
	return !follow->has_ended && !follow->is_removed && follow->version < f->version;
}

static void follow_deliver(struct follows *f, struct store_follow *follow)
{
	if (follow->version < f->floor) {
		follow->has_ended = true;
		follow->cb(follow->arg, ERR_CONFLICT, (struct slice){NULL, 0}, f->version);
		return;
	}
	for (const struct store_request *w = f->recent.first; w != NULL && !follow->is_removed;
	     w = w->next) {
		if (w->version <= follow->version) {
			continue;
		}
		follow->version = w->version;
		if (follow_concerns(follow, w)) {
			follow->cb(follow->arg, OK, w->commit.event, w->version);
		}
	}
}

void follows_deliver(struct follows *f)
{
	struct store_follow *follow, *next;
	f->is_delivering = true;
	DL_FOREACH (f->list, follow) {
		if (follow_is_behind(f, follow)) {
			follow_deliver(f, follow);
		}
	}
	f->is_delivering = false;
	DL_FOREACH_SAFE (f->list, follow, next) {
		if (follow->is_removed) {
			follows_remove(f, follow);
		}
	}
}

bool follows_are_behind(const struct follows *f)
{
	const struct store_follow *follow;
	DL_FOREACH (f->list, follow) {
		if (follow_is_behind(f, follow)) {
			return true;
		}
	}
	return false;
}
