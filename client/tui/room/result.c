/*
 * result.c - what the open cards say: figures, what to do about them, a bar for
 * each card in the deck's order with whose it is, and the words that came with
 * votes. The server counted.
 *
 * result_fit() lays the panel out, in as many rows as there are or in more; it
 * is drawn whole then, on a grid that shows as much of it as it has rows for.
 */
#include "client/tui/tui_state.h"

#include <limits.h>
#include <string.h>

#include "client/acts/narrate_result.h"
#include "proto/base/format.h"

enum {
	RESULT_LINE_BYTES_MAX = 320,
	RESULT_LEFT = 3,
	RESULT_WIDE = 72,
	RESULT_WIDER = 100, /* from here on half of the cells are the bars' */
	RESULT_REMARK_CELLS = 21,
	RESULT_BAR_ROWS = 2, /* of a bar where it is meant to be large */
	RESULT_BAR_ROWS_MOST = 3,
	RESULT_VOTE_NAME_CELLS = 16
};

/* ---- a bar for each card that was voted, and whose it is ---- */

static bool result_is_wide(const struct grid *g)
{
	return g->width >= RESULT_WIDE;
}

static bool result_is_mine(const struct result *r, struct slice user_id)
{
	return r->room->you.user_id.data != NULL && slice_eq(r->room->you.user_id, user_id);
}

static size_t result_votes_n(const struct result *r)
{
	return r->past != NULL ? r->past->votes_n : replica_votes_n(r->room);
}

/* The nth, of those that lie in the room or of a past round's; a vote without data is not shown. */
static struct round_vote result_vote(const struct result *r, size_t nth)
{
	return r->past != NULL ? r->past->votes[nth] : replica_vote_at(r->room, nth);
}

static bool result_has_gone(const struct result *r, size_t nth)
{
	return r->past == NULL && replica_has_gone(r->room, nth);
}

/* It is in the figures, and whose it is may be known. Those of a past round are of all votes, or of people's alone. */
static bool result_is_named(const struct result *r, const struct round_vote *v)
{
	bool counts_bots = r->past == NULL ? r->room->room.policy.bots_count
					   : r->figures->votes == (int64_t)r->past->votes_n;
	return v->vote.data != NULL && v->user_id.data != NULL && (!v->is_bot || counts_bots);
}

static const char *result_name_of(const struct round_vote *v)
{
	return v->username.data == NULL ? "someone" : v->username.data;
}

static size_t result_cards_n(const struct result *r)
{
	return r->figures->cards_n < MAX_CARDS_MAX ? r->figures->cards_n : MAX_CARDS_MAX;
}

static bool result_is_missing(const struct result *r, const struct user_view *m)
{
	return replica_is_counted(r->room, m) && !replica_has_vote(r->room, m);
}

static size_t result_count_missing(const struct result *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->room->users.n; i++) {
		n += result_is_missing(r, replica_member_at(r->room, i)) ? 1 : 0;
	}
	return n;
}

/* Who has gone stays where their card lies. */
static void result_draw_name(const struct result *r, struct draw_names *names, size_t nth,
			     const struct round_vote *v)
{
	char name[MAX_NAME_BYTES + 16];
	if (result_has_gone(r, nth)) {
		(void)format_to(name, sizeof(name), "%s (left)", result_name_of(v));
		draw_name(names, STYLE_DIM, name);
	} else {
		draw_name(names, STYLE_TEXT, result_name_of(v));
	}
}

/*
 * Who put the nth card down, we first, or behind the last one who put none, between two columns and in at
 * most so many rows. Returns how many it took.
 */
