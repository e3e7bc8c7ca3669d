/*
 * mouse.c - what a click means: the view that drew a cell has said so in it.
 *
 * Clicks do what keys do, through the same table of actions and the same acts;
 * nothing is reached by them alone. Which card or story a cell shows is told by
 * what it is, not by its place, so a click on a frame that is behind the room
 * means what was seen, or nothing.
 */
#include "client/tui/tui_state.h"

#include <string.h>

static const struct {
	const char *name;
	int32_t key;
} mouse_keys[] = {
	{"Enter", TUI_KEY_ENTER}, {"Esc", TUI_KEY_ESCAPE},   {"Up", TUI_KEY_UP},
	{"Down", TUI_KEY_DOWN},	  {"PgUp", TUI_KEY_PAGE_UP}, {"PgDn", TUI_KEY_PAGE_DOWN},
	{"^S", 'S' - '@'},
};

void mouse_mark_key(struct grid *g, int x, int y, int width, int32_t key)
{
	if (key > 0) {
		grid_mark(g, x, y, width, 1, (struct spot){SPOT_KEY, (uint32_t)key});
	}
}

/* The key of that name; 0 for words. */
static int32_t mouse_key(const char *word, size_t len, bool is_first)
{
	for (size_t i = 0; i < sizeof(mouse_keys) / sizeof(mouse_keys[0]); i++) {
		if (slice_eq(slice_str(mouse_keys[i].name), slice_of(word, len))) {
			return mouse_keys[i].key;
		}
	}
	return is_first && len == 1 ? word[0] : 0;
}

void mouse_mark_hints(struct grid *g, int x, int y, const char *hints)
{
	int32_t key = 0;
	bool is_first = true;
	for (size_t at = 0; hints[at] != '\0';) {
		size_t len = strcspn(hints + at, " ");
		int32_t named = mouse_key(hints + at, len, is_first);
		size_t blanks = strspn(hints + at + len, " ");
		key = named != 0 ? named : is_first ? 0 : key;
		/* The blank between a key and its words belongs to both. */
		mouse_mark_key(g, x + (int)at, y, (int)len + (blanks == 1 ? 1 : 0), key);
		is_first = blanks > 1;
		at += len + blanks;
	}
}

/* ---- clicks ---- */

/* A row of a list beside the table opens that list's view first. */
static struct act mouse_on_row(struct tui *t, const struct replica *room, enum view_kind view,
			       uint32_t which, bool is_again)
{
	struct act act = {0};
	size_t row;
	enum action a = 0;
	while (t->view != view && a < ACTION_COUNT &&
	       (action_rows[a].opens != view || !action_is_in(a, t->view))) {
		a++;
	}
	if (a == ACTION_COUNT || !list_find(tui_listing(t, room, view), which, &row)) {
		return act; /* what was seen is there no more */
	}
	if (t->view != view) {
		act = action_run(t, room, a, NULL);
	}
	if (t->view == view) {
		list_go(tui_listing(t, room, view), row);
	}
	return t->view == view && is_again ? tui_view_key(t, room, TUI_KEY_ENTER) : act;
}

/* A question or a line takes the keys that stand below it, and nothing else is clicked meanwhile. */
static bool mouse_is_meant(const struct tui *t, const struct grid *g, int y, struct spot spot)
{
	bool is_below = y >= g->height - prompt_rows(g);
	return t->prompt.kind == PROMPT_NONE || (is_below && spot.kind == SPOT_KEY);
}

static struct act mouse_press(struct tui *t, const struct replica *room, const struct grid *g,
			      int x, int y)
{
	struct spot spot = grid_spot(g, x, y);
	bool is_again = spot.kind == t->clicked.kind && spot.which == t->clicked.which;
	if (!mouse_is_meant(t, g, y, spot)) {
		return (struct act){0};
	}
	t->clicked = is_again ? (struct spot){SPOT_NONE, 0} : spot;
	switch (spot.kind) {
	case SPOT_NONE:
		return (struct act){0};
	case SPOT_KEY:
		return tui_take_key(t, room, (int32_t)spot.which);
	case SPOT_CARD:
		return view_of(t->view)->click == NULL
			       ? (struct act){0}
			       : view_of(t->view)->click(t, room, spot.which);
	default:
		return mouse_on_row(t, room, (enum view_kind)(spot.kind - SPOT_ROW), spot.which,
				    is_again);
	}
}

/* As the arrows do: a focus moves by one, text and seats by a few. */
static struct act mouse_wheel(struct tui *t, const struct replica *room, int32_t key)
{
	enum { ROWS = 3 };
	struct act act = {0};
	int times = tui_is_in(t, IN_HELP | IN_ROOM) ? ROWS : 1;
	for (int i = 0; i < times && t->prompt.kind == PROMPT_NONE; i++) {
		act = tui_view_key(t, room, key);
	}
	return act;
}

struct act mouse_take(struct tui *t, const struct replica *room, const struct grid *g,
		      const struct tui_mouse *m)
{
	switch (m->kind) {
	case TUI_MOUSE_PRESS:
		return mouse_press(t, room, g, m->x, m->y);
	case TUI_MOUSE_WHEEL_UP:
		return mouse_wheel(t, room, TUI_KEY_UP);
	case TUI_MOUSE_WHEEL_DOWN:
		return mouse_wheel(t, room, TUI_KEY_DOWN);
	}
	return (struct act){0};
}
