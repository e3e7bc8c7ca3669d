/*
 * history_view.c - the rounds before, the newest first, and what each said.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum { HISTORY_ROOMY = 18, HISTORY_OUTCOME_CELLS = 8, HISTORY_PAGE = 5 };

static size_t history_count(const struct tui *t)
{
	return t->rounds == NULL ? 0 : t->rounds->n;
}

/* "3 min", "2 h": how long a round took, from its beginning to its reveal. */
static void history_span(const struct past_round *p, char *out, size_t cap)
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

static void history_draw_one(const struct tui *t, const struct past_round *p, struct grid *g, int y,
			     bool has_focus)
{
	enum { NUMBER_X = 2, NUMBER_CELLS = 4, TITLE_X = NUMBER_X + NUMBER_CELLS + 2 };
	char number[24];
	char span[24];
	(void)format_to(number, sizeof(number), "%*lld", NUMBER_CELLS, (long long)p->n);
	(void)grid_text(g, NUMBER_X, y, STYLE_DIM, number, -1);
	history_span(p, span, sizeof(span));
	int end = g->width - 1;
	(void)draw_right(g, end, y, p->outcome != NULL ? STYLE_GOOD : STYLE_DIM,
			 p->outcome != NULL ? p->outcome : "open");
	end -= HISTORY_OUTCOME_CELLS + 2;
	(void)draw_right(g, end, y, STYLE_DIM, span);
	(void)draw_cut(g, TITLE_X, y, has_focus ? STYLE_CHOSEN : STYLE_TEXT,
		       p->story == NULL ? "Quick vote" : p->story, end - 8 - TITLE_X, t->signs);
	if (has_focus) {
		(void)grid_text(g, 1, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, TITLE_X, y);
	}
}

static void history_draw_panel(struct tui *t, const struct replica *room, struct grid *g, int y,
			       int height)
{
	struct result r;
	result_init(&r, room, &t->rounds->items[t->round_at]);
	int last = result_rows(&r, g) - height;
	last = last < 0 ? 0 : last;
	t->panel_top = t->panel_top < 0 ? 0 : t->panel_top > last ? last : t->panel_top;
	result_draw(t, &r, g, y, height, t->panel_top);
}

static void history_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	size_t n = history_count(t);
	int y = g->height >= HISTORY_ROOMY ? 2 : 1;
	char line[64];
	(void)grid_text(g, 1, 0, STYLE_TITLE, "History", -1);
	if (n == 0) {
		(void)draw_cut(g, 3, y, STYLE_DIM,
			       t->rounds == NULL ? "Fetching the rounds before"
						 : "No round has been revealed yet.",
			       g->width - 4, t->signs);
		return;
	}
	(void)format_to(line, sizeof(line), "%zu %s%s", n, n == 1 ? "round" : "rounds",
			t->rounds->cursor != NULL ? " and more" : "");
	(void)draw_right(g, g->width - 1, 0, STYLE_TEXT, line);
	t->round_at = t->round_at >= n ? n - 1 : t->round_at;
	int space = height - y;
	int list = space / 2 < (int)n ? space / 2 : (int)n;
	size_t shown = list < 1 ? 1 : (size_t)list;
	size_t top = t->round_at < shown / 2 ? 0 : t->round_at - shown / 2;
	top = top + shown > n ? n - shown : top;
	for (size_t i = 0; i < shown; i++) {
		history_draw_one(t, &t->rounds->items[top + i], g, y + (int)i,
				 top + i == t->round_at);
	}
	y += (int)shown + (g->height >= HISTORY_ROOMY ? 1 : 0);
	history_draw_panel(t, room, g, y, height - y);
}

/* Going past the end fetches what comes next. */
static struct ask history_go(struct tui *t, size_t at)
{
	size_t n = history_count(t);
	t->panel_top = 0;
	if (at < n) {
		t->round_at = at;
		return (struct ask){0};
	}
	t->round_at = n == 0 ? 0 : n - 1;
	if (n > 0 && t->rounds->cursor != NULL) {
		return tui_ask(t, ASK_HISTORY, t->rounds->cursor);
	}
	return (struct ask){0};
}

static struct ask history_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		return history_go(t, t->round_at > 0 ? t->round_at - 1 : 0);
	case TUI_KEY_DOWN:
	case 'j':
		return history_go(t, t->round_at + 1);
	case TUI_KEY_HOME:
		return history_go(t, 0);
	case TUI_KEY_END:
		return history_go(t, SIZE_MAX);
	case TUI_KEY_PAGE_UP:
		t->panel_top -= HISTORY_PAGE;
		return (struct ask){0};
	case TUI_KEY_PAGE_DOWN:
		t->panel_top += HISTORY_PAGE;
		return (struct ask){0};
	}
	return tui_act_on_key(t, room, key);
}

const struct view history_view = {
	.draw = history_view_draw,
	.take_key = history_view_take_key,
	.footer = "Up Down rounds  PgUp PgDn their votes  Esc back",
};
