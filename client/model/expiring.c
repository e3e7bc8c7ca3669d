/*
 * expiring.c - see expiring.h.
 */
#include "client/model/expiring.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/format.h"

#define DAY_MS	 (INT64_C(24) * 3600 * 1000)
#define AGAIN_MS (INT64_C(10) * 60 * 1000)

static void expiring_set_cursor(struct expiring *x, struct slice cursor)
{
	free(x->cursor);
	x->cursor = cursor.len == 0 ? NULL : memory_text_of(cursor);
}

void expiring_finish(struct expiring *x)
{
	free(x->counts);
	free(x->coming);
	free(x->cursor);
	*x = (struct expiring){.is_done = false};
}

/* To the first page of that team. */
static void expiring_go(struct expiring *x, size_t at)
{
	x->at = at;
	x->pages = 0;
	x->is_asked = false;
	expiring_set_cursor(x, (struct slice){0});
}

void expiring_refresh(struct expiring *x)
{
	free(x->coming);
	x->coming = NULL;
	x->coming_n = 0;
	x->is_done = false;
	expiring_go(x, 0);
}

struct request *expiring_ask(struct expiring *x, const struct rows *groups, int64_t now_ms)
{
	if (x->is_done && now_ms - x->done_at >= AGAIN_MS) {
		expiring_refresh(x);
	}
	if (!x->is_done && x->at >= groups->n) {
		free(x->counts);
		x->counts = x->coming;
		x->counts_n = x->coming_n;
		x->coming = NULL;
		x->coming_n = 0;
		x->is_done = true;
		x->done_at = now_ms;
	}
	if (x->is_done || x->is_asked || now_ms == 0) {
		return NULL;
	}
	const struct group_entry *g = groups->items[x->at];
	struct request *r = request_make(METHOD_ITEM_EXPIRING);
	request_text(r, "group_id", g->group_id.data);
	request_int(r, "before", now_ms + 7 * DAY_MS);
	if (x->cursor != NULL) {
		request_text(r, "cursor", x->cursor);
	}
	return r;
}

void expiring_sent(struct expiring *x)
{
	x->is_asked = true;
}

static void expiring_add(struct expiring *x, struct slice group_id, struct slice container_id)
{
	for (size_t i = 0; i < x->coming_n; i++) {
		if (slice_eq(slice_str(x->coming[i].container_id), container_id)) {
			x->coming[i].n++;
			return;
		}
	}
	x->coming = memory_grow(x->coming, x->coming_n + 1, sizeof(*x->coming));
	struct expiring_count *c = &x->coming[x->coming_n++];
	*c = (struct expiring_count){.n = 1};
	(void)format_to(c->group_id, sizeof(c->group_id), "%.*s", (int)group_id.len, group_id.data);
	(void)format_to(c->container_id, sizeof(c->container_id), "%.*s", (int)container_id.len,
			container_id.data);
}

/* On to the next team; those whose day has passed come first, and are not counted. */
void expiring_take(struct expiring *x, const struct request *asked,
		   const struct item_expiring_result *r)
{
	const struct item_expiring_params *p = asked->params;
	const int64_t now_ms = p->before - 7 * DAY_MS;
	if (!x->is_asked) {
		return; /* it has begun anew meanwhile */
	}
	for (size_t i = 0; i < r->items_n; i++) {
		if (r->items[i].expiry >= now_ms - now_ms % DAY_MS) {
			expiring_add(x, p->group_id, r->items[i].container_id);
		}
	}
	x->is_asked = false;
	expiring_set_cursor(x, r->cursor);
	if (x->cursor == NULL || ++x->pages == EXPIRING_PAGES_MAX) {
		expiring_go(x, x->at + 1);
	}
}

void expiring_take_refusal(struct expiring *x)
{
	expiring_go(x, x->at + 1);
}

size_t expiring_count(const struct expiring *x, const char *group_id, const char *container_id)
{
	size_t n = 0;
	for (size_t i = 0; i < x->counts_n; i++) {
		const struct expiring_count *c = &x->counts[i];
		bool is_meant =
			(group_id == NULL || strcmp(group_id, c->group_id) == 0) &&
			(container_id == NULL || strcmp(container_id, c->container_id) == 0);
		n += is_meant ? c->n : 0;
	}
	return n;
}
