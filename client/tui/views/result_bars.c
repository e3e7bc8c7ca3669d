/*
 * result_bars.c - a bar for each card that was voted, and whose it is.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

enum { RESULT_BAR_CELLS_MOST = 40, RESULT_WIDE = 72, RESULT_REMARK_CELLS = 21 };

bool result_is_wide(const struct grid *g)
{
	return g->width >= RESULT_WIDE;
}

/* With at most `places` after the point, and no noughts at the end. */
void result_number(double value, int places, char *out, size_t cap)
{
	size_t n = format_to(out, cap, "%.*f", places, value);
	while (n > 0 && out[n - 1] == '0' && memchr(out, '.', n) != NULL) {
		out[--n] = '\0';
	}
	if (n > 0 && out[n - 1] == '.') {
		out[n - 1] = '\0';
	}
}

/* Full cells, then one eighth of a cell as the remainder asks; any vote shows at least a sign. */
static void result_draw_bar(const struct tui *t, struct grid *g, int x, int y, int cells,
			    int64_t votes, int64_t most, enum style style)
{
	int eighths = most < 1 ? 0 : (int)((double)votes * cells * 8 / (double)most);
	eighths = eighths < 4 ? 4 : eighths;
	grid_fill(g, x, y, eighths / 8, 1, style, t->signs->bar[8]);
	if (eighths % 8 != 0) {
		(void)grid_text(g, x + eighths / 8, y, style, t->signs->bar[eighths % 8], 1);
	}
}

/* The name of who put the card down: theirs then, or theirs now. */
static const char *result_name(const struct result *r, const char *user_id)
{
	const struct user_view *m = replica_member(r->room, user_id);
	if (r->room->you.user_id.data != NULL && strcmp(r->room->you.user_id.data, user_id) == 0) {
		return "you";
	}
	for (size_t i = 0; r->past != NULL && i < r->past->votes_n; i++) {
		const struct round_vote *v = &r->past->votes[i];
		if (slice_eq(v->user_id, slice_str(user_id))) {
			return v->username.data == NULL ? "somebody" : v->username.data;
		}
	}
	return m == NULL || m->username.data == NULL ? "somebody" : m->username.data;
}

/* Who put this card down, in `cells` cells; where not all fit, how many more there are. */
static void result_draw_names(const struct tui *t, const struct result *r, struct grid *g, int x,
			      int y, int cells, const struct result_card *card)
{
	enum { MORE_CELLS = 5 };
	int end = x + cells;
	for (size_t i = 0; i < card->user_ids.n; i++) {
		const char *name = result_name(r, card->user_ids.items[i].data);
		size_t left = card->user_ids.n - i;
		int room_left = end - x - (left > 1 ? MORE_CELLS : 0);
		if (draw_cells(name) > room_left && left > 1) {
			char more[32];
			(void)format_to(more, sizeof(more), "+%zu", left);
			(void)grid_text(g, x, y, STYLE_DIM, more, end - x);
			return;
		}
		enum style style = strcmp(name, "you") == 0 ? STYLE_OWN : STYLE_TEXT;
		x += draw_cut(g, x, y, style, name, room_left, t->signs) + 2;
	}
}

/* "lowest, speaks first" */
static void result_draw_remark(const struct result *r, struct grid *g, int y,
			       const struct result_card *card)
{
	char remark[40];
	bool is_lowest = r->has_spread && slice_eq(card->card, r->figures->lowest);
	bool is_highest = r->has_spread && slice_eq(card->card, r->figures->highest);
	if (!is_lowest && !is_highest) {
		return;
	}
	(void)format_to(remark, sizeof(remark), "%s, %s first", is_lowest ? "lowest" : "highest",
			card->votes == 1 ? "speaks" : "speak");
	(void)grid_text(g, g->width - 2 - RESULT_REMARK_CELLS, y, STYLE_WARN, remark, -1);
}

int result_label_cells(const struct result *r)
{
	int widest = 1;
	for (size_t i = 0; i < r->n; i++) {
		int cells = draw_cells(r->figures->cards[i].card.data);
		widest = cells > widest ? cells : widest;
	}
	return widest;
}

void result_draw_card(const struct tui *t, const struct result *r, struct grid *g, int y,
		      size_t nth)
{
	const struct result_card *card = &r->figures->cards[r->order[nth]];
	int label = result_label_cells(r);
	int bar = g->width / 4 > RESULT_BAR_CELLS_MOST ? RESULT_BAR_CELLS_MOST : g->width / 4;
	enum style style = r->figures->is_unanimous ? STYLE_GOOD : STYLE_CARD_BACK;
	char count[24];
	int x = 3;
	(void)grid_text(g, x + label - draw_cells(card->card.data), y, STYLE_STRONG,
			card->card.data, label);
	x += label + 2;
	result_draw_bar(t, g, x, y, bar, card->votes, r->figures->cards[r->order[0]].votes, style);
	x += bar + 2;
	(void)format_to(count, sizeof(count), "%lld", (long long)card->votes);
	(void)grid_text(g, x, y, STYLE_STRONG, count, -1);
	x += card->votes < 100 ? 4 : 6;
	int end = result_is_wide(g) && r->has_spread ? g->width - 4 - RESULT_REMARK_CELLS
						     : g->width - 1;
	result_draw_names(t, r, g, x, y, end - x, card);
	if (result_is_wide(g)) {
		result_draw_remark(r, g, y, card);
	}
}
