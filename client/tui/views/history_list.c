/*
 * history_list.c - rounds as lines: number, what was voted on, how long it took
 * where there is room, and at the right what became of it. For the history
 * view, and beside the table on wide screens.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum {
	HISTORY_LIST_SPAN_FROM = 50, /* cells from which on the span is shown */
	HISTORY_LIST_SPAN_CELLS = 8,
	HISTORY_LIST_OUTCOME_CELLS = 8
};

size_t history_count(const struct tui *t)
{
	return t->rounds == NULL ? 0 : t->rounds->n;
}

/* "3 min", "2 h": how long a round took, from its beginning to its reveal. */
static void history_list_span(const struct round_view *p, char *out, size_t cap)
{
	long long s = (long long)(p->revealed_at - p->started_at) / 1000;
	out[0] = '\0';
	if (p->started_at <= 0 || s < 0) {
		return;
	}
	if (s < 60) {
		(void)format_to(out, cap, "%lld s", s);
	} else if (s < 3600) {
		(void)format_to(out, cap, "%lld min", s / 60);
	} else {
		(void)format_to(out, cap, "%lld h", s / 3600);
	}
}

static void history_list_draw_one(const struct tui *t, const struct round_view *p, struct grid *g,
				  int y, bool has_focus)
{
	enum { NUMBER_X = 2, NUMBER_CELLS = 3, TITLE_X = NUMBER_X + NUMBER_CELLS + 2 };
	char number[24];
	char span[24];
	(void)format_to(number, sizeof(number), "%*lld", NUMBER_CELLS, (long long)p->n);
	(void)grid_text(g, NUMBER_X, y, STYLE_DIM, number, -1);
	int end = g->width - 1;
	(void)draw_right(g, end, y, p->outcome.data != NULL ? STYLE_GOOD : STYLE_DIM,
			 p->outcome.data != NULL ? p->outcome.data : "open");
	end -= HISTORY_LIST_OUTCOME_CELLS;
	if (g->width >= HISTORY_LIST_SPAN_FROM) {
		history_list_span(p, span, sizeof(span));
		(void)draw_right(g, end - 2, y, STYLE_DIM, span);
		end -= HISTORY_LIST_SPAN_CELLS + 2;
	}
	(void)draw_cut(g, TITLE_X, y, has_focus ? STYLE_CHOSEN : STYLE_TEXT,
		       p->story.data == NULL ? "Quick vote" : p->story.data, end - 1 - TITLE_X,
		       t->signs);
	if (has_focus) {
		(void)grid_text(g, 1, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, TITLE_X, y);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){SPOT_ROUND, (uint32_t)p->n});
}

void history_list_draw(const struct tui *t, struct grid *g, int y, int height, size_t focus)
{
	size_t n = history_count(t);
	size_t shown = height < 0 ? 0 : (size_t)height < n ? (size_t)height : n;
	size_t at = focus < n ? focus : 0;
	/* The focus stays in the middle where there is more on both sides. */
	size_t top = at < shown / 2 ? 0 : at - shown / 2;
	top = top + shown > n ? n - shown : top;
	for (size_t i = 0; i < shown; i++) {
		history_list_draw_one(t, t->rounds->items[top + i], g, y + (int)i,
				      top + i == focus);
	}
}
