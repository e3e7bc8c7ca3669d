/*
 * result.c - what the open cards say: figures, a bar for each card, what to do
 * about it, and the words that came with votes. The server counted.
 *
 * The panel is a list of lines, so that a past round's can be scrolled.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/format.h"

enum { RESULT_LINE_BYTES_MAX = 320 };

/* The most wanted card first; in the deck's order where as many want several. */
static void result_sort(struct result *r)
{
	size_t n = r->figures->cards_n < MAX_CARDS_MAX ? r->figures->cards_n : MAX_CARDS_MAX;
	for (size_t i = 0; i < n; i++) {
		size_t at = r->n++;
		while (at > 0 &&
		       r->figures->cards[r->order[at - 1]].votes < r->figures->cards[i].votes) {
			r->order[at] = r->order[at - 1];
			at--;
		}
		r->order[at] = i;
	}
}

void result_init(struct result *r, const struct replica *room, const struct round_view *past)
{
	static const struct room_result none = {0};
	const struct room_result *now = !room->room.with_result ? &none : replica_result(room);
	*r = (struct result){.room = room,
			     .past = past,
			     .figures = past == NULL ? now : &past->result};
	result_sort(r);
	r->has_spread = r->figures->lowest.len > 0 && r->figures->highest.len > 0 &&
			!slice_eq(r->figures->lowest, r->figures->highest);
}

static int result_head_rows(const struct result *r, const struct grid *g)
{
	return r->n > 0 && !result_is_wide(g) ? 2 : 1;
}

int result_rows(const struct result *r, const struct grid *g)
{
	int rows = result_head_rows(r, g) + (int)r->n + (int)result_remarks(r);
	return r->n > 0 ? rows + 1 : rows;
}

/* ---- the head ---- */

static void result_figures(const struct result *r, bool is_wide, char *out, size_t cap)
{
	char average[32];
	char median[32];
	size_t n = 0;
	if (r->figures->with_average) {
		result_number(r->figures->average, 1, average, sizeof(average));
		result_number(r->figures->median, 2, median, sizeof(median));
		n = format_to(out, cap, "average %s  median %s  ", average, median);
	}
	(void)format_to(out + n, cap - n, "%s %d %%", is_wide ? "agreement" : "agree",
			(int)r->figures->agreement_percent);
}

int result_draw_title(const struct tui *t, const struct result *r, struct grid *g, int y)
{
	char head[120];
	const char *dot = t->signs->dot;
	if (r->past != NULL) {
		(void)format_to(head, sizeof(head), "Round %lld", (long long)r->past->n);
	} else {
		(void)format_to(head, sizeof(head), "Revealed%sround %lld", dot,
				(long long)(r->room->room.story_id.data != NULL
						    ? r->room->room.story_round
						    : r->room->room.round));
	}
	return 1 + grid_text(g, 1, y, STYLE_TITLE, head, -1);
}

static void result_draw_head(const struct tui *t, const struct result *r, struct grid *g, int y)
{
	char figures[120];
	int x = result_draw_title(t, r, g, y);
	if (r->n == 0 && r->figures->withdrawn == 0) {
		x += grid_text(g, x, y, STYLE_TITLE, t->signs->dot, -1);
		(void)grid_text(g, x, y, STYLE_TITLE, "nobody voted", -1);
	}
	if (r->figures->withdrawn > 0) {
		char withdrawn[40];
		(void)format_to(withdrawn, sizeof(withdrawn), "%lld withdrawn",
				(long long)r->figures->withdrawn);
		x += grid_text(g, x, y, STYLE_TITLE, t->signs->dot, -1);
		(void)grid_text(g, x, y, STYLE_WARN, withdrawn, -1);
	}
	if (r->n > 0 && result_is_wide(g)) {
		result_figures(r, true, figures, sizeof(figures));
		(void)draw_right(g, g->width - 2, y, STYLE_STRONG, figures);
	}
}

/* ---- what to do about it ---- */

/* A key with what it does, where it is allowed now. Returns the column behind it. */
static int result_draw_key(const struct result *r, struct grid *g, int x, int y, enum action a,
			   const char *what)
{
	const char *key = action_rows[a].key_name;
	int width = draw_cells(key) + 1 + draw_cells(what);
	if (r->past != NULL || !action_is_allowed(a, r->room) || x + width >= g->width) {
		return x;
	}
	(void)grid_text(g, x, y, STYLE_STRONG, key, -1);
	(void)grid_text(g, x + draw_cells(key) + 1, y, STYLE_DIM, what, -1);
	mouse_mark_key(g, x, y, width, action_rows[a].key);
	return x + width + 3;
}

