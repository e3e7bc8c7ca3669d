/*
 * help_view.c - every action with its key and what it does, by what one wants to do; what is not
 * allowed now stays in the list, dimmed, and what only hosts may is marked.
 */
#include "client/tui/tui_state.h"

#include "proto/base/format.h"

enum { HELP_KEY_X = 2, HELP_KEY_CELLS = 9, HELP_MARK_X = 11, HELP_TEXT_X = 13 };

static const char *help_key(const struct tui *t, enum action a, struct action_key *k,
			    const struct replica *room)
{
	*k = action_key_in(a, VIEW_ROOM, room);
	return k->name[0] == '\0' ? t->signs->arrows : k->name;
}

/* Home has its own page: what cannot be done here, in no circumstances, is not on it. */
static bool help_is_shown(const struct tui *t, enum action a, const struct replica *room)
{
	const char *filter = t->lists[VIEW_HELP].filter;
	struct action_key k;
	uint64_t where = action_rows[a].where;
	bool is_aside = (where & ~(uint64_t)IN_ASIDE) == 0;
	bool is_from_aside = (IN_VIEW(t->under[VIEW_HELP]) & (IN_ASIDE | IN_ITEMS)) != 0;
	bool is_of_page = room->is_nowhere ? (where & (IN_HOME | IN_QUESTIONS | IN_TEAM_PAGES)) != 0
					   : !is_aside || is_from_aside;
	return action_is_here(a, room) && is_of_page && action_rows[a].help[0] != '\0' &&
	       (list_matches(action_rows[a].help, filter) ||
		list_matches(action_rows[a].command, filter) ||
		list_matches(help_key(t, a, &k, room), filter));
}

/* The groups in their order, but first that of the view where the help was opened. */
static enum help_group help_group_at(const struct tui *t, size_t nth)
{
	enum help_group first = 0;
	enum view_kind from = t->under[VIEW_HELP];
	uint64_t bit = IN_VIEW(from);
	from = (bit & IN_QUESTIONS) != 0			    ? VIEW_INBOX
	       : (bit & IN_TEAM_PAGES & ~(uint64_t)IN_BACKLOG) != 0 ? VIEW_TEAMS
								    : from;
	while (first < HELP_GROUP_COUNT && (from == VIEW_ROOM || help_groups[first].view != from)) {
		first++;
	}
	if (first == HELP_GROUP_COUNT) {
		return (enum help_group)nth;
	}
	return nth == 0 ? first : (enum help_group)(nth <= first ? nth - 1 : nth);
}

/* In lines y on, as far as they are between `first` and `end`; returns the line after. */
static int help_draw_action(const struct tui *t, const struct replica *room, struct grid *g,
			    enum action a, int y, int first, int end)
{
	int cells = g->width - HELP_TEXT_X - 1;
	int lines = draw_wrapped(NULL, 0, 0, STYLE_TEXT, action_rows[a].help, cells);
	bool is_allowed = action_is_allowed(a, room);
	if (y >= first && y + lines <= end) {
		enum style style = is_allowed ? STYLE_TEXT : STYLE_DIM;
		struct action_key k;
		(void)grid_text(g, HELP_KEY_X, y, is_allowed ? STYLE_STRONG : STYLE_DIM,
				help_key(t, a, &k, room), HELP_KEY_CELLS);
		if (!room->is_nowhere && action_is_for_hosts(a, room)) {
			(void)grid_text(g, HELP_MARK_X, y, style, t->signs->host, 1);
		}
		(void)draw_wrapped(g, HELP_TEXT_X, y, style, action_rows[a].help, cells);
	}
	return y + (lines < 1 ? 1 : lines);
}

/* All of them from line y on, of which those from `first` to before `end` are seen. Returns the line after. */
static int help_draw_all(const struct tui *t, const struct replica *room, struct grid *g, int y,
			 int first, int end)
{
	int top = y;
	for (size_t i = 0; i < HELP_GROUP_COUNT; i++) {
		enum help_group group = help_group_at(t, i);
		bool has_title = false;
		for (enum action a = 0; a < ACTION_COUNT; a++) {
			if (action_rows[a].group != group || !help_is_shown(t, a, room)) {
				continue;
			}
			if (!has_title) {
				y += y > top ? 1 : 0;
				if (y >= first && y < end) {
					(void)grid_text(g, 1, y, STYLE_TITLE,
							help_groups[group].title, -1);
				}
				y++;
				has_title = true;
			}
			y = help_draw_action(t, room, g, a, y, first, end);
		}
	}
	return y;
}

static void help_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			   int height)
{
	enum { FIRST = 2, MARK_WIDTH_MIN = 50 };
	struct listing l = tui_listing(t, room, VIEW_HELP);
	int lines = help_draw_all(t, room, g, 0, 0, 0);
	int top = list_scroll(l, lines, height - FIRST);
	char where[48];
	size_t n = 0;
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Keys", -1);
	if (!room->is_nowhere && g->width >= MARK_WIDTH_MIN) {
		n = format_to(where, sizeof(where), "%s hosts only", t->signs->host);
	}
	if (lines > height - FIRST) {
		n += format_to(where + n, sizeof(where) - n, "%s%d%%", n > 0 ? "   " : "",
			       top * 100 / (lines - height + FIRST));
	}
	if (n > 0) {
		(void)draw_right(g, g->width - 1, 0, STYLE_DIM, where);
	}
	(void)help_draw_all(t, room, g, FIRST - top, FIRST, height);
}

const struct view help_view = {
	.is_over = true,
	.draw = help_view_draw,
	.is_page = true,
	.rows = &list_of_text,
	.footer = "Up Down PgUp PgDn scroll",
};
