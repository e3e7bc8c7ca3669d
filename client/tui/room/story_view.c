/*
 * story_view.c - what the story that is voted on says of itself: its link and its
 * description, on the table as far as they fit, and all of them on a page of their own.
 */
#include "client/model/room/story_find.h"
#include "client/tui/tui_state.h"

enum { STORY_LEFT = 3 };

static const struct story_view *story_voted_on(const struct replica *room)
{
	return replica_story(room, room->room.story_id.data);
}

static int story_cells(const struct grid *g)
{
	return g->width - STORY_LEFT - 1;
}

/* ---- on the table ---- */

int story_about_rows(const struct replica *room, const struct grid *g)
{
	const struct story_view *s = story_voted_on(room);
	struct story_link link;
	if (s == NULL) {
		return 0;
	}
	bool has_link = story_link(room, s, &link)[0] != '\0';
	return (has_link ? 1 : 0) +
	       draw_text(NULL, 0, 0, STYLE_DIM, s->description.data, story_cells(g), 0, 0);
}

/* The last line says so where there is more. */
void story_about_draw(const struct tui *t, const struct replica *room, struct grid *g, int y,
		      int rows)
{
	static const char more[] = "d to show all";
	const struct story_view *s = story_voted_on(room);
	struct story_link link;
	int end = y + rows;
	bool is_cut = story_about_rows(room, g) > rows;
	if (s == NULL || rows <= 0) {
		return;
	}
	(void)story_link(room, s, &link);
	if (link.text[0] != '\0') {
		int cells = story_cells(g) - (is_cut && rows == 1 ? (int)sizeof(more) + 1 : 0);
		int used = draw_cut(g, STORY_LEFT, y, STYLE_DIM, link.text, cells, t->signs);
		grid_mark_link(g, STORY_LEFT, y++, used);
	}
	(void)draw_text(g, STORY_LEFT, y, STYLE_DIM, s->description.data, story_cells(g), 0,
			end - y);
	if (is_cut) {
		int x = g->width - 1 - (int)sizeof(more);
		grid_fill(g, x - 1, end - 1, g->width - x + 1, 1, STYLE_TEXT, " ");
		(void)grid_text(g, x - 1, end - 1, STYLE_DIM, t->signs->cut, 1);
		(void)grid_text(g, x + 1, end - 1, STYLE_STRONG, "d", -1);
		(void)grid_text(g, x + 2, end - 1, STYLE_DIM, more + 1, -1);
		mouse_mark_key(g, x + 1, end - 1, (int)sizeof(more) - 1,
			       action_rows[ACTION_ABOUT].key);
	}
}

/* ---- on a page ---- */

static void story_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			    int height)
{
	const struct story_view *s = story_voted_on(room);
	struct story_link link;
	struct story_name name;
	int y = 0;
	if (s == NULL) {
		(void)draw_title(g, "No story selected");
		(void)list_scroll(tui_listing(t, room, VIEW_STORY), 0, height);
		return;
	}
	(void)story_link(room, s, &link);
	(void)story_name(s, &name);
	y = draw_wrapped(NULL, 0, 0, STYLE_TITLE, name.text, g->width - 2);
	y = y < height ? draw_wrapped(g, 1, 0, STYLE_TITLE, name.text, g->width - 2) : 0;
	y += g->height >= DRAW_ROOMY ? 1 : 0;
	if (link.text[0] != '\0' && y < height) {
		grid_mark_link(g, STORY_LEFT, y,
			       draw_cut(g, STORY_LEFT, y, STYLE_DIM, link.text, story_cells(g),
					t->signs));
		y += g->height >= DRAW_ROOMY ? 2 : 1;
	}
	if (s->description.len == 0) {
		(void)draw_cut(g, STORY_LEFT, y, STYLE_DIM,
			       "No description. S, then E to write one", story_cells(g), t->signs);
	}
	int lines = draw_text(NULL, 0, 0, STYLE_TEXT, s->description.data, story_cells(g), 0, 0);
	int rows = height - y;
	int top = list_scroll(tui_listing(t, room, VIEW_STORY), lines, rows);
	(void)draw_text(g, STORY_LEFT, y, STYLE_TEXT, s->description.data, story_cells(g), top,
			rows);
}

const struct view story_view = {
	.draw = story_view_draw,
	.is_page = true,
	.rows = &list_of_text,
	.footer = "Up Down PgUp PgDn scroll",
};