static void result_draw_keys(const struct tui *t, const struct result *r, struct grid *g, int x,
			     int y, bool is_settled)
{
	bool may_any = r->past == NULL && (action_is_allowed(ACTION_AGAIN, r->room) ||
					   action_is_allowed(ACTION_NEXT, r->room));
	if (!may_any || !result_is_wide(g)) {
		return;
	}
	x += grid_text(g, x, y, STYLE_DIM, t->signs->dot, -1);
	if (!is_settled) {
		x = result_draw_key(r, g, x, y, ACTION_SETTLE, "settle");
		x = result_draw_key(r, g, x, y, ACTION_AGAIN, "vote again");
	}
	(void)result_draw_key(r, g, x, y, ACTION_NEXT,
			      r->room->stories.n > 0 ? "next story" : "next round");
}

static enum style result_advice(const struct tui *t, const struct result *r, bool is_wide,
				char *out, size_t cap)
{
	const struct room_result *f = r->figures;
	const char *outcome = r->past != NULL ? r->past->outcome.data : r->room->room.outcome.data;
	if (outcome != NULL) {
		(void)format_to(out, cap, "%s on %s",
				f->is_unanimous ? "All in favour, settled" : "Settled", outcome);
		return STYLE_GOOD;
	}
	if (f->is_unanimous && f->mode.data != NULL) {
		(void)format_to(out, cap, "Aye! All %lld in favour of %s", (long long)f->votes,
				f->mode.data);
		return STYLE_GOOD;
	}
	if (f->suggestion.data != NULL && is_wide) {
		(void)format_to(out, cap, "Suggested %s", f->suggestion.data);
		return STYLE_STRONG;
	}
	if (f->suggestion.data != NULL) {
		size_t n = format_to(out, cap, "Suggested %s", f->suggestion.data);
		if (r->has_spread) {
			(void)format_to(out + n, cap - n, "%s%s and %s speak first", t->signs->dot,
					f->lowest.data, f->highest.data);
		}
		return STYLE_STRONG;
	}
	if (r->has_spread) {
		(void)format_to(out, cap, "Talk: %s and %s speak first", f->lowest.data,
				f->highest.data);
		return STYLE_WARN;
	}
	(void)format_to(out, cap, "%s",
			f->votes == 1 ? "A single vote" : "No card suggests itself");
	return STYLE_DIM;
}

static void result_draw_advice(const struct tui *t, const struct result *r, struct grid *g, int y)
{
	char line[RESULT_LINE_BYTES_MAX];
	bool is_settled = r->past == NULL && r->room->room.outcome.data != NULL;
	enum style style = result_advice(t, r, result_is_wide(g), line, sizeof(line));
	int x = 1 + draw_cut(g, 1, y, style, line, g->width - 2, t->signs);
	result_draw_keys(t, r, g, x, y, is_settled);
}

/* ---- lines ---- */

static void result_draw_line(const struct tui *t, const struct result *r, struct grid *g, int y,
			     int line)
{
	char figures[120];
	int head = result_head_rows(r, g);
	int cards = (int)r->n;
	/* Where there is little room, what to do comes before the bars. */
	int advice = cards == 0 ? -1 : result_is_wide(g) ? head + cards : head;
	int bars = advice == head ? head + 1 : head;
	if (line == 0) {
		result_draw_head(t, r, g, y);
	} else if (line < head) {
		result_figures(r, false, figures, sizeof(figures));
		(void)draw_cut(g, 1, y, STYLE_STRONG, figures, g->width - 2, t->signs);
	} else if (line == advice) {
		result_draw_advice(t, r, g, y);
	} else if (line - bars < cards) {
		result_draw_card(t, r, g, y, (size_t)(line - bars));
	} else {
		result_draw_vote(t, r, g, y, (size_t)(line - head - cards - (cards > 0 ? 1 : 0)));
	}
}

void result_draw(const struct tui *t, const struct result *r, struct grid *g, int y, int height,
		 int top)
{
	int rows = result_rows(r, g);
	for (int i = 0; i < height && top + i < rows; i++) {
		if (i == height - 1 && top + i + 1 < rows && i > 0) {
			char more[48];
			(void)format_to(more, sizeof(more), "and %d more lines", rows - top - i);
			(void)grid_text(g, 3, y + i, STYLE_DIM, more, -1);
			return;
		}
		result_draw_line(t, r, g, y + i, top + i);
	}
}
