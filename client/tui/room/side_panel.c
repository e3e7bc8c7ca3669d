/*
 * side_panel.c - what stands beside the table where the screen is wide: the stories,
 * and below them the rounds before. The table keeps at least its home's width,
 * and has it all while there is neither. Long titles are worth more than larger cards.
 */
#include "client/model/room/story_find.h"
#include "client/tui/tui_state.h"

#include "proto/base/format.h"

enum {
	SIDE_TABLE_LEAST = 80,
	SIDE_USUAL = 72,
	SIDE_HISTORY_FROM = 16 /* rows from which on there is a place for both */
};

/* "Stories" at the left, a few figures at the right. */
static void side_draw_head(struct grid *g, int y, const char *title, const char *figures)
{
	(void)grid_text(g, 1, y, STYLE_TITLE, title, -1);
	(void)draw_right(g, g->width - 1, y, STYLE_DIM, figures);
}

static void side_draw_stories(const struct tui *t, const struct replica *room, struct grid *g,
			      int y, int height)
{
	char figures[64];
	(void)format_to(figures, sizeof(figures), "%zu of %zu estimated", stories_estimated(room),
			room->stories.n);
	side_draw_head(g, y, "Stories", figures);
	list_draw(tui_listing(t, room, VIEW_STORIES), g, y + 1, height - 1, false);
}

static void side_draw_history(const struct tui *t, const struct replica *room, struct grid *g,
			      int y, int height)
{
	char figures[64];
	size_t n = history_count(t);
	(void)format_to(figures, sizeof(figures), "%zu %s%s", n, n == 1 ? "round" : "rounds",
			t->history.rounds->cursor != NULL ? " and more" : "");
	side_draw_head(g, y, "History", figures);
	list_draw(tui_listing(t, room, VIEW_HISTORY), g, y + 1, height - 1, false);
}

/* Rows for the history with its heading: a third, or what the stories leave. */
static int side_history_rows(const struct replica *room, int height)
{
	enum { HEAD = 1, GAP = 1 };
	int stories = (int)room->stories.n + HEAD + GAP;
	if (height < SIDE_HISTORY_FROM) {
		return 0;
	}
	if (room->stories.n == 0) {
		return height;
	}
	return height - stories > height / 3 ? height - stories : height / 3;
}

/*
 * So that the titles stand whole: with their number before and their state behind them; in the
 * history also with which vote it was, and how long it took.
 */
static int side_wanted(const struct tui *t, const struct replica *room)
{
	enum { AROUND = 20, AROUND_ROUNDS = 36 };
	const int around = history_count(t) > 0 ? AROUND_ROUNDS : AROUND;
	int wanted = SIDE_USUAL;
	for (size_t i = 0; i < room->stories.n; i++) {
		struct story_name name;
		int cells = draw_cells(story_name(replica_story_at(room, i), &name)) + around;
		wanted = cells > wanted ? cells : wanted;
	}
	return wanted;
}

int side_draw(const struct tui *t, const struct replica *room, struct grid *g, int top, int height)
{
	int history = g->width < TUI_WIDE ? 0 : side_history_rows(room, height);
	int side = g->width - SIDE_TABLE_LEAST - 1;
	t->sight->history_rows = history - 1;
	if (history_count(t) == 0) {
		history = 0;
	}
	if (g->width < TUI_WIDE || (room->stories.n == 0 && history == 0)) {
		return g->width;
	}
	side = draw_between(0, side, side_wanted(t, room));
	int x = g->width - side;
	struct grid part = grid_part(g, x, side);
	grid_fill(g, x - 1, top, 1, height, STYLE_DIM, t->signs->frame.down);
	if (room->stories.n > 0) {
		side_draw_stories(t, room, &part, top, history > 0 ? height - history - 1 : height);
	}
	if (history > 0) {
		side_draw_history(t, room, &part, top + height - history, history);
	}
	return x - 1;
}
