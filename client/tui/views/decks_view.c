/*
 * decks_view.c - choosing the cards of a new room: the decks there are, or
 * cards of one's own.
 */
#include "client/tui/tui_state.h"

#include "client/acts/cards.h"
#include "proto/base/format.h"
#include "proto/deck.h"

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

static const char *decks_key(struct list_cell *c)
{
	return list_words(c, c->at == decks_own() ? "e" : "%zu", c->at + 1);
}

static const char *decks_title(struct list_cell *c)
{
	return decks_name(c->at);
}

static const char *decks_cards(struct list_cell *c)
{
	struct slice cards[MAX_CARDS_MAX];
	size_t len = 0;
	if (c->at == decks_own()) {
		return "cards you type";
	}
	size_t n = cards_split(deck_rows[c->at].cards, cards, MAX_CARDS_MAX);
	for (size_t i = 0; i < n; i++) {
		char card[32];
		(void)format_to(card, sizeof(card), "%.*s", (int)cards[i].len, cards[i].data);
		len += format_to(c->out + len, COLUMN_TEXT_BYTES - len, "%s%s", i == 0 ? "" : " ",
				 draw_label(c->l.signs, card));
	}
	return c->out;
}

static enum style decks_style(const struct list_cell *c)
{
	return c->at == decks_own() ? STYLE_DIM : STYLE_TEXT;
}

static const struct column decks_columns[] = {
	{.text = decks_key, .look = STYLE_DIM},
	{.text = decks_title, .is_found = true},
	{.text = decks_cards, .style = decks_style, .grows = true},
};

static int decks_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	enum { TITLE_X = 26 };
	(void)room;
	(void)draw_cut(g, TITLE_X, 0, STYLE_STRONG, t->at_home.title, g->width - TITLE_X - 1,
		       t->signs);
	return y;
}

static struct act decks_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct listing l = tui_listing(t, room, VIEW_DECKS);
	if (key >= '1' && (size_t)(key - '1') < decks_own()) {
		list_go(l, (size_t)(key - '1'));
		key = TUI_KEY_ENTER;
	} else if (key == 'e') {
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
	.title = "Cards of the new room",
	.head = decks_draw_head,
	.take_key = decks_view_take_key,
	.is_over = true,
	.rows =
		&(const struct list_rows){
			.count = decks_count,
			COLUMNS(decks_columns),
			.chosen = 1,
		},
	.footer = "Enter take  e type cards",
};
