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

#include "client/model/room/story_find.h"
#include "proto/base/format.h"

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
	if (m->estimated != stories_estimated(room)) {
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
	/* In lines mode nothing reports that the answer has come, so every request is sent. */
	t->history.is_fetching = !t->is_typed;
	if (cursor == NULL) {
		m->is_set = true;
		m->epoch = room->epoch;
		m->round = room->room.round;
		m->is_revealed = room->room.is_revealed;
		m->estimated = stories_estimated(room);
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

struct act tui_wish(struct tui *t, struct feed *feed, struct request *asks)
{
	struct request *r = asks != NULL ? asks : feed_ask(feed);
	if (r != NULL) {
		request_free(t->request);
		t->request = r;
	}
	return (struct act){.request = r, .feed = r == NULL ? NULL : feed};
}

struct act tui_wants(struct tui *t, const struct replica *room)
{
	size_t n = history_count(t);
	struct act wish = team_wants(t);
	wish = wish.request != NULL ? wish : inbox_wants(t);
	if (t->home != NULL || wish.request != NULL) {
		return wish;
	}
	if (t->sight->history_rows <= 0 || t->history.is_fetching || t->link != LINK_LIVE ||
	    !action_is_allowed(ACTION_HISTORY, room)) {
		return (struct act){0};
	}
	if (!history_is_fresh(t, room)) {
		return history_ask(t, room, NULL,
				   n == 0 ? t->sight->history_rows : HISTORY_KEEP_NEWEST);
	}
	if (n > 0 && n < (size_t)t->sight->history_rows && t->history.rounds->cursor != NULL) {
		return history_ask(t, room, t->history.rounds->cursor, t->sight->history_rows);
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

static const void *history_row(struct listing l, size_t at)
{
	return l.t->history.rounds->items[at];
}

static uint64_t history_key(struct listing l, size_t at)
{
	return (uint64_t)l.t->history.rounds->items[at]->n;
}

static const char *history_number(struct list_cell *c)
{
	const struct round_view *p = c->row;
	return list_words(c, "%2lld", (long long)p->n);
}

static const char *history_title(struct list_cell *c)
{
	const struct round_view *p = c->row;
	struct story_name name;
	return p->story.data == NULL ? "Quick vote"
				     : list_words(c, "%s", story_name_of_round(p, &name));
}

/* "3 min", "2 h": how long a round took, from its beginning to its reveal. */
static const char *history_span(struct list_cell *c)
{
	const struct round_view *p = c->row;
	long long s = (long long)(p->revealed_at - p->started_at) / 1000;
	if (p->started_at <= 0 || s < 0) {
		return NULL;
	}
	return s < 60	  ? list_words(c, "%lld s", s)
	       : s < 3600 ? list_words(c, "%lld min", s / 60)
			  : list_words(c, "%lld h", s / 3600);
}

static const char *history_estimate(struct list_cell *c)
{
	const struct round_view *p = c->row;
	return p->outcome.data == NULL ? "not settled" : draw_label(c->l.signs, p->outcome.data);
}

static enum style history_estimate_style(const struct list_cell *c)
{
	const struct round_view *p = c->row;
	return p->outcome.data == NULL ? STYLE_DIM : STYLE_GOOD;
}

/* clang-format off */
static const struct column history_columns[] = {
	{.text = history_number, .look = STYLE_DIM, .is_right = true},
	{.text = history_title, .grows = true, .is_found = true},
	{.text = history_span, .look = STYLE_DIM, .is_right = true, .from_width = 50},
	{.text = history_estimate, .style = history_estimate_style, .is_right = true},
};
/* clang-format on */

/* ---- the page ---- */

static void history_draw_panel(const struct tui *t, const struct replica *room, struct grid *g,
			       int y, int height, const struct round_view *round)
{
	struct result r;
	struct sight *h = t->sight;
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

static const char *history_waits(const struct tui *t, char out[TUI_WAITS_BYTES_MAX])
{
	(void)out;
	return t->history.rounds == NULL ? "Loading earlier rounds" : "";
}

static int history_draw_head(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	size_t n = history_count(t);
	char line[64];
	(void)room;
	if (n > 0) {
		(void)format_to(line, sizeof(line), "%zu %s%s", n, n == 1 ? "round" : "rounds",
				t->history.rounds->cursor != NULL ? " and more" : "");
		(void)draw_right(g, g->width - 1, 0, STYLE_TEXT, line);
	}
	return y;
}

static void history_view_draw(const struct tui *t, const struct replica *room, struct grid *g,
			      int height)
{
	const struct round_view *round = list_row(tui_listing(t, room, VIEW_HISTORY));
	int y = tui_draw_head(t, room, g);
	t->sight->history_rows = height - y > 0 ? height - y : 0;
	int list = draw_between(1, (height - y) / 2, (int)history_count(t));
	tui_draw_list(t, room, g, y, y + list);
	y += list + (g->height >= DRAW_ROOMY ? 1 : 0);
	if (round != NULL) {
		history_draw_panel(t, room, g, y, height - y, round);
	}
}

/* Going past the end fetches what comes next. */
static struct act history_view_take_key(struct tui *t, const struct replica *room, int32_t key)
{
	struct listing l = tui_listing(t, room, VIEW_HISTORY);
	size_t n = history_count(t);
	bool is_down = key == TUI_KEY_DOWN || key == 'j';
	bool is_past = key == TUI_KEY_END || (is_down && list_at(l) + 1 >= n);
	if (key == TUI_KEY_PAGE_UP || key == TUI_KEY_PAGE_DOWN) {
		int page = draw_page(t->sight->panel_rows);
		t->sight->panel_top += key == TUI_KEY_PAGE_UP ? -page : page;
		return (struct act){0};
	}
	struct act act = tui_act_on_key(t, room, key);
	if (is_past && n > 0 && t->history.rounds->cursor != NULL) {
		return history_ask(t, room, t->history.rounds->cursor, 0);
	}
	return act;
}

const struct view history_view = {
	.title = "History",
	.head = history_draw_head,
	.waits = history_waits,
	.empty = "No rounds revealed yet.",
	.draw = history_view_draw,
	.take_key = history_view_take_key,
	.rows =
		&(const struct list_rows){
			.count = history_rows_count,
			.row = history_row,
			.key = history_key,
			COLUMNS(history_columns),
			.chosen = 1,
			.newest_first = true,
		},
	.footer = "Up Down rounds  PgUp PgDn their votes",
};