static int result_draw_names(const struct tui *t, const struct result *r, struct grid *g, int left,
			     int end, int y, int rows, size_t nth)
{
	struct draw_names names = {.g = g,
				   .signs = t->signs,
				   .left = left,
				   .end = end,
				   .x = left,
				   .y = y,
				   .rows = rows};
	if (nth == result_cards_n(r)) {
		names.n = r->missing_n;
		for (size_t i = 0; i < r->room->users.n; i++) {
			const struct user_view *m = replica_member_at(r->room, i);
			if (result_is_missing(r, m)) {
				draw_name(&names, STYLE_DIM, replica_name_of(r->room, m));
			}
		}
		return names.y - y + 1;
	}
	struct slice card = r->figures->cards[nth].card;
	bool is_mine = false;
	for (size_t i = 0; i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		if (result_is_named(r, &v) && slice_eq(v.vote, card)) {
			is_mine = is_mine || result_is_mine(r, v.user_id);
			names.n++;
		}
	}
	if (is_mine) {
		draw_name(&names, STYLE_OWN, "you");
	}
	for (size_t i = 0; i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		if (result_is_named(r, &v) && slice_eq(v.vote, card) &&
		    !result_is_mine(r, v.user_id)) {
			result_draw_name(r, &names, i, &v);
		}
	}
	return names.y - y + 1;
}

/* Votes without names are nobody's to explain. */
static bool result_has_names(const struct result *r)
{
	for (size_t i = 0; i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		if (result_is_named(r, &v)) {
			return true;
		}
	}
	return false;
}

/* "3 and 13 speak first", "13 speaks first"; "" where nobody is to, or nobody knows who. */
static void result_speakers(const struct tui *t, const struct result *r, char *out, size_t cap)
{
	const struct room_result *f = r->figures;
	bool is_low = r->has_spread && result_has_names(r) && narrate_is_outlier(f, f->lowest);
	bool is_high = r->has_spread && result_has_names(r) && narrate_is_outlier(f, f->highest);
	(void)format_to(out, cap, "%s%s%s%s", is_low ? draw_label(t->signs, f->lowest.data) : "",
			is_low && is_high ? " and " : "",
			is_high ? draw_label(t->signs, f->highest.data) : "",
			is_low && is_high   ? " speak first"
			: is_low || is_high ? " speaks first"
					    : "");
}

static bool result_is_outlier(const struct result *r, size_t nth)
{
	return nth < result_cards_n(r) && r->has_spread &&
	       narrate_is_outlier(r->figures, r->figures->cards[nth].card);
}

/* "lowest, speaks first", at the right; without names only "lowest" */
static void result_draw_remark(const struct result *r, struct grid *g, int y,
			       const struct result_card *card)
{
	char remark[40];
	const char *speak =
		result_has_names(r) ? card->votes == 1 ? ", speaks first" : ", speak first" : "";
	bool is_lowest = slice_eq(card->card, r->figures->lowest);
	(void)format_to(remark, sizeof(remark), "%s%s", is_lowest ? "lowest" : "highest", speak);
	(void)grid_text(g, g->width - 2 - RESULT_REMARK_CELLS, y, STYLE_WARN, remark, -1);
}

/* The column before which names have to end: that of the remark, where there is one. */
static int result_names_end(const struct result *r, const struct grid *g, size_t nth)
{
	return result_is_wide(g) && result_is_outlier(r, nth) ? g->width - 4 - RESULT_REMARK_CELLS
							      : g->width - 1;
}

static int result_label_cells(const struct tui *t, const struct result *r)
{
	int widest = 1;
	for (size_t i = 0; i < result_cards_n(r); i++) {
		int cells = draw_cells(draw_label(t->signs, r->figures->cards[i].card.data));
		widest = cells > widest ? cells : widest;
	}
	return widest;
}

/* The bars' columns: label, bar, how many, who. */
struct result_columns {
	int label; /* its last */
	int bar, bar_cells;
	int count;
	int names;
	int64_t most; /* votes on one card */
};

