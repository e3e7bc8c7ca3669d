/*
 * help_view.c - every action with its key and what it does; what is not
 * allowed now stays in the list, dimmed.
 */
#include "client/tui/tui_state.h"

#include "proto/format.h"

enum { HELP_KEY_CELLS = 10, HELP_TOPS_MAX = 1000 };

static int help_heading_rows(enum action a)
{
	bool is_first = a == ACTION_VOTE || a == ACTION_ENTER;
	return action_rows[a].heading == NULL ? 0 : is_first ? 1 : 2;
}

/*
 * Draws from line y on; returns the line after. Lines above `first` or from `end` on are not
 * seen.
 */
static int help_draw_action(const struct tui *t, const struct replica *room, struct grid *g,
			    enum action a, int y, int first, int end)
{
	int text_x = 1 + HELP_KEY_CELLS + 1;
	int cells = g->width - text_x - 1;
	int lines = draw_wrapped(NULL, 0, 0, STYLE_TEXT, action_rows[a].help, cells);
	bool is_allowed = action_is_allowed(a, room);
	y += help_heading_rows(a);
	if (action_rows[a].heading != NULL && y - 1 >= first && y - 1 < end) {
		(void)grid_text(g, 1, y - 1, STYLE_TITLE, action_rows[a].heading, -1);
	}
	if (y >= first && y + lines <= end) {
		enum style style = is_allowed ? STYLE_TEXT : STYLE_DIM;
		struct action_key k = action_key_in(a, VIEW_ROOM, room);
		(void)grid_text(g, 2, y, is_allowed ? STYLE_STRONG : STYLE_DIM,
				k.name[0] == '\0' ? t->signs->arrows : k.name, HELP_KEY_CELLS);
		(void)draw_wrapped(g, text_x, y, style, action_rows[a].help, cells);
	}
	return y + (lines < 1 ? 1 : lines);
}

/* Home has its own page: what cannot be done here, in no circumstances, is not on it. */
static bool help_is_shown(const struct tui *t, enum action a, const struct replica *room)
{
	return action_is_here(a, room) && (!room->is_nowhere || action_is_in(a, VIEW_HOME)) &&
	       list_matches(action_rows[a].help, t->lists[VIEW_HELP].filter);
}

/* All of them from line y on, of which those from `first` to before `end` are seen. Returns the line after. */
static int help_draw_all(const struct tui *t, const struct replica *room, struct grid *g, int y,
			 int first, int end)
{
	for (enum action a = 0; a < ACTION_COUNT; a++) {
		if (help_is_shown(t, a, room)) {
			y = help_draw_action(t, room, g, a, y, first, end);
		}
	}
	return y;
}

static void help_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	enum { FIRST = 2 };
	int last_top = help_draw_all(t, room, g, 0, 0, 0) - (height - FIRST);
	last_top = last_top < 0 ? 0 : last_top;
	t->help.tops = (size_t)last_top + 1;
	int top = (int)list_at(tui_listing(t, room, VIEW_HELP));
	(void)grid_text(g, 1, 0, STYLE_TITLE, "What the keys do", -1);
	if (last_top > 0) {
		char where[40];
		(void)format_to(where, sizeof(where), "%d %%", top * 100 / last_top);
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM, where);
	}
	(void)help_draw_all(t, room, g, FIRST - top, FIRST, height);
}

/* Its rows are the lines that may be the first: all there could be until they have been drawn. */
static size_t help_tops(struct listing l)
{
	return l.t->help.tops == 0 ? HELP_TOPS_MAX : l.t->help.tops;
}

static const struct list_rows help_rows = {.count = help_tops};

static struct act help_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	bool is_back = key == TUI_KEY_ENTER || key == '?';
	key = key == ' ' ? TUI_KEY_PAGE_DOWN : is_back ? TUI_KEY_ESCAPE : key;
	return tui_act_on_key(t, room, key);
}

const struct view help_view = {
	.draw = help_view_draw,
	.take_key = help_view_take_key,
	.rows = &help_rows,
	.footer = "Esc back  Up Down PgUp PgDn scroll",
};
