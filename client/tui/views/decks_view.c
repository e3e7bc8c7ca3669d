/*
 * decks_view.c - choosing the cards of a new room: the decks there are, or
 * cards of one's own.
 */
#include "client/tui/tui_state.h"

#include "client/model/parse_cards.h"
#include "proto/deck.h"
#include "proto/format.h"

enum { DECKS_NAME_X = 7, DECKS_NAME_CELLS = 14 };

/* Behind the decks stands the line that takes one's own cards. */
static size_t decks_own(void)
{
	size_t n = 0;
	while (deck_rows[n].name != NULL) {
		n++;
	}
	return n;
}

static size_t decks_count(struct listing l)
{
	(void)l;
	return decks_own() + 1;
}

static const char *decks_name(size_t at)
{
	return at == decks_own() ? "your own" : deck_rows[at].name;
}

static bool decks_shows(struct listing l, size_t at, const char *filter)
{
	(void)l;
	return list_matches(decks_name(at), filter);
}

static void decks_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { NUMBER_X = 4, CARDS_X = DECKS_NAME_X + DECKS_NAME_CELLS };
	bool is_own = at == decks_own();
	const char digit[] = {(char)('1' + at), '\0'};
	(void)grid_text(g, NUMBER_X, y, STYLE_DIM, is_own ? "t" : digit, 1);
	(void)grid_text(g, DECKS_NAME_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT, decks_name(at),
			-1);
	if (is_own) {
		(void)draw_cut(g, CARDS_X, y, STYLE_DIM, "cards you type", g->width - CARDS_X - 1,
			       l.t->signs);
		return;
	}
	struct slice cards[MAX_CARDS_MAX];
	char line[256] = "";
	size_t len = 0;
	size_t n = cards_split(deck_rows[at].cards, cards, MAX_CARDS_MAX);
	for (size_t i = 0; i < n; i++) {
		char card[32];
		(void)format_to(card, sizeof(card), "%.*s", (int)cards[i].len, cards[i].data);
		len += format_to(line + len, sizeof(line) - len, "%s%s", i == 0 ? "" : " ",
				 draw_label(l.t->signs, card));
	}
	(void)draw_cut(g, CARDS_X, y, STYLE_TEXT, line, g->width - CARDS_X - 1, l.t->signs);
}

static const struct list_rows decks_rows = {
	.count = decks_count,
	.shows = decks_shows,
	.draw = decks_draw_one,
	.sign_x = 2,
	.cursor_x = DECKS_NAME_X,
};

static void decks_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	enum { TITLE_X = 26 };
	int y = draw_title(g, "Cards of the new room");
	(void)draw_cut(g, TITLE_X, 0, STYLE_STRONG, t->decks.title, g->width - TITLE_X - 1,
		       t->signs);
	list_draw(tui_listing(t, room, VIEW_DECKS), g, y, height - y, true);
}

static struct act decks_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct listing l = tui_listing(t, room, VIEW_DECKS);
	if (key >= '1' && (size_t)(key - '1') < decks_own()) {
		list_go(l, (size_t)(key - '1'));
		key = TUI_KEY_ENTER;
	} else if (key == 't') {
		list_go(l, decks_own());
	}
	if (key == TUI_KEY_ENTER) {
		size_t at = list_at(l);
		return at == decks_own() ? action_run(t, room, ACTION_CARDS, NULL)
					 : home_create(t, deck_rows[at].name);
	}
	return tui_act_on_key(t, room, key);
}

const struct view decks_view = {
	.draw = decks_view_draw,
	.take_key = decks_view_take_key,
	.rows = &decks_rows,
	.footer = "Enter take  t type cards",
};