static struct result_columns result_columns(const struct tui *t, const struct result *r,
					    const struct grid *g)
{
	struct result_columns c = {.label = RESULT_LEFT + result_label_cells(t, r)};
	int wider = g->width > RESULT_WIDER ? g->width - RESULT_WIDER : 0;
	for (size_t i = 0; i < result_cards_n(r); i++) {
		int64_t votes = r->figures->cards[i].votes;
		c.most = votes > c.most ? votes : c.most;
	}
	c.bar = c.label + 2;
	c.bar_cells = (g->width - wider) / 4 + wider / 2;
	c.count = c.bar + c.bar_cells + 2;
	c.names = c.count + (c.most < 100 ? 4 : 6);
	return c;
}

/* How many bars there are, and behind them the row of those who chose no card. */
static size_t result_bars_n(const struct result *r)
{
	return result_cards_n(r) + (r->missing_n > 0 ? 1 : 0);
}

static int result_bar_rows(const struct result *r, size_t nth)
{
	int names = r->names[nth] < r->names_rows ? r->names[nth] : r->names_rows;
	int bar = nth < result_cards_n(r) ? r->bar_rows : 1;
	return (names > bar ? names : bar) + r->gap_rows;
}

/* Returns the row below it. */
static int result_draw_bar(const struct tui *t, const struct result *r, struct grid *g, int y,
			   size_t nth)
{
	struct result_columns c = result_columns(t, r, g);
	char count[24];
	if (nth < result_cards_n(r)) {
		const struct result_card *card = &r->figures->cards[nth];
		bool is_outlier = result_is_outlier(r, nth);
		enum style style = r->figures->is_unanimous ? STYLE_GOOD
				   : is_outlier		    ? STYLE_WARN
							    : STYLE_CARD_BACK;
		const char *label = draw_label(t->signs, card->card.data);
		(void)grid_text(g, c.label - draw_cells(label), y,
				is_outlier ? STYLE_WARN : STYLE_STRONG, label, -1);
		for (int i = 0; i < r->bar_rows; i++) {
			draw_bar(g, c.bar, y + i, c.bar_cells, card->votes, c.most, style,
				 t->signs);
		}
		(void)format_to(count, sizeof(count), "%lld", (long long)card->votes);
		(void)grid_text(g, c.count, y, STYLE_STRONG, count, -1);
		if (is_outlier && result_is_wide(g)) {
			result_draw_remark(r, g, y, card);
		}
	} else {
		(void)grid_text(g, c.label - 1, y, STYLE_DIM, "-", -1);
		(void)grid_text(g, c.bar, y, STYLE_DIM, "no card", c.bar_cells);
		(void)format_to(count, sizeof(count), "%zu", r->missing_n);
		(void)grid_text(g, c.count, y, STYLE_DIM, count, -1);
	}
	(void)result_draw_names(t, r, g, c.names, result_names_end(r, g, nth), y, r->names_rows,
				nth);
	return y + result_bar_rows(r, nth);
}

/* All names of those cards for which there was no room beside their bars. Returns the row below. */
static int result_draw_other_names(const struct tui *t, const struct result *r, struct grid *g,
				   int y)
{
	int label = RESULT_LEFT + result_label_cells(t, r);
	for (size_t i = 0; i < result_bars_n(r); i++) {
		if (r->names[i] <= r->names_rows) {
			continue;
		}
		const char *card = i < result_cards_n(r)
					   ? draw_label(t->signs, r->figures->cards[i].card.data)
					   : "-";
		(void)grid_text(g, label - draw_cells(card), y, STYLE_STRONG, card, -1);
		y += result_draw_names(t, r, g, label + 2, g->width - 1, y, INT_MAX, i);
	}
	return y;
}

/* ---- votes that say more than their card: a comment, how sure one is, a change, a bot's ---- */

/* A bot's card stands below the table already; of a past round it stands nowhere else. */
static bool result_says_more(const struct result *r, const struct round_vote *v)
{
	bool is_said = v->comment.data != NULL || v->confidence > 0 || v->is_changed ||
		       (v->is_bot && r->past != NULL);
	return v->vote.data != NULL && v->username.data != NULL && is_said;
}

