/*
 * decks_view.c - choosing the cards of a new room: the decks there are, or
 * cards of one's own.
 */
#include "client/tui/tui_state.h"

#include "proto/deck.h"

enum { DECKS_ROOMY = 18, DECKS_NAME_CELLS = 14 };

static size_t decks_count(void)
{
	size_t n = 0;
	while (deck_rows[n].name != NULL) {
		n++;
	}
	return n;
}

/* Behind the decks stands the line that takes one's own cards. */
static void decks_draw_one(const struct tui *t, struct grid *g, int y, size_t at)
{
	enum { NUMBER_X = 4, NAME_X = 7 };
	bool has_focus = at == t->deck_at;
	bool is_own = at == decks_count();
	const char digit[] = {(char)('1' + at), '\0'};
	enum style style = has_focus ? STYLE_CHOSEN : STYLE_TEXT;
	int cards_x = NAME_X + DECKS_NAME_CELLS;
	(void)grid_text(g, NUMBER_X, y, STYLE_DIM, is_own ? "t" : digit, 1);
	(void)grid_text(g, NAME_X, y, style, is_own ? "your own" : deck_rows[at].name, -1);
	(void)draw_cut(g, cards_x, y, is_own ? STYLE_DIM : STYLE_TEXT,
		       is_own ? "cards you type" : deck_rows[at].cards, g->width - cards_x - 1,
		       t->signs);
	if (has_focus) {
		(void)grid_text(g, 2, y, STYLE_STRONG, ">", 1);
		grid_cursor(g, NAME_X, y);
	}
	grid_mark(g, 0, y, g->width, 1, (struct spot){SPOT_ROW, (uint32_t)at});
}

static void decks_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	enum { TITLE_X = 26 };
	size_t lines = decks_count() + 1;
	int y = g->height >= DECKS_ROOMY ? 2 : 1;
	size_t shown = height > y ? (size_t)(height - y) : 0;
	size_t top = t->deck_at < shown ? 0 : t->deck_at - shown + 1;
	(void)room;
	(void)grid_text(g, 1, 0, STYLE_TITLE, "Cards of the new room", -1);
	(void)draw_cut(g, TITLE_X, 0, STYLE_STRONG, t->new_title, g->width - TITLE_X - 1, t->signs);
	for (size_t i = 0; i < shown && top + i < lines; i++) {
		decks_draw_one(t, g, y + (int)i, top + i);
	}
}

static struct act decks_take(struct tui *t, const struct replica *room, size_t at)
{
	t->deck_at = at;
	return at == decks_count() ? action_run(t, room, ACTION_CARDS, NULL)
				   : home_create(t, deck_rows[at].name);
}

static struct act decks_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	size_t last = decks_count();
	if (key >= '1' && (size_t)(key - '1') < last) {
		return decks_take(t, room, (size_t)(key - '1'));
	}
	switch (key) {
	case TUI_KEY_UP:
	case 'k':
		t->deck_at -= t->deck_at > 0 ? 1 : 0;
		break;
	case TUI_KEY_DOWN:
	case 'j':
		t->deck_at += t->deck_at < last ? 1 : 0;
		break;
	case TUI_KEY_HOME:
		t->deck_at = 0;
		break;
	case TUI_KEY_END:
		t->deck_at = last;
		break;
	case TUI_KEY_ESCAPE:
	case 'q':
		t->view = home_base(t);
		break;
	case 't':
		return decks_take(t, room, last);
	case TUI_KEY_ENTER:
		return decks_take(t, room, t->deck_at);
	}
	return (struct act){0};
}

static bool decks_view_focus(struct tui *t, const struct replica *room, uint32_t which)
{
	(void)room;
	if (which >= decks_count() + 1) {
		return false;
	}
	t->deck_at = which;
	return true;
}

const struct view decks_view = {
	.focus = decks_view_focus,
	.draw = decks_view_draw,
	.take_key = decks_view_take_key,
	.footer = "Enter take  t type cards  Esc back",
};
