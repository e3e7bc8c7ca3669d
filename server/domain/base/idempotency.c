/*
 * idempotency.c - the remembered results of a partition, oldest first.
 */
#include "server/domain/base/idempotency.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/limits.h"

static void idempotency_free(struct idempotent_result *o)
{
	free(o->result);
	free(o);
}

void idempotency_finish(struct idempotency_table *t)
{
	HASH_CLEAR(hh, t->by_key);
	struct idempotent_result *o;
	struct idempotent_result *later;
	DL_FOREACH_SAFE (t->list, o, later) {
		idempotency_free(o);
	}
	t->list = NULL;
	t->n = 0;
	t->to_store_n = 0;
	idempotency_clear_marks(t);
}

struct idempotent_result *idempotency_find(struct idempotency_table *t, struct slice key)
{
	struct idempotent_result *o = NULL;
	HASH_FIND(hh, t->by_key, key.data, key.len, o);
	return o;
}

/* Out of the table now, out of the store with the next commit. */
static bool idempotency_remove(struct idempotency_table *t, struct idempotent_result *o)
{
	struct gone_once *gone = calloc(1, sizeof(*gone));
	if (gone == NULL) {
		return false;
	}
	memcpy(gone->key, o->key, o->key_len);
	gone->key_len = o->key_len;
	LL_PREPEND(t->gone, gone);
	if (o->needs_write) {
		t->to_store_n--;
	}
	HASH_DELETE(hh, t->by_key, o);
	DL_DELETE(t->list, o);
	t->n--;
	idempotency_free(o);
	return true;
}

bool idempotency_add(struct idempotency_table *t, struct slice key, enum method method,
		     struct slice result, int64_t created_on, int64_t expires_at, bool needs_write)
{
	ASSERT(key.len > 0 && key.len <= sizeof(((struct idempotent_result *)0)->key));
	ASSERT(idempotency_find(t, key) == NULL);
	struct idempotent_result *o = calloc(1, sizeof(*o));
	char *copy = malloc(result.len + 1);
	if (o == NULL || copy == NULL) {
		free(o);
		free(copy);
		return false;
	}
	memcpy(copy, result.data, result.len);
	*o = (struct idempotent_result){.key_len = key.len,
					.method = method,
					.result = copy,
					.result_len = result.len,
					.created_on = created_on,
					.expires_at = expires_at,
					.needs_write = needs_write};
	memcpy(o->key, key.data, key.len);
	HASH_ADD_KEYPTR(hh, t->by_key, o->key, (unsigned)o->key_len, o);
	if (o->hh.tbl == NULL) {
		idempotency_free(o);
		return false;
	}
	DL_APPEND(t->list, o);
	t->n++;
	t->to_store_n += needs_write;
	if (t->n > MAX_ONCE_PER_ROOM) {
		(void)idempotency_remove(t, t->list); /* one too many for a while is no harm */
	}
	return true;
}

void idempotency_expire(struct idempotency_table *t, int64_t wall_ms)
{
	while (t->list != NULL && t->list->expires_at <= wall_ms) {
		if (!idempotency_remove(t, t->list)) {
			return;
		}
	}
}

static int idempotency_by_age(const struct idempotent_result *a, const struct idempotent_result *b)
{
	return (a->expires_at > b->expires_at) - (a->expires_at < b->expires_at);
}

void idempotency_sort(struct idempotency_table *t)
{
	DL_SORT(t->list, idempotency_by_age);
}

void idempotency_clear_marks(struct idempotency_table *t)
{
	/* The marked ones are the youngest, at the tail (the head's prev). */
	for (struct idempotent_result *o = t->list == NULL ? NULL : t->list->prev;
	     t->to_store_n > 0; o = o->prev) {
		t->to_store_n -= o->needs_write;
		o->needs_write = false;
	}
	while (t->gone != NULL) {
		struct gone_once *gone = t->gone;
		LL_DELETE(t->gone, gone);
		free(gone);
	}
}