static size_t result_remarks(const struct result *r)
{
	size_t n = 0;
	for (size_t i = 0; i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		n += result_says_more(r, &v) ? 1 : 0;
	}
	return n;
}

/* "bot, changed, sure 3/3" */
static void result_marks(const struct round_vote *v, char *out, size_t cap)
{
	size_t n = format_to(out, cap, "%s", v->is_bot ? "bot" : "");
	if (v->is_changed) {
		n += format_to(out + n, cap - n, "%schanged", n > 0 ? ", " : "");
	}
	if (v->confidence > 0) {
		(void)format_to(out + n, cap - n, "%sconfidence %d/3", n > 0 ? ", " : "",
				(int)v->confidence);
	}
}

/* The names before what was said: of one width, and on wide screens whole. */
static int result_vote_name_cells(const struct result *r, const struct grid *g)
{
	int cells = g->width / 4 < RESULT_VOTE_NAME_CELLS ? g->width / 4 : RESULT_VOTE_NAME_CELLS;
	for (size_t i = 0; g->width > RESULT_WIDER && i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		int name = result_says_more(r, &v) ? draw_cells(v.username.data) : 0;
		cells = name > cells ? name : cells;
	}
	return cells;
}

static void result_draw_vote(const struct tui *t, const struct result *r, struct grid *g, int y,
			     size_t nth, const struct round_vote *v)
{
	char marks[64];
	int x = RESULT_LEFT + result_label_cells(t, r);
	const char *label = draw_label(t->signs, v->vote.data);
	(void)grid_text(g, x - draw_cells(label), y, STYLE_STRONG, label, -1);
	x += 2;
	int name = result_vote_name_cells(r, g);
	bool is_me = v->user_id.data != NULL && result_is_mine(r, v->user_id);
	enum style style = is_me ? STYLE_OWN : result_has_gone(r, nth) ? STYLE_DIM : STYLE_TEXT;
	(void)draw_cut(g, x, y, style, is_me ? "you" : v->username.data, name, t->signs);
	x += name + 2;
	result_marks(v, marks, sizeof(marks));
	if (marks[0] != '\0') {
		x += grid_text(g, x, y, v->is_changed ? STYLE_WARN : STYLE_DIM, marks, -1) + 2;
	}
	(void)draw_cut(g, x, y, STYLE_TEXT, v->comment.data, g->width - 1 - x, t->signs);
}

/* ---- the panel ---- */

void result_init(struct result *r, const struct replica *room, const struct round_view *past)
{
	static const struct room_result none = {0};
	const struct room_result *now = !room->room.with_result ? &none : replica_result(room);
	*r = (struct result){.room = room,
			     .past = past,
			     .figures = past == NULL ? now : &past->result};
	r->has_spread = r->figures->lowest.len > 0 && r->figures->highest.len > 0 &&
			!slice_eq(r->figures->lowest, r->figures->highest);
}

/* ---- the head ---- */

static void result_figures(const struct result *r, bool is_wide, char *out, size_t cap)
{
	char average[32];
	char median[32];
	size_t n = 0;
	if (r->figures->with_average) {
		draw_number(r->figures->average, 1, average, sizeof(average));
		draw_number(r->figures->median, 2, median, sizeof(median));
		n = format_to(out, cap, "average %s  median %s  ", average, median);
	}
	(void)format_to(out + n, cap - n, "%s %d%%", is_wide ? "agreement" : "agree",
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
				(long long)r->room->room.round);
	}
	return 1 + grid_text(g, 1, y, STYLE_TITLE, head, -1);
}

/* What it was settled on, the cards may lie there no more; NULL: nothing. */
static const char *result_outcome(const struct result *r)
{
	return r->past != NULL ? r->past->outcome.data : r->room->room.outcome.data;
}

