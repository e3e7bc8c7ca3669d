/*
 * story_view.c - what a story says of itself, its link and its description: those of the story that
 * is voted on at the table, as far as they fit; all of them, and those of any story in the list, on
 * a page of their own.
 */
#include "client/model/room/story_find.h"
#include "client/tui/tui_state.h"
#include "proto/base/format.h"

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
	struct action_key k = action_key_in(ACTION_ABOUT, VIEW_ROOM, room);
	char more[32];
	const struct story_view *s = story_voted_on(room);
	struct story_link link;
	int end = y + rows;
	int more_cells = (int)format_to(more, sizeof(more), "%s to show all", k.name);
	bool is_cut = story_about_rows(room, g) > rows;
	if (s == NULL || rows <= 0) {
		return;
	}
	(void)story_link(room, s, &link);
	if (link.text[0] != '\0') {
		int cells = story_cells(g) - (is_cut && rows == 1 ? more_cells + 2 : 0);
		int used = draw_cut(g, STORY_LEFT, y, STYLE_DIM, link.text, cells, t->signs);
		grid_mark_link(g, STORY_LEFT, y++, used);
	}
	(void)draw_text(g, STORY_LEFT, y, STYLE_DIM, s->description.data, story_cells(g), 0,
			end - y);
	if (is_cut) {
		int x = g->width - 2 - more_cells;
		grid_fill(g, x - 1, end - 1, g->width - x + 1, 1, STYLE_TEXT, " ");
		(void)grid_text(g, x - 1, end - 1, STYLE_DIM, t->signs->cut, 1);
		(void)grid_text(g, x + 1, end - 1, STYLE_DIM, more, -1);
		(void)grid_text(g, x + 1, end - 1, STYLE_STRONG, k.name, -1);
		mouse_mark_key(g, x + 1, end - 1, more_cells, action_rows[ACTION_ABOUT].key);
	}
}

/* ---- on a page ---- */

static const struct story_view *story_read(const struct tui *t, const struct replica *room)
{
	return t->under[VIEW_STORY] == VIEW_STORIES ? stories_focus(t, room) : story_voted_on(room);
}

static const char *story_read_id(const struct tui *t, const struct replica *room)
{
	const struct story_view *s = story_read(t, room);
	return s == NULL ? NULL : s->story_id.data;
}

static void story_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			    int height)
{
	const struct story_view *s = story_read(t, room);
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
		char line[64];
		(void)format_to(line, sizeof(line), "No description. %s, then %s to write one",
				action_key_in(ACTION_STORIES, VIEW_ROOM, room).name,
				action_rows[ACTION_DESCRIBE].key_name);
		(void)draw_cut(g, STORY_LEFT, y, STYLE_DIM, line, story_cells(g), t->signs);
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
	.is_over = true,
	.story = story_read_id,
	.rows = &list_of_text,
	.footer = "Up Down PgUp PgDn scroll",
};
