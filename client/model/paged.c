/*
 * paged.c - see paged.h.
 */
#include "client/model/paged.h"

#include <stdlib.h>

#include "client/model/memory.h"
#include "proto/format.h"
#include "proto/limits.h"

enum { PAGED_IDLE_PAGES_MAX = 100, PAGED_AGAIN_MS_MIN = 15 * 1000, PAGED_AGAIN_MS_MAX = 60 * 1000 };

static void paged_set_cursor(struct paged *p, struct slice cursor)
{
	free(p->cursor);
	p->cursor = cursor.len == 0 ? NULL : memory_text_of(cursor);
}

void paged_init(struct paged *p, const struct record *record, const char *key, const char *order)
{
	*p = (struct paged){.read = PAGED_WANTED};
	rows_init(&p->rows, record, key, order);
	rows_init(&p->coming, record, key, order);
}

void paged_finish(struct paged *p)
{
	rows_finish(&p->rows);
	rows_finish(&p->coming);
	free(p->cursor);
	*p = (struct paged){.read = PAGED_WANTED};
}

void paged_clear(struct paged *p)
{
	rows_clear(&p->rows);
	rows_clear(&p->coming);
	paged_set_cursor(p, (struct slice){0});
	p->read = PAGED_WANTED;
	p->is_known = false;
	p->has_more = false;
	p->is_again = false;
	p->is_stale = false;
	p->idle_pages = 0;
	p->refused[0] = '\0';
}

/* From the first page on; what is shown stays until that is here. */
static void paged_begin(struct paged *p)
{
	rows_clear(&p->coming);
	paged_set_cursor(p, (struct slice){0});
	p->is_again = p->is_known;
	p->is_stale = false;
	p->idle_pages = 0;
	p->refused[0] = '\0';
	p->read = PAGED_WANTED;
}

void paged_refresh(struct paged *p)
{
	if (p->read == PAGED_ASKED) {
		p->is_stale = true;
	} else {
		paged_begin(p);
	}
}

void paged_more(struct paged *p)
{
	if (p->read == PAGED_IDLE && p->has_more && p->refused[0] == '\0') {
		p->read = PAGED_WANTED;
	}
}

/* Pages of a connection that is gone may be old. */
void paged_lost(struct paged *p)
{
	paged_begin(p);
}

void paged_take_refusal(struct paged *p, const char *why, int64_t retry_ms)
{
	p->read = PAGED_IDLE;
	p->again_in_ms = retry_ms < PAGED_AGAIN_MS_MIN	 ? PAGED_AGAIN_MS_MIN
			 : retry_ms > PAGED_AGAIN_MS_MAX ? PAGED_AGAIN_MS_MAX
							 : retry_ms;
	p->again_at_ms = 0;
	(void)format_to(p->refused, sizeof(p->refused), "%s", why[0] == '\0' ? "no reason" : why);
}

int64_t paged_wait(struct paged *p, int64_t now_ms)
{
	if (p->refused[0] == '\0' || p->read != PAGED_IDLE) {
		return -1;
	}
	if (p->again_at_ms == 0) {
		p->again_at_ms = now_ms + p->again_in_ms;
	}
	if (now_ms >= p->again_at_ms) {
		p->read = PAGED_WANTED;
	}
	return p->read == PAGED_WANTED ? 0 : p->again_at_ms - now_ms;
}

void paged_take(struct paged *p, const void *array, size_t n, struct slice cursor)
{
	struct rows *to = p->is_again ? &p->coming : &p->rows;
	size_t before = to->n;
	p->refused[0] = '\0';
	if (p->is_stale) {
		paged_begin(p);
		return;
	}
	for (size_t i = 0; i < n && to->n < MAX_CONTAINER_ITEMS; i++) {
		rows_put(to, (const char *)array + i * to->record->size);
	}
	p->idle_pages = to->n == before ? p->idle_pages + 1 : 0;
	bool is_over = to->n >= MAX_CONTAINER_ITEMS || p->idle_pages > PAGED_IDLE_PAGES_MAX;
	paged_set_cursor(p, is_over ? (struct slice){0} : cursor);
	if (p->is_again && p->cursor != NULL && p->coming.n < p->rows.n) {
		p->read = PAGED_WANTED;
		return;
	}
	if (p->is_again) {
		const struct rows old = p->rows;
		p->rows = p->coming;
		p->coming = old;
		rows_clear(&p->coming);
	}
	p->is_again = false;
	p->is_known = true;
	p->has_more = p->cursor != NULL;
	p->read = PAGED_IDLE;
}