static void result_draw_head(const struct tui *t, const struct result *r, struct grid *g, int y)
{
	char figures[120];
	int x = result_draw_title(t, r, g, y);
	if (result_cards_n(r) == 0 && r->figures->withdrawn == 0) {
		const char *outcome = result_outcome(r);
		x += grid_text(g, x, y, STYLE_TITLE, t->signs->dot, -1);
		x += grid_text(g, x, y, STYLE_TITLE,
			       outcome == NULL ? "nobody voted" : "settled on ", -1);
		x += outcome == NULL
			     ? 0
			     : grid_text(g, x, y, STYLE_TITLE, draw_label(t->signs, outcome), -1);
	}
	if (r->figures->withdrawn > 0) {
		char withdrawn[40];
		(void)format_to(withdrawn, sizeof(withdrawn), "%lld withdrawn",
				(long long)r->figures->withdrawn);
		x += grid_text(g, x, y, STYLE_TITLE, t->signs->dot, -1);
		(void)grid_text(g, x, y, STYLE_WARN, withdrawn, -1);
	}
	if (result_cards_n(r) > 0 && result_is_wide(g)) {
		result_figures(r, true, figures, sizeof(figures));
		(void)draw_right(g, g->width - 2, y, STYLE_STRONG, figures);
	}
}

/* ---- what to do about it ---- */

/* A key with what it does, where it is allowed now. Returns the column behind it. */
static int result_draw_key(const struct result *r, struct grid *g, int x, int y, enum action a,
			   const char *what)
{
	struct action_key k = action_key_in(a, VIEW_ROOM, r->room);
	int width = draw_cells(k.name) + 1 + draw_cells(what);
	if (r->past != NULL || !action_is_allowed(action_in_room(a, VIEW_ROOM, r->room), r->room) ||
	    x + width >= g->width) {
		return x;
	}
	(void)grid_text(g, x, y, STYLE_STRONG, k.name, -1);
	(void)grid_text(g, x + draw_cells(k.name) + 1, y, STYLE_DIM, what, -1);
	mouse_mark_key(g, x, y, width, k.key);
	return x + width + 3;
}

