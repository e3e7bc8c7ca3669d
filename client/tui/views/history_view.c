/*
 * history_view.c - the rounds before, the newest first, and what each said; and
 * when the newest have to be fetched.
 *
 * That is as soon as the screen has a place for them, and again after what
 * changes them: a reveal, another value that a round is settled with, and
 * another server; time alone never does.
 */
#include "client/tui/tui_state.h"

#include <string.h>

#include "client/model/story_find.h"
#include "proto/format.h"

enum {
	HISTORY_SIGN_X = 1,
	HISTORY_TITLE_X = 7,
	HISTORY_SPAN_FROM = 50, /* cells from which on the span is shown */
	HISTORY_SPAN_CELLS = 8,
	HISTORY_OUTCOME_CELLS = 11
};

size_t history_count(const struct tui *t)
{
	return t->history.rounds == NULL ? 0 : t->history.rounds->n;
}

/* ---- fetching ---- */

/* One round is new at most; the others tie it to what is there (round_history.h). */
enum { HISTORY_KEEP_NEWEST = 3 };

static const char *history_outcome(const struct replica *room)
{
	return room->room.outcome.data == NULL ? "" : room->room.outcome.data;
}

/* Hidden cards change no history, so what was fetched holds until they lie open. */
static bool history_is_fresh(const struct tui *t, const struct replica *room)
{
	const struct history_mark *m = &t->history.mark;
	if (!m->is_set || m->epoch != room->epoch) {
		return false;
	}
	return !room->room.is_revealed || (m->is_revealed && m->round == room->room.round &&
					   strcmp(m->outcome, history_outcome(room)) == 0);
}

struct act history_ask(struct tui *t, const struct replica *room, const char *cursor, int64_t limit)
{
	struct history_mark *m = &t->history.mark;
	if (t->history.is_fetching) {
		return (struct act){0};
	}
	t->history.is_fetching = true;
	if (cursor == NULL) {
		m->is_set = true;
		m->epoch = room->epoch;
		m->round = room->room.round;
		m->is_revealed = room->room.is_revealed;
		(void)format_to(m->outcome, sizeof(m->outcome), "%s", history_outcome(room));
	}
	struct request *r = tui_request(t, ACTION_HISTORY, METHOD_ROUND_LIST);
	if (limit > 0) {
		request_int(r, "limit", limit > MAX_PAGE ? MAX_PAGE : limit);
	}
	if (cursor != NULL) {
		request_text(r, "cursor", cursor);
	}
	return tui_send(t, ACTION_HISTORY);
}

struct act tui_wants(struct tui *t, const struct replica *room)
{
	size_t n = history_count(t);
	struct act wish = team_wants(t);
	if (t->home != NULL || wish.request != NULL) {
		return wish.request != NULL ? wish : inbox_wants(t);
	}
	if (t->history.rows <= 0 || t->history.is_fetching || t->link != LINK_LIVE ||
	    !action_is_allowed(ACTION_HISTORY, room)) {
		return (struct act){0};
	}
	if (!history_is_fresh(t, room)) {
		return history_ask(t, room, NULL, n == 0 ? t->history.rows : HISTORY_KEEP_NEWEST);
	}
	if (n > 0 && n < (size_t)t->history.rows && t->history.rounds->cursor != NULL) {
		return history_ask(t, room, t->history.rounds->cursor, t->history.rows);
	}
	return (struct act){0};
}

void tui_set_rounds(struct tui *t, const struct round_history *rounds)
{
	t->history.is_fetching = false;
	t->history.rounds = rounds;
}

/* ---- the list: number, what was voted on, how long it took, and what became of it ---- */

static size_t history_rows_count(struct listing l)
{
	return history_count(l.t);
}

static const char *history_title(const struct round_view *p, struct story_name *name)
{
	return p->story.data == NULL ? "Quick vote" : story_name_of_round(p, name);
}

static bool history_shows(struct listing l, size_t at, const char *filter)
{
	struct story_name name;
	return list_matches(history_title(l.t->history.rounds->items[at], &name), filter);
}

static uint64_t history_key(struct listing l, size_t at)
{
	return (uint64_t)l.t->history.rounds->items[at]->n;
}

/* "3 min", "2 h": how long a round took, from its beginning to its reveal. */
static void history_span(const struct round_view *p, char *out, size_t cap)
{
	long long s = (long long)(p->revealed_at - p->started_at) / 1000;
	out[0] = '\0';
	if (p->started_at <= 0 || s < 0) {
		return;
	}
	if (s < 60) {
		(void)format_to(out, cap, "%lld s", s);
	} else if (s < 3600) {
		(void)format_to(out, cap, "%lld min", s / 60);
	} else {
		(void)format_to(out, cap, "%lld h", s / 3600);
	}
}

