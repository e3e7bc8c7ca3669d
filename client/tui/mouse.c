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

#include "proto/format.h"

static const struct {
	const char *name;
	int32_t key;
} mouse_keys[] = {
	{"Enter", TUI_KEY_ENTER}, {"Esc", TUI_KEY_ESCAPE},   {"Up", TUI_KEY_UP},
	{"Down", TUI_KEY_DOWN},	  {"PgUp", TUI_KEY_PAGE_UP}, {"PgDn", TUI_KEY_PAGE_DOWN},
	{"^S", 'S' - '@'},
};

/* FNV-1a. */
uint32_t mouse_which(const char *text)
{
	uint32_t hash = 2166136261U;
	for (; *text != '\0'; text++) {
		hash = (hash ^ (unsigned char)*text) * 16777619U;
	}
	return hash;
}

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

static struct act mouse_on_card(struct tui *t, const struct replica *room, uint32_t which)
{
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		if (mouse_which(replica_card(room, i)) == which) {
			return hand_lies(t, room, i)
				       ? (struct act){0}
				       : action_run(t, room, ACTION_VOTE, replica_card(room, i));
		}
	}
	return (struct act){0};
}

/* Beside the table it opens the stories first. */
static struct act mouse_on_story(struct tui *t, const struct replica *room, uint32_t which,
				 bool is_again)
{
	for (size_t i = 0; i < room->stories.n; i++) {
		if (mouse_which(replica_story_at(room, i)->story_id.data) != which) {
			continue;
		}
		if (t->view != VIEW_STORIES) {
			(void)action_run(t, room, ACTION_STORIES, NULL);
		}
		t->story_at = i;
		(void)format_to(t->story, sizeof(t->story), "%s",
				replica_story_at(room, i)->story_id.data);
		return is_again ? action_run(t, room, ACTION_SELECT, NULL) : (struct act){0};
	}
	return (struct act){0};
}

static struct act mouse_on_round(struct tui *t, const struct replica *room, uint32_t which)
{
	struct act act = {0};
	if (t->view != VIEW_HISTORY) {
		act = action_run(t, room, ACTION_HISTORY, NULL);
	}
	for (size_t i = 0; i < history_count(t); i++) {
		if ((uint32_t)t->rounds->items[i]->n == which) {
			t->round_at = i;
			t->round_n = t->rounds->items[i]->n;
			t->panel_top = 0;
		}
	}
	return act;
}

static struct act mouse_on_row(struct tui *t, const struct replica *room, uint32_t which,
			       bool is_again)
{
	const struct view *view = tui_view(t);
	if (view->focus == NULL || !view->focus(t, room, which) || !is_again) {
		return (struct act){0};
	}
	return view->take_key(t, room, TUI_KEY_ENTER);
}

/* A question or a line takes the keys that stand below it, and nothing else is clicked meanwhile. */
static bool mouse_is_meant(const struct tui *t, const struct grid *g, int y, struct spot spot)
{
	bool is_below = y >= g->height - talk_rows(g);
	return t->talk == TALK_NONE || (is_below && spot.kind == SPOT_KEY);
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
	switch ((enum spot_kind)spot.kind) {
	case SPOT_NONE:
		break;
	case SPOT_KEY:
		return tui_take_key(t, room, (int32_t)spot.which);
	case SPOT_CARD:
		return mouse_on_card(t, room, spot.which);
	case SPOT_STORY:
		return mouse_on_story(t, room, spot.which, is_again);
	case SPOT_ROUND:
		return mouse_on_round(t, room, spot.which);
	case SPOT_ROW:
		return mouse_on_row(t, room, spot.which, is_again);
	}
	return (struct act){0};
}

/* As the arrows do: a focus moves by one, text and seats by a few. */
static struct act mouse_wheel(struct tui *t, const struct replica *room, int32_t key)
{
	enum { ROWS = 3 };
	struct act act = {0};
	int times = t->view == VIEW_HELP || t->view == VIEW_ROOM ? ROWS : 1;
	for (int i = 0; i < times && t->talk == TALK_NONE; i++) {
		act = tui_view(t)->take_key(t, room, key);
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