static void result_draw_keys(const struct tui *t, const struct result *r, struct grid *g, int x,
			     int y, bool is_settled)
{
	enum action next = action_in_room(ACTION_NEXT, VIEW_ROOM, r->room);
	bool may_any =
		r->past == NULL && (action_is_allowed(next, r->room) ||
				    (!is_settled && action_is_allowed(ACTION_AGAIN, r->room)));
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
	const char *outcome = result_outcome(r);
	if (outcome != NULL) {
		(void)format_to(out, cap, "%s on %s",
				f->is_unanimous ? "All in favour, settled" : "Settled",
				draw_label(t->signs, outcome));
		return STYLE_GOOD;
	}
	if (f->is_unanimous && f->mode.data != NULL) {
		(void)format_to(out, cap, "All %lld in favour of %s", (long long)f->votes,
				draw_label(t->signs, f->mode.data));
		return STYLE_GOOD;
	}
	char speakers[64];
	result_speakers(t, r, speakers, sizeof(speakers));
	bool adds = speakers[0] != '\0' && !is_wide; /* else the bars say it */
	if (f->suggestion.data != NULL) {
		(void)format_to(out, cap, "Suggested %s%s%s",
				draw_label(t->signs, f->suggestion.data), adds ? t->signs->dot : "",
				adds ? speakers : "");
		return STYLE_STRONG;
	}
	if (r->has_spread && speakers[0] != '\0') {
		(void)format_to(out, cap, "Talk: %s", speakers);
		return STYLE_WARN;
	}
	if (r->has_spread) {
		(void)format_to(out, cap, "Talk: from %s to %s",
				draw_label(t->signs, f->lowest.data),
				draw_label(t->signs, f->highest.data));
		return STYLE_WARN;
	}
	(void)format_to(out, cap, "%s", f->votes == 1 ? "A single vote" : "No clear suggestion");
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

/* ---- all of it ---- */

/* Rows above the bars. */
static int result_head_rows(const struct result *r, const struct grid *g)
{
	bool has_cards = result_cards_n(r) > 0;
	return (r->is_titled ? 1 : 0) + (has_cards && !result_is_wide(g) ? 1 : 0) +
	       (has_cards ? 1 + r->gap_rows : 0);
}

static int result_sum_rows(const struct result *r, const struct grid *g)
{
	int rows = result_head_rows(r, g) + (int)result_remarks(r);
	for (size_t i = 0; i < result_bars_n(r); i++) {
		rows += result_bar_rows(r, i);
	}
	return rows;
}

/* Lay out all of it, with bars of so many rows; where they have more than one, a gap below each. */
static int result_lay_out(struct result *r, const struct tui *t, const struct grid *g, int bar_rows)
{
	struct grid none = grid_rows(g, 0, 0);
	struct result_columns c = result_columns(t, r, g);
	r->is_titled = true;
	r->bar_rows = bar_rows;
	r->gap_rows = bar_rows > 1 ? 1 : 0;
	r->names_rows = INT_MAX;
	r->missing_n = r->tells_missing ? result_count_missing(r) : 0;
	for (size_t i = 0; i < result_bars_n(r); i++) {
		r->names[i] = result_draw_names(t, r, &none, c.names, result_names_end(r, g, i), 0,
						INT_MAX, i);
	}
	return result_sum_rows(r, g);
}

int result_rows(struct result *r, const struct tui *t, const struct grid *g, bool is_large)
{
	return result_lay_out(r, t, g, is_large ? RESULT_BAR_ROWS : 1);
}

int result_fit(struct result *r, const struct tui *t, const struct grid *g, int height)
{
	int rows = 0;
	for (int bar_rows = RESULT_BAR_ROWS_MOST; bar_rows > 1; bar_rows--) {
		rows = result_lay_out(r, t, g, bar_rows);
		if (rows <= height) {
			return rows;
		}
	}
	rows = result_rows(r, t, g, false);
	/* Where there is little room, the figures say by themselves that the cards lie open. */
	r->is_titled =
		rows <= height || r->past != NULL || result_is_wide(g) || result_cards_n(r) == 0;
	if (result_sum_rows(r, g) <= height) {
		return result_sum_rows(r, g);
	}
	/* All bars first, with as many names as there is room for then, above a row that tells of more. */
	int fits = 0;
	do {
		r->names_rows = ++fits + 1;
	} while (result_sum_rows(r, g) < height);
	r->names_rows = fits;
	struct grid none = grid_rows(g, 0, 0);
	return result_sum_rows(r, g) + result_draw_other_names(t, r, &none, 0);
}

void result_draw(const struct tui *t, const struct result *r, struct grid *g, int y)
{
	char figures[120];
	if (r->is_titled) {
		result_draw_head(t, r, g, y++);
	}
	if (result_cards_n(r) > 0 && !result_is_wide(g)) {
		result_figures(r, false, figures, sizeof(figures));
		(void)draw_cut(g, 1, y++, STYLE_STRONG, figures, g->width - 2, t->signs);
	}
	if (result_cards_n(r) > 0) {
		result_draw_advice(t, r, g, y++);
		y += r->gap_rows;
	}
	for (size_t i = 0; i < result_bars_n(r); i++) {
		y = result_draw_bar(t, r, g, y, i);
	}
	y = result_draw_other_names(t, r, g, y);
	for (size_t i = 0; i < result_votes_n(r); i++) {
		struct round_vote v = result_vote(r, i);
		if (result_says_more(r, &v)) {
			result_draw_vote(t, r, g, y++, i, &v);
		}
	}
}