static void history_draw_one(struct listing l, struct grid *g, int y, size_t at, bool has_cursor)
{
	enum { NUMBER_X = 2, NUMBER_CELLS = 3 };
	const struct round_view *p = l.t->history.rounds->items[at];
	struct story_name name;
	char number[24];
	char span[24];
	(void)format_to(number, sizeof(number), "%*lld", NUMBER_CELLS, (long long)p->n);
	(void)grid_text(g, NUMBER_X, y, STYLE_DIM, number, -1);
	int end = g->width - 1;
	(void)draw_right(g, end, y, p->outcome.data != NULL ? STYLE_GOOD : STYLE_DIM,
			 p->outcome.data != NULL ? draw_label(l.t->signs, p->outcome.data)
						 : "not settled");
	end -= HISTORY_OUTCOME_CELLS;
	if (g->width >= HISTORY_SPAN_FROM) {
		history_span(p, span, sizeof(span));
		(void)draw_right(g, end - 2, y, STYLE_DIM, span);
		end -= HISTORY_SPAN_CELLS + 2;
	}
	(void)draw_cut(g, HISTORY_TITLE_X, y, has_cursor ? STYLE_CHOSEN : STYLE_TEXT,
		       history_title(p, &name), end - 1 - HISTORY_TITLE_X, l.t->signs);
}

static const struct list_rows history_rows = {
	.count = history_rows_count,
	.shows = history_shows,
	.key = history_key,
	.draw = history_draw_one,
	.sign_x = HISTORY_SIGN_X,
	.cursor_x = HISTORY_TITLE_X,
	.newest_first = true,
};

/* ---- the page ---- */

static void history_draw_panel(struct tui *t, const struct replica *room, struct grid *g, int y,
			       int height, const struct round_view *round)
{
	struct result r;
	struct history_state *h = &t->history;
	result_init(&r, room, round);
	if (h->panel_round != round->n) {
		h->panel_round = round->n;
		h->panel_top = 0;
	}
	int rows = result_fit(&r, t, g, height);
	h->panel_rows = draw_shown(rows, height);
	struct grid part = draw_scrolled(g, y, height, rows, &h->panel_top, "PgUp", "PgDn");
	result_draw(t, &r, &part, -h->panel_top);
}

static void history_view_draw(struct tui *t, const struct replica *room, struct grid *g, int height)
{
	struct listing l = tui_listing(t, room, VIEW_HISTORY);
	size_t n = history_count(t);
	int y = draw_title(g, "History");
	char line[64];
	t->history.rows = height - y > 0 ? height - y : 0;
	if (n == 0) {
		(void)draw_cut(g, 3, y, STYLE_DIM,
			       t->history.rounds == NULL ? "Fetching the rounds before"
							 : "No round has been revealed yet.",
			       g->width - 4, t->signs);
		return;
	}
	(void)format_to(line, sizeof(line), "%zu %s%s", n, n == 1 ? "round" : "rounds",
			t->history.rounds->cursor != NULL ? " and more" : "");
	(void)draw_right(g, g->width - 1, 0, STYLE_TEXT, line);
	int space = height - y;
	int list = draw_between(1, space / 2, (int)n);
	list_draw(l, g, y, list, true);
	y += list + (g->height >= DRAW_ROOMY ? 1 : 0);
	history_draw_panel(t, room, g, y, height - y, t->history.rounds->items[list_at(l)]);
}

/* Going past the end fetches what comes next. */
static struct act history_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct listing l = tui_listing(t, room, VIEW_HISTORY);
	size_t n = history_count(t);
	bool is_down = key == TUI_KEY_DOWN || key == 'j';
	bool is_past = key == TUI_KEY_END || (is_down && list_at(l) + 1 >= n);
	if (key == TUI_KEY_PAGE_UP || key == TUI_KEY_PAGE_DOWN) {
		int page = draw_page(t->history.panel_rows);
		t->history.panel_top += key == TUI_KEY_PAGE_UP ? -page : page;
		return (struct act){0};
	}
	struct act act = tui_act_on_key(t, room, key);
	if (is_past && n > 0 && t->history.rounds->cursor != NULL) {
		return history_ask(t, room, t->history.rounds->cursor, 0);
	}
	return act;
}

const struct view history_view = {
	.draw = history_view_draw,
	.take_key = history_view_take_key,
	.rows = &history_rows,
	.footer = "Up Down rounds  PgUp PgDn their votes",
};
