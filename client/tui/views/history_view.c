/*
 * history_view.c - the rounds before, the newest first, and what each said.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum { HISTORY_ROOMY = 18, HISTORY_PAGE = 5 };

static void history_draw_panel(struct tui *t, const struct replica *room, struct grid *g, int y,
			       int height)
{
	struct result r;
	result_init(&r, room, t->rounds->items[t->round_at]);
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
	t->history_rows = height - y > 0 ? height - y : 0;
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
	list = list < 1 ? 1 : list;
	history_list_draw(t, g, y, list, t->round_at);
	y += list + (g->height >= HISTORY_ROOMY ? 1 : 0);
	history_draw_panel(t, room, g, y, height - y);
}

/* Going past the end fetches what comes next. */
static struct act history_go(struct tui *t, const struct replica *room, size_t at)
{
	size_t n = history_count(t);
	t->panel_top = 0;
	t->round_at = at < n ? at : n == 0 ? 0 : n - 1;
	t->round_n = n == 0 ? 0 : t->rounds->items[t->round_at]->n;
	if (at >= n && n > 0 && t->rounds->cursor != NULL) {
		return history_ask(t, room, t->rounds->cursor, 0);
	}
	return (struct act){0};
}

static struct act history_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		return history_go(t, room, t->round_at > 0 ? t->round_at - 1 : 0);
	case TUI_KEY_DOWN:
	case 'j':
		return history_go(t, room, t->round_at + 1);
	case TUI_KEY_HOME:
		return history_go(t, room, 0);
	case TUI_KEY_END:
		return history_go(t, room, SIZE_MAX);
	case TUI_KEY_PAGE_UP:
		t->panel_top -= HISTORY_PAGE;
		return (struct act){0};
	case TUI_KEY_PAGE_DOWN:
		t->panel_top += HISTORY_PAGE;
		return (struct act){0};
	}
	return tui_act_on_key(t, room, key);
}

const struct view history_view = {
	.draw = history_view_draw,
	.take_key = history_view_take_key,
	.footer = "Esc back  Up Down rounds  PgUp PgDn their votes",
};
