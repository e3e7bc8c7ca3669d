/*
 * round_history.c - pages of history, taken whole or not at all; see round_history.h.
 */
#include "client/model/round_history.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/replica_parts.h"

static void rounds_free(struct round_view **items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(items[i]);
	}
	free(items);
}

void round_history_finish(struct round_history *r)
{
	rounds_free(r->items, r->n);
	free(r->cursor);
	*r = (struct round_history){0};
}

/* Own copies of the page's rounds; NULL when memory is out. */
static struct round_view **rounds_make_page(const struct round_list_result *page)
{
	struct round_view **made = calloc(page->rounds_n + 1, sizeof(*made));
	for (size_t i = 0; made != NULL && i < page->rounds_n; i++) {
		made[i] = record_own(&record_round_view, &page->rounds[i]);
		if (made[i] == NULL) {
			rounds_free(made, i);
			return NULL;
		}
	}
	return made;
}

/*
 * Where in the history begins what is older than a page of the newest rounds:
 * behind the round that both have. Where they do not meet nothing is kept, as
 * rounds in between may be missing.
 */
static size_t rounds_older(const struct round_history *r, const struct round_list_result *page)
{
	size_t at = 0;
	if (page->rounds_n == 0 || !page->with_cursor || page->cursor.data == NULL) {
		return r->n;
	}
	int64_t oldest = page->rounds[page->rounds_n - 1].n;
	while (at < r->n && r->items[at]->n > oldest) {
		at++;
	}
	return at < r->n && r->items[at]->n == oldest ? at + 1 : r->n + 1;
}

/* `from` of what is there stays, in front of the page or behind it. */
static void rounds_put(struct round_history *r, struct round_view **all, struct round_view **made,
		       size_t n, bool is_first, size_t from)
{
	size_t kept = r->n - from;
	if (is_first) {
		for (size_t i = 0; i < from; i++) {
			free(r->items[i]);
		}
	}
	memcpy(all + (is_first ? 0 : kept), made, n * sizeof(*all));
	if (kept > 0) {
		memcpy(all + (is_first ? n : 0), r->items + from, kept * sizeof(*all));
	}
	free(made);
	free(r->items); /* an empty history has a list, too */
	r->items = all;
	r->n = kept + n;
}

enum err round_history_take(struct round_history *r, const struct round_list_result *page,
			    bool is_first)
{
	char *cursor = NULL;
	size_t older = is_first ? rounds_older(r, page) : 0;
	bool is_apart = older > r->n; /* nothing of the old is kept, its cursor neither */
	bool goes_on = is_first && !is_apart && page->with_cursor && page->cursor.data != NULL;
	size_t from = is_apart ? r->n : older;
	struct round_view **made = rounds_make_page(page);
	struct round_view **all = calloc(r->n - from + page->rounds_n + 1, sizeof(*all));
	if (made == NULL || all == NULL ||
	    (!goes_on && !replica_soften_nil(page->cursor, page->with_cursor, &cursor))) {
		rounds_free(made, made == NULL ? 0 : page->rounds_n);
		free(all);
		return ERR_NOMEM;
	}
	rounds_put(r, all, made, page->rounds_n, is_first, from);
	if (!goes_on) {
		free(r->cursor);
		r->cursor = cursor;
	}
	return OK;
}
