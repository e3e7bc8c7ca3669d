/*
 * expiring.c - see expiring.h.
 */
#include "client/model/lists/expiring.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"
#include "proto/base/format.h"

#define DAY_MS	 (INT64_C(24) * 3600 * 1000)
#define AGAIN_MS (INT64_C(10) * 60 * 1000)

static const struct feed_kind expiring_items = {
	.list = METHOD_ITEM_EXPIRING,
	.of = "group_id",
	.rows = "items",
	.entry = &record_expiring_item,
	.key = "item_id",
	.pages = 4,
	.is_quiet = true,
};

void expiring_init(struct expiring *x)
{
	*x = (struct expiring){.is_done = false};
	feed_init(&x->feed, &expiring_items);
}

void expiring_finish(struct expiring *x)
{
	free(x->counts);
	free(x->coming);
	feed_finish(&x->feed);
}

void expiring_refresh(struct expiring *x)
{
	free(x->coming);
	x->coming = NULL;
	x->coming_n = 0;
	x->is_done = false;
	x->at = 0;
	feed_clear(&x->feed);
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

/* Those whose day has passed come first, and are not counted. */
static void expiring_count_team(struct expiring *x)
{
	for (size_t i = 0; i < x->feed.rows.n; i++) {
		const struct expiring_item *item = x->feed.rows.items[i];
		if (item->expiry >= x->now_ms - x->now_ms % DAY_MS) {
			expiring_add(x, slice_str(x->feed.of), item->container_id);
		}
	}
}

static void expiring_end(struct expiring *x, int64_t now_ms)
{
	free(x->counts);
	x->counts = x->coming;
	x->counts_n = x->coming_n;
	x->coming = NULL;
	x->coming_n = 0;
	x->is_done = true;
	x->done_at = now_ms;
}

struct request *expiring_ask(struct expiring *x, const struct rows *groups, int64_t now_ms)
{
	if (x->is_done && now_ms - x->done_at >= AGAIN_MS) {
		expiring_refresh(x);
	}
	if (x->feed.read == FEED_IDLE) { /* or it was refused, and counts as none */
		expiring_count_team(x);
		feed_clear(&x->feed);
		x->at++;
	}
	if (!x->is_done && x->at >= groups->n) {
		expiring_end(x, now_ms);
	}
	if (x->is_done || x->feed.read == FEED_ASKED || now_ms == 0) {
		return NULL;
	}
	if (x->feed.of[0] == '\0') {
		const struct group_entry *g = groups->items[x->at];
		feed_open(&x->feed, g->group_id);
		x->now_ms = now_ms;
	}
	struct request *r = feed_ask(&x->feed);
	request_int(r, "before", x->now_ms + 7 * DAY_MS);
	return r;
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
