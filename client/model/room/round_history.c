/*
 * round_history.c - pages of history; see round_history.h.
 */
#include "client/model/room/round_history.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/memory.h"

void round_history_finish(struct round_history *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->items[i]);
	}
	free(r->items);
	free(r->cursor);
	*r = (struct round_history){0};
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

void round_history_take(struct round_history *r, const struct round_list_result *page,
			bool is_first)
{
	size_t n = page->rounds_n;
	size_t from = is_first ? rounds_older(r, page) : 0;
	bool is_apart = from > r->n; /* nothing of the old is kept, its cursor neither */
	bool has_more = page->with_cursor && page->cursor.data != NULL;
	from = is_apart ? r->n : from;
	size_t kept = r->n - from;
	for (size_t i = 0; i < from; i++) {
		free(r->items[i]);
	}
	r->items = memory_grow(r->items, r->n + n, sizeof(*r->items));
	memmove(r->items + (is_first ? n : 0), r->items + from, kept * sizeof(*r->items));
	for (size_t i = 0; i < n; i++) {
		r->items[(is_first ? 0 : kept) + i] =
			memory_have(record_own(&record_round_view, &page->rounds[i]));
	}
	r->n = kept + n;
	if (!is_first || is_apart || !has_more) {
		free(r->cursor);
		r->cursor = has_more ? memory_text_of(page->cursor) : NULL;
	}
}
