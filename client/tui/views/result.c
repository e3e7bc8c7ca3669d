/*
 * result.c - what the open cards say: figures, a bar for each card, what to do
 * about it, and the words that came with votes. The server counted.
 *
 * The panel is a list of lines, so that a past round's can be scrolled.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/narrate_result.h"
#include "proto/format.h"

enum {
	RESULT_LINE_BYTES_MAX = 320,
	RESULT_BAR_CELLS_MOST = 40,
	RESULT_WIDE = 72,
	RESULT_REMARK_CELLS = 21,
	RESULT_VOTE_NAME_CELLS = 16
};

/* ---- a bar for each card that was voted, and whose it is ---- */

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

/* Votes without names are nobody's to explain. */
static bool result_has_names(const struct result *r)
{
	return r->figures->cards_n > 0 && r->figures->cards[0].user_ids.n > 0;
}

/* "3 and 13 speak first", "13 speaks first"; "" where nobody is to, or nobody knows who. */
static void result_speakers(const struct result *r, char *out, size_t cap)
{
	const struct room_result *f = r->figures;
	bool is_low = r->has_spread && result_has_names(r) && narrate_is_outlier(f, f->lowest);
	bool is_high = r->has_spread && result_has_names(r) && narrate_is_outlier(f, f->highest);
	(void)format_to(out, cap, "%s%s%s%s", is_low ? f->lowest.data : "",
			is_low && is_high ? " and " : "", is_high ? f->highest.data : "",
			is_low && is_high   ? " speak first"
			: is_low || is_high ? " speaks first"
					    : "");
}

/* "lowest, speaks first"; without names only "lowest" */
static void result_draw_remark(const struct result *r, struct grid *g, int y,
			       const struct result_card *card)
{
	char remark[40];
	if (!r->has_spread || !narrate_is_outlier(r->figures, card->card)) {
		return;
	}
	const char *speak =
		result_has_names(r) ? card->votes == 1 ? ", speaks first" : ", speak first" : "";
	bool is_lowest = slice_eq(card->card, r->figures->lowest);
	(void)format_to(remark, sizeof(remark), "%s%s", is_lowest ? "lowest" : "highest", speak);
	(void)grid_text(g, g->width - 2 - RESULT_REMARK_CELLS, y, STYLE_WARN, remark, -1);
}

static int result_label_cells(const struct result *r)
{
	int widest = 1;
	for (size_t i = 0; i < r->n; i++) {
		int cells = draw_cells(r->figures->cards[i].card.data);
		widest = cells > widest ? cells : widest;
	}
	return widest;
}

static void result_draw_card(const struct tui *t, const struct result *r, struct grid *g, int y,
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

/* ---- votes that say more than their card: a comment, how sure one is, a change, a bot's ---- */

static size_t result_votes_n(const struct result *r)
{
	return r->past != NULL ? r->past->votes_n : r->room->users.n;
}

/* The nth, of the room's members or of a past round's votes; a vote without data is not shown. */
static struct round_vote result_vote(const struct result *r, size_t nth)
{
	if (r->past != NULL) {
		return r->past->votes[nth];
	}
	const struct user_view *m = replica_member_at(r->room, nth);
	return (struct round_vote){
		.user_id = m->user_id,
		.vote = m->vote,
		.username = slice_str(tui_name_of(r->room, m)),
		.comment = m->comment,
		.confidence = m->confidence,
		.is_changed = m->is_changed,
		.is_bot = m->is_bot,
	};
}

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
		(void)format_to(out + n, cap - n, "%ssure %d/3", n > 0 ? ", " : "",
				(int)v->confidence);
	}
}

static void result_draw_vote(const struct tui *t, const struct result *r, struct grid *g, int y,
			     size_t nth)
{
	char marks[64];
	int label = result_label_cells(r);
	size_t i = 0;
	struct round_vote v = {0};
	for (; i < result_votes_n(r); i++) {
		v = result_vote(r, i);
		if (result_says_more(r, &v) && nth-- == 0) {
			break;
		}
	}
	if (i == result_votes_n(r)) {
		return;
	}
	(void)grid_text(g, 3 + label - draw_cells(v.vote.data), y, STYLE_STRONG, v.vote.data,
			label);
	int x = 3 + label + 2;
	int name = g->width / 4 < RESULT_VOTE_NAME_CELLS ? g->width / 4 : RESULT_VOTE_NAME_CELLS;
	bool is_me = v.user_id.data != NULL && r->room->you.user_id.data != NULL &&
		     slice_eq(v.user_id, r->room->you.user_id);
	(void)draw_cut(g, x, y, is_me ? STYLE_OWN : STYLE_TEXT, is_me ? "you" : v.username.data,
		       name, t->signs);
	x += name + 2;
	result_marks(&v, marks, sizeof(marks));
	if (marks[0] != '\0') {
		x += grid_text(g, x, y, v.is_changed ? STYLE_WARN : STYLE_DIM, marks, -1) + 2;
	}
	(void)draw_cut(g, x, y, STYLE_TEXT, v.comment.data, g->width - 1 - x, t->signs);
}

/* ---- the panel ---- */

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
				(long long)r->room->room.round);
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
	struct action_key k = action_key_in(a, VIEW_ROOM, r->room);
	int width = draw_cells(k.name) + 1 + draw_cells(what);
	if (r->past != NULL || !action_is_allowed(a, r->room) || x + width >= g->width) {
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
	char speakers[64];
	result_speakers(r, speakers, sizeof(speakers));
	bool adds = speakers[0] != '\0' && !is_wide; /* else the bars say it */
	if (f->suggestion.data != NULL) {
		(void)format_to(out, cap, "Suggested %s%s%s", f->suggestion.data,
				adds ? t->signs->dot : "", adds ? speakers : "");
		return STYLE_STRONG;
	}
	if (r->has_spread && speakers[0] != '\0') {
		(void)format_to(out, cap, "Talk: %s", speakers);
		return STYLE_WARN;
	}
	if (r->has_spread) {
		(void)format_to(out, cap, "Talk: from %s to %s", f->lowest.data, f->highest.data);
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
